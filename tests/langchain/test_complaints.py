"""What users of LangChain complained about in public, thread by thread, as regressions of this package.

Each test is named after the thread whose symptom it guards against.
"""

from __future__ import annotations

import asyncio
import json
import warnings
from concurrent.futures import ThreadPoolExecutor

import pytest
from langchain_core.caches import InMemoryCache
from langchain_core.documents import Document
from langchain_core.globals import set_llm_cache
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnableLambda, RunnablePassthrough
from langchain_core.tools import tool

from grounding_middleware import Grounder, Label, Policy
from grounding_middleware_langchain import GroundingVerifier, SpanFields, annotated, cite, ground

QUESTION = "When are refunds paid?"
RIGHT = "Refunds are paid within ten days."
FALSE = "Refunds are paid within thirty days."


def _grounder(judge=None, **policy):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return Grounder(judge, policy=Policy(**policy))


@pytest.fixture
def grounder():
    """Checks only."""
    return _grounder()


def _labels(report):
    return [verdict.label for verdict in report.claims if verdict.label.is_claim]


def _agent(kit, model, tools=(), **options):
    agents = pytest.importorskip("langchain.agents")
    from grounding_middleware_langchain import GroundingMiddleware  # noqa: PLC0415

    guard = GroundingMiddleware(options.pop("grounder", kit.grounder))
    return agents.create_agent(model, list(tools), middleware=[guard], **options)


ASKED = {"messages": [("human", QUESTION)]}


def test_langchain_35011_streams_do_not_bypass_the_guard(kit):
    """Output middleware sees the message after its tokens have left; ours verifies before (all modes: test_leaks)."""
    agent = _agent(kit, kit.Model("Fine. WRONG one. Good."))
    streamed = repr(list(agent.stream(ASKED, stream_mode=["messages", "values", "updates"])))
    assert "WRONG" not in streamed
    assert "Fine. Good." in streamed


def test_langchain_34382_34139_calls_of_the_guard_do_not_leak_into_the_stream(kit):
    """A judge's words are no words of the agent."""
    agent = _agent(kit, kit.Model("Sunshine heals all customers."), grounder=_grounder(_judging("SECRET")))
    assert "SECRET" not in repr(list(agent.stream(ASKED, stream_mode=["messages", "values", "updates", "custom"])))


def _judging(words):
    """A judge that says something unreadable."""
    return lambda _: words


def test_langchain_40704_history_is_never_trusted(kit):
    """What an earlier answer said, verified or not, is no evidence: only sources are."""
    kit.model = kit.Model("The fee for refunds is EUR 7.")
    history = [HumanMessage("Fee?"), AIMessage("The fee for refunds is EUR 7."), HumanMessage("Again, the fee?")]
    result = _agent(kit, kit.model, grounder=_grounder()).invoke({"messages": history})
    assert result["messages"][1].text == history[1].text, "the supplied history is the caller's"
    assert result["grounding"]["action"] != "ok"
    assert not [claim for claim in result["grounding"]["claims"] if claim["label"] == "SUPPORTED"]


async def test_langchain_27920_invoke_and_ainvoke_have_the_same_sources(kit, grounder):
    """Captured spans and report are equal, whichever way the chain is called."""
    reported = ground(kit.chain(f"{RIGHT} {FALSE}"), grounder).with_report()
    first, second = reported.invoke(QUESTION), await reported.ainvoke(QUESTION)
    assert first.evidence == second.evidence
    assert first == second


def test_langchain_7290_16933_missing_documents_are_a_loud_state(kit, grounder):
    """A chain whose search nobody sees is not "all supported"."""
    chain = {"context": lambda _: RIGHT, "question": RunnablePassthrough()} | kit.prompt | kit.Model(RIGHT)
    report = ground(chain, grounder).with_report().invoke(QUESTION)
    assert Label.SUPPORTED not in _labels(report)
    assert any("no evidence was captured" in notice for notice in report.notices)


async def test_langchain_12400_16136_sources_are_there_when_streaming(kit, grounder):
    """In the custom event of a stream, in the message's metadata, and as the whole stream of `with_report()`."""
    guarded = ground(kit.chain(RIGHT), grounder, stream="claims")
    events = [event async for event in guarded.astream_events(QUESTION, version="v2")]
    (told,) = [event["data"] for event in events if event["event"] == "on_custom_event"]
    assert told["claims"][0]["quotes"][0]["text"].strip() == RIGHT
    (report,) = [report async for report in guarded.with_report().astream(QUESTION)]
    assert report.evidence.usable[0].source_id == "refunds.md"
    chunks = list(ground(kit.chain(RIGHT, parser=RunnablePassthrough()), grounder, stream="claims").stream(QUESTION))
    assert chunks[-1].response_metadata["grounding"]["claims"][0]["label"] == "SUPPORTED"


