"""Scenario files: read and check their structure, before any rules are applied."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from canasta.engine.moves.types import Move
from canasta.i18n.safe_text import printable, short
from canasta.i18n.voice import reason_fact
from canasta.notation.cards import MOST_CARDS
from canasta.notation.errors import FileProblem, NotationError, ScenarioError
from canasta.notation.moves import parse_move
from canasta.rules.field_types import CHOICE
from canasta.rules.model import FIELDS
from canasta.scenarios.assertions import Check, read_checks
from canasta.scenarios.reader import LARGEST_FILE, Node, Reader, Value, read_documents

NOTATION: Final = "NOTATION"
"""Clause of refusals that concern the text itself."""

_CLAUSE: Final = re.compile(r"[A-Z]{3,5}-[0-9]{1,2}|NOTATION")
_SCENARIO_KEYS: Final = ("name", "clauses", "rules", "options", "given", "when", "then")
_REMARKS: Final = ("note", "notes", "comment", "comments", "why", "description", "source", "id", "tags")
_PHASES: Final = {"draw": "draw", "play": "play", "deal": "deal"}


@dataclass(frozen=True)
class ScenarioStep:
    """One line of `when`, `can` or `cannot`. Without a move or an error it deals the next hand."""

    text: str
    move: Move | None = None
    error: NotationError | None = None


@dataclass
class GivenPosition:
    """A position as written. A card may be any card of a rank; anything omitted is `None` or empty."""

    players: int | None = None
    scores: dict[int, int] = field(default_factory=dict)
    round: int | None = None
    turn: int | None = None
    phase: str = "draw"
    hands: dict[int, tuple[int, ...]] = field(default_factory=dict)
    feet: dict[int, tuple[int, ...]] = field(default_factory=dict)
    picked_up: frozenset[int] = frozenset()
    foot_unplayed: frozenset[int] = frozenset()
    """Seats in `picked_up` that have not played from the foot yet."""
    pots: tuple[tuple[int, ...], ...] | None = None
    """Pots that nobody has taken, the next one first."""
    pot_taken: frozenset[int] = frozenset()
    """Sides that have taken their pot."""
    pot_unplayed: frozenset[int] = frozenset()
    """Sides in `pot_taken` that have not played from the pot yet."""
    not_returned: tuple[int, ...] = ()
    """The single card of the pile taken this turn, which must not be discarded again."""
    melds: dict[int, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    bonus: dict[int, int | tuple[int, ...]] = field(default_factory=dict)
    """By side, the number of red threes or the exact cards."""
    talon: dict[int, int | tuple[int, ...]] = field(default_factory=dict)
    """By seat, the number of talon cards or the exact cards."""
    pile: tuple[int, ...] = ()
    stock: tuple[int, ...] = ()
    stock_is: tuple[int, ...] | None = None
    sitting_out: frozenset[int] | None = None
    melded_before: frozenset[int] | None = None
    dealer: int | None = None
    hand_number: int | None = None
    cut: dict[int, tuple[int, ...]] | None = None
    caliente_played: dict[int, int] = field(default_factory=dict)
    put_backs: dict[int, int] = field(default_factory=dict)


@dataclass
class Scenario:
    """One scenario. If it has `defects`, it cannot be run."""

    name: str
    line: int = 1
    clauses: tuple[str, ...] = ()
    rules: str = ""
    options: dict[str, Value] = field(default_factory=dict)
    given: GivenPosition = field(default_factory=GivenPosition)
    when: tuple[ScenarioStep, ...] = ()
    illegal: frozenset[str] | None = None
    """The last move must be refused with one of these clauses (empty: any clause). `None`: it is legal."""
    checks: tuple[Check, ...] = ()
    can: tuple[ScenarioStep, ...] = ()
    cannot: tuple[ScenarioStep, ...] = ()
    defects: list[FileProblem] = field(default_factory=list)


@dataclass
class ScenarioFile:
    """The scenarios of one file, or the `problem` that kept them from being read."""

    path: str
    scenarios: list[Scenario] = field(default_factory=list)
    problem: FileProblem | None = None


def find_files(paths: Iterable[str | Path]) -> list[Path]:
    """Return the named files, and every YAML file below each named folder."""
    files: list[Path] = []
    for path in map(Path, paths):
        try:
            if path.is_dir():
                files.extend(sorted(found for found in path.rglob("*") if found.suffix in (".yaml", ".yml")))
                continue
        except (OSError, ValueError):
            pass  # any problem with this name is reported when it is opened
        files.append(path)
    return files


def load_file(path: str | Path) -> ScenarioFile:
    """Read a scenario file. If it cannot be read, the result contains the problem."""
    name = printable(str(path))
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(4 * LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        return ScenarioFile(name, problem=FileProblem("NO_FILE", {"why": reason_fact(error)}))
    if len(data) > 4 * LARGEST_FILE:
        return ScenarioFile(name, problem=FileProblem("FILE_TOO_LARGE", {"most": LARGEST_FILE}))
    try:
        return load_text(data.decode("utf-8-sig"), name)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return ScenarioFile(name, problem=FileProblem("NOT_UTF_8", line=line))


def load_text(text: str, path: str = "scenarios") -> ScenarioFile:
    """Read the scenarios of a YAML text."""
    file = ScenarioFile(path)
    try:
        documents = read_documents(text)
    except ScenarioError as error:
        file.problem = error.problems[0]
        return file
    for document in documents:
        for entry in _entries(document):
            file.scenarios.append(_read_scenario(entry, len(file.scenarios) + 1))
    if not file.scenarios:
        file.problem = FileProblem("NO_SCENARIO")
    return file


def _entries(document: Node) -> list[Node]:
    """Return the scenarios of a document: a list, possibly under the key `scenarios`, or a single one."""
    if document.pairs is not None and [key.text for key, _ in document.pairs] == ["scenarios"]:
        document = document.pairs[0][1]
    if document.items is not None:
        return document.items
    return [] if document.is_blank else [document]


def _read_scenario(node: Node, number: int) -> Scenario:
    scenario = Scenario(name=f"scenario {number} (line {node.line})", line=node.line)
    reader = Reader()
    scenario.defects = reader.defects
    if node.pairs is None:
        reader.want(node, "scenario", "WANTS_MAPPING")
        return scenario
    values = reader.mapping(node, "scenario", _SCENARIO_KEYS, ignored=_REMARKS)
    if "name" in values and not values["name"].is_blank:
        if values["name"].text is None:
            reader.want(values["name"], "name", "WANTS_TEXT")
        else:
            scenario.name = printable(" ".join(values["name"].text.split()))
    if "clauses" in values:
        scenario.clauses = tuple(_read_clauses(reader, values["clauses"], "clauses"))
    rules = values.get("rules")
    if rules is None or rules.is_blank or rules.text is None:
        reader.complain(rules or node, "rules", "WANTS_RULES", {"written": "rules: caliente"})
    else:
        scenario.rules = rules.text.strip()
    if "options" in values:
        scenario.options = read_options(reader, values["options"])
    if "given" in values:
        scenario.given = read_given(reader, values["given"])
    if "when" in values:
        scenario.when = read_when(reader, values["when"])
    _read_then(reader, scenario, values.get("then"), node)
    return scenario


def _read_clauses(reader: Reader, node: Node, what: str) -> list[str]:
    clauses: list[str] = []
    for text in reader.texts(node, what):
        for word in text.upper().replace(",", " ").split():
            if _CLAUSE.fullmatch(word):
                clauses.append(word)
            else:
                reader.complain(node, what, "NO_CLAUSE", {"text": short(word)})
    return clauses


def read_options(reader: Reader, node: Node) -> dict[str, Value]:
    options: dict[str, Value] = {}
    if node.is_blank:
        return options
    if node.pairs is None:
        reader.want(node, "options", "WANTS_MAPPING")
        return options
    for name in node.repeated:
        reader.complain(node, "options", "KEY_TWICE", {"name": short(name)})
    for key, value in node.pairs:
        name = (key.text or "").strip()
        if name in FIELDS and FIELDS[name].kind == CHOICE and value.text is not None:
            options[name] = value.text.strip()
        elif value.pairs is None:
            options[name] = reader.value(value, f"options.{printable(name)}")
        else:  # a section of the ruleset containing its fields
            options.update({f"{name}.{field}": inner for field, inner in read_options(reader, value).items()})
    return options


def read_when(reader: Reader, node: Node) -> tuple[ScenarioStep, ...]:
    return tuple(map(_read_step, reader.texts(node, "when")))


def _read_step(text: str) -> ScenarioStep:
    if text.lower() == "deal":
        return ScenarioStep(text)
    try:
        return ScenarioStep(text, move=parse_move(text))
    except NotationError as error:
        return ScenarioStep(text, error=error)


def read_given(reader: Reader, node: Node, *, ignored: Iterable[str] = ()) -> GivenPosition:
    """Read a position. Keys in `ignored` are read elsewhere."""
    given = GivenPosition()
    values = reader.mapping(node, "given", tuple(_GIVEN), ignored=ignored)
    for key, value in values.items():
        if not value.is_null or key in ("stock_is", "sitting_out", "melded_before"):
            setattr(given, key, _GIVEN[key](reader, value, f"given.{key}"))
    if given.stock_is is not None and given.stock:
        reader.complain(node, "given", "STOCK_TWICE")
    return given


def _cards_by_number(reader: Reader, node: Node, what: str) -> dict[int, tuple[int, ...]]:
    return {
        number: reader.cards(value, f"{what}[{number}]")
        for number, value in reader.by_number(node, what).items()
    }


def _counts_by_number(reader: Reader, node: Node, what: str) -> dict[int, int]:
    # Each of them costs a card, played or drawn.
    return {
        number: reader.count(value, f"{what}[{number}]", most=MOST_CARDS) or 0
        for number, value in reader.by_number(node, what).items()
    }


def _melds_by_side(reader: Reader, node: Node, what: str) -> dict[int, Node]:
    # A bare list could mean one side's melds or one entry per side.
    if node.items is not None:
        reader.melds_by_side(node, what)
        return {}
    return reader.by_number(node, what)


def _melds(reader: Reader, node: Node, what: str) -> dict[int, tuple[tuple[int, ...], ...]]:
    by_side = _melds_by_side(reader, node, what)
    return {side: reader.melds(value, f"{what}[{side}]") for side, value in by_side.items()}


def _bonus(reader: Reader, node: Node, what: str) -> dict[int, int | tuple[int, ...]]:
    by_side = reader.by_number(node, what)
    return {side: _read_bonus(reader, value, f"{what}[{side}]") for side, value in by_side.items()}


def _read_bonus(reader: Reader, node: Node, what: str) -> int | tuple[int, ...]:
    if node.text is not None and node.text.strip().isdecimal():
        return reader.count(node, what) or 0
    return reader.cards(node, what)


def _numbers(reader: Reader, node: Node, what: str) -> frozenset[int]:
    return frozenset(reader.numbers(node, what))


def _phase(reader: Reader, node: Node, what: str) -> str:
    return reader.word(node, what, _PHASES) or "draw"


def _from_one(reader: Reader, node: Node, what: str) -> int | None:
    return reader.count(node, what, least=1)


_GIVEN: Final[dict[str, Callable[[Reader, Node, str], object]]] = {
    "players": Reader.count,
    "scores": Reader.scores,
    "round": _from_one,
    "turn": Reader.count,
    "phase": _phase,
    "hands": _cards_by_number,
    "feet": _cards_by_number,
    "picked_up": _numbers,
    "foot_unplayed": _numbers,
    "pots": Reader.melds,
    "not_returned": Reader.cards,
    "pot_taken": _numbers,
    "pot_unplayed": _numbers,
    "melds": _melds,
    "bonus": _bonus,
    "talon": _bonus,
    "pile": Reader.cards,
    "stock": Reader.cards,
    "stock_is": Reader.cards,
    "sitting_out": _numbers,
    "melded_before": _numbers,
    "dealer": Reader.count,
    "hand_number": _from_one,
    "cut": _cards_by_number,
    "caliente_played": _counts_by_number,
    "put_backs": _counts_by_number,
}
"""The reader of each field of `GivenPosition`."""


def _read_then(reader: Reader, scenario: Scenario, then: Node | None, node: Node) -> None:
    if then is None or then.is_blank or then.pairs == []:
        if not scenario.when:
            reader.complain(node, "then", "NOTHING_TO_CHECK")
        return
    checks = read_checks(reader, then)
    scenario.checks = checks.checks
    scenario.can = tuple(map(_read_step, checks.can))
    scenario.cannot = tuple(map(_read_step, checks.cannot))
    if checks.illegal is not None:
        scenario.illegal = _read_illegal(reader, checks.illegal)
        if scenario.illegal is not None and not scenario.when:
            reader.complain(checks.illegal, "then.illegal", "NOTHING_TO_REFUSE")
    if scenario.given.cut is not None:
        unfit = [check.key for check in scenario.checks if not check.fits_cut]
        if unfit or scenario.when or scenario.can or scenario.cannot:
            reader.complain(node, "given.cut", "AFTER_A_CUT")
    elif any(check.key == "seating" for check in scenario.checks):
        reader.complain(then, "then.seating", "NO_CUT_GIVEN")


def _read_illegal(reader: Reader, node: Node) -> frozenset[str] | None:
    word = "" if node.text is None else node.text.strip().lower()
    if word in ("true", "yes", "on"):
        return frozenset()
    if word in ("false", "no", "off"):
        return None
    clauses = _read_clauses(reader, node, "then.illegal")
    if (not clauses and node.is_blank) or node.items == []:
        reader.complain(node, "then.illegal", "WANTS_CLAUSE")
    return frozenset(clauses)
