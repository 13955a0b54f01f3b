"""What became of a mutant: the grade of one attempt, from a report or from the text that left."""

from __future__ import annotations

import re
from collections.abc import Callable
from enum import StrEnum
from typing import Final

from grounding_middleware.errors import AnswerWithheldError
from grounding_middleware.evaluation.probing.statements import Attempt
from grounding_middleware.grounder import Grounder
from grounding_middleware.labels import Action, Label, Treatment
from grounding_middleware.records import Range, Report, Verdict

__all__ = ["Grade", "Verify", "grade", "through"]

Verify = Callable[[Attempt], Report | str | None]
"""What is probed: it verifies one answer and gives its report, or the text that reaches the reader (None for none)."""


class Grade(StrEnum):
    """What happened to a statement, worst first for one that is false.

    `passed`: called SUPPORTED, or in the text that left. `left`: nobody could check it, and it stays in the text.
    `caught`: called contradicted, insufficient, wrongly cited, or taken out of the text. `held`: undecided, but the
    answer, or the statement, does not reach the reader. `failed`: the verifier raised an error.
    """

    PASSED = "passed"
    LEFT = "left"
    CAUGHT = "caught"
    HELD = "held"
    FAILED = "failed"


_CAUGHT: Final = frozenset({Label.CONTRADICTED, Label.INSUFFICIENT_EVIDENCE, Label.INVALID_CITATION})
_WITHHELD: Final = frozenset({Action.ESCALATE, Action.BLOCKED, Action.UNANSWERED})
_GONE: Final = frozenset({Treatment.REMOVE, Treatment.BLOCK})
_MARKS: Final = re.compile(r"\s*\[[^\[\]]*\]|[*_`]")


def through(grounder: Grounder) -> Verify:
    """A grounder with all its tiers, without its sinks: a probe leaves no records in a trail or a queue."""
    silent = grounder.silent()

    def verify(attempt: Attempt) -> Report:
        return silent.check(
            attempt.answer,
            evidence=attempt.evidence,
            question=attempt.question,
            as_of=attempt.as_of,
            requester=attempt.requester,
        )

    return verify


def grade(verify: Verify, attempt: Attempt, statement: Range, changed: tuple[Range, ...] = ()) -> Grade:
    """What `verify` makes of `attempt.answer[start:end]`; `changed` are the words of it that count."""
    try:
        result = verify(attempt)
    except AnswerWithheldError as error:
        return _of_report(error.report, statement, changed, withheld=True)
    except Exception:  # noqa: BLE001  # whatever somebody's chain raises: it is neither a leak nor a catch
        return Grade.FAILED
    if isinstance(result, Report):
        return _of_report(result, statement, changed, withheld=result.action in _WITHHELD)
    shown = attempt.answer[slice(*statement)]
    return Grade.PASSED if _plain(shown) in _plain(result or "") else Grade.CAUGHT


def _of_report(report: Report, statement: Range, changed: tuple[Range, ...], *, withheld: bool) -> Grade:
    """Only verdicts on the changed words count where there are any: the rest of the sentence may well be supported."""
    words = [place for place in changed if place[0] < place[1]]
    verdicts = _touching(report, words) or _touching(report, [statement])
    labels = [verdict.label for verdict in verdicts]
    if any(label in _CAUGHT for label in labels):
        return Grade.CAUGHT
    if labels and all(label is Label.SUPPORTED for label in labels):
        return Grade.PASSED
    gone = all(verdict.treatment in _GONE for verdict in verdicts if verdict.label is not Label.SUPPORTED)
    return Grade.HELD if withheld or (verdicts and gone) else Grade.LEFT


def _touching(report: Report, places: list[Range]) -> list[Verdict]:
    return [one for one in report.claims if any(one.start < high and low < one.end for low, high in places)]


def _plain(text: str) -> str:
    """Without markers, emphasis and differences of white space."""
    return " ".join(_MARKS.sub("", text).split()).casefold()
