"""The club player's style in each family of games, as far as the families differ."""

from typing import Final

from canasta.bots.card_counting import may_go_out
from canasta.bots.club.burraco import LongDiscarding, LongMelding, whole_hand_step
from canasta.bots.club.discard import DiscardPrices
from canasta.bots.club.going_out import exact_out_step, gain_of_going_out, plain_out_step
from canasta.bots.club.melds import MeldValues
from canasta.bots.club.opening import FirstMeld, unfinished_risk
from canasta.bots.club.weights import Weights
from canasta.engine.actions.codec import ASK
from canasta.engine.actions.make import make_step
from canasta.engine.cards import RANK_OF
from canasta.engine.state import NOT_ASKED, SAID_NO, SAID_YES, HandState

NOTHING: Final = -1
"""Returned in place of a step if there is none."""


class Style:
    """The style for classic games, and the base class of the others."""

    def melding(self, state: HandState, weights: Weights) -> MeldValues:
        return MeldValues(state, weights)

    def discarding(self, state: HandState, seat: int, weights: Weights) -> DiscardPrices:
        return DiscardPrices(state, seat, weights)

    def price_of_taking(self, state: HandState, seat: int, weights: Weights, step: int) -> float:
        """Return the cost of taking the pile, not counting the cards that it brings."""
        return 0.0

    def out_step(self, state: HandState, said_yes: bool) -> int:
        """Return the first step of a way to play out the whole hand this turn, or -1 if none is found.

        With `said_yes`, assume that the partner agrees.
        """
        return plain_out_step(state, said_yes)

    def going_out_step(self, state: HandState, seat: int, weights: Weights, steps: list[int]) -> int:
        """Return a step towards going out, if the hand can be played out and it pays."""
        if state.asked == SAID_NO or state.foot_waits(seat):
            return NOTHING
        must_ask = state.compiled.must_ask and state.asked == NOT_ASKED and state.partner[seat] >= 0
        if must_ask and ASK not in steps:
            return NOTHING
        first = self.out_step(state, must_ask)
        if first < 0:
            return NOTHING
        if state.asked == SAID_YES:
            return first
        gain = gain_of_going_out(state, seat, weights)
        if must_ask:
            return ASK if gain > 0.0 else NOTHING
        if ASK in steps and -weights.out_ask < gain < weights.out_ask:
            return ASK
        return first if gain > 0.0 else NOTHING


class AmericanStyle(Style):
    """The style for American games: start sets that must be finished with care, and search exactly for a way
    out.
    """

    def price_of_taking(self, state: HandState, seat: int, weights: Weights, step: int) -> float:
        """Return the cost of taking a pile that starts a set which must be finished, or that fills a hand
        close to going out.
        """
        side = state.side_of[seat]
        rank = RANK_OF[state.top_card()]
        price = 0.0
        if not state.opened(side):
            taken = state.copy()
            make_step(taken, step)
            price += FirstMeld(taken, weights).price
        if state.size_of_set(side, rank) == 0:
            price += unfinished_risk(state, rank, state.count(seat, rank) + 1)
        if may_go_out(state, side):
            price += weights.out_card * (state.pile_size() - 1)
        return price

    def out_step(self, state: HandState, said_yes: bool) -> int:
        return exact_out_step(state, said_yes)


class BurracoStyle(Style):
    """The style for Burraco: sequences are worth most, and a pot is worth as much as going out."""

    def melding(self, state: HandState, weights: Weights) -> MeldValues:
        return LongMelding(state, weights)

    def discarding(self, state: HandState, seat: int, weights: Weights) -> DiscardPrices:
        return LongDiscarding(state, seat, weights)

    def going_out_step(self, state: HandState, seat: int, weights: Weights, steps: list[int]) -> int:
        step = whole_hand_step(state, seat, weights)
        pays = step != NOTHING and (state.foot_waits(seat) or gain_of_going_out(state, seat, weights) > 0.0)
        return step if pays else NOTHING


_STYLES: Final = {"classic": Style(), "american": AmericanStyle(), "burraco": BurracoStyle()}


def style_of(state: HandState) -> Style:
    return _STYLES[state.compiled.family.name]
