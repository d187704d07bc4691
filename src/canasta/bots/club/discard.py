"""Choose a discard by its value to the next player and its value in the hand."""

from typing import Final

from canasta.bots.card_counting import CardCounter, fits_own, open_slot, opponent_near_going_out, pile_worth
from canasta.bots.club.weights import Weights
from canasta.engine.actions.codec import is_discard
from canasta.engine.cards import (
    CALIENTE_CARD,
    JOKER,
    NATURAL_CARD,
    NATURAL_RANKS,
    RANKS,
    STOP_CARD,
    WILD_CARD,
)
from canasta.engine.compiled_rules import WILDS_NEVER
from canasta.engine.law.american import is_dead
from canasta.engine.melds import NO_SUIT, SMALLEST_MELD, run_length, run_low, run_suit
from canasta.engine.state import HandState

_NEARLY_ALL: Final = 5
"""Number of cards of a rank without wild cards from which a canasta is within reach."""


class DiscardPrices:
    """The price of each discard for the player to move. The lowest is the best."""

    def __init__(self, state: HandState, seat: int, weights: Weights) -> None:
        self.state: HandState = state
        self.seat: int = seat
        self.weights: Weights = weights
        self.counter: CardCounter = CardCounter(state, seat, weights)
        self.side: int = self.counter.side
        self.foe_side: int = self.counter.foe_side
        self.pile: float = pile_worth(state, self.foe_side, -1, weights, False)
        """Value of the present pile to the next player."""
        self.late: bool = opponent_near_going_out(state, self.side) or state.stock_size() < 2 * len(
            state.order
        )
        self.frozen: bool = state.frozen or state.compiled.always_frozen
        self.most_to_take_with: int = state.compiled.canasta_size - SMALLEST_MELD
        """Size of the largest set that a pair and the top card can join, if finished canastas are closed."""
        left = state.stock_size() / (12.0 * len(state.order))
        self.time: float = min(1.0, left)
        """Share of the hand that is still to be played."""

    def best(self, steps: list[int]) -> int:
        """Return the best discard among these steps, or -1."""
        best = -1
        least = 0.0
        for step in steps:
            if is_discard(step):
                card = self.state.compiled.layout.decoded[step]
                price = self.price(card.row, card.suit)
                if best < 0 or price < least:
                    best = step
                    least = price
        return best

    def price(self, rank: int, suit: int) -> float:
        """Return the price of discarding this card."""
        return self.danger(rank) + self.keeping(rank, suit)

    def danger(self, rank: int) -> float:
        """Return the expected loss to the next player: the chance of a take times the value of the pile."""
        if rank >= NATURAL_RANKS or is_dead(self.state, self.foe_side, rank):
            return 0.0
        if (
            self.state.compiled.sets_close
            and self.state.size_of_set(self.foe_side, rank) > self.most_to_take_with
        ):
            return 0.0
        chance = self.counter.take_chance(rank, self.state.frozen)
        if chance == 0.0:
            return 0.0
        weights = self.weights
        gained = self.pile + weights.take_card + weights.take_points * self.state.compiled.values[rank]
        slot = open_slot(self.state, self.foe_side, rank)
        if slot >= 0:
            size = self.state.size_of_set(self.foe_side, slot)
            gained += weights.take_grow * (size - 2)
            if size + 1 >= self.state.compiled.canasta_size:
                gained += weights.danger_canasta
        # A card that is risky now is riskier later, with more in the pile, so discard it while the pile is
        # small.
        fear = weights.danger
        if not self.state.opened(self.foe_side):
            fear *= weights.danger_closed
        elif self.frozen:
            fear *= weights.danger_frozen
        if self._must_be_finished(self.foe_side, rank):
            fear *= weights.danger_special
        return chance * (gained * fear - weights.later * self.time)

    def _must_be_finished(self, side: int, rank: int) -> bool:
        """Return whether the side could lay this rank only by starting a set that it must finish (OUT-8)."""
        state = self.state
        if state.compiled.score.unfinished[rank] == 0 or state.size_of_set(side, rank) > 0:
            return False
        return state.opened(side) or state.compiled.rank_wilds[rank] == WILDS_NEVER

    def keeping(self, rank: int, suit: int) -> float:
        """Return the value of this card in the hand."""
        weights = self.weights
        state = self.state
        values = state.compiled.values
        role = state.compiled.role_of_rank[rank]
        if role == NATURAL_CARD:
            return self._natural(rank, suit)
        if role == WILD_CARD:
            price = weights.keep_wild + (weights.keep_joker if rank == JOKER else 0.0)
            return price - self.freezing()
        if role == STOP_CARD:
            price = weights.keep_stop
            if self.late:
                price -= 2.0 * state.compiled.score.in_hand[rank]
            elif state.compiled.score.in_hand[rank] > values[rank]:
                price -= 10.0
            return price
        if role == CALIENTE_CARD:
            held = 0.0
            for other in range(RANKS):
                held += state.count(self.seat, other) * values[other]
            return weights.keep_caliente - (held * 0.5 if self.late else held * 0.05)
        return 0.0

    def _natural(self, rank: int, suit: int) -> float:
        weights = self.weights
        state = self.state
        count = state.count(self.seat, rank)
        value = state.compiled.values[rank]
        worth = 0.0
        if state.opened(self.side):
            if fits_own(state, self.side, rank):
                worth += weights.keep_fit
            if self.late:
                worth += weights.keep_late * value
        else:
            worth += weights.keep_points * value
        if count >= SMALLEST_MELD:
            # Three cards of some ranks cost extra if they are left in the hand.
            worth -= state.compiled.score.three_in_hand[rank] * weights.drop_three * (1.0 - self.time)
        if self._must_be_finished(self.side, rank) and count < _NEARLY_ALL:
            worth += weights.keep_special
        elif count == 2:
            left = self.counter.unseen[rank]
            worth += weights.keep_pair * (1.0 if left >= 3 else 0.4 + 0.2 * left)
        elif count >= 3:
            worth += weights.keep_triple
        else:
            worth += weights.keep_live * self.counter.unseen[rank] / (4.0 * state.compiled.rules.deck.decks)
        if state.compiled.runs:
            worth += self._run_worth(rank, suit)
        return worth

    def _run_worth(self, rank: int, suit: int) -> float:
        """Return the value of the card for a run, on the table or in the hand."""
        state = self.state
        weights = self.weights
        worth = 0.0
        for run in state.runs[self.side]:
            length = run_length(run)
            if length >= state.compiled.canasta_size:
                continue
            if run_suit(run) != NO_SUIT and run_suit(run) != suit:
                continue
            low = run_low(run)
            gap = low - rank if rank < low else rank - low - length + 1
            if 0 < gap <= state.compiled.canasta_size - length:
                worth += weights.keep_run * (3.0 if gap == 1 else 1.5) * (length - 1) / 2.0
        if self._copies(rank, suit) == 1:
            for near in range(rank - 2, rank + 3):
                if near != rank and 0 <= near < NATURAL_RANKS and self._copies(near, suit) > 0:
                    worth += weights.keep_run * 0.4
        return worth

    def _copies(self, rank: int, suit: int) -> int:
        if not self.state.compiled.same_suit:
            return self.state.count(self.seat, rank)
        return self.state.held(self.seat, rank * 4 + suit)

    def freezing(self) -> float:
        """Return the value of freezing the pile with a wild card."""
        state = self.state
        if self.frozen or not state.opened(self.foe_side):
            return 0.0
        weights = self.weights
        if not state.opened(self.side):
            return weights.freeze_behind * self.pile
        theirs = state.number_of_sets(self.foe_side)
        ours = state.number_of_sets(self.side)
        return weights.freeze_even * self.pile * (1.0 + theirs - ours) if theirs >= ours else 0.0
