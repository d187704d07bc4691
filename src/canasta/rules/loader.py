"""From a preset's name, a number of players and the table's options to a `Ruleset`.

A preset is a TOML file: a base and the differences, differences for a number of players, and values that
follow from a choice (`[extra_deck]`, `[[when]]`). Those last ones hold for that preset alone and are not
handed down. `[before.2]` has the values that version 2 replaced, so that records and tables of version 1 go
on with the rules that they were played by.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, cast

from canasta.rules.checks import problems_of
from canasta.rules.defects import Defect, RulesetError, closest
from canasta.rules.fields import FIELDS, Value, as_value, check_value
from canasta.rules.model import (
    CalienteRules,
    DealRules,
    DeckRules,
    GoingOutRules,
    MatchRules,
    MeldRules,
    OpeningRules,
    PileRules,
    Ruleset,
    ScoringRules,
    SeatRules,
    StockEndRules,
    TurnRules,
)
from canasta.rules.options import Choices, Option, implied_values, options_for, read_options, seat_values

PRESETS: Final = (
    "caliente",
    "caliente-samba",
    "hand-and-foot",
    "jaques",
    "jaques-samba",
    "bolivia",
    "two-player",
)


class Case(NamedTuple):
    """Values that follow from others: `when` these hold, `then` those do."""

    players: int
    """0: any number."""
    conditions: dict[str, Value]
    consequences: dict[str, Value]


class Preset(NamedTuple):
    """A preset file as read; values are those it states itself."""

    name: str
    title: str
    version: int
    base: str
    player_numbers: tuple[int, ...]
    default_players: int
    values: dict[str, Value]
    by_players: dict[int, dict[str, Value]]
    extra_deck: dict[str, Value]
    cases: tuple[Case, ...]
    before: dict[int, dict[str, Value]]
    """By version: the values that it replaced."""


_read: dict[str, Preset] = {}


def preset_names() -> tuple[str, ...]:
    """The names of all presets.

    >>> preset_names()[:2]
    ('caliente', 'caliente-samba')
    """
    return PRESETS


def player_numbers(name: str) -> tuple[int, ...]:
    """How many may play this preset.

    >>> player_numbers("hand-and-foot")
    (2, 3, 4, 5, 6)
    """
    return preset(name).player_numbers


def default_players(name: str) -> int:
    """How many play this preset when nobody says."""
    return preset(name).default_players


def table_options(name: str, players: int | None = None) -> list[Option]:
    """The named options that mean something in this preset at a table of so many."""
    rules = load_ruleset(name, players)
    return options_for(values_of(rules), rules.seats.players)


def preset(name: str) -> Preset:
    """The preset file of that name, read once."""
    if name not in PRESETS:
        raise RulesetError([_no_such_preset(name)])
    if name not in _read:
        _read[name] = _read_preset(name)
    return _read[name]


def load_ruleset(
    name: str, players: int | None = None, options: Mapping[str, object] | None = None
) -> Ruleset:
    """The rules of a preset for a number of players, with the table's options.

    Raises `RulesetError` with every defect at once.

    >>> load_ruleset("caliente", 2).deal.hand_size
    15
    >>> load_ruleset("caliente", options={"hand_size": 13}).deal.hand_size
    13
    """
    return resolve_ruleset(name, players, options)


def resolve_ruleset(
    name: object, players: object = None, options: object = None, *, version: int = 0
) -> Ruleset:
    """`load_ruleset` for values of unknown type, as they come out of a YAML file or a message.

    An earlier `version` of the preset is the present one with the values of that time; 0 is the present one.
    The compiled package checks the types of arguments itself and would answer with a bare `TypeError`.
    """
    defects: list[Defect] = []
    chosen: Preset | None = None
    if isinstance(name, str) and name in PRESETS:
        chosen = preset(name)
    else:
        defects.append(_no_such_preset(name))
    number = _players(chosen, players, defects)
    if chosen is None:
        raise RulesetError(defects + read_options(options, {}).defects)

    # with a bad number of players the options are still checked, at a table of the usual size
    values = _values_for(chosen, number or chosen.default_players, version or chosen.version)
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
    """The number of players, or 0 after a defect."""
    if players is None:
        return chosen.default_players if chosen is not None else 0
    numbers = chosen.player_numbers if chosen is not None else (2, 3, 4, 5, 6)
    if isinstance(players, int) and not isinstance(players, bool) and players in numbers:
        return players
    allowed = str(numbers[0]) if len(numbers) == 1 else f"a whole number from {numbers[0]} to {numbers[-1]}"
    defects.append(Defect("players", players, f"must be {allowed}"))
    return 0


def _values_for(chosen: Preset, players: int, version: int) -> dict[str, Value]:
    """The preset's own values over those of its base, for a number of players."""
    values = _values_for(preset(chosen.base), players, version) if chosen.base else {}
    values.update(chosen.values)
    values.update(chosen.by_players.get(players, {}))
    for later in sorted(chosen.before, reverse=True):
        if later > version:
            values.update(chosen.before[later])
    values["name"] = chosen.name
    values["title"] = chosen.title
    values["version"] = chosen.version
    values["seats.players"] = players
    return values


def _lay_over(
    values: dict[str, Value], chosen: Preset, choices: Choices, chosen_seats: dict[str, Value]
) -> None:
    """Put the table's choices over the preset's values, with what follows from them."""
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
    """Values that do not go together; one that the preset has anyhow may be said and do nothing."""
    told = {defect.path for defect in choices.defects}
    for problem in problems_of(values):
        if any(path in choices.bad or choices.names.get(path, path) in told for path in problem.paths):
            continue  # one of the fields is already named; its value was not used
        chosen_paths = [path for path in problem.paths if path in choices.values]
        idle = problem.paths[0]
        if problem.idle and (idle not in chosen_paths or values[idle] == usual[idle]):
            continue
        path = chosen_paths[0] if chosen_paths else problem.paths[0]
        choices.defect(path, values[path], problem.problem, problem.remedy)


