"""Sources of a table's frames: their interface, and the local table at a pace that people can follow."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Literal, Protocol

from canasta.table.next_action import Deal, Turn
from canasta.table.wire import AnyFrame
from canasta.table.wire_commands import AnyCommand, AskHint, NextHand, new_id
from canasta.terminal.fairness import Witness
from canasta.terminal.local_table import Host

LinkState = Literal["here", "connecting", "connected", "lost", "ended"]
"""`here` is a table in this process; `ended` is a connection that will not come back."""

Hear = Callable[[AnyFrame], None]
Sign = Callable[[LinkState, str], None]
"""A callback for the state of the connection, with an error message if something is wrong."""


class TableSource(Protocol):
    """Sends frames to `hear` while `run` runs, and accepts the commands of one player."""

    async def run(self, hear: Hear, sign: Sign) -> None: ...

    def send(self, command: AnyCommand) -> None: ...

    def hurry(self) -> None:
        """Skip the pause for computer players' moves."""

    @property
    def is_local(self) -> bool: ...

    @property
    def witness(self) -> Witness:
        """The witness of the present table."""


PACE: Final = 0.7
"""Seconds between the moves of computer players."""


class LocalTable:
    """The frames of a local table's host."""

    is_local = True

    def __init__(self, host: Host, *, pace: float = PACE) -> None:
        self.host = host
        self._pace = pace
        self._hear: Hear = lambda frame: None
        self._acted = asyncio.Event()
        """Set when the person has moved or is ready for the next hand."""
        self._hurry = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def witness(self) -> Witness:
        return self.host.witness

    async def run(self, hear: Hear, sign: Sign) -> None:
        """Play until the match is over."""
        self._hear = hear
        self.host.hear = lambda frame, _: hear(frame)
        self.host.warn = hear
        sign("here", "")
        hear(self.host.welcome())
        self.host.enter()
        while (due := self.host.due()) is not None:
            if isinstance(due, Turn) and due.level:
                await self._bot_moves(due)
            elif due is Deal.AFTER_THE_CUT:
                self.host.handle(NextHand(id=new_id()))
            else:
                await self._until_acted()

    async def _until_acted(self) -> None:
        # Clear `_acted` after waiting, so as not to lose a command sent before the wait.
        self._hurry.clear()
        await self._acted.wait()
        self._acted.clear()

    async def _bot_moves(self, turn: Turn) -> None:
        begun = asyncio.get_running_loop().time()
        # Think in a thread, so that the screen stays responsive.
        chosen = await asyncio.to_thread(self.host.choose, turn)
        rest = self._pace - (asyncio.get_running_loop().time() - begun)
        if rest > 0 and not self._hurry.is_set():
            with suppress(TimeoutError):
                await asyncio.wait_for(self._hurry.wait(), rest)
        self.host.play(turn, chosen)

    def hurry(self) -> None:
        self._hurry.set()

    def send(self, command: AnyCommand) -> None:
        if isinstance(command, AskHint):
            task = asyncio.get_running_loop().create_task(self._think(command))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        else:
            self._hear(self.host.handle(command))
            self._acted.set()

    async def _think(self, command: AskHint) -> None:
        self._hear(await asyncio.to_thread(self.host.handle, command))
