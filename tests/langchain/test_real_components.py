"""LangChain's own retrievers, tools, agents and graphs around the guard: what people have, not stand-ins for it."""

from __future__ import annotations

import sqlite3
import warnings
from typing import TypedDict

import pytest

pytest.importorskip("langchain_classic")
pytest.importorskip("langchain.agents")

from langchain.agents import create_agent
from langchain_classic.chains import create_history_aware_retriever, create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_classic.retrievers import (
    ContextualCompressionRetriever,
    EnsembleRetriever,
    MultiQueryRetriever,
    ParentDocumentRetriever,
)
from langchain_core.documents import BaseDocumentCompressor, Document
from langchain_core.embeddings import DeterministicFakeEmbedding
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, MessagesPlaceholder
from langchain_core.stores import InMemoryStore
from langchain_core.tools import create_retriever_tool
from langchain_core.vectorstores import InMemoryVectorStore
from langchain_text_splitters import RecursiveCharacterTextSplitter
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import START, StateGraph

from grounding_middleware import Grounder, Policy
from grounding_middleware_langchain import GroundingMiddleware, GroundingVerifier, ground
from grounding_middleware_langchain.demo import KeywordRetriever

QUESTION = "When are refunds paid?"
RIGHT = "Refunds are paid within ten days."
FALSE = "Refunds are paid within thirty days."
MORE = "They go to the card used for the order."
RAW, VERIFIED = f"{RIGHT} {FALSE} {MORE}", f"{RIGHT} {MORE}"


@pytest.fixture
def grounder():
    """Checks only, and a policy that shows what is left."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Grounder(policy=Policy(escalate_above=0.9))


class Trimming(BaseDocumentCompressor):
    """Keeps the first sentence of each document and drops its metadata, as compressors do."""

    def compress_documents(self, documents, query, callbacks=None):
        """The first sentences."""
        return [Document(page_content=document.page_content.split(". ")[0].rstrip(".") + ".") for document in documents]


def _store(documents):
    store = InMemoryVectorStore(DeterministicFakeEmbedding(size=32))
    store.add_documents(documents)
    return store


def _retriever(kind, documents):
    """LangChain's own retrievers over the documents."""
    keyword = KeywordRetriever(documents=documents, k=3)
    vectors = _store(documents).as_retriever(search_kwargs={"k": 3})
    if kind == "parents":
        splitter = RecursiveCharacterTextSplitter(chunk_size=40, chunk_overlap=0)
        parents = ParentDocumentRetriever(
            vectorstore=_store([]), docstore=InMemoryStore(), child_splitter=splitter, search_kwargs={"k": 9}
        )
        parents.add_documents(documents)
        return parents
    ensemble = EnsembleRetriever(retrievers=[vectors, keyword], weights=[0.5, 0.5])
    compressed = ContextualCompressionRetriever(base_compressor=Trimming(), base_retriever=ensemble)
    return {"vectors": vectors, "keyword": keyword, "ensemble": ensemble, "compressed": compressed}[kind]


@pytest.mark.parametrize("kind", ["vectors", "keyword", "ensemble", "parents"])
async def test_retrievers(kit, grounder, kind):
    """Each of them is captured once, delivered, and decides; invoke, ainvoke and both kinds of stream agree."""
    chain = kit.chain(RAW, retriever=_retriever(kind, kit.documents))
    guarded = ground(chain, grounder)
    report = guarded.with_report().invoke(QUESTION)
    assert report.text == VERIFIED
    assert {span.source_id for span in report.evidence.spans} == {"refunds.md", "shipping.md", "vouchers.md"}
    assert (report.capture.paths, report.capture.captured, report.capture.delivered) == (("retriever",), 3, 3)
    assert await guarded.with_report().ainvoke(QUESTION) == report
    assert "".join(ground(chain, grounder, stream="claims").stream(QUESTION)) == VERIFIED
    assert [piece async for piece in guarded.astream(QUESTION)] == [VERIFIED]