def test_langchain_9913_sources_do_not_depend_on_the_prompt(kit, grounder):
    """Without markers, and with a "SOURCES:" line of the model's own, the proof is found all the same."""
    for answer in (RIGHT, f"{RIGHT}\nSOURCES: refunds"):
        report = ground(kit.chain(answer), grounder).with_report().invoke(QUESTION)
        assert report.claims[0].quotes[0].text.strip() == RIGHT


@pytest.mark.parametrize(
    "quote", ["a partial (refund", "paid within twenty days", "Refunds are not paid within ten days"]
)
def test_langchain_29842_instructor_2430_quotes_are_exact(kit, grounder, quote):
    """Unrelated, altered and unbalanced quotations are not accepted, and crash nothing."""
    report = ground(kit.chain(f'The policy says "{quote}".'), grounder).with_report().invoke(QUESTION)
    assert Label.SUPPORTED not in _labels(report)
    assert Label.CONTRADICTED in _labels(report)


@pytest.mark.parametrize("hint", [-1, 0, 4, 9999])
def test_langchain_21475_17642_29884_start_index_is_a_hint(kit, grounder, hint):
    """Splitters give -1, or the first of several places: offsets are confirmed in the source or not claimed."""
    source = f"Intro. {RIGHT} Outro."
    kit.documents[:] = [Document(page_content=RIGHT, metadata={"source": "a", "start_index": hint})]
    chain = kit.chain(RIGHT, retriever=kit.Retriever(documents=kit.documents))
    (span,) = ground(chain, grounder, source_text=lambda _: source).with_report().invoke(QUESTION).evidence.spans
    assert (span.offsets_verified, source[span.start : span.end]) == (True, RIGHT)
    (span,) = ground(chain, grounder).with_report().invoke(QUESTION).evidence.spans
    assert not span.offsets_verified


class Merging(BaseRetriever):
    """Drops one of two documents with the same text, as ensembles do, or all metadata, as rerankers do."""

    part: BaseRetriever
    bare: bool = False

    def _get_relevant_documents(self, query, *, run_manager):
        found = self.part.invoke(query, config={"callbacks": run_manager.get_child()})
        unique = {document.page_content: document for document in found}.values()
        return [Document(page_content=one.page_content, metadata={} if self.bare else one.metadata) for one in unique]


def test_langchain_38627_37046_merged_sources_are_all_kept(kit, grounder):
    """Identical text in two sources: whichever of them an answer cites, it stands there."""
    twins = [Document(page_content=RIGHT, metadata={"source": name, "id": name}) for name in ("a", "b")]
    retriever = Merging(part=kit.Retriever(documents=twins))
    for name in ("a", "b"):
        report = ground(kit.chain(f"{RIGHT} [{name}]", retriever=retriever), grounder).with_report().invoke(QUESTION)
        assert _labels(report) == [Label.SUPPORTED]


def test_langchain_19142_7661_metadata_a_reranker_dropped_comes_back(kit, grounder):
    """The source of a document is that of its text."""
    retriever = Merging(part=kit.Retriever(documents=kit.documents), bare=True)
    report = ground(kit.chain(RIGHT, retriever=retriever), grounder).with_report().invoke(QUESTION)
    assert {span.source_id for span in report.evidence.spans} == {"refunds.md", "vouchers.md"}


def test_langchain_35320_28848_30531_bound_tools_tags_and_listeners_stay(kit):
    """Injection chains no binding onto a binding: arguments arrive, tags stay, listeners fire once."""
    model, seen, started = kit.Model(RIGHT), [], []

    class Tags(kit.Events):
        def on_chat_model_start(self, serialized, messages, *, tags=None, **_):
            seen.append(tags)

    bound = model.bind(tools=["t"]).with_config(tags=["mine"]).with_listeners(on_start=started.append)
    chain = {"context": lambda _: "", "question": RunnablePassthrough()} | kit.prompt | bound
    ground(chain, kit.grounder).invoke(QUESTION, {"callbacks": [Tags()]})
    assert model.kwargs_seen == [{"tools": ["t"]}]
    assert "mine" in seen[0]
    assert len(started) == 1


async def test_langchain_30222_23811_nested_calls_keep_their_capture(kit, grounder):
    """A retriever awaited deep inside functions, without passing any config on."""

    async def deeper(question):
        return await kit.Retriever(documents=kit.documents).ainvoke(question)

    async def deep(question):
        return kit.format_docs((await asyncio.gather(deeper(question), deeper(question)))[0])

    chain = {"context": RunnableLambda(deep), "question": RunnablePassthrough()} | kit.prompt | kit.Model(RIGHT)
    report = await ground(chain, grounder).with_report().ainvoke(QUESTION)
    assert _labels(report) == [Label.SUPPORTED]


