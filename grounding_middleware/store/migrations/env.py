"""What alembic runs: on the connection it is handed, inside the transaction of whoever called."""

from alembic import context

from grounding_middleware.store.migrating import VERSION_TABLE
from grounding_middleware.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
)
context.run_migrations()
