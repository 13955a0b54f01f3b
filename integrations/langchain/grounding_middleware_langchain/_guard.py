"""One grounder and one set of rules out of what a caller gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from grounding_middleware import Grounder
from grounding_middleware.errors import ConfigError
from grounding_middleware.policy import Policy
from grounding_middleware.prevention import Rules
from grounding_middleware_langchain._judge import JudgeLike, as_core_judge

RulesLike = Rules | Literal["grounder"] | None
"""Rules for the prompt: given ones, those of the grounder, or none."""


def rules_of(grounder: Grounder, rules: RulesLike, *extra: str) -> Rules | None:
    """The rules meant by `rules`, those of the grounder with `extra` lines; raises `ConfigError` for anything else."""
    if rules is None or isinstance(rules, Rules):
        return rules
    if rules != "grounder":
        raise ConfigError(
            f'rules: got {rules!r}; allowed are Rules(...), "grounder" for those of the grounder, or None'
        )
    return grounder.rules.replace(extra=(*grounder.rules.extra, *extra)) if extra else grounder.rules


def grounder_of(
    grounder: Grounder | None, judge: JudgeLike | Sequence[JudgeLike] | None, policy: Policy | None
) -> Grounder:
    """`grounder`, or one built from its parts; raises `ConfigError` when both are given."""
    if grounder is None:
        return Grounder(as_core_judge(judge), policy=policy)
    if judge is not None or policy is not None:
        raise ConfigError("grounder: give either a grounder, or judge and policy to build one, not both")
    return grounder
