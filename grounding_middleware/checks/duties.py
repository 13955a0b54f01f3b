"""Duties that the source denies, or demands, in other words than the claim (CH-4).

"Registration of pets is voluntary" beside "owners must register their pets"; "the porter may move the car, but does not
have to" beside "the porter must move a car that blocks the ramp". English only: the nouns are told by their endings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("modality")
_DUTY: Final = "modality.duty"
_LEFT_OPEN: Final = frozenset({"voluntary", "optional"})
_DEMANDED: Final = frozenset({"compulsory", "mandatory"})
_OPEN: Final = ("condition", "certainty", "time")
_ACTS: Final = ("ation", "ition", "ion", "ment", "ance", "ence", "al", "ing")
"""Endings of nouns that name what a verb does."""


def duties(case: Case) -> Iterator[Finding]:
    """A conflict where one side demands what the other leaves to choice, of the same thing by the same verb."""
    if case.unit.language != "en" or any(cue.table in _OPEN for cue in case.unit.cues):
        return
    duty = _duty(case.unit)
    for alignment in case.alignments if duty else ():
        if alignment.source.language != "en" or duty is None:
            continue
        theirs = _named(alignment, duty) or _left_to_choice(case, alignment, duty)
        if theirs is not None:
            message = f"source '{theirs.text}', answer '{duty.text}'"
            yield _REPORT.conflict("duty-denied", message, Kind.MODALITY, place(alignment, duty, theirs))
            return


def _duty(unit: Unit) -> Cue | None:
    """The only modal of the claim, when that is a duty, denied or not."""
    modals = unit.of("modality")
    return modals[0] if len(modals) == 1 and modals[0].name == _DUTY else None


def optional(unit: Unit, modal: Cue) -> bool:
    """True if a negation stands before the modal: not required, not obliged; "need not" has its own."""
    return modal.text.casefold().endswith(" not") or any(
        cue.segment == modal.segment
        and (
            0 < modal.position - cue.position <= 2  # "do not have to", "is not required to"
            or 0 < modal.start - cue.end <= 1  # "ne sont pas tenus de"
        )
        for cue in unit.of("negation")
    )


def _named(alignment: Alignment, duty: Cue) -> Cue | Item | None:
    """What the source says of the act as a thing: "registration of pets is voluntary"."""
    claim, source = alignment.claim, alignment.source
    verb = next((item for item in claim.items if item.start >= duty.end and item.segment == duty.segment), None)
    act = next(iter(source.items), None)
    if verb is None or act is None or act.prep or not names_act(act, verb) or source.of("negation"):
        return None
    denied = optional(claim, duty)
    if len(claim.of("negation")) != (denied and not duty.text.endswith("not")):
        return None
    said = _predicate(source, _DEMANDED if denied else _LEFT_OPEN)
    objects = {id(there) for here, there in alignment.pairs if here.position > verb.position}
    missing = [item for item in alignment.claim_left if item.position > verb.position]
    rest = [item for item in source.items if item is not act and item is not said and id(item) not in objects]
    return said if said is not None and objects and not missing and not rest else None


def _predicate(unit: Unit, words: frozenset[str]) -> Cue | Item | None:
    """One of these words right behind a form of "be"."""
    auxiliaries = lexicon(unit.language).auxiliaries
    places = {token.start: number for number, token in enumerate(unit.tokens)}
    told: list[Item | Cue] = [*unit.items, *unit.of("modality")]
    for one in told:
        number = places.get(one.start, 0)
        if one.text.casefold() in words and number and unit.tokens[number - 1].norm in auxiliaries:
            return one
    return None


def names_act(noun: Item, verb: Item) -> bool:
    """The noun names what the verb says: registration, register; payment, pay."""
    if noun.keys & verb.keys:
        return True
    stems = {_stem(form) for form in verb.keys}
    word = noun.text.casefold()
    return any(word.endswith(end) and _stem(word.removesuffix(end)) in stems for end in _ACTS)


def _stem(word: str) -> str:
    word = word.removesuffix("e")
    return f"{word[:-2]}r" if word.endswith("er") else word


def _left_to_choice(case: Case, alignment: Alignment, duty: Cue) -> Cue | None:
    """The duty of the claim's own sentence is denied behind it: "may move the car, but does not have to".

    The claim may say of the thing, in a relative clause, what the sentence before says of it.
    """
    claim, source = alignment.claim, alignment.source
    denied = next((cue for cue in source.of("modality") if cue.name == _DUTY and optional(source, cue)), None)
    if (
        denied is None
        or claim.of("negation")
        or optional(claim, duty)
        or alignment.opposed
        or any(source.of(table) for table in _OPEN)
    ):
        return None
    bare = not any(item.segment == denied.segment for item in source.items)
    homes = {there.segment for _, there in alignment.pairs}
    if not bare or alignment.source_left or len(homes) != 1 or denied.segment in homes:
        return None
    relative = _relative(claim)
    inside = [item for item in claim.items if item.start > relative]
    if not all(item in inside for item in alignment.claim_left) or not _before(case, alignment, inside):
        return None
    return denied if any(here.position > duty.position for here, _ in alignment.pairs) else None


def _relative(unit: Unit) -> int:
    """Where a relative clause begins; the end of the unit when there is none."""
    words = lexicon(unit.language).relatives | {"that"}
    return next((token.start for token in unit.tokens[1:] if token.norm in words), unit.end)


def _before(case: Case, alignment: Alignment, inside: list[Item]) -> bool:
    """The sentence before has all these words."""
    units = [shelf.unit for shelf in case.library.shelves_of(alignment.span_id)]
    ahead = [unit for unit in units if unit.end <= alignment.source.start][-1:]
    return not inside or any(all(item.keys & unit.keys for item in inside) for unit in ahead)
