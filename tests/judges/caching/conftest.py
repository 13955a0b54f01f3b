"""A model that answers by script, both caches, and a grounder whose judge is cached."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grounding_middleware import Grounder, Report
from grounding_middleware.judges import LLMJudge
from grounding_middleware.judges.caching import CachedJudge, MemoryCache, SqliteCache, VerdictCache

FERRY = "Dogs travel free of charge. Bicycles cost 2 euros."
ANSWER = "Pets cost nothing [S1]."
DAY = datetime(2026, 5, 4, 12, tzinfo=UTC)


class Scripted:
    """A model that says the same of every claim, and counts how often it was asked."""

    def __init__(self, **verdict: Any) -> None:
        proof = [{"source": "S1", "quote": "Dogs travel free of charge."}]
        self.asked = 0
        self._verdict = {"evidence": proof, "reason": "same", "label": "SUPPORTED", **verdict}

    def __call__(self, prompt: str) -> str:
        """The reply to a verification prompt."""
        self.asked += 1
        numbers = map(int, re.findall(r"^\S+ claim (\d+) cites", prompt, re.MULTILINE))
        return json.dumps({"verdicts": [{"claim": number, **self._verdict} for number in numbers]})


@pytest.fixture(params=["memory", "sqlite"])
def cache(request: pytest.FixtureRequest, tmp_path: Path) -> VerdictCache:
    return MemoryCache() if request.param == "memory" else SqliteCache(tmp_path / "verdicts.db")


def grounder(model: Callable[[str], str], cache: VerdictCache, **options: Any) -> Grounder:
    judge = CachedJudge(LLMJudge(model), cache, clock=lambda: DAY)
    return Grounder(judge, policy=options.pop("policy", None), **options)


def check(asked: Grounder, answer: str = ANSWER, **more: Any) -> Report:
    given: dict[str, Any] = {"evidence": [FERRY], "question": "q", **more}
    return asked.check(answer, **given)


@pytest.fixture
def kit() -> SimpleNamespace:
    """What the tests of this folder share."""
    return SimpleNamespace(FERRY=FERRY, ANSWER=ANSWER, Scripted=Scripted, grounder=grounder, check=check)
