"""Worst examples: the claim inside its answer, beside its evidence, with the findings in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.evaluation.page.blocks import Block, Heading, Note, Section
from grounding_middleware.evaluation.page.sections.telling import count
from grounding_middleware.evaluation.page.worst import Fault, Worst

__all__ = ["section"]

_TITLES: Final = {
    Fault.MISSED: ("Missed", "not supported, and passed or shown all the same"),
    Fault.LEAKED: ("Leaked", "texts that must not reach the reader did"),
    Fault.FALSE_FLAG: ("Falsely flagged", "supported, and flagged or kept from the reader all the same"),
    Fault.UNCHECKED: ("Unverified and shown", "nobody could check them, and they reached the reader"),
    Fault.OPINION: ("Flagged, without a gold label", "the verifier's own opinion; nobody has said who is right"),
    Fault.CRASHED: ("Crashed", "the check itself failed; nothing is known about these answers"),
}


def section(worst: Worst) -> Section:
    """Every kind of fault that occurs, gravest first, each with how many there are."""
    blocks = tuple(_blocks(worst))
    return Section(
        "worst",
        "Worst examples",
        "The statement is highlighted inside the answer; quoted evidence stands beside it.",
        blocks or (Note("Nothing went wrong that this run could show."),),
    )


def _blocks(worst: Worst) -> Iterator[Block]:
    for fault, (title, meaning) in _TITLES.items():
        cases = worst.cases(fault)
        if cases:
            shown = f"; the {len(cases)} worst are shown" if worst.seen[fault] > len(cases) else ""
            yield Heading(f"{title}: {count(worst.seen[fault], 'case')}", f"{meaning.capitalize()}{shown}.")
            yield from cases
