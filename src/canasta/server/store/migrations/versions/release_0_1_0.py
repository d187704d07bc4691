"""The tables of canasta 0.1.0.

`tests/golden/schema.sql` has them in full. The first revision after this one has to write them out here.
"""

from alembic import op

from canasta.server.store.schema import metadata

revision = "0.1.0"
down_revision = None


def upgrade() -> None:
    metadata.create_all(op.get_bind())
