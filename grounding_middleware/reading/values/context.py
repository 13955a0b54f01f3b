"""Words around a value that limit it or say how sure it is: at least, within, about, or more, per month."""

from __future__ import annotations

from typing import Final

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.lexicon import units
from grounding_middleware.reading.values.measures import unit_at
from grounding_middleware.reading.values.model import Bound, Interval, ValueKind
from grounding_middleware.reading.values.page import Page

_MAX_BACK: Final = 4  # filler tokens between a limit word and its number
_MAX_PHRASE_STEPS: Final = 3  # approximation and limit words may follow each other: "up to about"
_CALENDAR: Final = frozenset({ValueKind.DATE, ValueKind.TIME})
_DURATIONS: Final = frozenset({ValueKind.DURATION, ValueKind.CALENDAR_DURATION})
_NEVER_BOUND: Final = frozenset({ValueKind.ORDINAL})
_COMPARISONS: Final = frozenset({">", "<", "over"})
_FLIP: Final = {">": "<=!", "<": ">=!", ">=!": "<", "<=!": ">"}
_NEGATORS: Final = frozenset("not never cannot no t nicht kein keine pas non niet nie não".split())
_THROUGH: Final = frozenset(
    "be been to take last cost run go weigh have remain stay ever do mehr als sein être essere ser zijn".split()
)
_LASTING: Final = frozenset(
    "for of last lasts lasted lasting is are was were take takes took taking just well has have had spend spent requires require with".split()
)


def surround(page: Page, draft: Draft) -> None:
    """Read everything around `draft` that belongs to it: noun, rate, limits, approximation."""
    draft.phrase_start, draft.phrase_end = draft.start, draft.end
    _noun(page, draft)
    _rate(page, draft)
    _sense(page, draft)
    _before(page, draft)
    _after(page, draft)
    if draft.date_to is None and not draft.interval.is_range:
        _around_cjk(page, draft)


# nouns, rates, sense


def _noun(page: Page, draft: Draft) -> None:
    """The word that is counted: "24 units" -> units."""
    scan, at = page.scan, draft.last + 1
    if draft.unit or draft.currency or draft.kind not in (ValueKind.NUMBER, ValueKind.RATIO, ValueKind.ORDINAL):
        return
    if scan.word(at) == "-" and scan.glued(draft.last):
        at += 1
    if scan.shape(at) == "w" and len(scan.gap(at - 1)) <= 1 and not page.taken[at] and len(scan.raw(at)) > 1:
        if scan.word(at) not in page.lexicon.name["stop"]:
            adjective = scan.folded[at] in page.lexicon.adverbs and scan.shape(at + 1) == "w"
            draft.noun = scan.folded[at + adjective]
            if draft.kind is ValueKind.NUMBER and not draft.share and not draft.is_name:
                draft.kind = ValueKind.COUNT
    elif scan.shape(at) == "c" and draft.end == scan.ends[draft.last] and len(scan.gap(draft.last)) <= 1:
        draft.noun = scan.raw(at)[:2]


def _rate(page: Page, draft: Draft) -> None:
    """Per month, /h, a night, annually; directly behind the value or behind the counted noun."""
    if draft.kind in _CALENDAR or draft.kind is ValueKind.ORDINAL or draft.is_name:
        return
    for at in (draft.last + 1, draft.last + 2):
        if at > draft.last + 1 and not draft.noun:
            return
        if (
            at == draft.last + 1
            and draft.kind is ValueKind.COUNT
            and page.scan.shape(at + 1) == "w"
            and page.scan.word(at + 1) not in page.lexicon.name["stop"]
            and page.scan.word(at) in page.lexicon.adverbs
        ):
            return  # "twelve monthly payments" counts payments
        hit = _rate_at(page, at)
        if hit:
            draft.per, last = hit
            draft.phrase_end = max(draft.phrase_end, page.scan.ends[last])
            return


