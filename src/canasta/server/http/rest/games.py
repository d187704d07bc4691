"""REST: the games, their options and their rules."""

from typing import Annotated

from litestar import Response
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import Meta, Struct, convert, field

from canasta.rules import Ruleset, RulesetError, load_ruleset, player_numbers, preset_names, resolve_ruleset
from canasta.rules.clauses import CLAUSES, clause_in, reading_text, readings_of_clause
from canasta.rules.field_types import Field
from canasta.rules.games import differences, family_names, names_of, traits_of
from canasta.rules.loader import OPTIONS, house_rules, options_of, table_options, values_of
from canasta.rules.model import FIELDS
from canasta.rules.preset_files import MOST_BYTES, preset, title_of
from canasta.rules.rules_file import RulesFile, named_options, rules_text
from canasta.rules.sheet.sections import Picture, rule_sheet, section_title
from canasta.server.http.rest.common import (
    DefectRow,
    Lang,
    TheCall,
    api_error,
    bad_rules,
    defect_rows,
    encode_json,
    encoded_response,
    endpoint,
    takes_small,
)
from canasta.server.tables.registry import Options, Players
from canasta.table.log import Option
from canasta.table.views import game_view
from canasta.table.wire import GameView, MeldView, PileView


class GameInfo(Struct, kw_only=True):
    name: str
    title: str
    titles: dict[str, str]
    """Translations that differ from English, by language."""
    family: str
    """The kind of Canasta."""
    families: dict[str, str]
    """Translations that differ from English, by language."""
    names: str
    """All names in every language, in lower case and without accents, for searching."""
    booklet: str
    players: list[int]
    """Supported numbers of players."""
    default_players: int
    target: int
    """Target score; 0 if the game lasts a number of rounds."""
    rounds: int
    decks: int
    sequences: bool
    """True if sequences can be melded."""
    second_hand: bool
    """True if each player or each side has a second hand (a foot or pot)."""
    summary: str
    summaries: dict[str, str]
    """By language."""


class OptionForm(Struct, kw_only=True):
    """One choice of the new-table form."""

    name: str
    label: str
    meaning: str
    group: str
    """Title of the section of the rules."""
    clauses: list[str]
    kind: str
    value: Option
    """The preset's value."""
    low: int
    high: int
    choices: list[list[str]]
    """Pairs of value and label."""
    zero: str
    """Meaning of the value 0."""


class DifferenceRow(Struct, kw_only=True):
    clause: str
    label: str
    left: str
    right: str


class Differences(Struct, kw_only=True):
    title: str
    """Title of the game on the left."""
    rows: list[DifferenceRow]


class GameForm(GameInfo, kw_only=True):
    options: list[OptionForm]
    differences_from: Differences


class GameChoice(Struct, kw_only=True, forbid_unknown_fields=True):
    players: Players | None = None
    options: Options = field(default_factory=dict)


class Preview(Struct, kw_only=True):
    ok: bool
    defects: list[DefectRow]
    house_rules: list[str]
    differences: list[DifferenceRow]
    """Differences from the preset, which is on the left."""


class RulesText(Struct, kw_only=True, forbid_unknown_fields=True):
    """A file of house rules, as `canasta rules NAME --save FILE` writes it."""

    text: Annotated[str, Meta(max_length=MOST_BYTES)]


class ReadRules(Struct, kw_only=True):
    """A parsed file of house rules, in the option names of the new-table form."""

    ok: bool
    defects: list[DefectRow]
    rules: str
    """The preset that the file is based on."""
    title: str
    players: int
    options: dict[str, Option]


class SheetLineView(Struct, kw_only=True):
    clause: str
    text: str


class SheetPicture(Struct, kw_only=True):
    """Cards that illustrate a section of the rules."""

    caption: str
    cards: list[str]
    melds: list[MeldView]
    pile: PileView | None
    packets: list[int]
    """Number of face-down cards in each packet."""


class SheetSectionView(Struct, kw_only=True):
    title: str
    lines: list[SheetLineView]
    pictures: list[SheetPicture]


