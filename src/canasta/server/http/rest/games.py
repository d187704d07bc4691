"""REST: the games, their options and their rules."""

from typing import Annotated

from litestar import Response, get, post
from litestar.params import FromPath, JSONBody, QueryParameter
from msgspec import convert

from canasta.rules import (
    Ruleset,
    RulesetError,
    load_ruleset,
    player_numbers,
    preset_names,
    resolve_ruleset,
)
from canasta.rules.clauses import CLAUSES, clause_in, reading_text, readings_of_clause
from canasta.rules.field_types import Field
from canasta.rules.games import differences, family_names, names_of, traits_of
from canasta.rules.loader import OPTIONS, house_rules, options_of, table_options, values_of
from canasta.rules.model import FIELDS
from canasta.rules.preset_files import preset, title_of
from canasta.rules.rules_file import RulesFile, named_options, rules_text
from canasta.rules.sheet.sections import Picture, rule_sheet, section_title
from canasta.server.http.rest.common import (
    SPEAKS,
    AnyRequest,
    Lang,
    TheServices,
    bad_rules,
    defect_rows,
    language_of,
    mistake,
    mistakes,
    packed,
    sent,
    takes_small,
)
from canasta.server.http.rest.schemas import (
    ClauseText,
    DifferenceRow,
    Differences,
    GameChoice,
    GameForm,
    GameInfo,
    OptionForm,
    Preview,
    ReadRules,
    RuleSheetView,
    RulesText,
    SheetLineView,
    SheetPicture,
    SheetSectionView,
)
from canasta.table.log import Option
from canasta.table.views import game_view
from canasta.table.wire import MeldView, PileView

HowMany = Annotated[int | None, QueryParameter(ge=2, le=6, description="Number of players.")]


def _rules(name: str, players: int | None, lang: str) -> Ruleset:
    if name not in preset_names():
        raise mistake(404, "NO_SUCH_GAME", {"choices": ", ".join(preset_names())})
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


@get("/api/games", summary="List the games", responses=mistakes(), sync_to_thread=False)
def games(request: AnyRequest) -> Response[list[GameInfo]]:
    """Return all games with names and summaries in every language."""
    small = takes_small(request)
    return sent(packed([_game(load_ruleset(name)) for name in preset_names()], small=small), small=small)


@get(
    "/api/games/{name:str}",
    summary="A game and its options",
    responses=mistakes(400, 404),
    response_headers=SPEAKS,
    sync_to_thread=False,
)
def game(request: AnyRequest, name: FromPath[str], players: HowMany = None, lang: Lang = None) -> GameForm:
    spoken = language_of(request, lang)
    rules = _rules(name, players, spoken)
    others = [each for each in preset_names() if each != name and not preset(each).base]
    # Compare with a game of the same family if possible: that is the most instructive.
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


@post(
    "/api/games/{name:str}/preview",
    summary="Preview a game with these options",
    status_code=200,
    responses=mistakes(400, 403, 404, 413),
    response_headers=SPEAKS,
    sync_to_thread=False,
)
def preview(
    request: AnyRequest, name: FromPath[str], data: JSONBody[GameChoice], lang: Lang = None
) -> Preview:
    spoken = language_of(request, lang)
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


@post(
    "/api/games/{name:str}/file",
    summary="Export house rules as a file",
    status_code=200,
    responses=mistakes(400, 403, 404, 413),
    response_headers=SPEAKS,
    sync_to_thread=False,
)
def rules_file(request: AnyRequest, name: FromPath[str], data: JSONBody[GameChoice]) -> RulesText:
    spoken = language_of(request, None)
    _rules(name, None, spoken)
    try:
        return RulesText(text=rules_text(name, data.players, data.options, default=True))
    except RulesetError as error:
        raise bad_rules(error, spoken) from None


@post(
    "/api/rules-file",
    summary="Parse a file of house rules",
    status_code=200,
    responses=mistakes(400, 403, 413),
    response_headers=SPEAKS,
    sync_to_thread=True,
)
def read_rules(request: AnyRequest, data: JSONBody[RulesText]) -> ReadRules:
    try:
        return _what_it_says(RulesFile(data.text.encode("utf-8", "replace"), ""))
    except RulesetError as error:
        rows = defect_rows(error, language_of(request, None))
        return ReadRules(ok=False, defects=rows, rules="", title="", players=0, options={})


@get("/api/house-rules", summary="House rules of this server", responses=mistakes(), sync_to_thread=False)
def house_rules_here(services: TheServices) -> list[ReadRules]:
    return [_what_it_says(file) for file in services.settings.house_rules]


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


@get(
    "/api/games/{name:str}/rules",
    summary="The rule sheet",
    responses=mistakes(400, 404),
    response_headers=SPEAKS,
    sync_to_thread=False,
)
def game_rules(
    request: AnyRequest, name: FromPath[str], players: HowMany = None, lang: Lang = None
) -> RuleSheetView:
    spoken = language_of(request, lang)
    return rules_answer(_rules(name, players, spoken), spoken)


@get(
    "/api/clauses/{clause:str}",
    summary="A clause of the rules",
    responses=mistakes(400, 404),
    response_headers=SPEAKS,
    sync_to_thread=False,
)
def clause_text(request: AnyRequest, clause: FromPath[str], lang: Lang = None) -> ClauseText:
    if clause not in CLAUSES:
        raise mistake(404, "NO_SUCH_CLAUSE")
    spoken = language_of(request, lang)
    found = clause_in(clause, spoken)
    readings = [reading_text(reading, spoken) for reading in readings_of_clause(clause)]
    return ClauseText(id=found.id, title=found.title, text=found.text, readings=readings)


GAMES = [games, game, preview, rules_file, read_rules, house_rules_here, game_rules, clause_text]
