"""Response modes: whatever a synthesizer does to the nodes, an answer rests on the nodes themselves."""

from __future__ import annotations

import pytest
from llama_index.core import Document, SummaryIndex
from llama_index.core.response_synthesizers import ResponseMode

from grounding_middleware import Action
from grounding_middleware_llama_index import ground, report_of


def _long(number):
    clauses = "\n".join(f"Clause {number}-{i} is in force." for i in range(60))
    return Document(text=f"Rule {number}. {clauses}", id_=f"r{number}")


LONG = [_long(number) for number in range(4)]


def _answering(kit, *, sentence):
    """A model that gives the supported sentence, whatever it is shown."""
    return kit.model(f"{sentence} Refunds are paid in {kit.LEAK} coins.", window=1_500)


@pytest.mark.parametrize("way", ["query", "aquery"])
@pytest.mark.parametrize("mode", ["compact", "refine", "tree_summarize", "accumulate", "compact_accumulate"])
async def test_2_modes_with_several_calls_rest_on_the_original_nodes(kit, mode, way):
    """Checklist 2: nodes cut, repacked, refined or summarised: evidence is all of the nodes that was shown."""
    sentence = "Clause 2-59 is in force."
    model = _answering(kit, sentence=sentence)
    engine = SummaryIndex.from_documents(LONG).as_query_engine(llm=model, response_mode=mode)
    safe = ground(engine, kit.grounder)
    response = safe.query("Which clauses?") if way == "query" else await safe.aquery("Which clauses?")
    report = report_of(response)
    assert len(model.prompts) > 1
    assert sentence in str(response)
    assert kit.LEAK not in str(response)
    texts = [span for span in report.evidence.spans if span.source_id.startswith("r")]
    assert {span.source_id for span in texts} == {"r0", "r1", "r2", "r3"}
    assert all(span.delivered and span.delivered_ranges is None for span in texts)
    assert (report.capture.model_runs, report.capture.rules_reached) == (len(model.prompts),) * 2


def test_2_summaries_of_a_tree_are_no_evidence(kit):
    """Checklist 2: upper levels read summaries; a statement only a summary makes is not supported."""
    model = kit.model("The rules are strict.", window=1_500)
    engine = SummaryIndex.from_documents(LONG).as_query_engine(llm=model, response_mode="tree_summarize")
    report = report_of(ground(engine, kit.grounder).query("Are they strict?"))
    assert not any("strict" in span.text for span in report.evidence.spans)


def test_2_simple_summarize_counts_only_what_it_did_not_truncate(kit):
    """Checklist 2: text cut off supports nothing; line breaks may be printed as in a Python list."""
    model = _answering(kit, sentence="Clause 0-0 is in force.")
    engine = SummaryIndex.from_documents(LONG).as_query_engine(llm=model, response_mode="simple_summarize")
    spans = report_of(ground(engine, kit.grounder).query("Which clauses?")).evidence.spans
    assert len(model.prompts) == 1
    first, second, third, fourth = spans
    assert (first.delivered, first.delivered_ranges) == (True, None)
    ((low, high),) = second.delivered_ranges
    assert (low, high < len(second.text)) == (0, True)
    assert (third.delivered, fourth.delivered) == (False, False)


def test_2_scaffolding_of_accumulated_answers_is_no_claim(kit):
    """Checklist 2: "Response 1:" is not judged and stays; a part that is cut is cut inside its own part."""
    engine = kit.summary().as_query_engine(llm=kit.model(), response_mode="accumulate")
    response = ground(engine, kit.grounder).query(kit.QUESTION)
    assert str(response) == (
        f"Response 1: {kit.SUPPORTED}\n---------------------\n"
        f"Response 2: {kit.SUPPORTED}\n---------------------\n"
        f"Response 3: {kit.SUPPORTED}"
    )
    report = report_of(response)
    assert report.answer.startswith(f"Response 1: {kit.RAW}\n-----")
    assert all(report.answer[claim.start : claim.end] == claim.text for claim in report.claims)
    assert {claim.text for claim in report.claims} == {kit.SUPPORTED, f"Refunds are paid in {kit.LEAK} coins."}


def test_2_a_part_with_nothing_left_goes_with_its_label(kit):
    """Checklist 2: no empty "Response 2:" is left behind."""
    wrong = f"Parcels are paid in {kit.LEAK} coins."
    model = kit.model(lambda messages: wrong if "rail" in messages[-1].content else kit.SUPPORTED)
    engine = kit.summary().as_query_engine(llm=model, response_mode="accumulate")
    response = ground(engine, kit.grounder).query(kit.QUESTION)
    assert str(response) == f"Response 1: {kit.SUPPORTED}\n---------------------\nResponse 3: {kit.SUPPORTED}"


def test_2_context_only_gives_the_sources_themselves(kit):
    """Checklist 2: without a model, what is shown is the source; it supports itself."""
    engine = kit.summary().as_query_engine(llm=kit.model(), response_mode="context_only")
    response = ground(engine, kit.grounder).query(kit.QUESTION)
    assert str(response) == str(engine.query(kit.QUESTION))
    assert report_of(response).action is Action.OK
    assert not kit.judge.tasks


def test_2_no_text_stays_empty(kit):
    """Checklist 2: an engine that only retrieves asserts nothing, and asks no judge."""
    engine = kit.summary().as_query_engine(llm=kit.model(), response_mode="no_text")
    response = ground(engine, kit.grounder).query(kit.QUESTION)
    assert response.response == ""
    assert len(response.source_nodes) == 3
    assert report_of(response).action is Action.UNANSWERED
    assert not kit.judge.tasks


@pytest.mark.parametrize("mode", ["generation"])
def test_2_generation_has_no_evidence(kit, mode):
    """Checklist 2: a mode that shows the model no node cannot give a supported answer."""
    engine = kit.summary().as_query_engine(llm=kit.model(), response_mode=mode)
    response = ground(engine, kit.grounder).query(kit.QUESTION)
    assert str(response) == kit.grounder.policy.texts.escalation
    assert any("none of the 3 captured spans" in notice for notice in report_of(response).notices)


def test_every_response_mode_is_known():
    """A mode LlamaIndex adds must be looked at before it counts as supported."""
    tested = {"compact", "refine", "tree_summarize", "accumulate", "compact_accumulate", "simple_summarize"}
    assert {mode.value for mode in ResponseMode} == tested | {"context_only", "no_text", "generation"}