class RuleSheetView(Struct, kw_only=True):
    """A rule sheet."""

    title: str
    subtitle: str
    language: str
    house_rules: list[str]
    """Options that differ from the preset."""
    game: GameView
    """Game facts needed to draw the pictures."""
    sections: list[SheetSectionView]


class ClauseText(Struct, kw_only=True):
    id: str
    title: str
    text: str
    readings: list[str]


HowMany = Annotated[int | None, QueryParameter(ge=2, le=6, description="Number of players.")]


def _rules(name: str, players: int | None, lang: str) -> Ruleset:
    if name not in preset_names():
        raise api_error(404, "NO_SUCH_GAME", {"choices": ", ".join(preset_names())})
    try:
        return load_ruleset(name, players)
    except RulesetError as error:
        raise bad_rules(error, lang) from None


def _game(rules: Ruleset) -> GameInfo:
    about = preset(rules.name)
    return GameInfo(
        name=rules.name,
        title=rules.title,
        titles=about.titles,
        family=about.family,
        families=family_names(about.family),
        names=names_of(about.name),
        booklet=about.booklet,
        players=list(about.player_numbers),
        default_players=about.default_players,
        target=0 if rules.match.rounds else rules.match.target,
        rounds=rules.match.rounds,
        **traits_of(rules)._asdict(),
        summary=about.summary,
        summaries=about.summaries,
    )


def _plain(value: object) -> Option:
    if isinstance(value, tuple):
        return list(value)
    assert isinstance(value, (bool, int, str))
    return value


def _option_forms(rules: Ruleset, lang: str) -> list[OptionForm]:
    """Return the form: named options first, then all other fields."""
    values = values_of(rules)
    named = table_options(rules.name, rules.seats.players)

    def group(path: str) -> str:
        # An option without a field of its own concerns the deck.
        return section_title(path.partition(".")[0] or "deck", rules, lang)

    forms = [
        _option_form(
            option.name, option.form.in_language(lang), _plain(option.now(values)), group(option.path)
        )
        for option in named
    ]
    covered = {option.path for option in OPTIONS.values()}
    return forms + [
        _option_form(path, field.in_language(lang), _plain(values[path]), group(path))
        for path, field in FIELDS.items()
        if not field.fixed and path not in covered
    ]


def _option_form(name: str, form: Field, value: Option, group: str) -> OptionForm:
    return OptionForm(
        name=name,
        label=form.label,
        meaning=form.meaning,
        group=group,
        clauses=list(form.clauses),
        kind=form.kind,
        value=value,
        low=form.low,
        high=form.high,
        choices=[list(choice) for choice in form.choices],
        zero=form.zero,
    )


def _difference_rows(left: Ruleset, right: Ruleset, lang: str) -> list[DifferenceRow]:
    return [
        DifferenceRow(clause=row.clause, label=row.label, left=row.left, right=row.right)
        for row in differences(left, right, lang)
    ]


def rules_answer(rules: Ruleset, lang: str) -> RuleSheetView:
    sheet = rule_sheet(rules, lang)
    return RuleSheetView(
        title=sheet.title,
        subtitle=sheet.subtitle,
        language=lang,
        house_rules=house_rules(options_of(rules), lang),
        game=game_view(rules),
        sections=[
            SheetSectionView(
                title=section.title,
                lines=[SheetLineView(clause=line.clause, text=line.text) for line in section.lines],
                pictures=[_picture(*shown) for shown in section.pictures],
            )
            for section in sheet.sections
        ],
    )


def _picture(caption: str, shown: Picture) -> SheetPicture:
    pile = None
    if shown.pile:
        stopped = shown.pile[-1] in ("3c", "3s")
        pile = PileView(cards=list(shown.pile), frozen=shown.frozen, stopped=stopped)
    return SheetPicture(
        caption=caption,
        cards=list(shown.cards),
        melds=[convert(meld._asdict(), MeldView) for meld in shown.melds],
        pile=pile,
        packets=list(shown.packets),
    )


@endpoint("GET /api/games", "List the games")
def games(call: TheCall) -> Response[list[GameInfo]]:
    """Return all games with names and summaries in every language."""
    small = takes_small(call.request)
    return encoded_response(
        encode_json([_game(load_ruleset(name)) for name in preset_names()], small=small), small=small
    )


