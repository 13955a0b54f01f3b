"""The rules of this project, asked the same way as the others, and once more with everything a case holds."""

from __future__ import annotations

import re
import time
import warnings
from typing import Any

from pairs import Pair

from grounding_middleware import Grounder, Report, Verdict

Answer = tuple[str, float | None, float]
_PASSING, _FLAGGING = (
    {"SUPPORTED", "NOT_A_CLAIM", "ABSTENTION"},
    {"CONTRADICTED", "INVALID_CITATION", "INSUFFICIENT_EVIDENCE"},
)
_WORD = re.compile(r"\w+")


def on_pairs(pairs: list[Pair]) -> list[Answer]:
    """Claim and evidence only, as the others get them. A flag on any part is a flag; undecided is `nothing`."""
    grounder = _grounder()
    grounder.check("The tank holds 40 litres.", evidence=["The tank holds 40 litres."])
    answers = []
    for pair in pairs:
        begun = time.perf_counter()
        report = grounder.check(pair.claim, evidence=list(pair.evidence), question=pair.question)
        answers.append((_outcome(report.claims), None, 1000 * (time.perf_counter() - begun)))
    return answers


def on_cases(pairs: list[Pair]) -> list[Answer]:
    """The whole case: answer with its markers, versions, dates, who asks; the verdict on the statement in focus."""
    grounder = _grounder()
    answers = []
    for case in (pair.case for pair in pairs if pair.case):
        begun = time.perf_counter()
        report = grounder.check(
            case["answer"],
            evidence=case["sources"],
            question=case["question"],
            as_of=case.get("as_of"),
            requester=case.get("requester"),
        )
        answers.append((_outcome(_focus(report, case)), None, 1000 * (time.perf_counter() - begun)))
    return answers


def overlap(pairs: list[Pair]) -> list[Answer]:
    """The baseline: pass if at least 70 % of the claim's words stand anywhere in the evidence."""
    answers = []
    for pair in pairs:
        begun = time.perf_counter()
        words, there = _words(pair.claim), _words(" ".join(pair.evidence))
        share = len(words & there) / max(1, len(words))
        answers.append(("pass" if share >= 0.7 else "flag", share, 1000 * (time.perf_counter() - begun)))
    return answers


def _grounder() -> Grounder:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # no judge is wanted here
        return Grounder()


def _focus(report: Report, case: dict[str, Any]) -> tuple[Verdict, ...]:
    start = case["answer"].index(case["claim"])
    end = start + len(case["claim"])
    best = max(report.claims, key=lambda v: min(v.end, end) - max(v.start, start), default=None)
    return (best,) if best and min(best.end, end) > max(best.start, start) else ()


def _outcome(verdicts: tuple[Verdict, ...]) -> str:
    labels = {verdict.label.value for verdict in verdicts}
    if labels & _FLAGGING:
        return "flag"
    return "pass" if labels and labels <= _PASSING else "nothing"


def _words(text: str) -> set[str]:
    return {word.casefold() for word in _WORD.findall(text)}