def test_langsmith_771_streamlit_12051_lost_threads_are_reported_and_have_a_way_out(kit, grounder):
    """A raw thread loses LangChain's context: the report says so; `cite`, or the config passed on, bring it back."""
    retriever = kit.Retriever(documents=kit.documents)

    def run(search):
        chain = {"context": RunnableLambda(search), "question": RunnablePassthrough()} | kit.prompt | kit.Model(RIGHT)
        return ground(chain, grounder).with_report().invoke(QUESTION)

    def in_thread(work, *args):
        with ThreadPoolExecutor(1) as pool:
            return pool.submit(work, *args).result()

    lost = run(lambda question: kit.format_docs(in_thread(retriever.invoke, question)))
    assert any("no evidence was captured" in notice for notice in lost.notices)
    assert _labels(run(lambda question: cite(in_thread(retriever.invoke, question)))) == [Label.SUPPORTED]
    passed_on = run(lambda question, config: kit.format_docs(in_thread(retriever.invoke, question, config)))
    assert _labels(passed_on) == [Label.SUPPORTED]


def test_langfuse_3491_parallel_runs_share_no_handler(kit):
    """One guard, many threads: every answer is checked against the documents of its own run."""

    class Own(BaseRetriever):
        def _get_relevant_documents(self, query, *, run_manager):
            return [Document(page_content=f"The number is {query}.", metadata={"source": query})]

    chain = {"context": Own() | kit.format_docs, "question": RunnablePassthrough()} | kit.prompt
    guarded = ground(chain | kit.Model(lambda messages: messages[0].text) | StrOutputParser(), kit.grounder)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(guarded.invoke, map(str, range(40))))
    assert sorted(call.evidence[0].source_id for call in kit.grounder.calls) == sorted(map(str, range(40)))
    assert all(len(call.evidence) == 1 for call in kit.grounder.calls)