async def test_a_compressor_that_trims_and_drops_metadata(kit, grounder):
    """What it cut away cannot support a claim; source and version of what it kept come back."""
    guarded = ground(kit.chain(RAW, retriever=_retriever("compressed", kit.documents)), grounder)
    report = guarded.with_report().invoke(QUESTION)
    (span,) = (span for span in report.evidence.spans if "Refunds are paid" in span.text)
    assert (span.source_id, span.version, span.text, span.start) == ("refunds.md", "3", RIGHT, None)
    labels = {verdict.text: verdict.label.value for verdict in report.claims}
    assert labels == {RIGHT: "SUPPORTED", FALSE: "CONTRADICTED", MORE: "UNVERIFIED"}, "what was cut away proves nothing"
    assert await guarded.with_report().ainvoke(QUESTION) == report


def test_a_multi_query_retriever(kit, grounder):
    """Its model writes queries, gets no rules and is no run of the answer; what all queries found counts once."""
    queries = kit.Model("refunds\nvouchers")
    retriever = MultiQueryRetriever.from_llm(KeywordRetriever(documents=kit.documents, k=3), queries)
    report = ground(kit.chain(RAW, retriever=retriever), grounder).with_report().invoke(QUESTION)
    assert report.text == VERIFIED
    assert (report.capture.captured, report.capture.model_runs, report.capture.rules_reached) == (3, 1, 1)
    assert "Answer only from the sources" not in repr(queries.seen)


@pytest.mark.parametrize("stream", ["buffer", "claims"])
async def test_a_conversational_retrieval_chain(kit, grounder, stream):
    """The classic shape: input, chat_history, context and answer, streamed key by key; the rewriter gets no rules."""
    rewriter, writer = kit.Model(QUESTION), kit.Model(RAW)
    history = MessagesPlaceholder("chat_history")
    aware = create_history_aware_retriever(
        rewriter,
        KeywordRetriever(documents=kit.documents, k=2),
        ChatPromptTemplate.from_messages([history, ("human", "{input}"), ("human", "Rephrase.")]),
    )
    prompt = ChatPromptTemplate.from_messages([("system", "Answer.\n{context}"), history, ("human", "{input}")])
    chain = create_retrieval_chain(aware, create_stuff_documents_chain(writer, prompt))
    guarded = ground(chain, grounder, stream=stream, answer_key="answer")
    value = {"input": "And when?", "chat_history": [HumanMessage("Refunds?"), AIMessage("Refunds exist.")]}
    before = repr(value)
    result = guarded.invoke(value)
    assert list(result) == ["input", "chat_history", "context", "answer"]
    assert result["answer"] == VERIFIED
    for chunks in (list(guarded.stream(value)), [chunk async for chunk in guarded.astream(value)]):
        assert "thirty" not in repr(chunks)
        assert "".join(chunk.get("answer", "") for chunk in chunks) == VERIFIED
    assert "Answer only from" not in repr(rewriter.seen)
    assert all("Answer only from" in seen[0].text for seen in writer.seen)
    assert repr(value) == before


def _calling(messages):
    """Asks both tools, then answers."""
    if any(isinstance(message, ToolMessage) for message in messages):
        return AIMessage(f"{RAW} Parcels travel by rail where possible.", id="final")
    calls = [{"name": name, "args": {"query": "refunds parcels"}, "id": name} for name in ("policies", "shipping")]
    return AIMessage("", tool_calls=calls)


def _tools(documents):
    policies = KeywordRetriever(documents=[documents[0], documents[2]], k=2)
    shipping = _store([documents[1]]).as_retriever()
    return [
        create_retriever_tool(policies, "policies", "Policies."),
        create_retriever_tool(shipping, "shipping", "Shipping.", response_format="content_and_artifact"),
    ]


