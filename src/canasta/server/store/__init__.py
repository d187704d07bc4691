"""Persistent data: table logs, players, the schema and its migrations.

SQLite by default, PostgreSQL by URL; this package doesn't know the rules of the game.
"""


class Conflict(Exception):
    """Raised if another writer was first: the seq, command id or name is taken."""


class Unavailable(Exception):
    """Raised if the database is unavailable or can't be used.

    A write that fails this way may still have been committed.
    """


class DatabaseDamaged(Unavailable):
    """Raised if the database answers, but tables are missing or its file is damaged.

    The message contains no path or host.
    """
