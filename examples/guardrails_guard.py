# ruff: noqa: I001  # this package comes before guardrails-ai, so that its import stays quiet
"""One guard in every form guardrails-ai knows, and in ours; no model and no key: run it with `python` and its name."""

import json
import warnings

from grounding_middleware_guardrails import (
    Grounding,
    VerifiedClaims,
    guard_from_json,
    guard_from_pydantic,
    guard_from_rail,
    guard_from_spec,
)
from guardrails import Guard
from pydantic import BaseModel, Field

warnings.filterwarnings("ignore", message="policy .* expects a judge")  # rules are enough for these two sentences

ANSWER = "The sky is blue. Pigs can fly."
SOURCES = ["The sky is blue."]


class Answer(BaseModel):
    """An answer with a field that is verified."""

    answer: str = Field(json_schema_extra={"validators": [VerifiedClaims(threshold=0.8, action="remove")]})
    citations: list[str] = []


RAIL = """<rail version="0.1"><output type="string" description="Grounded answer"
   validators="grounding/verified_claims: {0.8} remove" on-fail-grounding_verified_claims="fix"/></rail>"""

GUARD_JSON = """{"id": "grounding", "name": "grounding", "output_schema": {"type": "string"}, "validators": [
  {"id": "grounding/verified_claims", "on": "$", "onFail": "fix", "kwargs": {"threshold": 0.8, "action": "remove"}}]}"""

YAML = """
version: 1
guards:
  - name: grounding
    on: output
    validators: [{id: grounding/verified_claims, action: remove, threshold: 0.8}]
"""

guards = {
    "Guard().use": Guard().use(VerifiedClaims(threshold=0.8, action="remove")),
    "RAIL": guard_from_rail(RAIL),
    "Guard JSON": guard_from_json(GUARD_JSON),
    "our YAML": guard_from_spec(YAML),
    "pydantic field": guard_from_pydantic(Answer),
    "escalate": Guard().use(VerifiedClaims(action="escalate")),
    "flag": Guard().use(VerifiedClaims(action="flag")),
}
for name, guard in guards.items():
    text = json.dumps({"answer": ANSWER}) if name == "pydantic field" else ANSWER
    for _ in range(3):
        request = Grounding(SOURCES)  # one for each call
        outcome = guard.validate(text, metadata={"grounding": request})
    spans = [(span.start, span.end) for span in guard.error_spans_in_output()]
    print(f"{name:<15} {outcome.validated_output!r:<35} passed: {outcome.validation_passed!s:<6} spans: {spans}")
    print(f"{'':<15} {len(guard.validators)} validator after three calls; labels:", end=" ")
    print(", ".join(claim.label for claim in request.report.claims))
