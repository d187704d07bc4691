"""Sources of a table's frames, with the same messages for local tables and servers."""

import secrets
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, Protocol

from canasta.table.wire import AnyFrame
from canasta.table.wire_commands import AnyCommand

if TYPE_CHECKING:
    from canasta.terminal.fairness import Witness

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
    def witness(self) -> "Witness":
        """The witness of the present table."""


def new_id() -> str:
    """Return a unique id for a command."""
    return secrets.token_hex(8)
