"""The presets as data (DE-1): each is the settings that differ from `standard`.

| preset       | for                              | judge    | not supported                        | not judged |
|--------------|----------------------------------|----------|--------------------------------------|------------|
| low          | rules and checks suffice         | optional | removed, up to one half of them      | `review`   |
| standard     | ordinary answers                 | expected | removed, up to 0.34                  | `review`   |
| high         | every tier, a person looks       | expected | contradicted: `blocked`; else `review` | withheld   |
| high-volume  | checks on all, judge on a sample | expected | removed, up to 0.34                  | `review`   |
| release-gate | material that gets published     | expected | `review`; an action claim: `blocked` | the same   |
| draft        | a reviewer finishes it (ES-5)    | expected | `review`, marked, not shown          | the same   |
| by-severity  | severity alone decides (DE-6)    | expected | blocked, repaired, recorded, ignored | `review`   |

"Not judged" are claims the checks cannot decide when no judge is configured; under `review` they stay in the text.
Except in `release-gate`, an answer that asserts nothing is `ok`: nothing in it can be wrong, and the reason says so.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, Final

from grounding_middleware.policy import rules
from grounding_middleware.policy.rules import RiskLevel
from grounding_middleware.records import Action

PRESETS: Final = MappingProxyType[str, dict[str, Any]](
    {
        "low": {"risk": RiskLevel.LOW, "escalate_above": 0.5, "needs_judge": False},
        "standard": {},
        "high": {"risk": RiskLevel.HIGH, "rules": rules.HIGH, "when_revised": Action.REVIEW},
        "high-volume": {"judge_sample": 0.1},
        "release-gate": {
            "risk": RiskLevel.HIGH,
            "rules": rules.RELEASE_GATE,
            "escalate_above": 1.0,
            "when_clean": Action.DRAFT_REVIEW,
            "when_no_claims": Action.UNANSWERED,
            "shown": (Action.DRAFT_REVIEW,),
        },
        "draft": {"risk": RiskLevel.LOW, "rules": rules.DRAFT, "escalate_above": 1.0, "shown": (Action.OK,)},
        "by-severity": {"rules": rules.BY_SEVERITY},
    }
)
