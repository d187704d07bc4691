"""Answers to puzzles, and the ratings of solvers and puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_table(
        "puzzle_answers",
        sa.Column(
            "player_id", sa.String(64), sa.ForeignKey("players.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("puzzle", sa.String(16), primary_key=True),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("choice", sa.Integer, nullable=False),
        sa.Column("right", sa.Boolean, nullable=False),
        sa.Column("answered", sa.Float, nullable=False),
        sa.Column("value", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("puzzle_answers_in_order", "puzzle_answers", ["player_id", "number"], unique=True)
    op.create_table(
        "puzzle_ratings",
        sa.Column("puzzle", sa.String(16), primary_key=True),
        sa.Column("value", sa.Float, nullable=False),
        sa.Column("deviation", sa.Float, nullable=False),
        sa.Column("volatility", sa.Float, nullable=False),
    )


def downgrade() -> None:
    op.drop_table("puzzle_ratings")
    op.drop_index("puzzle_answers_in_order", "puzzle_answers")
    op.drop_table("puzzle_answers")
