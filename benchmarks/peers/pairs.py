"""Labelled pairs of claim and evidence, the same for every verifier, from the case files and the public data."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
DATA = Path(os.environ.get("GROUNDING_DATA", ROOT.parent / "shared" / "data"))
CASES = {"visible": ROOT / "tests" / "cases" / "claims.jsonl"} | {
    path.stem: path for path in sorted((ROOT / "benchmarks" / "cases").glob("*.jsonl"))
}
PUBLIC = ("ragtruth_qa", "fever_symmetric", "med")
PASS = {"SUPPORTED", "NOT_A_CLAIM", "ABSTENTION"}
# What these classes test lies outside a claim and its evidence: markers, versions, dates in force, who asks, no claim.
OUTSIDE = {"citation", "wrong_attribution", "freshness", "audience", "not_a_claim", "abstention"}


@dataclass(frozen=True, slots=True)
class Pair:
    """One question to a verifier; `case` is the whole development case it was cut from, if it was."""

    claim: str
    evidence: tuple[str, ...]
    question: str
    must_flag: bool
    case: dict[str, Any] | None = None


def sets(limit: int) -> Iterator[tuple[str, list[Pair]]]:
    """Every set that is present, of a public one at most `limit` pairs, evenly spaced."""
    for name, path in CASES.items():
        cases = list(_rows(path))
        yield f"{name}, all cases", [cut(case) for case in cases if usable(case)]
        yield f"{name}, claim and evidence only", [cut(case) for case in cases if usable(case) and inside(case)]
    for name in PUBLIC:
        path = DATA / f"{name}.jsonl"
        if path.is_file():
            yield name, _spaced(list(_public(path)), limit)


def usable(case: dict[str, Any]) -> bool:
    """Whether the case has one right side and tests no failing judge."""
    sides = {label in PASS for label in (case["label"], *case["also_ok"])}
    return len(sides) == 1 and case["label"] != "UNVERIFIED"


def inside(case: dict[str, Any]) -> bool:
    """Whether claim and evidence are enough to tell."""
    return case["class"] not in OUTSIDE and case["label"] not in {"NOT_A_CLAIM", "ABSTENTION", "INVALID_CITATION"}


def cut(case: dict[str, Any]) -> Pair:
    """The statement in focus without markers, and the text of every delivered source."""
    ids = "|".join(re.escape(source["id"]) for source in case["sources"])
    claim = re.sub(rf"\s*\[(?:{ids})\]", "", case["claim"]) if ids else case["claim"]
    evidence = tuple(source["text"] for source in case["sources"] if source.get("delivered", True))
    return Pair(claim, evidence, case["question"], case["label"] not in PASS, case)


def _public(path: Path) -> Iterator[Pair]:
    """One pair a row; of a whole answer, one pair a labelled sentence."""
    for row in _rows(path):
        passages = [part.strip() for part in re.split(r"(?m)^passage \d+:", row["context"]) if part.strip()]
        whole = {"start": 0, "end": len(row["claim"]), "label": row["label"]}
        for spot in row["extra"].get("sentences") or [whole]:
            claim = row["claim"][spot["start"] : spot["end"]]
            yield Pair(claim, tuple(passages), row["extra"].get("question") or "", spot["label"] != "SUPPORTED")


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip())


def _spaced(pairs: list[Pair], limit: int) -> list[Pair]:
    return pairs if len(pairs) <= limit else [pairs[n * len(pairs) // limit] for n in range(limit)]
