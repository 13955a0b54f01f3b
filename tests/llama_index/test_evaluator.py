"""`GroundingEvaluator`: strict where the built-in passes on any "yes"."""

from __future__ import annotations

import pytest
from llama_index.core.base.response.schema import Response
from llama_index.core.evaluation import BaseEvaluator, EvaluationResult, FaithfulnessEvaluator

from grounding_middleware import ConfigError, InputError, Label
from grounding_middleware_llama_index import GroundingEvaluationResult, GroundingEvaluator, ground

CONTEXT = "Refunds are paid within ten days. They go to the card used for the order."


@pytest.mark.parametrize("way", ["evaluate", "aevaluate"])
async def test_claims_are_scored_one_by_one(kit, way):
    """The score is the share of supported claims; one unsupported fails the default threshold; feedback names it."""
    evaluator = GroundingEvaluator(kit.grounder)
    arguments = {"query": "q", "response": kit.RAW, "contexts": [CONTEXT]}
    result = evaluator.evaluate(**arguments) if way == "evaluate" else await evaluator.aevaluate(**arguments)
    assert isinstance(result, GroundingEvaluationResult | EvaluationResult)
    assert (result.score, result.passing, result.invalid_result) == (0.5, False, False)
    assert result.feedback.startswith(f"INSUFFICIENT_EVIDENCE: Refunds are paid in {kit.LEAK} coins.")
    assert result.report.claims[0].label is Label.SUPPORTED
    assert (result.query, result.response, result.contexts) == ("q", kit.RAW, [CONTEXT])


@pytest.mark.filterwarnings("ignore:policy 'standard' expects a judge")
def test_a_certainty_shift_fails_with_the_word_in_the_feedback():
    """Without a judge nothing in doubt passes, and the feedback says what is in doubt."""
    result = GroundingEvaluator().evaluate("q", "Aspirin cures pain.", ["Aspirin may cure pain."])
    assert result.passing is False
    assert "may" in result.feedback


@pytest.mark.parametrize("said", ["NO. The context does not say yes.", "NO. **Yes**terday it did."])
def test_a_yes_anywhere_passes_nothing(kit, said):
    """The built-in evaluator passes both replies; ours reads verdicts, and calls this one invalid."""
    builtin = FaithfulnessEvaluator(llm=kit.model(said))
    assert builtin.evaluate(response="Refunds come in gold.", contexts=[CONTEXT]).passing is True
    strict = GroundingEvaluator(judge=kit.model(said))
    result = strict.evaluate("q", "Refunds come in gold.", [CONTEXT])
    assert (result.passing, result.invalid_result) == (False, True)


@pytest.mark.parametrize("contexts", [None, [], [" "]])
def test_without_contexts_nothing_passes(kit, contexts):
    """No evidence is no proof, and no crash."""
    result = GroundingEvaluator(kit.grounder).evaluate("q", kit.SUPPORTED, contexts)
    assert (result.passing, result.score) == (False, 0.0)


def test_an_answer_that_abstains_passes(kit):
    """Saying that the sources do not answer is faithful, once the judge has found nothing that does."""
    nothing = '{"verdicts": [{"claim": 1, "evidence": [], "reason": "none", "label": "INSUFFICIENT_EVIDENCE"}]}'
    judged = GroundingEvaluator(judge=kit.model(nothing))
    result = judged.evaluate("q", "The sources do not answer this question.", [CONTEXT])
    assert (result.passing, result.score, result.invalid_result) == (True, 1.0, False)


@pytest.mark.parametrize("response", [None, "", "Hello!"])
def test_an_answer_that_asserts_nothing_is_invalid(kit, response):
    """Nothing was said, so nothing can be faithful or not."""
    result = GroundingEvaluator(kit.grounder).evaluate("q", response, [CONTEXT])
    assert (result.passing, result.score, result.invalid_reason) == (False, None, "the response asserts nothing")


def test_a_threshold_never_lets_a_contradiction_pass(kit):
    """A threshold is for what is missing, not for what is wrong."""
    evaluator = GroundingEvaluator(kit.grounder, threshold=0.5)
    assert evaluator.evaluate("q", kit.RAW, [CONTEXT]).passing is True
    wrong = "Refunds are paid within ten days. Refunds are paid within two days."
    result = evaluator.evaluate("q", wrong, [CONTEXT])
    assert (result.score, result.passing) == (0.5, False)


@pytest.mark.parametrize("threshold", [0, -1, 1.5, float("nan")])
def test_a_wrong_threshold_is_refused(kit, threshold):
    """At construction, with what is allowed."""
    with pytest.raises(ConfigError, match=r"threshold is .*; allowed is a number above 0, up to 1"):
        GroundingEvaluator(kit.grounder, threshold=threshold)


@pytest.mark.parametrize("way", ["evaluate_response", "aevaluate_response"])
@pytest.mark.parametrize("streaming", [False, True])
async def test_responses_are_evaluated_against_their_nodes(kit, way, streaming):
    """Sources keep their names, streams are read; the built-in crashes on them."""
    engine, evaluator = kit.engine(streaming=streaming), GroundingEvaluator(kit.grounder)
    if way == "evaluate_response":
        result = evaluator.evaluate_response("q", engine.query(kit.QUESTION))
    else:
        result = await evaluator.aevaluate_response("q", await engine.aquery(kit.QUESTION))
    assert (result.score, result.response) == (0.5, kit.RAW)
    assert {span.source_id for span in result.report.evidence.spans} == {"refunds.md", "vouchers.md"}
    assert any("ten days" in context for context in result.contexts)


def test_a_grounded_engine_passes(kit):
    """What was cut is gone: the verified text is evaluated."""
    response = ground(kit.engine(), kit.grounder).query(kit.QUESTION)
    assert GroundingEvaluator(kit.grounder).evaluate_response("q", response).passing is True


async def test_a_missing_response_is_an_error(kit):
    """The error names the field."""
    evaluator = GroundingEvaluator(kit.grounder)
    with pytest.raises(InputError, match="response is None"):
        evaluator.evaluate_response("q", None)
    with pytest.raises(InputError, match="response is None"):
        await evaluator.aevaluate_response("q", None)


async def test_it_works_inside_a_running_loop(kit):
    """`evaluate` from a coroutine starts no loop of its own."""
    assert GroundingEvaluator(kit.grounder).evaluate("q", kit.SUPPORTED, [CONTEXT]).passing is True


def test_it_is_an_evaluator(kit):
    """LlamaIndex takes it wherever it takes one; it has no prompts to update."""
    evaluator = GroundingEvaluator(kit.grounder)
    assert isinstance(evaluator, BaseEvaluator)
    assert evaluator.get_prompts() == {}
    evaluator.update_prompts({})
    assert GroundingEvaluator(kit.grounder).evaluate_response("q", Response(kit.SUPPORTED)).passing is False
