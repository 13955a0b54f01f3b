"""One rule, and the rule tables of the presets: first match wins, every treatment cites the rule that chose it."""

from __future__ import annotations

from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from grounding_middleware.policy.settings import Setting
from grounding_middleware.policy.severity import kind_of, severity_of
from grounding_middleware.records import Kind, Label, Risk, Severity, Treatment, Verdict

Rules = tuple["Rule", ...]

NOT_JUDGED = (Label.NOT_A_CLAIM, Label.ABSTENTION)
HARMLESS = frozenset({Label.SUPPORTED, *NOT_JUDGED})


class RiskLevel(StrEnum):
    """How much an error in this material costs; chosen by the operator, unlike the risk of a single claim."""

    LOW = "low"
    STANDARD = "standard"
    HIGH = "high"


class Rule(Setting):
    """Claims that match every given field get `treatment`. An empty field matches everything.

    KEEP says "nothing is wrong with it" and is refused for unsupported claims: keep those with ANNOTATE or REVIEW,
    which stay in the text but can never make the answer `ok`.
    """

    name: str = Field(min_length=1)
    treatment: Treatment
    labels: tuple[Label, ...] = ()
    kinds: tuple[Kind, ...] = ()
    severities: tuple[Severity, ...] = ()
    risks: tuple[Risk, ...] = ()
    reason: str = ""

    @model_validator(mode="after")
    def _keeps_only_what_is_right(self) -> Self:
        harmless = bool(self.labels) and HARMLESS.issuperset(self.labels)
        form_only = self.severities == (Severity.NEGLIGIBLE,)
        if self.treatment is Treatment.KEEP and not (harmless or form_only):
            raise ValueError(
                f"rule {self.name!r} keeps silently: allowed with labels out of SUPPORTED, NOT_A_CLAIM, ABSTENTION or "
                "with severities NEGLIGIBLE; use treatment annotate or review for anything else"
            )
        return self

    @property
    def matches_all(self) -> bool:
        """True when no field restricts this rule."""
        return not (self.labels or self.kinds or self.severities or self.risks)

    def matches(self, verdict: Verdict, risk: RiskLevel) -> bool:
        """True when every given field fits; at risk high MINOR counts as MAJOR (DE-6)."""
        return (
            (not self.labels or verdict.label in self.labels)
            and (not self.kinds or kind_of(verdict) in self.kinds)
            and (not self.risks or verdict.risk in self.risks)
            and (not self.severities or effective_severity(verdict, risk) in self.severities)
        )


def effective_severity(verdict: Verdict, risk: RiskLevel) -> Severity | None:
    """The severity that rules see: the verdict's own, MINOR raised to MAJOR at risk high (DE-6)."""
    severity = severity_of(verdict)
    return Severity.MAJOR if severity is Severity.MINOR and risk is RiskLevel.HIGH else severity


SUPPORTED = Rule(name="supported", treatment=Treatment.KEEP, labels=(Label.SUPPORTED,), reason="the evidence states it")
NOT_CLAIMS = Rule(
    name="not-judged", treatment=Treatment.KEEP, labels=NOT_JUDGED, reason="it states nothing that could be wrong"
)
UNDECIDED = Rule(
    name="undecided",
    treatment=Treatment.REVIEW,
    labels=(Label.UNVERIFIED,),
    kinds=(Kind.UNDECIDED,),
    reason="the checks cannot tell and no judge is configured",
)
UNDECIDED_WITHHELD = Rule(
    name="undecided-withheld",
    treatment=Treatment.REMOVE,
    labels=(Label.UNVERIFIED,),
    kinds=(Kind.UNDECIDED,),
    reason="nobody checked it, and at high risk unchecked claims are withheld",
)
CONTRADICTED = Rule(
    name="contradicted",
    treatment=Treatment.REMOVE,
    labels=(Label.CONTRADICTED,),
    reason="the evidence says otherwise",
)
INVALID_CITATION = Rule(
    name="invalid-citation",
    treatment=Treatment.REMOVE,
    labels=(Label.INVALID_CITATION,),
    reason="its citation leads to no source it may rest on",
)
INSUFFICIENT = Rule(
    name="insufficient",
    treatment=Treatment.REMOVE,
    labels=(Label.INSUFFICIENT_EVIDENCE,),
    reason="the evidence does not state it",
)
UNVERIFIED = Rule(
    name="unverified",
    treatment=Treatment.REMOVE,
    labels=(Label.UNVERIFIED,),
    reason="the verifier failed to check it",
)
ANYTHING_ELSE = Rule(name="anything-else", treatment=Treatment.REMOVE, reason="no rule allows it")

