"""Guards from specs: each loader resolves every id and raises where guardrails-ai would pass everything in silence."""

from grounding_middleware_guardrails.loading.fields import guard_from_pydantic
from grounding_middleware_guardrails.loading.guard_json import guard_from_json
from grounding_middleware_guardrails.loading.rail import guard_from_rail
from grounding_middleware_guardrails.loading.spec import guard_from_spec

__all__ = ["guard_from_json", "guard_from_pydantic", "guard_from_rail", "guard_from_spec"]
