"""The club player's evaluation in games with long sequences (Burraco): melds, discards, the pile and the pot.

In these games anyone may take the pile, or only a player who can use its top card. Each side has a second
hand, the pot, and play centres on sequences of seven.
"""

from typing import Final

from canasta.bots.card_counting import FITS, NEAR, fit, fit_of_run, may_go_out, opponent_near_going_out
from canasta.bots.club.discard import DiscardPrices
from canasta.bots.club.melds import MeldValues, progress
from canasta.bots.club.weights import Weights
from canasta.engine.actions.codec import START_NATURALS, START_PAIR, START_RUN, Step, is_discard, lays_cards
from canasta.engine.actions.legal import legal_steps
from canasta.engine.actions.make import make_step, run_by_step
from canasta.engine.cards import JOKER, KINDS, PLACES, TWO, WILD_CARD, kind_in_suit
from canasta.engine.melds import MIXED, NATURAL, SMALLEST_MELD, run_length, run_suit
from canasta.engine.sequences import (
    EITHER_END,
    HIGH_ACE,
    LOW_ACE,
    NO_RUN,
    PLACE_OF_TWO,
    kind_at,
    kinds_in,
    naturals_of,
    pack_long_run,
    place_of,
    run_with,
    run_with_natural,
    stands_inside,
    wild_in,
)
from canasta.engine.state import PLAY, HandState

_NOTHING: Final = -1
_FEW: Final = 9
"""Hand size above which laying the whole hand at once is not considered."""


class LongMelding(MeldValues):
    """The value of melding cards for the player to move, in games with long sequences."""

    def run_worth(self, run: int) -> float:
        """Return the value of a sequence: its bonus, or a share of it."""
        if run == NO_RUN:
            return 0.0
        state = self.state
        scoring = state.compiled.rules.scoring
        size = state.compiled.canasta_size
        length = run_length(run)
        is_wild = wild_in(run) > 0
        bonus = float(self.bonus[MIXED if is_wild else NATURAL])
        if length < size:
            return progress(state, length, self.weights) * bonus
        if is_wild:
            semi_clean = scoring.semi_clean > 0 and length > size and not stands_inside(run)
            return float(scoring.semi_clean) if semi_clean else bonus
        if scoring.run_13 > 0:
            beyond = min(1.0, (length - size) / (PLACES - 1 - size))
            bonus += (scoring.run_13 - bonus) * beyond * beyond
            if length == PLACES:
                bonus = float(max(scoring.run_13, scoring.run_14))
        return bonus

    def _growth(self, before: int, after: int) -> float:
        """Return the value of turning one sequence into another."""
        size = self.state.compiled.canasta_size
        step = self.run_worth(after) - self.run_worth(before)
        if run_length(after) < size:
            return step * self.weights.lay
        if run_length(before) >= size:
            return step
        lacks = self.lacks[MIXED if wild_in(after) > 0 else NATURAL]
        return step * self.weights.complete + (self.weights.first_canasta if lacks else 0.0)

    def _extend_run(self, laid: Step) -> float:
        state = self.state
        weights = self.weights
        values = state.compiled.values
        before = state.runs[self.side][laid.number]
        after = run_by_step(state.compiled.run_rules, before, laid)
        worth = weights.add_bias + self._growth(before, after) - self.thinning(1)
        if laid.wild > 0:
            if wild_in(before) == 0 and run_length(before) < state.compiled.canasta_size:
                worth -= weights.spoil * (self.bonus[NATURAL] - self.bonus[MIXED])
            return worth + self.per_point * values[TWO + laid.jokers] - self._wild_price(laid.jokers)
        return worth + self.per_point * values[state.compiled.rank_of[kind_at(run_suit(before), laid.place)]]

    def _start_run(self, laid: Step) -> float:
        """Value a sequence by the length it can reach from this hand at once."""
        state = self.state
        weights = self.weights
        rules = state.compiled.run_rules
        run = pack_long_run(laid.suit, laid.place, SMALLEST_MELD, laid.wild_at, laid.wild)
        worth = weights.start_run
        for kind in kinds_in(run):
            worth += self.per_point * state.compiled.values[state.compiled.rank_of[kind]]
        if laid.wild > 0:
            worth -= self._wild_price(laid.jokers)
        grown = run
        for place in range(rules.lowest, PLACES + 1):
            if place < laid.place or place >= laid.place + SMALLEST_MELD:
                grown = self._grown(grown, place)
        for place in range(PLACES, rules.lowest - 1, -1):
            grown = self._grown(grown, place)
        for other in state.runs[self.side]:
            # A second sequence of the same ranks competes with the first for the remaining cards.
            if run_suit(other) == laid.suit and run_length(other) < state.compiled.canasta_size:
                worth -= weights.start_run * 0.5
        return worth + self._growth(NO_RUN, grown) - self.thinning(SMALLEST_MELD)

    def _grown(self, run: int, place: int) -> int:
        """Return the sequence extended by this card, or unchanged if the hand lacks the card or it doesn't
        fit.
        """
        if naturals_of(run) >> place & 1:
            return run
        if self.state.held(self.seat, kind_at(run_suit(run), place)) == 0:
            return run
        after = run_with_natural(self.state.compiled.run_rules, run, place, EITHER_END)
        return run if after == NO_RUN else after

    def _torn(self, rank: int, suit: int) -> float:
        """Return the value that a card used in a set would have had in a sequence."""
        kind = kind_in_suit(rank, suit)
        if self.state.held(self.seat, kind) != 1:
            return 0.0
        worth = self.weights.keep_run * neighbours(self.state, self.seat, kind)
        for run in self.state.runs[self.side]:
            if run_suit(run) == suit and fit_of_run(self.state, run, kind) == FITS:
                worth += self.weights.keep_run * (run_length(run) - 1)
        return worth


