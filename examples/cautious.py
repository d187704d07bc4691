"""An example computer player: `./canasta arena examples/cautious.py:Cautious novice`.

It plays safe: it never takes the pile, discards ranks that others have discarded, and melds what it can.
"""

import canasta
from canasta.engine.events import Discarded, Event


class Cautious(canasta.Bot):
    """A cautious player, which remembers the ranks that others have discarded."""

    name = "cautious"

    def begin(self, view: canasta.View) -> None:  # noqa: ARG002 - it ignores the deal
        """Forget the previous hand when a new one is dealt."""
        self.thrown: set[str] = set()

    def hear(self, event: Event) -> None:
        """Remember discarded ranks."""
        if isinstance(event, Discarded):
            self.thrown.add(canasta.Card(event.card).rank)

    def choose(self, view: canasta.View) -> canasta.Move:
        """Choose the legal move with the highest `liking`."""
        return canasta.parse_move(max(canasta.legal_moves(view), key=self.liking))

    def liking(self, move: str) -> int:
        """Return how much the player likes a move."""
        verb, _, cards = move.partition(" ")
        if verb == "discard":
            return 2 if cards in self.thrown else 1
        return {"draw": 5, "meld": 4, "add": 3}.get(verb, 0)
