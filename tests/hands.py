"""Hands for tests: dealt from a seed, and played out by computer players while a record is kept."""

from collections.abc import Mapping, Sequence

from canasta.bots import get_bot
from canasta.engine.match import Match
from canasta.engine.moves.types import Move
from canasta.engine.play.course import order_of_hand
from canasta.engine.play.deal import Fair, deal_by
from canasta.engine.prepared import PreparedRules
from canasta.engine.rng import Rng
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


def begin_record(
    match: Match, *, seed: str, names: Sequence[str] = (), options: Mapping[str, object] | None = None
) -> Record:
    """The record of a match that has just been dealt from this seed."""
    record = Record(Header.of(match.rules, seed=seed, names=names, options=options))
    note_deal(record, match)
    return record


def note_deal(record: Record, match: Match, fair: Fair | None = None) -> None:
    """A hand has been dealt."""
    record.entries.append(hand_starts(match.hand_number, fair))


def note_move(record: Record, match: Match, seat: int, move: Move) -> None:
    """A move has been made, which may have ended the hand or the game."""
    ended = entries_after(match, seat, move)
    record.entries.extend(ended)
    for entry in ended:
        if isinstance(entry, GameEnds):
            record.header.result = entry.result


def play_hand(match: Match, record: Record, level: str = "novice") -> None:
    """One computer player has all seats, to the end of the hand."""
    bot = get_bot(level)
    while not match.hand.over:
        seat = match.hand.turn
        move = bot.choose(match.hand.view(seat))
        match.apply(move)
        note_move(record, match, seat, move)
