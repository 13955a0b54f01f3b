"""One small judge task, and models that answer by script."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware.judges import JudgeItem, JudgeTask, ModelCall, ModelReply
from grounding_middleware.records import Claim, Span

DATA = Path(__file__).with_name("data")


class Scripted:
    """A model that gives the scripted replies in turn, the last one for ever, and keeps what it was asked."""

    name = "scripted"

    def __init__(self, *replies: str | ModelReply | BaseException) -> None:
        self.replies = list(replies)
        self.calls: list[ModelCall] = []

    def complete(self, call: ModelCall) -> ModelReply:
        """The next reply, or the next exception."""
        self.calls.append(call)
        reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, BaseException):
            raise reply
        return reply if isinstance(reply, ModelReply) else ModelReply(text=reply)

    async def acomplete(self, call: ModelCall) -> ModelReply:
        """The same."""
        return self.complete(call)


def build_task(
    texts: Sequence[str], claims: Sequence[str], cites: Sequence[Sequence[int]], question: str = "?"
) -> JudgeTask:
    """A task with spans S1, S2, ... and claims c1, c2, ... that cite them by number."""
    answer, items = "", []
    for at, (text, cited) in enumerate(zip(claims, cites, strict=True), start=1):
        claim = Claim(id=f"c{at}", text=text, start=len(answer), end=len(answer) + len(text))
        items.append(JudgeItem(claim=claim, span_ids=tuple(f"S{number}" for number in cited)))
        answer += f"{text}. "
    spans = tuple(Span(id=f"S{at}", text=text) for at, text in enumerate(texts, start=1))
    return JudgeTask(question=question, answer=answer, evidence=spans, items=tuple(items))


def verdict(claim: Any, label: Any, *quotes: tuple[str, str], **more: Any) -> dict[str, Any]:
    """One verdict in the reply format."""
    evidence = [{"source": source, "quote": quote} for source, quote in quotes]
    return {"claim": claim, "label": label, "evidence": evidence, **more}


def verdicts(*found: dict[str, Any]) -> str:
    """A reply in the reply format."""
    return json.dumps({"verdicts": list(found)}, ensure_ascii=False)


@pytest.fixture(scope="session")
def recorded() -> tuple[JudgeTask, list[dict[str, Any]]]:
    """The fixed task of the reply table, and its rows."""
    lines = DATA.joinpath("judge_replies.jsonl").read_text("utf-8").splitlines()
    request, *rows = map(json.loads, lines)
    answer, items = request["answer"], []
    for number, claim in enumerate(request["claims"], start=1):
        start = answer.index(claim["text"])
        made = Claim(id=str(number), text=claim["text"], start=start, end=start + len(claim["text"]))
        items.append(JudgeItem(claim=made, span_ids=(claim["cited"],)))
    spans = tuple(Span.model_validate(source) for source in request["sources"])
    return JudgeTask(question=request["question"], answer=answer, evidence=spans, items=tuple(items)), rows


@pytest.fixture
def scripted() -> type[Scripted]:
    return Scripted


@pytest.fixture
def make_task() -> Callable[..., JudgeTask]:
    return build_task


@pytest.fixture
def say() -> Callable[..., str]:
    return lambda *found: verdicts(*(verdict(*one) if isinstance(one, tuple) else one for one in found))


@pytest.fixture
def refunds() -> JudgeTask:
    """Two passages, two claims, each citing its own."""
    return build_task(
        ["Refunds are paid within ten days. Vouchers are not refundable.", "The desk opens at nine."],
        ["You get a refund within ten days", "The desk opens at nine in the morning"],
        [[1], [2]],
    )
