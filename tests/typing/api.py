"""The public surface as users write it: checked by mypy, never run."""

from __future__ import annotations

from datetime import date
from typing import assert_type

from langchain_core.documents import Document
from langchain_core.runnables import Runnable

from grounding_middleware import (
    Action,
    AnswerWithheldError,
    Grounder,
    InputError,
    Label,
    Policy,
    Report,
    Rules,
    Span,
    Verdict,
)
from grounding_middleware_langchain import ground


def check(answer: str, spans: list[Span]) -> str:
    """Spans, strings and mappings are evidence; the rest is keywords."""
    grounder = Grounder()
    report = grounder.check(answer, evidence=spans, question="?", as_of=date(2026, 5, 4), requester={"region": "EU"})
    assert_type(report, Report)
    assert_type(report.action, Action)
    assert_type(report.claims, tuple[Verdict, ...])
    grounder.check(answer, evidence=["plain text", {"id": "S1", "text": "x"}, spans[0]])
    return report.text if report.claims[0].label is Label.SUPPORTED else ""


async def acheck(answer: str) -> Report:
    """The same, without blocking."""
    return await Grounder(policy=Policy.preset("high")).acheck(answer, evidence=["x"])


def any_function_judges(prompt: str) -> str:
    """What a callable judge looks like."""
    return prompt


def configure() -> Grounder:
    """A callable is a judge; rules and policies are records."""
    assert_type(Rules(max_sentences=6).text(["S1"]), str)
    assert_type(Rules().version, str)
    return Grounder(judge=any_function_judges, policy=Policy(escalate_above=0.2))


def wrap(chain: Runnable[str, str], documents: list[Document]) -> str:
    """The guarded chain has the types of the chain."""
    guarded = ground(chain)
    assert_type(guarded.invoke(documents[0].page_content), str)
    assert_type(ground(chain).with_report().invoke("?"), Report)
    return guarded.invoke("?")


def errors() -> Report | None:
    """A withheld answer carries its report; bad input is a ValueError too."""
    try:
        return Grounder().check("", evidence=[])
    except AnswerWithheldError as withheld:
        return withheld.report
    except InputError as error:
        value_error: ValueError = error
        raise value_error from None
