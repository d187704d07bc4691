"""Hands for tests: dealt from a seed, and played out and recorded by computer players."""

from collections.abc import Mapping, Sequence

from canasta.bots import get_bot
from canasta.engine.fairness import FairRound
from canasta.engine.families.factory import compile_rules
from canasta.engine.match import Match
from canasta.engine.moves.types import Move
from canasta.engine.play.deal import deal_by
from canasta.engine.rng import Rng
from canasta.engine.seating import order_of_hand
from canasta.engine.state import HandState
from canasta.notation.record import GameEnds, Header, Record, entries_after, hand_starts
from canasta.rules import load_ruleset


def dealt(
    preset: str,
    players: int,
    seed: str,
    options: Mapping[str, object] | None = None,
    *,
    round_number: int = 1,
) -> HandState:
    """Return a hand dealt by the last seat, with all scores at zero."""
    rules = load_ruleset(preset, players, dict(options or {}))
    return deal_by(
        compile_rules(rules),
        Rng(seed),
        hand_number=1,
        dealer=order_of_hand(rules, 1)[-1],
        scores=[0] * rules.seats.sides,
        round_number=round_number,
    )


def begin_record(
    match: Match, *, seed: str, names: Sequence[str] = (), options: Mapping[str, object] | None = None
) -> Record:
    """Start the record of a match that was just dealt from this seed."""
    record = Record(Header.of(match.rules, seed=seed, names=names, options=options))
    note_deal(record, match)
    return record


def note_deal(record: Record, match: Match, fair: FairRound | None = None) -> None:
    """Record a deal."""
    record.entries.append(hand_starts(match.hand_number, fair))


def note_move(record: Record, match: Match, seat: int, move: Move) -> None:
    """Record a move, and the end of the hand or game if the move brought it."""
    ended = entries_after(match, seat, move)
    record.entries.extend(ended)
    for entry in ended:
        if isinstance(entry, GameEnds):
            record.header.result = entry.result


def play_hand(match: Match, record: Record, level: str = "novice") -> None:
    """Play the hand to its end with one computer player in every seat."""
    bot = get_bot(level)
    while not match.hand.over:
        seat = match.hand.turn
        move = bot.choose(match.hand.view(seat))
        match.apply(move)
        note_move(record, match, seat, move)
