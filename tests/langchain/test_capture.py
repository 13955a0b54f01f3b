"""What counts as evidence: captured in this invocation, on a known path, and really shown to the model."""

from __future__ import annotations

import asyncio

import pytest
from langchain_core.documents import Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.messages import AIMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.tools import create_retriever_tool, tool
from langchain_core.vectorstores import InMemoryVectorStore

from grounding_middleware import GroundingError
from grounding_middleware_langchain import cite, ground
from grounding_middleware_langchain._capture import Probe

QUESTION = "When are refunds paid?"
ANSWER = "Refunds are paid within ten days."


def _sources(kit):
    return {span.source_id: span.delivered for span in kit.grounder.last.evidence}


def _after(context, kit):
    """The usual chain with something else in front of the prompt."""
    return {"context": context, "question": RunnablePassthrough()} | kit.prompt | kit.Model(ANSWER) | StrOutputParser()


class Ensemble(BaseRetriever):
    """Asks two retrievers, drops duplicates and, as rerankers do, the metadata."""

    parts: list[BaseRetriever]
    keep_metadata: bool = True
    cut: int | None = None

    def _get_relevant_documents(self, query, *, run_manager):
        found = [d for part in self.parts for d in part.invoke(query, config={"callbacks": run_manager.get_child()})]
        unique = {document.page_content: document for document in found}.values()
        return [self._copy(document) for document in unique]

    async def _aget_relevant_documents(self, query, *, run_manager):
        config = {"callbacks": run_manager.get_child()}
        found = [d for part in self.parts for d in await part.ainvoke(query, config=config)]
        unique = {document.page_content: document for document in found}.values()
        return [self._copy(document) for document in unique]

    def _copy(self, document):
        metadata = document.metadata if self.keep_metadata else {}
        return Document(page_content=document.page_content[: self.cut], metadata=metadata)


def test_only_outermost_retrievers_count(kit):
    """Nested retrievers fire too; their results are not evidence of their own."""
    nested = Ensemble(parts=[kit.Retriever(documents=kit.documents), kit.Retriever(documents=kit.documents[:1])])
    report = ground(kit.chain(retriever=nested), kit.grounder).with_report().invoke(QUESTION)
    assert (report.capture.captured, report.capture.delivered) == (2, 2)


@pytest.mark.parametrize("cut", [None, 33])
async def test_metadata_a_reranker_dropped_is_restored(kit, cut):
    """Source and version come back from the retrieval the reranker wrapped, by exact text, never by similarity."""
    nested = Ensemble(parts=[kit.Retriever(documents=kit.documents[:1])], keep_metadata=False, cut=cut)
    guarded = ground(kit.chain(retriever=nested), kit.grounder)
    guarded.invoke(QUESTION)
    (span,) = kit.grounder.last.evidence
    assert (span.source_id, span.version, span.delivered) == ("refunds.md", "3", True)
    assert span.start == (120 if cut is None else None), "an offset of the longer text would be wrong"
    await guarded.ainvoke(QUESTION)
    assert kit.grounder.calls[-1] == kit.grounder.calls[-2]


def test_retrieved_but_not_shown_is_not_delivered(kit):
    """EV-4: a reranking step after the retriever leaves spans that the model never saw."""
    chain = _after(kit.Retriever(documents=kit.documents) | RunnableLambda(lambda d: d[:1]) | kit.format_docs, kit)
    ground(chain, kit.grounder).invoke(QUESTION)
    assert _sources(kit) == {"refunds.md": True, "vouchers.md": False}


def test_trimmed_text_is_delivered_in_part(kit):
    """EV-4: the part that was cut off cannot support a claim."""
    context = kit.Retriever(documents=kit.documents[:1]) | kit.format_docs | RunnableLambda(lambda text: text[:40])
    ground(_after(context, kit), kit.grounder).invoke(QUESTION)
    (span,) = kit.grounder.last.evidence
    assert span.delivered
    assert span.text[slice(*span.delivered_ranges[0])] == "Refunds are paid within ten days. They"


def test_documents_changed_between_retrieval_and_prompt_are_not_evidence(kit):
    """The span keeps what the source said; a text edited on the way to the prompt is not that text."""

    def tamper(documents):
        for document in documents:
            document.page_content = document.page_content.replace("ten", "two")
        return documents

    context = kit.Retriever(documents=kit.documents[:1]) | RunnableLambda(tamper) | kit.format_docs
    ground(_after(context, kit), kit.grounder).invoke(QUESTION)
    (span,) = kit.grounder.last.evidence
    assert "ten days" in span.text
    assert span.delivered_ranges is not None
    shown = " ".join(span.text[low:high] for low, high in span.delivered_ranges)
    assert "ten days" not in shown


