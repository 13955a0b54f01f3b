"""One claim for a judge, and one way to put a call to a model, sync or async."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from grounding_middleware.judges import (
    JudgeItem,
    JudgeTask,
    LLMJudge,
    Model,
    ModelCall,
    ModelReply,
    Opinion,
    Patience,
    Run,
    arun,
    run,
)
from grounding_middleware.records import Claim, Span

SECONDS = 280.0
"""For one reply: the recording machine may be slow, and an answer that timed out is not worth keeping."""

EVIDENCE = "The reading room opens at nine and is closed on Mondays."
CLAIM = "Visitors find the reading room shut at the start of the week"

TASK = JudgeTask(
    question="When is it closed?",
    answer=f"{CLAIM}.",
    evidence=(Span(id="S1", text=EVIDENCE),),
    items=(JudgeItem(claim=Claim(id="c1", text=CLAIM, start=0, end=len(CLAIM)), span_ids=("S1",)),),
)
"""A task for the judge alone: what the checks make of an answer may change, these requests may not."""

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
def judge() -> Callable[..., Run[tuple[Opinion, ...]]]:
    """What a model, as a judge, makes of one claim, sync or async; the calls are in the log."""

    def judged(model: Model, *, sync: bool) -> Run[tuple[Opinion, ...]]:
        asked = LLMJudge(model, patience=Patience(retries=0))
        if sync:
            return run(asked.judge(TASK), {asked.name: model}, timeout=SECONDS)
        return asyncio.run(arun(asked.judge(TASK), {asked.name: model}, timeout=SECONDS))

    return judged
