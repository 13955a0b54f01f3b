"""One line of each JSON format of a golden set as an `Example`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.golden import Example
from grounding_middleware.review.golden import GoldenCase

__all__ = ["merged", "of_answer_row", "of_case_row", "of_own_row", "of_public_row"]

Row = Mapping[str, Any]

_CASE_SEGMENTS: Final = {"class": "subject", "domain": "domain", "origin": "origin", "lang": "lang", "hard": "hard"}
_SAME_ANSWER: Final = (
    "answer", "question", "sources", "as_of", "requester", "facts", "answerable", "actions", "forbidden", "judge_reply",
)  # fmt: skip
_LIST_MARK: Final = re.compile(r"^\s*(?:\d+[.)]|[-*•])\s+")  # numbers change when a list loses an item
_PASSAGE: Final = re.compile(r"(?m)^passage \d+:")


def of_own_row(row: Row) -> Example:
    """Our own format; the id of a claim defaults to none."""
    return Example.model_validate(row)


def of_case_row(row: Row) -> Example:
    """One ruled claim of an answer."""
    case = GoldenCase.model_validate(row)
    segments = {name: getattr(case, field) for name, field in _CASE_SEGMENTS.items() if getattr(case, field)}
    claim = {
        "id": case.id,
        "text": case.claim,
        "start": case.start,
        "end": case.end,
        "label": case.label,
        "also_ok": case.also_ok,
        "kind": case.kind,
        "quote": case.quote,
        "supported_by": case.supported_by,
        "segments": segments,
    }
    return Example.model_validate(
        {
            **{name: getattr(case, name) for name in ("id", "question", "sources", "answer", "as_of", "requester")},
            "claims": (claim,),
            "segments": segments,
            "judge_reply": case.judge_reply,
        }
    )


def of_answer_row(row: Row) -> Example:
    """A whole answer with its `sentences`; `expected` says which texts must reach the reader and which must not."""
    expected, answer = row.get("expected") or {}, row.get("answer")
    if not isinstance(answer, str) or not isinstance(expected, Mapping):
        raise InputError("answer: a text is needed, and expected, if there, is an object")
    actions = [expected["action_default"], *expected.get("action_also_ok", ())] if "action_default" in expected else []
    return Example.model_validate(
        {
            **{name: row[name] for name in ("id", "question", "sources", "as_of", "requester") if name in row},
            "answer": answer,
            "claims": row["sentences"],
            "actions": actions,
            "facts": [_LIST_MARK.sub("", text) for text in expected.get("released_must_contain", ())],
            "forbidden": expected.get("released_must_not_contain", ()),
            "segments": {name: row[name] for name in ("domain", "lang") if row.get(name)},
        }
    )


def of_public_row(row: Row) -> Example:
    """A claim, or a whole answer with `extra.sentences`, and the text it was written from, cut at its passages."""
    answer, extra = row["claim"], row.get("extra") or {}
    if not (isinstance(answer, str) and isinstance(row["context"], str) and isinstance(extra, Mapping)):
        raise InputError("claim and context: texts are needed, and extra, if there, is an object")
    spots = extra.get("sentences") or [{"start": 0, "end": len(answer), "label": row.get("label")}]
    claims = [_spot(answer, spot) for spot in spots]
    segments = {"dataset": row.get("dataset"), "model": extra.get("model"), "lang": extra.get("language")}
    return Example.model_validate(
        {
            "id": row.get("id"),
            "question": extra.get("question") or "",
            "sources": [part.strip() for part in _PASSAGE.split(row["context"]) if part.strip()],
            "answer": answer,
            "claims": claims,
            "segments": {name: value for name, value in segments.items() if isinstance(value, str) and value},
        }
    )


def _spot(answer: str, spot: Any) -> dict[str, Any]:
    if not (isinstance(spot, Mapping) and isinstance(spot.get("start"), int) and isinstance(spot.get("end"), int)):
        raise InputError(f"extra.sentences: got {spot!r:.80}; allowed are objects with start, end and label")
    return {**spot, "text": answer[spot["start"] : spot["end"]]}


def merged(first: Example, second: Example) -> Example | None:
    """Both as one example when they are one-claim rows about the same answer, else None; the id of the first stays.

    The claims keep their segments, the example those that all of them share.
    """
    if len(second.claims) != 1 or not all(claim.id for claim in (*first.claims, *second.claims)):
        return None
    if any(getattr(first, name) != getattr(second, name) for name in _SAME_ANSWER):
        return None
    shared = {name: value for name, value in first.segments.items() if second.segments.get(name) == value}
    return first.replace(claims=(*first.claims, *second.claims), segments=shared)
