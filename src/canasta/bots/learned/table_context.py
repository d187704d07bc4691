"""A learned player's knowledge of its table: the network under the rules, and the events heard so far."""

from canasta.bots.card_counting import believed_hands
from canasta.bots.learned.coverage import TrainedNetwork, was_trained
from canasta.bots.learned.deal_weighting import DealWeights
from canasta.bots.learned.memory import Memory
from canasta.bots.learned.network import LearnedNetwork
from canasta.bots.protocol import seat_of
from canasta.engine.compiled_rules import CompiledRules
from canasta.engine.events import Event
from canasta.engine.observation.encoder import Observer
from canasta.engine.observation.layout import rule_numbers
from canasta.engine.seating import order_of_hand
from canasta.engine.view import View


class TableContext:
    """The network and the memory of one seat in one match."""

    def __init__(self, network: LearnedNetwork) -> None:
        self._network: LearnedNetwork = network
        self._compiled: CompiledRules | None = None
        self._trained: TrainedNetwork | None = None
        self._memory: Memory | None = None
        self.hand_number: int = 0
        """Number of the last hand whose deal was heard."""

    def begin(self, view: View) -> None:
        self.hand_number = _hand_number(view, self.hand_number)
        trained = self.trained(view)
        self._memory = None
        if trained is not None:
            self._memory = Memory(trained.compiled, trained.marks.layout, len(view.state.side_of))
            self._memory.begin(view.state)

    def hear(self, event: Event) -> None:
        if self._memory is not None:
            self._memory.hear(event)

    def trained(self, view: View) -> TrainedNetwork | None:
        """Return the network under these rules, or `None` if it was not trained on them. Rules never change
        in a match.
        """
        compiled = view.state.compiled
        if self._compiled is not compiled:
            self._compiled = compiled
            self._trained = None
            # Every game that the network was trained for fits the layout.
            if was_trained(self._network, compiled.rules, rule_numbers(compiled)):
                self._trained = TrainedNetwork(self._network, compiled, view.state.side_of)
        return self._trained

    def observer(self, trained: TrainedNetwork, view: View) -> Observer:
        """Return an observer of the table as it is now, including remembered events."""
        observer = Observer(trained.marks)
        if self._memory is None:
            observer.begin(view.state, view.scores, max(1, self.hand_number))
        else:
            observer.begin_again(view.state, view.scores, max(1, self.hand_number), self._memory.blocks())
        return observer

    def ranked(self, trained: TrainedNetwork, view: View) -> list[tuple[float, int]]:
        """Return the legal steps with their log probabilities, the likeliest first."""
        seat = seat_of(view)
        return trained.ranked(view.state, self.observer(trained, view), seat)

    def likely(self, trained: TrainedNetwork, view: View) -> list[list[float]]:
        """Return the probable hands of the others as weights for `determinize`."""
        seat = seat_of(view)
        seen = self.observer(trained, view).observe(view.state, seat)
        return believed_hands(trained.network.belief(seen), view)

    def weighing(self, trained: TrainedNetwork, view: View) -> DealWeights | None:
        """Return an object that weighs deals by the discards heard so far, or `None` if there are none."""
        if self._memory is None:
            return None
        weighing = DealWeights(trained, view, max(1, self.hand_number), self._memory)
        return weighing if weighing.discards else None


def _hand_number(view: View, before: int) -> int:
    """Return the number of a newly dealt hand. A seat does not hear the deals it sits out."""
    state = view.state
    number = before + 1
    for later in range(number, number + len(state.side_of)):
        if sorted(order_of_hand(state.compiled.rules, later)) == sorted(state.order):
            return later
    return number
