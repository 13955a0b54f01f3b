"""grounding-middleware for guardrails-ai: validators that verify every claim against the evidence of the request.

    from guardrails import Guard
    from grounding_middleware_guardrails import Grounding, VerifiedClaims

    guard = Guard().use(VerifiedClaims(judge="openai:gpt-4.1-mini"))
    outcome = guard.validate(answer, metadata={"grounding": Grounding(spans, question=question)})

Importing this package registers the validators `grounding/...`, so that RAIL, Guard JSON and fields of models can name
them, and imports guardrails-ai quietly. Import it before guardrails-ai.
"""

from __future__ import annotations

from grounding_middleware_guardrails._quiet import import_guardrails

import_guardrails()

from grounding_middleware_guardrails.actions import ALLOWED  # noqa: E402  # guardrails-ai must be quiet before
from grounding_middleware_guardrails.arguments import ArgumentError, GuardAction  # noqa: E402
from grounding_middleware_guardrails.claim_list import ClaimList  # noqa: E402
from grounding_middleware_guardrails.gates import Answerable, CitedSpans, QuotesAndNumbers  # noqa: E402
from grounding_middleware_guardrails.guarding import GuardGrounder, ground  # noqa: E402
from grounding_middleware_guardrails.loading import (  # noqa: E402
    guard_from_json,
    guard_from_pydantic,
    guard_from_rail,
    guard_from_spec,
)
from grounding_middleware_guardrails.request import Grounding  # noqa: E402
from grounding_middleware_guardrails.streaming import abuffered, buffered  # noqa: E402
from grounding_middleware_guardrails.verified_claims import VerifiedClaims  # noqa: E402

__version__ = "0.1.0"

__all__ = [
    "ALLOWED",
    "Answerable",
    "ArgumentError",
    "CitedSpans",
    "ClaimList",
    "Grounding",
    "GuardAction",
    "GuardGrounder",
    "QuotesAndNumbers",
    "VerifiedClaims",
    "__version__",
    "abuffered",
    "buffered",
    "ground",
    "guard_from_json",
    "guard_from_pydantic",
    "guard_from_rail",
    "guard_from_spec",
]
