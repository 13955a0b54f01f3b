"""From claims to verdicts without a model: provenance first, then the checks, never the other way round.

Order for one claim: not a claim -> abstention -> citation invalid -> no evidence -> checks on the cited spans ->
supported by another span (wrong attribution) -> undecided.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from grounding_middleware.checks import CHECKS, Case, Check, Examination, Library, examine, supported, together
from grounding_middleware.checks.abstentions import answered, touched
from grounding_middleware.checks.coverage import unchecked
from grounding_middleware.checks.nearness import Near, near, unheard_of
from grounding_middleware.claims.parts import parts
from grounding_middleware.claims.statements import is_offering
from grounding_middleware.claims.wording import read as wording
from grounding_middleware.conflicts.disputes import Disputes
from grounding_middleware.reading.fields import field_unit, heads
from grounding_middleware.reading.pointing import points_back
from grounding_middleware.reading.reader import read
from grounding_middleware.reading.subjects import carries_on, labelled, leans_back, subject
from grounding_middleware.reading.tables import row_units
from grounding_middleware.reading.units import Item, Unit
from grounding_middleware.records import Citation, Claim, Evidence, Finding, Kind, Label, Outcome, Range, Verdict

_COMPOUND: Final = 2  # clauses that make a sentence compound
_ABOVE: Final = ("heading", "intro")
_CONTENTLESS: Final = frozenset({"claim", "abstention"})


@dataclass(frozen=True, slots=True)
class Setting:
    """What all claims of one answer are judged against."""

    answer: str
    question: str
    citations: tuple[Citation, ...]
    evidence: Evidence
    library: Library
    language: str = "en"
    checks: Sequence[Check] = CHECKS
    disputes: Disputes = field(default_factory=Disputes, compare=False)


def by_rules(claims: Sequence[Claim], setting: Setting) -> tuple[Verdict, ...]:
    """One verdict for each claim in order; UNVERIFIED with kind UNDECIDED where no rule decides.

    A sentence whose detachable parts conflict for different reasons gives one verdict for each part.
    """
    return tuple(
        verdict
        for claim, unit, place in in_context(claims, read_claims(claims, setting))
        for verdict in judge_claim(claim, unit, place, setting)
    )


def read_claims(claims: Sequence[Claim], setting: Setting) -> tuple[Unit, ...]:
    """What each claim says, with the markers of the answer blanked."""
    text = masked(setting.answer, setting.citations)
    return read(text, [(claim.start, claim.end) for claim in claims], setting.language)


@dataclass(frozen=True, slots=True)
class AnswerPlace:
    """Where a claim stands in the answer: what its first pronoun refers to, the statement before it, what is above."""

    antecedent: tuple[Item, ...] = ()
    before: Unit | None = None
    above: tuple[tuple[Item, ...], ...] = ()

    @property
    def parts(self) -> tuple[tuple[Item, ...], Unit | None, tuple[tuple[Item, ...], ...]]:
        """As a case takes them."""
        return self.antecedent, self.before, self.above

    @property
    def key(self) -> tuple[object, ...]:
        """All that a verdict may depend on."""
        groups = (self.antecedent, *self.above)
        said = tuple(tuple((item.keys, item.text) for item in items) for items in groups)
        return said, self.before.text if self.before else ""


def in_context(claims: Sequence[Claim], units: Sequence[Unit]) -> Iterator[tuple[Claim, Unit, AnswerPlace]]:
    """Each claim with the subject its pronoun refers to: that of the nearest earlier statement that has its own."""
    antecedent: tuple[Item, ...] = ()
    before: Unit | None = None
    heading: tuple[Item, ...] = ()
    for claim, unit in zip(claims, units, strict=True):
        context = read(claim.context, [(0, len(claim.context))], unit.language) if claim.form == "list_item" else ()
        lead = tuple(item for one in context for item in labelled(one))
        yield claim, unit, AnswerPlace(antecedent, before, tuple(one for one in (heading, lead) if one))
        if claim.form == "heading" or claim.statement in _ABOVE:
            heading, antecedent, before = labelled(unit), (), None
        elif claim.statement == "claim":
            before = unit
            if not carries_on(unit):
                antecedent = subject(unit)


def masked(answer: str, citations: Sequence[Citation]) -> str:
    """The answer with every marker blanked, so that offsets hold and no id is read as a value or a name."""
    letters = list(answer)
    for citation in citations:
        if citation.marker and answer[citation.start : citation.end] == citation.marker:
            letters[citation.start : citation.end] = " " * (citation.end - citation.start)
    return "".join(letters)


def cited_spans(claim: Claim, setting: Setting) -> frozenset[str]:
    """The usable spans a claim is judged against: those it cites, all of them when it cites none (a finding)."""
    usable = setting.library.span_ids
    named = frozenset(span_id for index in claim.citations for span_id in setting.citations[index].span_ids)
    return named & usable if claim.citations else usable


def judge_claim(claim: Claim, unit: Unit, place: AnswerPlace, setting: Setting) -> tuple[Verdict, ...]:
    """The verdict of the rules on one claim, or one for each of its parts; depends on nothing but its arguments."""
    if claim.statement not in _CONTENTLESS:
        return (_no_claim(claim, unit, setting),)
    invalid = _provenance(claim, setting)
    if invalid is not None:
        return (invalid,)
    if claim.statement == "abstention":
        return (_abstention(claim, unit, setting),)
    if not setting.evidence.enough:
        return (_nothing_to_rest_on(claim),)
    cited = cited_spans(claim, setting)
    cases = [
        Case(claim, read_as, (), setting.library, cited, setting.question, *place.parts)
        for read_as in structured(claim, unit, setting)
    ]
    found = together([examine(case, setting.checks) for case in cases])
    if found.label is None and len(cases) == 1:
        found = piece_by_piece(cases[0], found, setting)
    if found.label is None and claim.form == "json_field":
        found = _field_alone(cases[0], found, setting)
    if found.label in (None, Label.INSUFFICIENT_EVIDENCE):
        elsewhere = _elsewhere(cases, setting)
        if elsewhere is not None:
            return (elsewhere,)
    return _parted(claim, found, (*_uncited(claim), *unchecked(claim, unit.language, cited, setting.library)))


def _provenance(claim: Claim, setting: Setting) -> Verdict | None:
    """INVALID_CITATION when any marker of the claim leads nowhere it may lead; decided before any semantics.

    A forbidden source is named before any other fault, whatever the order of the markers: it blocks (DE-3).
    """
    faults = [setting.citations[i] for i in claim.citations if not setting.citations[i].valid]
    if not faults:
        return None
    broken = next((citation for citation in faults if citation.kind is Kind.FORBIDDEN), faults[0])
    return Verdict.of(
        claim,
        label=Label.INVALID_CITATION,
        kind=broken.kind,
        reason=f"{broken.marker or broken.ref}: {broken.reason}",
        decided_by="provenance",
    )


def _abstention(claim: Claim, unit: Unit, setting: Setting) -> Verdict:
    """ABSTENTION, unless the evidence plainly answers; what no rule can tell is left to the judge as a doubt."""
    question = asked_question(setting)
    quote = answered(unit, setting.library, question)
    if quote is None:
        reason = "says that the sources do not answer; no source was found that does"
        findings = _second_look(claim) if touched(unit, setting.library, question) else ()
        doubtful = near(unit, setting.library, question)
        if doubtful is not None:
            return _unconfirmed(claim, doubtful)
        return Verdict.of(claim, label=Label.ABSTENTION, reason=reason, findings=findings, decided_by="checks")
    reason = "says that the sources do not answer, but one does"
    return Verdict.of(
        claim,
        label=Label.CONTRADICTED,
        kind=Kind.FALSE_ABSTENTION,
        reason=reason,
        quotes=(quote,),
        decided_by="checks",
    )


def _no_claim(claim: Claim, unit: Unit, setting: Setting) -> Verdict:
    """NOT_A_CLAIM; undecided where an offer takes for granted a thing that no source speaks of."""
    offers = claim.statement == "offer" or (
        claim.statement == "question" and is_offering(wording(claim.text, unit.language))
    )
    item = unheard_of(unit, setting.library, asked_question(setting)) if offers else None
    if item is None:
        reason = f"{claim.statement}, not a statement about the sources"
        return Verdict.of(claim, label=Label.NOT_A_CLAIM, reason=reason, decided_by="claims")
    reason = f"offers or describes {item.text!r}, of which no source speaks"
    finding = Finding(
        check="offers",
        rule="thing-unheard-of",
        outcome=Outcome.DOUBT,
        message=reason,
        kind=Kind.ADDED_DETAIL,
        claim_range=(item.start, item.end),
    )
    return Verdict.of(
        claim, label=Label.UNVERIFIED, kind=Kind.UNDECIDED, reason=reason, findings=(finding,), decided_by="nobody"
    )


def _unconfirmed(claim: Claim, doubtful: Near) -> Verdict:
    """Undecided, with the sentence that may answer; the judge tells whether it does."""
    return Verdict.of(
        claim,
        label=Label.UNVERIFIED,
        kind=Kind.UNDECIDED,
        reason=f"says that the sources do not answer; {doubtful.reason}",
        quotes=(doubtful.quote,) if doubtful.quote else (),
        findings=_second_look(claim),
        decided_by="nobody",
    )


def asked_question(setting: Setting) -> Unit | None:
    """The question, read like a claim; None when there is none."""
    asked = setting.question.strip()
    return read(asked, [(0, len(asked))], setting.language)[0] if asked else None


def _second_look(claim: Claim) -> tuple[Finding, ...]:
    message = "does the evidence answer what this sentence says it does not?"
    at = (claim.start, claim.end)
    return (
        Finding(
            check="abstentions",
            rule="topic-in-evidence",
            outcome=Outcome.DOUBT,
            message=message,
            kind=Kind.FALSE_ABSTENTION,
            claim_range=at,
        ),
    )


def _nothing_to_rest_on(claim: Claim) -> Verdict:
    reason = "no usable evidence was given for this answer, or less than there must be"
    return Verdict.of(
        claim,
        label=Label.INSUFFICIENT_EVIDENCE,
        kind=Kind.OUTSIDE_KNOWLEDGE,
        reason=reason,
        decided_by="provenance",
    )


def piece_by_piece(case: Case, whole: Examination, setting: Setting) -> Examination:
    """SUPPORTED when every main clause of a compound sentence is, each by one place of the evidence (CI-4)."""
    pieces = [(case.claim.start + low, case.claim.start + high) for low, high in parts(case.claim.text)]
    if len(pieces) < _COMPOUND or (points_back(case.unit) and not leans_back(case.unit)):
        return whole
    units = read(masked(setting.answer, setting.citations), pieces, setting.language)
    return supported([replace(case, unit=unit) for unit in units], setting.checks) or whole


def structured(claim: Claim, unit: Unit, setting: Setting) -> tuple[Unit, ...]:
    """The units a claim is read as: one for each cell of a table row, the field with its object, else the sentence."""
    place = (claim.start, claim.end)
    if claim.form == "table_row":
        text = masked(setting.answer, setting.citations)
        return row_units(text, place, claim.context, setting.language) or (unit,)
    if claim.form == "json_field":
        field = field_unit(setting.answer, place, claim.context, setting.language)
        return (field,) if field else (unit,)
    return (unit,)


def _field_alone(case: Case, whole: Examination, setting: Setting) -> Examination:
    """A conflict of the key and its value alone, when the source names the object somewhere else in the passage.

    Only a conflict: whose value it is has to be told by the sentence itself for anything to be supported.
    """
    at = (case.claim.start, case.claim.end)
    unit = field_unit(setting.answer, at, heads(case.claim.context), setting.language)
    found = examine(replace(case, unit=unit), setting.checks) if unit else whole
    return found if found.label is Label.CONTRADICTED else whole


def _elsewhere(cases: Sequence[Case], setting: Setting) -> Verdict | None:
    """Wrong attribution: the cited spans do not state it, another delivered span does (CI-3)."""
    case = cases[0]
    others = setting.library.others(case.cited)
    if not others or not case.claim.citations:
        return None
    found = supported([replace(one, cited=others) for one in cases], setting.checks)
    if found is None:
        return None
    right = found.quotes[0].span_id
    return Verdict.of(
        case.claim,
        label=Label.INSUFFICIENT_EVIDENCE,
        kind=Kind.WRONG_ATTRIBUTION,
        reason=f"the cited source does not say it, {right} does",
        quotes=found.quotes,
        findings=found.findings,
        supported_elsewhere=right,
        decided_by="checks",
    )


def _uncited(claim: Claim) -> tuple[Finding, ...]:
    if claim.citations:
        return ()
    message = "no citation; checked against every span the model was shown"
    place = (claim.start, claim.end)
    return (
        Finding(check="citations", rule="uncited", outcome=Outcome.CANNOT_TELL, message=message, claim_range=place),
    )


def _parted(claim: Claim, found: Examination, extra: tuple[Finding, ...]) -> tuple[Verdict, ...]:
    """One verdict, or one for each detachable part when at least two parts conflict, each for its own reason."""
    conflicts = [finding for finding in found.findings if finding.outcome is Outcome.CONFLICT]
    pieces = [(claim.start + low, claim.start + high) for low, high in parts(claim.text)] if len(conflicts) > 1 else []
    owned = [(piece, [finding for finding in conflicts if _inside(finding, piece)]) for piece in pieces]
    guilty = [(piece, own) for piece, own in owned if own]
    if len(guilty) < 2 or len(guilty) < len(pieces):
        return (_verdict(claim, found, (*found.findings, *extra)),)
    return tuple(_part(claim, piece, own, found, number) for number, (piece, own) in enumerate(guilty))


def _inside(finding: Finding, piece: Range) -> bool:
    return finding.claim_range is not None and piece[0] <= finding.claim_range[0] < piece[1]


def _part(claim: Claim, piece: Range, own: list[Finding], found: Examination, number: int) -> Verdict:
    low, high = piece
    text = claim.text[low - claim.start : high - claim.start]
    stripped = text.strip(" ,;")
    low += text.index(stripped)
    part = claim.replace(
        id=f"{claim.id}.{number + 1}", text=stripped, start=low, end=low + len(stripped), context=claim.text
    )
    return _verdict(part, found.about(own), tuple(own))


def _verdict(claim: Claim, found: Examination, findings: tuple[Finding, ...]) -> Verdict:
    if found.label is None:
        doubts = [finding.message for finding in findings if finding.outcome is Outcome.DOUBT]
        reason = "no rule decides this claim" + (f"; in doubt: {'; '.join(doubts)}" if doubts else "")
        return Verdict.of(
            claim, label=Label.UNVERIFIED, kind=Kind.UNDECIDED, reason=reason, findings=findings, decided_by="nobody"
        )
    return Verdict.of(
        claim,
        label=found.label,
        kind=found.kind,
        reason=found.reason,
        quotes=found.quotes,
        findings=findings,
        window_only=found.window,
        decided_by="checks",
    )
