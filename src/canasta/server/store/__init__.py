"""Persistent data: table logs, players, the schema and its migrations.

SQLite by default, PostgreSQL by URL; this package doesn't know the rules of the game.
"""

from canasta.errors import CanastaError


class ConflictError(CanastaError):
    """Raised if another writer was first: the seq, command id or name is taken."""


class DatabaseError(CanastaError):
    """Raised if the database is unavailable or can't be used.

    A write that fails this way may still have been committed.
    """

    def __init__(self, problem: str, *, is_damaged: bool = False) -> None:
        super().__init__(problem)
        self.is_damaged = is_damaged
        """Whether the database answers, but lacks tables or is damaged. Then the message has no path."""
