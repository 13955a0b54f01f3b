"""Citations of citation engines: numbers lead to chunks, chunks to nodes, nodes to documents."""

from __future__ import annotations

import pytest
from llama_index.core import Document
from llama_index.core.query_engine import CitationQueryEngine
from llama_index.core.schema import MetadataMode

from grounding_middleware import Label
from grounding_middleware.records import Kind
from grounding_middleware_llama_index import SpanCapture, extract_spans, ground, report_of
from grounding_middleware_llama_index._nodes import FACTS, OWN_RECORD, RECORD

TEXT = " ".join(f"Fee number {n} is {n + 10} euros in the list." for n in range(60))
FIRST = "Fee number 0 is 10 euros in the list [1]."


def _engine(kit, reply, **settings):
    """A citation engine over one long document, cut into small numbered sources."""
    documents = [Document(text=TEXT, id_="fees.md", metadata={"file_name": "fees.md"})]
    return CitationQueryEngine.from_args(
        kit.index(documents),
        llm=kit.model(reply),
        similarity_top_k=1,
        citation_chunk_size=64,
        citation_chunk_overlap=0,
        **settings,
    )


def _claims(response):
    return {claim.text: claim for claim in report_of(response).claims}


@pytest.mark.parametrize("way", ["query", "aquery"])
async def test_5_a_number_names_its_chunk(kit, way):
    """Checklist 5: `[n]` is the n-th source, and the claim is judged against that source only."""
    safe = ground(
        _engine(kit, "Fee number 0 is 10 euros in the list [1]. Fee number 1 is 11 euros in the list [1]."),
        kit.grounder,
    )
    assert isinstance(safe, CitationQueryEngine)
    response = safe.query("Fee?") if way == "query" else await safe.aquery("Fee?")
    report = report_of(response)
    assert [citation.span_ids for citation in report.citations] == [("1",), ("1",)]
    assert str(response) == report.answer
    assert {claim.label for claim in report.claims} == {Label.SUPPORTED}
    assert all(span.delivered for span in report.evidence.spans)


@pytest.mark.parametrize(
    ("reply", "refs"),
    [
        ("Fee number 0 is 10 euros in the list [1, 2].", {"1", "2"}),
        ("Fee number 0 is 10 euros in the list [1][2].", {"1", "2"}),
        ("Fee number 0 is 10 euros in the list.", set()),
        ("According to Source 1, fee number 0 is 10 euros in the list.", set()),
    ],
)
def test_5_markers_of_every_form(kit, reply, refs):
    """Checklist 5: grouped, in a row, none, and sources named in prose: the claim is read without them."""
    report = report_of(ground(_engine(kit, reply), kit.grounder).query("Fee?"))
    assert {citation.ref for citation in report.citations} == refs
    assert [claim.label for claim in report.claims] == [Label.SUPPORTED]


def test_5_a_number_without_a_source_is_invalid(kit):
    """Checklist 5: `[99]` names nothing, whatever the sentence says."""
    reply = "Fee number 0 is 10 euros in the list [99]. Fee number 1 is 11 euros in the list [1]."
    response = ground(_engine(kit, reply), kit.grounder).query("Fee?")
    claim = _claims(response)["Fee number 0 is 10 euros in the list"]
    assert (claim.label, claim.kind) == (Label.INVALID_CITATION, Kind.UNKNOWN_ID)
    assert str(response) == "Fee number 1 is 11 euros in the list [1]."


def test_5_the_wrong_source_supports_nothing(kit):
    """Checklist 5: true in another source is not supported by the one that is cited."""
    reply = "Fee number 0 is 10 euros in the list [2]. Fee number 1 is 11 euros in the list [1]."
    response = ground(_engine(kit, reply), kit.grounder).query("Fee?")
    claim = _claims(response)["Fee number 0 is 10 euros in the list"]
    assert (claim.label, claim.kind) == (Label.INSUFFICIENT_EVIDENCE, Kind.WRONG_ATTRIBUTION)
    assert claim.supported_elsewhere == "1"
    assert str(response) == "Fee number 1 is 11 euros in the list [1]."


