# ruff: noqa: I001  # this package comes before guardrails-ai, so that its import stays quiet
"""Which false answers does a guard let through? The probe makes them of true ones. Run with `python` and its name."""

import warnings

from grounding_middleware_guardrails import Grounding, VerifiedClaims
from guardrails import Guard

from grounding_middleware import Span
from grounding_middleware.evaluation.probing import Attempt, chosen, of_documents, probe

warnings.filterwarnings("ignore", message="policy .* expects a judge")
RULES = [
    Span(id="rules#0", source_id="rules", text="Refunds are paid within ten days. Vouchers must be shown at the desk."),
    Span(id="rules#1", source_id="rules", text="Parcels of more than 20 kg travel by rail."),
]
guard = Guard().use(VerifiedClaims(threshold=0.8, action="remove"))  # your guard


def verify(attempt: Attempt) -> str | None:
    """The text that leaves the guard; None when it lets nothing out."""
    outcome = guard.validate(attempt.answer, metadata={"grounding": Grounding(attempt.evidence)})
    return str(outcome.validated_output) if outcome.validation_passed else None


wanted = chosen(["spelled_number", "ten_times", "threshold_direction", "duty_weakened", "wrong_paragraph"])
result = probe(verify, of_documents(RULES), transformations=wanted)
print(f"{result.passed} of {result.tried} false statements left the guard;", end=" ")
print(f"{result.controls.supported} of {result.controls.tried} true ones did")
