"""Listeners: the events that computer players hear, each reduced to what their seat may know."""

from collections.abc import Iterable, Mapping

from canasta.bots.plugins import Outsider, has_own
from canasta.engine.events import Event, seen_by
from canasta.engine.state import HandState
from canasta.engine.view import View


def hears(bot: object) -> bool:
    """Return whether this player wants to hear events. Most players only need the present view."""
    if isinstance(bot, Outsider):
        return bot.listens
    return has_own(type(bot), "begin") or has_own(type(bot), "hear")


class Listeners:
    """The players at one table that want to hear events. The other players cost nothing.

    The host must report each deal and the events of each move before it asks for the next move. To seat a
    player late, report everything since the deal.
    """

    def __init__(self, bots: Mapping[int, object]) -> None:
        """Register the players that listen, from `bots` by seat."""
        self.bots: dict[int, object] = {seat: bot for seat, bot in bots.items() if hears(bot)}

    def deal(self, state: HandState, scores: list[int]) -> None:
        """Report that a hand has been dealt. `scores` are the totals by side before it."""
        for seat, bot in self.bots.items():
            begin = getattr(bot, "begin", None)
            if begin is not None and seat in state.order:
                begin(View(state, seat, scores.copy()))

    def tell(self, events: Iterable[Event]) -> None:
        """Report events, in the order in which they happened."""
        if not self.bots:
            return
        for event in events:
            for seat, bot in self.bots.items():
                hear = getattr(bot, "hear", None)
                if hear is not None:
                    hear(seen_by(event, seat))
