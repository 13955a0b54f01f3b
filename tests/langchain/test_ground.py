"""`ground(chain)`: the same chain, verified, for every way of calling it."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from datetime import date

import pytest
from langchain_core.documents import Document
from langchain_core.messages import HumanMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate
from langchain_core.runnables import RunnableLambda

from grounding_middleware import ConfigError, Grounder, InputError, Policy
from grounding_middleware.evidence import EvidenceRules
from grounding_middleware_langchain import ground

QUESTION = "When are refunds paid?"
DAY = date(2026, 3, 4)
VERIFIED = "Refunds are paid within ten days. "


def test_output_keeps_its_type_and_loses_what_is_not_supported(kit):
    """Same type as the chain's; only verified text comes out."""
    assert ground(kit.chain(), kit.grounder).invoke(QUESTION) == VERIFIED


async def test_every_way_of_calling_gives_the_same_text_and_the_same_evidence(kit):
    """Checklist 1: invoke, ainvoke, batch, abatch, stream, astream, transform, atransform, astream_events agree."""

    async def one(value):
        yield value

    guarded = ground(kit.chain(), kit.grounder)
    texts = [
        guarded.invoke(QUESTION),
        await guarded.ainvoke(QUESTION),
        *guarded.batch([QUESTION]),
        *await guarded.abatch([QUESTION]),
        "".join(guarded.stream(QUESTION)),
        "".join([chunk async for chunk in guarded.astream(QUESTION)]),
        "".join(guarded.transform(iter([QUESTION]))),
        "".join([chunk async for chunk in guarded.atransform(one(QUESTION))]),
    ]
    events = [event async for event in guarded.astream_events(QUESTION, version="v2")]
    texts.append(events[-1]["data"]["output"])
    assert set(texts) == {VERIFIED}
    assert len(kit.grounder.calls) == len(texts)
    assert all(call == kit.grounder.calls[0] for call in kit.grounder.calls)


async def test_sync_and_async_reports_are_equal(kit):
    """One logic: the async report is the sync report."""
    reported = ground(kit.chain(), kit.grounder).with_report()
    assert reported.invoke(QUESTION) == await reported.ainvoke(QUESTION)


def test_report_says_what_was_captured(kit):
    """PR-5 and EV-4: captured and delivered spans, model runs, and how many of them carried the rules."""
    capture = ground(kit.chain(), kit.grounder).with_report().invoke(QUESTION).capture
    assert (capture.adapter, capture.paths) == ("langchain", ("retriever",))
    assert (capture.captured, capture.delivered, capture.model_runs, capture.rules_reached) == (2, 2, 1, 1)


def _echo_chain(kit):
    """A chain whose answer is the text it was given, so that a crossed span would show."""

    def retrieve(query):
        return kit.Retriever(documents=[Document(page_content=f"token {query} is valid", metadata={"source": query})])

    prompt = ChatPromptTemplate.from_messages([("human", "{context}\n{question}")])
    model = kit.Model(lambda messages: f"The {messages[-1].text.splitlines()[0]}.")
    context = RunnableLambda(retrieve) | kit.format_docs
    return {"context": context, "question": RunnableLambda(lambda q: q)} | prompt | model | StrOutputParser()


async def test_a_hundred_concurrent_calls_do_not_share_spans(kit):
    """Checklist 2: one collector for each invocation, whatever runs beside it, in threads and on an event loop."""
    guarded = ground(_echo_chain(kit), kit.grounder).with_report()
    names = [f"doc{number}" for number in range(100)]
    with ThreadPoolExecutor(16) as pool:
        reports = list(pool.map(guarded.invoke, names))
    reports += await asyncio.gather(*(guarded.ainvoke(name) for name in names))
    reports += guarded.batch(names, config={"max_concurrency": 8})
    for name, report in zip(names * 3, reports, strict=True):
        assert [span.source_id for span in report.evidence.spans] == [name]
        assert report.answer == f"The token {name} is valid."
        assert (report.capture.model_runs, report.capture.rules_reached) == (1, 1)


def test_batch_isolates_an_input_that_fails(kit):
    """A failing input is that input's exception; its neighbours keep their own evidence."""

    def retrieve(query):
        if query == "refunds bad":
            raise ConnectionError(query)
        return kit.Retriever(documents=kit.documents)

    chain = (
        {"context": RunnableLambda(retrieve) | kit.format_docs, "question": RunnableLambda(lambda q: q)}
        | kit.prompt
        | kit.Model("Refunds are paid within ten days.")
        | StrOutputParser()
    )
    results = ground(chain, kit.grounder).batch(["refunds paid", "refunds bad", "rail"], return_exceptions=True)
    assert [type(result) for result in results] == [str, ConnectionError, str]
    sources = {call.question: {span.source_id for span in call.evidence} for call in kit.grounder.calls}
    assert sources == {"refunds paid": {"refunds.md", "vouchers.md"}, "rail": {"shipping.md"}}


