"""Timers of a table: the player's clock, the bots' pace, the next deal, and seats of disconnected players.

All times are those of the event loop.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from canasta.server.settings import Settings
from canasta.table.log import CameBack, Entry, Moved, RoundVoided, Seated, SeatsCut
from canasta.table.next_action import Deal, Turn, next_action
from canasta.table.seed_rounds import new_seed
from canasta.table.table import Table

_BOTS_ALONE: Final = 10.0
"""Seconds until the next hand if only computer players are seated and someone is watching."""
IDLE_TURNS: Final = 2
"""Number of consecutive expired turns after which a computer player takes a seat at a public table."""


class TableTimers:
    def __init__(self, table: Table, settings: Settings, now: float) -> None:
        self._table = table
        self._settings = settings
        self._cards_since = now
        """Time of the last change of the cards, from which bots count their pause."""
        self._move_state = table.move_state
        """The table's `move_state` at that time."""
        self._turn: tuple[int, int] = (0, -1)
        """Hand and seat whose clock is running."""
        self._turn_since = now
        self.out_of_time: bool = False
        """True if the player's time for this turn has run out: a computer player finishes the turn."""
        self._idle_turns: Counter[int] = Counter()
        """Consecutive expired turns, by seat."""
        self._gone_since: dict[int, float] = {
            seat: now for seat, chair in enumerate(table.chairs) if chair.player and not chair.away
        }
        """Time since which a seat's player is disconnected from all processes, by seat."""

    # -- updates ---------------------------------------------------------------------------------------------

    def update(self, entries: Sequence[Entry], now: float) -> None:
        """Update after these entries have been applied."""
        table = self._table
        if table.move_state != self._move_state or any(isinstance(entry, SeatsCut) for entry in entries):
            self._move_state, self._cards_since = table.move_state, now
        for entry in entries:
            if isinstance(entry, Moved) and entry.by == "clock":
                self._idle_turns[entry.seat] += 1
            elif (isinstance(entry, Moved) and entry.by == "person") or isinstance(entry, (CameBack, Seated)):
                del self._idle_turns[entry.seat]
        turn = table.current_turn
        came_back = any(isinstance(entry, CameBack) and entry.seat == table.to_act for entry in entries)
        if turn != self._turn or came_back:
            self._turn, self._turn_since, self.out_of_time = turn, now, False

    def note_gone(self, present: Collection[int], now: float) -> None:
        """Update the set of disconnected seats."""
        # Rebuild the dict, since another game may have fewer seats.
        self._gone_since = {
            seat: self._gone_since.get(seat, now)
            for seat, chair in enumerate(self._table.chairs)
            if chair.player and not chair.away and seat not in present
        }

    def connected(self, seat: int) -> None:
        """Note that the player in this seat has connected."""
        self._gone_since.pop(seat, None)

    def keep_seats(self, now: float) -> None:
        """Restart the waiting time for all disconnected players."""
        self._gone_since = dict.fromkeys(self._gone_since, now)

    def resume(self, now: float) -> None:
        """Resume the clocks: they don't run while nobody is watching."""
        self._cards_since = self._turn_since = now
        self.keep_seats(now)

    # -- due times -------------------------------------------------------------------------------------------

    def clock_due(self) -> float | None:
        """Return the time at which the player to act runs out of time; `None` if no clock is running."""
        due = next_action(self._table, ())
        if not isinstance(due, Turn) or due.level:
            return None
        seconds = self._table.created.clock or self._without_clock(due.seat)
        return self._turn_since + seconds if seconds else None

    def _without_clock(self, seat: int) -> float:
        """Return the seconds per turn at a table without a clock; 0: unlimited. At a public table, turns are
        always limited."""
        others = any(other != seat for other in self._table.people)
        return self._settings.public_turn if self._table.created.public and others else 0.0

    def idle_seats(self) -> list[int]:
        """Return seats of a public table whose players let several turns in a row expire."""
        if not self._table.created.public:
            return []
        chairs = enumerate(self._table.chairs)
        return [seat for seat, chair in chairs if not chair.has_bot and self._idle_turns[seat] >= IDLE_TURNS]

    def runs_out(self, now: float) -> bool:
        """Return whether the player's time has just run out."""
        due = self.clock_due()
        return due is not None and due <= now and not self.out_of_time

    def bot_due(self) -> float | None:
        """Return the time at which a computer player moves; `None` if it isn't a bot's turn."""
        due = next_action(self._table, (), out_of_time=self.out_of_time)
        return self._cards_since + self._settings.pace if isinstance(due, Turn) and due.level else None

    def deal_due(self, present: Collection[int]) -> float | None:
        """Return the time at which the next hand is dealt automatically; `None` if no deal is pending."""
        due = next_action(self._table, present)
        pauses = {
            Deal.NOW: 0.0,
            Deal.AFTER_THE_CUT: self._settings.cut_pause,
            Deal.NOBODY_THERE: _BOTS_ALONE,
            Deal.NOT_READY: self._settings.next_after,
        }
        return self._cards_since + pauses[due] if isinstance(due, Deal) else None

    def away_due(self) -> float | None:
        """Return the time at which the first disconnected player loses the seat to a computer player; `None`
        if all are connected."""
        if not self._gone_since:
            return None
        return min(self._gone_since.values()) + self._settings.away_after

    def absent_seats(self, now: float) -> list[int]:
        """Return the seats of players who have been disconnected for too long."""
        longest = self._settings.away_after
        return [seat for seat, since in self._gone_since.items() if since + longest <= now]

    def still_absent(self, seats: Collection[int]) -> list[int]:
        return [seat for seat in seats if seat in self._gone_since]

    def next_due(self, present: Collection[int], *, watched: bool) -> float | None:
        """Return the time at which something is due next; `None` if nothing is.

        At a table without viewers, only the deal after a cut can be due.
        """
        dues: list[float | None] = []
        if watched or self._table.waits_after_cut:
            dues.append(self.deal_due(present))
        if watched:
            dues += [self.bot_due(), self.away_due(), None if self.out_of_time else self.clock_due()]
        return min((due for due in dues if due is not None), default=None)


