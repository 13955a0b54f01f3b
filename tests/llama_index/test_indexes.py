"""Real indexes and node parsers, from documents to verified answers."""

from __future__ import annotations

import pytest
from llama_index.core import (
    Document,
    KeywordTableIndex,
    MockEmbedding,
    StorageContext,
    SummaryIndex,
    VectorStoreIndex,
    load_index_from_storage,
)
from llama_index.core.indices.keyword_table import SimpleKeywordTableIndex
from llama_index.core.node_parser import HierarchicalNodeParser, MarkdownNodeParser, SentenceSplitter, get_leaf_nodes
from llama_index.core.postprocessor import SimilarityPostprocessor
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.retrievers import AutoMergingRetriever, QueryFusionRetriever
from llama_index.core.storage.docstore import SimpleDocumentStore

from grounding_middleware_llama_index import SpanFields, ground, report_of

GUIDE = """# Refunds

Refunds are paid within ten days. They go to the card used for the order.

## Vouchers

Refunds for vouchers are not possible.

# Shipping

Parcels travel by rail where possible.
"""
ANSWER = "Refunds are paid within ten days. Refunds are paid in gold coins."


def _guide():
    return Document(text=GUIDE, id_="guide.md", metadata={"file_name": "guide.md"})


def _engines(kit):
    vector = VectorStoreIndex.from_documents(kit.documents, embed_model=kit.embedding)
    mock = VectorStoreIndex.from_documents(kit.documents, embed_model=MockEmbedding(embed_dim=8))
    words = SimpleKeywordTableIndex.from_documents(kit.documents)
    table = KeywordTableIndex.from_documents(kit.documents, llm=kit.model("KEYWORDS: refunds, paid"))
    fusion = QueryFusionRetriever([vector.as_retriever(), words.as_retriever()], llm=kit.model("x"), num_queries=1)
    settings = {"llm": kit.model(ANSWER)}
    return {
        "vector": vector.as_query_engine(**settings),
        "vector, mock embedding": mock.as_query_engine(similarity_top_k=3, **settings),
        "summary": SummaryIndex.from_documents(kit.documents).as_query_engine(**settings),
        "keywords": words.as_query_engine(**settings),
        "keywords of a model": table.as_query_engine(**settings),
        "postprocessed": vector.as_query_engine(
            node_postprocessors=[SimilarityPostprocessor(similarity_cutoff=0.1)], **settings
        ),
        "fusion": RetrieverQueryEngine.from_args(fusion, **settings),
    }


@pytest.mark.parametrize("way", ["query", "aquery"])
@pytest.mark.parametrize(
    "name",
    ["vector", "vector, mock embedding", "summary", "keywords", "keywords of a model", "postprocessed", "fusion"],
)
async def test_indexes(kit, name, way):
    """Every index gives nodes with a source; the answer rests on them."""
    safe = ground(_engines(kit)[name], kit.grounder)
    response = safe.query(kit.QUESTION) if way == "query" else await safe.aquery(kit.QUESTION)
    report = report_of(response)
    assert str(response) == kit.SUPPORTED
    assert "refunds.md" in {span.source_id for span in report.evidence.spans if span.delivered}
    assert report.notices == ()


@pytest.mark.parametrize(
    "parser",
    [
        SentenceSplitter(chunk_size=32, chunk_overlap=4, include_metadata=False),
        MarkdownNodeParser(),
        HierarchicalNodeParser.from_defaults(chunk_sizes=[128, 32], include_metadata=False),
    ],
    ids=["sentences", "markdown", "hierarchical"],
)
def test_node_parsers(kit, parser):
    """Chunks of any parser lead back to the document, with offsets where the document can be read."""
    nodes = parser.get_nodes_from_documents([_guide()])
    leaves = get_leaf_nodes(nodes) if isinstance(parser, HierarchicalNodeParser) else nodes
    index = VectorStoreIndex(leaves, embed_model=kit.embedding)
    engine = index.as_query_engine(llm=kit.model(ANSWER), similarity_top_k=3)
    safe = ground(engine, kit.grounder, document_text=lambda doc_id: GUIDE if doc_id == "guide.md" else None)
    response = safe.query(kit.QUESTION)
    assert str(response) == kit.SUPPORTED
    texts = [span for span in report_of(response).evidence.spans if "kind" not in span.metadata["llama_index"]]
    assert texts
    for span in texts:
        assert span.source_id == "guide.md"
        assert span.offsets_verified
        assert GUIDE[span.start : span.end] == span.text


def test_sections_of_markdown(kit):
    """EV-2: the path of headings is the section of a span."""
    nodes = MarkdownNodeParser().get_nodes_from_documents([_guide()])
    index = VectorStoreIndex(nodes, embed_model=kit.embedding)
    safe = ground(index.as_query_engine(llm=kit.model(ANSWER), similarity_top_k=4), kit.grounder)
    sections = {span.section for span in report_of(safe.query(kit.QUESTION)).evidence.spans}
    assert "/Refunds/" in sections


def test_merged_nodes_of_a_hierarchy(kit):
    """AutoMergingRetriever puts a parent in place of its children: the parent is the evidence."""
    parser = HierarchicalNodeParser.from_defaults(chunk_sizes=[64, 16], chunk_overlap=4, include_metadata=False)
    nodes = parser.get_nodes_from_documents([Document(text=GUIDE, id_="guide.md")])
    store = SimpleDocumentStore()
    store.add_documents(nodes)
    context = StorageContext.from_defaults(docstore=store)
    index = VectorStoreIndex(get_leaf_nodes(nodes), storage_context=context, embed_model=kit.embedding)
    retriever = AutoMergingRetriever(index.as_retriever(similarity_top_k=6), context, simple_ratio_thresh=0.3)
    engine = RetrieverQueryEngine.from_args(retriever, llm=kit.model(ANSWER))
    response = ground(engine, kit.grounder, document_text=lambda _: GUIDE).query(kit.QUESTION)
    assert str(response) == kit.SUPPORTED
    assert all(span.offsets_verified for span in report_of(response).evidence.spans)


def test_metadata_keys_are_configurable(kit):
    """EV-2: version, section and source may stand under any key."""
    document = Document(text=kit.SUPPORTED, id_="x", metadata={"edition": "9", "part": "A", "doc_path": "a/b/terms.md"})
    engine = VectorStoreIndex.from_documents([document], embed_model=kit.embedding).as_query_engine(
        llm=kit.model(ANSWER)
    )
    fields = SpanFields(source=("doc_path",), version=("edition",), section=("part",))
    span = report_of(ground(engine, kit.grounder, fields=fields).query(kit.QUESTION)).evidence.spans[0]
    assert (span.source_id, span.version, span.section) == ("a/b/terms.md", "9", "A")
    assert span.id.startswith("terms.md@9#")


def test_a_stored_index_gives_the_same_spans(kit, tmp_path):
    """EV-2: saved and loaded, nodes have the same span ids."""
    index = VectorStoreIndex.from_documents(kit.documents, embed_model=kit.embedding)
    index.storage_context.persist(tmp_path)
    stored = StorageContext.from_defaults(persist_dir=str(tmp_path))
    loaded = load_index_from_storage(stored, embed_model=kit.embedding)
    reports = [
        report_of(ground(each.as_query_engine(llm=kit.model(ANSWER)), kit.grounder).query(kit.QUESTION))
        for each in (index, loaded)
    ]
    assert reports[0].evidence.spans == reports[1].evidence.spans
