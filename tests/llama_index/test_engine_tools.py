"""Engines as tools, and engines under LlamaIndex's own evaluation."""

from __future__ import annotations

import pytest
from llama_index.core.evaluation import BatchEvalRunner
from llama_index.core.tools import QueryEngineTool, ToolMetadata
from llama_index.core.tools.eval_query_engine import EvalQueryEngineTool

from grounding_middleware import Action
from grounding_middleware_llama_index import (
    GroundingEvaluator,
    ground,
    report_of,
)

QUESTION = "When are refunds paid?"


def _tool(engine, name):
    return QueryEngineTool(engine, ToolMetadata(name=name, description=name))


@pytest.mark.parametrize("way", ["call", "acall"])
async def test_12_query_engine_tool(kit, way):
    """Checklist 12: `ground(tool)` is the same tool, its content verified; the original tool is bare."""
    tool = _tool(kit.engine(), "refunds")
    safe = ground(tool, kit.grounder)
    assert type(safe) is QueryEngineTool
    output = safe.call(QUESTION) if way == "call" else await safe.acall(QUESTION)
    assert output.content == kit.SUPPORTED
    assert report_of(output.raw_output).action is Action.REVISED
    assert tool.call(QUESTION).content == kit.RAW
    assert ground(safe, kit.grounder) is safe


@pytest.mark.parametrize("way", ["call", "acall"])
async def test_12_eval_query_engine_tool(kit, way):
    """Checklist 12: with our evaluator the tool refuses an answer that is not supported; grounded, it passes it cut."""
    tool = EvalQueryEngineTool(
        GroundingEvaluator(kit.grounder), kit.engine(), ToolMetadata(name="refunds", description="x")
    )
    output = tool.call(QUESTION) if way == "call" else await tool.acall(QUESTION)
    assert output.content.startswith("Could not use tool refunds because it failed evaluation")
    safe = ground(tool, kit.grounder)
    output = safe.call(QUESTION) if way == "call" else await safe.acall(QUESTION)
    assert output.content == kit.SUPPORTED


@pytest.mark.filterwarnings("ignore:asyncio_module:DeprecationWarning")  # LlamaIndex's own
async def test_12_batch_evaluation(kit):
    """Checklist 12: BatchEvalRunner keeps our results, with their reports; a grounded engine scores one."""
    runner = BatchEvalRunner({"grounding": GroundingEvaluator(kit.grounder)}, workers=4)
    questions = [QUESTION, "How long do refunds take?"]
    bare = await runner.aevaluate_queries(kit.engine(), queries=questions)
    assert [(result.score, result.passing) for result in bare["grounding"]] == [(0.5, False)] * 2
    assert all(result.report.claims for result in bare["grounding"])
    safe = await runner.aevaluate_queries(ground(kit.engine(), kit.grounder), queries=questions)
    assert [(result.score, result.passing) for result in safe["grounding"]] == [(1.0, True)] * 2
