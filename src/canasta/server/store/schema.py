"""The database schema and its migration.

A new database is created directly; an older one goes through the migrations. Alembic is imported only if
there is something to migrate, because that takes longer than everything else here.
"""

from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    insert,
    inspect,
    select,
    text,
    true,
)

from canasta.server.store import DatabaseError

HEAD = "0.1.0"
"""Latest revision in `migrations/versions`."""

metadata = MetaData()

tables = Table(
    "tables",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("public", Boolean, nullable=False),
    Column("status", String(16), nullable=False),
    Column("created", Float, nullable=False),
    Column("updated", Float, nullable=False),
)
LISTED = text("public AND status <> 'over'")
"""Condition for tables in the lobby. A database uses the partial index only if the query repeats this
condition."""
Index("tables_in_lobby", tables.c.updated, sqlite_where=LISTED, postgresql_where=LISTED)

# Rows are never deleted, except for practice tables, and never changed, except to remove the names of deleted
# players. No foreign key: the log is the hot path, and a table's first entry is written together with its row
# in `tables`.
log = Table(
    "log",
    metadata,
    Column("table_id", String(64), primary_key=True),
    Column("seq", Integer, primary_key=True, autoincrement=False),
    Column("command", Text),
    Column("payload", LargeBinary, nullable=False),
    sqlite_with_rowid=False,
)
Index(
    "log_commands",
    log.c.table_id,
    log.c.command,
    unique=True,
    sqlite_where=log.c.command.is_not(None),
    postgresql_where=log.c.command.is_not(None),
)

players = Table(
    "players",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("name", String(64), nullable=False),
    # Key of an account's name; null for guests, whose names need not be unique.
    Column("account", Text, unique=True),
    Column("password_hash", Text),
    Column("created", Float, nullable=False),
    # Look-alike key of an account's name (`name_looks.name_look`).
    Column("look", Text),
)
Index("players_by_look", players.c.look, unique=True)

sessions = Table(
    "sessions",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("created", Float, nullable=False),
    Column("expires", Float, nullable=False),
    Column("used", Float, nullable=False, server_default="0"),
    # A label such as `Firefox, Linux`, so that players recognize their own sessions.
    Column("device", String(64), nullable=False, server_default=""),
)
Index("sessions_by_player", sessions.c.player_id)
Index("sessions_by_expiry", sessions.c.expires)

# Browsers from which an account's owner has signed in: strangers can't lock these out.
devices = Table(
    "devices",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("used", Float, nullable=False),
)
Index("devices_by_player", devices.c.player_id)

# Push subscriptions for turn alerts; at most one per browser.
pushes = Table(
    "pushes",
    metadata,
    Column("session", String(64), ForeignKey("sessions.token_hash", ondelete="CASCADE"), primary_key=True),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(90), nullable=False),
    Column("auth", String(30), nullable=False),
    Column("language", String(8), nullable=False),
    Column("made", Float, nullable=False),
    # The last announced turn, so that no two processes send an alert for the same one.
    Column("told", String(100), nullable=False, server_default=""),
)
Index("pushes_by_endpoint", pushes.c.endpoint)

# The tables that name a player, in a seat or in the session's results.
sittings = Table(
    "sittings",
    metadata,
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("table_id", String(64), primary_key=True),
    sqlite_with_rowid=False,
)

# Finished games and imported records, one row per player.
games = Table(
    "games",
    metadata,
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    # The table's name; `my.…` for an imported record.
    Column("id", String(64), primary_key=True),
    Column("ended", Float, nullable=False),
    # JSON of a `PlayedGame`.
    Column("told", LargeBinary, nullable=False),
    # Text of an imported record, compressed.
    Column("record", LargeBinary),
    sqlite_with_rowid=False,
)
Index("games_by_id", games.c.id)

# Completed lessons and similar items.
progress = Table(
    "progress",
    metadata,
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    # Such as `lesson:frozen`.
    Column("thing", String(64), primary_key=True),
    Column("done", Float, nullable=False),
    sqlite_with_rowid=False,
)

# Each player's first answer to each puzzle, with the player's rating after it.
puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("puzzle", String(16), primary_key=True),
    # The player's answers in order, from 0.
    Column("number", Integer, nullable=False),
    Column("choice", Integer, nullable=False),
    Column("right", Boolean, nullable=False),
    Column("answered", Float, nullable=False),
    Column("value", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    # Whether the answer changed the player's rating.
    Column("rated", Boolean, nullable=False, server_default=true()),
    sqlite_with_rowid=False,
)
Index("puzzle_answers_in_order", puzzle_answers.c.player_id, puzzle_answers.c.number, unique=True)

