"""The snippets of the package's README run as they stand there, in order."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

README = Path(__file__).parents[2] / "integrations" / "guardrails" / "README.md"


@pytest.mark.filterwarnings("ignore:policy '.*' expects a judge:UserWarning")
def test_snippets_run(kit: Any, chain: Any, query_engine: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a reader copies works with a judge, a chain and an engine of their own."""
    names: dict[str, Any] = {
        "judge_model": kit.FixedJudge("INSUFFICIENT_EVIDENCE"),
        "chain": chain,
        "query_engine": query_engine,
        "question": "How long does a refund take?",
        "chunks": ["The sky is", " blue. Pigs can", " fly."],
        "sources": ["The sky is blue."],
    }
    snippets = re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert len(snippets) >= 4
    for snippet in snippets:
        exec(compile(snippet, str(README), "exec"), names)  # noqa: S102  # our own README
    assert capsys.readouterr().out.splitlines()[:3] == [
        "The sky is blue.",
        "SUPPORTED The sky is blue.",
        "INSUFFICIENT_EVIDENCE Pigs can fly.",
    ]
    assert names["report"].action == "revised"
