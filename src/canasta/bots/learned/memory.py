"""A player's memory of a hand: cards that were discarded, and top cards that were left untaken.

It is built from public events. At training tables, the observer gets the same facts directly from the steps.
"""

from typing import Final

from canasta.engine.cards import BONUS_CARD, NATURAL_RANKS
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.events import (
    BonusLaid,
    CalientePlayed,
    CardsMelded,
    Discarded,
    Drew,
    Event,
    FootPickedUp,
    Passed,
    PilePutBack,
    PileTaken,
    PotTaken,
    TopCardTaken,
)
from canasta.engine.law.pile import bars_single_pile
from canasta.engine.observation.layout import Layout
from canasta.engine.state import HandState

NOBODY: Final = -1


class Memory:
    """The memory of one hand, starting at its deal."""

    def __init__(self, compiled: CompiledRules, layout: Layout, seats: int) -> None:
        self._compiled: CompiledRules = compiled
        self.layout: Layout = layout
        self._of_seat: list[bytearray] = [bytearray(layout.seat_block) for _ in range(seats)]
        self._pile: list[int] = []
        self._throwers: list[int] = []
        self._before_take: list[int] = []
        self._throwers_before_take: list[int] = []
        self._size_before_take: int = NOBODY
        self._threes_in_pile: int = 0
        """Number of threes that came with the pile and are still to be laid out."""
        self._barred: bool = False
        """Whether the pile is still as dealt, so that nobody may take it."""
        self._sizes: list[int] = [0] * seats
        self._turn: int = -1
        self._decided: bool = False
        """Whether the player in turn has drawn, taken the pile, or passed."""
        self._took_back: bool = False
        self._replaces: bool = False
        """Whether a three was laid out, so that the next card drawn replaces it."""
        self._side_of: list[int] = []
        self._melded: dict[tuple[int, int], int] = {}
        """Number of cards in the set of a side and rank, in games in which a canasta closes its rank for
        everyone.
        """

    def begin(self, state: HandState) -> None:
        """Start remembering a hand that has been dealt."""
        for block in self._of_seat:
            block[:] = bytes(len(block))
        self._pile = list(state.pile)
        self._throwers = [NOBODY] * len(self._pile)
        self._barred = state.frozen and state.pile_is_from_deal and self._compiled.bars_first_player
        self._sizes = state.sizes()
        self._turn = -1
        self._replaces = False
        self._side_of = state.side_of
        self._melded = {}

    def blocks(self) -> list[bytes]:
        """Return the data blocks that an observer starts from."""
        return [bytes(block) for block in self._of_seat]

    def throwers(self) -> list[int]:
        """Return the seat that discarded each card of the pile; `NOBODY` if that seat's hand has changed
        since.
        """
        return self._throwers.copy()

    def hear(self, event: Event) -> None:
        if isinstance(event, Drew):
            if not self._replaces:
                self._let_lie(event.seat)
            self._replaces = False
            self._sizes[event.seat] += event.count
        elif isinstance(event, BonusLaid) and self._threes_in_pile > 0:
            self._threes_in_pile -= 1
            self._sizes[event.seat] -= 1
        elif isinstance(event, BonusLaid) and (self._compiled.threes_on_turn or self._compiled.by_hand):
            # A three laid from the hand, usually before the player's first choice.
            self._begin_turn(event.seat)
            self._replaces = True
            self._sizes[event.seat] -= 1
        elif isinstance(event, BonusLaid):
            self._let_lie(event.seat)
        elif isinstance(event, CalientePlayed):
            self._let_lie(event.seat)
            self._sizes[event.seat] -= 1
        elif isinstance(event, Passed):  # nobody passes before the stock is out
            self._let_lie(event.seat, stock_is_out=True)
        elif isinstance(event, CardsMelded):
            self._begin_turn(event.seat)
            if not self._decided and self._size_before_take == NOBODY:
                self._size_before_take = self._sizes[event.seat]
            self._sizes[event.seat] -= len(event.cards)
            if self._compiled.dead_ranks:
                meld = (self._side_of[event.seat], event.row)
                self._melded[meld] = self._melded.get(meld, 0) + len(event.cards)
        elif isinstance(event, PileTaken):
            self._begin_turn(event.seat)
            self._decided = True
            self._before_take = self._pile
            self._throwers_before_take = self._throwers
            self._pile = []
            self._throwers = []
            # The top card was melded, and was counted there as a card from the hand.
            self._sizes[event.seat] += len(event.cards) + 1
            role_of = self._compiled.role_of
            self._threes_in_pile = sum(role_of[kind] == BONUS_CARD for kind in event.cards)
            self._barred = False
        elif isinstance(event, TopCardTaken):
            self._begin_turn(event.seat)
            self._decided = True
            self._pile = self._pile[:-1]
            self._throwers = self._throwers[:-1]
            self._sizes[event.seat] += 1
        elif isinstance(event, PilePutBack):
            self._pile = self._before_take
            self._throwers = self._throwers_before_take
            self._sizes[event.seat] = self._size_before_take
            self._took_back = True
            self._decided = False
        elif isinstance(event, Discarded):
            self._begin_turn(event.seat)
            self._replaces = False
            self._count(event.seat, self.layout.discarded + self._compiled.rank_of[event.card])
            self._pile.append(event.card)
            self._throwers.append(event.seat)
            self._sizes[event.seat] -= 1
            self._barred = False
        elif isinstance(event, (FootPickedUp, PotTaken)):
            # The player's earlier discards came from a different hand than the present one.
            self._throwers = [NOBODY if seat == event.seat else seat for seat in self._throwers]

    def _begin_turn(self, seat: int) -> None:
        if seat != self._turn:
            self._turn = seat
            self._size_before_take = NOBODY
            self._decided = False
            self._took_back = False

    def _let_lie(self, seat: int, *, stock_is_out: bool = False) -> None:
        """Record that the player did not take the pile."""
        self._begin_turn(seat)
        if self._decided:
            return
        self._decided = True
        if not self._pile or self._took_back or self._barred:
            return
        rank = self._compiled.rank_of[self._pile[-1]]
        if rank >= NATURAL_RANKS or self._is_dead(rank):
            return
        if stock_is_out and self._compiled.takes_at_once:
            return  # taking the pile can't prolong the hand
        if len(self._pile) == 1 and bars_single_pile(self._compiled, self._sizes[seat], stock_is_out):
            return
        self._count(seat, self.layout.let_pass + rank)

    def _is_dead(self, rank: int) -> bool:
        size = self._compiled.canasta_size
        return any(row == rank and cards >= size for (_, row), cards in self._melded.items())

    def _count(self, seat: int, at: int) -> None:
        block = self._of_seat[seat]
        block[at] = min(255, block[at] + 1)
