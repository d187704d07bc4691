"""Build a `Ruleset` from a preset's name, a number of players and the options of a table.

Options have short names for the usual ones and dotted paths for every other field.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from operator import attrgetter
from os import PathLike
from typing import Any, Final, NamedTuple

from canasta.i18n import Fact, Facts, Message
from canasta.rules.defects import Defect, RulesetError, suggest_spelling
from canasta.rules.field_types import CHOICE, NUMBER, NUMBERS, YES_NO, Field, Value, as_value, check_value
from canasta.rules.model import FIELDS, SECTIONS, Ruleset
from canasta.rules.preset_files import MOST_GUESSED, Preset, is_preset, no_such_preset, preset
from canasta.rules.validation import problems_of


class Option(NamedTuple):
    """An option with a fixed name, which is the same in scenarios, on the command line and in forms."""

    name: str
    path: str
    """The field that it sets; empty if it affects several."""
    form: Field
    """Label, meaning and values of the option itself."""

    def fits(self, values: Mapping[str, Value]) -> bool:
        """Return whether the option can express these values: yes or no can't express a third choice."""
        switch = FIELDS[self.path].switch if self.path else None
        return switch is None or values.get(self.path, switch.no) in (switch.yes, switch.no)

    def now(self, values: Mapping[str, Value]) -> Value:
        """Return the option's value at a table with these values."""
        if not self.path:
            return False
        switch = FIELDS[self.path].switch
        return values[self.path] == switch.yes if switch is not None else values[self.path]


_EXTRA_DECK: Final = Option(
    "extra_deck",
    "",
    Field(
        "extra_deck",
        YES_NO,
        ("SEAT-4", "DECK-1"),
        "all six play with an extra deck",
        "Six players, nobody sits out; in caliente with a third deck and its own numbers.",
    ),
)


def _named() -> Iterator[Option]:
    for path, field in FIELDS.items():
        if field.switch is not None:
            switch = field.switch
            form = Field(switch.name, YES_NO, field.clauses, switch.label, switch.meaning)
            yield Option(switch.name, path, form)
        elif field.option:
            yield Option(field.option, path, field)
    yield _EXTRA_DECK


OPTIONS: Final[dict[str, Option]] = {option.name: option for option in _named()}
"""The options with fixed names, in the order of the new-table form."""


class Choices:
    """A table's options, read field by field."""

    def __init__(self) -> None:
        self.values: dict[str, Value] = {}
        """Chosen values by field."""
        self.names: dict[str, str] = {}
        """By field: the option name that the table used, so that defects use the same name."""
        self.extra_deck = False
        self.defects: list[Defect] = []
        self.bad: set[str] = set()
        """Fields whose chosen value is invalid. Nothing more is reported about them."""

    def defect(
        self, path: str, value: object, code: str, facts: Facts | None = None, remedy_code: str = ""
    ) -> None:
        self.defects.append(Defect(self.names.get(path, path), value, code, facts or {}, remedy_code))


def read_options(options: object, preset_values: Mapping[str, Value]) -> Choices:
    """Check each option on its own. `preset_values` are those of the preset; empty if it is unknown."""
    choices = Choices()
    if options is None:
        return choices
    if not isinstance(options, Mapping):
        choices.defect("options", options, "NOT_NAMES")
        return choices
    for name, value in options.items():
        _read_one(choices, name, value, preset_values)
    return choices


