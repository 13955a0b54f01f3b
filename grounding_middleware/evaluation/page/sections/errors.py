"""Both error directions side by side, the verifier against gold, and the confusion table with every outcome apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.evaluation.metrics import Summary
from grounding_middleware.evaluation.page.blocks import Block, Cell, Group, Note, Part, Row, Section, Table
from grounding_middleware.evaluation.page.flow import ORDER
from grounding_middleware.evaluation.page.sections.telling import (
    NOT_MEASURED,
    count,
    drawn,
    label_key,
    number,
    rates_table,
)
from grounding_middleware.evaluation.page.words import label_words
from grounding_middleware.evaluation.ranking import Baseline

__all__ = ["section"]

MISSED: Final = ("escapes", "contradiction_escapes", "undecided_bad", "unsupported_after")
FALSE_FLAGS: Final = ("false_positives", "undecided_good", "supported_lost", "not_found_wrong")
NO_GOLD: Final = (
    "This run has no gold labels, so nobody can say how much the verifier missed or flagged falsely. What follows from "
    "its own labels stands under the label flow. To know, let people label some of these answers (grounding review)."
)

UNCOUNTED: Final = "Nothing to count this from."


def section(summary: Summary) -> Section:
    """Without gold labels it says that nothing can be said."""
    return Section(
        "errors",
        "Both error directions",
        "A verifier can always buy one of them with the other, so neither is a figure by itself.",
        tuple(_blocks(summary)) if summary.confusion else (Note(NO_GOLD, warning=True),),
    )


def _blocks(summary: Summary) -> Iterator[Block]:
    missed, false_flags = ([summary.rate(name) for name in names] for names in (MISSED, FALSE_FLAGS))
    upto = max(
        (rate.high for rate in (*missed, *false_flags) if rate.high is not None), default=1.0
    )  # one scale for both
    told = "rates with 95 % intervals, on the scale of the other direction; figures in the tables below."
    left = drawn(f"Missed: {told}", missed, "contradicted", upto)
    right = drawn(f"Falsely flagged: {told}", false_flags, "insufficient", upto)
    yield Group(
        (
            Part("Missed", "Not supported, and let through.", (left or Note(UNCOUNTED),)),
            Part("Falsely flagged", "Supported, and held against the answer.", (right or Note(UNCOUNTED),)),
        )
    )
    yield rates_table("Missed: what was let through", missed)
    yield rates_table("Falsely flagged: what was held back without need", false_flags)
    yield _confusion(summary)
    yield rates_table("The verifier against gold labels", summary.of_verifier)
    if summary.kinds:
        yield _kinds(summary)
    if summary.baseline:
        yield _beside_overlap(summary.baseline)


def _confusion(summary: Summary) -> Table:
    """Every outcome has a row and a column of its own; unverified is neither right nor a flag."""
    found = {(one.gold, one.got): one.count for one in summary.confusion}
    rights = [label for label in ORDER if any(gold == label for gold, _ in found)]
    said = [label for label in ORDER if any(got == label_key(label) for _, got in found)]
    return Table(
        "What is right (rows) and what the verifier said (columns)",
        ("Right label", *(str(label_words(label)) for label in said), "All"),
        tuple(
            Row(
                (
                    Cell(str(label_words(right)), label_words(right).hue),
                    *(_hit(found.get((label_key(right), label_key(got)), 0), agreed=right == got) for got in said),
                    number(f"{sum(amount for (gold, _), amount in found.items() if gold == right):,}"),
                )
            )
            for right in rights
        ),
        "● is agreement. Unverified means that nobody could check; it never counts as supported.",
    )


def _hit(found: int, *, agreed: bool) -> Cell:
    return number(f"● {found:,}" if agreed and found else f"{found:,}" if found else "·")


def _kinds(summary: Summary) -> Table:
    """What claims of each kind of fault were called."""
    said = [
        label for label in ORDER if any(got.got == label_key(label) for kind in summary.kinds for got in kind.labels)
    ]
    return Table(
        "By the kind of fault that gold names",
        ("Kind", *(str(label_words(label)) for label in said), "Same kind named", "All"),
        tuple(
            Row(
                (
                    Cell(kind.kind.replace("_", " ")),
                    *(
                        number(f"{sum(one.count for one in kind.labels if one.got == label_key(label)) or '·'}")
                        for label in said
                    ),
                    number(f"{kind.same_kind:,}"),
                    number(f"{kind.claims:,}"),
                )
            )
            for kind in summary.kinds
        ),
    )


def _beside_overlap(both: Baseline) -> Table:
    """What word overlap, which understands nothing, would reach on the same claims."""
    rows = (
        ("Ranks supported above unsupported (AUC)", both.verifier_auc, both.overlap_auc),
        ("Balanced accuracy; overlap at its best threshold", both.verifier_balanced, both.overlap_balanced),
        ("Claims called supported that are right", both.verifier_supported_right, both.overlap_supported_right),
        ("Flagged claims that are wrong", both.verifier_flagged_right, both.overlap_flagged_right),
    )
    return Table(
        f"The verifier beside word overlap, on {count(both.claims, 'claim')}",
        ("Figure", "Verifier", "Word overlap"),
        tuple(Row((Cell(name), *(number(_told(value)) for value in values))) for name, *values in rows),
        "Overlap passes and flags as many claims as the verifier: those with the most and the fewest shared words.",
    )


def _told(value: float | None) -> str:
    return NOT_MEASURED if value is None else f"{value:.3f}"
