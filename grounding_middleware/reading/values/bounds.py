"""Words that limit a value or say how sure it is, before and behind it: at least, within, about, or more.

Each phrase of the lexicon has a code. `>=! <=! > <` are limits, `!` marks words that state a rule. The named codes
depend on the kind of value: "until" limits times and dates, "over" is "during" before a duration, "within 2026" is no
limit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.model import Bound, ValueKind
from grounding_middleware.reading.values.page import Page

_MAX_STEPS: Final = 7  # phrases and filler words looked at before a value
_MAX_FILLERS: Final = 4
_MAX_BEHIND: Final = 3  # tokens between a value and the limit behind it: its noun, its rate
_CALENDAR: Final = frozenset({ValueKind.DATE, ValueKind.TIME})
_DURATIONS: Final = frozenset({ValueKind.DURATION, ValueKind.CALENDAR_DURATION})
# since, after, before, by and through limit dates and times only; what the others need is said where they are read
_NAMED_CODES: Final = {
    "since": ">=!", "after": ">", "before": "<", "by": "<=!", "through": "<=!", "until": "<=!", "within": "<=!",
    "from": ">=!", "over": ">", "older": ">=!",
}  # fmt: skip
_FROM: Final = frozenset({ValueKind.MONEY, ValueKind.TIME, ValueKind.DATE, ValueKind.VERSION})
_MOMENTS: Final = frozenset({
    "no later than", "not later than", "at the latest", "not before", "no earlier than", "not earlier than",
    "at the earliest", "spätestens", "bis spätestens", "frühestens", "nicht eher als", "nicht früher als", "uiterlijk",
    "niet eerder dan", "niet later dan", "op zijn vroegst", "au plus tard", "au plus tôt", "a más tardar",
    "como muy tarde", "al più tardi", "non oltre", "o mais tardar", "najpóźniej", "najwcześniej",
})  # fmt: skip
"""Limits of a moment: counted back from a later one, "three days before", the latest is the longest way off."""
_AHEAD: Final = frozenset(
    {"before", "prior", "ahead", "vor", "vorher", "voor", "vóór", "avant", "antes", "prima", "przed"}
)
_TURNED: Final = {"<=!": ">=!", ">=!": "<=!"}
_FLIPPED: Final = {">": "<=!", "<": ">=!"}
_ENDS: Final = frozenset(("within", "until", "by", "through"))
_CHANGE_REACH: Final = 8  # words in which a verb of change governs "from ... to ..."
_LONE: Final = frozenset(("min", "max", "plus", "minimum", "maximum"))


@dataclass(frozen=True, slots=True)
class _Words:
    """Limit words of tokens `first` to `last`, their sign, and whether they name the end of a period."""

    first: int
    last: int
    sign: str
    ends_period: bool


def before(page: Page, draft: Draft) -> None:
    """Walk back over limit, approximation and filler words."""
    at = draft.first - 1
    crossed: list[str] = []
    for _ in range(_MAX_STEPS):
        at = _over_stop(page, at)
        if at < 0 or page.taken[at] or "\n\n" in page.scan.gap(at):
            return
        step = _approximation(page, draft, at, crossed)
        step = _limit_before(page, draft, at, crossed) if step is None else step
        if step is not None:
            at = step
        elif page.scan.folded[at] in page.lexicon.range["gap"] and len(crossed) < _MAX_FILLERS:
            crossed.append(page.scan.folded[at])
            at -= 1
        else:
            return


def _over_stop(page: Page, index: int) -> int:
    """The full stop of "ca. 30", "max. 5"."""
    scan = page.scan
    if index < 1 or scan.folded[index] != "." or not scan.glued(index - 1) or len(scan.folded[index - 1]) > 6:
        return index
    known = scan.folded[index - 1] in page.lexicon.approx_before or scan.folded[index - 1] in page.lexicon.before
    return index - 1 if known else index


def _approximation(page: Page, draft: Draft, at: int, crossed: list[str]) -> int | None:
    """Take in "about" directly before the value; where the walk goes on."""
    if (
        draft.approx
        or draft.kind is ValueKind.ORDINAL
        or any(word not in page.lexicon.number["articles"] for word in crossed)
    ):
        return None
    hit = page.phrase_before(page.lexicon.approx_before, at)
    if hit is None or not page.free(hit[0], at) or page.scan.raw(at) in ("C", "CA", "Ca"):
        return None
    limit = page.phrase_before(page.lexicon.before, at)
    if limit and limit[0] < hit[0]:
        return None
    draft.approx, draft.approx_side = page.scan.between(hit[0], at), hit[1]
    draft.phrase_start = min(draft.phrase_start, page.scan.starts[hit[0]])
    return hit[0] - 1


def _limit_before(page: Page, draft: Draft, at: int, crossed: list[str]) -> int | None:
    """Take in the limit that ends at token `at`; where the walk goes on."""
    if not _may_be_limited(draft):
        return None
    hit = page.phrase_before(page.lexicon.before, at)
    if hit is None or not page.free(hit[0], at):
        return None
    first, code = hit
    if code in (">", "<", "over") and any(word in page.lexicon.range["definite"] for word in crossed):
        return None  # "above the 5 shelves"
    sign = _sign(page, draft, first, code)
    if sign is None:
        return None
    negated = _negation(page, first) if sign in _FLIPPED else None
    if negated is not None:
        first, sign = negated, _FLIPPED[sign]
    if _counted_back(page, draft, page.scan.between(first, at)):
        sign = _TURNED.get(sign, sign)
    _limit(page, draft, _Words(first, at, sign, code in _ENDS))
    return first - 1


def _counted_back(page: Page, draft: Draft, words: str) -> bool:
    """No later than three days before the start: at least three days before it."""
    ahead = page.scan.folded[draft.last + 1] in _AHEAD
    return ahead and draft.kind in _DURATIONS and words.casefold() in _MOMENTS


def _may_be_limited(draft: Draft) -> bool:
    """Ranges have their ends, ordinals and names have none."""
    ranged = draft.interval.is_range and draft.kind is not ValueKind.DATE
    if draft.bound or ranged or draft.date_to or draft.kind is ValueKind.ORDINAL:
        return False
    return not draft.is_name or bool(draft.version)


def _negation(page: Page, first: int) -> int | None:
    """Must *not* be longer than: the negation turns the comparison round."""
    folded, words = page.scan.folded, page.lexicon.range
    for index in range(first - 1, first - 4, -1):
        if folded[index] in words["negators"]:
            return index
        if folded[index] not in words["through"]:
            return None
    return None


# what a limit word means for this kind of value


def _sign(page: Page, draft: Draft, first: int, code: str) -> str | None:
    """The sign of limit word `code` at token `first`; None when it is no limit there."""
    calendar = draft.kind in _CALENDAR
    if code not in _NAMED_CODES:
        return code
    applies = {
        "until": calendar or page.lexicon.language != "en",
        "within": draft.kind is not ValueKind.DATE,
        "over": not calendar and not _is_during(page, draft, first),
        "older": True,
    }
    if code == "from":
        return _NAMED_CODES[code] if _starts_at(page, draft, first) else None
    if code == "older" and draft.kind is ValueKind.VERSION:
        return "<=!"
    return _NAMED_CODES[code] if applies.get(code, calendar) else None


def _starts_at(page: Page, draft: Draft, first: int) -> bool:
    """From EUR 5, from 08:30, from 1 April; not "data from 2020", "rose from EUR 5", "20 people from"."""
    vague = draft.date is not None and draft.date.day is None
    return draft.kind in _FROM and not vague and not changing(page, first)


def _is_during(page: Page, draft: Draft, first: int) -> bool:
    """Reads "grew over five years"; but "for over five years", "over five years old"."""
    if draft.kind not in _DURATIONS or page.lexicon.language != "en":
        return False
    folded, lasting = page.scan.folded, page.lexicon.range["lasting"]
    return folded[first - 1] not in lasting and folded[draft.last + 1] not in ("old", "ago", "of")


def changing(page: Page, index: int) -> bool:
    """True when a verb of change stands in the few words before token `index` (rose from 2 to 3)."""
    folded, change = page.scan.folded, page.lexicon.range["change"]
    for back in range(index - 1, max(-1, index - 1 - _CHANGE_REACH), -1):
        if folded[back] in change:
            return True
        if folded[back] in (".", ";", ":"):
            return False
    return False


def _limit(page: Page, draft: Draft, words: _Words) -> None:
    scan = page.scan
    text = scan.between(words.first, words.last)
    set_limit(
        draft,
        Bound(
            text,
            scan.starts[words.first],
            scan.ends[words.last],
            words.sign.rstrip("!"),
            words.sign.endswith("!"),
            words.ends_period,
        ),
    )


def set_limit(draft: Draft, bound: Bound) -> None:
    """Make a half-line of the draft and all its readings, and widen the phrase by the words."""
    for each in (draft, *draft.others):
        each.bound, each.interval = bound, each.interval.limited(bound.sign)
    draft.phrase_start, draft.phrase_end = min(draft.phrase_start, bound.start), max(draft.phrase_end, bound.end)


# limits behind the value


def behind(page: Page, draft: Draft) -> None:
    """Or more, at the latest, or so; directly behind the value, its noun or its rate."""
    if draft.kind is ValueKind.ORDINAL:
        return
    scan = page.scan
    if (
        scan.folded[draft.last + 1] == "-"
        and scan.glued(draft.last)
        and _approximation_behind(page, draft, draft.last + 2)
    ):
        return  # "thirty-odd"
    for at in range(draft.last + 1, draft.last + 1 + _MAX_BEHIND):
        if at > draft.last + 1 and not (scan.shapes[at - 1] == "w" or scan.folded[at - 1] == "'"):
            return
        if page.taken[at] or not page.joined(at - 1):
            return
        if _approximation_behind(page, draft, at) or _limit_behind(page, draft, at):
            return


def _approximation_behind(page: Page, draft: Draft, at: int) -> bool:
    scan = page.scan
    hit = page.phrase_at(page.lexicon.approx_after, at)
    if hit is None or draft.approx or at > draft.last + 2:
        return False
    if (
        scan.folded[at] in ("odd", "ish")
        and not (at == draft.last + 1 and scan.glued(at - 1))
        and scan.folded[at - 1] != "-"
    ):
        return False
    draft.approx, draft.approx_side = scan.between(at, hit[0]), hit[1]
    draft.phrase_end = max(draft.phrase_end, scan.ends[hit[0]])
    return True


def _limit_behind(page: Page, draft: Draft, at: int) -> bool:
    hit = page.phrase_at(page.lexicon.after, at)
    if hit is None or not _may_be_limited(draft) or not _belongs(page, draft, at, hit[0]):
        return False
    sign = _sign(page, draft, at, hit[1])
    if sign is None:
        return False
    _limit(page, draft, _Words(at, hit[0], sign, hit[1] in _ENDS))
    return True


def _belongs(page: Page, draft: Draft, first: int, last: int) -> bool:
    """Reads "30+" glued; "5 max" at the end of its phrase, not "5 maximum values" and not "max 10"."""
    scan = page.scan
    if scan.folded[first] == "+":
        ends = not scan.glued(first) or scan.shapes[first + 1] == "s"
        return first == draft.last + 1 and scan.glued(draft.last) and ends
    if first != last or scan.folded[first] not in _LONE:
        return True
    return scan.shapes[last + 1] != "d" and not page.noun_at(last + 1)


# CJK: limits are glued to the value


def around_cjk(page: Page, draft: Draft) -> None:
    """以内, 以上, 最多 and 約 in the CJK letters directly around the value."""
    ahead, behind_it = _letters_around(page, draft)
    for words, side in page.lexicon.cjk_approx:
        if behind_it.startswith(words) or ahead.endswith(words):
            draft.approx, draft.approx_side = words, side
            behind_it, ahead = behind_it.removeprefix(words), ahead.removesuffix(words)
            break
    if not _may_be_limited(draft):
        return
    for words, code in page.lexicon.cjk_after:
        if behind_it.startswith(words):
            _cjk_limit(draft, code, words, draft.end)
            return
    for words, code in page.lexicon.cjk_before:
        if ahead.endswith(words):
            _cjk_limit(draft, code, words, draft.start - len(words))
            return


def _letters_around(page: Page, draft: Draft) -> tuple[str, str]:
    """The CJK letters glued before and behind the draft."""
    scan = page.scan
    behind_it = scan.text[draft.end : scan.ends[draft.last]]
    if not behind_it and scan.shapes[draft.last + 1] == "c":
        behind_it = scan.raw(draft.last + 1)
    ahead = scan.text[scan.starts[draft.first] : draft.start]
    if not ahead and scan.shapes[draft.first - 1] == "c" and scan.glued(draft.first - 1):
        ahead = scan.raw(draft.first - 1)
    return ahead, behind_it


def _cjk_limit(draft: Draft, code: str, words: str, start: int) -> None:
    ends = code == "within"
    sign = "<=!" if ends else code
    set_limit(draft, Bound(words, start, start + len(words), sign.rstrip("!"), sign.endswith("!"), ends))
