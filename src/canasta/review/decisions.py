"""Split a hand into its players' decisions.

A player decides before drawing, and again afterwards. Whenever an unforeseeable card is revealed, a new
decision starts. Melding and the discard after it are two decisions.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from canasta.bots.expert.rollouts import seat_to_act
from canasta.engine.actions.legal import legal_steps
from canasta.engine.hand import Hand
from canasta.engine.moves.types import Discard, Keep, Move, Pass, Undo
from canasta.engine.state import PLAY, HandState


@dataclass(frozen=True)
class DecisionPoint:
    """Moves that a player made without seeing a new card in between."""

    number: int
    """Index in the hand of its first move, from 0."""
    turn: int
    """Turns of all players so far, including this one."""
    seat: int
    scores: tuple[int, ...]
    """Total score by side before the hand."""
    before: HandState
    moves: tuple[Move, ...]
    after: HandState

    @property
    def drew(self) -> bool:
        """Whether cards came from the stock."""
        return self.after.stock_size() != self.before.stock_size()

    @property
    def lays(self) -> bool:
        """Whether the choice was what to meld, after drawing and before discarding."""
        return self.before.phase == PLAY and not any(map(lays_no_more, self.moves))

    @property
    def is_forced(self) -> bool:
        return len(legal_steps(self.before)) == 1


def choices_of(hand: Hand, moves: Sequence[Move]) -> list[DecisionPoint]:
    """Play the moves of a hand, which must be legal, and return its choices."""
    found: list[DecisionPoint] = []
    hand = hand.copy()
    turn = 1
    at = 0
    while at < len(moves):
        before = hand.state
        made: list[Move] = []
        first = at
        # A player who discards has decided what to meld, even if that was nothing.
        throws = (
            lays_no_more(moves[at]) and bool(found) and found[-1].lays and lays_on(found[-1].before, before)
        )
        while at < len(moves) and (throws or before.phase != PLAY or not lays_no_more(moves[at])):
            if isinstance(moves[at], Undo):
                # Only what was melded in this choice can be undone.
                made.pop()
            else:
                made.append(moves[at])
            hand.apply(moves[at])
            at += 1
            if throws or not lays_on(before, hand.state):
                break
        seat = seat_to_act(before)
        found.append(DecisionPoint(first, turn, seat, tuple(hand.scores), before, tuple(made), hand.state))
        if hand.state.turn != before.turn:
            turn += 1
    return found


def lays_no_more(move: Move) -> bool:
    """Return whether nothing is melded after this move."""
    return isinstance(move, (Discard, Keep, Pass))


def lays_on(before: HandState, now: HandState) -> bool:
    """Return whether the same player continues melding and has seen no new card."""
    return (
        before.phase == PLAY
        and now.phase == PLAY
        and now.turn == before.turn
        and now.at == before.at
        and now.feet_wait() == before.feet_wait()
        and now.pot_takers() == before.pot_takers()
        and now.took_back == before.took_back
    )
