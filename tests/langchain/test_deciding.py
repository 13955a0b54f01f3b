"""LangChain's decision models as judges: sure, with the passage that proves it, or not believed."""

from __future__ import annotations

import json

import pytest

pytest.importorskip("langchain_core.decisions")

from langchain_core.decisions import BaseDecisionModel, Choice, ClassifierResponse
from pydantic import Field

from grounding_middleware import Grounder, JudgeError
from grounding_middleware.judges.nli.thresholds import Thresholds
from grounding_middleware.judges.patience import Patience
from grounding_middleware.judges.protocol import ModelCall
from grounding_middleware_langchain import DecisionJudge, ground
from grounding_middleware_langchain._judge import as_core_judge

CLAIM = "The shop gives customers their money back swiftly [b]."
SOURCES = [
    {"id": "a", "text": "Parcels travel by rail where possible."},
    {"id": "b", "text": "Buyers are repaid in no time."},
]


class Decider(BaseDecisionModel):
    """Answers every question with what `decide` makes of it; keeps what it was asked."""

    model: str = "decider-1"
    decide: object = None
    asked: list = Field(default_factory=list)

    @property
    def _provider(self):
        return "test"

    def _classify(self, state, questions):
        self.asked.append((state, questions))
        answers = {name: self.decide(name, question) for name, question in questions.items()}
        usage = {"input_tokens": 11, "output_tokens": 2}
        return ClassifierResponse.model_validate({"model": self.model, "answers": answers, "usage": usage})


def _says(label="supported", probability=0.97, passage="b"):
    """A model that gives one label and points to one passage."""

    def decide(name, question):
        chosen = label if name.startswith("claim") else passage
        rest = [key for key in question.criteria if key != chosen]
        spread = dict.fromkeys(rest, (1 - probability) / max(1, len(rest)))
        return {
            "type": "choice",
            "choice": chosen,
            "probabilities": {chosen: probability, **spread},
            "confidence": probability,
        }

    return Decider(decide=decide)


def _verdict(judge, sources=SOURCES, answer=CLAIM):
    report = Grounder(judge).check(answer, evidence=sources)
    (verdict,) = (verdict for verdict in report.claims if verdict.label.is_claim)
    return verdict, report


@pytest.mark.parametrize(
    ("label", "passage", "expected", "kind"),
    [
        ("supported", "b", "SUPPORTED", None),
        ("contradicted", "b", "CONTRADICTED", None),
        ("contradicted", "a", "CONTRADICTED", None),
        ("not_stated", "b", "INSUFFICIENT_EVIDENCE", None),
        ("supported", "a", "INSUFFICIENT_EVIDENCE", "wrong_attribution"),
    ],
)
async def test_a_sure_model_decides(label, passage, expected, kind):
    """JU-9: its label counts, the passage it points to is the proof, a foreign one is wrong attribution."""
    model = _says(label, passage=passage)
    verdict, report = _verdict(as_core_judge(model))
    assert verdict.label == expected
    assert (verdict.kind and verdict.kind.value) == kind or kind is None
    if label != "not_stated":
        (quote,) = verdict.quotes
        assert (quote.span_id, quote.text) == (passage, {"a": SOURCES[0], "b": SOURCES[1]}[passage]["text"])
    assert report.calls[0].model == "decider-1"
    assert (report.calls[0].input_tokens, report.calls[0].output_tokens) == (11, 2)
    assert await Grounder(as_core_judge(model)).acheck(CLAIM, evidence=SOURCES) == report


def test_all_claims_of_an_answer_are_one_request():
    """JU-2: many questions over one state, with what is needed to read each claim and the checks' doubts."""
    model = _says()
    answer = "The shop gives customers their money back swiftly [b]. It must do so for everybody [b]."
    Grounder(as_core_judge(model)).check(answer, evidence=SOURCES, question="Refunds?")
    ((state, questions),) = model.asked
    assert state["question"] == "Refunds?"
    assert state["passages"]["b"]["text"] == SOURCES[1]["text"]
    labels = {name: question for name, question in questions.items() if name.startswith("claim")}
    assert [question.instructions["cites"] for question in labels.values()] == [["b"], ["b"]]
    assert list(labels["claim_1"].criteria) == ["supported", "contradicted", "not_stated"]
    assert all(isinstance(question, Choice) for question in questions.values())
    assert questions["claim_2"].instructions["context"].startswith("The shop gives")


