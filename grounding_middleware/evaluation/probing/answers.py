"""Statements of answers: what a golden set, or the verifier itself, calls supported."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from grounding_middleware.claims.language import detect
from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.golden import Example
from grounding_middleware.evaluation.probing.statements import Attempt, Statement
from grounding_middleware.evidence import coerce
from grounding_middleware.labels import Label
from grounding_middleware.records import Report

__all__ = ["of_examples", "of_reports"]

_TAIL: Final = re.compile(r"(?:\s*\[[^\[\]]*\]|[.!?。！？\s])+\Z")  # their full stops
_SAMPLE: Final = 400  # characters of each source that tell the language of a short answer


def of_examples(examples: Iterable[Example]) -> Iterator[Statement]:
    """The statements a golden set calls SUPPORTED and nothing else, with the evidence of their answer."""
    for example in examples:
        try:
            evidence = coerce(example.sources)
        except InputError as error:
            raise InputError(f"example {example.id!r}: {error}") from error
        attempt = Attempt(example.answer, evidence, example.question, example.as_of, example.requester)
        for claim in example.claims:
            if claim.label == Label.SUPPORTED and not claim.also_ok:
                named = {claim.supported_by, claim.quote.span_id if claim.quote else None, *(claim.cites or ())} - {
                    None
                }
                home = tuple(sorted(str(name) for name in named)) or _only(attempt)
                yield from _statement(attempt, claim.start, claim.end, home, example.id)


def of_reports(reports: Iterable[Report]) -> Iterator[Statement]:
    """The statements a verifier called SUPPORTED, with the evidence of their answer; its opinion is taken for true."""
    for report in reports:
        evidence = report.evidence
        attempt = Attempt(report.answer, evidence.spans, report.question, evidence.as_of, evidence.requester)
        for verdict in report.claims:
            if verdict.label is Label.SUPPORTED:
                home = tuple(dict.fromkeys(quote.span_id for quote in verdict.quotes))
                yield from _statement(attempt, verdict.start, verdict.end, home, report.answer_id)


def _only(attempt: Attempt) -> tuple[str, ...]:
    """With one source nobody has to say which it was."""
    return (attempt.evidence[0].id,) if len(attempt.evidence) == 1 else ()


def _statement(attempt: Attempt, start: int, end: int, home: tuple[str, ...], origin: str) -> Iterator[Statement]:
    """The statement without its markers and its full stop."""
    text = attempt.answer[start:end]
    tail = _TAIL.search(text)
    end = start + (tail.start() if tail else len(text))
    sources = " ".join(span.text[:_SAMPLE] for span in attempt.evidence)
    if attempt.answer[start:end].strip():
        yield Statement(attempt, start, end, home, detect(attempt.answer, attempt.question, sources), origin)
