"""Evidence sentences that can stand by themselves in an answer, and which of them a statement distorts (SPEC RE-5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from grounding_middleware.checks.alignment import align
from grounding_middleware.checks.library import Shelf
from grounding_middleware.claims import split
from grounding_middleware.claims.lexicon import words
from grounding_middleware.editing.dangling import Lean, leaning
from grounding_middleware.editing.words import candidates, opening
from grounding_middleware.records import Finding, Outcome, Range
from grounding_middleware.repair.ground import Ground
from grounding_middleware.repair.marking import ending, may_cite
from grounding_middleware.repair.targets import Target

__all__ = ["distorted", "standalone"]

_LONGEST: Final = 400  # characters that still read as one statement among others
_FEWEST_WORDS: Final = 3
_FEWEST_SHARED: Final = 2  # content words before a sentence is taken to be about the same thing
_BROKEN: Final = re.compile(r"-\s*\n|[|\ufffc]|\n\s*\n")
_PAIRS: Final = (("“", "”"), ("«", "»"), ("(", ")"), ("[", "]"))
_STOPS: Final = (".", "!", "。", "！", "।", "۔")
_OPEN: Final = ("?", ":", ";", ",", "？", "：", "；", "，")
_PARTICIPLE: Final = re.compile(r"[a-z]+(?:ed|ing)\Z")
_FORMS: Final = ("sentence", "list_item", "quote")


def distorted(target: Target, ground: Ground) -> Iterator[Shelf]:
    """The sentences of the evidence that the statement sets itself against, each once.

    They are named by a conflict or a quote. Doubts count only when all name the same one; without any of these it is
    the sentence with most of the claim's words, if no other has as many.
    """
    findings = [finding for verdict in target.verdicts for finding in verdict.findings]
    places = _places(findings, Outcome.CONFLICT)
    places += [(quote.span_id, (quote.start, quote.end)) for verdict in target.verdicts for quote in verdict.quotes]
    named = _shelves(places, ground)
    if not named:
        named = _shelves(_places(findings, Outcome.DOUBT), ground)
        named = named if len(named) == 1 else _nearest(target, ground)
    yield from named


def _places(findings: Sequence[Finding], outcome: Outcome) -> list[tuple[str, Range]]:
    return [(one.span_id, one.span_range) for one in findings if one.outcome is outcome and one.span_range]


def _shelves(places: Sequence[tuple[str, Range]], ground: Ground) -> list[Shelf]:
    found = (ground.shelf(span_id, place) for span_id, place in places)
    return list({shelf.number: shelf for shelf in found if shelf is not None}.values())


def _nearest(target: Target, ground: Ground) -> list[Shelf]:
    """The one sentence that shares most with the claim: it ranks, and what is put in the answer is verbatim anyway."""
    unit = ground.unit_at(target.place)
    cited = frozenset(span_id for n in target.citations for span_id in ground.setting.citations[n].span_ids)
    usable = frozenset(span.id for span in ground.setting.evidence.usable)
    shelves = ground.library.candidates(unit, (cited & usable) or usable)
    ranked = sorted(((align(unit, one.unit, one.span_id), one) for one in shelves), key=lambda found: -found[0].covered)
    if not ranked:
        return []
    best, shelf = ranked[0]
    second = ranked[1][0].covered if len(ranked) > 1 else 0.0
    close = len(best.pairs) >= _FEWEST_SHARED and best.covered > 1 / 2
    return [shelf] if close and best.covered > second else []


def standalone(shelf: Shelf, ground: Ground) -> str:
    """The words of a sentence without its full stop, with the next one if that limits it; "" when it needs others."""
    limit = _limit(shelf, ground)
    if limit is not None and limit.span_id != shelf.span_id:
        return ""
    last = limit or shelf
    if not (shelf.whole and last.whole) or shelf.unit.tabular:
        return ""
    source = ground.library.span(shelf.span_id).text
    raw = source[shelf.unit.start : last.unit.end].strip()
    text = " ".join(raw.split())
    place = (shelf.unit.start, last.unit.end)
    if not (_unbroken(raw, text) and _reads_alone(shelf, source, ground)):
        return ""
    return text[: ending(text)].rstrip() if may_cite(ground.setting.evidence, shelf.span_id, place) else ""


def _limit(shelf: Shelf, ground: Ground) -> Shelf | None:
    """The next sentence when it takes something back: "This does not apply to ...", "However, ..."."""
    shelves = ground.library.shelves
    following = shelves[shelf.number + 1] if shelf.number + 1 < len(shelves) else None
    if following is None or following.unit.tabular:
        return None
    lean = leaning(following.unit.text, following.unit.language)
    cut = any(cue.table in ("negation", "condition") or cue.name == "quantity.only" for cue in following.unit.cues)
    return following if Lean.PREVIOUS in lean or (Lean.REFERENT in lean and cut) else None


def _unbroken(raw: str, text: str) -> bool:
    """One or two sentences of running text with every bracket and quotation mark closed."""
    if not text or len(text) > _LONGEST or _BROKEN.search(raw) or text.endswith(_OPEN):
        return False
    return all(text.count(left) == text.count(right) for left, right in _PAIRS) and text.count('"') % 2 == 0


def _reads_alone(shelf: Shelf, source: str, ground: Ground) -> bool:
    """Neither the text around it nor a heading, an intro or a table header is needed to understand it."""
    unit = shelf.unit
    text = " ".join(unit.text.split())
    if unit.language != ground.setting.language or leaning(text, unit.language) is not Lean.NOTHING:
        return False
    around = [one for one in split(source, ()) if one.start < unit.end and unit.start < one.end]
    if len(around) != 1 or around[0].statement != "claim" or around[0].form not in _FORMS or around[0].context:
        return False
    if around[0].needs_context and not _correlative(text, unit.language):
        return False
    return _begins(text, ground) and _is_sentence(text, unit.language)


def _correlative(text: str, language: str) -> bool:
    """Whether the first word is a pronoun that refers to nothing: "Neither A nor B ..."."""
    return any(table.alone.match(opening(text)) for table in candidates(language))


def _begins(text: str, ground: Ground) -> bool:
    """A sentence begins with a capital, a number, or a name that the answer writes small as well."""
    first = text.split(maxsplit=1)[0]
    return not text[0].islower() or not first.isalpha() or first in ground.answer.split()


def _is_sentence(text: str, language: str) -> bool:
    """Whether a stretch of running text is no label, fragment or line of keywords."""
    found = [word.strip(".,;:!\"'()").casefold() for word in text.split()]
    finite = words(language, "finite") | words(language, "verbs")
    if ": " in text:
        found = found[len(text.partition(": ")[0].split()) :]
        return any(word in finite for word in found)
    if any(word in finite for word in found[1:]):
        return True
    spaceless = len(found) < _FEWEST_WORDS and any(ord(letter) > 0x3000 for letter in text)
    return text.endswith(_STOPS) and (spaceless or len(found) >= _FEWEST_WORDS) and not _PARTICIPLE.match(found[0])
