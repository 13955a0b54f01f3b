"""The tiny classifier, whole or as a copy to break, and tasks for it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware.judges import JudgeItem, JudgeTask
from grounding_middleware.judges.nli import OnnxModel
from grounding_middleware.records import Claim, Span

TINY = Path(__file__).with_name("tiny")


@pytest.fixture(scope="session")
def tiny() -> OnnxModel:
    return OnnxModel(TINY)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the folder, to be changed."""
    return Path(shutil.copytree(TINY, tmp_path / "tiny"))


@pytest.fixture
def configure(copy: Path) -> Callable[..., Path]:
    """The copy with changed keys of its config; None takes a key out."""

    def configured(**changes: Any) -> Path:
        path = copy / "config.json"
        config = {**json.loads(path.read_text()), **changes}
        path.write_text(json.dumps({key: value for key, value in config.items() if value is not None}))
        return copy

    return configured


@pytest.fixture
def task() -> Callable[..., JudgeTask]:
    """A task with one claim that cites all passages."""

    def built(*passages: str, claim: str = "the desk opens", **item: Any) -> JudgeTask:
        spans = tuple(Span(id=f"S{at}", text=text) for at, text in enumerate(passages, start=1))
        fields = {"id": "c1", "text": claim, "start": 0, "end": len(claim), **item.pop("claim_fields", {})}
        items = (JudgeItem(claim=Claim(**fields), span_ids=tuple(span.id for span in spans), **item),)
        return JudgeTask(question="?", answer=claim, evidence=spans, items=items)

    return built
