"""Turn alerts: notify a player who is to move, has no page open, and keeps others waiting."""

import asyncio
from collections.abc import Callable, Collection

from canasta.server.accounts.push import Pusher
from canasta.table.next_action import Turn, next_action
from canasta.table.table import Table


class Bell:
    def __init__(
        self, table: Table, pusher: Pusher | None, after: float, present: Callable[[], Collection[int]]
    ) -> None:
        self._table = table
        self._pusher = pusher
        self._after = after
        self._present = present
        self._turn = table.current_turn
        self._since = table.move_state
        """State in which this turn began; it is the same in all processes."""
        self._rung = False
        self._timer: asyncio.TimerHandle | None = None

    def look(self) -> None:
        """Update after a change of the table or a disconnect."""
        if self._pusher is None:
            return
        turn = self._table.current_turn
        if turn != self._turn:
            self.stop()
            self._turn, self._since, self._rung = turn, self._table.move_state, False
        if not self._rung and self._timer is None and self._missing():
            self._timer = asyncio.get_running_loop().call_later(self._after, self._ring)

    def _missing(self) -> str:
        """Return the disconnected player who is to move; empty if there isn't one or nobody else is
        waiting."""
        table, due = self._table, next_action(self._table, ())
        if not isinstance(due, Turn) or due.level or due.seat in self._present():
            return ""
        others = any(chair.player for seat, chair in enumerate(table.chairs) if seat != due.seat)
        return table.chairs[due.seat].player if others else ""

    def _ring(self) -> None:
        self._timer = None
        player = self._missing()
        if player and self._pusher is not None:
            self._rung = True
            self._pusher.tell(player, self._table.name, self._since)

    def stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
