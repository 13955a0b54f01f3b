"""Every database ends at the newest revision, once, whatever it was before; what is in it stays."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from grounding_middleware import ConfigError
from grounding_middleware.store import Store, migrating, pending, tables, upgrade
from grounding_middleware.store.engines import engine_for

SCRIPTS = ScriptDirectory(str(Path(migrating.__file__).parent / "migrations"))
REVISIONS = [script.revision for script in SCRIPTS.walk_revisions()][::-1]
PROCESSES = Path(__file__).with_name("processes.py")


@pytest.fixture
def engine(database_url: str) -> Iterator[sa.Engine]:
    engine = engine_for(database_url, timeout=10)
    yield engine
    engine.dispose()


def differences(engine: sa.Engine) -> list[object]:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": migrating.VERSION_TABLE})
        return compare_metadata(context, tables.metadata)


def test_from_empty(engine: sa.Engine) -> None:
    """The scripts and the tables in code say the same."""
    assert pending(engine) == tuple(REVISIONS)
    upgrade(engine)
    assert pending(engine) == ()
    assert differences(engine) == []


@pytest.mark.parametrize("revision", REVISIONS[:-1])
def test_from_every_earlier_revision(engine: sa.Engine, revision: str) -> None:
    """Rows that were there before are there afterwards."""
    upgrade(engine, revision)
    assert pending(engine) == tuple(REVISIONS[REVISIONS.index(revision) + 1 :])
    row = {"id": "1", "answer_id": "a", "report_sha256": "h", "action": "ok", "reason": "", "question": "", "rank": 0}
    row |= {"state": "waiting", "reviewer": "", "claims": 0, "unsupported": 0, "report": "{}"}
    with engine.begin() as connection:
        before = sa.Table("review_items", sa.MetaData(), autoload_with=connection)
        connection.execute(before.insert().values(created_at=sa.func.current_timestamp(), **row))
    upgrade(engine)
    assert differences(engine) == []
    with engine.connect() as connection:
        assert connection.execute(sa.text("SELECT id, report FROM review_items")).all() == [("1", "{}")]


def test_again_changes_nothing(engine: sa.Engine) -> None:
    """Opening a database a second time runs no script."""
    upgrade(engine)
    upgrade(engine)
    assert differences(engine) == []


def test_going_back_is_refused(engine: sa.Engine) -> None:
    """It would lose rulings and proof; the database stays as it is."""
    upgrade(engine)
    for revision in [*REVISIONS[-2::-1], "base"]:
        with pytest.raises(NotImplementedError, match="lose data"), engine.begin() as connection:
            command.downgrade(migrating._config(connection), revision)
    assert pending(engine) == ()
    assert differences(engine) == []


def test_a_newer_database_is_refused(database_url: str) -> None:
    """Code that does not know a revision does not touch it, and says what to do."""
    with Store(database_url) as store, store.writing() as connection:
        versions = sa.table(migrating.VERSION_TABLE, sa.column("version_num"))
        connection.execute(versions.update().values(version_num="9999"))
    for migrate in (True, False):
        with pytest.raises(ConfigError, match=r"revision '9999'.*knows at most '\d{4}'; install the newer version"):
            Store(database_url, migrate=migrate)


def test_who_migrates_by_hand_is_told(database_url: str) -> None:
    """Without `migrate` a database that is behind is refused, and a current one is not."""
    with pytest.raises(ConfigError, match=f"lacks revision {', '.join(REVISIONS)}"):
        Store(database_url, migrate=False)
    Store(database_url).close()
    Store(database_url, migrate=False).close()


BROKEN = """
import sqlalchemy
from alembic import op

revision = "9999"
down_revision = "{before}"


def upgrade():
    op.create_table("half_done", sqlalchemy.Column("id", sqlalchemy.Integer))
    raise RuntimeError("stopped in the middle")
"""


def test_a_failed_migration_changes_nothing(engine: sa.Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All scripts run in one transaction, on SQLite, too: a half-migrated database does not exist."""
    scripts = tmp_path / "migrations"
    shutil.copytree(migrating._SCRIPTS, scripts)
    (scripts / "versions" / "broken.py").write_text(BROKEN.format(before=REVISIONS[-1]), "utf-8")
    monkeypatch.setattr(migrating, "_SCRIPTS", scripts)
    with pytest.raises(RuntimeError, match="stopped in the middle"):
        upgrade(engine)
    assert sa.inspect(engine).get_table_names() == []


def test_several_processes_migrate_at_once(database_url: str) -> None:
    """One does it, the others wait and find it done."""
    done = subprocess.run(
        [sys.executable, PROCESSES, "migrate", database_url, "6"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.split()[1::2]) == list("012345")
    with Store(database_url, migrate=False) as store:
        assert differences(store.engine) == []
