"""Whether a judge is the model whose answer it judges (JU-1): then it repeats its own mistakes as agreement."""

from __future__ import annotations

import re
from collections.abc import Iterable

_REVISION = re.compile(r"[-@](?:\d{4}-?\d{2}-?\d{2}|latest)$")


def same_models(judges: Iterable[str], generators: Iterable[str]) -> tuple[str, ...]:
    """The judges, in order and once each, that are one of the generators under whatever provider and revision."""
    known = [_bare(name) for name in generators if name]
    found = (name for name in judges if name and any(_same(_bare(name), one) for one in known))
    return tuple(dict.fromkeys(found))


def _same(one: str, other: str) -> bool:
    """Providers are written before the name: `openai:gpt-x`, `models/gpt-x`."""
    short, long = sorted((one, other), key=len)
    return short == long or long.endswith((f"/{short}", f":{short}"))


def _bare(name: str) -> str:
    return _REVISION.sub("", name.strip().casefold())
