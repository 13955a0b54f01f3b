"""Rulings of reviewers on their way into a trail, without what the trail must not hold (SPEC AU-2)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from grounding_middleware.audit.answers import Keep, Trail
from grounding_middleware.audit.records import AuditRecord, Entry
from grounding_middleware.audit.redaction import Rule, as_rules, hide
from grounding_middleware.audit.verification import Placed

__all__ = ["RulingTrail"]


class RulingTrail:
    """A `Trail` for `ReviewQueue(trail=...)`: who ruled what and when is recorded, texts as the trail keeps them.

    `redact` masks what it finds in notes, corrections and quotes; with `keep="hashes"` none of these is written at all.
    Raises `ConfigError` for a rule there is none of.
    """

    def __init__(self, trail: Trail, *, redact: Sequence[str | Rule] = (), keep: Keep = "report") -> None:
        self._trail = trail
        rules = as_rules(redact)
        self._kept: Callable[[str], str] = (lambda _: "") if keep == "hashes" else (lambda text: hide(text, rules))

    def append(self, entry: Entry) -> AuditRecord:
        """The record of `entry`, safely written; raises when it cannot be."""
        if entry.content is None:
            return self._trail.append(entry)
        given = [self._ruling(ruling) for ruling in entry.content.get("rulings", ())]
        return self._trail.append(entry.replace(content={**entry.content, "rulings": given}))

    def records(self) -> Iterator[Placed]:
        """Every line of the trail, in order, one at a time."""
        return self._trail.records()

    def _ruling(self, ruling: Mapping[str, Any]) -> dict[str, Any]:
        written = {name: self._kept(ruling[name]) for name in ("text", "note") if name in ruling}
        quote = ruling.get("quote")
        return {**ruling, **written, **({"quote": {**quote, "text": self._kept(quote["text"])}} if quote else {})}
