"""A grounder with repair, and models that say what a test wants them to say."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from grounding_middleware import Grounder, Policy, Report
from grounding_middleware.repair import Repair

_CLAIM = re.compile(r"^\w{8} claim (\d+) .*\n(.*)$", re.MULTILINE)
HANDBOOK = (
    {"id": "S1", "text": "Refunds are paid within 14 days. Employees may submit the form online."},
    {"id": "S2", "text": "Weekend delivery costs EUR 6. The shop opens at 09:00."},
)
"""What most tests of repair verify against."""


@pytest.fixture
def handbook() -> tuple[Mapping[str, str], ...]:
    """Two sources with two plain sentences each."""
    return HANDBOOK


@pytest.fixture
def check() -> Callable[..., Report]:
    """The report on an answer; never escalated for its share unless a policy is given."""

    def run(
        answer: str,
        evidence: Sequence[Any] = HANDBOOK,
        *,
        judge: object = None,
        policy: Policy | None = None,
        repair: Repair | None = Repair(),  # noqa: B008  # frozen
        model: object = None,
        **more: Any,
    ) -> Report:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            grounder = Grounder(judge, policy=policy or Policy(escalate_above=1.0), repair=repair, repair_model=model)
        return grounder.check(answer, evidence=evidence, **more)

    return run


@pytest.fixture
def judge_of() -> Callable[..., Callable[[str], str]]:
    """A judge that supports the claims that hold one of the given texts, quoting `quote`, and no other."""

    def make(supported: Mapping[str, tuple[str, str]]) -> Callable[[str], str]:
        def judge(prompt: str) -> str:
            verdicts = []
            for number, text in _CLAIM.findall(prompt):
                found = next((quote for words, quote in supported.items() if words in text), None)
                verdicts.append(
                    {
                        "claim": int(number),
                        "evidence": [{"source": found[0], "quote": found[1]}] if found else [],
                        "reason": "as told",
                        "label": "SUPPORTED" if found else "INSUFFICIENT_EVIDENCE",
                    }
                )
            return json.dumps({"verdicts": verdicts})

        return judge

    return make


@pytest.fixture
def rewriting() -> Callable[..., Callable[[str], str]]:
    """A repair model that gives these texts, by statement number, each with its sources."""

    def make(*texts: tuple[str, Sequence[str]]) -> Callable[[str], str]:
        repairs = [
            {"claim": number, "text": text, "sources": list(sources)} for number, (text, sources) in enumerate(texts, 1)
        ]
        return lambda _prompt: json.dumps({"repairs": repairs})

    return make