@endpoint("GET /api/games/{name:str}", "A game and its options", 400, 404, speaks=True)
def game(call: TheCall, name: FromPath[str], players: HowMany = None, lang: Lang = None) -> GameForm:
    spoken = call.language(lang)
    rules = _rules(name, players, spoken)
    others = [each for each in preset_names() if each != name and not preset(each).base]
    # Prefer a game of the same family, which differs least.
    other = next((each for each in others if preset(each).family == preset(name).family), others[0])
    number = rules.seats.players if rules.seats.players in player_numbers(other) else None
    left = load_ruleset(other, number)
    about = _game(rules)
    return GameForm(
        **{member: getattr(about, member) for member in about.__struct_fields__},
        options=_option_forms(rules, spoken),
        differences_from=Differences(
            title=title_of(left, spoken), rows=_difference_rows(left, rules, spoken)
        ),
    )


@endpoint(
    "POST /api/games/{name:str}/preview", "Preview a game with options", 400, 403, 404, 413, speaks=True
)
def preview(call: TheCall, name: FromPath[str], data: JSONBody[GameChoice], lang: Lang = None) -> Preview:
    spoken = call.language(lang)
    preset = _rules(name, None, spoken)
    try:
        rules = resolve_ruleset(name, data.players, data.options)
    except RulesetError as error:
        return Preview(
            ok=False, defects=defect_rows(error, spoken, by_label=True), house_rules=[], differences=[]
        )
    preset = load_ruleset(name, rules.seats.players)
    return Preview(
        ok=True,
        defects=[],
        house_rules=house_rules(options_of(rules), spoken),
        differences=_difference_rows(preset, rules, spoken),
    )


@endpoint("POST /api/games/{name:str}/file", "Export house rules as a file", 400, 403, 404, 413, speaks=True)
def rules_file(call: TheCall, name: FromPath[str], data: JSONBody[GameChoice]) -> RulesText:
    spoken = call.language()
    _rules(name, None, spoken)
    try:
        return RulesText(text=rules_text(name, data.players, data.options, default=True))
    except RulesetError as error:
        raise bad_rules(error, spoken) from None


@endpoint(
    "POST /api/rules-file", "Read a file of house rules", 400, 403, 413, speaks=True, sync_to_thread=True
)
def read_rules(call: TheCall, data: JSONBody[RulesText]) -> ReadRules:
    try:
        return _what_it_says(RulesFile(data.text.encode("utf-8", "replace"), ""))
    except RulesetError as error:
        rows = defect_rows(error, call.language())
        return ReadRules(ok=False, defects=rows, rules="", title="", players=0, options={})


@endpoint("GET /api/house-rules", "House rules of this server")
def house_rules_here(call: TheCall) -> list[ReadRules]:
    return [_what_it_says(file) for file in call.services.settings.house_rules]


def _what_it_says(file: RulesFile) -> ReadRules:
    rules = file.ruleset()
    return ReadRules(
        ok=True,
        defects=[],
        rules=rules.name,
        title=file.title,
        players=rules.seats.players,
        options={name: _plain(value) for name, value in named_options(file.options(), rules).items()},
    )


@endpoint("GET /api/games/{name:str}/rules", "The rule sheet", 400, 404, speaks=True)
def game_rules(
    call: TheCall, name: FromPath[str], players: HowMany = None, lang: Lang = None
) -> RuleSheetView:
    spoken = call.language(lang)
    return rules_answer(_rules(name, players, spoken), spoken)


@endpoint("GET /api/clauses/{clause:str}", "A clause of the rules", 400, 404, speaks=True)
def clause_text(call: TheCall, clause: FromPath[str], lang: Lang = None) -> ClauseText:
    if clause not in CLAUSES:
        raise api_error(404, "NO_SUCH_CLAUSE")
    spoken = call.language(lang)
    translated = clause_in(clause, spoken)
    readings = [reading_text(reading, spoken) for reading in readings_of_clause(clause)]
    return ClauseText(id=translated.id, title=translated.title, text=translated.text, readings=readings)


GAMES = [games, game, preview, rules_file, read_rules, house_rules_here, game_rules, clause_text]
