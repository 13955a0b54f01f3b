"""Evidence sentences that can stand by themselves in an answer, and which of them a statement distorts (SPEC RE-5)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from grounding_middleware.checks.alignment import Alignment, align
from grounding_middleware.checks.library import Shelf
from grounding_middleware.claims import split
from grounding_middleware.claims.lexicon import words
from grounding_middleware.editing.dangling import Lean, leaning
from grounding_middleware.editing.words import candidates, opening
from grounding_middleware.records import Finding, Label, Outcome, Range
from grounding_middleware.repair.grammar import grammar
from grounding_middleware.repair.ground import Ground
from grounding_middleware.repair.marking import may_cite, without_stop
from grounding_middleware.repair.targets import Target

__all__ = ["distorted", "has_verb", "standalone"]

_LONGEST: Final = 400  # characters that still read as one statement among others
_SIGNS: Final = ".,;:!?\"'()“”‘’«»*_"
_FEWEST_WORDS: Final = 3
_FEWEST_SHARED: Final = 2  # content words before a sentence is taken to be about the same thing
_DISTORTING: Final = (Label.CONTRADICTED, Label.INSUFFICIENT_EVIDENCE)  # what was compared with the evidence at all
_OF_ANOTHER: Final = "-of-another"  # rules for the right value of the wrong thing
_RELATED: Final = 0.4  # share of the words that a sentence a check was in doubt about must have
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
    if any(one.outcome is Outcome.CONFLICT and one.rule.endswith(_OF_ANOTHER) for one in findings):
        places = []  # the sentence in conflict is about another thing
    named = _shelves(places, ground)
    if not named:
        doubted = _shelves(_places(findings, Outcome.DOUBT), ground)
        named = [one for one in doubted if len(doubted) == 1 and _align(target, one, ground).covered >= _RELATED]
    judged = all(verdict.label in _DISTORTING for verdict in target.verdicts)
    yield from named or (_nearest(target, ground) if judged else ())


def _places(findings: Sequence[Finding], outcome: Outcome) -> list[tuple[str, Range]]:
    return [(one.span_id, one.span_range) for one in findings if one.outcome is outcome and one.span_range]


def _shelves(places: Sequence[tuple[str, Range]], ground: Ground) -> list[Shelf]:
    found = (ground.shelf(span_id, place) for span_id, place in places)
    return list({shelf.number: shelf for shelf in found if shelf is not None}.values())


def _nearest(target: Target, ground: Ground) -> list[Shelf]:
    """The one sentence that shares most with the claim: it ranks, and what is put in the answer is verbatim anyway."""
    cited = frozenset(span_id for n in target.citations for span_id in ground.setting.citations[n].span_ids)
    usable = frozenset(span.id for span in ground.setting.evidence.usable)
    shelves = ground.library.candidates(ground.unit_at(target.place), (cited & usable) or usable)
    ranked = sorted(((_closeness(target, one, ground), -one.number, one) for one in shelves), reverse=True)[:2]
    alone = len(ranked) == 1 or (len(ranked) > 1 and ranked[0][0] > ranked[1][0])
    return [ranked[0][2]] if alone and ranked[0][0] else []


def _closeness(target: Target, shelf: Shelf, ground: Ground) -> float:
    """The share of the claim's words that a sentence has; 0 when that is not most of them, or only one of several."""
    found = _align(target, shelf, ground)
    enough = len(found.pairs) >= _FEWEST_SHARED or (bool(found.pairs) and not found.claim_left)
    return found.covered if enough and found.covered > 1 / 2 else 0.0


def _align(target: Target, shelf: Shelf, ground: Ground) -> Alignment:
    return align(ground.unit_at(target.place), shelf.unit, shelf.span_id)


def standalone(shelf: Shelf, old: str, ground: Ground) -> str:
    """The words of a sentence without its full stop, with the next one if that limits it; "" when it needs others.

    `old` is the statement it replaces: what that one may say, this one may.
    """
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
    if not (_unbroken(raw, text) and _reads_alone(shelf, source, ground) and _points_nowhere(text, old, ground)):
        return ""
    return without_stop(text) if may_cite(ground.setting.evidence, shelf.span_id, place) else ""


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
    return _begins(text, unit.language) and _is_sentence(text, unit.language)


def _correlative(text: str, language: str) -> bool:
    """Whether the first word is a pronoun that refers to nothing: "Neither A nor B ..."."""
    return any(table.alone.match(opening(text)) for table in candidates(language))


def _begins(text: str, language: str) -> bool:
    """A sentence begins with a capital, a number or a code, and not with a word for the moment it was written in."""
    first = text.split(maxsplit=1)[0]
    now = first.strip(_SIGNS).casefold() in grammar(language).moment
    return not now and (not text[0].islower() or not first.isalpha())


def _points_nowhere(text: str, old: str, ground: Ground) -> bool:
    """Whether all it speaks of is named in it.

    No "this" or "those", unless the old statement says the same ("this lease"), no "he" or "her" before a name, no "I"
    or "we" where the answer does not speak like that.
    """
    table = grammar(ground.setting.language)
    found, known = _words(text), _words(old)
    same = set(pairwise(known))
    pointing = any(word in table.pointers and (word, after) not in same for word, after in pairwise([*found, ""]))
    speaks = not table.speakers.isdisjoint(found) and table.speakers.isdisjoint(_words(ground.answer))
    person = next((n for n, word in enumerate(found) if word in table.persons), len(found))
    named = any(word[:1].isupper() for word in text.split()[1:person])
    return not pointing and not speaks and (person == len(found) or named)


def _words(text: str) -> list[str]:
    return [word.strip(_SIGNS).casefold() for word in re.split(r"[\s'’]+", text)]


def has_verb(text: str, language: str) -> bool:
    """Whether a verb that is known to be one stands behind the first word, as listed or with an ending."""
    known = words(language, "finite") | words(language, "verbs")
    found = _words(text)[1:]
    return any(word.removesuffix(ending) in known for word in found for ending in ("", "s", "es", "d", "ed"))


def _is_sentence(text: str, language: str) -> bool:
    """Whether a stretch of running text is no label, fragment or line of keywords."""
    if ": " in text:  # "Opening hours: ...", a label with what belongs to it
        return False
    if has_verb(text, language):
        return True
    found = _words(text)
    spaceless = len(found) < _FEWEST_WORDS and any(ord(letter) > 0x3000 for letter in text)
    return text.endswith(_STOPS) and (spaceless or len(found) >= _FEWEST_WORDS) and not _PARTICIPLE.match(found[0])
