"""A hand as the decisions of its players.

A player decides before drawing, and again after it; whenever a card comes into sight that nobody could count
on, a new decision begins. What is laid and what is thrown after it are two decisions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from canasta.bots.expert.playing_out import seat_to_act
from canasta.engine.hand import Hand
from canasta.engine.moves.types import Discard, Keep, Move, Pass, Undo
from canasta.engine.state import PLAY, HandState
from canasta.engine.steps.legal import legal_steps


@dataclass(frozen=True)
class Choice:
    """Moves that a player made without seeing a new card between them."""

    number: int
    """Of the first of its moves in the hand, from 0 on."""
    turn: int
    """Turns of all players so far, this one included."""
    seat: int
    scores: tuple[int, ...]
    """By side, before the hand."""
    before: HandState
    moves: tuple[Move, ...]
    after: HandState

    @property
    def drew(self) -> bool:
        """Cards came from the stock."""
        return self.after.stock_size() != self.before.stock_size()

    @property
    def lays(self) -> bool:
        """What to lay was in question, after drawing and before throwing a card."""
        return self.before.phase == PLAY and not any(map(lays_no_more, self.moves))

    @property
    def is_forced(self) -> bool:
        return len(legal_steps(self.before)) == 1


def choices_of(hand: Hand, moves: Sequence[Move]) -> list[Choice]:
    """Plays the moves of a hand, which must be legal, and tells its choices."""
    found: list[Choice] = []
    hand = hand.copy()
    turn = 1
    at = 0
    while at < len(moves):
        before = hand.state
        made: list[Move] = []
        first = at
        # Whoever throws a card has decided what to lay, and if it was nothing.
        throws = (
            lays_no_more(moves[at]) and bool(found) and found[-1].lays and lays_on(found[-1].before, before)
        )
        while at < len(moves) and (throws or before.phase != PLAY or not lays_no_more(moves[at])):
            if isinstance(moves[at], Undo):
                # Only what was melded in this choice can be taken back.
                made.pop()
            else:
                made.append(moves[at])
            hand.apply(moves[at])
            at += 1
            if throws or not lays_on(before, hand.state):
                break
        seat = seat_to_act(before)
        found.append(Choice(first, turn, seat, tuple(hand.scores), before, tuple(made), hand.state))
        if hand.state.turn != before.turn:
            turn += 1
    return found


def lays_no_more(move: Move) -> bool:
    """A move after which nothing is laid."""
    return isinstance(move, (Discard, Keep, Pass))


def lays_on(before: HandState, now: HandState) -> bool:
    """The same player lays on, and has seen no new card."""
    return (
        before.phase == PLAY
        and now.phase == PLAY
        and now.turn == before.turn
        and now.at == before.at
        and now.feet_wait() == before.feet_wait()
        and now.pot_takers() == before.pot_takers()
        and now.took_back == before.took_back
    )
