"""A draft for a reviewer: the whole answer with every unsupported statement marked instead of cut (SPEC ES-5).

For lower-risk material and for people who may see it, beside the preset `draft`. It is never what a reader gets, that
is `report.text`; so it always begins with a line that says what it is.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import AfterValidator

from grounding_middleware.policy.settings import Setting
from grounding_middleware.records import Label, Report, Verdict

__all__ = ["Marks", "marked"]

_BRACKETS: Final = str.maketrans("⟦⟧", "[]")  # an answer cannot end a mark or forge one


def _head(text: str) -> str:
    left = text.replace("{marked}", "").replace("{claims}", "")
    if not left.strip() or "{" in left or "}" in left:
        raise ValueError("allowed is a text with visible characters and no braces but {marked} and {claims}")
    return text


class Marks(Setting):
    """How a draft looks: its first line, with the figures, and whether the reasons are listed below the text.

    The marks are numbered by themselves, or as the `statements` of the report are, of which most have no mark.
    """

    head: Annotated[str, AfterValidator(_head)] = (
        "DRAFT FOR REVIEW, not for readers: {marked} of {claims} statements are not supported and marked ⟦like this⟧."
    )
    reasons: bool = True
    numbering: Literal["marks", "statements"] = "marks"


def marked(report: Report, marks: Marks | None = None) -> str:
    """`report.answer` with the text `⟦n: ...⟧` around each unsupported statement, and its label and reason below.

    The same brackets in the answer itself become plain ones; apart from that its text is unchanged, so the marks stand
    exactly at `start` and `end` of the claims. Unchecked statements are marked, too.
    """
    marks = marks or Marks()
    claims = [verdict for verdict in report.claims if verdict.label.is_claim]
    counted = report.claims if marks.numbering == "statements" else [each for each in claims if _unsupported(each)]
    found = [(number, verdict) for number, verdict in enumerate(counted, 1) if _unsupported(verdict)]
    text = report.answer.translate(_BRACKETS)
    for number, verdict in reversed(found):
        inside = text[verdict.start : verdict.end]
        text = f"{text[: verdict.start]}⟦{number}: {inside}⟧{text[verdict.end :]}"
    head = marks.head.replace("{marked}", str(len(found))).replace("{claims}", str(len(claims)))
    listed = "\n".join(_reason(number, verdict) for number, verdict in found) if marks.reasons else ""
    return "\n\n".join(part for part in (head, text, listed) if part)


def _unsupported(verdict: Verdict) -> bool:
    return verdict.label.is_claim and verdict.label is not Label.SUPPORTED


def _reason(number: int, verdict: Verdict) -> str:
    kind = f", {verdict.kind.value}" if verdict.kind else ""
    reason = " ".join(verdict.reason.translate(_BRACKETS).split())
    return f"⟦{number}⟧ {verdict.label.value}{kind}: {reason}"
