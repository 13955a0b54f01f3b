"""Segments that an answer and its evidence tell by themselves (SPEC ME-6); a golden set may name more.

| segment | values |
|---|---|
| `length` | how many claims the answer has |
| `citations` | markers for each claim, on average |
| `tables` | whether a claim stands in a table |
| `documents` | whether the cited spans, or without any the evidence, are of one document or of several |
| `version` | the version of those documents; left out when none has one |
| `risk` | whether a claim makes somebody act |
| `lang` | the language of most claims |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from grounding_middleware.labels import Risk
from grounding_middleware.records import Report, Span, Verdict

__all__ = ["derived"]

_LENGTHS: Final = ((0, "no claims"), (1, "1 claim"), (4, "2 to 4 claims"), (9, "5 to 9 claims"))
_LONGER: Final = "10 claims and more"
_SEVERAL: Final = "several"


def derived(report: Report) -> Mapping[str, str]:
    """Name and value of each segment the answer belongs to."""
    claims = [verdict for verdict in report.claims if verdict.label.is_claim]
    spans = _resting_on(report, claims)
    found = {
        "length": next((name for most, name in _LENGTHS if len(claims) <= most), _LONGER),
        "citations": _citations(claims),
        "tables": "yes" if any(claim.form == "table_row" for claim in report.claims) else "no",
        "documents": _one_or_several([span.source_id for span in spans], one="one"),
        "version": _one_or_several([span.version for span in spans if span.version]),
        "risk": Risk.ACTION.value if any(one.risk is Risk.ACTION for one in claims) else Risk.INFORMATION.value,
        "lang": _most_frequent([claim.language for claim in claims if claim.language]),
    }
    return {name: value for name, value in found.items() if value}


def _resting_on(report: Report, claims: Sequence[Verdict]) -> Sequence[Span]:
    cited = {span_id for claim in claims for index in claim.citations for span_id in report.citations[index].span_ids}
    return [span for span in report.evidence.spans if span.id in cited] or report.evidence.spans


def _citations(claims: Sequence[Verdict]) -> str:
    markers = sum(len(claim.citations) for claim in claims)
    if not markers:
        return "none"
    if markers == len(claims):
        return "one a claim"
    return "fewer than claims" if markers < len(claims) else "more than claims"


def _one_or_several(values: Sequence[str], one: str = "") -> str:
    distinct = set(values)
    if len(distinct) > 1:
        return _SEVERAL
    return one or next(iter(distinct), "") if distinct else ""


def _most_frequent(values: Sequence[str]) -> str:
    return Counter(values).most_common(1)[0][0] if values else ""
