"""Versions under a limit (CH-6): "2.12 or later" holds for 2.14, and 4.9 lies below 4.10."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from grounding_middleware.reading.units import Item, Unit

_VERSION: Final = re.compile(r"v?(\d{1,9}(?:\.\d{1,9})+)", re.IGNORECASE)
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
_SUFFICES: Final = re.compile(
    r"(?i)(?:meet|satisf|fulfil|suffic|enough|requirement|condition|compatib|support|work|run|erfüll|genüg|reich|"
    r"anforderung|voraussetzung|unterstütz|lauf|läuft|funktion|funcion|funzion|rempli|suffi|exigence|requisit|cumpl|"
    r"soddisf|bast|voldoe|vereist|volsta|spełni|wystarcz|wymag)\w*"
)
"""What is said of a version that a limit lets in: it meets the requirement, it is enough, it works."""


def keeps_to(claimed: Item, limit: Item, source: Unit) -> bool:
    """Whether the claim's version is one of those that the source's limit lets in; False where there is no limit."""
    mine, least = _parts(claimed.text), _parts(limit.text)
    return mine is not None and least is not None and mine >= least and _is_least(limit, source)


def falls_short(claimed: Item, limit: Item, others: Sequence[Item], source: Unit) -> bool:
    """Whether the version lies below the source's limit, and the claim's `others` only say that it is let in."""
    mine, least = _parts(claimed.text), _parts(limit.text)
    if mine is None or least is None or mine >= least or not _is_least(limit, source):
        return False
    return all(_SUFFICES.fullmatch(other.text) for other in others)


def _is_least(limit: Item, source: Unit) -> bool:
    before = source.text[max(0, limit.start - source.start - _REACH) : limit.start - source.start]
    behind = source.text[limit.end - source.start :][:_REACH]
    return bool(_OR_LATER.search(behind) or _FROM.search(before))


def _parts(text: str) -> tuple[int, ...] | None:
    found = _VERSION.fullmatch(text)
    return tuple(int(part) for part in found[1].split(".")) if found else None
