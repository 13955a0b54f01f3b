"""Numbers that name something (Invoice 4471, step 2) and versions (4.10, Java 17)."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Final

from grounding_middleware.reading.values.days import is_year
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.measures import money_before, unit_at
from grounding_middleware.reading.values.model import Interval, ValueKind
from grounding_middleware.reading.values.page import Page

_SIGNS: Final = ("#", "№", '"', "“")
_LIST_SIGNS: Final = (",", "-", "–", "&")
_PRE_RELEASE: Final = ("rc", "beta", "alpha", "b", "a")
_SENTENCE_START: Final = frozenset(("", ".", "!", "?", ":", "|", "•", '"', "“", "„", "«", "(", "-"))
_NEVER_COUNTED: Final = 1000  # "invoice 5500 totals": four digits behind a numbered noun are its number
_MAX_VERSION: Final = 30


def named(page: Page, draft: Draft) -> Draft:
    """The draft, marked as a name or turned into a version where the words around it say so."""
    if draft.unit or draft.currency or draft.scale or draft.spelled or draft.kind is not ValueKind.NUMBER:
        return draft
    scan, words = page.scan, page.lexicon.name
    at = draft.first - 1
    while scan.folded[at] in _SIGNS or (scan.folded[at] in (".", ":") and scan.glued(at - 1)):
        at -= 1  # "No. 5", "Order: 20931", 'version: "3.1"'
    if _names(page, draft, at):
        draft.is_name = True
        _extend(page, draft)
    raw = scan.raw(draft.first)
    newer = page.phrase_at(page.lexicon.newer, draft.last + 1) is not None
    if scan.folded[at] in words["versions"] or (newer and scan.shapes[at] == "w"):
        _be_version(draft, raw)
    elif draft.is_name and "." in raw:  # "Python 3.12", but also "SD 1.29": both readings are kept
        draft.is_name = False
        version = replace(draft, interval=Interval(None, None))
        _be_version(version, raw)
        draft.others = [version]
    return draft


def _extend(page: Page, draft: Draft) -> None:
    """737-800, case 12-3456: digits glued by a hyphen belong to the name; "steps 2-3" is a range."""
    scan, plural = page.scan, page.scan.folded[draft.first - 1].endswith("s")
    at = draft.last + 1
    while (
        not plural and scan.folded[at] == "-" and scan.glued(at - 1) and scan.glued(at) and scan.shapes[at + 1] == "d"
    ):
        draft.last, draft.end = at + 1, scan.ends[at + 1]
        at += 2


def _be_version(draft: Draft, raw: str) -> None:
    """Compare the draft by its parts from now on."""
    draft.kind, draft.version, draft.is_name, draft.others = ValueKind.VERSION, tuple(raw.split(".")), True, []


def _names(page: Page, draft: Draft, at: int) -> bool:
    """After a noun that is numbered, a capitalised word inside a sentence, or as the label of a line."""
    scan, words = page.scan, page.lexicon.name
    if scan.folded[draft.first - 1] in ("#", "№"):
        return True
    follows = page.noun_at(draft.last + 1)
    if _is_plural_name(page, at):
        return not follows
    if scan.folded[at] in words["nouns"]:
        plural = follows and scan.folded[draft.last + 1].endswith("s") and scan.raw(draft.last + 1).islower()
        counted = plural and (draft.raw or 0) < _NEVER_COUNTED and scan.raw(at).islower()  # "order 10 bays"
        return not counted and len(scan.gap(at)) <= 1
    named = not follows or scan.raw(draft.last + 1)[:1].isupper()  # "in FIFA 16 Skill Moves"
    return named and scan.gap(at) == " " and (_proper(page, at) or _label(page, at, draft))


def _is_plural_name(page: Page, index: int) -> bool:
    """Reads "steps", "lines": the plural of a noun that is numbered."""
    word, nouns = page.scan.folded[index], page.lexicon.name["nouns"]
    return word.endswith("s") and word not in nouns and word[:-1] in nouns


def spread(page: Page, drafts: list[Draft]) -> list[Draft]:
    """Steps 2, 4 and 7: what the plural noun says of the first number holds for the others of the list."""
    listing = False
    for left, right in pairwise(drafts):
        listing = left.is_name and (listing or _is_plural_name(page, left.first - 1))
        between = page.scan.folded[left.last + 1 : right.first]
        words = page.lexicon.range
        joined = bool(between) and all(
            word in _LIST_SIGNS or word in words["and"] or word in words["or"] for word in between
        )
        plain = right.kind is ValueKind.NUMBER and not right.unit and not right.currency and not right.spelled
        if listing and joined and plain:
            right.is_name = True
    return drafts


def _proper(page: Page, index: int) -> bool:
    """A capitalised word that does not begin its sentence and is no function word; German capitals say nothing."""
    scan = page.scan
    raw = scan.raw(index)
    if scan.shapes[index] != "w" or raw.islower() or not raw.isascii() or page.lexicon.language == "de" or len(raw) < 2:
        return False
    started = scan.folded[index - 1] in _SENTENCE_START or "\n" in scan.gap(index - 1)
    return (
        not started
        and scan.folded[index] not in page.lexicon.name["stop"]
        and scan.folded[index] not in page.lexicon.months
    )


def _label(page: Page, index: int, draft: Draft) -> bool:
    """Reads "Method 1:", "Phase 2 –" at the start of a line or sentence."""
    scan = page.scan
    labelled = scan.folded[draft.last + 1] in (":", "–", "—") and scan.raw(draft.first).isdigit()
    return labelled and scan.raw(index)[:1].isupper() and scan.folded[index] not in page.lexicon.name["stop"]


def version_at(page: Page, index: int) -> Draft | None:
    """v2.1, 1.2.3, version 4.10, release 4.9, 2.0.0-rc1: compared part by part."""
    scan, raw = page.scan, page.scan.raw(index)
    if not scan.glued(index - 1) and "." not in raw and not _introduced(page, index):
        return None
    first = index - 1 if index and scan.folded[index - 1] == "v" and scan.glued(index - 1) else index
    parts = raw.split(".")
    if len(raw) > _MAX_VERSION or not all(part.isdigit() for part in parts):
        return None
    introduced = _introduced(page, first)
    if not (first < index or introduced or (len(parts) > 2 and not _grouped(parts))):
        return None
    if introduced and _is_something_else(page, index, parts):
        return None
    last, tail = _pre_release(page, index)
    draft = Draft(first, last, scan.starts[first], scan.ends[last], ValueKind.VERSION, Interval(None, None))
    draft.version, draft.is_name = (*parts, *tail), True
    return draft


def _grouped(parts: list[str]) -> bool:
    """1.234.567 is one number."""
    return len(parts[0]) <= 3 and all(len(part) == 3 for part in parts[1:])


def _introduced(page: Page, first: int) -> bool:
    """The word version, release, ... before the number."""
    scan = page.scan
    at = first - 1
    while scan.folded[at] in ('"', "“", ":") or (scan.folded[at] == "." and scan.glued(at - 1)):
        at -= 1
    return scan.folded[at] in page.lexicon.name["versions"] and len(scan.gap(at)) <= 1 and len(scan.folded[at]) > 1


def _is_something_else(page: Page, index: int, parts: list[str]) -> bool:
    """Reads "version 2023-07" is a date, "release 5 kg" an amount."""
    scan = page.scan
    if len(parts) == 1 and len(parts[0]) == 4 and is_year(int(parts[0])) and scan.folded[index + 1] == "-":
        return True
    return unit_at(page, index + 1, glued=scan.glued(index)) is not None or money_before(page, index) is not None


def _pre_release(page: Page, index: int) -> tuple[int, tuple[str, ...]]:
    """Reads "-rc1" and the like behind a version: the last token and the extra part."""
    scan = page.scan
    if (
        scan.folded[index + 1] != "-"
        or not (scan.glued(index) and scan.glued(index + 1))
        or scan.folded[index + 2] not in _PRE_RELEASE
    ):
        return index, ()
    last = index + 3 if scan.shapes[index + 3] == "d" and scan.glued(index + 2) else index + 2
    return last, (scan.between(index + 2, last),)
