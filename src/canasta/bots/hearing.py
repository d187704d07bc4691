"""What computer players hear: each deal as their seat sees it, then every event as their seat may know it."""

from collections.abc import Iterable, Mapping

from canasta.bots.outsiders import Outsider, has_own
from canasta.engine.events import Event, seen_by
from canasta.engine.state import HandState
from canasta.engine.view import View


def hears(bot: object) -> bool:
    """Does this player want to hear what happens? Most see the present view and need no more."""
    if isinstance(bot, Outsider):
        return bot.listens
    return has_own(type(bot), "begin") or has_own(type(bot), "hear")


class Listeners:
    """The players at one table that want to hear; to the others nothing is told, and they cost nothing.

    Whoever seats computer players tells each deal and what each move brought, before the next one is asked
    for. Who sits down late is told everything from the deal on.
    """

    def __init__(self, bots: Mapping[int, object]) -> None:
        """`bots` by seat."""
        self.bots: dict[int, object] = {seat: bot for seat, bot in bots.items() if hears(bot)}

    def deal(self, state: HandState, scores: list[int]) -> None:
        """A hand has been dealt; `scores` by side, as they stand before it."""
        for seat, bot in self.bots.items():
            begin = getattr(bot, "begin", None)
            if begin is not None and seat in state.order:
                begin(View(state, seat, scores.copy()))

    def tell(self, events: Iterable[Event]) -> None:
        """This has happened, in this order."""
        if not self.bots:
            return
        for event in events:
            for seat, bot in self.bots.items():
                hear = getattr(bot, "hear", None)
                if hear is not None:
                    hear(seen_by(event, seat))
