"""Running scenarios: play the moves, compare what came of it, report."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from canasta.engine.cutting import seating_by_cut
from canasta.engine.law import why_not
from canasta.engine.match import Match
from canasta.engine.moves.refusals import Refusal, RefusedMove, refuse
from canasta.engine.play.set_up import PositionError
from canasta.engine.seating import CutAgain
from canasta.notation.errors import printable
from canasta.notation.scenarios.expect import Mismatch, Outcome
from canasta.notation.scenarios.file import Scenario, ScenarioFile, Step
from canasta.notation.scenarios.given import GivenError, build_cuts, build_position, hand_number_of
from canasta.rules import RulesetError, load_ruleset, resolve_ruleset
from canasta.rules.model import Ruleset
from canasta.rules.rules_file import is_rules_file


@dataclass(frozen=True)
class Result:
    """How one scenario ended; no problems: it passed."""

    file: str
    name: str
    problems: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.problems

    def __str__(self) -> str:
        name = f"{self.file}: {self.name}" if self.name else self.file
        return f"{name}: {'; '.join(self.problems) if self.problems else 'passed'}"


@dataclass
class Report:
    """How all of them ended."""

    results: list[Result] = field(default_factory=list)

    @property
    def passed(self) -> int:
        return sum(result.passed for result in self.results)

    @property
    def failed(self) -> int:
        return len(self.results) - self.passed

    @property
    def ok(self) -> bool:
        """Did all pass? Where nothing was run, nothing has."""
        return bool(self.results) and not self.failed

    def lines(self) -> list[str]:
        """One line for each failure, and the count."""
        failures = [printable(str(result)) for result in self.results if not result.passed]
        return [*failures, f"{self.passed} passed, {self.failed} failed"]


Tell = Callable[[Refusal], object]
"""Says a refusal in a report; `str` by its clause, code and facts."""


def run_file(file: ScenarioFile, tell: Tell = str) -> list[Result]:
    """Runs the scenarios of one file; a file that could not be read is one failure."""
    if file.problem:
        return [Result(file.path, "", (file.problem,))]
    beside = Path(file.path).parent
    return [
        Result(file.path, scenario.name, tuple(run_scenario(scenario, tell, beside)))
        for scenario in file.scenarios
    ]


def run_scenario(scenario: Scenario, tell: Tell = str, beside: Path | None = None) -> list[str]:
    """What is wrong with a scenario or with what came of it; empty when it holds. A file of rules that it
    names lies beside the file of the scenario."""
    if scenario.defects:
        return list(scenario.defects)
    try:
        rules = _rules_of(scenario, beside)
    except RulesetError as error:
        return [str(defect) for defect in error.defects]
    try:
        if scenario.given.cut is not None:
            return _run_cut(scenario, rules)
        position = build_position(scenario, rules)
        number = hand_number_of(rules, scenario.given)
        return _play(scenario, Match.from_position(rules, position, hand_number=number), tell)
    except GivenError as error:
        return error.problems
    except PositionError as error:
        return [f"given: {error}"]
    except Exception as error:  # noqa: BLE001 - as the comment says
        # A fault of the engine fails this scenario and must not hide the others.
        return [f"the engine broke down: {type(error).__name__}: {error}"]


def _rules_of(scenario: Scenario, beside: Path | None) -> Ruleset:
    name = scenario.rules
    if beside is not None and is_rules_file(name) and Path(name).name == name:
        return load_ruleset(beside / name, scenario.given.players, scenario.options)
    return resolve_ruleset(name, scenario.given.players, scenario.options)


def _run_cut(scenario: Scenario, rules: Ruleset) -> list[str]:
    try:
        seating = seating_by_cut(rules, build_cuts(rules, scenario.given))
    except CutAgain as error:
        return [f"given.cut: {error}"]
    return _mismatches(scenario, Outcome(rules, seating=seating))


def _play(scenario: Scenario, match: Match, tell: Tell) -> list[str]:
    last = len(scenario.when)
    for number, step in enumerate(scenario.when, start=1):
        if number == last and scenario.illegal is not None:
            problem = _refuse(match, step, scenario.illegal, tell)
        else:
            problem = _make(match, step, f"move {number}, ", tell)
        if problem:
            return [problem]
    outcome = Outcome(match.rules, match=match)
    problems = _mismatches(scenario, outcome)
    for step in scenario.can:
        refusal = refusal_of(match, step)
        if refusal is not None:
            problems.append(str(Mismatch(f"{step.text} to be legal", _told(refusal, tell))))
    for step in scenario.cannot:
        if refusal_of(match, step) is None:
            problems.append(str(Mismatch(f"{step.text} to be refused", "it is legal")))
    return problems


def _mismatches(scenario: Scenario, outcome: Outcome) -> list[str]:
    found = (check.test(outcome) for check in scenario.checks)
    return [str(mismatch) for mismatch in found if mismatch is not None]


def _told(refusal: Refusal, tell: Tell) -> str:
    return f"refused: {', '.join(refusal.clauses)}: {tell(refusal)}"


def refusal_of(match: Match, step: Step) -> Refusal | None:
    """Why this line is not possible now; None when it is."""
    if step.error is not None:
        return refuse(why_not.UNREADABLE, step.error.facts)
    if step.move is not None:
        return match.check(step.move)
    if not match.hand.over:
        return refuse(why_not.HAND_IS_NOT_OVER)
    if match.over:
        return refuse(why_not.GAME_IS_OVER)
    return None


def _make(match: Match, step: Step, which: str, tell: Tell) -> str:
    """Makes a move that must be legal; the problem, or nothing."""
    refusal = refusal_of(match, step)
    if refusal is not None:
        return str(Mismatch(f"{which}{step.text}, to be legal", _told(refusal, tell)))
    if step.move is None:
        match.deal_next()
        return ""
    try:
        match.apply(step.move)
    except RefusedMove as error:
        return f"{step.text}: check allows what apply refuses: {_told(error.refusal, tell)}"
    return ""


def _refuse(match: Match, step: Step, clauses: frozenset[str], tell: Tell) -> str:
    """Tries a move that must be refused, for one of these clauses, and change nothing; the problem."""
    wanted = f"{step.text} to be refused" + (f" by {' or '.join(sorted(clauses))}" if clauses else "")
    before = visible_state(match)
    refusal = refusal_of(match, step)
    if refusal is None:
        return str(Mismatch(wanted, "it is legal"))
    if clauses and not clauses.intersection(refusal.clauses):
        return str(Mismatch(wanted, _told(refusal, tell)))
    if step.move is not None:
        try:
            match.apply(step.move)
        except RefusedMove as error:
            if error.refusal.clause != refusal.clause:
                return f"{step.text}: check refuses by {refusal.clause}, apply by {error.refusal.clause}"
        else:
            return f"{step.text}: check refuses what apply allows: {_told(refusal, tell)}"
    if visible_state(match) != before:
        return str(Mismatch(f"nothing to change by {step.text}, which is refused", "another state"))
    return ""


def visible_state(match: Match) -> tuple[object, ...]:
    """Everything that can be seen of a match when all cards are open."""
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
