"""Where a table's frames come from: the same messages, whether the game runs here or on a server."""

import secrets
from collections.abc import Callable
from typing import Literal, Protocol

from canasta.table.wire import AnyFrame
from canasta.table.wire_commands import AnyCommand

LinkState = Literal["here", "connecting", "connected", "lost", "ended"]
"""`here` is a table of this very program; `ended` is a connection that will not come back."""

Hear = Callable[[AnyFrame], None]
Sign = Callable[[LinkState, str], None]
"""Told how the connection stands, with a sentence where something is wrong."""


class TableSource(Protocol):
    """Sends frames to `hear` while `run` runs, and takes the commands of one player."""

    async def run(self, hear: Hear, sign: Sign) -> None: ...

    def send(self, command: AnyCommand) -> None: ...

    def hurry(self) -> None:
        """The player does not want to wait for computer players."""

    @property
    def is_local(self) -> bool: ...


def new_id() -> str:
    """A name for a command, which no other command has."""
    return secrets.token_hex(8)
