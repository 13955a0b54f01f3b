"""Numbers of JSON fields whose key ends in their unit: "duration_min": 135, "retentionMonths": 24, "fee_percent": 0.75.

Keys are written in English whatever the language around them. A key that may mean something else ("price_min",
"size_m") keeps the bare number as another reading.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from grounding_middleware.reading.values.amounts import settle
from grounding_middleware.reading.values.draft import Draft
from grounding_middleware.reading.values.lexicon import lexicon
from grounding_middleware.reading.values.model import ValueKind
from grounding_middleware.reading.values.page import Page
from grounding_middleware.reading.values.tables import Unit, symbols, units

_LONGEST: Final = 80  # characters of a key and its colon that are looked at
_KEY: Final = re.compile(
    r"\"[^\"\n]*[^\"\n\W](?:[_\-. ]|(?<=[a-z])(?=[A-Z]))(?P<last>[A-Za-z]{1,12})\"\s{0,4}:\s{0,4}$"
)
_LEAST: Final = frozenset({"min"})  # minutes, or the least
_SHORT: Final = {"hrs": "hour", "hr": "hour", "pct": "percent"}


def keyed(page: Page, draft: Draft) -> None:
    """Give a bare number the unit its key ends in."""
    if draft.unit or draft.currency or draft.kind is not ValueKind.NUMBER or page.scan.folded[draft.first - 1] != ":":
        return
    match = _KEY.search(page.scan.text[max(0, draft.start - _LONGEST) : draft.start])
    unit = unit_of(match["last"]) if match else None
    if match is None or unit is None:
        return
    bare = replace(draft, others=[], readings=())
    draft.unit, draft.unit_text = unit, match["last"]
    settle(draft)
    if match["last"] in _LEAST or len(match["last"]) == 1:
        draft.others.append(bare)


def unit_of(word: str) -> Unit | None:
    """The unit that the last word of a key names; None for any other word."""
    key = _SHORT.get(word.lower()) or symbols().get(word)
    if key is None:
        found = [meaning for tokens, meaning in lexicon("en").units.get(word.lower(), ()) if len(tokens) == 1]
        key = found[0] if found else None
    return units().get(key) if key else None
