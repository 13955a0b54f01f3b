"""Verdicts that were given once, kept for as long as nothing they rest on changes (SPEC CHG).

from grounding_middleware.judges.caching import CachedJudge, SqliteCache

cache = SqliteCache("verdicts.db")
grounder = Grounder(CachedJudge(judge, cache))
cache.invalidate(Stale(source_id="expense-policy"))
"""

from grounding_middleware.judges.caching.judge import CachedJudge
from grounding_middleware.judges.caching.memory import MemoryCache
from grounding_middleware.judges.caching.sqlite import SqliteCache
from grounding_middleware.judges.caching.verdicts import CachedVerdict, Stale, VerdictCache

__all__ = ["CachedJudge", "CachedVerdict", "MemoryCache", "SqliteCache", "Stale", "VerdictCache"]