# -- players' seeds ------------------------------------------------------------------------------------------

_FOR_THE_LOST: Final = 3
"""Factor by which the time limit of a closed list is longer for a disconnected player, who may return. It
also limits the whole round."""


class SeedTimeouts:
    """Time limits for `table.seed_rounds`.

    They decide when the list of commitments is closed without a missing player, and when a round is void.
    """

    def __init__(self, table: Table, seconds: float, now: float) -> None:
        self._table = table
        self._seconds = seconds
        self._since = now
        """Time at which the current stage of the round began; after a restart, when the table was loaded."""
        self._came: dict[int, float] = {}
        """Time of connection by seat: a player can't have known of the round before."""
        self._stage = self._where()

    def _where(self) -> tuple[int, int, bool, bool]:
        shuffling = self._table.shuffling
        return (shuffling.hand, shuffling.number, shuffling.asked, shuffling.closed)

    def update(self, now: float) -> None:
        """Update after a change of the table."""
        if self._where() != self._stage:
            self._stage, self._since = self._where(), now
            self._came.clear()

    def connected(self, seat: int, now: float) -> None:
        """Note that the player in this seat has just connected."""
        self._came[seat] = now

    def following_entries(
        self, entries: Sequence[Entry], present: Collection[int], now: float
    ) -> list[Entry]:
        """Return the entries to append after these, which are about to be written."""
        shuffling = self._table.shuffling
        for entry in entries:
            shuffling = shuffling.after(entry)
        begins_now = shuffling.asked and not self._table.shuffling.asked

        def is_awaited(seat: int) -> bool:
            if begins_now:
                return self._seconds > 0
            return self._until(seat, present) > now

        return self._table.following_entries(entries, is_awaited)

    def open_for(self, seat: int, present: Collection[int], now: float) -> float:
        """Return the seconds for which the list of commitments stays open to this connected seat."""
        return self._until(seat, {*present, seat}) - now if self._table.is_dealing else self._seconds

    def _until(self, seat: int, present: Collection[int]) -> float:
        """Return the time at which the current round stops waiting for this seat."""
        longest = self._since + self._seconds * _FOR_THE_LOST
        if seat in present:
            # Reconnecting again and again must not delay the deal forever.
            return min(max(self._since, self._came.get(seat, self._since)) + self._seconds, longest)
        return longest if self._table.shuffling.closed else self._since + self._seconds

    def _awaited(self) -> list[int]:
        shuffling = self._table.shuffling
        return shuffling.unrevealed if shuffling.closed else shuffling.missing(self._table.people)

    def due(self, present: Collection[int]) -> float | None:
        """Return the time at which the round continues on its own; `None` if no deal is pending."""
        if not self._table.is_dealing:
            return None
        return max((self._until(seat, present) for seat in self._awaited()), default=self._since)

    def next_entries(self, present: Collection[int], now: float) -> list[Entry]:
        """Return the entries to append once the round is due."""
        if self._table.shuffling.closed and self._table.shuffling.unrevealed:
            voided: list[Entry] = [RoundVoided(next_seed=new_seed())]
            return [*voided, *self._after_void(voided)]
        return self.following_entries([], present, now)

    def _after_void(self, voided: Sequence[Entry]) -> list[Entry]:
        """Return the entries that follow a void round. If no player is left in it, the server deals alone at
        once."""
        return self._table.following_entries(voided, lambda _: self._seconds > 0)
