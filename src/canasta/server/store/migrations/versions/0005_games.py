"""The games that people have played, and records that they keep."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    op.create_table(
        "games",
        sa.Column(
            "player_id", sa.String(64), sa.ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("ended", sa.Float, nullable=False),
        sa.Column("told", sa.LargeBinary, nullable=False),
        sa.Column("record", sa.LargeBinary),
        sqlite_with_rowid=False,
    )
    op.create_index("games_by_id", "games", ["id"])


def downgrade() -> None:
    op.drop_index("games_by_id", "games")
    op.drop_table("games")
