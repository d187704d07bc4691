"""An index for the lobby; the processes that serve this database, and who is connected to which."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_LISTED = sa.text("public AND status <> 'over'")


def upgrade() -> None:
    op.drop_index("tables_by_time", "tables")
    op.create_index("tables_in_lobby", "tables", ["updated"], sqlite_where=_LISTED, postgresql_where=_LISTED)
    op.create_table(
        "processes",
        sa.Column("name", sa.String(32), primary_key=True),
        sa.Column("beat", sa.Integer, nullable=False),
        sa.Column("room", sa.LargeBinary),
    )
    op.create_table(
        "presence",
        sa.Column("table_id", sa.String(64), primary_key=True),
        sa.Column("player_id", sa.String(64), primary_key=True),
        sa.Column("process", sa.String(32), primary_key=True),
    )
    op.create_index("presence_by_process", "presence", ["process"])


def downgrade() -> None:
    op.drop_table("presence")
    op.drop_table("processes")
    op.drop_index("tables_in_lobby", "tables")
    op.create_index("tables_by_time", "tables", ["updated"])
