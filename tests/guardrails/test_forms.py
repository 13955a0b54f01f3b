"""Every form in which a guard can name our validators gives the same result, call after call."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Optional

import pytest
from guardrails import Guard
from guardrails.errors import ValidationError
from pydantic import BaseModel, Field

from grounding_middleware_guardrails import (
    VerifiedClaims,
    guard_from_json,
    guard_from_pydantic,
    guard_from_rail,
    guard_from_spec,
)

pytestmark = pytest.mark.filterwarnings("ignore:policy '.*' expects a judge:UserWarning")

RAIL = """<rail version="0.1"><output type="string" description="Grounded answer"
   validators="grounding/verified_claims: {0.8} remove" on-fail-grounding_verified_claims="fix"/></rail>"""
GUARD_JSON: dict[str, Any] = {
    "id": "grounding",
    "name": "grounding",
    "output_schema": {"type": "string"},
    "validators": [
        {
            "id": "grounding/verified_claims",
            "on": "$",
            "onFail": "fix",
            "kwargs": {"threshold": 0.8, "action": "remove"},
        }
    ],
}
YAML = """\
version: 1                     # ours
guards:
  - name: grounding
    on: output
    validators: [{id: grounding/verified_claims, action: remove, threshold: 0.8}]
"""
TEXT_FORMS: dict[str, Callable[[], Any]] = {
    "use": lambda: Guard().use(VerifiedClaims(threshold=0.8, action="remove")),
    "use, on_fail said": lambda: Guard().use(VerifiedClaims(threshold=0.8, action="remove", on_fail="fix")),
    "for_string": lambda: Guard.for_string([VerifiedClaims(threshold=0.8, action="remove")]),
    "RAIL, bare": lambda: Guard.for_rail_string(RAIL),
    "RAIL": lambda: guard_from_rail(RAIL),
    "Guard JSON, bare": lambda: Guard.from_dict(GUARD_JSON),
    "Guard JSON": lambda: guard_from_json(GUARD_JSON),
    "Guard JSON, text": lambda: guard_from_json(json.dumps(GUARD_JSON)),
    "Guard JSON, args": lambda: guard_from_json(reference(kwargs=None, args=[0.8, "remove"])),
    "Guard JSON, round trip": lambda: guard_from_json(guard_from_json(GUARD_JSON).to_dict()),
    "YAML": lambda: guard_from_spec(YAML),
    "mapping": lambda: guard_from_spec(
        {"version": 1, "guards": [{"validators": [{"id": "grounding/verified_claims"}]}]}
    ),
}


def reference(**changes: Any) -> dict[str, Any]:
    """The Guard JSON with another reference."""
    return {**GUARD_JSON, "validators": [{**GUARD_JSON["validators"][0], **changes}]}


def with_instance() -> type[BaseModel]:
    """A model with an instance in a field."""

    class Answer(BaseModel):
        answer: str = Field(json_schema_extra={"validators": [VerifiedClaims(threshold=0.8, action="remove")]})
        citations: list[str] = []

    return Answer


def with_pair() -> type[BaseModel]:
    """A model with RAIL text and what to do on failure in a field."""

    class Answer(BaseModel):
        answer: str = Field(json_schema_extra={"validators": [("grounding/verified_claims: {0.8}", "fix")]})
        citations: list[str] = []

    return Answer


FIELD_FORMS: dict[str, Callable[[], Any]] = {
    "instance, bare": lambda: Guard.for_pydantic(with_instance()),
    "instance": lambda: guard_from_pydantic(with_instance()),
    "pair, bare": lambda: Guard.for_pydantic(with_pair()),
    "pair": lambda: guard_from_pydantic(with_pair()),
}


def validators(guard: Any) -> tuple[int, int]:
    """References, and instances that run."""
    return len(guard.validators), sum(len(guard.get_validators(ref.on)) for ref in guard.validators)


@pytest.mark.parametrize("form", TEXT_FORMS)
def test_text_forms(form: str, ask: Any) -> None:
    """The unsupported claim goes, its place is told, the report arrives; three calls add no validator."""
    guard = TEXT_FORMS[form]()
    for _ in range(3):
        outcome, request = ask(guard)
        assert (outcome.validated_output, outcome.validation_passed) == ("The sky is blue.", True)
        assert [(span.start, span.end) for span in guard.error_spans_in_output()] == [(17, 30)]
        assert [claim.text for claim in request.report.claims] == ["The sky is blue.", "Pigs can fly."]
        assert validators(guard) == (1, 1)


@pytest.mark.parametrize("form", FIELD_FORMS)
@pytest.mark.parametrize("fence", ["{}", "```json\n{}\n```"])
def test_field_forms(form: str, fence: str, ask: Any, kit: Any) -> None:
    """A field is verified inside its object, fenced or not; its other fields stay."""
    guard = FIELD_FORMS[form]()
    for _ in range(3):
        outcome, request = ask(guard, fence.replace("{}", json.dumps({"answer": kit.text, "citations": ["a"]})))
        assert outcome.validated_output == {"answer": "The sky is blue.", "citations": ["a"]}
        assert outcome.validation_passed
        assert request.report.answer == kit.text
        assert validators(guard) == (1, 1)


@pytest.mark.parametrize("form", FIELD_FORMS)
def test_no_json_is_nothing(form: str, ask: Any) -> None:
    """Text in place of an object gives nothing."""
    outcome, request = ask(FIELD_FORMS[form](), "Pigs can fly.")
    assert (outcome.validated_output, outcome.validation_passed, request.reports) == (None, False, ())


ACTIONS = {  # action and on_fail, in each of the three written forms
    ("escalate", "refrain"): (None, False),
    ("escalate", "exception"): ValidationError,
    ("flag", "noop"): ("The sky is blue. Pigs can fly.", False),
    ("remove", "fix"): ("The sky is blue.", True),
    ("remove", "refrain"): (None, False),
    ("remove", "exception"): ValidationError,
}


@pytest.mark.parametrize(("action", "on_fail"), ACTIONS)
@pytest.mark.parametrize("form", ["RAIL", "Guard JSON", "YAML", "use"])
def test_actions(form: str, action: str, on_fail: str, ask: Any) -> None:
    """What the action says is what comes out, whatever form it is written in."""
    made: dict[str, Callable[[], Any]] = {
        "RAIL": lambda: guard_from_rail(RAIL.replace("remove", action).replace('"fix"', f'"{on_fail}"')),
        "Guard JSON": lambda: guard_from_json(reference(onFail=on_fail, kwargs={"action": action})),
        "YAML": lambda: guard_from_spec(YAML.replace("remove", f"{action}, on_fail: {on_fail}")),
        "use": lambda: Guard().use(VerifiedClaims(action=action, on_fail=on_fail)),
    }
    guard, expected = made[form](), ACTIONS[action, on_fail]
    if expected is ValidationError:
        with pytest.raises(ValidationError, match="1 of 2 claims not supported"):
            ask(guard)
        return
    outcome, request = ask(guard)
    assert (outcome.validated_output, outcome.validation_passed) == expected
    assert request.report.claims


class Claim(BaseModel):
    """One claim of a structured answer."""

    text: str = Field(json_schema_extra={"validators": [("grounding/quotes_and_numbers", "refrain")]})
    citations: list[str] = []


class Structured(BaseModel):
    """An answer as a list of claims."""

    claims: list[Claim] = Field(json_schema_extra={"validators": [("grounding/claim_list", "fix")]})
    note: Optional[str] = None  # noqa: UP045  # the spelling guardrails-ai looks into


def test_lists_in_objects(ask: Any) -> None:
    """Validators of list items and of the list itself both run, at the places guardrails-ai meets."""
    guard = guard_from_pydantic(Structured)
    given = {"claims": [{"text": "The sky is blue.", "citations": ["S1"]}, {"text": "Pigs can fly.", "citations": []}]}
    for _ in range(3):
        outcome, request = ask(guard, json.dumps(given))
        assert outcome.validated_output["claims"] == given["claims"][:1]
        assert len(request.reports) == 1
        assert validators(guard) == (2, 2)


def test_core_spec_beside_the_guards(tmp_path: Path, ask: Any) -> None:
    """`grounding` names a spec of the core: in place, as a file beside the document, or as a preset."""
    (tmp_path / "core.yaml").write_text("grounding: 1\nname: mine\npolicy: {escalate_above: 0.1}\n")
    (tmp_path / "guards.yaml").write_text(f"grounding: core.yaml\n{YAML}".replace(", threshold: 0.8", ""))
    outcome, request = ask(guard_from_spec(tmp_path / "guards.yaml"))
    assert outcome.validated_output is None  # nobody checked one claim, and the policy of the core leaves it in
    assert request.report.versions["spec_name"] == "mine"
    for grounding in ("low", {"preset": "low"}):
        spec = {"version": 1, "grounding": grounding, "guards": [{"validators": [{"id": "grounding/verified_claims"}]}]}
        assert ask(guard_from_spec(spec))[1].report.decision.policy == "low"


def test_a_core_spec_alone_makes_a_guard(ask: Any) -> None:
    """A document that only configures the core gives a guard that removes."""
    guard = guard_from_spec({"grounding": 1, "preset": "high"})
    outcome, request = ask(guard)
    assert request.report.decision.policy == "high"
    assert outcome.validated_output == "The sky is blue."


def test_one_of_several_guards(ask: Any) -> None:
    """A document may hold several guards; the name chooses."""
    more = YAML + "  - {name: strict, validators: [{id: grounding/verified_claims, action: escalate}]}\n"
    assert ask(guard_from_spec(more, name="strict"))[0].validated_output is None
    assert ask(guard_from_spec(more, name="grounding"))[0].validated_output == "The sky is blue."


def test_no_more_than_one_call_is_kept(ask: Any) -> None:
    """The history holds answers and evidence, so loaded guards keep the last call only."""
    for guard in (guard_from_spec(YAML), guard_from_rail(RAIL), guard_from_json(GUARD_JSON)):
        for _ in range(3):
            ask(guard)
        assert len(guard.history) == 1
