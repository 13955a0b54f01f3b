"""The records every stage reads and writes: public schema, audit format and spec format at once.

All are frozen, reject unknown fields and survive a JSON round trip. Offsets are code-point indexes, end exclusive.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from grounding_middleware.frozen import Attributes, FrozenDict, Range, Record, sha256
from grounding_middleware.labels import Action, Kind, Label, Outcome, Risk, Severity, Treatment
from grounding_middleware.spans import Evidence, Span, SpanStatus

__all__ = [
    "SCHEMA_VERSION",
    "Action",
    "Attributes",
    "CallRecord",
    "Capture",
    "Citation",
    "Claim",
    "Conflict",
    "Decision",
    "Edit",
    "Evidence",
    "Finding",
    "FrozenDict",
    "Kind",
    "Label",
    "Outcome",
    "Quote",
    "Range",
    "Record",
    "RepairAttempt",
    "Report",
    "Risk",
    "Severity",
    "Span",
    "SpanStatus",
    "Treatment",
    "Verdict",
    "sha256",
]

SCHEMA_VERSION = "1"


def _timeless(record: Record, *times: str) -> dict[str, Any]:
    return {name: value for name, value in record if name not in times}


class Citation(Record):
    """One marker of the answer, resolved: `span_ids` it names, or the reason it names none.

    A grouped marker `[a, b]` gives one citation for each id, all with the range of the group.
    """

    marker: str
    ref: str
    start: int
    end: int
    span_ids: tuple[str, ...] = ()
    kind: Kind | None = None
    reason: str = ""

    @property
    def valid(self) -> bool:
        """True when the marker leads to at least one usable span."""
        return bool(self.span_ids) and self.kind is None


class Claim(Record):
    """One statement of the answer; `answer[start:end] == text` always holds.

    `form` is where it stands (sentence, list_item, table_row, heading, code, json_field); `statement` what it does
    (claim, abstention, greeting, question, offer, heading, interface, ...). `context` is text needed to read it:
    column headers of a table cell, the sentence a detached part was taken from. `citations` index `Report.citations`.
    `risk_reason` names the rules that made it a claim of action risk.
    """

    id: str
    text: str
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    form: str = "sentence"
    statement: str = "claim"
    block: int = 0
    context: str = ""
    language: str = ""
    needs_context: bool = False
    citations: tuple[int, ...] = ()
    citation_ambiguous: bool = False
    risk: Risk = Risk.INFORMATION
    risk_reason: str = ""


class Quote(Record):
    """Evidence text behind a verdict; `span.text[start:end] == text`."""

    span_id: str
    start: int
    end: int
    text: str


class Finding(Record):
    """What one check saw about one claim, with both places.

    `claim_range` indexes the answer, `span_range` the text of `span_id`. `rule` names the rule for the rule table.
    """

    check: str
    rule: str
    outcome: Outcome
    message: str
    kind: Kind | None = None
    claim_range: Range | None = None
    span_id: str = ""
    span_range: Range | None = None


class Conflict(Record):
    """Two statements of the evidence that cannot both hold, and which of them prevails (EV-6).

    `first_differs` and `second_differs` are the pieces that differ, `kind` says how. `prevails` is the id of the span
    that does, by the criterion `rule`; both are empty when no criterion tells, and within one span. `claim_ids` are
    the claims that rest on one of the two statements, or come near them.
    """

    kind: Kind
    first: Quote
    second: Quote
    first_differs: Quote
    second_differs: Quote
    prevails: str = ""
    rule: str = ""
    claim_ids: tuple[str, ...] = ()


class Verdict(Claim):
    """The label of one claim with its evidence, reason and who decided it.

    `decided_by` is "claims", "provenance", "checks" or the name of a judge; "nobody" for undecided claims.
    `supported_elsewhere` names the span that would have been right to cite (CI-3).
    """

    label: Label
    kind: Kind | None = None
    severity: Severity | None = None
    reason: str = ""
    decided_by: str = "nobody"
    quotes: tuple[Quote, ...] = ()
    findings: tuple[Finding, ...] = ()
    supported_elsewhere: str = ""
    window_only: bool = False
    treatment: Treatment = Treatment.KEEP
    treatment_reason: str = ""
    confidence: float | None = Field(default=None, ge=0, le=1)

    @classmethod
    def of(cls, claim: Claim, **fields: Any) -> Verdict:
        """The verdict on `claim`; `fields` are the verdict's own."""
        own = {name: getattr(claim, name) for name in Claim.model_fields}
        return cls.model_validate({**own, **fields})