def _read_one(choices: Choices, name: object, value: object, preset_values: Mapping[str, Value]) -> None:
    if not isinstance(name, str):
        choices.defect("options", name, "NOT_A_NAME")
        return
    option = OPTIONS.get(name)
    form = option.form if option is not None else FIELDS.get(name)
    if form is None:
        remedy_code, facts = "", Facts()
        if len(choices.defects) < MOST_GUESSED:
            remedy_code, facts = suggest_spelling(
                name, [*OPTIONS, *(path for path, field in FIELDS.items() if not field.fixed)]
            )
        choices.defect(name, value, "NO_SUCH_OPTION", facts, remedy_code)
        return
    if form.fixed:
        choices.defects.append(_fixed(name, value))
        return
    path = option.path if option is not None else name
    if wrong := check_value(form, value):
        choices.bad.add(path)
        remedy_code, facts = _suggest_value(form, value)
        choices.defect(name, value, wrong[0], wrong[1] | facts, remedy_code)
        return
    if name == "extra_deck":
        choices.extra_deck = value is True
        return
    chosen = as_value(value)
    if option is not None and (switch := FIELDS[path].switch) is not None:
        if not option.fits(preset_values):
            choices.bad.add(path)
            choices.defect(
                name, value, "NO_PLACE", {"setting": FIELDS[path].typed(preset_values[path]), "field": path}
            )
            return
        chosen = switch.yes if value is True else switch.no
    if path in choices.values:
        if choices.values[path] != chosen:
            choices.defect(name, value, "SAYS_OTHERWISE", {"field": choices.names[path]})
            choices.bad.add(path)
        return
    choices.values[path] = chosen
    choices.names[path] = name


def _fixed(name: str, value: object) -> Defect:
    return Defect(name, value, "FIXED", {}, "PLAYERS_APART" if name == "seats.players" else "")


def _suggest_value(form: Field, value: object) -> tuple[str, Facts]:
    """Return the remedy for a number or boolean that was given as text."""
    if not isinstance(value, str):
        return "", {}
    if form.kind == CHOICE:
        return suggest_spelling(value, [choice for choice, _ in form.choices])
    try:
        parsed = _parsed(form, value)
    except ValueError:
        return "", {}
    return ("UNQUOTED", {}) if check_value(form, parsed) is None else ("", {})


def implied_values(choices: Choices) -> dict[str, Value]:
    """Return the values implied by short names. A field that was chosen itself keeps its value."""
    implied: dict[str, Value] = {}
    for path, name in choices.names.items():
        field = FIELDS[path]
        # A plain number replaces other fields, such as counts by kind.
        if name == field.option and (choices.values[path] != 0 or field.zero_clears):
            implied.update({f"{field.section}.{cleared}": 0 for cleared in field.clears})
    return {path: value for path, value in implied.items() if path not in choices.values}


def seat_values(choices: Choices, players: int, usual_sides: Value) -> dict[str, Value]:
    """Return the values of the seat fields, given `sides`, `sit_out` and `extra_deck`.

    Contradictions become defects. A field may also be given by its path with the value that results anyway,
    so that the values of a rule sheet can be passed back.
    """
    sides, sit_out = choices.values.get("seats.sides"), choices.values.get("seats.sit_out")
    if players != 6:
        if choices.extra_deck:
            choices.defect("extra_deck", True, "FOR_SIX", {"players": players}, "LEAVE_OUT")
        is_chosen = choices.names.get("seats.sides") == "sides" or sides != usual_sides
        if sides is not None and is_chosen:
            choices.defect("seats.sides", sides, "FOR_SIX", {"players": players}, "LEAVE_OUT")
        if sit_out is not None and sit_out != (players == 5):
            code = "ONE_SITS_OUT" if players == 5 else "NOBODY_SITS_OUT"
            choices.defect("seats.sit_out", sit_out, code, {"players": players}, "LEAVE_OUT")
        choices.bad.update(("seats.sides", "seats.sit_out"))
        return {}
    all_play = choices.extra_deck or sides is not None
    if sit_out is True:
        if choices.extra_deck:
            choices.defect("seats.sit_out", True, "ALL_SIX_PLAY", remedy_code="CHOOSE_ONE")
        if sides == 3:
            choices.defect("seats.sit_out", True, "SIDES_NEED_ALL", remedy_code="CHOOSE_ONE")
    return {
        "seats.sides": 2 if sides is None else sides,
        "seats.sit_out": not all_play if sit_out is None else sit_out,
    }


