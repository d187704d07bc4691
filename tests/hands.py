"""Hands for tests: dealt from a seed, and played out by computer players while a record is kept."""

from collections.abc import Mapping

from canasta.bots import get_bot
from canasta.engine.match import Match
from canasta.engine.play.course import order_of_hand
from canasta.engine.play.deal import deal_by
from canasta.engine.prepared import PreparedRules
from canasta.engine.rng import Rng
from canasta.engine.state import HandState
from canasta.notation.record import Record
from canasta.rules import load_ruleset


def dealt(
    preset: str,
    players: int,
    seed: str,
    options: Mapping[str, object] | None = None,
    *,
    round_number: int = 1,
) -> HandState:
    """A hand in which the last seat deals and nobody has a score."""
    rules = load_ruleset(preset, players, dict(options or {}))
    return deal_by(
        PreparedRules(rules),
        Rng(seed),
        hand_number=1,
        dealer=order_of_hand(rules, 1)[-1],
        scores=[0] * rules.seats.sides,
        round_number=round_number,
    )


def play_hand(match: Match, record: Record, level: str = "novice") -> None:
    """One computer player has all seats, to the end of the hand."""
    bot = get_bot(level)
    while not match.hand.over:
        seat = match.hand.turn
        move = bot.choose(match.hand.view(seat))
        match.apply(move)
        record.note_move(match, seat, move)
