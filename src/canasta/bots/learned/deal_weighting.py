"""Select probable deals by how well they explain the other players' last discards.

A player's hand stays the same between their discard and their next turn. So a sampled deal implies what the
player held before the discard, and the network estimates how likely that discard was. Cards that the viewer
has not seen are used only as sampled.
"""

from math import exp
from typing import Final

from canasta.bots.expert.rollouts import Clock, DeterminizedDeals
from canasta.bots.learned.coverage import TrainedNetwork
from canasta.bots.learned.memory import NOBODY, Memory
from canasta.engine.actions.codec import ANY_SUIT, is_discard
from canasta.engine.actions.legal import legal_steps
from canasta.engine.cards import NATURAL_RANKS, kind_in_suit
from canasta.engine.observation.encoder import Observer
from canasta.engine.play.turns import begin_turn
from canasta.engine.rng import Rng
from canasta.engine.state import DRAW, PLAY, HandState
from canasta.engine.view import View

CHOICE: Final = 4
"""Number of deals from which one is selected."""
TEMPER: Final = 0.5
"""Exponent on the likelihoods; below 1, because the belief used for dealing already contains part of the
information.
"""
LEAST: Final = -5.0
"""Lower bound on a discard's log likelihood, since other players may not play like the network."""
_TOGETHER: Final = 8
"""Number of deals selected at once. The first one is selected alone, since it may be the only one needed."""
_FINE: Final = 1 << 20


class LastDiscard:
    """A player's last discard, if the player has not had a turn since."""

    def __init__(self, seat: int, at: int, observer: Observer) -> None:
        self.seat: int = seat
        self.at: int = at
        """Index of the card in the pile."""
        self.observer: Observer = observer
        """The table before the discard, as far as it can be restored.

        Cards melded since remain on it, and cards known from the pile are forgotten; both are the same in all
        deals.
        """


class DealWeights:
    """Weighs deals that agree with one view."""

    def __init__(self, trained: TrainedNetwork, view: View, hand_number: int, memory: Memory) -> None:
        self._trained: TrainedNetwork = trained
        self.discards: list[LastDiscard] = []
        state = view.state
        throwers = memory.throwers()
        if state.top_due or len(throwers) != state.pile_size():
            return  # the player is in the middle of taking the pile
        layout = memory.layout
        blocks = [bytearray(block) for block in memory.blocks()]
        # The hand of the player in turn (usually the viewer) has changed since.
        done = [view.seat, state.turn]
        follower = NOBODY if state.phase == DRAW else state.turn
        for at in range(len(throwers) - 1, -1, -1):
            # Go down the pile, removing each card from the memory of who left it and who discarded it.
            seat = throwers[at]
            rank = state.compiled.rank_of[state.pile_card(at)]
            if follower != NOBODY and rank < NATURAL_RANKS:
                _count_less(blocks[follower], layout.let_pass + rank)
            follower = seat
            if seat == NOBODY:
                continue
            _count_less(blocks[seat], layout.discarded + rank)
            if seat not in done:
                done.append(seat)
                observer = Observer(trained.marks)
                seen = [bytes(block) for block in blocks]
                observer.begin_again(before_discard(state, seat, at), view.scores, hand_number, seen)
                self.discards.append(LastDiscard(seat, at, observer))

    def weights(self, deals: list[HandState]) -> list[float]:
        """Return, for each deal, the tempered log likelihood of the discards."""
        weights = [TEMPER * LEAST * len(self.discards)] * len(deals)
        asked: list[int] = []
        rows: list[bytes] = []
        actions: list[list[int]] = []
        meant: list[int] = []
        for number in range(len(deals)):
            for discard in self.discards:
                state = before_discard(deals[number], discard.seat, discard.at)
                steps = legal_steps(state)
                place = _throwing(state, steps, deals[number].pile[discard.at])
                if place >= 0:
                    asked.append(number)
                    rows.append(discard.observer.observe(state, discard.seat))
                    actions.append(self._trained.actions(steps))
                    meant.append(place)
        if asked:
            chances = self._trained.network.log_probabilities(rows, actions, meant)
            for at in range(len(asked)):
                weights[asked[at]] += TEMPER * max(0.0, chances[at] - LEAST)
        return weights


class WeightedDeals(DeterminizedDeals):
    """Deals that are each selected from a few probable ones; once time is short, the next deal is taken."""

    def __init__(
        self,
        view: View,
        seed: str,
        likely: list[list[float]],
        weighing: DealWeights,
        until: float,
        now: Clock,
    ) -> None:
        super().__init__(view, seed, likely)
        self._weighing: DealWeights = weighing
        self._until: float = until
        self._now: Clock = now

    def _next(self) -> list[HandState]:
        if self._now() >= self._until:
            return super()._next()
        count = _TOGETHER if self._dealt else 1
        deals = [self._deal() for _ in range(count * CHOICE)]
        weights = self._weighing.weights(deals)
        return [
            deals[first + chosen(weights[first : first + CHOICE], self._rng)]
            for first in range(0, len(deals), CHOICE)
        ]


def chosen(weights: list[float], rng: Rng) -> int:
    """Choose an index at random by these log weights."""
    most = max(weights)
    parts = [exp(weight - most) for weight in weights]
    left = rng.below(_FINE) / _FINE * sum(parts)
    for at in range(len(parts)):
        left -= parts[at]
        if left < 0.0:
            return at
    return len(parts) - 1


def before_discard(state: HandState, seat: int, at: int) -> HandState:
    """Return the state with this card of the pile back in the seat's hand, about to be discarded."""
    then = state.copy()
    pile = state.pile
    freezes = state.compiled.freezes
    then.give(seat, pile[at])
    then.set_pile(pile[:at])
    if any(freezes[kind] for kind in pile[at:]):
        then.frozen = any(freezes[kind] for kind in then.pile)
    begin_turn(then, seat)
    then.phase = PLAY
    return then


def _throwing(state: HandState, steps: list[int], kind: int) -> int:
    """Return the index of the step that discards this card; -1 if cards melded since then prevent it."""
    rank = state.compiled.rank_of[kind]
    for place in range(len(steps)):
        if is_discard(steps[place]):
            step = state.compiled.layout.decoded[steps[place]]
            if step.row == rank and (step.suit == ANY_SUIT or kind_in_suit(rank, step.suit) == kind):
                return place
    return -1


def _count_less(block: bytearray, at: int) -> None:
    if block[at] > 0:
        block[at] -= 1