CRITICAL_WITHHOLDS = Rule(
    name="critical-withholds",
    treatment=Treatment.BLOCK,
    severities=(Severity.CRITICAL,),
    reason="one claim against the evidence withholds the whole answer",
)
"""Put this first to let a single critical claim withhold the answer (DE-4): `(CRITICAL_WITHHOLDS, *policy.rules)`."""

FORBIDDEN_BLOCKS = Rule(
    name="forbidden-source",
    treatment=Treatment.BLOCK,
    kinds=(Kind.FORBIDDEN,),
    reason="it rests on a source the requester may not see",
)
ACTION_BLOCKS = Rule(
    name="action-not-supported",
    treatment=Treatment.BLOCK,
    risks=(Risk.ACTION,),
    reason="somebody would act on it and the evidence does not state it",
)
UNSUPPORTED_TO_REVIEW = Rule(
    name="unsupported-to-review", treatment=Treatment.REVIEW, reason="it is not supported; a person decides"
)

STANDARD: Rules = (
    SUPPORTED,
    NOT_CLAIMS,
    UNDECIDED,
    CONTRADICTED,
    INVALID_CITATION,
    INSUFFICIENT,
    UNVERIFIED,
    ANYTHING_ELSE,
)
"""Remove what is not supported (DE-2); what nobody was configured to judge stays and goes to review."""

HIGH: Rules = (
    FORBIDDEN_BLOCKS,
    CRITICAL_WITHHOLDS,
    SUPPORTED,
    NOT_CLAIMS,
    UNDECIDED_WITHHELD,
    INVALID_CITATION,
    INSUFFICIENT,
    UNVERIFIED,
    ANYTHING_ELSE,
)
"""One critical claim blocks the answer; whatever is not known to be supported is withheld."""

RELEASE_GATE: Rules = (FORBIDDEN_BLOCKS, SUPPORTED, NOT_CLAIMS, ACTION_BLOCKS, UNSUPPORTED_TO_REVIEW)
"""DE-3. Blocking and review are states, not cuts: the worst among the claims decides."""

DRAFT: Rules = (FORBIDDEN_BLOCKS, SUPPORTED, NOT_CLAIMS, UNSUPPORTED_TO_REVIEW)
"""ES-5. Nothing is cut: a reviewer gets the whole text with the unsupported statements marked (`marking.marked`)."""

BY_SEVERITY: Rules = (
    CRITICAL_WITHHOLDS,
    SUPPORTED,
    NOT_CLAIMS,
    UNDECIDED,
    Rule(
        name="major-repair",
        treatment=Treatment.REPAIR,
        severities=(Severity.MAJOR,),
        reason="a fact that is not in the evidence",
    ),
    Rule(
        name="minor-recorded",
        treatment=Treatment.ANNOTATE,
        severities=(Severity.MINOR,),
        reason="only its certainty goes beyond the evidence",
    ),
    Rule(
        name="negligible-ignored",
        treatment=Treatment.KEEP,
        severities=(Severity.NEGLIGIBLE,),
        reason="only its form differs from the evidence",
    ),
    ANYTHING_ELSE,
)
"""DE-6: severity alone drives the treatment."""
