"""One small answer that needs a judge, and one way to put a call to a model, sync or async."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from grounding_middleware import Grounder, Report
from grounding_middleware.judges import JudgeItem, JudgeTask, LLMJudge, Model, ModelCall, ModelReply, Patience
from grounding_middleware.records import Claim, Span

SECONDS = 280.0
"""For one reply: the recording machine may be slow, and an answer that timed out is not worth keeping."""

EVIDENCE = "The reading room opens at nine and is closed on Mondays."
CLAIM = "Visitors find the reading room shut at the start of the week"

SHORT = ModelCall(
    tier="llm", role="-", prompt_version="-", system="Answer in one short sentence.", user="When does a library open?"
)
CUT = SHORT.replace(max_output_tokens=6)


@pytest.fixture
def seconds() -> float:
    return SECONDS


@pytest.fixture
def ask() -> Callable[..., ModelReply]:
    """The reply of a model to a short call, to one whose reply is cut, or to one held to a schema, sync or async."""

    def asked(model: Model, *, sync: bool, cut: bool = False, schema: Any = None) -> ModelReply:
        call = (CUT if cut else SHORT).replace(reply_schema=schema)
        return model.complete(call) if sync else asyncio.run(model.acomplete(call))

    return asked


@pytest.fixture
def check() -> Callable[..., Report]:
    """The report on an answer that no rule decides, judged by a model, driven sync or async."""

    def checked(model: Any, *, sync: bool) -> Report:
        judge = LLMJudge(model, patience=Patience(retries=0))
        grounder = Grounder(judge=judge, timeout=SECONDS)
        if sync:
            return grounder.check(f"{CLAIM}.", evidence=[EVIDENCE], question="When is it closed?")
        return asyncio.run(grounder.acheck(f"{CLAIM}.", evidence=[EVIDENCE], question="When is it closed?"))

    return checked


@pytest.fixture
def task() -> JudgeTask:
    """The same as a task for a judge alone."""
    claim = Claim(id="c1", text=CLAIM, start=0, end=len(CLAIM))
    item = JudgeItem(claim=claim, span_ids=("S1",))
    return JudgeTask(question="?", answer=f"{CLAIM}.", evidence=(Span(id="S1", text=EVIDENCE),), items=(item,))