def _rate_at(page: Page, index: int) -> tuple[str, int] | None:
    scan, per = page.scan, page.lexicon.per
    word = scan.word(index)
    if not word or "\n" in scan.gap(index - 1):
        return None
    adverb = page.phrase_at(page.lexicon.adverbs, index)
    if adverb and not (
        word in per["words"] and scan.shape(index + 1) == "w" and len(scan.folded[index]) == adverb[0] - index
    ):
        follows = _counted_by(page, index + 1, free=True) if word in per["words"] and adverb[0] == index else None
        return follows or (adverb[1], adverb[0])
    if word == "/" or word in per["words"]:
        return _counted_by(page, index + 1, free=word != "/" or scan.glued(index))
    if word in per["articles"]:
        return _counted_by(page, index + 1, free=False)
    return None


def _counted_by(page: Page, index: int, *, free: bool) -> tuple[str, int] | None:
    """What a rate is counted by: a unit, a known noun, or any word when `free`."""
    scan = page.scan
    unit = unit_at(page, index, glued=True) if scan.shape(index) == "w" else None
    word = scan.word(index)
    if (
        unit
        and unit.unit
        and (free or unit.unit.dimension in ("time", "months", "nights", "working_time", "mass", "volume"))
    ):
        return unit.unit.key, unit.last
    if scan.shape(index) == "w" and (word in page.lexicon.per["nouns"] or (free and len(word) > 1)):
        return word, index
    return None


_CHANGES: Final = frozenset(
    "cheaper less lower more higher off discount reduction increase decrease drop growth rise fall decline faster slower fewer larger smaller"
    " greater better worse weniger mehr höher niedriger günstiger billiger teurer rabatt nachlass moins plus menos más meno più minder meer".split()
)


def _sense(page: Page, draft: Draft) -> None:
    """Share of something, or a change by that much."""
    if draft.kind not in (ValueKind.PERCENT, ValueKind.RATIO, ValueKind.PERCENTAGE_POINT):
        return
    scan, after = page.scan, page.scan.word(draft.last + 1)
    if scan.word(draft.first - 1) in ("by", "um") or after in _CHANGES:
        draft.sense = "change"
    elif after in ("of", "der", "des", "de", "du", "del", "di", "van", "z"):
        draft.sense = "of"


# limits before the value


def _before(page: Page, draft: Draft) -> None:
    """Walk back over limit, approximation and filler words."""
    at = draft.first - 1
    crossed: list[str] = []
    for _ in range(_MAX_BACK + _MAX_PHRASE_STEPS):
        at = _over_dot(page, at)
        if at < 0 or page.taken[at] or "\n\n" in page.scan.gap(at):
            return
        step = _approx_step(page, draft, at, crossed) or _bound_step(page, draft, at, crossed)
        if step is not None:
            at = step
        elif page.scan.folded[at] in page.lexicon.range["gap"] and len(crossed) < _MAX_BACK:
            crossed.append(page.scan.folded[at])
            at -= 1
        else:
            return


def _over_dot(page: Page, index: int) -> int:
    """ "ca. 30", "max. 5": the full stop of an abbreviation."""
    scan = page.scan
    short = index > 0 and scan.word(index) == "." and scan.glued(index - 1) and len(scan.word(index - 1)) <= 6
    if short and (scan.word(index - 1) in page.lexicon.approx_before or scan.word(index - 1) in page.lexicon.before):
        return index - 1
    return index


def _approx_step(page: Page, draft: Draft, at: int, crossed: list[str]) -> int | None:
    if draft.approx or (crossed and not (set(crossed) <= {"a", "an"})):
        return None
    hit = page.phrase_before(page.lexicon.approx_before, at)
    if hit is None or any(page.taken[hit[0] : at + 1]) or draft.kind is ValueKind.ORDINAL:
        return None
    bound = page.phrase_before(page.lexicon.before, at)
    if bound and bound[0] < hit[0]:
        return None
    first, side = hit
    scan = page.scan
    if scan.raw(at) in ("C", "CA", "Ca", "ME"):
        return None  # "room C 9.0 °C"
    draft.approx = scan.text[scan.starts[first] : scan.ends[at]]
    draft.approx_side = side
    draft.phrase_start = min(draft.phrase_start, scan.starts[first])
    return first - 1


