"""What a table waits for: somebody's move, or the next deal. When it is due is a matter of clocks, and of the
host."""

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from canasta.engine.cards import RANK_OF
from canasta.engine.match import Match
from canasta.engine.moves.types import Answer, Discard, Draw, Move, Pass
from canasta.table.chairs import STAND_IN
from canasta.table.goals import is_late
from canasta.table.wire import Problem

if TYPE_CHECKING:
    from canasta.table.table import Table


@dataclass(frozen=True)
class Turn:
    """Somebody is to move."""

    seat: int
    level: str
    """Of the computer player that makes the move; empty for a person."""


class Deal(Enum):
    """The next hand can be dealt, and why it is not dealt yet."""

    NOW = "everybody who is there is ready"
    AFTER_THE_CUT = "people look at what was cut"
    NOBODY_THERE = "only computer players are left, and perhaps somebody watches"
    NOT_READY = "people look at the score"


Due = Turn | Deal


def next_due(table: "Table", present: Collection[int], *, out_of_time: bool = False) -> Due | None:
    """What comes next; None when the game is over, has not begun, or the cards are being shuffled, and when a
    task had its turns. `present` are the seats whose people are connected, and `out_of_time` says that the
    player to act has used up the time for this turn: a computer player ends it."""
    seat = table.to_act
    if seat >= 0:
        chair = table.chairs[seat]
        if chair.player and not (chair.away or out_of_time):
            return Turn(seat, "")
        # A task that had its turns is looked at as it lies: the others would play its cards away.
        laid = table.laid
        if laid is not None and laid.goals and is_late(laid.turns, table.tried(laid)):
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


def all_ready(table: "Table", present: Collection[int], also: int = -1) -> bool:
    """Has everyone who is there asked for the next hand?"""
    return all(
        chair.ready or seat == also
        for seat, chair in enumerate(table.chairs)
        if chair.player and not chair.away and seat in present
    )


class Chosen(NamedTuple):
    """What a computer player does."""

    move: Move
    hurried: bool = False
    """Not what it would do: it did not answer in time, or with no move that can be made."""
    problem: Problem | None = None
    """Why not, where that can be told."""


def simple_move(match: Match) -> Move:
    """A move that needs no thought: draw, or throw away what counts least. At most one question to the rules
    for each card of the hand, and the rules answer each of them in bounded time."""
    hand = match.hand
    seat = hand.turn
    values = match.prepared.values
    cards = dict.fromkeys(sorted(hand.hand_cards(seat), key=lambda card: values[RANK_OF[card]]))
    moves: list[Move] = [Draw(), Answer(yes=False), *map(Discard, cards), Pass()]
    for move in moves:
        if match.check(move) is None:
            return move
    return hand.legal_moves()[0]
