"""A computer player of one's own: `./canasta arena examples/cautious.py:Cautious novice`.

It keeps out of trouble: it takes no pile, throws away what was thrown away before, and melds what it can.
"""

import canasta
from canasta.engine.events import Discarded, Event


class Cautious(canasta.Bot):
    """Sees its view, hears the table, answers with a move in the notation of moves."""

    name = "cautious"

    def begin(self, view: canasta.View) -> None:  # noqa: ARG002 - it remembers nothing of the deal
        """A hand is dealt."""
        self.thrown: set[str] = set()

    def hear(self, event: Event) -> None:
        """Something has happened: note what the others have thrown away."""
        if isinstance(event, Discarded):
            self.thrown.add(canasta.Card(event.card).rank)

    def choose(self, view: canasta.View) -> canasta.Move:
        """Draw, meld, add, and throw away what is harmless."""
        return canasta.parse_move(max(canasta.legal_moves(view), key=self.liking))

    def liking(self, move: str) -> int:
        """How much it likes a move."""
        verb, _, cards = move.partition(" ")
        if verb == "discard":
            return 2 if cards in self.thrown else 1
        return {"draw": 5, "meld": 4, "add": 3}.get(verb, 0)
