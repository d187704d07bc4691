"""Alembic's environment: uses the connection and transaction of the store that is being opened."""

from alembic import context

from canasta.server.store.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
