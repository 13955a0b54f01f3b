"""`GroundingVerifier`: verification alone, as a runnable, a grader and a graph node."""

from __future__ import annotations

import pytest
from langchain_core.messages import AIMessage

from grounding_middleware import InputError, Span
from grounding_middleware_langchain import GroundingVerifier

RAW = "Refunds are paid within ten days. WRONG one. They go to the card."
VERIFIED = "Refunds are paid within ten days. They go to the card."


@pytest.mark.parametrize("key", ["answer", "generation"])
@pytest.mark.parametrize("answer", [RAW, AIMessage(RAW), {"answer": RAW}], ids=["str", "message", "dict"])
async def test_report_on_an_answer_and_its_documents(kit, key, answer):
    """Answer and documents in, report out; what was passed counts as shown to the model."""
    verifier = GroundingVerifier(kit.grounder)
    value = {key: answer, "documents": kit.documents, "question": "When?"}
    report = verifier.invoke(value)
    assert report.text == VERIFIED
    assert report == await verifier.ainvoke(value)
    assert verifier.batch([value, value]) == [report, report]
    assert (kit.grounder.last.question, len(kit.grounder.last.evidence)) == ("When?", 3)
    assert all(span.delivered for span in kit.grounder.last.evidence)


def test_other_evidence_is_taken_as_the_core_takes_it(kit):
    """Spans, strings and mappings stand beside LangChain documents."""
    span = Span(id="s", text="Spanned.")
    GroundingVerifier(kit.grounder).invoke({"answer": RAW, "documents": [span]})
    assert kit.grounder.last.evidence == (span,)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"documents": []}, "answer or generation is missing"),
        ({"answer": "x"}, "documents is missing"),
        ({"answer": "x", "documents": "text"}, "allowed is a list"),
    ],
)
def test_input_that_cannot_be_verified_is_refused(kit, value, message):
    """Bad input names the field and what is allowed."""
    with pytest.raises(InputError, match=message):
        GroundingVerifier(kit.grounder).invoke(value)


async def test_in_place_of_a_hallucination_grader(kit):
    """Migration from self-RAG: the same keys in, `binary_score` out, "yes" only when nothing is objected to."""
    grader = GroundingVerifier(kit.grounder).as_grader()
    assert grader.invoke({"documents": kit.documents, "generation": "Fine."}).binary_score == "yes"
    grade = await grader.ainvoke({"documents": kit.documents, "generation": RAW})
    assert grade.binary_score == "no"
    assert grade.report.text == VERIFIED


@pytest.mark.parametrize("sync", [True, False])
async def test_as_a_graph_node(kit, sync):
    """A node of a graph: verified text under the same key, of the same type, and a summary without withheld text."""
    graph_module = pytest.importorskip("langgraph.graph")
    from typing_extensions import TypedDict  # noqa: PLC0415

    class State(TypedDict, total=False):
        question: str
        documents: list
        generation: object
        grounding: dict

    builder = graph_module.StateGraph(State)
    builder.add_node("verify", GroundingVerifier(kit.grounder).as_node())
    builder.add_edge("__start__", "verify")
    graph = builder.compile()
    state = {"question": "When?", "documents": kit.documents, "generation": AIMessage(RAW, id="m")}
    result = graph.invoke(state) if sync else await graph.ainvoke(state)
    assert (result["generation"].text, result["generation"].id) == (VERIFIED, "m")
    assert result["grounding"]["action"] == "revised"
    assert "WRONG" not in repr(result)
