"""A queue with a clock of its own, and reports with whatever verdicts a test needs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from grounding_middleware.records import Action, Decision, Evidence, Kind, Label, Report, Span, SpanStatus, Verdict
from grounding_middleware.review import ReviewQueue
from grounding_middleware.store import Store

ANSWER = "Refunds take 10 days. The fee is 5 EUR. Hello!"
SPAN = Span(id="S1", text="Refunds take 5 to 7 business days. The fee is 5 EUR.", version="2026")


class Clock:
    """Tells the time it was set to, whatever database asks."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 4, 12, tzinfo=UTC)

    def __call__(self, _: object) -> datetime:
        """What time it is."""
        return self.now

    def forward(self, seconds: float) -> None:
        """Let time pass."""
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(database_url: str, clock: Clock) -> Iterator[ReviewQueue]:
    """On each kind of database."""
    with Store(database_url) as store:
        yield ReviewQueue(store, clock=clock)


@pytest.fixture
def local_queue(sqlite_url: str, clock: Clock) -> Iterator[ReviewQueue]:
    """For tests of what does not depend on the kind of database."""
    with Store(sqlite_url) as store:
        yield ReviewQueue(store, clock=clock)


@pytest.fixture
def report() -> Callable[..., Report]:
    """A report with a wrong claim, a right one and a greeting; `changes` replace fields."""

    def made(answer_id: str = "a1", **changes: Any) -> Report:
        fields = {
            "answer_id": answer_id,
            "question": "How long do refunds take?",
            "answer": ANSWER,
            "text": "The fee is 5 EUR. Hello!",
            "decision": Decision(action=Action.REVIEW, reason="1 of 2 claims", claims=2, unsupported=1, share=0.5),
            "claims": (
                verdict(0, 21, Label.CONTRADICTED, id="c1", kind=Kind.DEADLINE),
                verdict(22, 39, Label.SUPPORTED, id="c2", decided_by="judge"),
                verdict(40, 46, Label.NOT_A_CLAIM, id="c3", statement="greeting"),
            ),
            "evidence": Evidence(spans=(SPAN,), statuses=(SpanStatus(span_id="S1", usable=True),)),
        }
        return Report(**{**fields, **changes})

    return made


def verdict(start: int, end: int, label: Label, **fields: Any) -> Verdict:
    given = {"id": f"c{start}", "text": ANSWER[start:end], "start": start, "end": end, "label": label}
    return Verdict(**{"decided_by": "checks", "language": "en", **given, **fields})