@pytest.mark.parametrize(
    ("value", "question"),
    [
        ("plain", "plain"),
        ({"question": "asked", "chat_history": []}, "asked"),
        ({"input": "asked"}, "asked"),
        ({"messages": [("human", "first"), ("ai", "reply"), ("human", "second")]}, "second"),
        ([HumanMessage("first"), HumanMessage("second")], "second"),
        ({"other": 1}, ""),
        (7, ""),
    ],
)
def test_question_is_found_in_usual_inputs(kit, value, question):
    """The question resolves references; where none is recognised the answer is checked without."""
    chain = RunnableLambda(lambda _: "refunds") | kit.chain()
    ground(chain, kit.grounder).invoke(value)
    assert kit.grounder.last.question == question


def test_question_key_must_be_there(kit):
    """A wrong setting is named, not ignored."""
    chain = RunnableLambda(lambda _: "refunds") | kit.chain()
    with pytest.raises(InputError, match=r"question_key: 'q'.*'text'"):
        ground(chain, kit.grounder, question_key="q").invoke({"text": "x"})


def test_requester_and_day_come_from_the_call_before_the_guard(kit):
    """EV-5 and EV-6: who asks and when is a matter of the call."""
    guarded = ground(kit.chain(), kit.grounder, requester={"tenant": "a"}, as_of=date(2025, 1, 2))
    guarded.invoke(QUESTION)
    assert (kit.grounder.last.requester, kit.grounder.last.as_of) == ({"tenant": "a"}, date(2025, 1, 2))
    guarded.invoke(QUESTION, {"configurable": {"requester": {"tenant": "b"}, "as_of": "2026-03-04"}})
    assert (kit.grounder.last.requester, kit.grounder.last.as_of) == ({"tenant": "b"}, date(2026, 3, 4))


@pytest.mark.parametrize("bad", [{"requester": "me"}, {"as_of": "tomorrow"}])
def test_bad_requester_or_day_is_refused(kit, bad):
    """Bad input names the field and what is allowed, before the chain runs."""
    with pytest.raises(InputError, match=next(iter(bad))):
        ground(kit.chain(), kit.grounder).invoke(QUESTION, {"configurable": bad})


def test_day_is_today_by_default(kit):
    """Without `as_of`, sources that are not in force today cannot support an answer given today."""
    ground(kit.chain(), kit.grounder).invoke(QUESTION)
    assert kit.grounder.last.as_of == date.today()  # noqa: DTZ011  # the same reading of "today"


def test_a_day_that_must_be_named_is_not_guessed(kit):
    """With `require_as_of` nobody's today counts: the call is refused before a model is asked."""
    grounder = Grounder(policy=Policy(needs_judge=False), evidence_rules=EvidenceRules(require_as_of=True))
    with pytest.raises(InputError, match=r"as_of: is missing.*configurable"):
        ground(kit.chain(), grounder).invoke(QUESTION)
    named = {"configurable": {"as_of": "2026-03-04"}}
    for guarded, config in ((ground(kit.chain(), grounder), named), (ground(kit.chain(), grounder, as_of=DAY), None)):
        assert guarded.with_report().invoke(QUESTION, config).evidence.as_of == DAY


def test_grounder_excludes_its_parts(kit):
    """Two sources of one setting are a configuration error."""
    with pytest.raises(ConfigError, match="not both"):
        ground(kit.chain(), kit.grounder, policy=Policy())


def test_report_travels_as_custom_event(kit):
    """Whoever listens gets the summary of the report, in every mode."""
    events = kit.Events()
    guarded = ground(kit.chain(), kit.grounder)
    guarded.invoke(QUESTION, {"callbacks": [events]})
    list(guarded.stream(QUESTION, {"callbacks": [events]}))
    assert [name for name, _ in events.custom] == ["grounding_report"] * 2
    assert events.custom[0][1]["action"] == "revised"


def test_errors_of_the_chain_pass_through_unchanged(kit):
    """The guard adds no error of its own to a chain that fails."""

    def fail(_):
        raise ZeroDivisionError("model down")

    with pytest.raises(ZeroDivisionError, match="model down"):
        ground(kit.chain(fail), kit.grounder).invoke(QUESTION)
    assert kit.grounder.calls == []