def options_for(preset_values: Mapping[str, Value], players: int) -> list[Option]:
    """Return the options with fixed names that are meaningful in this preset at a table of this size.

    A form offers these. The others are valid as long as they are left at "no".
    """
    offered: list[Option] = []
    for option in OPTIONS.values():
        if option.name in ("extra_deck", "sides", "sit_out") and players != 6:
            continue
        needed = FIELDS[option.path].needs if option.path else ""
        if not option.fits(preset_values) or (needed and not preset_values[needed]):
            continue
        if _is_idle(option.path, preset_values):
            continue
        offered.append(option)
    return offered


def _is_idle(path: str, values: Mapping[str, Value]) -> bool:
    """Return whether the option would change nothing here.

    That is so if first melds need no minimum or must come from the hand alone, or if a set always has fewer
    wild cards than naturals.
    """
    if path.startswith("opening."):
        alone = path == "opening.top_card_counts" and values["opening.from_hand"] is True
        return alone or values["opening.minimums"] == (0,)
    most, least = values["melds.most_wilds"], values["melds.least_naturals"]
    assert isinstance(most, int)
    assert isinstance(least, int)
    return path == "melds.wilds_to_naturals" and 0 < most < least


_YES: Final = ("true", "yes", "on", "1", "y")
_NO: Final = ("false", "no", "off", "0", "n")


def parse_option(text: str) -> tuple[str, Value]:
    """Parse `name=value` as typed on a command line, according to the field's type.

    >>> parse_option("hand_size=13"), parse_option("put_back=yes")
    (('hand_size', 13), ('put_back', True))
    >>> parse_option("opening.scores=0, 1500")
    ('opening.scores', (0, 1500))
    """
    name, equals, raw = text.partition("=")
    name, raw = name.strip(), raw.strip()
    if not equals or not name:
        raise RulesetError([Defect("options", text, "NOT_NAME_AND_VALUE")])
    option = OPTIONS.get(name)
    form = option.form if option is not None else FIELDS.get(name)
    if form is None:
        remedy_code, facts = suggest_spelling(name, [*OPTIONS, *FIELDS])
        raise RulesetError([Defect(name, raw, "NO_SUCH_OPTION", facts, remedy_code or "SEE_CHOICES")])
    if form.fixed:
        raise RulesetError([_fixed(name, raw)])
    try:
        value = _parsed(form, raw)
    except ValueError:
        value = raw
    if wrong := check_value(form, value):
        remedy_code, facts = suggest_spelling(raw, [choice for choice, _ in form.choices])
        raise RulesetError([Defect(name, value, wrong[0], wrong[1] | facts, remedy_code)])
    return name, as_value(value)


def _parsed(form: Field, text: str) -> Value:
    """Parse a value as typed, or as a rule sheet shows it: `no limit`, `drawn at random`."""
    text = _in_words(form, text) or text.strip()
    if form.kind == YES_NO:
        word = text.lower()
        if word in _YES:
            return True
        if word in _NO:
            return False
        raise ValueError(text)
    if form.kind == NUMBER:
        return int(text)
    if form.kind == NUMBERS:
        inner = text.strip("[]()").replace(",", " ").split()
        return tuple(int(member) for member in inner)
    return text


def _in_words(form: Field, text: str) -> str:
    """Return the value that a rule sheet describes with these words, or an empty string."""
    words = " ".join(text.lower().split())
    if form.zero and words == form.zero.lower():
        return "0" if form.kind == NUMBER else "[]"
    if form.kind == CHOICE and all(words != choice for choice, _ in form.choices):
        return next((choice for choice, told in form.choices if words == told.lower()), "")
    return ""


def house_rules(options: Mapping[str, Value], lang: str = "en") -> list[str]:
    """Return options in words: `score that ends the game: 3000`."""
    fields = [FIELDS[path].in_language(lang) for path in options]
    return [f"{field.label}: {field.show(options[field.path])}" for field in fields]


