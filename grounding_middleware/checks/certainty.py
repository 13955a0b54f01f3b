"""Certainty (CH-4): always, automatically, guaranteed against usually, expected, or an outright denial."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Place, Reporter, place
from grounding_middleware.checks.causes import causes
from grounding_middleware.checks.negations import negated
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.reading.values import ValueKind
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("certainty")
_SAME_WORD: Final = 5  # letters that "automatic" and "automatically" must share to count as one word
_PERIODS: Final = (ValueKind.DURATION, ValueKind.CALENDAR_DURATION)
_FUTURE: Final = {
    "fr": re.compile(r"r(?:a|ont)$"),
    "es": re.compile(r"rán?$"),
    "it": re.compile(r"r(?:à|anno)$"),
    "pt": re.compile(r"r(?:á|ão)$"),
}
"""Endings of the third person of the future tense."""
_WHETHER: Final = {"en": "whether", "de": "ob"}
_OPEN: Final = ("condition", "modality")
_HEDGES: Final = ("certainty.weak", "certainty.planned", "certainty.attributed")


def check(case: Case) -> Iterator[Finding]:
    """Conflict where a hedge became certainty or a denied certainty is asserted; doubt where one side has no mark."""
    for alignment in case.anchored:
        yield from _shift(alignment)
        yield from _foretold(alignment)
        yield from _asked(alignment)
    yield from _denied(case)
    yield from _denied_limit(case)
    yield from causes(case)


def _shift(alignment: Alignment) -> Iterator[Finding]:
    strong = next((cue for cue in alignment.claim.cues if cue.name == "certainty.strong"), None)
    content = {item.segment for item in alignment.source.items}
    near = [cue for cue in alignment.source.cues if cue.segment in alignment.touched or cue.segment not in content]
    hedge = next((cue for cue in near if cue.name in _HEDGES), None) or _possible(alignment, near)
    if strong is not None and alignment.claim.language in _FUTURE:
        hedge = hedge or next((cue for cue in near if cue.name == "modality.recommendation"), None)
    mine = {cue.name for cue in alignment.claim.cues}
    theirs = {cue.name for cue in alignment.source.cues}
    if strong and hedge and "certainty.strong" not in theirs:
        message = f"source '{hedge.text}', answer '{strong.text}'"
        build = _REPORT.conflict if alignment.tight else _REPORT.doubt
        yield build("hedge-to-certainty", message, Kind.CERTAINTY_SHIFT, place(alignment, strong, hedge))
    elif strong and "certainty.strong" not in theirs:
        message = f"answer '{strong.text}', the source has no such word"
        yield _REPORT.doubt("certainty-added", message, Kind.CERTAINTY_SHIFT, place(alignment, strong, None))
    elif hedge and hedge.name not in mine:
        message = f"source '{hedge.text}', the answer drops it"
        yield _REPORT.doubt("hedge-dropped", message, Kind.CERTAINTY_SHIFT, place(alignment, None, hedge))


def _possible(alignment: Alignment, near: list[Cue]) -> Cue | None:
    """A "may" or "might" that the claim with its "always" has no modal for; hedges only what is said for certain."""
    words = lexicon(alignment.source.language)
    if alignment.claim.of("modality") or not any(cue.name == "certainty.strong" for cue in alignment.claim.cues):
        return None
    return next((cue for cue in near if cue.text.casefold() in words.possible), None)


def _foretold(alignment: Alignment) -> Iterator[Finding]:
    """What should or will probably happen, told in the future tense as what will: "devrait être versée", "sera versée".

    Only where a verb form tells the future; all else is the same on both sides.
    """
    ending = _FUTURE.get(alignment.claim.language)
    if ending is None or not alignment.tight or alignment.opposed or alignment.by_context:
        return
    if any(cue.table in ("modality", "certainty", "negation", "condition") for cue in alignment.claim.cues):
        return
    hedges = [cue for cue in alignment.source.cues if cue.name in ("modality.recommendation", "certainty.weak")]
    hedge = next((cue for cue in hedges if cue.segment in alignment.touched), None)
    verb = next((here for here, there in alignment.pairs if _future(alignment.claim, here, there, ending)), None)
    if hedge is None or verb is None or any(cue.name == "certainty.strong" for cue in alignment.source.cues):
        return
    message = f"source '{hedge.text}', answer '{verb.text}' as what will be"
    yield _REPORT.conflict("hedge-to-future", message, Kind.CERTAINTY_SHIFT, place(alignment, verb, hedge))


def _future(unit: Unit, here: Item, there: Item, ending: re.Pattern[str]) -> bool:
    """The claim's verb stands in the future tense, or its auxiliary does, and the source's in another form."""
    if ending.search(here.text) and not ending.search(there.text):
        return here.text.casefold() != there.text.casefold() and len(here.keys) > 1
    before = [token.norm for token in unit.tokens if token.end <= here.start][-2:]
    auxiliaries = lexicon(unit.language).auxiliaries
    return any(norm in auxiliaries and ending.search(norm) for norm in before)


def _asked(alignment: Alignment) -> Iterator[Finding]:
    """What the source only asks ("it is open whether the branch closes") is told as a fact."""
    source, whether = alignment.source, _WHETHER.get(alignment.source.language)
    opening = next((token for token in source.tokens if token.norm == whether), None)
    if opening is None or not alignment.anchored or any(cue.table in _OPEN for cue in alignment.claim.cues):
        return
    if any(token.norm == whether for token in alignment.claim.tokens) or len(alignment.touched) != 1:
        return
    if source.segment_at(opening.start) not in alignment.touched:
        return  # "whether it rains or not, the market opens"
    left = [item for item in alignment.source_left if item.start > opening.start]
    asked = all(there.start > opening.start for _, there in alignment.pairs)
    outside = any(item.segment not in alignment.touched or item.start < opening.start for item in source.items)
    if asked and not left and not alignment.opposed and (outside or source.cues):
        message = f"source '{opening.text} …', answer tells it as a fact"
        yield _REPORT.conflict("question-to-fact", message, Kind.CERTAINTY_SHIFT, place(alignment, None, opening))


def _denied(case: Case) -> Iterator[Finding]:
    """The claim asserts "automatically ... approval", a cited unit says there is no automatic approval."""
    words = lexicon(case.unit.language)
    marks: list[Cue | Item] = [cue for cue in case.unit.cues if cue.name == "certainty.strong"]
    openings = {word.casefold()[: _SAME_WORD - 1] for word in words.strong}
    alike = (item for item in case.unit.items if item.text.casefold()[: _SAME_WORD - 1] in openings)
    marks += [item for item in alike if any(_same_word(item.text, word) for word in words.strong)]
    if not marks or not words.covered:
        return
    for unit, span_id in case.library.units_of(case.cited):
        for cue in marks:
            found = _denial(case.unit, cue, unit)
            if found:
                message = f"answer '{cue.text} … {found[1].text}', the source denies '{found[0].text} {found[1].text}'"
                at = Place((cue.start, cue.end), span_id, (found[0].start, found[1].end))
                yield _REPORT.conflict("denied-certainty", message, Kind.CERTAINTY_SHIFT, at)


def _denied_limit(case: Case) -> Iterator[Finding]:
    """The claim states a time limit, a cited unit denies that there is one ("no fixed turnaround is guaranteed")."""
    words = lexicon(case.unit.language)
    limits = [value for value in case.unit.values if value.kind in _PERIODS and value.bound]
    if not limits or case.unit.of("negation"):
        return
    for unit, span_id in case.library.units_of(case.cited):
        scope = negated(unit)
        head = next((i for i in unit.items if i.keys & words.time_limits and len(scope.get(i.position, ())) % 2), None)
        if head is None or not _shares_topic(case, span_id) or _periods(case, span_id):
            continue
        value = limits[0]
        message = f"answer '{value.text}', the source denies a {head.text}"
        low, high = value.phrase
        at = Place((low, high), span_id, (head.start, head.end))
        yield _REPORT.conflict("denied-limit", message, Kind.DEADLINE, at)


def _periods(case: Case, span_id: str) -> bool:
    """True if the span states any period of its own: then the denial may be about another one."""
    return any(value.kind in _PERIODS for value in case.library.values_of((span_id,)))


def _shares_topic(case: Case, span_id: str) -> bool:
    """At least half of the claim's content words stand in the span: it speaks about the same thing."""
    known = {key for unit, _ in case.library.units_of((span_id,)) for item in unit.items for key in item.keys}
    found = sum(bool(item.keys & known) for item in case.unit.items)
    return 2 * found >= len(case.unit.items) > 0


