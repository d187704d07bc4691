"""Where notices go for people whose page is closed."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "pushes",
        sa.Column(
            "session",
            sa.String(64),
            sa.ForeignKey("sessions.token_hash", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("endpoint", sa.Text, nullable=False),
        sa.Column("p256dh", sa.String(90), nullable=False),
        sa.Column("auth", sa.String(30), nullable=False),
        sa.Column("language", sa.String(8), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("told", sa.String(100), nullable=False, server_default=""),
    )
    op.create_index("pushes_by_endpoint", "pushes", ["endpoint"])


def downgrade() -> None:
    op.drop_index("pushes_by_endpoint", "pushes")
    op.drop_table("pushes")