def neighbours(state: HandState, seat: int, kind: int) -> float:
    """Count the cards in hand that are next to this one in a sequence; those one place away count half."""
    place = place_of(kind)
    count = 0.0
    for at in (place, LOW_ACE) if place == HIGH_ACE else (place,):
        for away in (-2, -1, 1, 2):
            near = at + away
            if LOW_ACE <= near <= HIGH_ACE and near != PLACE_OF_TWO:
                if state.held(seat, kind_at(kind & 3, near)) > 0:
                    count += 1.0 if abs(away) == 1 else 0.5
    return count


class LongDiscarding(DiscardPrices):
    """The price of each discard in games with long sequences."""

    def price(self, rank: int, suit: int) -> float:
        kind = kind_in_suit(rank, suit)
        return self.fear(kind) + self.worth_held(kind)

    def worth_held(self, kind: int) -> float:
        """Return the value of this card in the hand."""
        state = self.state
        weights = self.weights
        rank = state.compiled.rank_of[kind]
        if state.compiled.role_of[kind] == WILD_CARD:
            return weights.keep_wild + (weights.keep_joker if rank == JOKER else 0.0)
        value = state.compiled.values[rank]
        worth = (weights.keep_late if self.late else weights.keep_points) * value
        fitting = fit(state, self.side, kind)
        if fitting == FITS:
            worth += weights.keep_fit
        elif fitting == NEAR:
            worth += weights.keep_run * 1.5
        if state.held(self.seat, kind) == 1:
            worth += weights.keep_run * neighbours(state, self.seat, kind)
        if state.compiled.set_rows:
            count = state.count(self.seat, rank)
            if count >= SMALLEST_MELD:
                worth += weights.keep_triple
            elif count == 2:
                worth += weights.keep_pair
        return worth

    def fear(self, kind: int) -> float:
        """Return the expected loss to the next player, who may take the pile."""
        state = self.state
        weights = self.weights
        if not weights.watches_next:
            return 0.0
        gained = weights.take_card
        if state.compiled.role_of[kind] == WILD_CARD:
            gained += weights.take_wild
            chance = 1.0
        else:
            fitting = fit(state, self.foe_side, kind)
            chance = 1.0 if fitting == FITS else 0.3 if fitting == NEAR else 0.15
            gained += weights.take_fit if fitting == FITS else weights.take_match
            if fitting == FITS and self._finishes(kind):
                gained += weights.danger_canasta
        # If anyone may take the pile, the rest of the pile does not depend on this card.
        return weights.danger * chance * (gained + (self.pile if state.compiled.use_top else 0.0))

    def _finishes(self, kind: int) -> bool:
        """Return whether the card would finish a canasta of the opponents."""
        state = self.state
        size = state.compiled.canasta_size
        for run in state.runs[self.foe_side]:
            if run_suit(run) == kind & 3 and run_length(run) == size - 1:
                if run_with(state.compiled.run_rules, run, [kind], EITHER_END) != NO_RUN:
                    return True
        return False