def test_langgraph_1084_2479_artifacts_do_not_burden_checkpoints_and_streams(kit):
    """Spans are plain JSON, each text once; the summary that is streamed holds no source text but quotes."""
    memory = pytest.importorskip("langgraph.checkpoint.memory")

    @tool(response_format="content_and_artifact")
    def find(query: str):
        """Finds."""
        return kit.format_docs(kit.documents), kit.documents

    def reply(messages):
        if isinstance(messages[-1], ToolMessage):
            return RIGHT
        return AIMessage("", tool_calls=[{"name": "find", "args": {"query": "x"}, "id": f"c{len(messages)}"}])

    agent = _agent(kit, kit.Model(reply), [find], checkpointer=memory.InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    for _ in range(3):
        result = agent.invoke(ASKED, config)
    spans = agent.get_state(config).values["grounding_spans"]
    assert json.loads(json.dumps(spans)) == spans
    assert [span["source_id"] for span in spans] == ["refunds.md", "shipping.md", "vouchers.md"]
    assert "Parcels travel" not in json.dumps(result["grounding"])


def test_langchain_31949_33883_prompts_are_the_same_for_the_same_input(kit):
    """Nothing random in the rules: a cached reply is found again, under its own id, and verified again."""
    model = kit.Model(RIGHT)
    set_llm_cache(InMemoryCache())
    try:
        guarded = ground(kit.chain(model=model, parser=RunnablePassthrough()), kit.grounder)
        first, second = guarded.invoke(QUESTION), guarded.invoke(QUESTION)
    finally:
        set_llm_cache(None)
    assert (len(model.seen), len(kit.grounder.calls)) == (1, 2)
    assert (first.text, first.id) == (second.text, second.id)


def test_langchain_38837_interrupts_are_not_swallowed(kit):
    """A person asked inside a tool is asked through the guard, and the run resumes."""
    memory = pytest.importorskip("langgraph.checkpoint.memory")
    types = pytest.importorskip("langgraph.types")

    @tool
    def ask(query: str) -> str:
        """Asks a person."""
        return str(types.interrupt("May I?"))

    def reply(messages):
        if isinstance(messages[-1], ToolMessage):
            return RIGHT
        return AIMessage("", tool_calls=[{"name": "ask", "args": {"query": "x"}, "id": "c"}])

    agent = _agent(kit, kit.Model(reply), [ask], checkpointer=memory.InMemorySaver())
    config = {"configurable": {"thread_id": "1"}}
    assert agent.invoke(ASKED, config)["__interrupt__"][0].value == "May I?"
    assert agent.invoke(types.Command(resume=RIGHT), config)["messages"][-1].text == RIGHT
    assert kit.grounder.last.evidence[0].text == RIGHT


@pytest.mark.parametrize(
    "answer",
    [
        "退款在三十天内支付。退款会退到银行卡",
        "- Refunds: thirty days\n- Card: any",
        "refunds are paid within thirty days",
    ],
)
def test_ragas_985_1523_1651_texts_without_full_stops_have_claims(kit, grounder, answer):
    """No claims is no pass, and a list, a Chinese text or a text without punctuation has some."""
    report = ground(kit.chain(answer), grounder).with_report().invoke(QUESTION)
    assert _labels(report)
    assert report.action != "ok"


@pytest.mark.parametrize("strategy", ["ToolStrategy", "ProviderStrategy"])
def test_langchainjs_9717_9418_structured_output_survives_the_wrapped_call(kit, strategy):
    """One model call, and an object."""
    structured = pytest.importorskip("langchain.agents.structured_output")
    from pydantic import BaseModel  # noqa: PLC0415

    class Refund(BaseModel):
        """An answer."""

        answer: str

    args = {"answer": "Fine. WRONG one. Good."}
    message = {
        "ToolStrategy": AIMessage("", tool_calls=[{"name": "Refund", "args": args, "id": "s"}]),
        "ProviderStrategy": AIMessage(json.dumps(args)),
    }[strategy]
    model = kit.Model(message)
    agent = _agent(kit, model, response_format=getattr(structured, strategy)(Refund))
    assert agent.invoke(ASKED)["structured_response"] == Refund(answer="Fine. Good.")
    assert len(model.seen) == 1


@pytest.mark.parametrize(
    "value",
    [
        QUESTION,
        HumanMessage(QUESTION),
        [HumanMessage(QUESTION)],
        [("human", QUESTION)],
        [{"role": "user", "content": QUESTION}],
        [SystemMessage("Be kind."), {"role": "user", "content": [{"type": "text", "text": QUESTION}]}],
    ],
    ids=["text", "message", "messages", "pairs", "dicts", "blocks"],
)
async def test_nemo_473_318_1390_inputs_of_every_kind_are_read(kit, value):
    """Whatever a model takes, the guarded model takes, streams, and hands the caller's callbacks on."""
    events = kit.Events()
    model = kit.Model("Fine. WRONG one. Good. Better.")
    listed = RunnableLambda(lambda message: [message])  # a model takes no single message
    guarded = ground(listed | model if isinstance(value, HumanMessage) else model, kit.grounder, stream="claims")
    assert guarded.invoke(value, {"callbacks": [events]}).text == "Fine. Good. Better."
    assert "".join([chunk.text async for chunk in guarded.astream(value)]) == "Fine. Good. Better."
    assert "model" in events.names
    assert kit.grounder.last.question == QUESTION


def test_guardrails_980_the_default_is_no_pass_through(kit, grounder):
    """With no setting at all a contradicted sentence is not shown."""
    assert FALSE not in ground(kit.chain(f"{RIGHT} {FALSE} They go to the card used."), grounder).invoke(QUESTION)


def test_vercel_ai_15757_markers_stay_readable_and_annotations_are_on_request(kit, grounder):
    """An interface that reads text only shows the source; one that reads annotations gets them."""
    fields = SpanFields()
    name = kit.Retriever(documents=kit.documents)
    report = ground(kit.chain(RIGHT, retriever=name), grounder, fields=fields).with_report().invoke(QUESTION)
    marker = report.evidence.usable[0].id
    answer = f"Refunds are paid within ten days [{marker}]."
    assert ground(kit.chain(answer), grounder).invoke(QUESTION) == answer
    message = annotated(ground(kit.chain(answer), grounder).with_report().invoke(QUESTION))
    assert message.text == answer
    assert message.content_blocks[0]["annotations"][0]["cited_text"].strip() == RIGHT


@pytest.mark.parametrize("metadata", [{}, {"source": None}, {"title": "x"}])
def test_gpt_researcher_1893_raglite_50_invented_sources_are_violations(kit, grounder, metadata):
    """A missing source key invents no name: ids are ours, an unknown one is invalid, and nobody reads "None"."""
    documents = [Document(page_content=RIGHT, metadata=metadata)]
    model = kit.Model("Refunds are paid within ten days [refund-guide#9].")
    chain = kit.chain(model=model, retriever=kit.Retriever(documents=documents))
    report = ground(chain, grounder).with_report().invoke(QUESTION)
    assert _labels(report) == [Label.INVALID_CITATION]
    assert "None" not in model.seen[0][0].text
    assert report.evidence.spans[0].id.startswith("doc#")


def test_langgraph_5974_nothing_loops(kit):
    """A grader that is never satisfied is asked once: the verifier cuts, it does not send the answer round."""
    asked = []

    def never(prompt):
        asked.append(prompt)
        return json.dumps({"verdicts": [{"claim": 1, "label": "INSUFFICIENT_EVIDENCE", "evidence": []}]})

    node = GroundingVerifier(_grounder(never)).as_node()
    answer = "Sunshine heals all customers."
    result = node.invoke({"documents": kit.documents, "generation": answer, "question": QUESTION})
    assert len(asked) == 1
    assert answer not in result["generation"]
