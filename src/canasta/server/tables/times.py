"""What is due at a table, and when: the player's clock, the pause of computer players, the next deal, and how
long a seat is kept for somebody whose connection is gone.

All times are those of the event loop. `patience` has the clocks of the seeds.
"""

from collections.abc import Collection, Sequence
from typing import Final

from canasta.server.settings import Settings
from canasta.table.due import Deal, Turn
from canasta.table.log import CameBack, Entry, SeatsCut
from canasta.table.table import Table

_BOTS_ALONE: Final = 10.0
"""Seconds to the next hand when only computer players are there, and somebody watches."""


class Times:
    def __init__(self, table: Table, settings: Settings, now: float) -> None:
        self._table = table
        self._settings = settings
        self._cards_since = now
        """When the cards last changed: computer players count their pause from here."""
        self._move_state = table.move_state
        """The cards as they were then."""
        self._turn: tuple[int, int] = (0, -1)
        """Hand and seat whose clock runs."""
        self._turn_since = now
        self.out_of_time: bool = False
        """The player to act has used up the time for this turn: a computer player ends it."""
        self._gone_since: dict[int, float] = {
            seat: now for seat, chair in enumerate(table.chairs) if chair.player and not chair.away
        }
        """People without a connection, here or at another process, by seat."""

    # -- what happened ---------------------------------------------------------------------------------------

    def look(self, entries: Sequence[Entry], now: float) -> None:
        """The table has changed by these entries."""
        table = self._table
        if table.move_state != self._move_state or any(isinstance(entry, SeatsCut) for entry in entries):
            self._move_state, self._cards_since = table.move_state, now
        turn = (table.match.hand_number if table.match is not None else 0, table.to_act)
        came_back = any(isinstance(entry, CameBack) and entry.seat == table.to_act for entry in entries)
        if turn != self._turn or came_back:
            self._turn, self._turn_since, self.out_of_time = turn, now, False

    def note_gone(self, present: Collection[int], now: float) -> None:
        """Who has no connection any more, and since when."""
        # Another game may have fewer seats.
        self._gone_since = {
            seat: self._gone_since.get(seat, now)
            for seat, chair in enumerate(self._table.chairs)
            if chair.player and not chair.away and seat not in present
        }

    def came(self, seat: int) -> None:
        """Somebody has just connected."""
        self._gone_since.pop(seat, None)

    def keep_seats(self, now: float) -> None:
        """Whoever is gone is waited for anew."""
        self._gone_since = dict.fromkeys(self._gone_since, now)

    def go_on(self, now: float) -> None:
        """While nobody looked, no time passed at the table."""
        self._cards_since = self._turn_since = now
        self.keep_seats(now)

    # -- what is due -----------------------------------------------------------------------------------------

    def clock_due(self) -> float | None:
        """When the player to act runs out of time."""
        due = self._table.next_due(())
        if not self._table.created.clock or not isinstance(due, Turn) or due.level:
            return None
        return self._turn_since + self._table.created.clock

    def runs_out(self, now: float) -> bool:
        """The time of the player to act has just run out."""
        due = self.clock_due()
        return due is not None and due <= now and not self.out_of_time

    def bot_due(self) -> float | None:
        """When a computer player moves."""
        due = self._table.next_due((), out_of_time=self.out_of_time)
        return self._cards_since + self._settings.pace if isinstance(due, Turn) and due.level else None

    def next_due(self, present: Collection[int]) -> float | None:
        """When the next hand is dealt without anybody asking for it."""
        due = self._table.next_due(present)
        pauses = {
            Deal.NOW: 0.0,
            Deal.AFTER_THE_CUT: self._settings.cut_pause,
            Deal.NOBODY_THERE: _BOTS_ALONE,
            Deal.NOT_READY: self._settings.next_after,
        }
        return self._cards_since + pauses[due] if isinstance(due, Deal) else None

    def away_due(self) -> float | None:
        """When the first of those who are gone loses the seat to a computer player."""
        if not self._gone_since:
            return None
        return min(self._gone_since.values()) + self._settings.away_after

    def gone(self, now: float) -> list[int]:
        """Seats that were kept long enough."""
        longest = self._settings.away_after
        return [seat for seat, since in self._gone_since.items() if since + longest <= now]

    def still_gone(self, seats: Collection[int]) -> list[int]:
        return [seat for seat in seats if seat in self._gone_since]

    def soonest(self, present: Collection[int], *, watched: bool) -> float | None:
        """When something is due. At a table that nobody looks at, that is only the deal after a cut: what was
        asked for is not left half made."""
        dues: list[float | None] = []
        if watched or self._table.waits_after_cut:
            dues.append(self.next_due(present))
        if watched:
            dues += [self.bot_due(), self.away_due(), None if self.out_of_time else self.clock_due()]
        return min((due for due in dues if due is not None), default=None)
