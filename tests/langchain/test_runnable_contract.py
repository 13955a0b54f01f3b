"""A guarded chain is a runnable like the one it guards: composable, introspectable, traceable."""

from __future__ import annotations

import gc
import uuid

import pytest
from langchain_core.load import dumps
from langchain_core.messages import HumanMessage
from langchain_core.output_parsers import StrOutputParser
from langchain_core.runnables import RunnableLambda, RunnableParallel, RunnablePassthrough
from langchain_core.tracers import BaseTracer

from grounding_middleware.records import Report
from grounding_middleware_langchain import ground

QUESTION = "When are refunds paid?"
VERIFIED = "Refunds are paid within ten days. "


class Tracer(BaseTracer):
    """Keeps the finished root runs."""

    def __init__(self):
        super().__init__()
        self.roots = []

    def _persist_run(self, run):
        self.roots.append(run)


def _tree(run):
    """Names and kinds, whatever the order in which parallel branches began."""
    return (run.name, run.run_type, sorted(_tree(child) for child in run.child_runs))


def test_types_schema_graph_and_name_are_those_of_the_chain(kit):
    """Checklist 8: whoever looks at the guarded chain sees the chain."""
    chain = kit.chain()
    guarded = ground(chain, kit.grounder)
    assert (guarded.InputType, guarded.OutputType) == (chain.InputType, chain.OutputType)
    assert guarded.get_input_jsonschema() == chain.get_input_jsonschema()
    assert guarded.get_output_jsonschema() == chain.get_output_jsonschema()
    assert guarded.config_specs == chain.config_specs
    assert guarded.get_graph().draw_mermaid() == chain.get_graph().draw_mermaid()
    assert guarded.get_name() == chain.get_name()
    assert ground(chain, kit.grounder, name="mine").get_name() == "mine"
    assert guarded.with_report().OutputType is Report


def test_trace_shows_the_chain_as_it_was(kit):
    """Checklist 9: one run around the chain; below it the same runs with the same names, and no others."""
    chain = kit.chain()
    plain, watched = Tracer(), Tracer()
    chain.invoke(QUESTION, {"callbacks": [plain]})
    ground(chain, kit.grounder).invoke(QUESTION, {"callbacks": [watched]})
    (root,) = watched.roots
    assert root.run_type == "chain"
    assert [_tree(child) for child in root.child_runs] == [_tree(plain.roots[0])]


def test_callbacks_tags_metadata_run_name_and_run_id_of_the_caller_stay(kit):
    """Checklist 9: the caller's config reaches the chain."""
    tracer, events, run_id = Tracer(), kit.Events(), uuid.uuid4()
    ground(kit.chain(), kit.grounder).invoke(
        QUESTION,
        {
            "callbacks": [tracer, events],
            "tags": ["mine"],
            "metadata": {"team": "a"},
            "run_name": "named",
            "run_id": run_id,
        },
    )
    (root,) = tracer.roots
    assert (root.name, root.id) == ("named", run_id)
    model = next(run for run in root.child_runs[0].child_runs if run.run_type in ("llm", "chat_model"))
    assert "mine" in model.tags
    assert model.extra["metadata"]["team"] == "a"
    assert events.names.count("retriever_end") == 1
    assert events.names.count("model") == 1


def test_callers_callbacks_are_not_kept(kit):
    """No state between calls: handlers of one call never see the next."""
    events = kit.Events()
    guarded = ground(kit.chain(), kit.grounder)
    guarded.invoke(QUESTION, {"callbacks": [events]})
    count = len(events.names)
    guarded.invoke(QUESTION)
    assert len(events.names) == count


