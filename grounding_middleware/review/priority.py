"""How urgent an answer is for a reviewer: by the worst thing wrong in it, and whether somebody could act on it."""

from __future__ import annotations

from typing import Final

from grounding_middleware.records import Report, Risk, Severity, Verdict
from grounding_middleware.review.rulings import is_flag

__all__ = ["HIGHEST", "priority"]

HIGHEST: Final = 9
_SEVERITIES: Final = {Severity.CRITICAL: 4, Severity.MAJOR: 3, Severity.MINOR: 2, Severity.NEGLIGIBLE: 1, None: 0}


def priority(report: Report) -> int:
    """0 (a clean answer that only informs) to 9 (a CRITICAL fault in a claim that makes somebody act).

    Twice the worst severity among the claims that are not SUPPORTED, plus one if one of them is an action risk (SPEC
    CL-9, DE-6). Where nothing is wrong, plus one if any claim is an action risk.
    """
    wrong = [verdict for verdict in report.claims if is_flag(verdict.label)]
    return 2 * max((_SEVERITIES[verdict.severity] for verdict in wrong), default=0) + _acts(wrong or report.claims)


def _acts(verdicts: tuple[Verdict, ...] | list[Verdict]) -> int:
    return int(any(verdict.risk is Risk.ACTION for verdict in verdicts))