def test_5_a_number_from_an_earlier_refine_call_still_counts(kit):
    """Checklist 5: refining keeps sentences whose source stood in an earlier prompt."""
    last = "Fee number 59 is 69 euros in the list [20]."
    replies = iter([FIRST])
    model = kit.model(lambda _: next(replies, f"{FIRST} {last}"))
    documents = [Document(text=TEXT, id_="fees.md")]
    engine = CitationQueryEngine.from_args(
        kit.index(documents),
        llm=model,
        similarity_top_k=1,
        citation_chunk_size=64,
        citation_chunk_overlap=0,
        response_mode="refine",
    )
    report = report_of(ground(engine, kit.grounder).query("Fee?"))
    assert len(model.prompts) > 10
    assert [span.id for span in report.evidence.spans if span.delivered][:3] == ["1", "2", "3"]
    assert report.claims[0].label is Label.SUPPORTED


def test_5_chunk_to_node_to_document(kit):
    """Checklist 5: every chunk maps back to its place in the node and, where it can be read, in the document."""
    safe = ground(_engine(kit, FIRST), kit.grounder, document_text=lambda _: TEXT)
    spans = report_of(safe.query("Fee?")).evidence.spans
    chunks = [span for span in spans if span.id.isdigit()]
    assert len(chunks) > 10
    for span in chunks:
        assert TEXT[span.start : span.end] == span.text
        assert (span.offsets_verified, span.metadata[FACTS]["doc_offsets"]) == (True, "verified")
        low, high = span.metadata[FACTS]["node_range"]
        assert high - low == len(span.text)
        assert span.source_id == "fees.md"
        assert span.metadata["minted_id"].startswith("fees.md#")


def test_5_capture_of_ones_own_survives_the_engine(kit):
    """Checklist 5: `SpanCapture` among the node postprocessors is enough for offsets, also without grounding."""
    engine = _engine(kit, "x", node_postprocessors=[SpanCapture()])
    response = engine.query("Fee?")
    spans = extract_spans(response)
    assert all(TEXT[span.start : span.end] == span.text for span in spans)
    assert {span.metadata[FACTS]["doc_offsets"] for span in spans} == {"unverified"}
    assert RECORD in response.source_nodes[0].node.metadata
    grounded = ground(engine, kit.grounder).query("Fee?")
    assert RECORD in grounded.source_nodes[0].node.metadata
    assert not any(RECORD in metadata for metadata in grounded.metadata.values())


def test_5_the_engines_own_capture_leaves_no_trace(kit):
    """What a grounded engine notes for itself is gone from nodes, metadata and prompts."""
    model = kit.model(FIRST)
    engine = CitationQueryEngine.from_args(
        kit.index([Document(text=TEXT, id_="fees.md")]), llm=model, similarity_top_k=1
    )
    response = ground(engine, kit.grounder).query("Fee?")
    assert OWN_RECORD not in repr(response)
    assert OWN_RECORD not in "".join(model.prompts)
    assert engine._node_postprocessors == []


def test_5_rules_name_the_numbers_the_prompt_shows(kit):
    """Checklist 5: the model is told to cite by the numbers of its sources, without a second list of names."""
    model = kit.model(FIRST)
    engine = CitationQueryEngine.from_args(
        kit.index([Document(text=TEXT, id_="fees.md", metadata={"author": "Ada"})]),
        llm=model,
        similarity_top_k=1,
        citation_chunk_size=64,
    )
    ground(engine, kit.grounder).query("Fee?")
    assert "Cite nothing but: [1] [2] [3]" in model.prompts[0]
    assert "by id and first words" not in model.prompts[0]


def test_5_metadata_in_a_chunk_is_not_its_text(kit):
    """With `metadata_mode=ALL` the engine prints metadata into the chunk: the span is the text behind it."""
    safe = ground(_engine(kit, FIRST, metadata_mode=MetadataMode.ALL), kit.grounder)
    first = report_of(safe.query("Fee?")).evidence.span("1")
    assert first.text.startswith("Fee number 0")
    assert TEXT[first.start : first.end] == first.text
