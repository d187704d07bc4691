"""Run scenarios: play the moves, compare the outcome with the expectations, and report clause coverage."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from canasta.engine.law import reasons
from canasta.engine.match import Match
from canasta.engine.moves.refusals import Refusal, RefusedMove, refuse
from canasta.engine.position import PositionError
from canasta.engine.seating import seating_by_cut
from canasta.errors import InputError
from canasta.i18n import Facts
from canasta.i18n.safe_text import printable
from canasta.notation.errors import FileProblem, ScenarioError
from canasta.rules import RulesetError, load_ruleset, resolve_ruleset
from canasta.rules.model import Ruleset
from canasta.rules.rules_file import is_rules_file
from canasta.scenarios.assertions import Outcome
from canasta.scenarios.schema import Scenario, ScenarioFile, ScenarioStep, find_files, load_file
from canasta.scenarios.setup import build_cuts, build_position, hand_number_of


@dataclass(frozen=True)
class ScenarioResult:
    """The result of one scenario. It passed if there are no problems."""

    file: str
    name: str
    """Name of the scenario; empty for a file that could not be read."""
    problems: tuple[FileProblem, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.problems


def run_file(file: ScenarioFile) -> list[ScenarioResult]:
    """Run the scenarios of one file. A file that could not be read counts as one failure."""
    if file.problem is not None:
        return [ScenarioResult(file.path, "", (file.problem,))]
    beside = Path(file.path).parent
    return [
        ScenarioResult(file.path, scenario.name, tuple(run_scenario(scenario, beside)))
        for scenario in file.scenarios
    ]


def run_scenario(scenario: Scenario, beside: Path | None = None) -> list[FileProblem]:
    """Run a scenario and return its problems; empty if it passes.

    `beside` is the folder of the scenario file, in which a rules file that it names is looked up.
    """
    if scenario.defects:
        return scenario.defects
    try:
        rules = _rules_of(scenario, beside)
    except RulesetError as error:
        return [FileProblem("", defects=tuple(error.defects))]
    try:
        if scenario.given.cut is not None:
            return _run_cut(scenario, rules)
        position = build_position(scenario, rules)
        number = hand_number_of(rules, scenario.given)
        return _play(scenario, Match.from_position(rules, position, hand_number=number))
    except ScenarioError as error:
        return error.problems
    except PositionError as error:
        return [FileProblem("NO_POSITION", {"text": str(error)}, path="given")]
    except Exception as error:  # noqa: BLE001 - see the comment below
        # A bug in the engine fails this scenario but must not hide the others.
        return [FileProblem("BROKE_DOWN", {"text": printable(f"{type(error).__name__}: {error}")})]


def _rules_of(scenario: Scenario, beside: Path | None) -> Ruleset:
    name = scenario.rules
    if beside is not None and is_rules_file(name) and Path(name).name == name:
        return load_ruleset(beside / name, scenario.given.players, scenario.options)
    return resolve_ruleset(name, scenario.given.players, scenario.options)


def _run_cut(scenario: Scenario, rules: Ruleset) -> list[FileProblem]:
    try:
        seating = seating_by_cut(rules, build_cuts(rules, scenario.given))
    except InputError:
        return [FileProblem("CUT_AGAIN", path="given.cut")]
    return _mismatches(scenario, Outcome(rules, seating=seating))


def _play(scenario: Scenario, match: Match) -> list[FileProblem]:
    last = len(scenario.when)
    for number, step in enumerate(scenario.when, start=1):
        if number == last and scenario.illegal is not None:
            problem = _refuse(match, step, scenario.illegal)
        else:
            problem = _make(match, step, number)
        if problem is not None:
            return [problem]
    problems = _mismatches(scenario, Outcome(match.rules, match=match))
    for step in scenario.can:
        refusal = refusal_of(match, step)
        if refusal is not None:
            problems.append(FileProblem("EXPECTED_LEGAL", {"written": step.text}, refusal=refusal))
    for step in scenario.cannot:
        if refusal_of(match, step) is None:
            problems.append(FileProblem("EXPECTED_REFUSAL", {"written": step.text}))
    return problems


def _mismatches(scenario: Scenario, outcome: Outcome) -> list[FileProblem]:
    found = (check.test(outcome) for check in scenario.checks)
    return [mismatch for mismatch in found if mismatch is not None]


def refusal_of(match: Match, step: ScenarioStep) -> Refusal | None:
    """Return why this line is not possible now, or `None` if it is."""
    if step.error is not None:
        return refuse(reasons.UNREADABLE, step.error.facts)
    if step.move is not None:
        return match.check(step.move)
    if not match.hand.over:
        return refuse(reasons.HAND_IS_NOT_OVER)
    if match.over:
        return refuse(reasons.GAME_IS_OVER)
    return None


def _make(match: Match, step: ScenarioStep, number: int) -> FileProblem | None:
    """Make a move that must be legal. Return the problem if it is not."""
    refusal = refusal_of(match, step)
    if refusal is not None:
        return FileProblem("EXPECTED_MOVE", {"number": number, "written": step.text}, refusal=refusal)
    if step.move is None:
        match.deal_next()
        return None
    try:
        match.apply(step.move)
    except RefusedMove as error:
        return FileProblem("TWO_ANSWERS", {"written": step.text, "text": str(error.refusal)})
    return None


def _refuse(match: Match, step: ScenarioStep, clauses: frozenset[str]) -> FileProblem | None:
    """Try a move that must be refused for one of these clauses without changing anything.

    Return any problem.
    """
    before = visible_state(match)
    refusal = refusal_of(match, step)
    if refusal is None:
        return FileProblem("EXPECTED_REFUSAL", {"written": step.text})
    if clauses and not clauses.intersection(refusal.clauses):
        facts: Facts = {"written": step.text, "more": ", ".join(sorted(clauses))}
        return FileProblem("EXPECTED_CLAUSE", facts, refusal=refusal)
    if step.move is not None:
        try:
            match.apply(step.move)
        except RefusedMove as error:
            agrees = error.refusal.clause == refusal.clause
        else:
            agrees = False
        if not agrees:
            return FileProblem("TWO_ANSWERS", {"written": step.text, "text": str(refusal)})
    if visible_state(match) != before:
        return FileProblem("REFUSED_AND_CHANGED", {"written": step.text})
    return None


def visible_state(match: Match) -> tuple[object, ...]:
    """Return everything visible in a match with all cards open."""
    hand = match.hand
    seats = range(match.rules.seats.players)
    sides = range(len(hand.sides))
    return (
        *(match.hand_number, match.dealer, tuple(match.scores), match.over, match.winner),
        *(hand.phase, hand.turn, hand.frozen, tuple(hand.pile), hand.stock_size, hand.out, hand.over),
        tuple(tuple(sorted(hand.hand_cards(seat))) for seat in seats),
        tuple(tuple(sorted(hand.foot_cards(seat))) for seat in seats),
        tuple(tuple((meld.name, meld.cards) for meld in hand.melds(side)) for side in sides),
        tuple(tuple(hand.bonus(side)) for side in sides),
        tuple(hand.minimum(side) for side in sides),
    )


@dataclass
class ClauseCoverage:
    """The number of scenarios that cover one clause."""

    scenarios: list[str] = field(default_factory=list)
    allowed: int = 0
    """Number of scenarios that show what the clause allows or causes."""
    refused: int = 0
    """Number of scenarios in which the clause forbids something."""


def coverage(paths: Iterable[str | Path]) -> dict[str, ClauseCoverage]:
    """Return every clause that the scenarios in these files name, ordered by id."""
    proofs: dict[str, ClauseCoverage] = {}
    for path in find_files(paths):
        for scenario in load_file(path).scenarios:
            for clause in _clauses_of(scenario):
                proof = proofs.setdefault(clause, ClauseCoverage())
                proof.scenarios.append(scenario.name)
                proof.allowed += shows_allowed(scenario)
                proof.refused += shows_refused(scenario)
    return dict(sorted(proofs.items(), key=lambda item: clause_order(item[0])))


def _clauses_of(scenario: Scenario) -> list[str]:
    return list(dict.fromkeys(scenario.clauses))


def shows_allowed(scenario: Scenario) -> bool:
    return scenario.illegal is None or bool(scenario.can)


def shows_refused(scenario: Scenario) -> bool:
    return scenario.illegal is not None or bool(scenario.cannot)


def clause_order(clause: str) -> tuple[str, int]:
    """Return a sort key that puts `PILE-2` before `PILE-10`.

    >>> sorted(["PILE-10", "PILE-2"], key=clause_order)
    ['PILE-2', 'PILE-10']
    """
    chapter, _, number = clause.partition("-")
    return chapter, int(number) if number.isdecimal() else 0
