"""Two runs over the same golden set, answer beside answer; anything that cannot be compared is refused."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.runs import Run, Scored

__all__ = ["Both", "comparable", "paired"]

Both = tuple[Scored, Scored]
"""The same answer of the golden set in the earlier run and in the later one."""


def comparable(before: Run, after: Run) -> None:
    """Raises `InputError` unless both runs have gold labels and were made of the same golden set."""
    for run in (before, after):
        if not run.header.gold:
            raise InputError(
                f"{run.path}: is a run without gold labels, whose figures are the verifier's own opinion; "
                "allowed are two runs over one golden set"
            )
    if before.header.golden_sha256 != after.header.golden_sha256:
        raise InputError(
            f"{after.path}: was made of another golden set ({after.header.golden_sha256[:12]}) than {before.path} "
            f"({before.header.golden_sha256[:12]}); allowed are two runs over the same one"
        )


def paired(before: Run, after: Run) -> Iterator[Both]:
    """The answers of both runs in golden order, read in the memory of two lines.

    Raises `InputError` for runs that are not `comparable`, and where one ends before the other.
    """
    comparable(before, after)
    for number, (one, other) in enumerate(zip_longest(before, after), 2):
        if one is None or other is None:
            short = before if one is None else after
            raise InputError(
                f"{short.path}: ends before line {number}; allowed is a finished run: grounding eval --resume"
            )
        if one.id != other.id or _gold(one) != _gold(other):
            raise InputError(
                f"{after.path}, line {number}: is about {other.id!r}, {before.path} has {one.id!r} there; "
                "allowed are runs that tell the same answers with the same gold claims in the same order"
            )
        yield one, other


def _gold(scored: Scored) -> list[tuple[int, int, str]]:
    return [(claim.start, claim.end, str(claim.gold)) for claim in scored.gold_claims]
