"""Assertions for tests: every statement of an answer is supported; a verifier is not worse than it was.

    from grounding_middleware.testing import assert_grounded

    def test_refunds():
        assert_grounded(ask("When are refunds paid?"), evidence=texts, grounder=grounder)

    def test_my_chain():
        assert_grounded(ground(chain).with_report().invoke("When are refunds paid?"))

    def test_no_regression():
        assert_no_regression("last-release.jsonl", "now.jsonl")  # two runs that `grounding eval --out` wrote

Needs no pytest; pytest shows the message, which names each statement with its label, the reason and the evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, overload

from grounding_middleware.errors import InputError
from grounding_middleware.evidence import EvidenceItem
from grounding_middleware.grounder import Grounder
from grounding_middleware.labels import Label
from grounding_middleware.printable import one_line
from grounding_middleware.records import Evidence, Report, Verdict

if TYPE_CHECKING:
    from grounding_middleware.evaluation.comparing import Comparison

__all__ = ["assert_grounded", "assert_no_regression"]

Undecided = Literal["fail", "allow"]

_UNDECIDED: Final[tuple[Undecided, ...]] = ("fail", "allow")


@overload
def assert_grounded(answer: Report, *, undecided: Undecided = "fail") -> Report: ...


@overload
def assert_grounded(
    answer: str,
    *,
    evidence: Iterable[EvidenceItem] | Evidence,
    question: str = "",
    grounder: Grounder | None = None,
    undecided: Undecided = "fail",
    as_of: date | str | None = None,
    requester: Mapping[str, Any] | None = None,
) -> Report: ...


def assert_grounded(answer: str | Report, *, undecided: Undecided = "fail", **inputs: Any) -> Report:
    """The report, when every statement of the answer as the model wrote it is supported or a sound abstention.

    `answer` is a text with its `evidence` (checked by `grounder`, or by the rules alone), or a finished report. Raises
    `AssertionError` otherwise, also for an answer that states nothing. Statements nobody could decide fail as well,
    unless `undecided` is "allow"; contradicted, insufficient and wrongly cited ones always do. Raises `InputError` for
    arguments that do not fit, and what `Grounder.check` raises.
    """
    __tracebackhide__ = True  # pytest points at the test, not at this line
    if undecided not in _UNDECIDED:
        raise InputError(f"undecided: got {undecided!r}; allowed is one of {', '.join(_UNDECIDED)}")
    report = _finished(answer, inputs) if isinstance(answer, Report) else _checked(answer, inputs)
    faults = "\n".join(_faults(report, undecided))
    if faults:
        raise AssertionError(faults)
    return report


def assert_no_regression(
    before: Path | str, after: Path | str, criteria: Path | str | Mapping[str, Any] | None = None
) -> Comparison:
    """The comparison of two run files, when the later one breaks no limit of the criteria.

    `criteria` is a YAML or JSON file, or its content; without it those hold that `grounding compare --show-criteria`
    prints. Raises `AssertionError` that names limits, segments and claims; `InputError` for runs that cannot be
    compared; `ConfigError` for wrong criteria, and when numpy, of the extra `eval`, is not installed.
    """
    __tracebackhide__ = True
    from grounding_middleware.evaluation import comparing  # noqa: PLC0415  # assert_grounded needs none of it
    from grounding_middleware.evaluation.comparing.rendering import render  # noqa: PLC0415
    from grounding_middleware.evaluation.runs import load_run  # noqa: PLC0415
    from grounding_middleware.report import plain  # noqa: PLC0415

    limits = None if criteria is None else comparing.Criteria.read(criteria)
    found = comparing.compare(load_run(before), load_run(after), limits)
    if found.regressed:
        raise AssertionError(plain(render(found), 120))
    return found


def _finished(report: Report, inputs: Mapping[str, Any]) -> Report:
    if inputs:
        raise InputError(
            f"{next(iter(inputs))}: the report is finished; allowed are evidence and the rest with a text only"
        )
    return report


def _checked(answer: str, inputs: dict[str, Any]) -> Report:
    if "evidence" not in inputs:
        raise InputError("evidence: is missing; allowed are the texts that the answer must rest on")
    grounder = inputs.pop("grounder", None) or Grounder.from_spec("draft")
    return grounder.check(answer, **inputs)


def _faults(report: Report, undecided: Undecided) -> Iterator[str]:
    """The lines of the message; none when all is well."""
    allowed = {Label.SUPPORTED, Label.ABSTENTION, Label.NOT_A_CLAIM} | (
        {Label.UNVERIFIED} if undecided == "allow" else set()
    )
    wrong = [verdict for verdict in report.claims if verdict.label not in allowed]
    if wrong:
        yield f"{len(wrong)} of {len(report.claims)} statements are not grounded in the evidence:"
        for verdict in wrong:
            yield from _told(verdict)
    elif all(verdict.label is Label.NOT_A_CLAIM for verdict in report.claims):
        yield f"the answer states nothing: {one_line(report.answer)!r:.200}"


def _told(verdict: Verdict) -> Iterator[str]:
    kind = f" ({verdict.kind})" if verdict.kind else ""
    yield f"  {verdict.label}{kind} [{verdict.start}:{verdict.end}] {one_line(verdict.text)}"
    yield f"    {one_line(verdict.reason) or 'nobody could decide'}"
    for quote in verdict.quotes[:2]:
        yield f"    evidence {one_line(quote.span_id)}: {one_line(quote.text)}"