def test_retriever_that_raises_raises_for_the_caller(kit):
    """Checklist 5: an error of retrieval is no answer without evidence."""

    class Broken(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            raise ConnectionError("index down")

    with pytest.raises(ConnectionError, match="index down"):
        ground(kit.chain(retriever=Broken()), kit.grounder).invoke(QUESTION)


def test_retriever_that_finds_nothing_is_a_loud_state(kit):
    """EV-8: no captured span is said aloud, never taken for "nothing to flag"."""
    report = ground(kit.chain(retriever=kit.Retriever(documents=[])), kit.grounder).with_report().invoke(QUESTION)
    assert report.capture.captured == 0
    assert any("no evidence was captured" in notice for notice in report.notices)


def test_fallback_retriever_counts_when_the_first_fails(kit):
    """Only what was really retrieved is evidence."""

    class Broken(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            raise ConnectionError("index down")

    retriever = Broken().with_fallbacks([kit.Retriever(documents=kit.documents)])
    ground(kit.chain(retriever=retriever), kit.grounder).invoke(QUESTION)
    assert _sources(kit) == {"refunds.md": True, "vouchers.md": True}


def test_a_retried_attempt_leaves_no_delivered_span_behind(kit):
    """Spans of an attempt that failed later were shown to another model run than the one that answered."""
    batches = [[kit.documents[2]], [kit.documents[0]]]
    tries = []

    class Changing(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return batches[min(len(tries), 1)]

    def unsteady(text):
        tries.append(text)
        if len(tries) == 1:
            raise TimeoutError
        return text

    replies = iter(["Vouchers are never refunded, says the text.", ANSWER])
    chain = kit.chain(
        lambda _: next(replies), retriever=Changing(), parser=StrOutputParser() | RunnableLambda(unsteady)
    )
    ground(chain.with_retry(wait_exponential_jitter=False), kit.grounder).invoke(QUESTION)
    assert _sources(kit) == {"vouchers.md": False, "refunds.md": True}


def test_a_retriever_whose_caller_replaced_the_callbacks_is_seen(kit):
    """The context variable reaches runs that cut themselves off from the chain's callbacks."""
    retriever = kit.Retriever(documents=kit.documents)
    context = RunnableLambda(lambda q: retriever.invoke(q, config={"callbacks": []})) | kit.format_docs
    ground(_after(context, kit), kit.grounder).invoke(QUESTION)
    assert _sources(kit) == {"refunds.md": True, "vouchers.md": True}


def _store(documents):
    pytest.importorskip("numpy", reason="the in-memory vector store needs it")
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=8))
    store.add_documents(documents)
    return store


def test_search_without_a_retriever_is_captured_between_steps(kit):
    """Checklist 6: `similarity_search` in a function fires no retriever event; the step's documents are the trace."""
    store = _store(kit.documents)
    context = RunnableLambda(lambda q: store.similarity_search(q, k=3)) | kit.format_docs
    report = ground(_after(context, kit), kit.grounder).with_report().invoke(QUESTION)
    assert report.capture.paths == ("step",)
    assert (report.capture.captured, report.capture.delivered) == (3, 3)


def test_documents_passed_in_are_captured(kit):
    """A chain that is given its documents: what stood in its input is evidence."""
    chain = (
        RunnablePassthrough.assign(context=lambda x: kit.format_docs(x["docs"]))
        | kit.prompt
        | kit.Model(ANSWER)
        | StrOutputParser()
    )
    report = ground(chain, kit.grounder).with_report().invoke({"docs": kit.documents, "question": QUESTION})
    assert (report.capture.paths, report.capture.delivered) == (("passed",), 3)


def test_documents_key_limits_what_is_taken_from_the_input(kit):
    """`documents_key` names the one key whose documents count."""
    chain = (
        RunnablePassthrough.assign(context=lambda x: kit.format_docs(x["docs"] + x["drafts"]))
        | kit.prompt
        | kit.Model(ANSWER)
        | StrOutputParser()
    )
    value = {"docs": kit.documents[:1], "drafts": kit.documents[1:], "question": QUESTION}
    ground(chain, kit.grounder, documents_key="docs").invoke(value)
    assert _sources(kit) == {"refunds.md": True}


async def test_cite_registers_evidence_by_hand(kit):
    """Checklist 6: code that searches on its own names its evidence; the model sees the ids."""

    def search(_):
        return cite(kit.documents[:1])

    async def asearch(_):
        await asyncio.sleep(0)
        return cite(kit.documents[:1])

    model = kit.Model(ANSWER)
    context = RunnableLambda(search, afunc=asearch)
    chain = {"context": context, "question": RunnablePassthrough()} | kit.prompt | model | StrOutputParser()
    guarded = ground(chain, kit.grounder).with_report()
    report = guarded.invoke(QUESTION)
    assert report == await guarded.ainvoke(QUESTION)
    assert (report.capture.paths, report.capture.delivered) == (("cite",), 1)
    assert f"[{report.evidence.spans[0].id}]\nRefunds are paid" in model.seen[0][0].text
    assert "begins:" not in model.seen[0][0].text, "ids in the prompt need no key"


def test_cite_outside_a_guarded_invocation_is_an_error(kit):
    """Evidence that nobody collects must not look registered."""
    with pytest.raises(GroundingError, match="no guarded invocation"):
        cite(kit.documents)


@pytest.mark.parametrize("response_format", ["content", "content_and_artifact"])
def test_retriever_tools_are_captured_once(kit, response_format):
    """A retriever inside a tool fires its event; an artifact beside it is the same evidence, not more."""
    lookup = create_retriever_tool(
        kit.Retriever(documents=kit.documents), "lookup", "Finds.", response_format=response_format
    )
    call = {"name": "lookup", "args": {"query": "refunds"}, "id": "1", "type": "tool_call"}
    context = RunnableLambda(lambda _: lookup.invoke(call).content)
    report = ground(_after(context, kit), kit.grounder).with_report().invoke(QUESTION)
    assert (report.capture.captured, report.capture.delivered) == (2, 2)


def test_artifact_of_a_searching_tool_is_captured(kit):
    """The tutorial's tool: `similarity_search`, documents as artifact, no retriever anywhere."""
    store = _store(kit.documents)

    @tool(response_format="content_and_artifact")
    def lookup(query: str):
        """Finds."""
        found = store.similarity_search(query, k=2)
        return kit.format_docs(found), found

    call = {"name": "lookup", "args": {"query": "refunds"}, "id": "1", "type": "tool_call"}
    context = RunnableLambda(lambda _: lookup.invoke(call).content)
    report = ground(_after(context, kit), kit.grounder).with_report().invoke(QUESTION)
    assert (report.capture.paths, report.capture.delivered) == (("passed",), 2)


def test_documents_are_never_changed(kit):
    """Checklist 21: vector stores hand out live objects; the guard only ever copies."""
    store = _store(kit.documents)
    before = {key: (value["text"], dict(value["metadata"])) for key, value in store.store.items()}
    report = ground(kit.chain(retriever=store.as_retriever()), kit.grounder).with_report().invoke(QUESTION)
    with pytest.raises(TypeError):
        report.evidence.spans[0].metadata["x"] = 1
    assert {key: (value["text"], dict(value["metadata"])) for key, value in store.store.items()} == before


def test_evidence_read_by_a_summarising_step_stays_evidence(kit):
    """Map and reduce: the run that wrote the answer saw the summary, the run before it saw the source."""
    summary = kit.Model("Short: refunds are paid within ten days of the request, to the card.")
    final = kit.Model(lambda messages: "They are paid within ten days.")
    chain = (
        {"context": kit.Retriever(documents=kit.documents) | kit.format_docs, "question": RunnablePassthrough()}
        | kit.prompt
        | summary
        | StrOutputParser()
        | {"context": RunnablePassthrough(), "question": lambda _: QUESTION}
        | kit.prompt
        | final
        | StrOutputParser()
    )
    report = ground(chain, kit.grounder).with_report().invoke(QUESTION)
    assert (report.capture.delivered, report.capture.model_runs, report.capture.rules_reached) == (2, 2, 2)


def test_a_model_that_is_called_past_langchain_is_said_aloud(kit):
    """Without a model run nothing is known to be delivered; the report says so."""
    chain = kit.Retriever(documents=kit.documents) | RunnableLambda(lambda _: ANSWER)
    report = ground(chain, kit.grounder, require_rules=False).with_report().invoke(QUESTION)
    assert report.capture.delivered == 0
    assert any("no model run was seen" in notice for notice in report.notices)


def test_answer_of_an_earlier_turn_is_no_evidence_of_this_one(kit):
    """Only what this invocation captured counts."""
    guarded = ground(kit.chain(), kit.grounder)
    guarded.invoke(QUESTION)
    guarded.invoke("How do parcels travel?")
    assert set(_sources(kit)) == {"shipping.md"}


def test_messages_of_other_kinds_do_not_disturb(kit):
    """A prompt with history, tool calls and content blocks is read for its text only."""
    history = [AIMessage(content=[{"type": "text", "text": "Earlier."}, {"type": "reasoning", "reasoning": "x"}])]
    prompt = RunnableLambda(lambda value: [*history, *kit.prompt.invoke(value).messages])
    chain = (
        {"context": kit.Retriever(documents=kit.documents) | kit.format_docs, "question": RunnablePassthrough()}
        | prompt
        | kit.Model(ANSWER)
        | StrOutputParser()
    )
    ground(chain, kit.grounder).invoke(QUESTION)
    assert _sources(kit) == {"refunds.md": True, "vouchers.md": True}


@pytest.mark.parametrize("sync", [True, False])
async def test_a_failing_capture_stops_the_invocation(kit, monkeypatch, sync):
    """LangChain swallows errors of most handlers; evidence that was lost without a sound would be no evidence check."""

    def fail(*_):
        raise MemoryError("capture failed")

    monkeypatch.setattr("grounding_middleware_langchain._capture.snapshot_of", fail)
    guarded = ground(kit.chain(), kit.grounder)
    with pytest.raises(MemoryError, match="capture failed"):
        guarded.invoke(QUESTION) if sync else await guarded.ainvoke(QUESTION)
    assert Probe.run_inline, "captured before the next step begins, not in an executor beside it"
