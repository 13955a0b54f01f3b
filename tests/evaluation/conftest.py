"""A golden set on disk: right, wrong, undecided, unanswerable and badly cited answers, as many as a test needs."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Golden = Callable[[int], Path]

_SOURCES = ["Refunds are paid within 5 days.", "The fee is 5 EUR."]
_KINDS: list[dict[str, Any]] = [
    {
        "answer": "Refunds are paid within 5 days [S1].",
        "claims": [{"text": "Refunds are paid within 5 days", "label": "SUPPORTED", "cites": ["S1"]}],
        "facts": ["within 5 days"],
        "answerable": True,
        "segments": {"domain": "refunds"},
    },
    {
        "answer": "Refunds are paid within 9 days [S1]. The fee is 5 EUR [S2].",
        "claims": [
            {"text": "Refunds are paid within 9 days", "label": "CONTRADICTED", "kind": "deadline"},
            {"text": "The fee is 5 EUR", "label": "SUPPORTED"},
        ],
        "facts": ["within 5 days", "5 EUR"],
        "answerable": True,
        "segments": {"domain": "refunds"},
    },
    {
        "answer": "Customers like the quick service [S1].",
        "claims": [{"text": "Customers like the quick service", "label": "INSUFFICIENT_EVIDENCE"}],
        "segments": {"domain": "service"},
    },
    {"answer": "The documents do not say when shops open.", "answerable": False, "segments": {"domain": "service"}},
    {
        "answer": "The fee is 5 EUR [S7].",
        "claims": [{"text": "The fee is 5 EUR", "label": "INVALID_CITATION", "kind": "unknown_id", "cites": []}],
        "segments": {"domain": "fees"},
    },
]


@pytest.fixture
def golden(tmp_path: Path) -> Golden:
    """A golden set of so many answers."""

    def write(number: int) -> Path:
        path = tmp_path / f"golden-{number}.jsonl"
        with path.open("w", encoding="utf-8") as file:
            for index in range(number):
                file.write(f"{json.dumps({'id': f'a{index}', 'sources': _SOURCES, **_KINDS[index % len(_KINDS)]})}\n")
        return path

    return write