def _denial(claim: Unit, mark: Cue | Item, source: Unit) -> tuple[Item | Cue, Item] | None:
    """The denied word and what it qualifies, if the claim asserts both without a negation."""
    if claim.of("negation"):
        return None
    scope = negated(source)
    words: list[Item | Cue] = [*source.items, *(cue for cue in source.cues if cue.name == "certainty.strong")]
    for word in words:
        if not _same_word(mark.text, word.text):
            continue
        head = next((item for item in source.items if item.position == word.position + 1), None)
        denied = head is not None and (scope.get(head.position) or _unavailable(source, head))
        if head and denied and any(item.keys & head.keys for item in claim.items):
            return word, head
    return None


def _unavailable(source: Unit, head: Item) -> bool:
    """A negation stands behind the words, and only a word of giving after it: "Automatic renewal is not offered"."""
    words = lexicon(source.language)
    negation = next(
        (cue for cue in source.of("negation") if cue.position > head.position and cue.segment == head.segment), None
    )
    if negation is None:
        return False
    between = [item for item in source.items if head.position < item.position < negation.position]
    after = [item for item in source.items if item.position > negation.position and item.segment == head.segment]
    return not between and all(item.keys & words.giving for item in after)


def _same_word(left: str, right: str) -> bool:
    left, right = left.casefold(), right.casefold()
    shared = min(len(left), len(right))
    return shared >= _SAME_WORD and left[: shared - 1] == right[: shared - 1]
