"""The first pass: candidates with exact offsets, nothing invented, nothing decided; and its gate."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware import Policy
from grounding_middleware.errors import ConfigError
from grounding_middleware.judges import Patience, failures, run
from grounding_middleware.judges.failures import failed
from grounding_middleware.judges.first_pass import FirstPass, read
from grounding_middleware.judges.places import places
from grounding_middleware.judges.prompts import first_pass as prompt
from grounding_middleware.records import Treatment
from grounding_middleware.screening import ascreen, screen

ANSWER = "The desk opens at nine. It is closed on Mondays. The desk opens at nine."
HOSTILE = json.loads(Path(__file__).with_name("data").joinpath("hostile.json").read_text("utf-8"))


def reply(*flags: dict[str, Any], total: int = 3) -> str:
    return json.dumps({"total": total, "flags": list(flags)})


def test_flags_have_true_offsets() -> None:
    """A flag stands where its text stands; the model's offset chooses among several places, a wrong one is ignored."""
    look = read(reply({"text": "nine", "start": 67}, {"text": "Mondays", "start": 3, "reason": "a day"}), ANSWER)
    assert [(flag.start, flag.text) for flag in look.flags] == [(40, "Mondays"), (67, "nine")]
    assert all(ANSWER[flag.start : flag.end] == flag.text for flag in look.flags)
    assert look.flags[0].reason == "a day"
    assert look.total == 3


def test_a_text_in_several_places_is_marked_everywhere() -> None:
    """Without an offset that fits, missing one would be worse."""
    assert [flag.start for flag in read(reply({"text": "nine"}), ANSWER).flags] == [18, 67]


def test_invented_flags_are_discarded_and_noted() -> None:
    """Text that is not in the answer, in this very form, is no flag (JU-4)."""
    look = read(reply({"text": "ten"}, {"text": "mondays"}, {"text": " "}, {"text": "closed"}), ANSWER)
    assert [flag.text for flag in look.flags] == ["closed"]
    assert len(look.notes) == 3
    assert "'ten'" in look.notes[0]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "All fine.",
        "{}",
        '{"flags": null}',
        '{"flags": {}}',
        '{"flags": ["nine"]}',
        '{"flags": [], "total": -1}',
        "[",
    ],
)
def test_unreadable_is_a_problem(text: str) -> None:
    """What cannot be read is a problem, never an answer without flags."""
    look = read(text, ANSWER)
    assert look.problem
    assert look.flags == ()


@given(st.text(), st.text(st.sampled_from("ab "), max_size=12))
def test_places_are_exact(copied: str, text: str) -> None:
    """Whatever is looked for, what is found is exactly that."""
    assert all(text[low:high] == copied.strip() for low, high in places(copied, text))
    assert all(text[low:high] == "a" for low, high in places("a", text))


@pytest.mark.parametrize("risk", ["low", "standard", "high"])
def test_strictness_follows_the_risk(risk: str, scripted: Any) -> None:
    """The prompt says how much is marked; the rest of the request is the same."""
    model = scripted(reply())
    first_pass = FirstPass(model, risk=risk)
    run(first_pass.scan(ANSWER, "When?"), first_pass.models)
    (call,) = model.calls
    assert f"Risk level: {risk}. {prompt.STRICTNESS[risk]}" in call.user
    assert (call.role, call.prompt_version) == (prompt.ROLE, prompt.version())


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_stays_data(text: str) -> None:
    """Hostile text opens no section and closes none, in the question or in the answer."""
    message = prompt.user(text, text, "standard")
    code = message.split("\n", 1)[0].removeprefix("Boundary code: ")
    headers = [line for line in message.split("\n") if line.startswith(code)]
    assert headers == [f"{code} question", f"{code} answer, {len(text)} characters", f"{code} end"]
    assert message.count(text) >= 2


def test_failures_are_named(scripted: Any) -> None:
    """A model that fails is asked again and then named; an empty answer costs no call."""
    model = scripted(failed(failures.SERVER))
    first_pass = FirstPass(model, patience=Patience(backoff=0))
    look = run(first_pass.scan(ANSWER), first_pass.models).result
    assert look.problem == "the first pass failed: server_error"
    assert len(model.calls) == 3
    assert run(first_pass.scan("  "), first_pass.models).result.total == 0
    assert len(model.calls) == 3


@pytest.mark.parametrize("settings", [{"risk": "extreme"}, {"name": ""}])
def test_wrong_settings(settings: Any) -> None:
    """Wrong settings die at construction, by name."""
    with pytest.raises(ConfigError, match=next(iter(settings))):
        FirstPass(lambda _: "", **settings)


LONG = "The desk opens at nine. The desk is blue. The desk has a drawer. It was built in 1950."


@pytest.mark.parametrize(
    ("flags", "treatment", "kept"),
    [
        ((), Treatment.KEEP, LONG),
        (("1950",), Treatment.REMOVE, "The desk opens at nine. The desk is blue. The desk has a drawer."),
        (("1950", "blue"), Treatment.REVIEW, None),
        (None, Treatment.REVIEW, None),
    ],
)
async def test_the_gate(scripted: Any, flags: Any, treatment: Treatment, kept: str | None) -> None:
    """A few marked sentences are dropped; more than 30 % of them, or a failure, send all to review (DE-7)."""
    raw = "no" if flags is None else reply(*({"text": text} for text in flags))
    found = screen(LONG, FirstPass(scripted(raw)))
    assert found.treatment is treatment
    assert found.text.strip() == (kept or Policy().texts.fallback)
    assert found.sentences == 4
    again = await ascreen(LONG, FirstPass(scripted(raw)))
    assert again.replace(calls=()) == found.replace(calls=())
    assert len(found.calls) == 1
