"""Our action words and what guardrails-ai calls them stand in one table, and hold however a validator is made."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest
from guardrails import OnFailAction

from grounding_middleware_guardrails import (
    ALLOWED,
    ArgumentError,
    CitedSpans,
    ClaimList,
    GuardAction,
    VerifiedClaims,
    actions,
)

pytestmark = pytest.mark.filterwarnings("ignore:policy '.*' expects a judge:UserWarning")

README = Path(__file__).parents[2] / "integrations" / "guardrails" / "README.md"
WORDS = [one.value for one in OnFailAction]


def test_the_table_is_complete() -> None:
    """Each action has its words; only `flag` may let an unverified text through; nothing asks again."""
    assert set(ALLOWED) == set(GuardAction)
    for action, allowed in ALLOWED.items():
        assert (OnFailAction.NOOP in allowed) is (action is GuardAction.FLAG)
        assert not {OnFailAction.REASK, OnFailAction.FIX_REASK, OnFailAction.CUSTOM} & set(allowed)
        assert (OnFailAction.FIX in allowed) is action.fixes


@pytest.mark.parametrize("text", [README.read_text("utf-8"), actions.__doc__ or ""], ids=["README", "module"])
def test_the_documents_show_the_table(text: str) -> None:
    """What is written about it is what it says."""
    for action, allowed in ALLOWED.items():
        (row,) = re.findall(rf"^\| `?{action}`? +\|.*$", text, re.MULTILINE)
        words = [word.strip(" `") for cell in row.split("|")[-3:-1] for word in cell.split(",")]
        assert [word for word in words if word != "-"] == [one.value for one in allowed]


@pytest.mark.parametrize(("action", "word"), [*itertools.product(GuardAction, WORDS)])
def test_every_pair(action: GuardAction, word: str) -> None:
    """A pair is allowed or refused, by word, by member, and when it is set later."""
    if word in [one.value for one in ALLOWED[action]]:
        assert VerifiedClaims(action=action, on_fail=word).on_fail_descriptor == word
        assert VerifiedClaims(action=action, on_fail=OnFailAction(word)).on_fail_descriptor == word
        return
    validator = VerifiedClaims(action=action)
    for attempt in (
        lambda: VerifiedClaims(action=action, on_fail=word),
        lambda: setattr(validator, "on_fail_descriptor", word),
        lambda: setattr(validator, "on_fail_descriptor", OnFailAction(word)),
    ):
        with pytest.raises(ArgumentError, match=f"{word}' is wrong for action '{action}'"):
            attempt()


@pytest.mark.parametrize("kind", [VerifiedClaims, ClaimList, CitedSpans])
@pytest.mark.parametrize("wrong", ["Fix", "", "fixx", 7, lambda value, result: value])
def test_anything_else(kind: Any, wrong: Any) -> None:
    """A word guardrails-ai does not know, or a function, is refused by every validator."""
    with pytest.raises(ArgumentError, match="is wrong for action"):
        kind(on_fail=wrong)


def test_what_follows_from_an_action() -> None:
    """Without a word the first of the table counts."""
    assert {action: VerifiedClaims(action=action).on_fail_descriptor for action in GuardAction} == {
        action: allowed[0] for action, allowed in ALLOWED.items()
    }


def test_arguments_are_given_once() -> None:
    """By position or by name, not both."""
    with pytest.raises(ArgumentError, match="threshold is given by position and by name"):
        VerifiedClaims(0.8, threshold=0.9)
    assert VerifiedClaims(0.8, "escalate").action is GuardAction.ESCALATE