def with_labels(message: Message, lang: str) -> Message:
    """Return a defect's message with the fields named by their labels, as in a form."""
    facts = {name: _labelled(name, fact, lang) for name, fact in message.facts.items()}
    return replace(message, facts=facts)


def _labelled(name: str, fact: Fact, lang: str) -> Fact:
    from canasta.i18n.catalogue import FIELD, SETTING, fact_kinds  # noqa: PLC0415 - only forms have labels
    from canasta.i18n.voice import say  # noqa: PLC0415 - as above

    kind = fact_kinds()[name]
    if kind not in (FIELD, SETTING):
        return fact
    path, value = parse_option(str(fact)) if kind == SETTING else (str(fact), "")
    field = (OPTIONS[path].form if path in OPTIONS else FIELDS[path]).in_language(lang)
    if kind == FIELD:
        return say("defects.label", {"name": field.label}, lang)
    return say("defects.labelled", {"name": field.label, "text": field.show(value)}, lang)


# -- rulesets -----------------------------------------------------------------------------------------------


def table_options(name: str, players: int | None = None) -> list[Option]:
    """Return the named options that are meaningful in this preset at a table of this size."""
    rules = load_ruleset(name, players)
    return [
        option
        for option in options_for(values_of(rules), rules.seats.players)
        if not _is_barred(rules, option)
    ]


_READ: Final[dict[str, Callable[[Ruleset], Value]]] = {path: attrgetter(path) for path in FIELDS}
_PLACES: Final = {
    section: [(field.name, path) for path, field in FIELDS.items() if field.section == section]
    for section in ("", *SECTIONS)
}
"""The getter of each path and the fields of each section, prepared because rules are built often."""

_NEVER_HERE: Final = ("LONG_RUNS_NEED", "GOES_ONLY_WITH")
"""Defect codes of values that this kind of game excludes, regardless of the table's other choices."""


def _is_barred(rules: Ruleset, option: Option) -> bool:
    """Return whether a yes-or-no option cannot be changed in these rules."""
    now = option.now(values_of(rules))
    if not isinstance(now, bool):
        return False
    try:
        load_ruleset(rules.name, rules.seats.players, {option.name: not now})
    except RulesetError as error:
        return any(defect.code in _NEVER_HERE for defect in error.defects)
    return False


def load_ruleset(
    name: str | PathLike[str], players: int | None = None, options: Mapping[str, object] | None = None
) -> Ruleset:
    """Return the rules of a preset, or of a file such as `my-club.toml`, for these players and options.

    Raise `RulesetError`, with every defect at once, if they are not a valid game.

    >>> load_ruleset("caliente", 2).deal.hand_size
    15
    >>> load_ruleset("caliente", options={"hand_size": 13}).deal.hand_size
    13
    """
    from canasta.rules.rules_file import is_rules_file, read_rules_file  # noqa: PLC0415 - it imports this module

    if is_rules_file(name):
        return read_rules_file(name).ruleset(players, options)
    return resolve_ruleset(name, players, options)


def resolve_ruleset(
    name: object, players: object = None, options: object = None, *, version: int = 0
) -> Ruleset:
    """Like `load_ruleset`, for values of unknown type, such as those from a YAML file or a message.

    This accepts preset names but never files: untrusted input must not open files. An older `version` of the
    preset is the current one with the values of that time; 0 is the current version. The types are checked
    here because the compiled package would answer with a bare `TypeError`.
    """
    defects: list[Defect] = []
    chosen: Preset | None = None
    if isinstance(name, str) and is_preset(name):
        chosen = preset(name)
    else:
        defects.append(no_such_preset(name))
    number = _players(chosen, players, defects)
    if chosen is None:
        raise RulesetError(defects + read_options(options, {}).defects)

    # If the number of players is invalid, check the options anyway, at a table of the default size.
    values = chosen.values_for(number or chosen.default_players, version or chosen.version)
    choices = read_options(options, values)
    if number:
        chosen_seats = seat_values(choices, number, values["seats.sides"])
        usual = values.copy()
        _lay_over(values, chosen, choices, chosen_seats)
        _check_together(values, choices, usual)
    defects += choices.defects
    if defects:
        raise RulesetError(defects)
    return ruleset_from(values)


