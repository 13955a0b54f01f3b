"""What users get: unsupported claims before and after, escalation, completeness, abstention (SPEC ME-1).

"Before" is the answer as the model wrote it, "after" what reaches the reader. `ANSWERS` rest on gold labels where they
speak of claims; `OPINION` is the verifier's own count, for answers that nobody labelled.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from grounding_middleware.evaluation.golden import FLAGS
from grounding_middleware.evaluation.measures.model import Better, Measure, Pair, ratio
from grounding_middleware.evaluation.runs import Fate, Scored, ScoredClaim
from grounding_middleware.labels import Action, Label

__all__ = ["ANSWERS", "OPINION"]

_ESCALATED: Final = frozenset({Action.ESCALATE, Action.BLOCKED, Action.REVIEW, Action.DRAFT_REVIEW})
_REACHES: Final = frozenset({Fate.KEPT, Fate.REPAIRED})


def _claims(scored: Scored) -> list[ScoredClaim]:
    """The gold claims, without what is not a claim by gold."""
    return [one for one in scored.gold_claims if one.gold not in (Label.NOT_A_CLAIM, Label.ABSTENTION)]


def _unsupported(claim: ScoredClaim) -> bool:
    return claim.gold != Label.SUPPORTED


def _left(claim: ScoredClaim) -> bool:
    """Unsupported, and it reaches the reader as it was."""
    return _unsupported(claim) and claim.fate is Fate.KEPT


def _after(scored: Scored) -> list[ScoredClaim]:
    return [claim for claim in _claims(scored) if claim.fate in _REACHES]


def _whole_before(scored: Scored) -> Pair:
    claims = _claims(scored)
    return (int(not any(map(_unsupported, claims))), 1) if claims else (0, 0)


def _whole_after(scored: Scored) -> Pair:
    """An answer that says nothing any more is no supported answer."""
    if not _claims(scored):
        return 0, 0
    after = _after(scored)
    return int(bool(after) and not any(map(_left, after))), 1


def _supported_lost(scored: Scored) -> Pair:
    return ratio((one for one in _claims(scored) if not _unsupported(one)), lambda one: one.fate not in _REACHES)


def _facts_before(scored: Scored) -> Pair:
    return sum(not fact.in_answer for fact in scored.facts), len(scored.facts)


def _facts_after(scored: Scored) -> Pair:
    return sum(not fact.in_text for fact in scored.facts), len(scored.facts)


def _complete(scored: Scored) -> Pair:
    return (int(all(fact.in_text for fact in scored.facts)), 1) if scored.facts else (0, 0)


def _not_found(scored: Scored, *, answerable: bool) -> Pair:
    return (int(scored.silent), 1) if scored.answerable is answerable else (0, 0)


def _action(scored: Scored) -> Pair:
    return (int(scored.action in scored.actions), 1) if scored.actions else (0, 0)


def _counted(counts: Mapping[str, int], labels: frozenset[Label]) -> Pair:
    claims = {Label(name): count for name, count in counts.items() if Label(name).is_claim}
    return sum(count for label, count in claims.items() if label in labels), sum(claims.values())


def _all_supported(counts: Mapping[str, int]) -> Pair:
    k, n = _counted(counts, frozenset({Label.SUPPORTED}))
    return (int(k == n), 1) if n else (0, 0)


_UNDECIDED: Final = frozenset({Label.UNVERIFIED})
_LOW, _HIGH, _OPEN = Better.LOWER, Better.HIGHER, Better.NEITHER

ANSWERS: Final = (
    Measure(
        "unsupported_before", "unsupported claims, as written", "claims unsupported by gold, of all claims", _LOW,
        lambda scored: ratio(_claims(scored), _unsupported),
    ),
    Measure(
        "unsupported_after", "unsupported claims, after", "of the claims that reach the reader", _LOW,
        lambda scored: ratio(_after(scored), _left),
    ),
    Measure(
        "unsupported_unseen", "unsupported claims, after, unreviewed",
        "of the claims that reach the reader before a person looked", _LOW,
        lambda scored: (0, 0) if scored.action in _ESCALATED else ratio(_after(scored), _left),
    ),
    Measure(
        "supported_lost", "supported claims lost", "supported claims that do not reach the reader, of those written",
        _LOW, _supported_lost,
    ),
    Measure(
        "whole_supported_before", "whole answers supported, as written", "answers without an unsupported claim", _HIGH,
        _whole_before,
    ),
    Measure(
        "whole_supported_after", "whole answers supported, after",
        "answers that reach the reader with a claim and without an unsupported one, of all", _HIGH, _whole_after,
    ),
    Measure(
        "missing_facts_before", "critical facts missing, as written", "facts the answer does not state", _LOW,
        _facts_before,
    ),
    Measure(
        "missing_facts_after", "critical facts missing, after", "facts the reader is not told", _LOW, _facts_after
    ),
    Measure("complete_after", "complete answers", "answers that tell the reader every critical fact", _HIGH, _complete),
    Measure(
        "not_found_right", "not found, rightly", "unanswerable questions where the reader is told nothing", _HIGH,
        lambda scored: _not_found(scored, answerable=False),
    ),
    Measure(
        "not_found_wrong", "not found, wrongly", "answerable questions where the reader is told nothing", _LOW,
        lambda scored: _not_found(scored, answerable=True),
    ),
    Measure(
        "abstention_before", "abstention, as written", "answers that assert nothing", _OPEN,
        lambda scored: (int(scored.abstained), 1),
    ),
    Measure(
        "abstention_after", "abstention, after", "answers of which nothing asserted reaches the reader", _LOW,
        lambda scored: (int(scored.silent), 1),
    ),
    Measure(
        "escalation", "escalation", "answers that a person has to look at, shown or not", _LOW,
        lambda scored: (int(scored.action in _ESCALATED), 1),
    ),
    Measure(
        "withheld", "withheld", "answers of which the reader gets nothing", _LOW,
        lambda scored: (int(not scored.shown), 1),
    ),
    Measure("action_right", "expected action", "answers with an accepted action", _HIGH, _action),
    Measure(
        "leaked", "forbidden texts released", "texts that must not reach the reader and do", _LOW,
        lambda scored: (len(scored.leaked), scored.forbidden),
    ),
    Measure(
        "repaired", "repairs that worked", "of the statements somebody tried to repair", _HIGH,
        lambda scored: (scored.repairs_made, scored.repairs_tried),
    ),
    Measure(
        "completed", "tasks completed", "where the golden set says so", _HIGH,
        lambda scored: (0, 0) if scored.completed is None else (int(scored.completed), 1),
    ),
)  # fmt: skip

OPINION: Final = (
    Measure(
        "found_wrong_before", "claims found wrong, as written", "contradicted, insufficient, badly cited", _LOW,
        lambda scored: _counted(scored.before, FLAGS),
    ),
    Measure(
        "found_wrong_after", "claims found wrong, after", "of the claims that reach the reader", _LOW,
        lambda scored: _counted(scored.after, FLAGS),
    ),
    Measure(
        "unverified_before", "claims nobody could check, as written", "of all claims", _LOW,
        lambda scored: _counted(scored.before, _UNDECIDED),
    ),
    Measure(
        "unverified_after", "claims nobody could check, after", "of the claims that reach the reader", _LOW,
        lambda scored: _counted(scored.after, _UNDECIDED),
    ),
    Measure(
        "found_supported_before", "whole answers found supported, as written", "answers with supported claims only",
        _HIGH, lambda scored: _all_supported(scored.before),
    ),
)  # fmt: skip
