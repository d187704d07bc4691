"""How far people have come in lessons and the like."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "progress",
        sa.Column(
            "player_id", sa.String(64), sa.ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("thing", sa.String(64), primary_key=True),
        sa.Column("done", sa.Float, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("progress")