async def test_an_agent_with_two_retriever_tools_and_a_database(kit, grounder, tmp_path):
    """`create_retriever_tool` in both forms, `create_agent`, SQLite: verified text everywhere."""
    connection = sqlite3.connect(tmp_path / "state.db", check_same_thread=False)
    saver = SqliteSaver(connection)
    agent = create_agent(
        kit.Model(_calling), _tools(kit.documents), middleware=[GroundingMiddleware(grounder)], checkpointer=saver
    )
    config = {"configurable": {"thread_id": "1"}}
    result = agent.invoke({"messages": [("human", QUESTION)]}, config)
    assert result["messages"][-1].text == f"{VERIFIED} Parcels travel by rail where possible."
    assert result["grounding"]["capture"]["delivered"] == 3
    stored = repr(list(saver.list(config))) + "".join(map(repr, connection.execute("SELECT * FROM writes")))
    assert "thirty" not in stored
    connection.close()


class State(TypedDict, total=False):
    """The state of a self-RAG graph."""

    question: str
    documents: list[Document]
    generation: str
    grounding: dict


@pytest.mark.parametrize("mode", ["values", "updates", "messages"])
async def test_a_self_rag_graph_with_the_verifier_as_node(kit, grounder, mode):
    """A graph that retrieves, writes and verifies; and one whose writer is a guarded chain, where nothing leaks."""
    retriever = KeywordRetriever(documents=kit.documents, k=3)
    writer = kit.prompt | kit.Model(RAW).with_config(tags=["nostream"]) | StrOutputParser()

    def write(state):
        context = kit.format_docs(state["documents"])
        return {"generation": writer.invoke({"context": context, "question": state["question"]})}

    builder = StateGraph(State)
    builder.add_node("retrieve", lambda state: {"documents": retriever.invoke(state["question"])})
    builder.add_node("write", write)
    builder.add_node("verify", GroundingVerifier(grounder).as_node())
    builder.add_edge(START, "retrieve")
    builder.add_edge("retrieve", "write")
    builder.add_edge("write", "verify")
    result = builder.compile().invoke({"question": QUESTION})
    assert (result["generation"], result["grounding"]["action"]) == (VERIFIED, "revised")

    guarded = ground(kit.chain(RAW, retriever=retriever), grounder)
    builder = StateGraph(State)
    builder.add_node("answer", lambda state: {"generation": guarded.invoke(state["question"])})
    builder.add_edge(START, "answer")
    graph = builder.compile()
    streamed = list(graph.stream({"question": QUESTION}, stream_mode=mode))
    streamed += [chunk async for chunk in graph.astream({"question": QUESTION}, stream_mode=mode)]
    assert "thirty" not in repr(streamed)


def test_the_same_text_in_two_sources_survives_an_ensemble(kit, grounder):
    """An ensemble keeps one of two equal texts: both sources stay citeable, under the numbers of the prompt too."""
    first = Document(page_content=RIGHT, metadata={"source": "refunds.md"})
    second = Document(page_content=RIGHT, metadata={"source": "faq.md"})
    ensemble = EnsembleRetriever(
        retrievers=[KeywordRetriever(documents=[document]) for document in (first, second)], weights=[0.5, 0.5]
    )
    report = ground(kit.chain(RIGHT, retriever=ensemble), grounder).with_report().invoke(QUESTION)
    assert {span.source_id for span in report.evidence.usable} == {"refunds.md", "faq.md"}

    def numbered(documents):
        return "\n\n".join(f"[{number}] {document.page_content}" for number, document in enumerate(documents, 1))

    chain = {"context": ensemble | numbered, "question": lambda value: value} | kit.prompt | kit.Model(f"{RIGHT} [1]")
    report = ground(chain, grounder).with_report().invoke(QUESTION)
    assert {span.id.partition("#")[0] for span in report.evidence.usable} == {"1", "faq.md"}
    assert [verdict.label.value for verdict in report.claims] == ["SUPPORTED"]
