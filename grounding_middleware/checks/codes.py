"""The code of another thing (CH-6): a form, room, version or address that the evidence gives to something else.

"For a lost card use form KF-18, for a refund form KF-81" and "form KF-81 for a lost card": each code belongs to the
words of its own clause. "Version 2.8 repairs the export. Signatures were added in version 2.9" and "signatures since
version 2.8": the code of the sentence about something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment, align
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("exact")
_ADDRESS: Final = re.compile(r"@|://|^www\.")
_RUNS: Final = re.compile(r"[a-z]+|\d+")
_FEWEST: Final = 2  # words besides the code that the right sentence must share with the claim


def of_another(case: Case) -> Iterator[Finding]:
    """One conflict at most: the code the claim gives belongs to another clause or sentence than all its other words."""
    for alignment in case.alignments:
        if len(_wording(alignment)) > 1 or alignment.opposed or alignment.claim.of("negation"):
            continue
        found = _of_another_clause(alignment) or _of_another_sentence(case, alignment)
        if found is not None:
            own, right = found
            message = f"source gives '{right.text}' there, answer '{own.text}', which belongs to something else"
            yield _REPORT.conflict("code-of-another", message, Kind.IDENTIFIER, place(alignment, own, right))
            return


def alike(left: str, right: str) -> bool:
    """The same pattern of letters and digits (AX-4471 / AX-4417), both addresses, or both options."""
    if _ADDRESS.search(left) or _ADDRESS.search(right):
        return bool(_ADDRESS.search(left)) and ("@" in left) == ("@" in right)
    if left.isupper() and right.isupper() and not any(sign.isdigit() for sign in left + right):
        return True  # two states, APPROVED and IN_REVIEW
    return left.startswith("-") == right.startswith("-") and _pattern(left) == _pattern(right)


def _pattern(code: str) -> str:
    return _RUNS.sub(lambda run: "9" if run.group()[0].isdigit() else "a", code.casefold())


def _wording(alignment: Alignment) -> list[Item]:
    """Words of the claim that are only put otherwise there; a missing name is a list of its own length too long."""
    left = [item for item in alignment.claim_left if not item.code]
    return [*left, *left] if any(item.name for item in left) else left


def _of_another_clause(alignment: Alignment) -> tuple[Item, Item] | None:
    """The claim has every word of a clause but its code, and of the clause of its own code not what sets it apart."""
    source = alignment.source
    matched = {id(there) for _, there in alignment.pairs}
    said = frozenset(key for item in alignment.claim.items for key in item.keys)
    for here, there in alignment.pairs:
        if not here.code:
            continue
        for rival in source.items:
            if (
                not rival.code
                or rival.segment == there.segment
                or id(rival) in matched
                or not alike(here.text, rival.text)
            ):
                continue
            left = [item for item in source.items if id(item) not in matched and not item.keys & said]
            foils = [item for item in left if item.segment == there.segment]
            whole = all(item is rival for item in left if item.segment == rival.segment)
            if whole and foils and _own_words(alignment, rival.segment, there.segment):
                return here, rival
    return None


def _own_words(alignment: Alignment, segment: int, other: int) -> bool:
    """The claim has a word of this segment that the other one does not have."""
    shared = frozenset(key for item in alignment.source.items if item.segment == other for key in item.keys)
    return any(there.segment == segment and not there.keys & shared for _, there in alignment.pairs)


def _of_another_sentence(case: Case, alignment: Alignment) -> tuple[Item, Item] | None:
    """All other words stand here with another code of the same name; the claim's stands in a sentence without them."""
    missing = [item for item in alignment.claim_left if item.code]
    if len(missing) != 1 or alignment.by_context or alignment.by_title:
        return None
    own = missing[0]
    heads = [pair for pair in alignment.pairs if pair[0] is _before(alignment.claim, own)]
    codes = [item for item in alignment.source.items if item.code and alike(item.text, own.text)]
    if not heads or len(codes) != 1 or _before(alignment.source, codes[0]) is not heads[0][1]:
        return None
    others = [here for here, _ in alignment.pairs if here is not heads[0][0]]
    homes = [unit for unit, _ in case.library.units_of(case.cited) if any(item.keys & own.keys for item in unit.items)]
    if len(others) < _FEWEST or not homes or any(_shares(alignment.claim, home, others) for home in homes):
        return None
    return own, codes[0]


def _shares(claim: Unit, home: Unit, words: list[Item]) -> bool:
    found = align(claim, home, "")
    return bool(home.context) or any(found.partner(word) is not None for word in words)


def _before(unit: Unit, item: Item) -> Item | None:
    return next((other for other in unit.items if other.position == item.position - 1), None)
