"""The statements the model is measured on: a sample of each measuring set, cut in a part to fix and a part to report.

Nothing here is trained on. The part of a row depends on its id alone, so that all sentences of an answer are together.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

SETS: Final = {
    "ragtruth_qa": True,
    "ragtruth_summary": True,
    "ragtruth_data2txt": True,
    "factcheck_bench": False,
    "expertqa": True,
    "attributionbench_id": True,
    "begin": True,
    "citation_integrity": True,
    "scone": True,
    "med": True,
    "gqnli": False,
    "fever_symmetric": True,
    "indonli": True,
}
"""Each set, and whether other rows of its family were trained on."""

LANGUAGES: Final = {"indonli": "id"}
FIX: Final = 40  # of 100 rows serve to fix thresholds and are not reported


@dataclass(frozen=True, slots=True)
class Statement:
    """One labelled statement and the passages it is held against; `row` names the answer it stands in."""

    dataset: str
    row: str
    key: str
    text: str
    label: str
    passages: tuple[str, ...]
    language: str

    @property
    def is_supported(self) -> bool:
        """Whether people said that the passages carry it."""
        return self.label == "SUPPORTED"

    @property
    def is_fixed_on(self) -> bool:
        """Whether it serves to fix thresholds; else it is reported."""
        return _number(self.row) % 100 < FIX


def sample(data: Path, name: str, most: int) -> list[Statement]:
    """About `most` statements of a set, whole rows, always the same ones."""
    rows = [json.loads(line) for line in (data / f"{name}.jsonl").read_text("utf-8").splitlines()]
    found: list[Statement] = []
    for row in sorted(rows, key=lambda row: _number(f"order {row['id']}")):
        if len(found) >= most:
            break
        found += _statements(name, row)
    return found


def passages(context: str) -> tuple[str, ...]:
    """The context cut where it announces its passages."""
    parts = (part.strip() for part in re.split(r"(?m)^passage \d+:", context))
    return tuple(part for part in parts if part)


def _statements(name: str, row: dict[str, Any]) -> Iterator[Statement]:
    whole = [{"start": 0, "end": len(row["claim"]), "label": row["label"]}]
    for at, spot in enumerate(row["extra"].get("sentences") or whole):
        text = row["claim"][spot["start"] : spot["end"]].strip()
        if text:
            yield Statement(
                name, row["id"], f"{row['id']}#{at}", text, spot["label"], passages(row["context"]),
                LANGUAGES.get(name, "en"),
            )  # fmt: skip


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6], "big")