async def test_composes_with_retry_fallbacks_and_parallel(kit):
    """Checklist 7: inside other runnables it behaves like the chain."""
    guarded = ground(kit.chain(), kit.grounder)
    fails = RunnableLambda(lambda _: 1 / 0)
    assert guarded.with_retry().invoke(QUESTION) == VERIFIED
    assert fails.with_fallbacks([guarded]).invoke(QUESTION) == VERIFIED
    assert RunnableParallel(a=guarded, b=guarded).invoke(QUESTION) == {"a": VERIFIED, "b": VERIFIED}
    assert (guarded | (lambda text: text.upper())).invoke(QUESTION) == VERIFIED.upper()
    assert "".join((RunnablePassthrough() | guarded).stream(QUESTION)) == VERIFIED
    assert await guarded.with_config(tags=["x"]).ainvoke(QUESTION) == VERIFIED


async def test_guard_around_a_guard_sees_the_same_evidence(kit):
    """Checklist 7: an outer guard leaves the inner one's rules alone and captures through it."""
    outer = ground(ground(kit.chain(), kit.grounder), kit.grounder)
    assert outer.invoke(QUESTION) == VERIFIED
    inner_call, outer_call = kit.grounder.calls
    assert outer_call.evidence == inner_call.evidence
    report = await outer.with_report().ainvoke(QUESTION)
    assert (report.capture.model_runs, report.capture.rules_reached) == (1, 1)


def test_is_not_serializable_and_says_so(kit):
    """It holds a grounder and functions; it must not pretend that `loads` could bring them back."""
    assert '"not_implemented"' in dumps(ground(kit.chain(), kit.grounder))


def test_early_break_closes_the_chain(kit):
    """Checklist 17: a reader who stops also stops the model."""
    closed = []

    def words(_):
        try:
            yield "Refunds "
            yield "never."
        finally:
            closed.append(True)

    chain = kit.chain(parser=StrOutputParser()) | RunnableLambda(words)
    stream = ground(chain, kit.grounder).stream(QUESTION)
    next(stream)
    stream.close()
    del stream
    gc.collect()
    assert closed == [True]


def test_messages_in_messages_out(kit):
    """A model alone is a chain; without any retrieval the report says so."""
    model = kit.Model("Refunds.")
    report = ground(model, kit.grounder).with_report().invoke([HumanMessage(QUESTION)])
    assert report.question == QUESTION
    assert report.capture.rules_reached == 1
    assert any("no evidence was captured" in notice for notice in report.notices)


@pytest.mark.parametrize("mode", ["messages", "values", "updates", "custom"])
def test_inside_a_graph_nothing_unverified_is_streamed(kit, mode):
    """A guarded chain as a LangGraph node: its model's tokens stay out of every stream mode."""
    graph_module = pytest.importorskip("langgraph.graph")
    builder = graph_module.StateGraph(graph_module.MessagesState)
    guarded = ground(kit.chain(parser=RunnablePassthrough()), kit.grounder)
    builder.add_node("answer", RunnableLambda(lambda state: {"messages": [guarded.invoke(state["messages"][-1].text)]}))
    builder.add_edge("__start__", "answer")
    graph = builder.compile()
    streamed = repr(list(graph.stream({"messages": [HumanMessage(QUESTION)]}, stream_mode=mode)))
    assert "WRONG" not in streamed
    assert VERIFIED in streamed or mode == "custom"


async def test_async_paths_do_not_block_the_event_loop(kit):
    """Checklist 22: no blocking call on the async paths of the adapter."""
    blockbuster = pytest.importorskip("blockbuster")
    answer = "Refunds are paid. WRONG one here. They go to the card. Shops pay none."
    verified = "Refunds are paid. They go to the card. Shops pay none."
    guarded = ground(kit.chain(answer), kit.grounder)
    claims = ground(kit.chain(answer), kit.grounder, stream="claims")
    await guarded.ainvoke(QUESTION)  # what is loaded on first use is loaded
    assert [piece async for piece in claims.astream(QUESTION)]
    with blockbuster.blockbuster_ctx():
        assert await guarded.ainvoke(QUESTION) == verified
        assert "".join([piece async for piece in guarded.astream(QUESTION)]) == verified
        assert "".join([piece async for piece in claims.astream(QUESTION)]) == verified
        assert await guarded.abatch([QUESTION, QUESTION]) == [verified, verified]
