"""Versions under a limit (CH-6): "2.12 or later" holds for 2.14, and 4.9 lies below 4.10."""

from __future__ import annotations

import re
from typing import Final

from grounding_middleware.reading.units import Item, Unit

_VERSION: Final = re.compile(r"v?(\d+(?:\.\d+)+)", re.IGNORECASE)
_REACH: Final = 24  # characters beside a version in which the words of its limit stand
_OR_LATER: Final = re.compile(
    r"(?i)^\W*(?:\+|(?:(?:or|and|oder|und|ou|et|o|y|e|of|en|lub|i)\s+)"
    r"(?:later|newer|higher|above|up|höher|neuer|später|darüber|ultérieur|plus\s+récent|supérieur|posterior|superior|"
    r"successiv|hoger|nieuwer|later|nowsz|wyższ|późniejsz))"
)
_FROM: Final = re.compile(
    r"(?i)(?:\b(?:at\s+least|from|since|ab|mindestens|seit|à\s+partir\s+de|depuis|au\s+moins|desde|a\s+partir\s+de|al\s+menos|"
    r"como\s+mínimo|a\s+partire\s+dalla|dalla|almeno|vanaf|sinds|minstens|od|co\s+najmniej)|[≥]|>=)"
    r"(?:\s+(?:la|the|der|release|versione?|versión|versão|wersji|firmware))*\s*$"
)


def keeps_to(claimed: Item, limit: Item, source: Unit) -> bool:
    """Whether the claim's version is one of those that the source's limit lets in; False where there is no limit."""
    mine, least = _parts(claimed.text), _parts(limit.text)
    if mine is None or least is None:
        return False
    before = source.text[max(0, limit.start - source.start - _REACH) : limit.start - source.start]
    behind = source.text[limit.end - source.start :][:_REACH]
    return mine >= least and bool(_OR_LATER.search(behind) or _FROM.search(before))


def _parts(text: str) -> tuple[int, ...] | None:
    found = _VERSION.fullmatch(text)
    return tuple(int(part) for part in found[1].split(".")) if found else None
