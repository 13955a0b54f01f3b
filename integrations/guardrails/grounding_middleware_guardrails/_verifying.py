"""From the arguments of a validator to the grounder it verifies with, and from a report to what a guard may give."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any, Final

from grounding_middleware import Grounder
from grounding_middleware.checks import Check
from grounding_middleware.errors import ConfigError
from grounding_middleware.judges import Batch, JudgeTask, Opinion, Replies, as_judge, models_of
from grounding_middleware.policy import Policy
from grounding_middleware.policy.rules import Rule
from grounding_middleware.records import Kind, Label, Report, Treatment, Verdict
from grounding_middleware.repair import Repair
from grounding_middleware_guardrails.arguments import ArgumentError, GuardAction, Verification

_UNCHECKED: Final = Rule(
    name="unchecked-withheld",
    treatment=Treatment.REMOVE,
    labels=(Label.UNVERIFIED,),
    kinds=(Kind.UNDECIDED,),
    reason="nobody checked it, and a guard releases nothing unchecked",
)
_LOOKS: Final = Policy.preset("low")
_STAYS: Final = frozenset({Treatment.KEEP, Treatment.ANNOTATE, Treatment.REVIEW})


def grounder_of(arguments: Verification, owner: str) -> Grounder:
    """The grounder these arguments describe, or the one they bring; raises `ArgumentError`."""
    if arguments.grounder is not None:
        return _given(arguments, owner)
    judge = judge_named(arguments.judge, owner)
    if judge is not None and arguments.threshold:
        judge = [Confident(one, arguments.threshold) for one in _several(judge)]
    try:
        repair = Repair() if _repairs(arguments) else None
        return Grounder(judge, policy=_policy(arguments), timeout=arguments.timeout, repair=repair)
    except ConfigError as error:
        raise ArgumentError(f"{owner}: {error}") from None


def looking(grounder: Any, checks: Sequence[Check], owner: str) -> Grounder:
    """A grounder for gates: it runs these checks and asks nobody, and reads evidence and markers as `grounder` does."""
    if grounder is None:
        return Grounder(policy=_LOOKS, checks=checks)
    if not isinstance(grounder, Grounder):
        raise ArgumentError(f"{owner}: grounder is a {type(grounder).__name__}; allowed is a Grounder")
    return Grounder(policy=_LOOKS, checks=checks, evidence_rules=grounder.evidence_rules, citations=grounder.citations)


def _given(arguments: Verification, owner: str) -> Grounder:
    if not isinstance(arguments.grounder, Grounder):
        raise ArgumentError(f"{owner}: grounder is a {type(arguments.grounder).__name__}; allowed is a Grounder")
    own = ("threshold", "judge", "policy", "max_unsupported", "timeout")
    both = [name for name in own if name in arguments.model_fields_set]
    if both:
        raise ArgumentError(f"{owner}: {both[0]} is a setting of the grounder that is given; allowed is one of the two")
    if _repairs(arguments) and arguments.grounder.repair is None:
        raise ArgumentError(
            f"{owner}: action 'repair' with a grounder that repairs nothing; allowed is Grounder(repair=...)"
        )
    return arguments.grounder


def _repairs(arguments: Verification) -> bool:
    return getattr(arguments, "action", None) is GuardAction.REPAIR


def _policy(arguments: Verification) -> Policy:
    """The preset with its limits; without one the action alone decides, so that "remove" removes and no more."""
    base = Policy.preset(arguments.policy or "standard")
    rules = base.rules if arguments.unchecked == "keep" else (_UNCHECKED, *base.rules)
    limit = arguments.max_unsupported
    if limit is None:
        limit = base.escalate_above if arguments.policy else 1.0
    return base.replace(rules=rules, escalate_above=limit)


def judge_named(judge: Any, owner: str) -> Any:
    """The judge a spec names, `openai:MODEL` or `nli:FOLDER`; whatever is no text is a judge already."""
    if not isinstance(judge, str):
        return judge
    kind, _, name = judge.partition(":")
    try:
        if kind == "openai" and name:
            from grounding_middleware.judges.openai import OpenAIModel  # noqa: PLC0415  # an extra

            return OpenAIModel(name)
        if kind == "nli" and name:
            from grounding_middleware.judges.nli import NLIJudge, OnnxModel  # noqa: PLC0415  # an extra

            return NLIJudge(OnnxModel(name))
    except (ConfigError, ImportError) as error:
        raise ArgumentError(f"{owner}: judge {judge!r}: {error}") from None
    raise ArgumentError(f"{owner}: judge {judge!r} is wrong; allowed are openai:MODEL and nli:FOLDER")


def _several(judge: Any) -> Sequence[Any]:
    return judge if isinstance(judge, Sequence) else (judge,)


class Confident:
    """A judge whose SUPPORTED counts only from a confidence on; below, the claim goes to the next judge or stays open.

    A judge that states no confidence is believed as before.
    """

    def __init__(self, judge: object, least: float) -> None:
        self._judge = as_judge(judge)
        self._least = least
        self.name = self._judge.name
        self.model = self._judge.model
        self.models = models_of(self._judge)

    def judge(self, task: JudgeTask) -> Generator[Batch, Replies, tuple[Opinion, ...]]:
        """The opinions of the judge, UNVERIFIED in place of a doubtful SUPPORTED."""
        opinions = yield from self._judge.judge(task)
        return tuple(self._sure(opinion) for opinion in opinions)

    def _sure(self, opinion: Opinion) -> Opinion:
        if opinion.label is not Label.SUPPORTED or opinion.confidence is None or opinion.confidence >= self._least:
            return opinion
        reason = f"supported with confidence {opinion.confidence:.2f}, below {self._least:.2f}"
        return opinion.replace(label=Label.UNVERIFIED, kind=None, quotes=(), reason=reason)


def shown(report: Report, policy: Policy, *, unchecked: bool) -> bool:
    """Whether `report.text` may leave a guard: the policy shows it, and nothing in it is unchecked unless wanted so."""
    return report.action in policy.shown and (unchecked or not any(map(_unchecked, report.claims)))


def unsupported(report: Report) -> list[Verdict]:
    """The claims that are not supported, those nobody checked included."""
    return [verdict for verdict in report.claims if verdict.label.is_claim and verdict.label is not Label.SUPPORTED]


def objected(verdict: Verdict, *, unchecked: bool) -> bool:
    """Whether a claim keeps its text from being released as it is."""
    return verdict.treatment not in _STAYS or (_unchecked(verdict) and not unchecked)


def told(report: Report) -> str:
    """What a failure says: counts, the action and the id of the report, no text."""
    decision, wrong = report.decision, len(unsupported(report))
    unchecked = f", {decision.undecided} of them checked by nobody" if decision.undecided else ""
    what = (
        f"{wrong} of {decision.claims} claims not supported{unchecked}"
        if report.claims
        else "there is nothing to verify"
    )
    return f"grounding: {what}; action {report.action.value}; report {report.answer_id}"


def places(verdicts: Sequence[Verdict]) -> list[tuple[int, int, str]]:
    """Where the claims stand in the answer, and their labels."""
    return [(v.start, v.end, f"{v.label.value} {v.kind.value if v.kind else ''}".rstrip()) for v in verdicts]


def _unchecked(verdict: Verdict) -> bool:
    undecided = verdict.label is Label.UNVERIFIED and verdict.kind is Kind.UNDECIDED
    return undecided and verdict.treatment in _STAYS
