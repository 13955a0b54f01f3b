"""The database behind review queue and audit trail: SQLite by default, PostgreSQL for teams (extra `store`).

    store = Store("sqlite:///grounding.db")                      # or "postgresql+psycopg://user@host/name"

Opening a store brings its tables to the newest revision. Several processes may open, migrate and write at once.
"""

from __future__ import annotations

try:  # asked for here, so that the message names the extra
    import alembic as _alembic  # noqa: F401
    import sqlalchemy as _sqlalchemy  # noqa: F401
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        f"the review queue and the SQL audit trail need {str(error.name).partition('.')[0]}, which is not installed: "
        'pip install "grounding-middleware[store]"'
    ) from error

from grounding_middleware.store.database import Store
from grounding_middleware.store.migrating import pending, upgrade

__all__ = ["Store", "pending", "upgrade"]
