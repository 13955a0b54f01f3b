"""The snippets of the package's README run as they stand there, in order."""

from __future__ import annotations

import gc
import re
from pathlib import Path

import pytest
from llama_index.core.schema import NodeWithScore, TextNode

README = Path(__file__).parents[2] / "integrations" / "llama_index" / "README.md"

pytestmark = pytest.mark.filterwarnings(
    "ignore:policy 'standard' expects a judge",  # the README says what that means
    "ignore::pydantic.PydanticDeprecationWarning",
    "ignore:ServiceManager is deprecated",
    "ignore::ResourceWarning",  # LlamaIndex's default memory keeps a database open
    "ignore::pytest.PytestUnraisableExceptionWarning",
)


async def test_snippets_run(kit):
    """Whatever a reader copies works with an index, models and nodes of their own."""
    names = {
        "index": kit.index(),
        "llm": kit.model(kit.SUPPORTED),
        "judge_llm": kit.model("no verdict"),
        "agent_llm": kit.model(kit.SUPPORTED),
        "question": kit.QUESTION,
        "nodes": [NodeWithScore(node=TextNode(text=kit.SUPPORTED, id_="r"))],
    }
    snippets = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert len(snippets) >= 8
    for snippet in snippets:
        exec(compile(snippet, str(README), "exec"), names)  # noqa: S102  # our own README
    assert str(names["verified"]) == kit.SUPPORTED
    assert names["result"].passing is False
    names.clear()
    gc.collect()  # the warnings belong to this test
