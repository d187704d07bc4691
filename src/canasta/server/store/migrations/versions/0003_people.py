"""Labels and last use of sessions, known devices, who sat at which table, and the house's clock."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def _player() -> sa.Column[str]:
    return sa.Column(
        "player_id", sa.String(64), sa.ForeignKey("players.id", ondelete="CASCADE"), nullable=False
    )


def upgrade() -> None:
    op.add_column("sessions", sa.Column("used", sa.Float, nullable=False, server_default="0"))
    op.add_column("sessions", sa.Column("device", sa.String(64), nullable=False, server_default=""))
    op.create_table(
        "devices",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        _player(),
        sa.Column("used", sa.Float, nullable=False),
    )
    op.create_index("devices_by_player", "devices", ["player_id"])
    op.create_table(
        "sittings",
        sa.Column(
            "player_id", sa.String(64), sa.ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("table_id", sa.String(64), primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("now", sa.Float, nullable=False),
        sa.Column("wall", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for table in ("clock", "sittings", "devices"):
        op.drop_table(table)
    op.drop_column("sessions", "device")
    op.drop_column("sessions", "used")