# -- the whole hand ---------------------------------------------------------------------------------------


def _cards_laid(step: Step) -> int:
    return SMALLEST_MELD if step.what in (START_RUN, START_NATURALS, START_PAIR) else 1


def _best_step(state: HandState, weights: Weights) -> tuple[int, float]:
    """Return the most useful step that lays cards and its value; `_NOTHING` if nothing can be laid."""
    melding = LongMelding(state, weights)
    best = _NOTHING
    best_score = 0.0
    for step in legal_steps(state):
        if lays_cards(step):
            score = melding.score(step)
            if best == _NOTHING or score > best_score:
                best = step
                best_score = score
    return best, best_score


def _empties(state: HandState, seat: int, step: int) -> bool:
    """Return whether the step lays the last cards of the hand, so that the player picks up an unseen pot."""
    return state.size(seat) == _cards_laid(state.compiled.layout.decoded[step])


def hand_potential(state: HandState, seat: int, weights: Weights) -> float:
    """Return the value of a hand after drawing: what it can lay at once, and what then remains.

    This modifies `state`, so pass a copy.
    """
    worth = 0.0
    while state.turn == seat and state.phase == PLAY:
        step, score = _best_step(state, weights)
        if step == _NOTHING or (score <= 0.0 and not state.top_due):
            break
        worth += score
        if _empties(state, seat, step):
            return worth
        make_step(state, step)
    prices = LongDiscarding(state, seat, weights)
    for kind in range(KINDS):
        held = state.held(seat, kind)
        if held > 0:
            worth += held * prices.worth_held(kind)
    return worth


def worth_of_pile(state: HandState, seat: int, weights: Weights, step: int) -> float:
    """Return the value of taking the pile beyond what the hand can do without it."""
    cards = state.pile_size()
    taken = state.copy()
    make_step(taken, step)
    without = state.copy()
    without.phase = PLAY
    worth = (
        hand_potential(taken, seat, weights)
        - hand_potential(without, seat, weights)
        + weights.take_card * cards
    )
    if opponent_near_going_out(state, state.side_of[seat]):
        worth -= weights.take_late * cards
    if state.foot_waits(seat):
        worth -= weights.foot_pile * cards
    return worth


def whole_hand_step(state: HandState, seat: int, weights: Weights) -> int:
    """Return the first step of a way to lay the whole hand, or -1 if there is none.

    One card is kept for the discard, unless emptying the hand picks up a pot.
    """
    waits = state.foot_waits(seat)
    if state.size(seat) > _FEW or not (waits or _may_reach_canastas(state, seat)):
        return _NOTHING
    trial = state.copy()
    first = _NOTHING
    while True:
        if trial.size(seat) == 1:
            for step in legal_steps(trial):
                if is_discard(step) and (waits or may_go_out(trial, trial.side_of[seat])):
                    return first if first != _NOTHING else step
        step, _ = _best_step(trial, weights)
        if step == _NOTHING:
            return _NOTHING
        if first == _NOTHING:
            first = step
        if _empties(trial, seat, step):
            # Without a pot this means going out, which must be legal.
            return first
        make_step(trial, step)


def _may_reach_canastas(state: HandState, seat: int) -> bool:
    """Return whether the side may go out or has a meld that this hand might turn into a canasta."""
    side = state.side_of[seat]
    if may_go_out(state, side):
        return True
    least = state.compiled.canasta_size - state.size(seat) + 1
    return any(run_length(run) >= least for run in state.runs[side]) or any(
        state.size_of_set(side, slot) >= least for slot in state.sets_of(side)
    )
