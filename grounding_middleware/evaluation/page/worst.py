"""The worst examples of a run, found in one pass with a heap for each kind, so that memory does not grow with the run.

Both directions are kept apart and equally long: what reached the reader and should not have, and what was kept from
the reader and should not have been. Without gold labels the verifier's own opinion is all there is, and is called so.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from grounding_middleware.evaluation.golden import FLAGS, PASSES, Side
from grounding_middleware.evaluation.page.blocks import Case
from grounding_middleware.evaluation.page.cases import case_of, crash_of, leak_of
from grounding_middleware.evaluation.runs import Fate, Scored, ScoredClaim
from grounding_middleware.labels import Label, Risk

__all__ = ["Fault", "Worst", "fault_of"]

KEPT_EXAMPLES: Final = 6  # of each fault


class Fault(StrEnum):
    """What went wrong with a statement, or with a whole answer."""

    MISSED = "missed"
    LEAKED = "leaked"
    FALSE_FLAG = "false_flag"
    UNCHECKED = "unchecked"
    OPINION = "opinion"
    CRASHED = "crashed"


def fault_of(claim: ScoredClaim) -> Fault | None:
    """The gravest thing wrong with this statement; None when nothing is."""
    reaches = claim.fate is Fate.KEPT
    if claim.side is Side.FLAG and (claim.label in PASSES or reaches):
        return Fault.MISSED
    if claim.side is Side.PASS and (claim.label in FLAGS or claim.fate in (Fate.REMOVED, Fate.WITHHELD)):
        return Fault.FALSE_FLAG
    if claim.gold is None and claim.label in FLAGS:
        return Fault.OPINION
    if claim.label in (Label.UNVERIFIED, None) and reaches:
        return Fault.UNCHECKED
    return None


def _gravity(claim: ScoredClaim) -> tuple[int, ...]:
    """How bad a faulty statement is; larger is worse."""
    return (
        claim.fate is Fate.KEPT if claim.side is not Side.PASS else claim.fate is not Fate.KEPT,
        claim.risk is Risk.ACTION,
        Label.CONTRADICTED in (claim.gold, claim.label),
        claim.label in PASSES if claim.side is Side.FLAG else claim.label in FLAGS,
    )


@dataclass(slots=True)
class Worst:
    """The `KEPT_EXAMPLES` worst of each fault; of equally bad ones the first."""

    seen: dict[Fault, int] = field(default_factory=lambda: dict.fromkeys(Fault, 0))
    _heaps: dict[Fault, list[tuple[tuple[int, ...], int, Case]]] = field(
        default_factory=lambda: {fault: [] for fault in Fault}
    )

    def add(self, answer: Scored) -> None:
        """Look at one answer."""
        if answer.error and self._wanted(Fault.CRASHED, ()):
            self._keep(Fault.CRASHED, (), crash_of(answer))
        if answer.leaked and self._wanted(Fault.LEAKED, (len(answer.leaked),)):
            self._keep(Fault.LEAKED, (len(answer.leaked),), leak_of(answer))
        for claim in answer.claims:
            fault = fault_of(claim)
            if fault and self._wanted(fault, _gravity(claim)):
                self._keep(fault, _gravity(claim), case_of(claim, answer))

    def cases(self, fault: Fault) -> tuple[Case, ...]:
        """What was kept, the worst first."""
        return tuple(case for _, _, case in sorted(self._heaps[fault], key=lambda entry: entry[:2], reverse=True))

    def _wanted(self, fault: Fault, gravity: tuple[int, ...]) -> bool:
        self.seen[fault] += 1
        heap = self._heaps[fault]
        return len(heap) < KEPT_EXAMPLES or gravity > heap[0][0]

    def _keep(self, fault: Fault, gravity: tuple[int, ...], case: Case) -> None:
        entry = (gravity, -self.seen[fault], case)  # the number differs, so that cases are never compared
        if len(self._heaps[fault]) < KEPT_EXAMPLES:
            heapq.heappush(self._heaps[fault], entry)
        else:
            heapq.heappushpop(self._heaps[fault], entry)
