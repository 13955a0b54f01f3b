"""What differs between two reports of one answer, claim by claim, and why."""

from __future__ import annotations

from collections.abc import Iterable

from grounding_middleware.records import Action, Kind, Label, Range, Record, Report, Treatment, Verdict


class Judgement(Record):
    """What was said of one claim, and what is done about it."""

    label: Label
    kind: Kind | None
    treatment: Treatment
    decided_by: str


class ClaimChange(Record):
    """One claim that came out differently; `before` or `after` is None when the claim was cut differently."""

    text: str
    place: Range
    before: Judgement | None
    after: Judgement | None
    why: str

    @property
    def relabelled(self) -> bool:
        """Whether the verdict changed, and not only what is done about it."""
        return (self.before and self.before.label) != (self.after and self.after.label)


class Comparison(Record):
    """One answer, judged twice. `notes` say what could not be compared."""

    answer_id: str
    seq: int = 0
    before: Action
    after: Action
    text_changed: bool
    claims: tuple[ClaimChange, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether anything came out differently."""
        return self.before is not self.after or self.text_changed or bool(self.claims)


def compare(before: Report, after: Report, *, seq: int = 0, notes: Iterable[str] = ()) -> Comparison:
    """The differences between two reports of the same answer."""
    old, new = _by_place(before), _by_place(after)
    places = sorted(old.keys() | new.keys())
    changes = (_change(place, old.get(place), new.get(place)) for place in places)
    return Comparison(
        answer_id=before.answer_id,
        seq=seq,
        before=before.action,
        after=after.action,
        text_changed=before.text != after.text,
        claims=tuple(change for change in changes if change),
        notes=tuple(notes),
    )


def _by_place(report: Report) -> dict[Range, Verdict]:
    return {(verdict.start, verdict.end): verdict for verdict in report.claims}


def _change(place: Range, old: Verdict | None, new: Verdict | None) -> ClaimChange | None:
    before, after = old and _judgement(old), new and _judgement(new)
    if before == after:
        return None
    claim = new or old
    assert claim is not None  # noqa: S101  # one of both has this place; for the type checker
    return ClaimChange(text=claim.text, place=place, before=before, after=after, why=_why(old, new))


def _judgement(verdict: Verdict) -> Judgement:
    return Judgement(label=verdict.label, kind=verdict.kind, treatment=verdict.treatment, decided_by=verdict.decided_by)


def _why(old: Verdict | None, new: Verdict | None) -> str:
    if new is None or old is None:
        return "the answer is cut into other claims"
    same_verdict = (old.label, old.kind, old.decided_by) == (new.label, new.kind, new.decided_by)
    return new.treatment_reason if same_verdict else new.reason
