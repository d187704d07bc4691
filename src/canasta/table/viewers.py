"""The interface of connections that watch a table."""

from typing import Protocol


class Viewer(Protocol):
    """A connection to the table."""

    player: str
    """Empty for a spectator without a session."""
    name: str
    account: bool
    """Whether the name belongs to an account and the viewer owns it."""
    home: str
    """The viewer's network address; empty if it is unknown."""

    @property
    def is_behind(self) -> bool:
        """Whether the last state has not been sent yet. The next one will replace it."""

    @property
    def is_closing(self) -> bool:
        """Whether the connection is about to end, so that nothing more needs to be shown."""

    def show(self, text: str) -> None:
        """Send a state. It replaces one that has not been sent yet."""

    def answer(self, text: str) -> None:
        """Send an answer, after everything that was sent before."""

    def close(self, code: int, reason: str) -> None: ...
