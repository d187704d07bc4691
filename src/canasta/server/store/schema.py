"""The tables of the database, and how a database is brought to this form.

A new database is made in one go; an older one is led through the migrations. Alembic is loaded only when
there is something to migrate, because loading it takes longer than everything else here.
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
)

HEAD = "0009"
"""The newest revision under `migrations/versions`."""

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
"""What a lobby shows. Part of an index, which a database uses only where a question says the same words."""
Index("tables_in_lobby", tables.c.updated, sqlite_where=LISTED, postgresql_where=LISTED)

# Nothing is ever removed here but tables for practice, and nothing changed but the names of people who delete
# their accounts. No foreign key: the log is the hot path, and a table's first entry is written with its row
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
    # Only an account owns its name; any number of guests may be called the same.
    Column("account", Text, unique=True),
    Column("password_hash", Text),
    Column("created", Float, nullable=False),
    # What the name of an account could be taken for (`names.name_look`).
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
    # A label such as `Firefox, Linux`, so that people know their own sessions.
    Column("device", String(64), nullable=False, server_default=""),
)
Index("sessions_by_player", sessions.c.player_id)
Index("sessions_by_expiry", sessions.c.expires)

# Browsers from which somebody has logged in to an account: strangers cannot keep these out.
devices = Table(
    "devices",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), nullable=False),
    Column("used", Float, nullable=False),
)
Index("devices_by_player", devices.c.player_id)

# Where notices go for people whose page is closed; one of each browser at most.
pushes = Table(
    "pushes",
    metadata,
    Column("session", String(64), ForeignKey("sessions.token_hash", ondelete="CASCADE"), primary_key=True),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", String(90), nullable=False),
    Column("auth", String(30), nullable=False),
    Column("language", String(8), nullable=False),
    Column("made", Float, nullable=False),
    # The turn of which it was last told, so that no two processes tell of the same.
    Column("told", String(100), nullable=False, server_default=""),
)
Index("pushes_by_endpoint", pushes.c.endpoint)

# The tables that know somebody: by a seat, or by the tally of an evening.
sittings = Table(
    "sittings",
    metadata,
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("table_id", String(64), primary_key=True),
    sqlite_with_rowid=False,
)

# Games that are over, and records from elsewhere, each as one person keeps it.
games = Table(
    "games",
    metadata,
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    # The table's name; `my.…` for a record from elsewhere.
    Column("id", String(64), primary_key=True),
    Column("ended", Float, nullable=False),
    # JSON of a `PlayedGame`.
    Column("told", LargeBinary, nullable=False),
    # The text of a record from elsewhere, compressed.
    Column("record", LargeBinary),
    sqlite_with_rowid=False,
)
Index("games_by_id", games.c.id)

# What somebody has done: lessons and the like.
progress = Table(
    "progress",
    metadata,
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    # `lesson:frozen`
    Column("thing", String(64), primary_key=True),
    Column("done", Float, nullable=False),
    sqlite_with_rowid=False,
)

# The first answer of each person to each puzzle, with the solver's rating after it.
puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("puzzle", String(16), primary_key=True),
    # From 0 on, of this person: the order in which they count.
    Column("number", Integer, nullable=False),
    Column("choice", Integer, nullable=False),
    Column("right", Boolean, nullable=False),
    Column("answered", Float, nullable=False),
    Column("value", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
    sqlite_with_rowid=False,
)
Index("puzzle_answers_in_order", puzzle_answers.c.player_id, puzzle_answers.c.number, unique=True)

# What the answers have made of the puzzles; nobody's name is in it.
puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", String(16), primary_key=True),
    Column("value", Float, nullable=False),
    Column("deviation", Float, nullable=False),
    Column("volatility", Float, nullable=False),
)

# The deals of the day. Their seeds lie here days before anybody may know them.
days = Table(
    "days",
    metadata,
    Column("date", String(10), primary_key=True),
    Column("seed", String(64), nullable=False),
    # JSON of a `DayGame`.
    Column("game", LargeBinary, nullable=False),
    Column("made", Float, nullable=False),
    # JSON: what computer players have made of it, by level.
    Column("computers", LargeBinary),
)

# Each person's one try of a day that counts.
day_tries = Table(
    "day_tries",
    metadata,
    Column("date", String(10), primary_key=True),
    Column("player_id", String(64), ForeignKey("players.id", ondelete="CASCADE"), primary_key=True),
    Column("table_id", String(64), nullable=False),
    Column("began", Float, nullable=False),
    Column("points", Integer),
    Column("ended", Float),
    # The hand was over before the seed was told to everybody.
    Column("counted", Boolean, nullable=False),
    sqlite_with_rowid=False,
)
Index("day_tries_by_player", day_tries.c.player_id)

# One row: the house's clock, and the system's at the same moment.
clock = Table(
    "clock",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("now", Float, nullable=False),
    Column("wall", Float, nullable=False),
)

# The server processes that use this database. A process that somebody is connected to raises its number every
# few seconds; one whose number stands still is gone.
processes = Table(
    "processes",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("beat", Integer, nullable=False),
    # Filled and emptied again to see whether the database can still grow.
    Column("room", LargeBinary),
)

# Who is connected to a table, and through which process.
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
"""Alembic's own note of where a database stands; in a `MetaData` of its own, for it is none of our tables."""


class UnknownDatabase(Exception):
    """The database is not one that this version of canasta can use."""


def bring_up_to_date(connection: Connection) -> None:
    """Make the tables, or migrate those that are there; runs in the caller's transaction."""
    if connection.dialect.name == "postgresql":
        # Processes that start together on one database take turns here.
        connection.execute(text("SELECT pg_advisory_xact_lock(7426341)"))
    present = set(inspect(connection).get_table_names())
    if alembic_version.name in present:
        revision = connection.execute(select(alembic_version.c.version_num)).scalar()
        if revision != HEAD:
            migrate(connection)
        return
    if present & set(metadata.tables):
        raise UnknownDatabase(
            "The database has tables that canasta did not make. Choose another database or file."
        )
    metadata.create_all(connection)
    alembic_version.create(connection)
    connection.execute(insert(alembic_version).values(version_num=HEAD))


def migrate(connection: Connection) -> None:
    """Lead a database of an older version through the migrations."""
    from alembic import command  # noqa: PLC0415 - see above: only when it is needed
    from alembic.config import Config  # noqa: PLC0415 - as above
    from alembic.util import CommandError  # noqa: PLC0415 - as above

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "canasta.server.store:migrations")
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise UnknownDatabase(
            "The database was written by a newer canasta. Update canasta, or choose another database."
        ) from error
