"""The smallest example: what else of a leaking answer and its evidence can go while it still leaks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from grounding_middleware.evaluation.probing.judging import Verify, grade
from grounding_middleware.evaluation.probing.statements import Attempt, Mutant
from grounding_middleware.reading.layout import layout
from grounding_middleware.records import Range, Span

__all__ = ["smallest"]

_CALLS: Final = 40


def smallest(mutant: Mutant, verify: Verify, calls: int = _CALLS) -> Mutant:
    """The mutant with less answer and less evidence that is still graded the same, after at most `calls` verifications.

    What it rests on stays in its evidence, so a false statement stays false.
    """
    wanted = grade(verify, mutant.attempt, (mutant.start, mutant.end), mutant.changed)

    def still(one: Mutant) -> bool:
        nonlocal calls
        calls -= 1
        return calls >= 0 and grade(verify, one.attempt, (one.start, one.end), one.changed) is wanted

    return _shorter_spans(_fewer_spans(_alone(mutant, still), still), still)


Still = Callable[[Mutant], bool]


def _alone(mutant: Mutant, still: Still) -> Mutant:
    """The answer without its other sentences."""
    answer = mutant.attempt.answer
    pieces = [(piece.start, piece.end) for piece in layout(answer, mutant.origin.language or "en")]
    touched = [place for place in pieces if place[0] < mutant.end and mutant.start < place[1]]
    if not touched:
        return mutant
    low, high = min(touched[0][0], mutant.start), max(touched[-1][1], mutant.end)
    part = answer[low:high].rstrip()
    if part == answer.strip():
        return mutant
    changed = tuple((start - low, end - low) for start, end in mutant.changed)
    attempt = replace(mutant.attempt, answer=part)
    shorter = replace(mutant, attempt=attempt, start=mutant.start - low, end=mutant.end - low, changed=changed)
    return shorter if still(shorter) else mutant


def _fewer_spans(mutant: Mutant, still: Still) -> Mutant:
    """Halves of the other spans go, then quarters, then single ones."""
    size = len(_others(mutant))
    while size:
        for group in list(_groups(_others(mutant), size)):
            fewer = _with(mutant, tuple(span for span in mutant.attempt.evidence if span.id not in group))
            if fewer.attempt.evidence and still(fewer):
                mutant = fewer
        size //= 2
    return mutant


def _others(mutant: Mutant) -> list[str]:
    kept = set(mutant.origin.home)
    return [span.id for span in mutant.attempt.evidence if span.id not in kept]


def _groups(ids: Sequence[str], size: int) -> Iterator[frozenset[str]]:
    return (frozenset(ids[at : at + size]) for at in range(0, len(ids), size))


def _shorter_spans(mutant: Mutant, still: Still) -> Mutant:
    """Sentences of a span go, unless they hold most of the statement's words."""
    for span in mutant.attempt.evidence:
        for low, high in reversed(_idle(span, mutant)):
            current = next(one for one in mutant.attempt.evidence if one.id == span.id)
            text = f"{current.text[:low]}{current.text[high:]}".strip()
            if text:
                shorter = _with(
                    mutant, tuple(_cut(one, text) if one.id == span.id else one for one in mutant.attempt.evidence)
                )
                mutant = shorter if still(shorter) else mutant
    return mutant


def _idle(span: Span, mutant: Mutant) -> list[Range]:
    words = set(mutant.origin.text.casefold().split())
    found = []
    for piece in layout(span.text, mutant.origin.language or "en"):
        here = set(span.text[piece.start : piece.end].casefold().split())
        if len(words & here) * 2 < len(words):
            found.append((piece.start, piece.end))
    return found if len(found) < len(layout(span.text, mutant.origin.language or "en")) else []


def _cut(span: Span, text: str) -> Span:
    """The span with another text; its place in the document is not known any more."""
    data = span.model_dump(exclude={"sha256", "start", "end", "offsets_verified", "delivered_ranges"})
    return Span.model_validate({**data, "text": text})


def _with(mutant: Mutant, evidence: tuple[Span, ...]) -> Mutant:
    attempt: Attempt = replace(mutant.attempt, evidence=evidence)
    return replace(mutant, attempt=attempt)
