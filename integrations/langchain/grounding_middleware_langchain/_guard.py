"""One grounder out of what a caller gives."""

from __future__ import annotations

from collections.abc import Sequence

from grounding_middleware import Grounder
from grounding_middleware.errors import ConfigError
from grounding_middleware.policy import Policy
from grounding_middleware_langchain._judge import JudgeLike, as_core_judge


def grounder_of(
    grounder: Grounder | None, judge: JudgeLike | Sequence[JudgeLike] | None, policy: Policy | None
) -> Grounder:
    """`grounder`, or one built from its parts; raises `ConfigError` when both are given."""
    if grounder is None:
        return Grounder(as_core_judge(judge), policy=policy)
    if judge is not None or policy is not None:
        raise ConfigError("grounder: give either a grounder, or judge and policy to build one, not both")
    return grounder
