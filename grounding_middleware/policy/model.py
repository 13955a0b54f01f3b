"""The policy: everything that turns verdicts into actions, as one frozen record that can be written as data."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from grounding_middleware.errors import ConfigError
from grounding_middleware.policy import rules as tables
from grounding_middleware.policy.presets import PRESETS
from grounding_middleware.policy.rules import RiskLevel, Rule
from grounding_middleware.policy.settings import Setting
from grounding_middleware.records import Action, Kind, Label, Treatment, Verdict
from grounding_middleware.sampling import falls_in

Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
"""A part of a whole, 0 to 1."""


def _visible(text: str) -> str:
    if not text.strip():
        raise ValueError("allowed is a text with visible characters")
    return text


def _notice(text: str) -> str:
    left = text.replace("{count}", "")
    if text and (left == text or "{" in left or "}" in left):
        raise ValueError("allowed is an empty text, or one with {count} and no other braces")
    return text


Visible = Annotated[str, AfterValidator(_visible)]

_UNDECIDED = Verdict(id="-", text="", start=0, end=0, label=Label.UNVERIFIED, kind=Kind.UNDECIDED)


class Texts(Setting):
    """What the reader sees instead of the answer. `notice` is a line below a shortened answer; empty means none."""

    unanswered: Visible = (
        "The available documents do not answer this question. Please rephrase it, or ask the team that owns the topic."
    )
    escalation: Visible = (
        "This answer could not be confirmed by the available documents, so it is not shown. "
        "Please ask the team that owns the topic."
    )
    fallback: Visible = (
        "This answer is withheld until a person has checked it. Please ask the team that owns the topic."
    )
    notice: Annotated[str, AfterValidator(_notice)] = ""


class Policy(Setting):
    """Rules, limits and texts. Fields that are not given come from the preset of `risk`.

    `rules` are tried in order, the first match wins, the last must match everything. `escalate_above` is the share of
    unsupported claims an answer may lose before it is withheld (DE-2); `flag_review_above` the share of sentences a
    first pass may flag before it routes to review (DE-7); `judge_sample` the share of unflagged answers a judge sees
    (JU-11). `when_*` are the actions for an answer with nothing to object to, one that was cut, and one without claims.
    `shown` lists the actions under which the edited text may be seen; under all others only `texts` is.
    """

    name: str = Field(default="standard", min_length=1)
    risk: RiskLevel = RiskLevel.STANDARD
    rules: tuple[Rule, ...] = tables.STANDARD
    escalate_above: Share = 0.34
    flag_review_above: Share = 0.30
    judge_sample: Share = 1.0
    needs_judge: bool = True
    when_clean: Literal[Action.OK, Action.DRAFT_REVIEW, Action.REVIEW] = Action.OK
    when_revised: Literal[Action.REVISED, Action.REVIEW, Action.ESCALATE] = Action.REVISED
    when_no_claims: Literal[Action.OK, Action.UNANSWERED, Action.ESCALATE] = Action.OK
    shown: tuple[Literal[Action.OK, Action.REVISED, Action.REVIEW, Action.DRAFT_REVIEW], ...] = (
        Action.OK,
        Action.REVISED,
        Action.REVIEW,
    )
    texts: Texts = Texts()

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Self:
        """The named preset with `changes` applied; raises `ConfigError` naming the presets there are."""
        if name not in PRESETS:
            raise ConfigError(f"Policy.preset: {name!r} is wrong, allowed are {', '.join(PRESETS)}")
        return cls(**{"name": name, **PRESETS[name], **changes})

    @model_validator(mode="before")
    @classmethod
    def _fill_from_risk(cls, data: Any) -> Any:
        """`Policy(risk="high")` is the preset high, not high risk with the rules of standard."""
        if not isinstance(data, Mapping):
            return data
        risk = str(data.get("risk", RiskLevel.STANDARD))
        return {"name": risk, **PRESETS.get(risk, {}), **data} if risk in set(RiskLevel) else data

    @model_validator(mode="after")
    def _decides_everything(self) -> Self:
        names = [rule.name for rule in self.rules]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"rules: the name {twice[0]!r} occurs twice, allowed is one rule for each name")
        if not self.rules or not self.rules[-1].matches_all:
            last = names[-1] if names else "no rule"
            raise ValueError(f"rules: the last one is {last!r}, allowed is one that matches every claim")
        return self

    @property
    def version(self) -> str:
        """Hash of the whole policy; changes when any rule, limit or text does."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:12]

    @property
    def judge_message(self) -> str:
        """What to tell an operator who configures no judge; empty when this policy does not expect one."""
        if not self.needs_judge:
            return ""
        stays = self.rule_for(_UNDECIDED).treatment in (Treatment.REVIEW, Treatment.ANNOTATE)
        fate = "stay in the text unchecked" if stays and Action.REVIEW in self.shown else "are withheld"
        return (
            f"policy {self.name!r} expects a judge and none is configured: claims the checks cannot decide {fate}, "
            "and such an answer is never ok"
        )

    def rule_for(self, verdict: Verdict) -> Rule:
        """The first rule that matches; there always is one."""
        return next(rule for rule in self.rules if rule.matches(verdict, self.risk))

    def samples(self, answer_id: str) -> bool:
        """Whether an unflagged answer goes to the judge: `judge_sample` of them, the same ones every time (JU-11)."""
        return falls_in(answer_id, self.judge_sample)
