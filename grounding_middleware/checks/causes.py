"""A suspected cause told as the cause (CH-4): "the likely cause is a cracked rail", "caused by a cracked rail"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.case import Case, Place, Reporter
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("certainty")
_FEWEST: Final = 2  # words of a cause that is told from others of its kind
_STATED: Final = re.compile(r"\b(?:(?:was|were|is|are|been) caused by|(?:was|were|is|are) due to)\b", re.IGNORECASE)
_SUSPECTED: Final = re.compile(
    r"\b(?:likely|likeliest|probable|suspected|possible|presumed|assumed|apparent|alleged|potential|conceivable)"
    r"(?: root)? (?:cause|reason|trigger)s?\b"
    r"|\b(?:may|might|could) (?:well )?have (?:been )?(?:caused|triggered|led)\b",
    re.IGNORECASE,
)
_SETTLED: Final = re.compile(
    r"\b(?:confirm|establish|prove|proven|conclude|determine|find|found|show|turn(?:s|ed) out)(?:s|d|ed)?\b",
    re.IGNORECASE,
)
_CAUSE: Final = re.compile(r"\b(?:caus|due to|because|trigger|led to|result)", re.IGNORECASE)


def causes(case: Case) -> Iterator[Finding]:
    """A conflict where the cited evidence only suspects what the claim says the cause was. English only."""
    unit = case.unit
    mark = _STATED.search(unit.text)
    hedged = any(cue.table in ("certainty", "modality", "negation", "condition") for cue in unit.cues)
    if unit.language != "en" or mark is None or hedged:
        return
    cause = [item for item in unit.items if item.start >= unit.start + mark.end()]
    if len(cause) < _FEWEST or len({item.segment for item in cause}) > 1:
        return
    units = [(one, span_id) for one, span_id in case.library.units_of(case.cited) if _names(one, cause)]
    suspected = [(one, span_id) for one, span_id in units if _SUSPECTED.search(one.text)]
    told = [one for one, _ in units if _CAUSE.search(one.text) or _SETTLED.search(one.text)]
    if len(suspected) == 1 and all(one is suspected[0][0] for one in told) and not suspected[0][0].of("negation"):
        one, span_id = suspected[0]
        found = _SUSPECTED.search(one.text)
        message = f"source '{found.group() if found else ''}', answer '{mark.group()}'"
        at = Place((unit.start, unit.end), span_id, (one.start, one.end))
        yield _REPORT.conflict("suspected-cause", message, Kind.CERTAINTY_SHIFT, at)


def _names(unit: Unit, cause: list[Item]) -> bool:
    return all(item.keys & unit.keys for item in cause)
