"""Deals of the day."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "days",
        sa.Column("date", sa.String(10), primary_key=True),
        sa.Column("seed", sa.String(64), nullable=False),
        sa.Column("game", sa.LargeBinary, nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("computers", sa.LargeBinary),
    )
    op.create_table(
        "day_tries",
        sa.Column("date", sa.String(10), primary_key=True),
        sa.Column(
            "player_id", sa.String(64), sa.ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("table_id", sa.String(64), nullable=False),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("points", sa.Integer),
        sa.Column("ended", sa.Float),
        sa.Column("counted", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("day_tries_by_player", "day_tries", ["player_id"])


def downgrade() -> None:
    op.drop_index("day_tries_by_player", "day_tries")
    op.drop_table("day_tries")
    op.drop_table("days")
