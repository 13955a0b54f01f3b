"""From a written reference to spans of the evidence, or to the reason why it leads nowhere (CI-1).

Only ids of the evidence count, never text inside a span (EV-9). Matching is exact first; then letter case and outer
spaces are forgiven when that leaves one candidate; nothing else is.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from grounding_middleware.markers.shapes import is_telling, is_year, shape
from grounding_middleware.records import Evidence, Kind, Span, SpanStatus

__all__ = ["Names", "Target"]

_VERSION = re.compile(r"@[^#@\s]*")
_CONVENTIONAL = re.compile(r"S\d{1,3}\Z|[\w.-]+@[\w.-]+#\d+\Z|[\w.-]+#\d+\Z")
_SMALL_NUMBER = re.compile(r"\d{1,2}\Z")
_LONGEST_GLUED = 200


class Target(NamedTuple):
    """Where one reference leads."""

    span_ids: tuple[str, ...] = ()
    kind: Kind | None = None
    reason: str = ""


class Names:
    """The ids of one evidence, with what can be said about references that are none of them."""

    def __init__(self, evidence: Evidence) -> None:
        self._spans: dict[str, Span] = {span.id: span for span in evidence.spans}
        self._statuses: dict[str, SpanStatus] = {status.span_id: status for status in evidence.statuses}
        self._known = {*self._spans, *self._statuses}
        self._folded: dict[str, list[str]] = defaultdict(list)
        self._versionless: dict[str, list[str]] = defaultdict(list)
        self._tails: dict[str, list[str]] = defaultdict(list)
        for name in sorted(self._known):
            self._folded[_fold(name)].append(name)
            self._versionless[_fold(_VERSION.sub("", name))].append(name)
            self._tails[_fold(_tail(name))].append(name)
        self._shapes = {shape(name) for name in self._known}
        self._digits = max((len(name) for name in self._known if name.isdigit()), default=0)
        self._lengths = sorted({len(name) for name in self._known})

    def known(self, ref: str) -> str | None:
        """The id that `ref` names, exactly or by the conservative normalisation."""
        if ref in self._known:
            return ref
        same = self._folded.get(_fold(ref), [])
        return same[0] if len(same) == 1 else None

    def exact(self, ref: str) -> bool:
        """Whether `ref` is an id, letter for letter."""
        return ref in self._known

    def target(self, ref: str) -> Target:
        """Where `ref` leads; anything that is no known, usable id gets the kind of its failure and the reason."""
        name = self.known(ref) or self._same_version(ref)
        if name is not None:
            return self._judged(name)
        if other := self._other_version(ref):
            return Target((), Kind.FOREIGN, f"{ref!r} is another version of {other!r}, which is not in the evidence")
        if other := self._other_owner(ref):
            return Target((), Kind.FOREIGN, f"{ref!r} has the name of {other!r} but belongs elsewhere")
        if parts := self.glued(ref):
            return Target((), Kind.GLUED_ID, f"{ref!r} is {len(parts)} ids run together: {', '.join(parts)}")
        return Target((), Kind.UNKNOWN_ID, f"no span of the evidence is called {ref!r}")

    def _judged(self, name: str) -> Target:
        status, span = self._statuses.get(name), self._spans.get(name)
        ids = (name,) if span else ()
        if status is None:
            return Target(ids, Kind.VERIFIER_FAILURE, f"{name!r} has no status, so nobody knows whether it may be used")
        if status.usable and span:
            return Target(ids)
        return Target(ids, status.kind or Kind.FORBIDDEN, status.reason or f"{name!r} may not be used")

    def _same_version(self, ref: str) -> str | None:
        """`policy@2026#0` names span `policy#0` when that span has version 2026."""
        match = _VERSION.search(ref)
        names = self._versionless.get(_fold(_VERSION.sub("", ref)), []) if match else []
        fits = [n for n in names if n in self._spans and match and self._spans[n].version == match.group()[1:]]
        return fits[0] if len(fits) == 1 else None

    def _other_version(self, ref: str) -> str | None:
        if "@" not in ref:
            return None
        names = self._versionless.get(_fold(_VERSION.sub("", ref)), [])
        return names[0] if names else None

    def _other_owner(self, ref: str) -> str | None:
        if _tail(ref) == ref:
            return None
        names = [name for name in self._tails.get(_fold(_tail(ref)), []) if name != ref]
        return names[0] if names else None

    def glued(self, ref: str) -> tuple[str, ...]:
        """The known ids, two or more, whose concatenation is `ref`; empty when there are none."""
        if not self._known or len(ref) > _LONGEST_GLUED or ref.isdigit():
            return ()
        reached: dict[int, tuple[str, ...]] = {0: ()}
        for at in range(len(ref)):
            if at not in reached:
                continue
            for length in self._lengths:
                piece = ref[at : at + length]
                if len(piece) == length and piece in self._known:
                    reached.setdefault(at + length, (*reached[at], piece))
        parts = reached.get(len(ref), ())
        return parts if len(parts) > 1 else ()

    def looks_like_id(self, ref: str, *, at_clause_end: bool) -> bool:
        """Whether an unknown `ref` is a reference at all, judged by the shapes of the ids there are."""
        if (
            self.known(ref)
            or self.glued(ref)
            or self._other_version(ref)
            or self._other_owner(ref)
            or self._same_version(ref)
        ):
            return True
        if ref.isdigit():
            return self._number_is_id(ref, at_clause_end=at_clause_end)
        if _CONVENTIONAL.match(ref):
            return True
        form = shape(ref)
        if form not in self._shapes and form.lower() not in {known.lower() for known in self._shapes}:
            return False
        return is_telling(form) or (at_clause_end and form in self._shapes and not _is_remark(ref))

    def _number_is_id(self, ref: str, *, at_clause_end: bool) -> bool:
        if self._digits:
            return len(ref) <= max(2, self._digits) and not (is_year(ref) and self._digits < len(ref))
        return at_clause_end and bool(_SMALL_NUMBER.match(ref))


_REMARKS = frozenset(
    "sic redacted omitted translated translation emphasis added citation needed note ed name date tbd todo unverified unknown inaudible laughter applause blank empty optional required".split()
)


def _is_remark(ref: str) -> bool:
    return ref.islower() and ref in _REMARKS


def _fold(name: str) -> str:
    return " ".join(name.casefold().split())


def _tail(name: str) -> str:
    """`tenant-a/policy#1` -> `policy#1`: what follows the leading qualifier."""
    return re.split(r"[/:]", name, maxsplit=1)[-1]
