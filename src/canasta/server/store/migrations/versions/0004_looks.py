"""What the name of an account looks like, so that nobody has one that could be taken for it."""

import sqlalchemy as sa
from alembic import op

from canasta.table.names import name_look

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("players", sa.Column("look", sa.Text))
    players = sa.table("players", *map(sa.column, ("id", "name", "account", "created", "look")))
    connection = op.get_bind()
    accounts = (
        sa.select(players.c.id, players.c.name)
        .where(players.c.account.is_not(None))
        .order_by(players.c.created, players.c.id)
    )
    # Accounts that look alike already keep their names. The oldest stands for all of them.
    oldest: dict[str, str] = {}
    for player, name in connection.execute(accounts):
        oldest.setdefault(name_look(name), player)
    for look, player in oldest.items():
        connection.execute(sa.update(players).where(players.c.id == player).values(look=look))
    op.create_index("players_by_look", "players", ["look"], unique=True)


def downgrade() -> None:
    op.drop_index("players_by_look", "players")
    op.drop_column("players", "look")
