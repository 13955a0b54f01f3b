"""Documents become spans: ids that last, hints that stay hints, metadata read by name."""

from __future__ import annotations

from datetime import date

import pytest

from grounding_middleware.capture import Snapshot, SpanFields, distinct, plain, stable_id, to_span, to_spans
from grounding_middleware.errors import InputError
from grounding_middleware.records import Span

TEXT = "Refunds are paid within ten days."
FIELDS = SpanFields()


def snapshot(text: str = TEXT, document_id: str | None = None, **metadata: object) -> Snapshot:
    return Snapshot(text, document_id, metadata)


def test_ids_are_made_of_source_version_section_and_text() -> None:
    """EV-2: the same text of the same source has the same id, at any place in any index."""
    first = to_span(snapshot(source="a/b/terms.md", version="3", section="2"), FIELDS)
    assert first.id.startswith("terms.md@3#")
    assert (first.source_id, first.version, first.section) == ("a/b/terms.md", "3", "2")
    assert first == to_span(snapshot(source="a/b/terms.md", version="3", section="2"), FIELDS)
    assert first.id != to_span(snapshot(source="a/b/terms.md", version="4", section="2"), FIELDS).id


@pytest.mark.parametrize("document_id", ["8c7e1b1e-3d0b-4c44-9c6e-0b7b7a1f2d3c", "8c7e1b1e3d0b4c449c6e0b7b7a1f2d3c"])
def test_random_ids_are_no_names(document_id: str) -> None:
    """EV-2: stores give a new UUID at every indexing."""
    assert stable_id(document_id) == ""
    assert to_span(snapshot(document_id=document_id), FIELDS).id.startswith("doc#")
    assert to_span(snapshot(document_id="terms-1"), FIELDS).id == "terms-1"


def test_ids_can_stand_in_a_marker() -> None:
    """Brackets, commas and blanks would break out of one."""
    assert to_span(snapshot(span_id="a [1], b"), FIELDS).id == "a-1-b"
    assert to_span(snapshot(span_id="[]"), FIELDS).id.startswith("doc-")


def test_what_the_framework_knows_stands_in_for_metadata() -> None:
    """Source, version and place beside the metadata; the metadata goes before."""
    bare = to_span(Snapshot(TEXT, None, {}, "doc-7", "abc", 12), FIELDS)
    assert (bare.source_id, bare.version, bare.start, bare.end) == ("doc-7", "abc", 12, 12 + len(TEXT))
    assert bare.id.startswith("doc-7#"), "a version of the framework is no part of the id"
    named = to_span(Snapshot(TEXT, None, {"source": "s", "version": "9", "start_index": 3}, "doc-7", "abc", 12), FIELDS)
    assert (named.source_id, named.version, named.start) == ("s", "9", 3)


def test_offsets_are_confirmed_in_the_source() -> None:
    """EV-3: verified only where slicing gives the text."""
    span = to_span(snapshot(start_index=5), FIELDS, lambda _: f"Well: {TEXT}")
    assert (span.start, span.offsets_verified) == (6, True)
    assert not to_span(snapshot(start_index=5), FIELDS).offsets_verified


def test_dates_and_audience() -> None:
    """EV-6: dates in any ISO form; nested and flat attributes."""
    fields = SpanFields(attributes=("tenant",))
    span = to_span(snapshot(effective_to="2026-01-31T10:00:00", audience={"region": "EU"}, tenant="a"), fields)
    assert span.effective_to == date(2026, 1, 31)
    assert span.audience == {"region": "EU", "tenant": "a"}
    with pytest.raises(InputError, match="effective_from: 'soon' is no ISO date"):
        to_span(snapshot(effective_from="soon"), FIELDS)


def test_the_same_text_counts_once_and_another_under_its_id_is_renamed() -> None:
    """Ids are unique within one answer."""
    spans = to_spans([snapshot(source="a"), snapshot(source="a"), snapshot(text=" "), snapshot("Other.", "x")], FIELDS)
    assert len(spans) == 2
    clash = distinct([Span(id="1", text="a"), Span(id="1", text="b"), Span(id="1", text="a")])
    assert [span.text for span in clash] == ["a", "b"]
    assert len({span.id for span in clash}) == 2


def test_metadata_is_copied_as_plain_json() -> None:
    """Frameworks hand out their live objects."""
    value = {"when": date(2026, 1, 2), 3: {"x"}, "other": object, "list": (1, None)}
    copied = plain(value)
    assert copied["when"] == "2026-01-02"
    assert copied["3"] == ["x"]
    assert copied["list"] == [1, None]
    assert isinstance(copied["other"], str)
