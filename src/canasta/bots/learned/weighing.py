"""Probable deals, chosen by how likely they make what the others threw last.

Nobody's hand changes between their discard and their next turn. So an imagined deal tells what a player held
before the discard, and the network how likely that card is thrown from there. What the viewer has not seen
goes into it only as it is imagined.
"""

from math import exp
from typing import Final

from canasta.bots.expert.playing_out import Clock
from canasta.bots.expert.race import Worlds
from canasta.bots.learned.memory import NOBODY, Memory
from canasta.bots.learned.trained import Trained
from canasta.engine.cards import NATURAL_RANKS, kind_in_suit
from canasta.engine.observing.observer import Observer
from canasta.engine.play.turns import begin_turn
from canasta.engine.rng import Rng
from canasta.engine.state import DRAW, PLAY, HandState
from canasta.engine.steps.codec import ANY_SUIT, is_discard
from canasta.engine.steps.legal import legal_steps
from canasta.engine.view import View

CHOICE: Final = 4
"""Deals of which one is chosen."""
TEMPER: Final = 0.5
"""How much of a likelihood counts: the belief by which cards are dealt knows a part of it already."""
LEAST: Final = -5.0
"""No discard counts as less likely than this, since others may play otherwise; a logarithm."""
_TOGETHER: Final = 8
"""Worlds that are chosen at once, after the first, which may be the only one that is asked for."""
_FINE: Final = 1 << 20


class LastDiscard:
    """A player who has thrown a card and not played since."""

    def __init__(self, seat: int, at: int, observer: Observer) -> None:
        self.seat: int = seat
        self.at: int = at
        """Where in the pile the card lies."""
        self.observer: Observer = observer
        """The table before it was thrown, as far as it can be had: what was melded since stays there, and
        that a card came with the pile is forgotten. That is the same in all deals."""


class Weighing:
    """Of deals that agree with one view."""

    def __init__(self, trained: Trained, view: View, hand_number: int, memory: Memory) -> None:
        self._trained: Trained = trained
        self.discards: list[LastDiscard] = []
        state = view.state
        throwers = memory.throwers()
        if state.top_due or len(throwers) != state.pile_size():
            return  # it is just being taken
        layout = memory.layout
        blocks = [bytearray(block) for block in memory.blocks()]
        # The hand of the player in turn has changed since; that is mostly the viewer.
        done = [view.seat, state.turn]
        follower = NOBODY if state.phase == DRAW else state.turn
        for at in range(len(throwers) - 1, -1, -1):
            # From the top down all that was seen is forgotten: who let the card lie, and who threw it.
            seat = throwers[at]
            rank = state.prepared.rank_of[state.pile_card(at)]
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
        """How likely each of these deals makes what was thrown, tempered; as a logarithm."""
        weights = [TEMPER * LEAST * len(self.discards)] * len(deals)
        asked: list[int] = []
        rows: list[bytes] = []
        actions: list[list[int]] = []
        meant: list[int] = []
        for number in range(len(deals)):
            for thrown in self.discards:
                state = before_discard(deals[number], thrown.seat, thrown.at)
                steps = legal_steps(state)
                place = _throwing(state, steps, deals[number].pile[thrown.at])
                if place >= 0:
                    asked.append(number)
                    rows.append(thrown.observer.observe(state, thrown.seat))
                    actions.append(self._trained.actions(steps))
                    meant.append(place)
        if asked:
            chances = self._trained.network.chances(rows, actions, meant)
            for at in range(len(asked)):
                weights[asked[at]] += TEMPER * max(0.0, chances[at] - LEAST)
        return weights


class WeighedWorlds(Worlds):
    """Each is one of a few probable deals; once time is short, the next best."""

    def __init__(
        self,
        view: View,
        seed: str,
        likely: list[list[float]],
        weighing: Weighing,
        until: float,
        now: Clock,
    ) -> None:
        super().__init__(view, seed, likely)
        self._weighing: Weighing = weighing
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
    """One of them by chance; they are logarithms."""
    most = max(weights)
    parts = [exp(weight - most) for weight in weights]
    left = rng.below(_FINE) / _FINE * sum(parts)
    for at in range(len(parts)):
        left -= parts[at]
        if left < 0.0:
            return at
    return len(parts) - 1


def before_discard(state: HandState, seat: int, at: int) -> HandState:
    """With the card that lies there in the pile back in the hand of the seat, which is about to throw it."""
    then = state.copy()
    pile = state.pile
    freezes = state.prepared.freezes
    then.give(seat, pile[at])
    then.set_pile(pile[:at])
    if any(freezes[kind] for kind in pile[at:]):
        then.frozen = any(freezes[kind] for kind in then.pile)
    begin_turn(then, seat)
    then.phase = PLAY
    return then


def _throwing(state: HandState, steps: list[int], kind: int) -> int:
    """The place of the step that throws this card; -1 where what was melded since forbids it."""
    rank = state.prepared.rank_of[kind]
    for place in range(len(steps)):
        if is_discard(steps[place]):
            step = state.prepared.layout.decoded[steps[place]]
            if step.row == rank and (step.suit == ANY_SUIT or kind_in_suit(rank, step.suit) == kind):
                return place
    return -1


def _count_less(block: bytearray, at: int) -> None:
    if block[at] > 0:
        block[at] -= 1