def _players(chosen: Preset | None, players: object, defects: list[Defect]) -> int:
    """Return the number of players, or 0 after a defect."""
    if players is None:
        return chosen.default_players if chosen is not None else 0
    numbers = chosen.player_numbers if chosen is not None else (2, 3, 4, 5, 6)
    if isinstance(players, int) and not isinstance(players, bool) and players in numbers:
        return players
    code = "MUST_BE" if len(numbers) == 1 else "MUST_BE_NUMBER"
    defects.append(Defect("players", players, code, {"low": numbers[0], "high": numbers[-1]}))
    return 0


def _lay_over(
    values: dict[str, Value], chosen: Preset, choices: Choices, chosen_seats: dict[str, Value]
) -> None:
    """Apply the table's choices to the preset's values, along with their consequences."""
    if choices.extra_deck and values["seats.players"] == 6:
        values.update(chosen.extra_deck)
    given = implied_values(choices)
    given.update(choices.values)
    given.update(chosen_seats)
    for path in choices.bad:
        given.pop(path, None)
    values.update(given)
    for case in chosen.cases:
        if case.players not in (0, values["seats.players"]):
            continue
        if any(values[path] != value for path, value in case.conditions.items()):
            continue
        values.update({path: value for path, value in case.consequences.items() if path not in given})


def _check_together(values: dict[str, Value], choices: Choices, usual: dict[str, Value]) -> None:
    """Report values that do not fit together.

    A value that the preset has anyway may be repeated without effect.
    """
    told = {defect.path for defect in choices.defects}
    for problem in problems_of(values):
        if any(path in choices.bad or choices.names.get(path, path) in told for path in problem.paths):
            continue  # one of the fields is already reported; its value was not used
        chosen_paths = [path for path in problem.paths if path in choices.values]
        idle = problem.paths[0]
        if problem.idle and (idle not in chosen_paths or values[idle] == usual[idle]):
            continue
        path = chosen_paths[0] if chosen_paths else problem.paths[0]
        choices.defect(path, values[path], problem.code, problem.facts, problem.remedy_code)


def values_of(rules: Ruleset) -> dict[str, Value]:
    """Return every field of a ruleset by its path.

    >>> values_of(load_ruleset("bolivia"))["scoring.wild_canasta"]
    2500
    """
    return {path: read(rules) for path, read in _READ.items()}


def options_of(rules: Ruleset) -> dict[str, Value]:
    """Return the fewest options, by dotted path, that turn the preset into these rules. Records store these.

    >>> options_of(load_ruleset("hand-and-foot", options={"target": 5000}))
    {'match.target': 5000, 'match.rounds': 0}
    """
    wanted = values_of(rules)
    options: dict[str, Value] = {}
    made = values_of(load_ruleset(rules.name, rules.seats.players))
    # A second round is needed if one option implies another value than the one wanted.
    while missing := {path: value for path, value in wanted.items() if made[path] != value}:
        if any(FIELDS[path].fixed or path in options for path in missing):
            raise RulesetError([Defect(path, value, "NO_WAY_HERE") for path, value in missing.items()])
        options.update(missing)
        made = values_of(load_ruleset(rules.name, rules.seats.players, options))
    return options


def ruleset_from(values: Mapping[str, Value]) -> Ruleset:
    """Build a ruleset from a complete and checked mapping of paths to values."""
    parts: dict[str, dict[str, Any]] = {
        section: {name: values[path] for name, path in places} for section, places in _PLACES.items()
    }
    sections = {name: made(**parts[name]) for name, made in SECTIONS.items()}
    return Ruleset(**parts[""], **sections)