def defects_of(rules: Ruleset) -> list[Defect]:
    """What is wrong with a ruleset that was put together by hand; empty when it is a game."""
    values = values_of(rules)
    found = [
        Defect(path, value, problem)
        for path, value in values.items()
        for problem in [check_value(FIELDS[path], value)]
        if problem
    ]
    if found:
        return found
    return [
        Defect(problem.paths[0], values[problem.paths[0]], problem.problem, problem.remedy)
        for problem in problems_of(values)
        if not problem.idle
    ]


def values_of(rules: Ruleset) -> dict[str, Value]:
    """Every field of a ruleset by its path.

    >>> values_of(load_ruleset("bolivia"))["scoring.wild_canasta"]
    2500
    """
    values: dict[str, Value] = {}
    for path, field in FIELDS.items():
        holder: object = getattr(rules, field.section) if field.section else rules
        values[path] = cast(Value, getattr(holder, field.name))
    return values


def options_of(rules: Ruleset) -> dict[str, Value]:
    """The fewest options, by dotted path, that make these rules out of their preset: for records.

    >>> options_of(load_ruleset("hand-and-foot", options={"target": 5000}))
    {'match.target': 5000, 'match.rounds': 0}
    """
    wanted = values_of(rules)
    options: dict[str, Value] = {}
    made = values_of(load_ruleset(rules.name, rules.seats.players))
    # a second round where one option would bring along another value than the one wanted
    while missing := {path: value for path, value in wanted.items() if made[path] != value}:
        if any(FIELDS[path].fixed or path in options for path in missing):
            raise RulesetError(
                [Defect(path, value, "no option leads here") for path, value in missing.items()]
            )
        options.update(missing)
        made = values_of(load_ruleset(rules.name, rules.seats.players, options))
    return options


def ruleset_from(values: Mapping[str, Value]) -> Ruleset:
    """A ruleset from a complete and checked mapping of paths to values."""
    parts: dict[str, dict[str, Any]] = {}
    for path, field in FIELDS.items():
        parts.setdefault(field.section, {})[field.name] = values[path]
    return Ruleset(
        deck=DeckRules(**parts["deck"]),
        seats=SeatRules(**parts["seats"]),
        deal=DealRules(**parts["deal"]),
        turn=TurnRules(**parts["turn"]),
        pile=PileRules(**parts["pile"]),
        melds=MeldRules(**parts["melds"]),
        opening=OpeningRules(**parts["opening"]),
        going_out=GoingOutRules(**parts["going_out"]),
        stock_end=StockEndRules(**parts["stock_end"]),
        caliente=CalienteRules(**parts["caliente"]),
        scoring=ScoringRules(**parts["scoring"]),
        match=MatchRules(**parts["match"]),
        **parts[""],
    )


def _no_such_preset(name: object) -> Defect:
    remedy = closest(name, PRESETS) if isinstance(name, str) else ""
    return Defect("rules", name, "there is no such preset", remedy or "one of " + ", ".join(PRESETS))


def _read_preset(name: str) -> Preset:
    # imported when a preset is first asked for: the package itself should load in a moment
    import tomllib  # noqa: PLC0415 - as above
    from pathlib import Path  # noqa: PLC0415 - as above

    # inside the function: a compiled module does not know its file while it is being imported
    path = Path(__file__).with_name("presets") / f"{name}.toml"
    with path.open("rb") as file:
        table = tomllib.load(file)
    return preset_from_table(name, table)


def preset_from_table(name: str, table: dict[str, Any]) -> Preset:
    """Check a preset file; a misspelt field in it is a defect like any other."""
    defects: list[Defect] = []
    base: str = table.pop("base", "")
    parent = preset(base) if base else None
    title = table.pop("title", "")
    # a family has one version, that of the preset it stands on
    version = table.pop("version", parent.version if parent is not None else 1)
    numbers = tuple(table.pop("player_numbers", parent.player_numbers if parent is not None else ()))
    usual = table.pop("default_players", parent.default_players if parent is not None else 0)
    by_players = {int(players): _flat(part, defects) for players, part in table.pop("players", {}).items()}
    extra_deck = _flat(table.pop("extra_deck", {}), defects)
    cases = tuple(
        Case(case.get("players", 0), _flat(case.get("is", {}), defects), _flat(case.get("then", {}), defects))
        for case in table.pop("when", [])
    )
    before = {int(later): _flat(part, defects) for later, part in table.pop("before", {}).items()}
    values = _flat(table, defects)
    if not base:
        for path, field in FIELDS.items():
            if not field.fixed and path not in values:
                defects.append(Defect(path, None, f"is missing in the preset {name}"))
    if defects:
        raise RulesetError(defects)
    return Preset(name, title, version, base, numbers, usual, values, by_players, extra_deck, cases, before)


def _flat(table: dict[str, Any], defects: list[Defect], prefix: str = "") -> dict[str, Value]:
    """Nested tables as dotted paths, each value checked by its field."""
    values: dict[str, Value] = {}
    for key, value in table.items():
        path = prefix + key
        field = FIELDS.get(path)
        if field is None and isinstance(value, dict):
            values.update(_flat(value, defects, path + "."))
        elif field is None or field.fixed:
            defects.append(Defect(path, value, "there is no such field", closest(path, FIELDS)))
        else:
            problem = check_value(field, value)
            if problem:
                defects.append(Defect(path, value, problem))
            else:
                values[path] = as_value(value)
    return values
