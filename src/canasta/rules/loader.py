"""Build a `Ruleset` from a preset's name, a number of players and the table's options."""

from collections.abc import Callable, Mapping
from operator import attrgetter
from os import PathLike
from typing import Any, Final

from canasta.rules.defects import Defect, RulesetError
from canasta.rules.field_types import Value
from canasta.rules.model import FIELDS, SECTIONS, Ruleset
from canasta.rules.options import Choices, Option, implied_values, options_for, read_options, seat_values
from canasta.rules.preset_files import Preset, is_preset, no_such_preset, preset
from canasta.rules.validation import problems_of


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
"""Defect codes of values that this kind of game excludes, whatever else the table chooses."""


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

    This accepts preset names but never files: a stranger must not make us read one. An older `version` of the
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
        choices.defect(path, values[path], problem.code, problem.facts, problem.cure)


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