class Decision(Record):
    """What happens to the whole answer, with the figures and rules that led there."""

    action: Action
    reason: str
    claims: int = 0
    unsupported: int = 0
    undecided: int = 0
    share: float = 0.0
    limit: float = 0.34
    policy: str = ""


class Edit(Record):
    """One change of the text: `answer[start:end]` became `replacement`, and why."""

    start: int
    end: int
    removed: str
    replacement: str = ""
    reason: str = ""
    claim_id: str = ""


class RepairAttempt(Record):
    """One try to repair a statement (RE-4); `reason` says what was changed, or why the result was not taken.

    `answer[start:end] == before` and `drafts[draft][after_start:after_end] == after`, whose verdict there was `label`.
    Without a `draft` the step had nothing to offer.
    """

    claim_ids: tuple[str, ...]
    step: str
    before: str
    start: int
    end: int
    after: str = ""
    after_start: int = 0
    after_end: int = 0
    draft: int | None = None
    accepted: bool = False
    label: Label | None = None
    reason: str = ""


class CallRecord(Record):
    """Log of one model call (JU-10); times are left out of comparisons between runs.

    Token counts are the provider's, or ours where `tokens_estimated`; None when nobody counted. `started_ms` counts
    from the start of the check.
    """

    tier: str
    role: str
    model: str
    prompt_version: str
    claim_ids: tuple[str, ...] = ()
    error: str = ""
    reply: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    tokens_estimated: bool = False
    latency_ms: float = 0.0
    started_ms: float = 0.0

    def __eq__(self, other: object) -> bool:
        """Whether both calls say the same; when they began and how long they took does not count."""
        times = ("latency_ms", "started_ms")
        return isinstance(other, CallRecord) and _timeless(self, *times) == _timeless(other, *times)

    def __hash__(self) -> int:
        """Fits `==`."""
        return hash((self.tier, self.role, self.prompt_version, self.reply))


class Capture(Record):
    """What an adapter saw while the chain ran: facts no later stage can find out.

    `model_runs` counts the runs that could have written the answer, `rules_reached` those whose prompt really held
    the rules (PR-5). `paths` names the ways evidence came in; `delivered` counts spans the answer may rest on;
    `generators` are the names of the models that could have written the answer, so that none of them judges it (JU-1).
    """

    adapter: str
    paths: tuple[str, ...] = ()
    captured: int = 0
    delivered: int = 0
    model_runs: int = 0
    rules_reached: int = 0
    rules_version: str = ""
    generators: tuple[str, ...] = ()


class Report(Record):
    """The whole result of one answer: what may be shown, and the proof for every statement.

    `conflicts` are the contradictions within the evidence that a claim touches. `edits` index `answer`. `repairs` are
    all tries to repair a statement, `drafts` every text verified on the way.
    `elapsed_ms` is the time of the whole check, models included.
    """

    schema_version: str = SCHEMA_VERSION
    answer_id: str
    question: str = ""
    answer: str
    text: str
    decision: Decision
    claims: tuple[Verdict, ...] = ()
    citations: tuple[Citation, ...] = ()
    evidence: Evidence
    conflicts: tuple[Conflict, ...] = ()
    edits: tuple[Edit, ...] = ()
    repairs: tuple[RepairAttempt, ...] = ()
    drafts: tuple[str, ...] = ()
    calls: tuple[CallRecord, ...] = ()
    notices: tuple[str, ...] = ()
    checks_run: tuple[str, ...] = ()
    capture: Capture | None = None
    versions: Attributes = Field(default_factory=FrozenDict)
    elapsed_ms: float = 0.0

    def __eq__(self, other: object) -> bool:
        """Whether both reports say the same; how long that took does not count."""
        return isinstance(other, Report) and _timeless(self, "elapsed_ms") == _timeless(other, "elapsed_ms")

    def __hash__(self) -> int:
        """Fits `==`."""
        return hash((self.answer_id, self.text, self.decision))

    @property
    def action(self) -> Action:
        """What happens to the answer; "ok" only when every claim is SUPPORTED."""
        return self.decision.action
