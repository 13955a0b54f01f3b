"""Words that carry the meaning: negation, modality, certainty, quantifiers, opposites, added details.

None is made where a paraphrase could come out: "may not" and "must not" say the same, and so may "not all" and "some".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from grounding_middleware.evaluation.probing.ground import Subject
from grounding_middleware.evaluation.probing.phrases import Edit, change_of, lowercase, put
from grounding_middleware.evaluation.probing.statements import Change
from grounding_middleware.reading.tokens import Shape
from grounding_middleware.reading.values import ValueKind

__all__ = [
    "automatic",
    "automatic_approval",
    "detail_added",
    "duty_weakened",
    "hedge_removed",
    "modality_raised",
    "negation",
    "opposite",
    "quantifier_widened",
]

_NE: Final = ("ne", "n")
_PAS: Final = frozenset({"pas", "plus", "jamais"})
_NE_PAS: Final = 6  # tokens between the halves of a French negation
_FEW: Final = 3
_SHIFTING: Final = frozenset({"condition.unless", "condition.only_if", "quantity.only", "quantity.all"})
"""With one of these a negation put in says something else than the opposite: "not on all trains" is true of some."""
_PARTIAL: Final = frozenset({"quantity.some", "quantity.many", "quantity.few", "quantity.most", "negation.idioms"})
"""What is said of some may be denied of others."""


def negation(subject: Subject) -> Iterator[Change]:
    """A negation is put in, or the only one there is taken out."""
    if _names(subject) & _PARTIAL or "whether" in subject.norms:
        return
    if subject.has("negation") or _french_halves(subject):
        edits = _without_negation(subject)
    elif _names(subject) & _SHIFTING:
        edits = []
    else:
        edits = _with_negation(subject)
    yield from _not_restated(subject, edits)


def modality_raised(subject: Subject) -> Iterator[Change]:
    """May became must; who must is among those who may."""
    for change in _modality(subject, "modal_up"):
        if not subject.restricts(change.edits[0][0]):
            yield change


def duty_weakened(subject: Subject) -> Iterator[Change]:
    """Must became may."""
    yield from _modality(subject, "modal_down")


def hedge_removed(subject: Subject) -> Iterator[Change]:
    """What is usually so is said to be so."""
    if subject.has("negation") or "modality.permission" in _names(subject):
        return
    for at, length, new in subject.words.found("hedge", subject.norms):
        if subject.restricts(subject.tokens[at].start):
            continue
        yield from _not_restated(subject, [put(subject, at, length, new)])


def quantifier_widened(subject: Subject) -> Iterator[Change]:
    """Some became all, usually became always."""
    forbidden = subject.words.list("never_before")
    conditions = subject.unit.of("condition")
    for at, length, new in subject.words.found("quantifier", subject.norms):
        after = subject.tokens[at + length : at + length + 1]
        numbered = any(value.start <= subject.tokens[at].start < value.phrase[1] for value in subject.values)
        guarded = at > 0 and subject.norms[at - 1] in forbidden
        if guarded or numbered or not after or after[0].shape is not Shape.WORD or not lowercase(subject, at):
            continue
        if any(cue.start < subject.tokens[at].start for cue in conditions) or subject.has("negation"):
            continue
        if not set(subject.norms) & set(subject.words.list("whole")):
            yield from _not_restated(subject, [put(subject, at, length, new)])


def opposite(subject: Subject) -> Iterator[Change]:
    """A word became its opposite."""
    found = list(subject.words.found("antonym", subject.norms))
    both = {new for _, _, new in found} & {" ".join(subject.norms[at : at + length]) for at, length, _ in found}
    for at, length, new in found:
        if new not in both and lowercase(subject, at) and new.casefold() not in subject.norms:
            yield from _not_restated(subject, [put(subject, at, length, new)])


def automatic_approval(subject: Subject) -> Iterator[Change]:
    """A review became an automatic approval."""
    if subject.has("negation") or _automatic_known(subject):
        return
    for at, length, new in subject.words.found("review", subject.norms):
        yield from _not_restated(subject, [put(subject, at, length, new)])


def automatic(subject: Subject) -> Iterator[Change]:
    """What is done is said to be done automatically."""
    if subject.has("negation") or _automatic_known(subject):
        return
    for edit in _done(subject):
        yield from _not_restated(subject, [edit])
        return


def detail_added(subject: Subject) -> Iterator[Change]:
    """A detail the evidence says nothing about, said of something that is or may be done."""
    if subject.has("negation") or subject.has("condition") or not subject.statement.text[-1].isalnum():
        return
    if not subject.has("modality") and not list(_done(subject)):
        return
    durations = {ValueKind.DURATION, ValueKind.CALENDAR_DURATION}
    timed = any(value.kind in durations for value in subject.values)
    for detail in subject.words.list("details"):
        unit = subject.read(detail, 0, len(detail))
        if timed and unit.values:
            continue
        if any(subject.written(item.text) for item in unit.items) or any(map(subject.value_known, unit.values)):
            continue
        end = subject.statement.end
        yield change_of(subject, (end, end, detail))
        return


def _modality(subject: Subject, table: str) -> Iterator[Change]:
    """Nothing in a sentence with a negation: "may not" is "must not"."""
    if subject.has("negation") or "quantity.only" in _names(subject):
        return
    for at, length, new in subject.words.found(table, subject.norms):
        if lowercase(subject, at) and subject.tokens[at].text.casefold() == subject.norms[at]:
            yield from _not_restated(subject, [put(subject, at, length, new)])


def _with_negation(subject: Subject) -> list[Edit]:
    """The first auxiliary of the main clause is negated."""
    begin = 0
    if subject.unit.cues and subject.unit.cues[0].table == "condition" and subject.unit.cues[0].position == 0:
        begin = next((at for at, norm in enumerate(subject.norms) if norm == ","), len(subject.norms))
    for at, length, new in subject.words.found("negation_in", subject.norms):
        if at >= begin and at > 0 and lowercase(subject, at) and _goes_on(subject, at + length):
            return [put(subject, at, length, new)]
    return []


def _without_negation(subject: Subject) -> list[Edit]:
    halves = _french_halves(subject)
    if halves:
        return halves
    found = list(subject.words.found("negation_out", subject.norms))
    pair = len(found) == 2 and [new for _, _, new in found] == ["both", "and"]
    cues = subject.unit.of("negation")
    if not found or (not pair and (len(found) > 1 or len(cues) > 1)):
        return []
    if not pair and _contrasts(subject, found[0][0]):
        return []
    return [put(subject, at, length, new) for at, length, new in found]


def _contrasts(subject: Subject, at: int) -> bool:
    """Whether the negation sets two things against each other ("..., not the limit") or is glued to its verb."""
    before = subject.tokens[at - 1] if at else None
    if before is None:
        return False
    glued = before.end == subject.tokens[at].start
    either = at > 1 and subject.norms[at - 2] in subject.words.list("alternative")  # "may or may not"
    return glued or either or before.text in ",;:" or before.norm in subject.words.list("left_over")


def _french_halves(subject: Subject) -> list[Edit]:
    """Both halves of the only "ne ... pas" of a French statement."""
    if subject.statement.language != "fr":
        return []
    first = [at for at, norm in enumerate(subject.norms) if norm in _NE]
    second = [at for at, norm in enumerate(subject.norms) if norm in _PAS]
    if len(first) != 1 or len(second) != 1 or not 0 < second[0] - first[0] <= _NE_PAS:
        return []
    ne = subject.tokens[first[0]]
    end = subject.tokens[first[0] + 1].start
    opening: Edit = (ne.start, end, "")
    return [opening, put(subject, second[0], 1, "")]


def _done(subject: Subject) -> Iterator[Edit]:
    """The auxiliaries of things that are done, each with the word that says that it happens by itself."""
    for at, length, new in subject.words.found("automatic", subject.norms):
        restricting = subject.restricts(subject.tokens[at].start)
        if _participle_follows(subject, at + length) and _goes_on(subject, at + length) and not restricting:
            yield put(subject, at, length, new)


def _goes_on(subject: Subject, at: int) -> bool:
    """Whether a word follows: a German auxiliary at the end of its clause is an infinitive."""
    return at < len(subject.tokens) and subject.tokens[at].shape is not Shape.PUNCT


def _participle_follows(subject: Subject, at: int) -> bool:
    ends, words = subject.words.list("participle_ends"), subject.words.list("participles")
    near = subject.norms[at : at + (1 if subject.statement.language != "de" else len(subject.norms))]
    chosen = near if subject.statement.language != "de" else near[-1:]
    return any(norm in words or norm.endswith(ends) for norm in chosen)


def _automatic_known(subject: Subject) -> bool:
    return any(subject.written(word) for word in subject.words.list("automatic"))


def _names(subject: Subject) -> frozenset[str]:
    return frozenset(cue.name for cue in subject.unit.cues)


def _not_restated(subject: Subject, edits: Iterable[Edit]) -> Iterator[Change]:
    """The change, unless the statement is too short to tell what else says it, or something does."""
    edits = list(edits)
    if not edits or len(subject.unit.items) < _FEW:
        return
    change = change_of(subject, *edits)
    if not subject.restated(change):
        yield change
