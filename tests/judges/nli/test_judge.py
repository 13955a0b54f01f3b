"""The local judge: sure or silent, with a quote that stands, and no opinion on what it cannot see whole."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges import Cascade, JudgeTask, LLMJudge, ModelReply, Opinion, arun, run
from grounding_middleware.judges.nli import NLIJudge, OnnxModel, Thresholds
from grounding_middleware.judges.nli.judge import MAX_WINDOWS
from grounding_middleware.judges.nli.thresholds import Band
from grounding_middleware.records import Finding, Label, Outcome

Build = Callable[..., JudgeTask]
DOUBT = Finding(check="x", rule="x", outcome=Outcome.DOUBT, message="source: may; answer: must")


def judged(judge: NLIJudge, task: JudgeTask) -> Opinion:
    (opinion,), _ = run(judge.judge(task), {judge.name: judge.model})
    assert opinion.judge == judge.name
    spans = {span.id: span.text for span in task.evidence}
    assert all(spans[quote.span_id][quote.start : quote.end] == quote.text for quote in opinion.quotes)
    return opinion


@pytest.fixture
def judge(tiny: OnnxModel) -> NLIJudge:
    return NLIJudge(tiny)


@pytest.mark.parametrize(
    ("passages", "label"),
    [
        (("yes the desk opens",), Label.SUPPORTED),
        (("no the desk opens",), Label.CONTRADICTED),
        (("the desk",), Label.UNVERIFIED),
        (("the desk", "yes"), Label.SUPPORTED),
        (("yes", "no"), Label.UNVERIFIED),
    ],
)
def test_sure_or_silent(judge: NLIJudge, task: Build, passages: tuple[str, ...], label: Label) -> None:
    """It speaks where one passage decides and none says the opposite; else it leaves the claim to the next tier."""
    opinion = judged(judge, task(*passages))
    assert opinion.label is label, opinion.reason
    assert bool(opinion.quotes) == (label is not Label.UNVERIFIED)


def test_a_long_passage_is_read_in_windows(judge: NLIJudge, task: Build) -> None:
    """What decides is found wherever it stands, and the quote is the window that holds it."""
    text = " ".join(["The desk opens at nine."] * 12 + ["Yes it opens."] + ["The desk opens at nine."] * 12)
    opinion = judged(judge, task(text))
    assert opinion.label is Label.SUPPORTED
    (quote,) = opinion.quotes
    assert "Yes it opens." in quote.text
    assert len(quote.text) < len(text) / 2


def test_no_room_for_a_passage(judge: NLIJudge, task: Build) -> None:
    """A claim that leaves no room is not judged by a part of it."""
    opinion = judged(judge, task("yes", claim="the desk " * 12))
    assert opinion.label is Label.UNVERIFIED
    assert "tokens for a passage" in opinion.reason


def test_too_many_windows(judge: NLIJudge, task: Build) -> None:
    """Evidence without end is left to a judge with a larger view."""
    opinion = judged(judge, task(" ".join(["The desk opens at nine."] * 6 * MAX_WINDOWS)))
    assert opinion.label is Label.UNVERIFIED
    assert "windows" in opinion.reason


def test_what_the_checks_doubt_is_not_supported(judge: NLIJudge, task: Build) -> None:
    """It cannot answer a doubt, so it supports nothing doubted; a contradiction it may see."""
    assert judged(judge, task("yes", doubts=(DOUBT,))).label is Label.UNVERIFIED
    assert judged(judge, task("no", doubts=(DOUBT,))).label is Label.CONTRADICTED


@pytest.mark.parametrize("fields", [{"needs_context": True}, {"context": "Opening hours"}])
def test_what_cannot_be_read_alone(judge: NLIJudge, task: Build, fields: dict[str, Any]) -> None:
    """A pronoun or a table cell means nothing to it."""
    assert judged(judge, task("yes", claim_fields=fields)).label is Label.UNVERIFIED


def test_an_uncited_claim_may_rest_on_all_evidence(judge: NLIJudge, task: Build) -> None:
    """Without a citation every passage is read."""
    built = task("the desk", "yes")
    uncited = built.replace(items=(built.items[0].replace(span_ids=()),))
    opinion = judged(judge, uncited)
    assert opinion.label is Label.SUPPORTED
    assert opinion.quotes[0].span_id == "S2"


def test_an_unknown_citation(judge: NLIJudge, task: Build) -> None:
    """A passage that was not given is missing, not ignored."""
    built = task("yes")
    assert (
        judged(judge, built.replace(items=(built.items[0].replace(span_ids=("S1", "S9")),))).label is Label.UNVERIFIED
    )


def test_confidence_only_when_measured(tiny: OnnxModel, task: Build) -> None:
    """A raw probability is no confidence."""
    assert judged(NLIJudge(tiny), task("yes")).confidence is None
    measured = NLIJudge(tiny, thresholds=Thresholds(measured="800 pairs"))
    assert judged(measured, task("yes")).confidence == pytest.approx(0.997, abs=1e-3)
    assert measured.version != NLIJudge(tiny).version


def test_thresholds_decide(tiny: OnnxModel, task: Build) -> None:
    """Below the threshold it is silent."""
    assert judged(NLIJudge(tiny, thresholds=Thresholds(supported=0.999)), task("yes")).label is Label.UNVERIFIED


class Broken:
    """A model that scores nonsense."""

    name, version, max_tokens, special_tokens, thresholds = "broken", "1", 99, 3, None

    def __init__(self, *scores: tuple[float, ...]) -> None:
        self.scores = scores

    def count(self, text: str) -> int:
        """Words."""
        return len(text.split())

    def complete(self, _: Any) -> ModelReply:
        """The nonsense."""
        return ModelReply(scores=self.scores)

    async def acomplete(self, call: Any) -> ModelReply:
        """The same."""
        return self.complete(call)


@pytest.mark.parametrize(
    "scores",
    [(), ((float("nan"), 0.0, 0.0),), ((1.0, 0.0),), ((2.0, 0.0, 0.0),), ((-1.0, 1.0, 1.0),), ((1.0, 0.0, 0.0),) * 2],
)
def test_nonsense_supports_nothing(task: Build, scores: tuple[tuple[float, ...], ...]) -> None:
    """Missing, extra, infinite or impossible scores are a failure."""
    opinion = judged(NLIJudge(Broken(*scores)), task("yes"))
    assert opinion.label is Label.UNVERIFIED
    assert "the local model failed" in opinion.reason


async def test_first_tier_of_a_cascade(tiny: OnnxModel, task: Build) -> None:
    """What it is not sure of goes on to the next judge, sync and async alike; the log names both."""
    reply = '{"verdicts":[{"claim":1,"evidence":[{"source":"S1","quote":"the desk opens"}],"label":"SUPPORTED"}]}'
    cascade = Cascade((NLIJudge(tiny), LLMJudge(lambda _: reply)))
    opinions, calls = run(cascade.judge(task("the desk opens")), cascade.models)
    assert opinions[0].judge == "llm"
    assert (calls[0].tier, calls[0].model) == ("nli", "tiny")
    again, acalls = await arun(cascade.judge(task("the desk opens")), cascade.models)
    assert again == opinions
    assert [call.replace(latency_ms=0) for call in acalls] == [call.replace(latency_ms=0) for call in calls]
    _, sure = run(cascade.judge(task("yes")), cascade.models)
    assert [call.tier for call in sure] == ["nli"]


def test_wrong_name(tiny: OnnxModel) -> None:
    """A tier needs a name."""
    with pytest.raises(ConfigError, match="name"):
        NLIJudge(tiny, "")


def test_only_the_nearest_windows_are_read(tiny: OnnxModel, task: Build) -> None:
    """Where thresholds were measured on the windows nearest to the claim, the judge looks at no others."""
    passages = ("yes", "the desk opens", "yes")
    assert judged(NLIJudge(tiny), task(*passages)).label is Label.SUPPORTED
    assert judged(NLIJudge(tiny, thresholds=Thresholds(nearest=1)), task(*passages)).label is Label.UNVERIFIED


@pytest.mark.parametrize(
    ("bands", "label"),
    [
        ((Band(language="en", windows=9, supported=0.6, contradicted=0.6),), Label.SUPPORTED),
        ((Band(language="en", windows=9, supported=1.01, contradicted=0.6),), Label.UNVERIFIED),
        ((Band(language="en", windows=1, supported=0.6, contradicted=0.6),), Label.UNVERIFIED),
        ((Band(language="de", windows=9, supported=0.6, contradicted=0.6),), Label.UNVERIFIED),
        (
            (
                Band(language="en", windows=1, supported=1.01, contradicted=0.6),
                Band(language="en", windows=9, supported=0.6, contradicted=0.6),
            ),
            Label.SUPPORTED,
        ),
    ],
)
def test_bands_by_language_and_length(tiny: OnnxModel, task: Build, bands: tuple[Band, ...], label: Label) -> None:
    """The first band that fits decides; what no band was measured for is never decided."""
    thresholds = Thresholds(supported=0.6, contradicted=0.6, bands=bands)
    assert judged(NLIJudge(tiny, thresholds=thresholds), task("yes", "yes the desk opens")).label is label
