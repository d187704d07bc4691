"""The course of a table: its hands follow each other, and each is shown until it is over."""

from canasta.table.fairness.observation import GAME_EVENTS
from canasta.table.wire import TableState


def shows_cards(state: TableState) -> bool:
    """Return whether any cards are on the table or in the hands, or have been moved."""
    return bool(
        state.stock
        or any(state.pots)
        or (state.pile is not None and state.pile.cards)
        or (state.you is not None and (state.you.cards or state.you.talon))
        or any(seat.cards or seat.foot or seat.talon or seat.shows for seat in state.seats)
        or any(side.melds or side.bonus for side in state.sides)
        or any(event.what in GAME_EVENTS for event in (*state.events, *state.log))
    )


class Course:
    """The last hand that was shown. It can't be taken back, and later hands follow one by one."""

    def __init__(self) -> None:
        self.hand = 0
        self._is_over = False

    def fault(self, state: TableState, *, may_skip: bool) -> str:
        """Return what makes this state impossible after the earlier ones: `gap`, `early_seed` or nothing.

        may_skip: hands may have been played that the viewer hasn't seen, because the connection was broken.
        """
        if state.hand < self.hand or (state.hand > self.hand + 1 and not may_skip):
            return "gap"
        if shows_cards(state) and (state.hand < 1 or state.phase == "none" or state.seat >= len(state.seats)):
            return "gap"
        if any(len({meld.name for meld in side.melds}) < len(side.melds) for side in state.sides):
            return "gap"
        if state.hand == self.hand and self._is_over and state.phase != "over":
            return "early_seed"
        return ""

    def note(self, state: TableState) -> None:
        """Remember a state without a fault."""
        if state.hand != self.hand:
            self.hand, self._is_over = state.hand, False
        self._is_over |= state.phase == "over"
