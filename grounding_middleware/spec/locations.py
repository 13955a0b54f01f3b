"""Where trails, queues and models are: URLs of databases, folders beside the spec, values of the environment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

from pydantic import AfterValidator, Discriminator, Field, Tag

from grounding_middleware.errors import ConfigError
from grounding_middleware.spec.tiers import Secret

__all__ = ["Folder", "Location", "beside", "secret", "url_beside"]

_DIALECTS: Final = ("sqlite", "postgresql")
_FORMS: Final = "sqlite:///FILE, postgresql+psycopg://HOST/NAME, or a reference to the environment: {env: NAME}"
_PASSWORD: Final = re.compile(r"://[^/@\s]*:[^/@\s]*@")
_SQLITE: Final = re.compile(r"(?P<head>sqlite(?:\+\w+)?:///)(?P<file>[^/?][^?]*)(?P<tail>\?.*)?", re.DOTALL)


def _database(url: str) -> str:
    """A URL the store can open, as far as its form tells, and without a password.

    That would stand in the spec, in its printed form and in every message.
    """
    if _PASSWORD.search(url):
        raise ValueError("a password stands in the URL; allowed is a reference to the environment: {env: NAME}")
    scheme, found, rest = url.partition("://")
    dialect = scheme.partition("+")[0]
    if not found:
        raise ValueError(f"no URL of a database; allowed are {_FORMS}")
    if dialect not in _DIALECTS:
        raise ValueError(f"the database {dialect!r:.40} is not known; allowed are {_FORMS}")
    if dialect == "sqlite" and not rest.startswith("/"):
        raise ValueError("sqlite:// takes a third slash before the file; allowed is sqlite:///FILE")
    if dialect == "sqlite" and rest[1:].partition("?")[0] in ("", ":memory:"):
        raise ValueError("a database in memory is lost with its process; allowed is sqlite:///FILE")
    return _printable(url)


def _printable(text: str) -> str:
    if not text.isprintable():
        raise ValueError("holds a character that cannot be seen; allowed are printable ones")
    return text


def _form(value: object) -> str:
    return "reference" if isinstance(value, Mapping | Secret) else "url"


Location = Annotated[
    Annotated[str, Field(min_length=1), AfterValidator(_database), Tag("url")] | Annotated[Secret, Tag("reference")],
    Discriminator(_form),
]
"""The URL of a database, or the variable that holds it; what is wrong is said about the one that was meant."""
Folder = Annotated[str, Field(min_length=1), AfterValidator(_printable)]


def beside(name: str, folder: Path | None) -> Path:
    """A file or folder that a spec names: relative ones count from `folder`, that of the spec, if it has one."""
    try:
        path = Path(name).expanduser()
    except RuntimeError:
        raise ConfigError(f"{name!r} begins with ~ and there is no home folder; allowed is a path") from None
    return path if folder is None else folder / path


def url_beside(url: str, folder: Path | None) -> str:
    """The URL of a database; the relative file of SQLite counts as `beside` says."""
    found = _SQLITE.fullmatch(url)
    if found is None or folder is None or found["file"].startswith("file:"):
        return url
    return f"{found['head']}{beside(found['file'], folder)}{found['tail'] or ''}"


def secret(value: Secret, where: str) -> str:
    """What stands in the environment; raises `ConfigError` naming field and variable when nothing does."""
    found = os.environ.get(value.env, "")
    if not found:
        raise ConfigError(f"{where}: the environment variable {value.env} is not set")
    return found
