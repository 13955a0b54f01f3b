"""The gates: each looks at one side of an answer, and withholds what fails."""

from __future__ import annotations

from typing import Any

import pytest
from guardrails import AsyncGuard, Guard

from grounding_middleware_guardrails import (
    Answerable,
    ArgumentError,
    CitedSpans,
    Grounding,
    QuotesAndNumbers,
    VerifiedClaims,
    guard_from_spec,
)

FEE = "The fee is EUR 30 and is due on 5 May 2026. Ask for form B-17."
TABLE: dict[str, tuple[Any, str, tuple[str, ...], bool]] = {
    "cited": (CitedSpans(), "The fee is EUR 30 [S1].", (FEE,), True),
    "unknown id": (CitedSpans(), "The fee is EUR 30 [S2].", (FEE,), False),
    "one of two unknown": (CitedSpans(), "The fee is EUR 30 [S1]. It is due in May [S9].", (FEE,), False),
    "uncited": (CitedSpans(), "The fee is EUR 30.", (FEE,), False),
    "uncited allowed": (CitedSpans(allow_uncited=True), "The fee is EUR 30.", (FEE,), True),
    "uncited allowed, unknown id not": (CitedSpans(allow_uncited=True), "The fee is EUR 30 [S2].", (FEE,), False),
    "greeting needs none": (CitedSpans(), "Hello! The fee is EUR 30 [S1].", (FEE,), True),
    "no evidence to cite": (CitedSpans(), "The fee is EUR 30 [S1].", (), False),
    "number": (QuotesAndNumbers(), "The fee is EUR 30.", (FEE,), True),
    "other number": (QuotesAndNumbers(), "The fee is EUR 40.", (FEE,), False),
    "other date": (QuotesAndNumbers(), "The fee is due on 6 May 2026.", (FEE,), False),
    "number nowhere": (QuotesAndNumbers(), "Ships sail at 17 knots.", (FEE,), False),
    "doubts pass": (QuotesAndNumbers(tolerance="doubts"), "Ships sail at 17 knots.", (FEE,), True),
    "conflicts never": (QuotesAndNumbers(tolerance="doubts"), "The fee is EUR 40.", (FEE,), False),
    "quotation": (QuotesAndNumbers(), 'The page says "the fee is EUR 30".', (FEE,), True),
    "false quotation": (QuotesAndNumbers(), 'The page says "the fee is waived for everybody".', (FEE,), False),
    "no number at all": (QuotesAndNumbers(), "There is a fee.", (FEE,), True),
    "nothing to compare with": (QuotesAndNumbers(), "There is a fee.", (), False),
    "unknown citation": (QuotesAndNumbers(), "The fee is EUR 30 [S2].", (FEE,), False),
    "something to answer from": (Answerable(), "Pigs can fly.", (FEE,), True),
    "nothing to answer from": (Answerable(), "Pigs can fly.", (), False),
    "says so": (Answerable(), "The documents do not answer this question.", (), True),
    "too little": (Answerable(min_spans=2), "Pigs can fly.", (FEE,), False),
}


@pytest.mark.parametrize("name", TABLE)
def test_gates(name: str, ask: Any) -> None:
    """Each row: the gate, the answer, the evidence, and whether the answer passes as it is."""
    gate, text, evidence, passes = TABLE[name]
    outcome, request = ask(Guard().use(gate), text, evidence)
    assert (outcome.validated_output, outcome.validation_passed) == ((text, True) if passes else (None, False))
    assert request.reports == ()  # the report is that of the verification


@pytest.mark.parametrize("gate", [CitedSpans, QuotesAndNumbers, Answerable])
def test_a_gate_that_flags(gate: Any, ask: Any) -> None:
    """With action flag the text stays, marked as failed; places and labels are told, no text."""
    outcome, _ = ask(Guard().use(gate(action="flag")), "The fee is EUR 40.", ())
    assert (outcome.validated_output, outcome.validation_passed) == ("The fee is EUR 40.", False)
    (summary,) = outcome.validation_summaries
    assert "40" not in summary.failure_reason
    assert [(span.start, span.end) for span in summary.error_spans] == [(0, 18)]


async def test_gates_in_an_async_guard() -> None:
    """They work where validators are awaited."""
    guard = AsyncGuard().use(CitedSpans(), QuotesAndNumbers(), Answerable())
    request = {"grounding": Grounding([FEE])}
    assert (await guard.validate("The fee is EUR 30 [S1].", metadata=request)).validation_passed
    assert not (await guard.validate("The fee is EUR 40 [S1].", metadata=request)).validation_passed


def test_gates_read_as_the_grounder_of_the_spec(ask: Any) -> None:
    """Citation syntax and evidence rules of `grounding` hold for gates, too; without it the defaults do."""
    spec = {"version": 1, "guards": [{"validators": [{"id": "grounding/cited_spans"}, {"id": "grounding/answerable"}]}]}
    grounding = {"preset": "low", "citations": {"extra": [r"<<(?P<ref>S\d+)>>"]}, "evidence": {"minimum": 2}}
    own, default = guard_from_spec({**spec, "grounding": grounding}), guard_from_spec(spec)
    two = (FEE, "The fee is EUR 30 for everybody.")
    assert ask(own, "The fee is EUR 30 <<S1>>.", two)[0].validation_passed
    assert not ask(default, "The fee is EUR 30 <<S1>>.", two)[0].validation_passed
    assert not ask(own, "The fee is EUR 30 <<S1>>.", (FEE,))[0].validation_passed
    assert ask(default, "The fee is EUR 30 [S1].", (FEE,))[0].validation_passed


def test_a_gate_takes_nothing_but_a_grounder() -> None:
    """Anything else is refused by name."""
    with pytest.raises(ArgumentError, match="grounder is a str; allowed is a Grounder"):
        CitedSpans(grounder="high")


@pytest.mark.filterwarnings("ignore:policy '.*' expects a judge:UserWarning")
def test_one_gate_withholds_what_the_verifier_passes(ask: Any) -> None:
    """Validators of one guard all have to agree."""
    guard = Guard().use(VerifiedClaims(), CitedSpans())
    assert ask(guard, "The sky is blue.")[0].validated_output is None
    assert ask(guard, "The sky is blue [S1].")[0].validated_output == "The sky is blue [S1]."
