"""From a written reference to spans of the evidence, or to the reason why it leads nowhere (CI-1).

Only ids of the evidence count, never text inside a span (EV-9). Matching is exact first; letter case, outer spaces and
the width of letters are forgiven when that leaves one candidate, and `policy@2026#0` names `policy#0` when that span
has version 2026. Nothing else is: the name of a document is no id of a span.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from grounding_middleware.markers import shapes
from grounding_middleware.records import Evidence, Kind, Span, SpanStatus

__all__ = ["Names", "Target"]

_VERSION = re.compile(r"@[^#@\s]*")
_QUALIFIER = re.compile(r"[/:]")
_CONVENTIONAL = re.compile(r"S\d{1,3}\Z|[\w.-]{1,80}@[\w.-]{1,40}#\d+\Z|[\w.-]{1,80}#\d+\Z")
_SMALL_NUMBER = re.compile(r"[1-9]\d?\Z")
_LONGEST_GLUED = 200
# Words in brackets that editors and templates write; where ids are plain words, these are none.
_REMARKS = frozenset({
    "sic", "redacted", "omitted", "translated", "translation", "citation", "needed", "note", "ed", "name", "date",
    "tbd", "todo", "unverified", "unknown", "inaudible", "laughter", "applause", "blank", "empty", "optional",
    "required", "emphasis", "added",
})  # fmt: skip


class Target(NamedTuple):
    """Where one reference leads."""

    span_ids: tuple[str, ...] = ()
    kind: Kind | None = None
    reason: str = ""


class Names:
    """The ids of one evidence, and what can be said about references that are none of them."""

    def __init__(self, evidence: Evidence) -> None:
        self._spans: dict[str, Span] = {span.id: span for span in evidence.spans}
        self._statuses: dict[str, SpanStatus] = {status.span_id: status for status in evidence.statuses}
        self._known = {*self._spans, *self._statuses}

    # Everything below is asked for only by a reference that is no id, letter for letter.

    @cached_property
    def _folded(self) -> dict[str, list[str]]:
        return _index(self._known, _fold)

    @cached_property
    def _versionless(self) -> dict[str, list[str]]:
        return _index(self._known, lambda name: _fold(_VERSION.sub("", name)))

    @cached_property
    def _tails(self) -> dict[str, list[str]]:
        return _index(self._known, lambda name: _fold(_tail(name)))

    @cached_property
    def _sources(self) -> dict[str, list[str]]:
        return _index(self._spans, lambda name: _fold(self._spans[name].source_id))

    @cached_property
    def _shapes(self) -> set[str]:
        return {shapes.shape(name) for name in self._known}

    @cached_property
    def _loose_shapes(self) -> set[str]:
        return {form.lower() for form in self._shapes}

    @cached_property
    def _digits(self) -> int:
        return max((len(name) for name in self._known if name.isdigit()), default=0)

    @cached_property
    def _lengths(self) -> list[int]:
        return sorted({len(name) for name in self._known})

    def exact(self, ref: str) -> bool:
        """Whether `ref` is an id, letter for letter."""
        return ref in self._known

    def known(self, ref: str) -> str | None:
        """The id that `ref` names, exactly or by the conservative normalisation."""
        if ref in self._known:
            return ref
        same = self._folded.get(_fold(ref), ())
        return same[0] if len(same) == 1 else self._same_version(ref)

    def with_any_of(self, signs: Collection[str]) -> Iterator[str]:
        """The ids that hold one of these signs, longest first."""
        yield from sorted((name for name in self._known if not set(signs).isdisjoint(name)), key=len, reverse=True)

    def target(self, ref: str) -> Target:
        """Where `ref` leads; what is no known, usable id gets the kind of its failure and the reason."""
        name = self.known(ref)
        if name is not None:
            return self._judged(name)
        if other := self._other_version(ref):
            return Target((), Kind.FOREIGN, f"{ref!r} is another version of {other!r}; it is not in the evidence")
        if other := self._other_owner(ref):
            return Target((), Kind.FOREIGN, f"{ref!r} is named like {other!r} but belongs elsewhere")
        if parts := self.glued(ref):
            return Target((), Kind.GLUED_ID, f"{ref!r} is {len(parts)} ids run together: {', '.join(parts)}")
        if spans := self._sources.get(_fold(ref)):
            return Target(
                (), Kind.UNKNOWN_ID, f"{ref!r} is the name of a source, not of a span ({', '.join(spans[:3])})"
            )
        return Target((), Kind.UNKNOWN_ID, f"no span of the evidence is called {ref!r}")

    def glued(self, ref: str) -> tuple[str, ...]:
        """The known ids, two or more, whose concatenation is `ref`; empty when there are none."""
        if len(ref) > _LONGEST_GLUED or ref.isdigit():
            return ()
        reached: dict[int, tuple[str, ...]] = {0: ()}
        for at in range(len(ref)):
            for length in self._lengths if at in reached else ():
                if ref[at : at + length] in self._known and at + length <= len(ref):
                    reached.setdefault(at + length, (*reached[at], ref[at : at + length]))
        parts = reached.get(len(ref), ())
        return parts if len(parts) > 1 else ()

    def is_telling(self, ref: str) -> bool:
        """Whether an unknown `ref` has the shape of an id here and can hardly be prose."""
        form = shapes.shape(ref)
        return form.lower() in self._loose_shapes and shapes.is_telling(form)

    def looks_like_id(self, ref: str, *, at_clause_end: bool) -> bool:
        """Whether `ref` is a reference at all, judged by the shapes of the ids there are."""
        if self.known(ref) or self.glued(ref) or self._other_version(ref) or self._other_owner(ref):
            return True
        if ref.isdigit():
            return self._number_is_id(ref, at_clause_end=at_clause_end)
        if self.is_telling(ref) or _CONVENTIONAL.match(ref):
            return True
        if not at_clause_end or ref in _REMARKS:
            return False
        return shapes.shape(ref) in self._shapes or _fold(ref) in self._sources

    def _number_is_id(self, ref: str, *, at_clause_end: bool) -> bool:
        """A number near the size of the numbers used as ids; a year only if ids are that long."""
        if self._digits:
            return len(ref) <= max(2, self._digits) and not (shapes.is_year(ref) and len(ref) > self._digits)
        return at_clause_end and bool(_SMALL_NUMBER.match(ref))

    def _judged(self, name: str) -> Target:
        status, span = self._statuses.get(name), self._spans.get(name)
        ids = (name,) if span else ()
        if status is None:
            return Target(ids, Kind.VERIFIER_FAILURE, f"nobody decided whether {name!r} may be used")
        if status.usable and span:
            return Target(ids)
        return Target(ids, status.kind or Kind.FORBIDDEN, status.reason or f"{name!r} may not be used")

    def _same_version(self, ref: str) -> str | None:
        match = _VERSION.search(ref)
        if not match:
            return None
        names = self._versionless.get(_fold(_VERSION.sub("", ref)), ())
        fits = [name for name in names if name in self._spans and self._spans[name].version == match.group()[1:]]
        return fits[0] if len(fits) == 1 else None

    def _other_version(self, ref: str) -> str | None:
        names = self._versionless.get(_fold(_VERSION.sub("", ref)), ()) if "@" in ref else ()
        return names[0] if names else None

    def _other_owner(self, ref: str) -> str | None:
        """Another span with the same name behind another qualifier: `tenant-b/policy#1` for `tenant-a/policy#1`."""
        tail = _tail(ref)
        return next(iter(self._tails.get(_fold(tail), ())), None) if tail != ref else None


def _index(names: Iterable[str], key: Callable[[str], str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        found[key(name)].append(name)
    return dict(found)


def _fold(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def _tail(name: str) -> str:
    """`tenant-a/policy#1` -> `policy#1`: what follows the leading qualifier."""
    return _QUALIFIER.split(name, maxsplit=1)[-1]
