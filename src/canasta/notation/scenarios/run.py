"""Running scenarios: play the moves, compare what came of it, report."""

from dataclasses import dataclass
from pathlib import Path

from canasta.engine.cutting import seating_by_cut
from canasta.engine.law import why_not
from canasta.engine.match import Match
from canasta.engine.moves.refusals import Facts, Refusal, RefusedMove, refuse
from canasta.engine.play.set_up import PositionError
from canasta.engine.seating import CutAgain
from canasta.notation.errors import printable
from canasta.notation.scenarios.expect import Outcome
from canasta.notation.scenarios.file import Scenario, ScenarioFile, Step
from canasta.notation.scenarios.given import build_cuts, build_position, hand_number_of
from canasta.notation.wrong import Wrong, WrongText
from canasta.rules import RulesetError, load_ruleset, resolve_ruleset
from canasta.rules.model import Ruleset
from canasta.rules.rules_file import is_rules_file


@dataclass(frozen=True)
class Result:
    """How one scenario ended; no problems: it passed."""

    file: str
    name: str
    """Empty for a file that could not be read."""
    problems: tuple[Wrong, ...] = ()

    @property
    def passed(self) -> bool:
        return not self.problems


def run_file(file: ScenarioFile) -> list[Result]:
    """Runs the scenarios of one file; a file that could not be read is one failure."""
    if file.problem is not None:
        return [Result(file.path, "", (file.problem,))]
    beside = Path(file.path).parent
    return [
        Result(file.path, scenario.name, tuple(run_scenario(scenario, beside))) for scenario in file.scenarios
    ]


def run_scenario(scenario: Scenario, beside: Path | None = None) -> list[Wrong]:
    """What is wrong with a scenario or with what came of it; empty when it holds. A file of rules that it
    names lies beside the file of the scenario."""
    if scenario.defects:
        return scenario.defects
    try:
        rules = _rules_of(scenario, beside)
    except RulesetError as error:
        return [Wrong("", defects=tuple(error.defects))]
    try:
        if scenario.given.cut is not None:
            return _run_cut(scenario, rules)
        position = build_position(scenario, rules)
        number = hand_number_of(rules, scenario.given)
        return _play(scenario, Match.from_position(rules, position, hand_number=number))
    except WrongText as error:
        return error.wrongs
    except PositionError as error:
        return [Wrong("NO_POSITION", {"text": str(error)}, path="given")]
    except Exception as error:  # noqa: BLE001 - as the comment says
        # A fault of the engine fails this scenario and must not hide the others.
        return [Wrong("BROKE_DOWN", {"text": printable(f"{type(error).__name__}: {error}")})]


def _rules_of(scenario: Scenario, beside: Path | None) -> Ruleset:
    name = scenario.rules
    if beside is not None and is_rules_file(name) and Path(name).name == name:
        return load_ruleset(beside / name, scenario.given.players, scenario.options)
    return resolve_ruleset(name, scenario.given.players, scenario.options)


def _run_cut(scenario: Scenario, rules: Ruleset) -> list[Wrong]:
    try:
        seating = seating_by_cut(rules, build_cuts(rules, scenario.given))
    except CutAgain:
        return [Wrong("CUT_AGAIN", path="given.cut")]
    return _mismatches(scenario, Outcome(rules, seating=seating))


def _play(scenario: Scenario, match: Match) -> list[Wrong]:
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
            problems.append(Wrong("EXPECTED_LEGAL", {"written": step.text}, refusal=refusal))
    for step in scenario.cannot:
        if refusal_of(match, step) is None:
            problems.append(Wrong("EXPECTED_REFUSAL", {"written": step.text}))
    return problems


def _mismatches(scenario: Scenario, outcome: Outcome) -> list[Wrong]:
    found = (check.test(outcome) for check in scenario.checks)
    return [mismatch for mismatch in found if mismatch is not None]


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


def _make(match: Match, step: Step, number: int) -> Wrong | None:
    """Makes a move that must be legal; the problem, if there is one."""
    refusal = refusal_of(match, step)
    if refusal is not None:
        return Wrong("EXPECTED_MOVE", {"number": number, "written": step.text}, refusal=refusal)
    if step.move is None:
        match.deal_next()
        return None
    try:
        match.apply(step.move)
    except RefusedMove as error:
        return Wrong("TWO_ANSWERS", {"written": step.text, "text": str(error.refusal)})
    return None


def _refuse(match: Match, step: Step, clauses: frozenset[str]) -> Wrong | None:
    """Tries a move that must be refused, for one of these clauses, and change nothing; the problem."""
    before = visible_state(match)
    refusal = refusal_of(match, step)
    if refusal is None:
        return Wrong("EXPECTED_REFUSAL", {"written": step.text})
    if clauses and not clauses.intersection(refusal.clauses):
        facts: Facts = {"written": step.text, "more": ", ".join(sorted(clauses))}
        return Wrong("EXPECTED_CLAUSE", facts, refusal=refusal)
    if step.move is not None:
        try:
            match.apply(step.move)
        except RefusedMove as error:
            agrees = error.refusal.clause == refusal.clause
        else:
            agrees = False
        if not agrees:
            return Wrong("TWO_ANSWERS", {"written": step.text, "text": str(refusal)})
    if visible_state(match) != before:
        return Wrong("REFUSED_AND_CHANGED", {"written": step.text})
    return None


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
