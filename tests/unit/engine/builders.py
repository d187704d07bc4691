"""A match in the position of a scenario, and moves in their usual notation."""

from canasta.engine.events import Event
from canasta.engine.match import Match
from canasta.engine.moves.refusals import Refusal
from canasta.notation.moves import parse_move
from canasta.rules import resolve_ruleset
from canasta.scenarios.schema import load_text
from canasta.scenarios.setup import build_position, hand_number_of


def match_at(text: str) -> Match:
    """Return the match that the `rules`, `options` and `given` of a scenario describe."""
    (scenario,) = load_text(text).scenarios
    assert not [defect for defect in scenario.defects if defect.path != "then"], scenario.defects
    rules = resolve_ruleset(scenario.rules, scenario.given.players, scenario.options)
    position = build_position(scenario, rules)
    return Match.from_position(rules, position, hand_number=hand_number_of(rules, scenario.given))


def make(match: Match, *moves: str) -> list[Event]:
    """Make these moves; return the events of all of them."""
    return [event for move in moves for event in match.apply(parse_move(move))]


def refusal(match: Match, move: str) -> Refusal | None:
    return match.check(parse_move(move))