# Puzzle ratings from the answers; they contain no names.
puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", String(16), primary_key=True),
    Column("value", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
)

# Keyed hashes of addresses that have recently seen a puzzle's solution.
puzzle_sights = Table(
    "puzzle_sights",
    metadata,
    Column("puzzle", String(16), primary_key=True),
    Column("place", String(32), primary_key=True),
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("seen", Float, nullable=False),
    # Whether the answer also changed the puzzle's rating.
    Column("moved", Boolean, nullable=False),
    sqlite_with_rowid=False,
)
Index("puzzle_sights_by_place", puzzle_sights.c.place)
Index("puzzle_sights_by_player", puzzle_sights.c.player_id)

# One key per day for hashing addresses. Once a key is deleted, its hashes are meaningless.
address_keys = Table(
    "address_keys",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("secret", String(64), nullable=False),
    Column("made", Float, nullable=False),
)

# Deals of the day. The seeds are secret until the day is over.
days = Table(
    "days",
    metadata,
    Column("date", String(10), primary_key=True),
    Column("seed", String(64), nullable=False),
    # JSON of a `DayGame`.
    Column("game", LargeBinary, nullable=False),
    Column("made", Float, nullable=False),
    # JSON: the bots' results, by level.
    Column("computers", LargeBinary),
)

# Each player's first try of a day.
day_tries = Table(
    "day_tries",
    metadata,
    Column("date", String(10), primary_key=True),
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("table_id", String(64), nullable=False),
    Column("began", Float, nullable=False),
    Column("points", Integer),
    Column("ended", Float),
    # The hand was over before the seed was revealed, and the result is ranked.
    Column("counted", Boolean, nullable=False),
    # The result is ranked if the hand is over in time.
    Column("counts", Boolean, nullable=False, server_default=true()),
    # Keyed hashes of the address and of its IPv6 /48, which is empty for IPv4.
    Column("place", String(32), nullable=False, server_default=""),
    Column("site", String(32), nullable=False, server_default=""),
    sqlite_with_rowid=False,
)
Index("day_tries_by_player", day_tries.c.player_id)

# Players being deleted; their names are removed from one table after the other.
deletions = Table(
    "deletions",
    metadata,
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("asked", Float, nullable=False),
)

# One row: the session clock and the system clock at the same moment.
clock = Table(
    "clock",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("now", Float, nullable=False),
    Column("wall", Float, nullable=False),
)

# The server processes on this database. A process with connections increments its counter every few seconds;
# one whose counter stops is dead.
processes = Table(
    "processes",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("beat", Integer, nullable=False),
    # Written and cleared by health checks to verify that the disk has space.
    Column("room", LargeBinary),
)

# Connections by table, player and process.
presence = Table(
    "presence",
    metadata,
    Column("table_id", String(64), primary_key=True),
    Column("player_id", String(64), primary_key=True),
    Column("process", String(32), primary_key=True),
)
Index("presence_by_process", presence.c.process)

alembic_version = Table(
    "alembic_version", MetaData(), Column("version_num", String(32), primary_key=True, nullable=False)
)
"""Alembic's table of the current revision, in separate metadata because it isn't one of ours."""


def bring_up_to_date(connection: Connection) -> None:
    """Create the tables, or migrate existing ones, in the caller's transaction.

    Raise `DatabaseError`, without changing anything, if this version of canasta can't use the database.
    """
    if connection.dialect.name == "postgresql":
        # Serialize processes that start at the same time.
        connection.execute(text("SELECT pg_advisory_xact_lock(7426341)"))
    present = set(inspect(connection).get_table_names())
    if alembic_version.name in present:
        revision = connection.execute(select(alembic_version.c.version_num)).scalar()
        if revision != HEAD:
            migrate(connection)
        return
    if present & set(metadata.tables):
        raise DatabaseError(
            "The database has tables that canasta did not make. Choose another database or file."
        )
    metadata.create_all(connection)
    alembic_version.create(connection)
    connection.execute(insert(alembic_version).values(version_num=HEAD))


def migrate(connection: Connection) -> None:
    """Migrate a database of an older version."""
    from alembic import command  # noqa: PLC0415 - slow import, rarely needed
    from alembic.config import Config  # noqa: PLC0415 - as above
    from alembic.util import CommandError  # noqa: PLC0415 - as above

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "canasta.server.store:migrations")
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise DatabaseError(
            "This canasta can't read the database: it's from a newer version, or from a build before 0.1.0. "
            "Update canasta, or choose another database."
        ) from error
