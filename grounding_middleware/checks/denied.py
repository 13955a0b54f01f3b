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

from grounding_middleware.checks.alignment import Alignment, Pair
from grounding_middleware.checks.binding import states_all
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.naming import by_part_of_name
from grounding_middleware.reading.lemmas import known
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Finding, Kind, Range

_REPORT: Final = Reporter("polarity")
_HEDGES: Final = ("condition", "modality", "certainty", "quantity", "time")
_OPEN: Final = ("negation", "boolean", *_HEDGES)  # a claim with one of these does not flatly state anything
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


def withheld(case: Case) -> Iterator[Finding]:
    """The other way round: a conflict where the source denies just what the claim states of the same named thing.

    Nothing may be left over behind the denial, or it denies less: "did not play in Rome".
    """
    if case.unit.language != "en" or any(cue.table in _OPEN for cue in case.unit.cues):
        return
    for alignment in filter(None, map(by_part_of_name, case.alignments)):
        mark = _mark(alignment.source, alignment.touched)
        if mark is None or _IMPLIED.search(case.unit.text) or not _states(alignment, mark):
            continue
        told = alignment.source.text[mark[0] - alignment.source.start : mark[1] - alignment.source.start]
        message = f"source '{told}', answer says it"
        yield _REPORT.conflict("denied-by-source", message, Kind.NEGATION, place(alignment, None, None))
        return


def _states(alignment: Alignment, mark: Range) -> bool:
    """Its predicate begins right behind the source's denial, and all that is said behind that is in the claim."""
    source = alignment.source
    home = source.segment_at(mark[0])
    behind = [item for item in source.items if item.start >= mark[1] and item.segment == home]
    if not behind:
        return False
    pairs = tuple(_denied_verb(pair, behind[0]) for pair in alignment.pairs)
    found = {there.start for _, there in pairs}
    predicate = [there for _, there in pairs if there.start >= mark[1]]
    whole = all(item.start in found for item in behind) and all(there.segment == home for there in predicate)
    return whole and _ordered(replace(alignment, pairs=pairs))


def _denied_verb(pair: Pair, verb: Item) -> Pair:
    """The word behind the denial, also where an equal one stands before: "modelled for A, declined to model for B"."""
    mine, _ = pair
    return (mine, replace(verb, prep=mine.prep)) if mine.keys & verb.keys else pair


def _mark(unit: Unit, segments: frozenset[int] | None = None) -> Range | None:
    """Where a sentence denies, once and for its whole predicate; None for all others. Of these segments, if given."""
    cues = [cue for cue in unit.cues if segments is None or cue.segment in segments or cue.table == "condition"]
    negations = [cue for cue in cues if cue.table == "negation"]
    implied = [(unit.start + match.start(), unit.start + match.end()) for match in _IMPLIED.finditer(unit.text)]
    if any(cue.table in _HEDGES for cue in cues):
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
    return not _taken_back(alignment) and not _IMPLIED.search(alignment.source.text) and _ordered(alignment)


def _ordered(alignment: Alignment) -> bool:
    """The claim's words stand in the same order and phrases in the source, behind the same name."""
    source = alignment.source
    pairs = sorted(alignment.pairs, key=lambda pair: pair[0].position)
    first, there = pairs[0]
    if source.tabular or first.prep or there.prep or len(pairs) < _SUBJECT_AND_VERB or not _one_subject(alignment):
        return False
    ordered = all(one[1].position < two[1].position for one, two in pairwise(pairs))
    alike = all(mine.prep == other.prep for mine, other in pairs)
    return ordered and alike and not alignment.opposed and not alignment.by_context and states_all(alignment)


def _one_subject(alignment: Alignment) -> bool:
    """A name on both sides, or one bare word that begins both sentences with nothing hanging on it ("Golf is ...").

    The first word of a sentence counts as a name where no dictionary has it.
    """
    mine, theirs = min(alignment.pairs, key=lambda pair: pair[0].position)
    both = mine.text[:1].isupper() and theirs.text[:1].isupper()
    if (mine.name and theirs.name) or (both and not known(mine.text.casefold(), "en")):
        return True
    words = lexicon("en")
    after = next((token for token in alignment.source.tokens if token.start >= theirs.end), None)
    bare = mine.position == theirs.position == 0 and mine.text == theirs.text
    return bare and after is not None and after.norm in words.auxiliaries


def _taken_back(alignment: Alignment) -> bool:
    """A condition anywhere, a negation or hedge where the claim's words stand, or a word for what is over."""
    source = alignment.source
    cues = [cue for cue in source.cues if cue.table == "condition" or cue.segment in alignment.touched]
    over = any(token.norm in _OVER for token in source.tokens)
    return over or any(cue.table in ("negation", *_HEDGES) for cue in cues)
