"""Brings a database to the newest revision, from empty or from any earlier one, once, whoever else tries.

The scripts in `migrations/` run inside one transaction: a migration that fails or is killed changes nothing.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, text

from grounding_middleware.errors import ConfigError
from grounding_middleware.store.engines import WRITING

__all__ = ["VERSION_TABLE", "pending", "upgrade"]

VERSION_TABLE: Final = "grounding_version"  # not alembic's own name: the database may hold an application's tables, too
_SCRIPTS: Final = Path(__file__).parent / "migrations"
_LOCK: Final = 7_238_164_905  # any number of our own: PostgreSQL's lock for whoever migrates


def upgrade(engine: Engine, revision: str = "head") -> None:
    """Run the scripts that are missing up to `revision`, if any. Raises `ConfigError` for a newer database."""
    if revision == "head" and not pending(engine):
        return  # the usual case takes no lock
    with engine.execution_options(**WRITING).begin() as connection:
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:number)"), {"number": _LOCK})
        if _pending(connection):  # another process may have been faster
            command.upgrade(_config(connection), revision)


def pending(engine: Engine) -> tuple[str, ...]:
    """The revisions this database lacks, oldest first. Raises `ConfigError` when it is newer than this code."""
    with engine.connect() as connection:
        return _pending(connection)


def _pending(connection: Connection) -> tuple[str, ...]:
    context = MigrationContext.configure(connection, opts={"version_table": VERSION_TABLE})
    scripts = ScriptDirectory(str(_SCRIPTS))
    known = [script.revision for script in scripts.walk_revisions()]  # newest first
    present = context.get_current_heads()
    unknown = sorted(set(present) - set(known))
    if unknown:
        raise ConfigError(
            f"url: the database is at revision {unknown[0]!r}, this version of grounding-middleware knows at most "
            f"{known[0]!r}; install the newer version that migrated it"
        )
    newer = known[: known.index(present[0])] if present else known
    return tuple(reversed(newer))


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))  # a configuration file's percent sign
    config.attributes["connection"] = connection
    return config
