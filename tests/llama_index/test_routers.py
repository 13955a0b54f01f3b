"""Routers and sub-questions: several engines below one answer, verified once, against the leaves."""

from __future__ import annotations

import pytest
from llama_index.core import Document
from llama_index.core.base.base_selector import BaseSelector, SelectorResult, SingleSelection
from llama_index.core.query_engine import (
    RouterQueryEngine,
    SubQuestionQueryEngine,
)
from llama_index.core.question_gen.types import BaseQuestionGenerator, SubQuestion
from llama_index.core.response_synthesizers import TreeSummarize, get_response_synthesizer
from llama_index.core.tools import QueryEngineTool, ToolMetadata

from grounding_middleware_llama_index import (
    GroundedSynthesizer,
    ground,
    report_of,
)

QUESTION = "When are refunds paid?"
POST = [Document(text="Parcels travel by rail.", id_="post.md")]
WAYS = ["query", "aquery"]


async def _ask(engine, way, question=QUESTION):
    return engine.query(question) if way == "query" else await engine.aquery(question)


class Choice(BaseSelector):
    """Always chooses the same engines, after asking a model about it, as selectors do."""

    def __init__(self, chosen, model=None):
        self.chosen, self.model = chosen, model

    def _select(self, choices, query):
        if self.model:
            self.model.complete("Choose one of these tools.")
        return SelectorResult(selections=[SingleSelection(index=index, reason="so") for index in self.chosen])

    async def _aselect(self, choices, query):
        return self._select(choices, query)

    def _get_prompts(self):
        return {}

    def _update_prompts(self, prompts):
        pass


class Questions(BaseQuestionGenerator):
    """One sub-question for each tool."""

    def generate(self, tools, query):
        """All at once."""
        return [SubQuestion(sub_question=f"{query.query_str} ({tool.name})", tool_name=tool.name) for tool in tools]

    async def agenerate(self, tools, query):
        """The same."""
        return self.generate(tools, query)

    def _get_prompts(self):
        return {}

    def _update_prompts(self, prompts):
        pass


def _tool(engine, name):
    return QueryEngineTool(engine, ToolMetadata(name=name, description=name))


def _tools(kit, first=None, **settings):
    """Two engines over two indexes."""
    post = kit.index(POST).as_query_engine(llm=kit.model("Parcels travel by rail."), **settings)
    return [_tool(first or kit.engine(**settings), "refunds"), _tool(post, "post")]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("streaming", [False, True])
async def test_12_router(kit, way, streaming):
    """Checklist 12: the chosen engine's nodes are the evidence, its models got the rules, the selector's did not."""
    model = kit.model()
    tools = _tools(kit, kit.index().as_query_engine(llm=model, streaming=streaming))
    chooser = kit.model("the first")
    router = RouterQueryEngine(Choice([0], chooser), tools, llm=kit.model(), summarizer=TreeSummarize(llm=kit.model()))
    safe = ground(router, kit.grounder)
    response = await _ask(safe, way)
    report = report_of(response)
    assert report.text == kit.SUPPORTED
    if not streaming:
        assert str(response) == kit.SUPPORTED
    assert response.metadata["selector_result"].selections == [SingleSelection(index=0, reason="")]
    assert {span.source_id for span in report.evidence.spans} == {"refunds.md", "vouchers.md"}
    assert "Answer only from the sources." in model.prompts[0]
    assert "Answer only from the sources." not in chooser.prompts[0]
    assert report.capture.rules_reached == report.capture.model_runs
    assert [tool.query_engine for tool in tools] == router._query_engines, "the router is untouched"


@pytest.mark.parametrize("way", WAYS)
async def test_12_router_with_several_choices(kit, way):
    """Checklist 12: a summary over two answers rests on the leaves of both engines."""
    both = "Refunds are paid within ten days. Parcels travel by rail."
    summarizer = TreeSummarize(llm=kit.model(f"{both} Refunds are paid in {kit.LEAK} coins."))
    router = RouterQueryEngine(Choice([0, 1]), _tools(kit), llm=kit.model(), summarizer=summarizer)
    response = await _ask(ground(router, kit.grounder), way)
    assert str(response) == both
    report = report_of(response)
    assert report.capture.model_runs == report.capture.rules_reached
    spans = {span.source_id for span in report.evidence.spans if span.delivered}
    if report.capture.model_runs == 3:  # old versions lose the context in a loop of their own
        assert spans == {"refunds.md", "vouchers.md", "post.md"}


async def test_12_router_over_grounded_engines_verifies_once(kit):
    """Checklist 12: an answer that comes verified from inside is taken over with its report."""
    tools = [_tool(ground(tool.query_engine, kit.grounder), tool.metadata.name) for tool in _tools(kit)]
    router = RouterQueryEngine(Choice([0]), tools, llm=kit.model(), summarizer=TreeSummarize(llm=kit.model()))
    response = ground(router, kit.grounder).query(QUESTION)
    assert str(response) == kit.SUPPORTED
    assert len(kit.judge.tasks) == 1


@pytest.mark.parametrize("use_async", [False, True])
@pytest.mark.parametrize("way", WAYS)
async def test_12_sub_questions(kit, way, use_async):
    """Checklist 12: the nodes made of sub-answers are no evidence; the leaves below them are."""
    both = "Refunds are paid within ten days. Parcels travel by rail."
    synthesizer = get_response_synthesizer(llm=kit.model(f"{both} Refunds are paid in {kit.LEAK} coins."))
    engine = SubQuestionQueryEngine(Questions(), synthesizer, _tools(kit), use_async=use_async, verbose=False)
    response = await _ask(ground(engine, kit.grounder), way)
    report = report_of(response)
    assert kit.LEAK not in repr(response), "neither the text nor the nodes made of sub-answers"
    assert not any("Sub question" in span.text for span in report.evidence.spans)
    assert any("2 node(s) without a source document" in notice for notice in report.notices)
    if report.capture.model_runs == 3:  # old versions lose the context in a loop of their own: nothing is shown then
        assert str(response) == both
        assert {span.source_id for span in report.evidence.spans if span.delivered} == {
            "refunds.md",
            "vouchers.md",
            "post.md",
        }
        assert report.capture.rules_reached == 3


def test_12_sub_answers_alone_support_nothing(kit):
    """Checklist 12: what only a sub-answer says is a model's word."""
    tools = [_tool(kit.engine(f"Refunds are paid in {kit.LEAK} coins."), "refunds")]
    synthesizer = get_response_synthesizer(llm=kit.model(f"Refunds are paid in {kit.LEAK} coins."))
    engine = SubQuestionQueryEngine(Questions(), synthesizer, tools, use_async=False, verbose=False)
    assert str(ground(engine, kit.grounder).query(QUESTION)) == kit.grounder.policy.texts.escalation


def test_12_a_grounded_synthesizer_in_a_router_says_what_to_do(kit):
    """Checklist 12: a summariser is given texts without provenance; the error names the way out."""
    summarizer = GroundedSynthesizer(TreeSummarize(llm=kit.model()), kit.grounder)
    router = RouterQueryEngine(Choice([0, 1]), _tools(kit), llm=kit.model(), summarizer=summarizer)
    with pytest.raises(Exception, match=r"ground\(\.\.\.\) the engine"):
        router.query(QUESTION)
