"""What a repair was worth: attribution gained and text preserved, both read off a finished report."""

from __future__ import annotations

import difflib
import re
from typing import Final, NamedTuple

from grounding_middleware.policy.deciding import STAYS
from grounding_middleware.records import Label, Report
from grounding_middleware.repair.recite import CITE

__all__ = ["Attribution", "attribution", "preserved"]


_WORD: Final = re.compile(r"\s+|\w+|[^\w\s]")


class Attribution(NamedTuple):
    """The share of claims that are SUPPORTED in the answer as given and in the edited text; None without claims."""

    before: float | None
    after: float | None


def attribution(report: Report) -> Attribution:
    """Both shares of one report; a repaired statement counts once, as what it has become."""
    claims = [claim for claim in report.claims if claim.label.is_claim]
    supported = sum(claim.label is Label.SUPPORTED for claim in claims)
    kept = [claim for claim in claims if claim.treatment in STAYS]
    repairs = sum(one.accepted and one.step != CITE for one in report.repairs)
    right = sum(claim.label is Label.SUPPORTED for claim in kept) + repairs
    return Attribution(_share(supported, len(claims)), _share(right, len(kept) + repairs))


def preserved(report: Report) -> float:
    """The share of the characters of the answer whose words stand in the edited text in their order; 1 for none."""
    gone = sum(edit.end - edit.start - _kept(edit.removed, edit.replacement) for edit in report.edits)
    return 1 - gone / len(report.answer) if report.answer else 1.0


def _kept(old: str, new: str) -> int:
    """Characters of `old` that the replacement has as well, by whole words."""
    words, others = _WORD.findall(old), _WORD.findall(new)
    blocks = difflib.SequenceMatcher(None, words, others, autojunk=False).get_matching_blocks()
    return sum(len(word) for block in blocks for word in words[block.a : block.a + block.size])


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
