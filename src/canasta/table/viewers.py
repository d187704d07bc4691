"""Who looks at a table."""

from typing import Protocol


class Viewer(Protocol):
    """A connection to the table, as far as the table has to do with it."""

    player: str
    """Empty for somebody without a session, who can only watch."""
    name: str
    account: bool
    """The name is that of an account, and they own it."""
    home: str
    """The address that they are connected from; empty where it says nothing."""

    def show(self, text: str) -> None:
        """Send a state; one that was not sent yet is replaced by it."""

    def answer(self, text: str) -> None:
        """Send an answer, after what was sent before."""

    def close(self, code: int, reason: str) -> None: ...
