"""How bad an unsupported claim is, from its label and kind (SPEC §0).

| label                                   | severity |
|-----------------------------------------|----------|
| SUPPORTED, NOT_A_CLAIM, ABSTENTION      | none     |
| CONTRADICTED                            | CRITICAL |
| INVALID_CITATION                        | MAJOR, or what was stated if that is worse |
| UNVERIFIED, nobody was asked            | none: it is not known to be wrong |
| UNVERIFIED, the verifier failed         | MAJOR, or what was stated if that is worse |
| INSUFFICIENT_EVIDENCE                   | what the judge stated, else MINOR if only certainty differs, else MAJOR |

NEGLIGIBLE therefore only ever comes from a judge that saw the claim, and never for a claim the evidence contradicts.
"""

from __future__ import annotations

from grounding_middleware.records import Kind, Label, Severity, Verdict

CERTAINTY_ONLY = frozenset({Kind.CERTAINTY_SHIFT, Kind.MODALITY})
"""Kinds where the fact is in the evidence and only how sure or how binding it is differs."""

_WORST_FIRST = tuple(Severity)


def severity_of(verdict: Verdict) -> Severity | None:
    """The severity of one verdict by the table above; None when there is nothing to rate."""
    if not verdict.label.is_claim or verdict.label is Label.SUPPORTED or is_undecided(verdict):
        return None
    if verdict.label is Label.CONTRADICTED:
        return Severity.CRITICAL
    if verdict.label is Label.INSUFFICIENT_EVIDENCE:
        by_kind = Severity.MINOR if verdict.kind in CERTAINTY_ONLY else Severity.MAJOR
        return verdict.severity or by_kind
    return min(verdict.severity or Severity.MAJOR, Severity.MAJOR, key=_WORST_FIRST.index)


def is_undecided(verdict: Verdict) -> bool:
    """True when nobody was configured to judge this claim; a configured judge that failed is something else."""
    return kind_of(verdict) is Kind.UNDECIDED


def kind_of(verdict: Verdict) -> Kind | None:
    """The verdict's kind; an UNVERIFIED claim is a verifier failure unless it clearly says that nobody was asked."""
    if verdict.label is not Label.UNVERIFIED:
        return verdict.kind
    nobody = verdict.kind is Kind.UNDECIDED and verdict.decided_by == "nobody"
    return Kind.UNDECIDED if nobody else Kind.VERIFIER_FAILURE
