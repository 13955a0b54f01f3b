"""`grounding/claim_list`: items stay whole or go, and what states nothing does not stay."""

from __future__ import annotations

import json
from typing import Any

import pytest
from guardrails import AsyncGuard, Guard

from grounding_middleware.errors import InputError
from grounding_middleware.records import Label
from grounding_middleware_guardrails import ClaimList, Grounding

pytestmark = pytest.mark.filterwarnings("ignore:policy '.*' expects a judge:UserWarning")

EVIDENCE = ("The sky is blue.", "The fee is EUR 5.")
TEXTS = {"type": "array", "items": {"type": "string"}}
KEYS = ("text", "citations", "id", "claim", "refs")
OBJECTS = {"type": "array", "items": {"type": "object", "properties": {key: {} for key in KEYS}}}


def guard(schema: Any = TEXTS, **arguments: Any) -> Any:
    """A guard for a list."""
    return Guard(output_schema=schema).use(ClaimList(**arguments))


@pytest.mark.parametrize(
    ("items", "kept"),
    [
        (["The sky is blue."], ["The sky is blue."]),
        (["The sky is blue.", "Pigs can fly."], ["The sky is blue."]),
        (["Pigs can fly.", "The fee is EUR 5."], ["The fee is EUR 5."]),
        (["The fee is EUR 7."], None),
        ([], None),
        (["Hello!"], None),
        (["The sky is blue. Pigs can fly."], None),
        (["```", "Pigs can fly.", "The sky is blue."], ["The sky is blue."]),
        (["# Pigs can fly", "The sky is blue."], ["The sky is blue."]),
        ([{"text": "The sky is blue.", "id": 3}, {"text": "Pigs can fly."}], [{"text": "The sky is blue.", "id": 3}]),
        ([{"text": "The sky is blue.", "citations": ["S1"]}], [{"text": "The sky is blue.", "citations": ["S1"]}]),
        ([{"text": "The sky is blue.", "citations": ["S9"]}], None),
    ],
)
def test_items(items: list[Any], kept: list[Any] | None, ask: Any) -> None:
    """Half a claim is none; a fence around other items hides none of them; citations of an item are resolved."""
    schema = OBJECTS if any(isinstance(item, dict) for item in items) else TEXTS
    outcome, request = ask(guard(schema), json.dumps(items), EVIDENCE)
    assert outcome.validated_output == kept
    assert outcome.validation_passed is (kept is not None)
    assert len(request.reports) == 1


def test_one_request_to_the_judge(ask: Any, kit: Any) -> None:
    """All items go to the judge together, and its verdicts come back to the right ones."""
    judge = kit.FixedJudge(Label.SUPPORTED)
    outcome, _ = ask(guard(judge=judge), json.dumps(["Pigs can fly.", "The sky is blue.", "Cats can swim."]), EVIDENCE)
    assert outcome.validated_output == ["Pigs can fly.", "The sky is blue.", "Cats can swim."]
    assert judge.asked == ["Pigs can fly.", "Cats can swim."]


def test_keys_and_limits(ask: Any) -> None:
    """Other keys can be named; too many items lost withhold the list."""
    items = [{"claim": "The sky is blue.", "refs": ["S1"]}, {"claim": "Pigs can fly."}]
    named = {"text_key": "claim", "citations_key": "refs"}
    assert ask(guard(OBJECTS, **named), json.dumps(items), EVIDENCE)[0].validated_output == items[:1]
    assert ask(guard(OBJECTS, **named, max_unsupported=0.4), json.dumps(items), EVIDENCE)[0].validated_output is None


@pytest.mark.parametrize("action", ["escalate", "flag"])
def test_actions(action: str, ask: Any) -> None:
    """Nothing, or all of it marked."""
    items = ["The sky is blue.", "Pigs can fly."]
    outcome, _ = ask(guard(action=action), json.dumps(items), EVIDENCE)
    assert (outcome.validated_output, outcome.validation_passed) == (items if action == "flag" else None, False)


@pytest.mark.parametrize("value", ["text", 7, [7], [None], [""], [{"claim": "x"}], [{"text": "x.", "citations": "S1"}]])
def test_what_is_no_list_of_claims(value: Any) -> None:
    """It raises, naming the item."""
    with pytest.raises(InputError, match="claim_list"):
        ClaimList().validate(value, {"grounding": Grounding(EVIDENCE)})


async def test_async(kit: Any) -> None:
    """In an AsyncGuard, too."""
    outcome = (
        await AsyncGuard(output_schema=TEXTS)
        .use(ClaimList(judge=kit.FixedJudge(Label.CONTRADICTED)))
        .validate(json.dumps(["The sky is blue.", "Pigs can fly."]), metadata={"grounding": Grounding(EVIDENCE)})
    )
    assert outcome.validated_output == ["The sky is blue."]
