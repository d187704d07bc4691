"""Hands for tests: dealt from a seed, and played out by computer players while a record is kept."""

from collections.abc import Mapping

from canasta.bots import get_bot
from canasta.engine.match import Match
from canasta.engine.play.deal import deal_hand, shuffled_deck
from canasta.engine.prepared import PreparedRules
from canasta.engine.rng import Rng
from canasta.engine.seating import sides_of_seats, sitting_out, turn_order
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
    tables = PreparedRules(rules)
    side_of = sides_of_seats(rules)
    order = turn_order(side_of, sitting_out(rules, 1))
    rng = Rng(seed)
    return deal_hand(
        tables,
        deck=shuffled_deck(tables, rng),
        order=order,
        side_of=side_of,
        dealer=order[-1],
        scores=[0] * rules.seats.sides,
        round_number=round_number,
        rng=rng,
    )


def play_hand(match: Match, record: Record, level: str = "novice") -> None:
    """One computer player has all seats, to the end of the hand."""
    bot = get_bot(level)
    while not match.hand.over:
        seat = match.hand.turn
        move = bot.choose(match.hand.view(seat))
        match.apply(move)
        record.note_move(match, seat, move)
