"""What is read around a finished value: the noun it counts, its rate, what a percentage is of, and its limits."""

from __future__ import annotations

from typing import Final

from grounding_middleware.reading.values import bounds
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.measures import unit_at
from grounding_middleware.reading.values.model import ValueKind
from grounding_middleware.reading.values.page import Page

_COUNTING: Final = frozenset({ValueKind.NUMBER, ValueKind.RATIO, ValueKind.ORDINAL})
_UNRATED: Final = frozenset({ValueKind.DATE, ValueKind.TIME, ValueKind.ORDINAL, ValueKind.VERSION})
_PARTS: Final = frozenset({ValueKind.PERCENT, ValueKind.RATIO, ValueKind.PERCENTAGE_POINT})
_GOODS: Final = frozenset({"mass", "volume", "area", "energy", "length"})
_RATE_DIMENSIONS: Final = frozenset({"time", "months", "nights", "working_time", "mass", "volume", "area", "energy"})


def surround(page: Page, draft: Draft, *, cjk: bool) -> None:
    """Read everything around `draft` that belongs to it; `cjk` when the page has CJK letters at all."""
    draft.phrase_start = draft.start if draft.phrase_from is None else draft.phrase_from
    draft.phrase_end = draft.end
    _noun(page, draft)
    _rate(page, draft)
    _sense(page, draft)
    bounds.before(page, draft)
    bounds.behind(page, draft)
    if cjk:
        bounds.around_cjk(page, draft)


def _noun(page: Page, draft: Draft) -> None:
    """The word that is counted: "24 units" -> units, "twelve monthly payments" -> payments."""
    scan, at = page.scan, draft.last + 1
    if draft.unit or draft.currency or draft.is_name or draft.kind not in _COUNTING:
        return
    if scan.folded[at] == "-" and scan.glued(draft.last):
        at += 1
    if page.noun_at(at) and not page.taken[at] and len(scan.folded[at]) > 1:
        skipped = scan.folded[at] in page.lexicon.adverbs or scan.folded[at] in page.lexicon.approx_after
        adjective = skipped and page.noun_at(at + 1)  # "twelve monthly payments", "thirty-odd people"
        draft.noun = scan.folded[at + adjective]
        if draft.kind is ValueKind.NUMBER and not draft.is_name:
            draft.kind = ValueKind.COUNT
    elif scan.shapes[at] == "c" and scan.glued(draft.last) and draft.end == scan.ends[draft.last]:
        draft.noun = scan.raw(at)[:2]


def _rate(page: Page, draft: Draft) -> None:
    """Per month, /h, a night, annually; directly behind the value or behind the counted noun."""
    if draft.kind in _UNRATED or draft.is_name:
        return
    counted = draft.kind is ValueKind.COUNT
    for at in range(draft.last + 1, draft.last + 2 + bool(draft.noun)):
        hit = _rate_at(page, at)
        adjective = counted and hit and page.scan.folded[at] in page.lexicon.adverbs and page.noun_at(hit[1] + 1)
        if hit and not adjective:  # "twelve monthly payments" counts payments
            draft.per = hit[0]
            draft.phrase_end = max(draft.phrase_end, page.scan.ends[hit[1]])
            return


def _rate_at(page: Page, index: int) -> tuple[str, int] | None:
    """What a rate that starts at token `index` is counted by, and its last token."""
    scan, per = page.scan, page.lexicon.per
    word = scan.folded[index]
    if not page.joined(index - 1):
        return None
    if word in per["articles"]:
        elided = scan.folded[index + 1] == "'"
        return _counted_by(page, index + 1 + elided, free=False)
    if word in per["measured"]:
        return _priced(page, index + 1 + (scan.folded[index + 1] == "'"))
    found = None
    if word in per["words"] or (word == "/" and scan.glued(index)):
        found = _counted_by(page, index + 1, free=True)
    adverb = page.phrase_at(page.lexicon.adverbs, index)
    if adverb and (found is None or adverb[0] > found[1]):
        return adverb[1], adverb[0]
    return found


def _priced(page: Page, index: int) -> tuple[str, int] | None:
    """11,50 euros *le mètre carré*: a bare unit behind the article; "la semaine dernière" says when."""
    unit = unit_at(page, index, glued=True)
    if unit is None or unit.unit is None or page.noun_at(unit.last + 1):
        return None
    goods = page.lexicon.language == "de"  # "der Jahre" is a genitive
    return (unit.unit.key, unit.last) if unit.unit.dimension in (_GOODS if goods else _RATE_DIMENSIONS) else None


def _counted_by(page: Page, index: int, *, free: bool) -> tuple[str, int] | None:
    """A unit, a known noun, or any word when `free`."""
    scan = page.scan
    if scan.shapes[index] != "w" or page.taken[index]:
        return None
    unit = unit_at(page, index, glued=True)
    if unit and unit.unit and (free or unit.unit.dimension in _RATE_DIMENSIONS):
        return unit.unit.key, unit.last
    word = scan.folded[index]
    inner = unit_at(page, index + 1) if page.joined(index) and word not in page.lexicon.per["nouns"] else None
    if free and inner and inner.unit:  # "je angefangene Stunde"
        return inner.unit.key, inner.last
    plain = free and len(word) > 1 and word not in page.lexicon.name["stop"]
    return (word, index) if plain or word in page.lexicon.per["nouns"] else None


def _sense(page: Page, draft: Draft) -> None:
    """A share of something ("15% of") or a change by that much ("15% cheaper", "rose by 15%")."""
    if draft.kind not in _PARTS or draft.sense in ("from", "to"):
        return
    words, folded = page.lexicon.range, page.scan.folded
    after = folded[draft.last + 1]
    increase = folded[draft.first - 1] in page.lexicon.number["of"] and folded[draft.first - 2] in words["change"]
    if after in words["change_after"] or increase:
        draft.sense = "change"
    elif after in page.lexicon.number["of"]:
        draft.sense = "of"
    elif folded[draft.first - 1] in words["by"]:
        draft.sense = "change"
