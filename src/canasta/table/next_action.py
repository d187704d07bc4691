"""The next event that a table is waiting for: a move or the next deal. Timing is left to the program that
hosts the table."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from canasta.engine.cards import RANK_OF
from canasta.engine.hand import TriedMove
from canasta.engine.match import Match
from canasta.engine.moves.refusals import RefusedMove
from canasta.engine.moves.types import Answer, Discard, Draw, Move, Pass
from canasta.table.practice import turns_used_up
from canasta.table.seats import STAND_IN
from canasta.table.table import Table
from canasta.table.wire import Problem


@dataclass(frozen=True)
class Turn:
    """A player is to move."""

    seat: int
    level: str
    """Level of the computer player that makes the move; empty for a person."""


class Deal(Enum):
    """The next hand can be dealt: now, or once the reason to wait no longer applies."""

    NOW = "everyone present is ready"
    AFTER_THE_CUT = "the players are looking at the cut"
    NOBODY_THERE = "only computer players are left"
    NOT_READY = "some players are still looking at the scores"


NextAction = Turn | Deal


def next_action(table: Table, present: Collection[int], *, out_of_time: bool = False) -> NextAction | None:
    """Return the next action, or `None` if the table is waiting for nothing.

    `None` means that the game is over or has not started, that the seeds for the next cards are being
    collected, or that a practice has no turns left. present: seats whose players are connected. out_of_time:
    the player to act has used up the time for this turn, so a computer player finishes it.
    """
    seat = table.to_act
    if seat >= 0:
        chair = table.chairs[seat]
        if chair.player and not (chair.away or out_of_time):
            return Turn(seat, "")
        # Leave a finished practice as it is, so that the player can look at the final position.
        laid = table.laid
        if laid is not None and laid.goals and turns_used_up(laid.turns, table.goal_attempt(laid)):
            return None
        return Turn(seat, STAND_IN if chair.player else chair.level)
    if not table.can_deal:
        return None
    is_ready = all_ready(table, present)
    if table.waits_after_cut and not is_ready:
        return Deal.AFTER_THE_CUT
    if all(table.chairs[seat].away for seat in present):
        return Deal.NOBODY_THERE
    return Deal.NOW if is_ready else Deal.NOT_READY


def all_ready(table: Table, present: Collection[int], also: int = -1) -> bool:
    """Return whether every connected player is ready for the next hand."""
    return all(
        chair.ready or seat == also
        for seat, chair in enumerate(table.chairs)
        if chair.player and not chair.away and seat in present
    )


class BotMove(NamedTuple):
    """The move that a computer player makes."""

    tried: TriedMove
    hurried: bool = False
    """Whether a simple move was made because the computer player was too slow or chose an illegal move."""
    problem: Problem | None = None
    """The reason, if one is known."""


def simple_move(match: Match) -> TriedMove:
    """Return a move without searching: draw, or discard the card of lowest value.

    It tries each card in hand at most once, and each try takes bounded time.
    """
    hand = match.hand
    seat = hand.turn
    values = match.compiled.values
    cards = dict.fromkeys(sorted(hand.hand_cards(seat), key=lambda card: values[RANK_OF[card]]))
    moves: list[Move] = [Draw(), Answer(yes=False), *map(Discard, cards), Pass()]
    for move in moves:
        try:
            return match.try_move(move)
        except RefusedMove:
            continue
    return match.try_move(hand.legal_moves()[0])
