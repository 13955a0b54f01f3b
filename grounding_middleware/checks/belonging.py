"""Whether a claim speaks of the thing its source sentence speaks of, where neither of them names it (DESIGN §5).

"It holds 40 litres" may stand word for word in the evidence and yet be false, because "it" is another tank there. What
a claim points back to, and what it stands under, must be what the source sentence points to and stands under.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from itertools import pairwise

from grounding_middleware.checks.alignment import Alignment, align
from grounding_middleware.checks.case import Case
from grounding_middleware.checks.library import Shelf
from grounding_middleware.reading.pointing import expletive, named_last, pointers, points_back, unowned
from grounding_middleware.reading.subjects import labelled, leans_back, spoken, subject
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.reading.values import Relation, Value, compare

__all__ = ["about_antecedent", "belongs", "other_owners"]


def about_antecedent(alignment: Alignment, case: Case) -> bool:
    """True unless the claim leans on an earlier sentence ("It ...") whose subject this unit does not name."""
    if not leans_back(case.unit):
        return True
    own = alignment.source.keys if not leans_back(alignment.source) else frozenset()
    return bool(case.antecedent) and _covers(own | alignment.source.context, case.antecedent)


def belongs(alignment: Alignment, shelf: Shelf, case: Case) -> bool:
    """True if the claim, as far as it points to what stands around it, points to what the source sentence does."""
    if not _headed_alike(shelf, case):
        return False
    if points_back(case.unit) and not _self_contained(alignment):
        return _told_alike(shelf, case) or _same_subject(alignment, shelf, case)
    return _owned(shelf, case)


def _self_contained(alignment: Alignment) -> bool:
    """The claim has every word of a source sentence that points to no other, so that it points to none either."""
    return len(alignment.pairs) == len(alignment.source.items) and not points_back(alignment.source)


def _same_subject(alignment: Alignment, shelf: Shelf, case: Case) -> bool:
    """A pronoun that begins the claim stands for what the source names, and for no other thing of that name."""
    if not leans_back(case.unit) or named_last(case.unit) or not about_antecedent(alignment, case):
        return False
    context = alignment.source.context if leans_back(alignment.source) else frozenset()
    more = context - {key for item in case.antecedent for key in item.keys}
    return not more or not _rivals(shelf, case)


def _told_alike(shelf: Shelf, case: Case) -> bool:
    """The sentence before the claim says what the one before the source sentence says, in the same order."""
    mine, theirs = case.before, shelf.around.before
    if mine is None or theirs is None or pointers(case.unit) != pointers(shelf.unit):
        return False
    both = align(mine, theirs, shelf.span_id)
    if not both.anchored or both.by_title or not all(_states(theirs, value) for value in mine.claimed):
        return False
    ordered = all(left.position < right.position for (_, left), (_, right) in pairwise(both.pairs))
    return ordered and (
        expletive(mine) or not points_back(mine) or _covers(theirs.keys | theirs.context, case.antecedent)
    )


def _states(unit: Unit, value: Value) -> bool:
    return any(compare(value, other).relation is Relation.ENTAILED for other in unit.claimed)


def _owned(shelf: Shelf, case: Case) -> bool:
    """What the answer speaks of before the claim is named by or around the source sentence, or nowhere as a subject."""
    loose, twofold = unowned(case.unit), _twofold(shelf, case)
    if not (loose or twofold) or any(_covers(_path(shelf), owner) for owner in (case.antecedent, *case.above)):
        return True
    return not twofold and not (case.antecedent and _rivals(shelf, case))


def _path(shelf: Shelf) -> frozenset[str]:
    """What the source sentence is about, by itself, the sentence before it and what stands above it."""
    return shelf.unit.keys | shelf.unit.context | shelf.unit.title | _above(shelf) | _topic(shelf)


def _above(shelf: Shelf) -> frozenset[str]:
    return frozenset(key for unit in shelf.around.above for item in labelled(unit) for key in item.keys)


def _topic(shelf: Shelf) -> frozenset[str]:
    """The subject of the sentence before."""
    before = shelf.around.before
    if before is None:
        return frozenset()
    return before.context or frozenset(key for item in subject(before) for key in item.keys)


def _rivals(shelf: Shelf, case: Case) -> bool:
    """Another sentence of the evidence has what the answer speaks of as its subject."""
    found = case.library.about(case.antecedent)
    return any(one is not shelf for one in found)


def _twofold(shelf: Shelf, case: Case) -> bool:
    """Another cited sentence says the same of its own thing with another value: "The weight is 2 kg", of each tent."""
    others = (other for other in case.library.same_words(shelf) if other.span_id in case.cited)
    return any(other_owners(shelf, other) for other in others)


def other_owners(one: Shelf, other: Shelf) -> bool:
    """True if what stands around the two tells that they may speak of different things."""
    if _goes_on(one.unit) and _goes_on(other.unit) and _differ(_told(one), _told(other)):
        return True
    mine, theirs = _owner(one), _owner(other)
    return any(_differ(left, right) for left, right in zip(mine, theirs, strict=True))


def _goes_on(unit: Unit) -> bool:
    """It points back, or opens with a word that leads on from the sentence before ("Then ...")."""
    return points_back(unit) or any(token.start != unit.tokens[0].start for token in spoken(unit)[:1])


def _told(shelf: Shelf) -> frozenset[str]:
    """The words of the sentence before."""
    return shelf.around.before.keys if shelf.around.before else frozenset()


def _owner(shelf: Shelf) -> tuple[frozenset[str], frozenset[str]]:
    """The words of the headings above a sentence, and of the subject of the sentence before it."""
    return _above(shelf), shelf.unit.context or _topic(shelf)


def _differ(left: frozenset[str], right: frozenset[str]) -> bool:
    return bool(left - right) and bool(right - left)


def _headed_alike(shelf: Shelf, case: Case) -> bool:
    """False if the answer puts the claim under the name of another part of the evidence than its source stands in."""
    path = _path(shelf)
    for items in (*case.above, case.antecedent):
        if not items or _covers(path, items):
            continue
        keys = frozenset(key for item in items for key in item.keys)
        own = any(_names(keys, items, unit) for unit in shelf.around.above)
        if not own and any(_names(keys, items, unit) for unit in case.library.headings(items)):
            return False
    return True


def _names(keys: frozenset[str], items: Iterable[Item], heading: Unit) -> bool:
    """One of the two has all words of the other."""
    named = labelled(heading)
    return _covers(keys, named) or _covers({key for item in named for key in item.keys}, items)


def _covers(keys: AbstractSet[str], items: Iterable[Item]) -> bool:
    found = list(items)
    return bool(found) and all(item.keys & keys for item in found)
