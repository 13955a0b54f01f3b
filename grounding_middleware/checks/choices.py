"""Choices (CH-4): "may A or B" told as "must A" or "only A"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Reporter, place
from grounding_middleware.checks.deontic import Mark, statuses
from grounding_middleware.checks.duty_words import Status, duty_words, says_only_that
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("modality")


def choices(alignments: Sequence[Alignment]) -> Iterator[Finding]:
    """A conflict where one of two ways the source leaves open is the only one in the claim: "may A or B", "must A"."""
    for alignment in alignments:
        source, words = alignment.source, duty_words(alignment.claim.language)
        if not words or alignment.claim.language != source.language or not alignment.anchored:
            return
        bound = [duty for duty in statuses(alignment.claim) if duty.status is Status.REQUIRED and not duty.thing]
        only: list[Mark] = [cue for cue in alignment.claim.cues if cue.name == "quantity.only"]
        mark = next(iter(only), bound[0].word if bound else None)
        alternatives = [n for n, segment in enumerate(source.segments) if segment.opener == "or"]
        if mark is None or len(alternatives) != 1 or not _leaves_open(source, alternatives[0]):
            continue
        sides = (alternatives[0] - 1, alternatives[0])
        said = {id(there) for _, there in alignment.pairs}
        items = [item for item in source.items if item.segment in sides and not says_only_that(item, source.language)]
        left = [item for item in items if id(item) not in said]
        if len(left) == 1 and _plain(alignment) and _is_way(items, left[0], alternatives[0]):
            message = f"source leaves '{left[0].text}' open as well, answer '{mark.text}'"
            yield _REPORT.conflict("choice-narrowed", message, Kind.MODALITY, place(alignment, mark, left[0]))
            return


def _leaves_open(source: Unit, alternative: int) -> bool:
    """Only what one may do, around "or"."""
    cues = [cue for cue in source.cues if cue.segment in (alternative - 1, alternative)]
    modal = [cue for cue in cues if cue.table == "modality"]
    return (
        bool(modal)
        and all(cue.name == "modality.permission" for cue in modal)
        and not any(cue.table in ("negation", "condition") for cue in cues)
    )


def _plain(alignment: Alignment) -> bool:
    return not alignment.claim.of("negation") and not alignment.claim.of("condition") and not alignment.opposed


def _is_way(items: Sequence[Item], left: Item, alternative: int) -> bool:
    """The word left out stands right beside the "or"."""
    before = [item for item in items if item.segment < alternative]
    after = [item for item in items if item.segment == alternative]
    return bool(before and after) and left in (before[-1], after[0])
