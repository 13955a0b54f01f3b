"""Flat denials (CH-3): "X did not perform tours" beside "X has won awards and performed worldwide tours".

What the source says of X in more words it also says in fewer, so a claim that denies it is wrong however long the
sentence is. The other way round nothing follows: who did not perform worldwide tours may have performed others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.binding import states_all
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.naming import by_part_of_name
from grounding_middleware.reading.lemmas import known
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Finding, Kind, Range

_REPORT: Final = Reporter("polarity")
_HEDGES: Final = ("condition", "modality", "certainty", "quantity", "time")
_PLAIN: Final = ("negation.clause", "negation.determiner")
_OVER: Final = frozenset({"former", "formerly", "retired", "late", "ex", "once", "almost", "nearly"})
_SUBJECT_AND_VERB: Final = 2
_IMPLIED: Final = re.compile(
    r"\b(?:(?:failed|fails|refused|refuses|declined|declines|unable) to|(?:has|have|had) yet to|incapable of)\b",
    re.IGNORECASE,
)
"""English verbs and adjectives that deny what follows them."""


def denied(case: Case) -> Iterator[Finding]:
    """A conflict where a sentence about the same named thing states all that the claim denies."""
    if case.unit.language != "en":
        return
    mark = _mark(case.unit)
    if mark is None:
        return
    told = case.unit.text[mark[0] - case.unit.start : mark[1] - case.unit.start]
    for alignment in case.alignments:
        found = by_part_of_name(_without(alignment, mark))
        if found is not None and _affirms(found):
            message = f"source says it, answer '{told}'"
            yield _REPORT.conflict("denied-outright", message, Kind.NEGATION, place(alignment, None, None))
            return


def _mark(unit: Unit) -> Range | None:
    """Where the claim denies, once and for its whole predicate; None for all other claims."""
    negations = unit.of("negation")
    implied = [(unit.start + match.start(), unit.start + match.end()) for match in _IMPLIED.finditer(unit.text)]
    if any(cue.table in _HEDGES for cue in unit.cues):
        return None
    if len(negations) + len(implied) != 1 or (negations and negations[0].name not in _PLAIN):
        return None
    return implied[0] if implied else (negations[0].start, negations[0].end)


def _without(alignment: Alignment, mark: Range) -> Alignment:
    """The alignment without the words of the denial itself, and without the "to" that belonged to them."""
    start, end = mark
    left = tuple(item for item in alignment.claim_left if not start <= item.start < end)
    following = next((item for item in alignment.claim.items if item.start >= end), None)
    pairs = tuple(
        (replace(here, prep=""), there) if here is following else (here, there) for here, there in alignment.pairs
    )
    return replace(alignment, claim_left=left, pairs=pairs)


def _affirms(alignment: Alignment) -> bool:
    """The source says it in the same order of the same named subject, without any word that takes it back."""
    source = alignment.source
    pairs = sorted(alignment.pairs, key=lambda pair: pair[0].position)
    first, there = pairs[0]
    if source.tabular or first.prep or there.prep or len(pairs) < _SUBJECT_AND_VERB or not _is_name(first, there):
        return False
    if _taken_back(alignment) or _IMPLIED.search(source.text):
        return False
    ordered = all(one[1].position < two[1].position for one, two in pairwise(pairs))
    alike = all(mine.prep == other.prep for mine, other in pairs)
    return ordered and alike and not alignment.opposed and not alignment.by_context and states_all(alignment)


def _is_name(mine: Item, theirs: Item) -> bool:
    """A name on both sides; the first word of a sentence counts where no dictionary has it."""
    if mine.name and theirs.name:
        return True
    both = mine.text[:1].isupper() and theirs.text[:1].isupper()
    return both and not known(mine.text.casefold(), "en")


def _taken_back(alignment: Alignment) -> bool:
    """A condition anywhere, a negation or hedge where the claim's words stand, or a word for what is over."""
    source = alignment.source
    cues = [cue for cue in source.cues if cue.table == "condition" or cue.segment in alignment.touched]
    over = any(token.norm in _OVER for token in source.tokens)
    return over or any(cue.table in ("negation", *_HEDGES) for cue in cues)
