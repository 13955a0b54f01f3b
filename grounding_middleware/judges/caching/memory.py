"""Verdicts in the memory of one process; the least recently used go first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges.caching.verdicts import CachedVerdict, Stale


class MemoryCache:
    """At most `max_entries` verdicts, shared by threads. Raises `ConfigError` for a wrong setting."""

    name = "verdicts in memory"

    def __init__(self, max_entries: int = 10_000) -> None:
        if max_entries < 1:
            raise ConfigError(f"MemoryCache: max_entries is {max_entries!r}, allowed is a positive number")
        self._max_entries = max_entries
        self._entries: OrderedDict[str, CachedVerdict] = OrderedDict()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def load(self, keys: Iterable[str]) -> dict[str, CachedVerdict]:
        """The entries there are for `keys`; they count as used."""
        with self._lock:
            found = {key: self._entries[key] for key in keys if key in self._entries}
            for key in found:
                self._entries.move_to_end(key)
        return found

    def store(self, verdicts: Mapping[str, CachedVerdict]) -> None:
        """Keep `verdicts`."""
        with self._lock:
            for key, verdict in verdicts.items():
                self._entries[key] = verdict
                self._entries.move_to_end(key)
            while len(self._entries) > self._max_entries:
                self._entries.popitem(last=False)

    def invalidate(self, stale: Stale) -> int:
        """Remove the entries that fit `stale`; how many those were."""
        with self._lock:
            gone = [key for key, verdict in self._entries.items() if stale.fits(verdict)]
            for key in gone:
                del self._entries[key]
        return len(gone)