@pytest.mark.parametrize(
    "model",
    [
        _says(probability=0.6),
        _says(label="perhaps"),
        _says(passage="c"),
        Decider(decide=lambda *_: {"type": "noul", "noul": 1.0}),
        Decider(decide=lambda *_: {"type": "choice", "choice": "supported", "probabilities": {}, "confidence": 1}),
        Decider(
            decide=lambda *_: {
                "type": "choice", "choice": "supported", "probabilities": {"supported": float("nan")}, "confidence": 1,
            }
        ),
        Decider(decide=lambda *_: {}),
        Decider(decide=lambda *_: 1 / 0),
    ],
    ids=["unsure", "unknown label", "unknown passage", "other type", "no distribution", "NaN", "not readable", "crash"],
)  # fmt: skip
def test_what_is_not_a_sure_answer_is_no_verdict(model):
    """Fails closed: never SUPPORTED, always with a reason."""
    verdict, report = _verdict(DecisionJudge(model, patience=Patience(retries=0)))
    assert verdict.label == "UNVERIFIED"
    assert verdict.reason
    assert report.action != "ok"


def test_a_missing_answer_is_no_verdict():
    """JU-4: asked and not answered."""

    class Silent(Decider):
        def _classify(self, state, questions):
            return ClassifierResponse(model="decider-1", answers={})

    verdict, _ = _verdict(DecisionJudge(Silent()))
    assert verdict.label == "UNVERIFIED"


def test_one_passage_needs_no_pointing():
    """The second question is only asked where there is a choice."""
    model = _says()
    verdict, _ = _verdict(as_core_judge(model), SOURCES[1:])
    assert verdict.label == "SUPPORTED"
    assert list(model.asked[0][1]) == ["claim_1"]


def test_thresholds_are_settings_and_a_measured_one_gives_confidence():
    """DE-1: what suffices is the operator's to measure."""
    strict = DecisionJudge(_says(), thresholds=Thresholds(supported=0.99))
    assert _verdict(strict)[0].label == "UNVERIFIED"
    measured = DecisionJudge(_says(), thresholds=Thresholds(supported=0.95, measured="our own rows"))
    assert _verdict(measured)[0].confidence == pytest.approx(0.97)
    assert _verdict(DecisionJudge(_says()))[0].confidence is None


def test_a_failed_call_is_repeated_within_bounds():
    """JU-2: two more attempts where that can help, then UNVERIFIED."""
    tries = []

    def decide(*_):
        tries.append(1)
        raise ConnectionError("down")

    judge = DecisionJudge(Decider(decide=decide), patience=Patience(backoff=0))
    assert _verdict(judge)[0].label == "UNVERIFIED"
    assert len(tries) == 3


def test_in_a_cascade_the_next_judge_gets_what_it_is_not_sure_of():
    """JU-6: each tier decides what the one before could not."""
    seen = []

    def llm(prompt):
        seen.append(prompt)
        proof = [{"source": "b", "quote": SOURCES[1]["text"]}]
        return json.dumps({"verdicts": [{"claim": 1, "label": "SUPPORTED", "evidence": proof}]})

    verdict, _ = _verdict(as_core_judge([_says(probability=0.6), llm]))
    assert (verdict.label, len(seen)) == ("SUPPORTED", 1)
    assert _verdict(as_core_judge([_says(), llm]))[0].decided_by == "decider-1"
    assert len(seen) == 1


def test_prompts_are_not_for_decision_models():
    """A call that another judge wrote is refused, not sent as nonsense."""
    call = ModelCall(tier="x", role="verify", prompt_version="1", user="Claim?")
    with pytest.raises(JudgeError, match="DecisionJudge"):
        DecisionJudge(_says()).model.complete(call)


@pytest.mark.parametrize("sync", [True, False])
async def test_behind_a_guarded_chain_it_is_traced_below_the_guard(kit, sync):
    """Checklist 4: a child of the guarded run, tagged so that nothing of it is streamed, and no run of the answer."""
    runs = []

    class Log(kit.Events):
        def on_chain_start(self, serialized, inputs, *, name="", tags=None, parent_run_id=None, **_):
            runs.append((name, tags, parent_run_id))

    guarded = ground(kit.chain("The shop gives customers their money back swiftly."), judge=_says(passage="S"))
    reported, config = guarded.with_report(), {"callbacks": [Log()]}
    question = "When are refunds paid?"
    report = reported.invoke(question, config) if sync else await reported.ainvoke(question, config)
    (run,) = [run for run in runs if run[0] == "grounding.decision"]
    assert "nostream" in run[1]
    assert run[2] is not None
    assert report.capture.model_runs == 1
