"""The snippets of the package's README run as they stand there, in order."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytest.importorskip("langchain.agents")

from langchain_core.tools import create_retriever_tool
from langgraph.graph import StateGraph

README = Path(__file__).parents[2] / "integrations" / "langchain" / "README.md"


@pytest.mark.filterwarnings("ignore::UserWarning")  # no judge: the README says what that means
def test_snippets_run(kit):
    """Whatever a reader copies works with a chain, a model, tools and documents of their own."""
    names = {
        "chain": kit.chain("Refunds are paid within ten days."),
        "question": "When are refunds paid?",
        "judge_model": kit.Model("no verdict"),
        "model": kit.Model("Refunds are paid within ten days."),
        "tools": [create_retriever_tool(kit.Retriever(documents=kit.documents), "lookup", "Finds.")],
        "documents": kit.documents,
        "answer": "Refunds are paid within ten days.",
        "builder": StateGraph(dict),
        "reports": [],
    }
    snippets = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert len(snippets) >= 6
    for snippet in snippets:
        exec(compile(snippet, str(README), "exec"), names)  # noqa: S102  # our own README
    assert names["report"].action
    assert names["result"]["grounding"]["action"]
