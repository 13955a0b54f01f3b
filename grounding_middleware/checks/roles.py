"""Roles (CH-7): "A acquired B" is not "B acquired A"; told by the order of words without a preposition."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment, Pair
from grounding_middleware.checks.borrowed import borrowed
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.exchanged_doers import exchanged_doers
from grounding_middleware.checks.marked import by_case
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.tokens import Shape
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("roles")
_MOST: Final = 40  # bare words looked at; no clause has more roles
_INFLECTED: Final = ("pl",)  # names have cases of their own
_CONTRACTED: Final = {"al": "a", "del": "de", "au": "à", "aux": "à", "du": "de", "des": "de"}


def check(case: Case) -> Iterator[Finding]:
    """Conflict where two names changed places around the same words; doubt where the order just differs."""
    for alignment in case.anchored:
        exchanged = _exchanged(alignment)
        if exchanged is not None:
            first, second = exchanged
            message = f"source has '{first[1].text} … {second[1].text}', answer '{second[0].text} … {first[0].text}'"
            yield _REPORT.conflict("arguments-exchanged", message, Kind.ROLE, place(alignment, first[0], first[1]))
            continue
        told = by_case(alignment)
        if told is not None:
            pair, theirs, mine = told
            message = f"source has '{pair[1].text}' as {theirs}, answer '{pair[0].text}' as {mine}"
            yield _REPORT.conflict("roles-by-case", message, Kind.ROLE, place(alignment, *pair))
            continue
        taken = borrowed(alignment)
        if taken is not None:
            pair, right = taken
            message = f"source has '{right.text}' there, answer '{pair[0].text}' of another clause"
            yield _REPORT.conflict("argument-borrowed", message, Kind.ROLE, place(alignment, pair[0], right))
            continue
        crossed = list(crossings(alignment))
        if not crossed or impersonal(alignment):
            continue
        swapped = next((pair for pair in crossed if _swapped(alignment, *pair)), None)
        first, second = swapped or crossed[0]
        message = f"source has '{second[1].text} … {first[1].text}', answer '{first[0].text} … {second[0].text}'"
        at = place(alignment, first[0], first[1])
        if swapped:
            yield _REPORT.conflict("roles-swapped", message, Kind.ROLE, at)
        else:
            yield _REPORT.doubt("order-differs", message, Kind.ROLE, at)
    yield from exchanged_doers(case)


def _exchanged(alignment: Alignment) -> tuple[Pair, Pair] | None:
    """Two words that changed places around the same verb, each with the preposition the other had.

    "The insurer notifies the policyholder" against "the policyholder notifies the insurer"; "A lent it to B" against "B
    lent it to A". All words are the same, and so is the voice: prepositions would tell a passive apart. German and
    Polish mark roles by case, not by order; "el seguro lo paga el socio" names its object twice. Verbs such as "meet"
    say the same either way.
    """
    words = lexicon(alignment.claim.language)
    if not words.covered or words.free_order or alignment.opposed or alignment.by_context or alignment.by_title:
        return None
    if _names_agent(alignment.claim) != _names_agent(alignment.source):
        return None
    pairs = alignment.pairs[:_MOST]
    for verb in pairs:
        bare = _bare(alignment.claim, verb[0]) and _bare(alignment.source, verb[1])
        if verb[0].keys & words.symmetric or not bare or _left_in(alignment, verb[1].segment):
            continue
        if _resumed(alignment.claim, verb[0]) != _resumed(alignment.source, verb[1]):
            continue
        before = [one for one in pairs if one[1].position < verb[1].position and _beside(one, verb)]
        after = [one for one in pairs if one[1].position > verb[1].position and _beside(one, verb)]
        for first in (one for one in before if one[0].position > verb[0].position):
            for second in (one for one in after if one[0].position < verb[0].position and not _same(one, first)):
                mine, theirs = (
                    [marker(alignment.claim, one) for one in (first[0], second[0])],
                    [marker(alignment.source, one) for one in (first[1], second[1])],
                )
                if mine == theirs[::-1]:
                    return first, second
    return None


def _same(one: Pair, other: Pair) -> bool:
    """A word that stands twice: which of the two is which says nothing."""
    return bool(one[0].keys & other[0].keys)


def _resumed(unit: Unit, verb: Item) -> bool:
    """A pronoun right before the verb ("lo paga"): what stands before that may be the object."""
    words = lexicon(unit.language)
    before = next((token for token in reversed(unit.tokens) if token.end <= verb.start), None)
    return before is not None and before.norm in words.pronouns | words.articles


def _names_agent(unit: Unit) -> bool:
    """A word that may introduce who acts in a passive stands anywhere: "battu par celui de Lens"."""
    words = lexicon(unit.language)
    return any(words.contractions.get(token.norm, token.norm) in words.agents for token in unit.tokens)


def _bare(unit: Unit, item: Item) -> bool:
    """No preposition introduces it: "the head of the office appoints" has one before "office" only."""
    before = next((other for other in reversed(unit.items) if other.position < item.position), None)
    if not item.prep or before is None or before.prep != item.prep or before.segment != item.segment:
        return not item.prep
    words = lexicon(unit.language)
    between = (token.norm for token in unit.tokens if before.end <= token.start < item.start)
    return all(norm not in words.prepositions and norm not in _CONTRACTED for norm in between)


def marker(unit: Unit, item: Item) -> str:
    """The preposition that marks the role of a word, also one that is one word with the article ("al", "au")."""
    before = next((token.norm for token in reversed(unit.tokens) if token.end <= item.start), "")
    return item.prep or _CONTRACTED.get(before, "")


def _beside(pair: Pair, verb: Pair) -> bool:
    """In the same clause as the verb, on both sides."""
    return pair[0].segment == verb[0].segment and pair[1].segment == verb[1].segment


def _left_in(alignment: Alignment, segment: int) -> bool:
    """Words of the segment that the claim does not have; a bare number, such as a score, changes no roles."""
    left = (item for item in alignment.source_left if not item.text.isdigit())
    return any(item.segment == segment for item in left)


def crossings(alignment: Alignment) -> Iterator[tuple[Pair, Pair]]:
    """Pairs of pairs whose items stand without preposition on both sides but in opposite order."""
    bare = [pair for pair in alignment.pairs if not pair[0].prep and not pair[1].prep][:_MOST]
    for number, first in enumerate(bare):
        for second in bare[number + 1 :]:
            if first[1].position > second[1].position and not _moved_together(alignment, first, second):
                yield first, second


def _moved_together(alignment: Alignment, first: Pair, second: Pair) -> bool:
    """Whole clauses may change places ("if X, Y", "Y if X"): each segment of the claim went into one of the source."""
    if first[0].segment == second[0].segment or first[1].segment == second[1].segment:
        return False
    went = {(here.segment, there.segment) for here, there in alignment.pairs}
    return all(
        len([pair for pair in went if pair[0] == segment]) == 1 for segment in (first[0].segment, second[0].segment)
    )


def passive(unit: Unit) -> bool:
    """True if an agent phrase ("by ...") is present: the first noun is then not the one who acts."""
    agents = lexicon(unit.language).agents
    return any(item.prep in agents for item in unit.items)


def agents_replaced(alignment: Alignment) -> bool:
    """What is opposed is who acts on both sides, of the same verb: "the landlord pays it", "by the tenant it is paid".

    Then neither the voice nor the order makes the two sentences one.
    """
    return bool(alignment.opposed) and all(
        _acts(alignment.claim, mine) and _acts(alignment.source, theirs) for mine, theirs in alignment.opposed
    )


def _acts(unit: Unit, item: Item) -> bool:
    """Named as the agent of a passive, as the first thing of its clause, or behind a verb that resumes its object."""
    words = lexicon(unit.language)
    before = next((token.norm for token in reversed(unit.tokens) if token.end <= item.start), "")
    if item.prep in words.agents or words.contractions.get(before, "") in words.agents:
        return True
    earlier = [other for other in unit.items if other.segment == item.segment and other.position < item.position]
    if item.prep or before not in words.articles:
        return False
    return not earlier or (bool(earlier[:-1]) and _resumed(unit, earlier[-1]))


def impersonal(alignment: Alignment) -> bool:
    """Nobody is named, so no roles can be swapped: "you can block a card", "a card can be blocked"."""
    mine, theirs = _generic(alignment.claim), _generic(alignment.source)
    if mine == theirs or passive(alignment.claim) or passive(alignment.source):
        return False
    moved = [pair for pair in alignment.pairs if not pair[0].prep and not pair[1].prep]
    order = [there.position for _, there in moved]
    rest = [order[:n] + order[n + 1 :] for n in range(len(order))]
    return any(one == sorted(one) for one in rest)


def _generic(unit: Unit) -> bool:
    """The first word is a pronoun that means anybody: you, one, man, on."""
    words = lexicon(unit.language)
    first = next((token for token in unit.tokens if token.shape is Shape.WORD), None)
    return first is not None and first.norm in words.first_and_second and (first.norm,) not in words.connectives


def _swapped(alignment: Alignment, first: Pair, second: Pair) -> bool:
    """Nothing else differs: every word matched, same voice, and exactly these two names changed places."""
    if alignment.source_left or alignment.opposed or alignment.by_context:
        return False
    clauses = {item.segment for item in alignment.claim.items}
    if passive(alignment.claim) != passive(alignment.source) or len(clauses) > 1:
        return False
    heads = _is_name(first) and _is_name(second) and alignment.claim.language not in _INFLECTED
    order = sorted(alignment.pairs, key=lambda pair: pair[1].position)
    between = [pair for pair in order if second[1].position < pair[1].position < first[1].position]
    return heads and bool(between)


def _is_name(pair: Pair) -> bool:
    """A name on either side: the first word of a sentence hides its capital."""
    return any(item.name or item.code for item in pair)
