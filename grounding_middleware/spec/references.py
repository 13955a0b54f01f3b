"""Variables of the environment where none are filled in: `${NAME}` in a text, `{env: NAME}` where no secret is.

Only keys and databases may come from the environment. All else is policy: it stands in the document, so that its hash
tells what was in force.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from grounding_middleware.strict_documents import Place

__all__ = ["SECRETS", "is_reference", "references"]

SECRETS: Final = ("api_key", "database")
"""The fields that may refer to the environment."""

_VARIABLE: Final = re.compile(r"\$\{(?P<braced>[A-Za-z_]\w*)[^{}]*\}|\A\$(?P<bare>[A-Z_][A-Z0-9_]*)\Z")


def references(data: Any, place: Place = ()) -> Iterator[tuple[Place, str]]:
    """Every text of a document that names a variable as shells do, its place, and what to write instead."""
    if isinstance(data, Mapping):
        for key, value in data.items():
            yield from references(value, (*place, key))
    elif isinstance(data, list | tuple):
        for at, value in enumerate(data):
            yield from references(value, (*place, at))
    elif isinstance(data, str) and (found := _VARIABLE.search(data)):
        yield place, _instead(place, found)


def is_reference(value: object) -> bool:
    """Whether a value has the form of a reference to the environment."""
    return isinstance(value, Mapping) and set(value) == {"env"}


def _instead(place: Place, found: re.Match[str]) -> str:
    name = found["braced"] or found["bare"]
    if place and place[-1] in SECRETS:
        whole = "" if place[-1] == "api_key" else ", with the whole URL in it"
        return f"{found[0]} is not filled in here; allowed is {{env: {name}}}{whole}"
    return (
        f"{found[0]} is not filled in: only {' and '.join(SECRETS)} may come from the environment; "
        "allowed is the value itself"
    )