def _bound_step(page: Page, draft: Draft, at: int, crossed: list[str]) -> int | None:
    if (
        draft.bound
        or draft.interval.is_range
        or draft.date_to
        or draft.kind in _NEVER_BOUND
        or (draft.is_name and not draft.version)
    ):
        return None
    hit = page.phrase_before(page.lexicon.before, at)
    if hit is None or any(page.taken[hit[0] : at + 1]):
        return None
    first, code = hit
    if code in _COMPARISONS and {"the", "der", "die", "das", "le", "la", "el", "il"} & set(crossed):
        return None
    sign = _sign(page, draft, first, code)
    if sign is None:
        return None
    negated = _negated(page, first) if sign in (">", "<") else None
    if negated is not None:
        first, sign = negated, _FLIP[sign]
    _limit(page, draft, sign, first, at)
    return first - 1


def _negated(page: Page, first: int) -> int | None:
    """Must not *be* longer than: the negation turns the comparison round."""
    scan = page.scan
    for back in range(1, 4):
        word = scan.word(first - back)
        if word in _NEGATORS:
            return first - back
        if word not in _THROUGH:
            return None
    return None


def _sign(page: Page, draft: Draft, first: int, code: str) -> str | None:
    """What a limit word means for this kind of value; None when it is no limit there."""
    scan = page.scan
    calendar = draft.kind in _CALENDAR
    if code in ("since", "after", "before", "by", "through"):
        if not calendar:
            return None
        return {"since": ">=!", "after": ">", "before": "<", "by": "<=!", "through": "<=!"}[code]
    if code == "until":
        return "<=!" if calendar or page.lexicon.language != "en" else None
    if code == "from":
        dated = draft.date is not None and draft.date.day is None
        return (
            ">=!"
            if draft.kind in (ValueKind.MONEY, ValueKind.TIME, ValueKind.DATE, ValueKind.VERSION)
            and not dated
            and not _changing(page, first)
            else None
        )
    if code == "over":
        if (
            draft.kind in _DURATIONS
            and page.lexicon.language == "en"
            and not (scan.word(first - 1) in _LASTING or scan.word(draft.last + 1) in ("old", "ago", "of"))
        ):
            return None
        return None if calendar else ">"
    if (
        code == "<=!"
        and scan.word(first) in ("within", "inside", "innerhalb", "binnen", "entro", "dentro")
        and draft.kind is ValueKind.DATE
        and scan.word(first) != "entro"
    ):
        return None
    if code == "older":
        return "<=!" if draft.kind is ValueKind.VERSION else ">=!"
    return code


def _changing(page: Page, index: int) -> bool:
    """True when a verb of change stands in the few words before token `index` (rose from 2 to 3)."""
    scan, change = page.scan, page.lexicon.range["change"]
    for back in range(1, 9):
        word = scan.word(index - back)
        if word in change:
            return True
        if word in (".", ";", ":", "") or "\n\n" in scan.gap(index - back):
            return False
    return False


def changing(page: Page, index: int) -> bool:
    """True when the range word at token `index` belongs to a change, so that its two numbers are two values."""
    return _changing(page, index)


def _limit(page: Page, draft: Draft, sign: str, first: int, last: int) -> None:
    scan = page.scan
    start, end = scan.starts[first], scan.ends[last]
    draft.bound = Bound(scan.text[start:end], start, end, normative=sign.endswith("!"))
    draft.phrase_start, draft.phrase_end = min(draft.phrase_start, start), max(draft.phrase_end, end)
    draft.interval = _limited(draft.interval, sign.rstrip("!"))
    for other in draft.others:
        other.bound = draft.bound
        other.interval = _limited(other.interval, sign.rstrip("!"))


