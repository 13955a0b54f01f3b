"""What a cache of verdicts holds, and what makes an entry stale."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any, Protocol, Self

from pydantic import AwareDatetime, Field, model_validator

from grounding_middleware.judges.protocol import Opinion
from grounding_middleware.policy.settings import Setting
from grounding_middleware.records import Attributes, FrozenDict, Record


class SourceState(Record):
    """A source as it was when a verdict rested on it."""

    source_id: str
    version: str = ""
    effective_to: date | None = None
    audience: Attributes = Field(default_factory=FrozenDict)


class CachedVerdict(Record):
    """An opinion with what it rests on: the sources of its evidence, and for whom and which day it was given."""

    opinion: Opinion
    judged: AwareDatetime
    sources: tuple[SourceState, ...] = ()
    as_of: date | None = None
    requester: Attributes | None = None


class Stale(Setting):
    """Which entries no longer hold: those that fit everything given here.

    `source_id`, alone or with `version`: they rest on this source. `access`: they were given for, or rest on sources
    for, somebody with one of these attributes. `expired_on`: they rest on a source that is no longer in force on this
    day. `judged_before`: they were given before this moment. Raises `ConfigError` when nothing is given.
    """

    source_id: str | None = None
    version: str | None = None
    access: Attributes | None = None
    expired_on: date | None = None
    judged_before: AwareDatetime | None = None

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.model_dump(exclude_none=True):
            raise ValueError("nothing is given; allowed are source_id, version, access, expired_on, judged_before")
        return self

    def fits(self, entry: CachedVerdict) -> bool:
        """Whether `entry` is one of them."""
        rests = any(self._fits_source(source) for source in entry.sources)
        in_time = self.judged_before is None or entry.judged < self.judged_before
        return in_time and self._fits_access(entry) and (rests or not self._names_source)

    @property
    def _names_source(self) -> bool:
        return any(given is not None for given in (self.source_id, self.version, self.expired_on))

    def _fits_source(self, source: SourceState) -> bool:
        named = self.source_id in (None, source.source_id) and self.version in (None, source.version)
        ended = self.expired_on is None or (source.effective_to is not None and source.effective_to < self.expired_on)
        return named and ended

    def _fits_access(self, entry: CachedVerdict) -> bool:
        if self.access is None:
            return True
        holders = [entry.requester or {}, *(source.audience for source in entry.sources)]
        return any(_share(holder.get(key), value) for holder in holders for key, value in self.access.items())


class VerdictCache(Protocol):
    """Keeps verdicts by key. May raise: a cache that fails is a cache without entries."""

    name: str

    def load(self, keys: Iterable[str]) -> dict[str, CachedVerdict]:
        """The entries there are for `keys`."""

    def store(self, verdicts: Mapping[str, CachedVerdict]) -> None:
        """Keep `verdicts`; the oldest may go for them."""

    def invalidate(self, stale: Stale) -> int:
        """Remove the entries that fit `stale`; how many those were."""


def _share(one: Any, other: Any) -> bool:
    return bool(_values(one) & _values(other))


def _values(value: Any) -> set[str]:
    many = value if isinstance(value, list | tuple | set | frozenset) else [] if value is None else [value]
    return {str(item) for item in many}
