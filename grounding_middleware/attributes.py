"""Attributes as options of the command line give them."""

from __future__ import annotations

from collections.abc import Iterable

from grounding_middleware.errors import InputError


def attributes(option: str, pairs: Iterable[str] | None) -> dict[str, list[str]] | None:
    """`key=value` pairs, a key given twice with both values; None without any. `InputError` names the option."""
    found: dict[str, list[str]] = {}
    for pair in pairs or ():
        key, separator, value = pair.partition("=")
        if not (separator and key.strip() and value.strip()):
            raise InputError(f"{option}: {pair!r:.80} is wrong, allowed is KEY=VALUE")
        found.setdefault(key.strip(), []).append(value.strip())
    return found or None
