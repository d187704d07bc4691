"""Scenario files: what is written in them, read and checked, before any rule is looked at."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from canasta.engine.moves.types import Move
from canasta.english import reason_fact
from canasta.notation.cards import MOST_CARDS
from canasta.notation.errors import NotationError, printable, short
from canasta.notation.moves import parse_move
from canasta.notation.scenarios.expect import Check, read_checks
from canasta.notation.scenarios.reader import Reader, Value
from canasta.notation.scenarios.yaml_tree import LARGEST_FILE, Node, read_documents
from canasta.notation.wrong import Wrong, WrongText
from canasta.rules.fields import CHOICE, FIELDS

NOTATION: Final = "NOTATION"
"""The clause of a refusal that is about the text."""

_CLAUSE: Final = re.compile(r"[A-Z]{3,5}-[0-9]{1,2}|NOTATION")
_SCENARIO_KEYS: Final = ("name", "clauses", "rules", "options", "given", "when", "then")
_REMARKS: Final = ("note", "notes", "comment", "comments", "why", "description", "source", "id", "tags")
_PHASES: Final = {"draw": "draw", "play": "play", "deal": "deal"}


@dataclass(frozen=True)
class Step:
    """One line of `when`, `can` or `cannot`; with neither move nor error the next hand is dealt."""

    text: str
    move: Move | None = None
    error: NotationError | None = None


@dataclass
class Given:
    """A position as written: cards may be any card of a rank, whatever is left out is None or empty."""

    players: int | None = None
    scores: dict[int, int] = field(default_factory=dict)
    round: int | None = None
    turn: int | None = None
    phase: str = "draw"
    hands: dict[int, tuple[int, ...]] = field(default_factory=dict)
    feet: dict[int, tuple[int, ...]] = field(default_factory=dict)
    picked_up: frozenset[int] = frozenset()
    foot_unplayed: frozenset[int] = frozenset()
    """Of those, who has not played from it yet."""
    pots: tuple[tuple[int, ...], ...] | None = None
    """Those that nobody has taken, the next one first."""
    pot_taken: frozenset[int] = frozenset()
    """Sides that have taken theirs."""
    pot_unplayed: frozenset[int] = frozenset()
    """Of those, which have not played from it yet."""
    not_returned: tuple[int, ...] = ()
    """The single card of a pile taken in this turn, which is not thrown back."""
    melds: dict[int, tuple[tuple[int, ...], ...]] = field(default_factory=dict)
    bonus: dict[int, int | tuple[int, ...]] = field(default_factory=dict)
    """By side, a number of red threes or the very cards."""
    talon: dict[int, int | tuple[int, ...]] = field(default_factory=dict)
    """By seat, a number of talon cards or the very cards."""
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
    """One scenario; `defects` says why it cannot be run."""

    name: str
    line: int = 1
    clauses: tuple[str, ...] = ()
    rules: str = ""
    options: dict[str, Value] = field(default_factory=dict)
    given: Given = field(default_factory=Given)
    when: tuple[Step, ...] = ()
    illegal: frozenset[str] | None = None
    """The last move is refused with one of these clauses; empty: with whichever; None: it is legal."""
    checks: tuple[Check, ...] = ()
    can: tuple[Step, ...] = ()
    cannot: tuple[Step, ...] = ()
    defects: list[Wrong] = field(default_factory=list)


@dataclass
class ScenarioFile:
    """The scenarios of one file; `problem` says why there are none."""

    path: str
    scenarios: list[Scenario] = field(default_factory=list)
    problem: Wrong | None = None


def find_files(paths: Iterable[str | Path]) -> list[Path]:
    """The files named, and for a folder every YAML file under it."""
    files: list[Path] = []
    for path in map(Path, paths):
        try:
            if path.is_dir():
                files.extend(sorted(found for found in path.rglob("*") if found.suffix in (".yaml", ".yml")))
                continue
        except (OSError, ValueError):
            pass  # whatever is the matter with this name is told when it is opened
        files.append(path)
    return files


def load_file(path: str | Path) -> ScenarioFile:
    """Reads a scenario file; a file that cannot be read comes back with its problem."""
    name = printable(str(path))
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(4 * LARGEST_FILE + 1)
    except (OSError, ValueError) as error:
        return ScenarioFile(name, problem=Wrong("NO_FILE", {"why": reason_fact(error)}))
    if len(data) > 4 * LARGEST_FILE:
        return ScenarioFile(name, problem=Wrong("FILE_TOO_LARGE", {"most": LARGEST_FILE}))
    try:
        return load_text(data.decode("utf-8-sig"), name)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return ScenarioFile(name, problem=Wrong("NOT_UTF_8", line=line))


def load_text(text: str, path: str = "scenarios") -> ScenarioFile:
    """Reads the scenarios of a YAML text."""
    file = ScenarioFile(path)
    try:
        documents = read_documents(text)
    except WrongText as error:
        file.problem = error.wrongs[0]
        return file
    for document in documents:
        for entry in _entries(document):
            file.scenarios.append(_read_scenario(entry, len(file.scenarios) + 1))
    if not file.scenarios:
        file.problem = Wrong("NO_SCENARIO")
    return file


def _entries(document: Node) -> list[Node]:
    """The scenarios of a document: a list of them, perhaps under the key `scenarios`, or a single one."""
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
        else:  # a section of the ruleset with its fields under it
            options.update({f"{name}.{field}": inner for field, inner in read_options(reader, value).items()})
    return options


def read_when(reader: Reader, node: Node) -> tuple[Step, ...]:
    return tuple(map(_read_step, reader.texts(node, "when")))


def _read_step(text: str) -> Step:
    if text.lower() == "deal":
        return Step(text)
    try:
        return Step(text, move=parse_move(text))
    except NotationError as error:
        return Step(text, error=error)


def read_given(reader: Reader, node: Node, *, ignored: Iterable[str] = ()) -> Given:
    """What a position consists of; keys that are `ignored` are read elsewhere."""
    given = Given()
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
    # A bare list could be one side's melds as well as one entry to a side.
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
"""How each field of `Given` is read."""


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
