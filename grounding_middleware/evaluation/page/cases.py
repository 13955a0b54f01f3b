"""One example as the page shows it: the claim within its answer, the evidence beside it, the findings in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from grounding_middleware.evaluation.page.blocks import Case, Cell, Piece, Source
from grounding_middleware.evaluation.page.passages import around, line, passage
from grounding_middleware.evaluation.page.words import Wording, destination, fate_words, label_words
from grounding_middleware.evaluation.runs import Scored, ScoredClaim

__all__ = ["case_of", "crash_of", "leak_of"]

SOURCES: Final = 4  # passages shown beside one claim
RULES: Final = 6  # rules named behind one verdict
SENTENCE: Final = 400  # characters of a reason or a question
_OUTCOMES: Final = {"conflict": "conflict", "doubt": "doubt", "match": "match", "cannot_tell": "could not tell"}


def case_of(claim: ScoredClaim, answer: Scored) -> Case:
    """A statement that went wrong, with everything the run knows about it."""
    verdict = label_words(claim.label)
    chips = [_chip("Verifier", verdict), _chip("Outcome", fate_words(destination(claim, answer)))]
    if claim.gold is not None:
        chips.insert(0, _chip("Right", label_words(claim.gold)))
    return Case(
        title=f"Answer {line(answer.id)}",
        question=line(answer.question, SENTENCE),
        chips=tuple(chips),
        answer=around(answer.answer, claim.start, claim.end),
        sources=tuple(_sources(claim)),
        facts=tuple(_facts(claim)),
    )


def leak_of(answer: Scored) -> Case:
    """An answer that gave away what must not reach the reader; what leaked is marked in the text the reader got."""
    text = answer.leaked[0]
    at = answer.text.find(text)
    return Case(
        title=f"Answer {line(answer.id)}",
        question=line(answer.question, SENTENCE),
        chips=(),
        answer=around(answer.text, at, at + len(text)) if at >= 0 else (Piece(passage(text), marked=True),),
        sources=(),
        facts=(("Reached the reader", ", ".join(f"“{line(one)}”" for one in answer.leaked[:RULES])),),
    )


def crash_of(answer: Scored) -> Case:
    """An answer whose check crashed: nothing is known about it."""
    return Case(
        title=f"Answer {line(answer.id)}",
        question=line(answer.question, SENTENCE),
        chips=(),
        answer=around(answer.answer, 0, 0),
        sources=(),
        facts=(("Crashed", line(answer.error, SENTENCE)),),
    )


def _chip(what: str, wording: Wording) -> Cell:
    return Cell(f"{what}: {wording}", hue=wording.hue)


def _sources(claim: ScoredClaim) -> Iterator[Source]:
    for quote in claim.quotes[:SOURCES]:
        yield Source(f"{line(quote.span_id)} [{quote.start}:{quote.end}]", passage(quote.text), quoted=True)
    if not claim.quotes and claim.excerpt:
        yield Source(
            f"{line(claim.cited[0])}, its beginning" if claim.cited else "cited", passage(claim.excerpt), quoted=False
        )


def _facts(claim: ScoredClaim) -> Iterator[tuple[str, str]]:
    """What was found and said, as pairs of a name and a sentence."""
    if claim.reason:
        yield "Reason", line(claim.reason, SENTENCE)
    if claim.gold_kind:
        yield "Kind, by gold", claim.gold_kind.replace("_", " ")
    if claim.kind:
        yield "Kind, by verifier", claim.kind.replace("_", " ")
    if claim.rules:
        more = f" and {len(claim.rules) - RULES} more" if len(claim.rules) > RULES else ""
        yield "Findings", "; ".join(map(_finding, claim.rules[:RULES])) + more
    if claim.decided_by:
        yield "Decided by", line(claim.decided_by)
    if claim.risk:
        yield "Risk", f"{claim.risk}{f', severity {claim.severity.lower()}' if claim.severity else ''}"
    if claim.supported_elsewhere:
        yield "Stated elsewhere", f"{line(claim.supported_elsewhere)}, which is not cited here"
    if claim.invalid_markers:
        yield "Citations", f"{claim.invalid_markers} of {claim.markers} markers lead nowhere"


def _finding(rule: str) -> str:
    """`conflict number.value_differs` -> "conflict: number, value differs"."""
    outcome, _, name = rule.partition(" ")
    return line(f"{_OUTCOMES.get(outcome, outcome)}: {name.replace('.', ', ').replace('_', ' ')}")
