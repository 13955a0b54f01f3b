"""What users of the guardrails-ai integration may rely on, checked by mypy and never run."""

from __future__ import annotations

from typing import Any, assert_type

from guardrails import Guard

from grounding_middleware import Report
from grounding_middleware_guardrails import Grounding, GuardAction, VerifiedClaims, ground, guard_from_spec


def a_request_brings_the_report_back() -> None:
    """The report of a request is a `Report`, all of them a tuple."""
    request = Grounding(["The sky is blue."], question="?", requester={"tenant": "a"})
    Guard().use(VerifiedClaims(action=GuardAction.REMOVE)).validate("?", metadata={"grounding": request})
    assert_type(request.report, Report)
    assert_type(request.reports, tuple[Report, ...])


def loaders_give_guards(chain: Any) -> None:
    """A loader gives a `Guard`, which goes around a chain."""
    guard = guard_from_spec({"version": 1, "guards": []}, name="a")
    assert_type(guard, Guard[Any])
    ground(chain, guard)