def _limited(interval: Interval, sign: str) -> Interval:
    """The half-line that a limit word makes of a value; of a range or period it keeps the end the word speaks of."""
    if sign == ">=":
        return Interval(interval.low, None, low_open=False)
    if sign == ">":
        return Interval(interval.high, None, low_open=True)
    if sign == "<=":
        return Interval(None, interval.high)
    return Interval(None, interval.low, high_open=True)


# limits behind the value


def _after(page: Page, draft: Draft) -> None:
    """Or more, at the latest, or so; directly behind the value, its noun or its rate."""
    if draft.kind in _NEVER_BOUND:
        return
    for at in (draft.last + 1, draft.last + 2, draft.last + 3):
        if at > draft.last + 1 and not (
            page.scan.shape(at - 1) == "w"
            and at <= draft.last + 2 + bool(draft.per)
            or page.scan.word(at - 1) in ("'", "s")
        ):
            return
        if at >= len(page.scan) or page.taken[at] or "\n" in page.scan.gap(at - 1):
            return
        if _after_step(page, draft, at):
            return


def _after_step(page: Page, draft: Draft, at: int) -> bool:
    scan = page.scan
    approx = page.phrase_at(page.lexicon.approx_after, at)
    if (
        approx
        and not draft.approx
        and not (scan.word(at) in ("odd", "ish") and not (scan.word(at - 1) == "-" or scan.glued(at - 1)))
    ):
        draft.approx, draft.approx_side = scan.text[scan.starts[at] : scan.ends[approx[0]]], approx[1]
        draft.phrase_end = max(draft.phrase_end, scan.ends[approx[0]])
        return True
    hit = page.phrase_at(page.lexicon.after, at)
    if hit is None or draft.bound or draft.interval.is_range or (draft.is_name and not draft.version):
        return False
    last, code = hit
    if code.startswith(("<", ">")) or code == "older":
        plus = scan.word(at) == "+"
        if plus and not (scan.glued(at - 1) and at == draft.last + 1 and not scan.glued(at)):
            return False
        if (
            len(scan.folded[at : last + 1]) == 1
            and not plus
            and scan.word(at) in ("min", "max", "plus", "minimum", "maximum")
            and scan.shape(last + 1) in ("w", "d")
            and scan.word(last + 1) not in page.lexicon.name["stop"]
        ):
            return False
        sign = _sign(page, draft, at, code)
        if sign:
            _limit(page, draft, sign, at, last)
            return True
    return False


# CJK: limits are glued to the value


def _around_cjk(page: Page, draft: Draft) -> None:
    scan, lexicon = page.scan, page.lexicon
    behind = scan.text[draft.end : scan.ends[draft.last]] if scan.shape(draft.last) == "c" else ""
    if not behind and scan.shape(draft.last + 1) == "c" and draft.end == scan.ends[draft.last]:
        behind = scan.raw(draft.last + 1)
    ahead = scan.raw(draft.first - 1) if scan.shape(draft.first - 1) == "c" and scan.glued(draft.first - 1) else ""
    for words, side in lexicon.cjk_approx:
        if behind.startswith(words) or ahead.endswith(words):
            draft.approx, draft.approx_side = words, side
            behind = behind.removeprefix(words)
            ahead = ahead.removesuffix(words)
            break
    for words, code in lexicon.cjk_after:
        if behind.startswith(words) and not draft.bound:
            _cjk_limit(draft, code, words, draft.end)
    for words, code in lexicon.cjk_before:
        if ahead.endswith(words) and not draft.bound:
            _cjk_limit(draft, code, words, scan.ends[draft.first - 1] - len(words))


def _cjk_limit(draft: Draft, code: str, words: str, start: int) -> None:
    draft.bound = Bound(words, start, start + len(words), normative=code.endswith("!"))
    draft.interval = _limited(draft.interval, code.rstrip("!"))
    draft.phrase_start, draft.phrase_end = min(draft.phrase_start, start), max(draft.phrase_end, start + len(words))


def per_key(word: str) -> str:
    """The unit key of a rate word, or the word itself."""
    return word if word in units() else word
