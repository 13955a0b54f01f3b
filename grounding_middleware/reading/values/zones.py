"""Time zones as written: abbreviations, offsets, and places that keep one offset all year."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from pathlib import Path
from typing import Final

from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.page import Page

_OFFSET: Final = re.compile(
    r"(?P<space>\s?)(?P<name>UTC|GMT)?\s?(?P<sign>[+\-−])(?P<h>\d{1,2})(?::?(?P<m>\d{2}))?(?!\d)"
)
_FARTHEST: Final = 14 * 60  # minutes


@lru_cache(maxsize=1)
def _tables() -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = json.loads(
        (Path(__file__).parent / "data" / "zones.json").read_text(encoding="utf-8")
    )
    return found


def offset_of(zone: str) -> int | None:
    """Minutes east of Greenwich for a zone as stored on a value; None when it is not fixed or not known."""
    if zone[:1] in ("+", "-"):
        return int(zone)
    return _tables()["zones"].get(zone, _tables()["places"].get(zone))


def zoned(page: Page, draft: Draft) -> Draft:
    """Take in UTC, CET, +02:00, "Singapore time" behind the time; also in brackets."""
    if not _offset(page, draft):
        _name(page, draft)
    return draft


def _offset(page: Page, draft: Draft) -> bool:
    scan = page.scan
    match = _OFFSET.match(scan.text, draft.end)
    if match is None or draft.end != scan.ends[draft.last]:
        return False
    minutes = int(match["h"]) * 60 + int(match["m"] or 0)
    glued = not match["space"] and match["m"] and (match["sign"] == "+" or scan.folded[draft.first - 1] == "t")
    certain = match["name"] or glued  # "10:00-11:00" is a range
    if minutes > _FARTHEST or not certain:
        return False
    draft.zone = f"{minutes if match['sign'] == '+' else -minutes:+d}"
    draft.end = match.end()
    while scan.ends[draft.last] < draft.end:
        draft.last += 1
    return True


def _name(page: Page, draft: Draft) -> None:
    scan, words = page.scan, page.lexicon.time.get("zone", ())
    at = draft.last + 1
    bracket = scan.folded[at] == "(" and scan.folded[at + 2] == ")"
    at += bracket
    if not scan.raw(at)[:1].isalpha() or scan.starts[at] > draft.end + 2 or "\n" in scan.gap(draft.last):
        return
    word, last = scan.folded[at], at
    if scan.folded[at + 1] in words and (scan.raw(at)[0].isupper() or word in page.lexicon.time.get("local", ())):
        word, last = "local" if word in page.lexicon.time.get("local", ()) else word, at + 1
    elif not (scan.raw(at).isupper() and (word in _tables()["zones"] or word in _tables()["unsaid"])):
        return
    last += bracket
    draft.zone, draft.last, draft.end = word, last, scan.ends[last]
