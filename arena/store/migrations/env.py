"""What alembic runs: the steps that are missing, on the connection (and in the transaction) of `opening`."""

from alembic import context

from arena.store.engine.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
