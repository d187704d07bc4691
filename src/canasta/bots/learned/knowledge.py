"""What a player that has learned knows at a table: the rules it was trained for, and what it has heard."""

from canasta.bots.learned.beliefs import believed_hands
from canasta.bots.learned.memory import Memory
from canasta.bots.learned.network import LearnedNetwork
from canasta.bots.learned.trained import Trained, was_trained
from canasta.bots.learned.weighing import Weighing
from canasta.engine.events import Event
from canasta.engine.observing.observer import Observer
from canasta.engine.observing.rule_numbers import rule_numbers
from canasta.engine.play.course import order_of_hand
from canasta.engine.prepared import PreparedRules
from canasta.engine.view import View


class Knowledge:
    """Of one seat, in one match."""

    def __init__(self, network: LearnedNetwork) -> None:
        self._network: LearnedNetwork = network
        self._prepared: PreparedRules | None = None
        self._trained: Trained | None = None
        self._memory: Memory | None = None
        self.hand_number: int = 0
        """Of the hand that it has heard the deal of."""

    def begin(self, view: View) -> None:
        self.hand_number = _hand_number(view, self.hand_number)
        trained = self.trained(view)
        self._memory = None
        if trained is not None:
            self._memory = Memory(trained.prepared, trained.marks.layout, len(view.state.side_of))
            self._memory.begin(view.state)

    def hear(self, event: Event) -> None:
        if self._memory is not None:
            self._memory.hear(event)

    def trained(self, view: View) -> Trained | None:
        """The network under these rules, which stay the same in a match; None where they were not trained."""
        prepared = view.state.prepared
        if self._prepared is not prepared:
            self._prepared = prepared
            self._trained = None
            # None of the games that it was trained for is larger than the layout has room for.
            if was_trained(self._network, prepared.rules, rule_numbers(prepared)):
                self._trained = Trained(self._network, prepared, view.state.side_of)
        return self._trained

    def observer(self, trained: Trained, view: View) -> Observer:
        """The table as it is now, with what is remembered of it."""
        observer = Observer(trained.marks)
        if self._memory is None:
            observer.begin(view.state, view.scores, max(1, self.hand_number))
        else:
            observer.begin_again(view.state, view.scores, max(1, self.hand_number), self._memory.blocks())
        return observer

    def ranked(self, trained: Trained, view: View) -> list[tuple[float, int]]:
        """The legal steps with the logarithm of their chances, the likeliest first."""
        seat = view.seat
        assert seat is not None, "a player has a seat"
        return trained.ranked(view.state, self.observer(trained, view), seat)

    def likely(self, trained: Trained, view: View) -> list[list[float]]:
        """What the others probably hold, as `resample` reads it."""
        return believed_hands(trained, view, self.observer(trained, view))

    def weighing(self, trained: Trained, view: View) -> Weighing | None:
        """Weighs deals by the discards that it has heard of; None where there are none of them."""
        if self._memory is None:
            return None
        weighing = Weighing(trained, view, max(1, self.hand_number), self._memory)
        return weighing if weighing.discards else None


def _hand_number(view: View, before: int) -> int:
    """The number of a hand that has been dealt; of those that this seat sits out it hears no deal."""
    state = view.state
    number = before + 1
    for later in range(number, number + len(state.side_of)):
        if sorted(order_of_hand(state.prepared.rules, later)) == sorted(state.order):
            return later
    return number
