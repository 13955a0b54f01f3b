"""Spans from documents: ids that survive re-indexing, offsets as hints, metadata by configurable keys."""

from __future__ import annotations

import uuid
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.documents import Document

from grounding_middleware import InputError, Rules
from grounding_middleware.capture import Snapshot, to_spans
from grounding_middleware_langchain import SpanFields, ground
from grounding_middleware_langchain._documents import restore_sources, snapshot_of

FIELDS = SpanFields()


def _span(source_text=None, fields=FIELDS, **document):
    (span,) = to_spans([snapshot_of(Document(**{"page_content": "Some text.", **document}))], fields, source_text)
    return span


def test_the_same_text_of_the_same_source_has_the_same_id():
    """EV-2: whatever its place in the index, and whatever random id a store gave it."""
    first = _span(id=str(uuid.uuid4()), metadata={"source": "a.md", "version": 1, "start_index": 0})
    second = _span(id=str(uuid.uuid4()), metadata={"source": "a.md", "version": 1, "start_index": 90})
    other = _span(metadata={"source": "a.md", "version": 2})
    assert first.id == second.id
    assert first.id.startswith("a.md@1#")
    assert other.id != first.id


@pytest.mark.parametrize(
    ("document", "span_id"),
    [
        ({"id": "policy-4.2"}, "policy-4.2"),
        ({"metadata": {"id": "mine"}}, "mine"),
        ({"id": "other", "metadata": {"span_id": "first"}}, "first"),
        ({"id": "has [brackets], and spaces"}, "has-brackets-and-spaces"),
    ],
)
def test_ids_of_the_caller_are_kept(document, span_id):
    """An id somebody chose is the id, made fit for a marker."""
    assert _span(**document).id == span_id


@pytest.mark.parametrize("source", ["/srv/docs/a.md", "https://docs.example/x/a.md", "C:\\docs\\a.md"])
def test_paths_and_addresses_give_short_ids(source):
    """The whole source stays in `source_id`; an id in an answer is readable."""
    span = _span(metadata={"source": source})
    assert span.id.startswith("a.md#")
    assert span.source_id == source


def test_one_id_for_two_texts_is_told_apart():
    """Ids must be unique within an answer; both texts stay citeable."""
    spans = to_spans([Snapshot("one", "x", {}), Snapshot("two", "x", {}), Snapshot("one", "x", {})], FIELDS)
    assert len({span.id for span in spans}) == len(spans) == 2


def test_the_same_text_in_two_sources_stays_two_spans():
    """Checklist 20: whichever of them is cited, the citation is right."""
    spans = to_spans([Snapshot("same", None, {"source": "a/x"}), Snapshot("same", None, {"source": "b/x"})], FIELDS)
    assert [span.source_id for span in spans] == ["a/x", "b/x"]
    assert len({span.id for span in spans}) == 2


def test_empty_documents_are_left_out():
    """Nothing to cite is no span."""
    assert to_spans([Snapshot(" \n", None, {})], FIELDS) == ()


SOURCE = "Intro. Some text. More."


@pytest.mark.parametrize(
    ("hint", "start", "verified"),
    [(7, 7, True), (0, 7, True), (None, 7, True), (-1, 7, True), ("7", 7, True)],
)
def test_offset_hints_are_confirmed_by_slicing_the_source(hint, start, verified):
    """EV-3: a wrong hint is corrected where the text stands once."""
    span = _span(lambda _: SOURCE, metadata={"start_index": hint})
    assert (span.start, span.offsets_verified) == (start, verified)
    assert SOURCE[span.start : span.end] == span.text


def test_offset_hints_without_the_source_stay_hints():
    """EV-3: what cannot be confirmed is marked so."""
    span = _span(metadata={"start_index": 7})
    assert (span.start, span.end, span.offsets_verified) == (7, 17, False)


@pytest.mark.parametrize("source", ["Some text. Some text.", "Other."])
def test_a_text_that_stands_twice_or_not_at_all_has_no_offsets(source):
    """EV-3: rather none than wrong ones."""
    span = _span(lambda _: source, metadata={"start_index": 3})
    assert (span.start, span.offsets_verified) == (None, False)


@pytest.mark.parametrize("value", ["2026-01-02", date(2026, 1, 2), datetime(2026, 1, 2, 3, tzinfo=UTC)])
def test_dates_in_metadata(value):
    """EV-6: effective dates as loaders give them."""
    assert _span(metadata={"effective_from": value}).effective_from == date(2026, 1, 2)


def test_a_date_that_is_none_is_an_error():
    """Fails closed: a source whose dates cannot be read must not count as always in force."""
    with pytest.raises(InputError, match=r"effective_to.*'soon'.*SpanFields"):
        _span(metadata={"effective_to": "soon"})


def test_metadata_keys_are_configurable():
    """Everybody names things in their own way."""
    fields = SpanFields(source=("doc",), version=("rev",), section=("chapter",), attributes=("tenant",))
    span = _span(
        fields=fields, metadata={"doc": "d", "rev": 3, "chapter": "c", "tenant": "t", "audience": {"region": "eu"}}
    )
    assert (span.source_id, span.version, span.section) == ("d", "3", "c")
    assert dict(span.audience) == {"tenant": "t", "region": "eu"}


def test_metadata_is_copied_as_plain_json():
    """Live metadata of a store is neither kept nor changed; odd values become text."""
    live = {"nested": {"list": [1, {2}]}, "path": object}
    span = _span(metadata=live)
    live["nested"]["list"].append(3)
    assert span.metadata["nested"] == {"list": [1, [2]]}
    assert isinstance(span.metadata["path"], str)
    assert span.model_validate_json(span.model_dump_json()) == span


@pytest.mark.parametrize(
    ("text", "restored"),
    [("A long text about x.", True), ("long text", True), ("unknown", False), ("text", False)],
)
def test_lost_metadata_is_restored_by_exact_text_only(text, restored):
    """A cut that fits two different texts could be either: it stays without a source."""
    inner = [Snapshot("A long text about x.", None, {"source": "a"}), Snapshot("Another text.", None, {"source": "b"})]
    snapshot, *_ = restore_sources([Snapshot(text, None, {})], inner, FIELDS)
    assert ("source" in snapshot.metadata) is restored


@given(st.text(min_size=1), st.text(), st.text())
def test_any_document_gives_an_id_that_fits_into_a_marker(text, source, own):
    """Property: whatever stands in text and metadata, the id can be offered to the model."""
    for snapshot in (Snapshot(text, own or None, {"source": source}), Snapshot(text, None, {"id": own})):
        for span in to_spans([snapshot], FIELDS):
            Rules().text(span_ids=[span.id])


def test_tenants_are_kept_apart_by_an_attribute(kit):
    """EV-5: the requester of the call decides; the attribute arrives with the span."""
    kit.documents[0].metadata["tenant"] = "a"
    guarded = ground(
        kit.chain(retriever=kit.Retriever(documents=kit.documents)),
        kit.grounder,
        fields=SpanFields(attributes=("tenant",)),
    )
    guarded.invoke("refunds", {"configurable": {"requester": {"tenant": "a"}}})
    assert dict(kit.grounder.last.evidence[0].audience) == {"tenant": "a"}
    assert kit.grounder.last.requester == {"tenant": "a"}
