"""What is repaired together: a statement, or all parts of a sentence that were judged apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grounding_middleware.policy.deciding import STAYS
from grounding_middleware.records import Range, Verdict
from grounding_middleware.repair.settings import Repair

__all__ = ["Target", "targets"]


@dataclass(frozen=True)
class Target:
    """Verdicts of one sentence that are to be repaired; `whole` when nothing else of that sentence was judged apart."""

    verdicts: tuple[Verdict, ...]
    whole: bool

    @property
    def id(self) -> str:
        """The id of the first of its claims."""
        return self.verdicts[0].id

    @property
    def claim_ids(self) -> tuple[str, ...]:
        """The ids of all of them."""
        return tuple(verdict.id for verdict in self.verdicts)

    @property
    def first(self) -> Verdict:
        """The verdict that speaks for all of them."""
        return self.verdicts[0]

    @property
    def place(self) -> Range:
        """From the first of the claims to the end of the last."""
        return self.verdicts[0].start, self.verdicts[-1].end

    @property
    def citations(self) -> tuple[int, ...]:
        """The citations of all of them, in order."""
        return tuple(sorted({number for verdict in self.verdicts for number in verdict.citations}))


def targets(verdicts: Sequence[Verdict], settings: Repair) -> tuple[Target, ...]:
    """What `settings` choose among the treated `verdicts`, in order, at most `settings.claims` of them."""
    found: list[Target] = []
    for sentence in _sentences(verdicts):
        chosen = tuple(verdict for verdict in sentence if settings.chooses(verdict))
        lost = [verdict for verdict in sentence if verdict.treatment not in STAYS and verdict not in chosen]
        if not chosen or lost:  # what is cut out of a sentence leaves nothing that a repair could rely on
            continue
        if len(chosen) == len(sentence):
            found.append(Target(chosen, whole=True))
        else:
            found += [Target((verdict,), whole=False) for verdict in chosen]
    return tuple(found[: settings.claims])


def _sentences(verdicts: Sequence[Verdict]) -> list[list[Verdict]]:
    """Neighbouring verdicts that are parts of the same sentence: they name it as their context."""
    found: list[list[Verdict]] = []
    for verdict in verdicts:
        last = found[-1][-1] if found else None
        parts = last is not None and verdict.context and verdict.block == last.block and _same(last, verdict)
        if parts:
            found[-1].append(verdict)
        else:
            found.append([verdict])
    return found


def _same(left: Verdict, right: Verdict) -> bool:
    """The context of a part is the sentence that holds it; that of a row or a list item is other text."""
    return left.context == right.context and left.text in left.context and right.text in right.context
