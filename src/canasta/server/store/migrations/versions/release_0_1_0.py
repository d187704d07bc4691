"""The tables of canasta 0.1.0."""

import sqlalchemy as sa
from alembic import op

revision = "0.1.0"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "address_keys",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("secret", sa.String(64), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("now", sa.Float, nullable=False),
        sa.Column("wall", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "days",
        sa.Column("date", sa.String(10), nullable=False),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("game", sa.LargeBinary, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("computers", sa.LargeBinary),
        sa.PrimaryKeyConstraint("date"),
    )
    op.create_table(
        "log",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("seq", sa.Integer, autoincrement=False, nullable=False),
        sa.Column("command", sa.Text),
        sa.Column("payload", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("table_id", "seq"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "log_commands",
        "log",
        ["table_id", "command"],
        unique=True,
        sqlite_where=sa.text("command IS NOT NULL"),
        postgresql_where=sa.text("command IS NOT NULL"),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("name", sa.String(64), nullable=False),
        sa.Column("account", sa.Text),
        sa.Column("password_hash", sa.Text),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("look", sa.Text),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("account"),
    )
    op.create_index("players_by_look", "players", ["look"], unique=True)
    op.create_table(
        "presence",
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("process", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("table_id", "player_id", "process"),
    )
    op.create_index("presence_by_process", "presence", ["process"])
    op.create_table(
        "processes",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("beat", sa.Integer, nullable=False),
        sa.Column("room", sa.LargeBinary),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("value", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("puzzle"),
    )
    op.create_table(
        "tables",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("public", sa.Boolean, nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("updated", sa.Float, nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index(
        "tables_in_lobby",
        "tables",
        ["updated"],
        sqlite_where=sa.text("public AND status <> 'over'"),
        postgresql_where=sa.text("public AND status <> 'over'"),
    )
    op.create_table(
        "day_tries",
        sa.Column("date", sa.String(10), nullable=False),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("points", sa.Integer),
        sa.Column("ended", sa.Float),
        sa.Column("counted", sa.Boolean, nullable=False),
        sa.Column("counts", sa.Boolean, server_default=sa.true(), nullable=False),
        sa.Column("place", sa.String(32), server_default="", nullable=False),
        sa.Column("site", sa.String(32), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("date", "player_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("day_tries_by_player", "day_tries", ["player_id"])
    op.create_table(
        "deletions",
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("asked", sa.Float, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id"),
    )
    op.create_table(
        "devices",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("used", sa.Float, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash"),
    )
    op.create_index("devices_by_player", "devices", ["player_id"])
    op.create_table(
        "games",
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("ended", sa.Float, nullable=False),
        sa.Column("told", sa.LargeBinary, nullable=False),
        sa.Column("record", sa.LargeBinary),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", "id"),
        sqlite_with_rowid=False,
    )
    op.create_index("games_by_id", "games", ["id"])
    op.create_table(
        "progress",
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("thing", sa.String(64), nullable=False),
        sa.Column("done", sa.Float, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", "thing"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "puzzle_answers",
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("choice", sa.Integer, nullable=False),
        sa.Column("right", sa.Boolean, nullable=False),
        sa.Column("answered", sa.Float, nullable=False),
        sa.Column("value", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sa.Column("rated", sa.Boolean, server_default=sa.true(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", "puzzle"),
        sqlite_with_rowid=False,
    )
    op.create_index("puzzle_answers_in_order", "puzzle_answers", ["player_id", "number"], unique=True)
    op.create_table(
        "puzzle_sights",
        sa.Column("puzzle", sa.String(16), nullable=False),
        sa.Column("place", sa.String(32), nullable=False),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("seen", sa.Float, nullable=False),
        sa.Column("moved", sa.Boolean, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("puzzle", "place", "player_id"),
        sqlite_with_rowid=False,
    )
    op.create_index("puzzle_sights_by_place", "puzzle_sights", ["place"])
    op.create_index("puzzle_sights_by_player", "puzzle_sights", ["player_id"])
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("expires", sa.Float, nullable=False),
        sa.Column("used", sa.Float, server_default="0", nullable=False),
        sa.Column("device", sa.String(64), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash"),
    )
    op.create_index("sessions_by_expiry", "sessions", ["expires"])
    op.create_index("sessions_by_player", "sessions", ["player_id"])
    op.create_table(
        "sittings",
        sa.Column("player_id", sa.String(64), nullable=False),
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("player_id", "table_id"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "pushes",
        sa.Column("session", sa.String(64), nullable=False),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(90), nullable=False),
        sa.Column("auth", sa.String(30), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("told", sa.String(100), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["session"], ["sessions.token_hash"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session"),
    )
    op.create_index("pushes_by_endpoint", "pushes", ["endpoint"])
