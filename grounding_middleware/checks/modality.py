"""Modality (CH-4): may, should, will, must in a strength order; a shift in either direction is a finding.

Permission turned into duty, or duty into permission, conflicts. Possibility turned into certainty, or told as a fact
in the same words, is unsupported. Any other modal that only one side has is a doubt: ordinary prose drops and adds
"can" too freely for a verdict.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.checks.alignment import Alignment
from grounding_middleware.checks.case import Case, Reporter, place
from grounding_middleware.checks.choices import choices
from grounding_middleware.checks.deontic import statuses
from grounding_middleware.checks.duties import duties
from grounding_middleware.checks.duty_words import Status
from grounding_middleware.checks.marked import verbal
from grounding_middleware.reading.lexicon import lexicon
from grounding_middleware.reading.units import Cue, Item, Unit
from grounding_middleware.records import Finding, Kind

_REPORT: Final = Reporter("modality")
_LEVEL: Final = {"modality.permission": 1, "modality.recommendation": 2, "modality.will": 3, "modality.duty": 4}
_CONFLICTS: Final = {
    (1, 4): Kind.MODALITY,
    (4, 1): Kind.MODALITY,
    (4, 2): Kind.MODALITY,
    (2, 4): Kind.CERTAINTY_SHIFT,
    (1, 3): Kind.CERTAINTY_SHIFT,
    (2, 3): Kind.CERTAINTY_SHIFT,
}
"""(source level, claim level) -> kind; pairs that are not here differ without deciding anything."""


def check(case: Case) -> Iterator[Finding]:
    """Compares the modal that governs the aligned words; yields nothing when neither side has one."""
    for alignment in case.anchored:
        yield from _compare(alignment)
    yield from duties(case)
    yield from choices(case.alignments)


def governing(unit: Unit, touched: frozenset[int]) -> Cue | None:
    """The modal of the touched segments; None when there is none or more than one kind of it."""
    cues = [cue for cue in unit.of("modality") if cue.segment in touched]
    return cues[0] if len({_LEVEL[cue.name] for cue in cues}) == 1 else None


def _compare(alignment: Alignment) -> Iterator[Finding]:
    mine = governing(alignment.claim, frozenset(range(len(alignment.claim.segments))))
    theirs = governing(alignment.source, alignment.touched)
    if mine is None or theirs is None:
        yield from _one_sided(alignment, mine, theirs)
        return
    if _optional(alignment.claim, mine) != _optional(alignment.source, theirs):
        message = f"source '{theirs.text}', answer '{mine.text}', with a negation on one side"
        yield _REPORT.doubt("modal-negation", message, Kind.MODALITY, place(alignment, mine, theirs))
        return
    levels = _LEVEL[theirs.name], _LEVEL[mine.name]
    if levels[0] == levels[1] or _prohibits(alignment.claim, mine):
        return
    message = f"source '{theirs.text}', answer '{mine.text}'"
    at = place(alignment, mine, theirs)
    kind = _CONFLICTS.get(levels)
    hedged = levels[1] == _LEVEL["modality.will"] and alignment.claim.of("certainty")  # "it is possible that X will"
    if kind is not None and alignment.tight and not hedged and not _denied_modal(alignment.claim, mine):
        yield _REPORT.conflict("modal-shift", message, kind, at)
    else:
        yield _REPORT.doubt("modal-shift", message, kind or Kind.CERTAINTY_SHIFT, at)


def _optional(unit: Unit, modal: Cue) -> bool:
    """True if a negation stands before the modal: not required, not obliged; "need not" has its own."""
    return modal.text.casefold().endswith(" not") or any(
        cue.segment == modal.segment
        and (
            0 < modal.position - cue.position <= 2  # "do not have to", "is not required to"
            or 0 < modal.start - cue.end <= 1  # "ne sont pas tenus de"
        )
        for cue in unit.of("negation")
    )


def _denied_modal(unit: Unit, modal: Cue) -> bool:
    """The modal waives or forbids: need not, must not, "non può"."""
    denied = (Status.WAIVED, Status.FORBIDDEN)
    return any(duty.word is modal and duty.status in denied for duty in statuses(unit))


def _one_sided(alignment: Alignment, mine: Cue | None, theirs: Cue | None) -> Iterator[Finding]:
    if mine is None and theirs is None:
        return
    message = f"source '{theirs.text if theirs else 'no modal'}', answer '{mine.text if mine else 'no modal'}'"
    if mine is None and theirs is not None and _as_fact(alignment, theirs):
        yield _REPORT.conflict("possibility-to-fact", message, Kind.CERTAINTY_SHIFT, place(alignment, None, theirs))
        return
    yield _REPORT.doubt("modal-one-sided", message, Kind.CERTAINTY_SHIFT, place(alignment, mine, theirs))


def _as_fact(alignment: Alignment, modal: Cue) -> bool:
    """What the source says may happen, the claim says does: the same subject, the same verb, nothing else changed.

    A claim that tells somebody what to do ("Block the card in the app") has no subject and asserts nothing of the kind.
    """
    if modal.name != "modality.permission" or not alignment.tight or alignment.opposed or alignment.by_context:
        return False
    if any(cue.table in ("certainty", "negation", "quantity") for cue in alignment.claim.cues):
        return False
    if lexicon(alignment.claim.language).free_order and _verb_last(alignment, modal):
        return True
    verb = next((pair for pair in alignment.pairs if pair[1].position > modal.position and not pair[1].prep), None)
    subjects = [
        here
        for here, there in alignment.pairs
        if there.segment == modal.segment and there.position < modal.position and not there.prep
    ]
    if verb is None or verb[1].segment != modal.segment or not (subjects or _auxiliary(alignment.claim, verb[0])):
        return False
    between = [item for item in alignment.source.items if modal.position < item.position < verb[1].position]
    return not between and all(here.position < verb[0].position for here in subjects)


def _verb_last(alignment: Alignment, modal: Cue) -> bool:
    """As above where the verb ends the clause: "Das Mittel kann Schwindel verursachen", "das Mittel verursacht"."""
    source = alignment.source
    behind = [item for item in source.items if item.segment == modal.segment and item.position > modal.position]
    verb = next((pair for pair in alignment.pairs if behind and pair[1] is behind[-1]), None)
    first, head = next(iter(source.items), None), next(iter(alignment.claim.items), None)
    if verb is None or first is None or head is None or first.position > modal.position or alignment.source_left:
        return False
    same = not first.prep and not head.prep and alignment.partner(head) is first and first.text[:1].isupper()
    active = not any(token.norm in lexicon(source.language).auxiliaries for token in source.tokens[verb[1].position :])
    return same and active and verbal(alignment.claim, verb[0]) and verbal(source, verb[1])


def _auxiliary(unit: Unit, verb: Item) -> bool:
    """The verb stands in a finite clause even without a subject of content: "whoever is late is excluded"."""
    words = lexicon(unit.language)
    inside = unit.segments[verb.segment]
    return any(inside.start <= token.start < inside.end and token.norm in words.auxiliaries for token in unit.tokens)


def _prohibits(unit: Unit, modal: Cue) -> bool:
    """True if a negation follows at once: may not, must not and cannot forbid alike."""
    return any(cue.position == modal.position + len(modal.text.split()) for cue in unit.of("negation"))
