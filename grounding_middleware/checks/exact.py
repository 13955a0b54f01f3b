"""Exact things (CH-6): names, codes, commands, URLs and e-mail addresses are matched to the letter."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.agents import agents
from grounding_middleware.checks.alignment import Alignment, align
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.codes import alike, of_another
from grounding_middleware.checks.namesakes import namesakes
from grounding_middleware.checks.versions import falls_short, keeps_to
from grounding_middleware.reading.units import Item
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("exact")
_HALF: Final = 0.5
_MIN_NAME: Final = 4
_NEAR: Final = 0.75
_ADDRESS: Final = re.compile(r"@|://|^www\.")


def check(case: Case) -> Iterator[Finding]:
    """Conflict where another code or name stands in the place of the claim's own; doubt where it just is not there."""
    for alignment in case.alignments:
        yield from _codes(case, alignment)
    yield from of_another(case)
    for alignment in case.alignments:
        yield from _names(alignment)
    yield from agents(case)
    yield from namesakes(case)


def _codes(case: Case, alignment: Alignment) -> Iterator[Finding]:
    for item in alignment.claim_left:
        if not item.code:
            continue
        rivals = [other for other in alignment.source_left if other.code and alike(item.text, other.text)]
        kind = Kind.URL if _ADDRESS.search(item.text) else Kind.IDENTIFIER
        others = [left for left in alignment.claim_left if left is not item]
        if case.library.knows(item.keys):
            yield from _of_another(case, alignment, item, rivals)
            yield from _of_another_source(case, alignment, item)
        elif any(keeps_to(item, other, alignment.source) for other in rivals):
            message = f"'{item.text}' is not named, the source sets '{rivals[0].text}' as a limit"
            yield _REPORT.doubt("code-within-limit", message, kind, place(alignment, item, rivals[0]))
        elif _outdated(alignment, item, rivals, others):
            message = f"source '{rivals[0].text}' at least, answer '{item.text}'"
            yield _REPORT.conflict("version-below-limit", message, Kind.VERSION, place(alignment, item, rivals[0]))
        elif rivals and (not others or _only_code(case, alignment, rivals, others)):
            message = f"source '{rivals[0].text}', answer '{item.text}'"
            yield _REPORT.conflict("code-differs", message, kind, place(alignment, item, rivals[0]))
        else:
            message = f"'{item.text}' stands nowhere in the evidence"
            yield _REPORT.doubt("code-absent", message, kind, place(alignment, item, None))


def _outdated(alignment: Alignment, item: Item, rivals: list[Item], others: list[Item]) -> bool:
    """The claim lets in a version that is older than the one the source demands of the same thing."""
    plain = not alignment.claim.of("negation") and not alignment.source.of("negation") and bool(alignment.pairs)
    return plain and len(rivals) == 1 and falls_short(item, rivals[0], others, alignment.source)


def _only_code(case: Case, alignment: Alignment, rivals: list[Item], others: list[Item]) -> bool:
    """The one code of the cited evidence with the same digits in another order, beside most words of the claim."""
    if len(rivals) != 1 or alignment.covered < _HALF or any(other.name or other.code for other in others):
        return False
    item = next(one for one in alignment.claim_left if one not in others)
    cited = (one for unit, _ in case.library.units_of(case.cited) for one in unit.items)
    turned = {one.text for one in cited if one.code and alike(item.text, one.text) and _turned(item.text, one.text)}
    return turned == {rivals[0].text}


def _turned(left: str, right: str) -> bool:
    return sorted(left.casefold()) == sorted(right.casefold())


def _of_another(case: Case, alignment: Alignment, item: Item, rivals: list[Item]) -> Iterator[Finding]:
    """The code stands somewhere else; in the sentence with all the other words another one stands in its place."""
    if len(alignment.claim_left) != 1 or len(rivals) != 1 or len(alignment.source_left) != 1 or alignment.opposed:
        return
    if any(_nearly_stated(other, item) for other in case.alignments):
        return
    if rivals[0].prep == item.prep and len(alignment.pairs) > 1:
        message = f"source '{rivals[0].text}', answer '{item.text}', which stands elsewhere"
        yield _REPORT.conflict("code-of-another", message, Kind.IDENTIFIER, place(alignment, item, rivals[0]))


def _of_another_source(case: Case, alignment: Alignment, item: Item) -> Iterator[Finding]:
    """No cited passage has this code; another delivered one has it, and more of the claim's words than any cited."""
    cited = (other for unit, _ in case.library.units_of(case.cited) for other in unit.items)
    if not case.claim.citations or any(item.keys & other.keys for other in cited):
        return
    best = max(one.covered for one in case.alignments)
    for shelf in case.library.candidates(case.unit, case.library.others(case.cited)):
        other = align(case.unit, shelf.unit, shelf.span_id)
        if other.partner(item) is not None and other.covered >= _HALF and other.covered > best:
            message = f"'{item.text}' stands in {shelf.span_id}, not in the cited source"
            yield _REPORT.conflict(
                "code-of-another-source", message, Kind.WRONG_ATTRIBUTION, place(alignment, item, None)
            )
            return


def _nearly_stated(alignment: Alignment, item: Item) -> bool:
    """A unit with this code that lacks at most one word of the claim, and has no other state or code in its place."""
    if alignment.partner(item) is None or len(alignment.claim_left) > 1:
        return False
    left = [*alignment.claim_left, *alignment.source_left]
    return not (len(left) == 2 and all(one.text.isupper() or one.code for one in left))  # one on each side


def _names(alignment: Alignment) -> Iterator[Finding]:
    missing = [item for item in alignment.claim_left if item.name and not item.code]
    if not missing:
        return
    if len(alignment.claim_left) == 1 and not alignment.opposed:
        rival = _same_slot(alignment, missing[0])
        if rival is not None:
            message = f"source '{rival.text}', answer '{missing[0].text}'"
            build = _REPORT.conflict if _misspelt(missing[0].text.casefold(), rival.text.casefold()) else _REPORT.doubt
            yield build("name-differs", message, Kind.ENTITY, place(alignment, missing[0], rival))
            return
    message = f"the name '{missing[0].text}' is not in the aligned sentence"
    yield _REPORT.doubt("name-absent", message, Kind.ENTITY, place(alignment, missing[0], None))


def _misspelt(left: str, right: str) -> bool:
    """Nearly the same letters: one name taken for another. Different names may be town and country, brand and maker."""
    if left.removesuffix("'s").removesuffix("’s") == right.removesuffix("'s").removesuffix("’s"):
        return False  # one of them a genitive
    close = difflib.SequenceMatcher(None, left, right, autojunk=False).ratio()
    return min(len(left), len(right)) >= _MIN_NAME and close >= _NEAR


def _same_slot(alignment: Alignment, item: Item) -> Item | None:
    """The only source leftover, if it is a name in the same place: same preposition, same neighbours matched."""
    if len(alignment.source_left) != 1 or not alignment.source_left[0].name or not alignment.pairs:
        return None
    rival = alignment.source_left[0]
    if rival.prep != item.prep:
        return None
    before = [pair for pair in alignment.pairs if pair[0].position < item.position]
    return rival if all(there.position < rival.position for _, there in before) else None
