"""Markers against a golden table; the state of spans; settings of the syntax."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware.citations import CitationSyntax, attach, resolve
from grounding_middleware.claims import split
from grounding_middleware.errors import ConfigError
from grounding_middleware.records import Evidence, Kind, Span, SpanStatus


def rows(name: str) -> list[dict[str, Any]]:
    text = (Path(__file__).parent / "data" / name).read_text("utf-8")
    return [json.loads(line) for line in text.splitlines()]


def named(row: dict[str, Any]) -> str:
    return str(row["rule"])


def evidence(*names: str, texts: list[str] | None = None) -> Evidence:
    written = texts or ["Dogs are welcome."] * len(names)
    return Evidence(
        spans=tuple(Span(id=name, text=text) for name, text in zip(names, written, strict=True)),
        statuses=tuple(SpanStatus(span_id=name, usable=True) for name in names),
    )


@pytest.mark.parametrize("row", rows("citations.jsonl"), ids=named)
def test_markers_are_read_as_the_table_says(row: dict[str, Any]) -> None:
    """CI-1, CI-5, EV-9: every form of marker, every way to be wrong, and brackets that stay text."""
    given = evidence(*row["ids"], texts=row.get("texts"))
    found = resolve(row["answer"], given, CitationSyntax(**row.get("syntax", {})))
    assert [[one.marker, one.ref, one.kind.value if one.kind else ""] for one in found] == row["citations"]
    assert all(one.reason for one in found if one.kind)
    assert all(row["answer"][one.start : one.end] == one.marker for one in found)


@pytest.mark.parametrize("row", rows("scope.jsonl"), ids=named)
def test_markers_cover_what_the_table_says(row: dict[str, Any]) -> None:
    """CI-2: the scope of markers in every position, and which mappings are flagged as guesses."""
    found = resolve(row["answer"], evidence("S1", "S2"))
    covered = attach(split(row["answer"], found), found, row["answer"])
    shown = [
        [claim.text, " ".join(found[index].ref for index in claim.citations), int(claim.citation_ambiguous)]
        for claim in covered
    ]
    assert shown == row["claims"]


@pytest.mark.parametrize(
    "kind",
    [Kind.STALE, Kind.EXPIRED, Kind.NOT_YET_EFFECTIVE, Kind.WRONG_AUDIENCE, Kind.UNDELIVERED],
)
def test_a_known_span_that_may_not_be_used_gives_its_own_kind(kind: Kind) -> None:
    """CI-1, EV-6: the status of the span decides, and its reason is passed on."""
    status = SpanStatus(span_id="S1", usable=False, kind=kind, reason="because")
    given = Evidence(spans=(Span(id="S1", text="Dogs are welcome."),), statuses=(status,))
    (one,) = resolve("Dogs are welcome [S1].", given)
    assert (one.kind, one.reason, one.span_ids, one.valid) == (kind, "because", ("S1",), False)


def test_a_forbidden_span_is_known_by_name_only() -> None:
    """EV-5: its text is gone, so the citation leads to no span; the marker says forbidden, not unknown."""
    given = Evidence(statuses=(SpanStatus(span_id="S1", usable=False, kind=Kind.FORBIDDEN, reason="other tenant"),))
    (one,) = resolve("Dogs are welcome [S1].", given)
    assert (one.kind, one.span_ids) == (Kind.FORBIDDEN, ())


def test_a_span_without_a_status_supports_nothing() -> None:
    """Fail closed: nobody decided whether this span may be used."""
    (one,) = resolve("Dogs are welcome [S1].", Evidence(spans=(Span(id="S1", text="Dogs are welcome."),)))
    assert (one.kind, one.valid) == (Kind.VERIFIER_FAILURE, False)


def test_a_version_in_the_marker_must_be_the_version_of_the_span() -> None:
    """CI-1: `policy@2026#0` names span `policy#0` of version 2026 and no other."""
    span = Span(id="policy#0", text="Dogs are welcome.", version="2026")
    given = Evidence(spans=(span,), statuses=(SpanStatus(span_id="policy#0", usable=True),))
    right, wrong = resolve("Dogs are welcome [policy@2026#0][policy@2025#0].", given)
    assert right.span_ids == ("policy#0",)
    assert wrong.kind is Kind.FOREIGN


def test_the_name_of_a_document_is_no_id() -> None:
    """CI-1: a marker that names the source instead of a span is invalid, and the reason says so."""
    span = Span(id="S1", source_id="house-rules", text="Dogs are welcome.")
    given = Evidence(spans=(span,), statuses=(SpanStatus(span_id="S1", usable=True),))
    (one,) = resolve("Dogs are welcome [house-rules].", given)
    assert one.kind is Kind.UNKNOWN_ID
    assert "name of a source" in one.reason


def test_own_forms_of_markers() -> None:
    """CI-5: the syntax is configurable: other brackets, and patterns of one's own."""
    syntax = CitationSyntax(brackets=(("⟦", "⟧"),), extra=(r"<cite>(?P<ref>[^<]{1,40})</cite>",))
    found = resolve("Dogs ⟦S1⟧ are welcome <cite>S9</cite> [S1].", evidence("S1"), syntax)
    assert [(one.marker, one.kind) for one in found] == [("⟦S1⟧", None), ("<cite>S9</cite>", Kind.UNKNOWN_ID)]


@pytest.mark.parametrize(
    ("settings", "named_field"),
    [
        ({"brackets": (("[", "["),)}, "brackets"),
        ({"brackets": (("a", "b"),)}, "brackets"),
        ({"separators": ", "}, "separators"),
        ({"separators": ""}, "separators"),
        ({"prefixes": (" ",)}, "prefixes"),
        ({"longest": 3}, "longest"),
        ({"extra": ("(",)}, "extra"),
        ({"extra": ("(?P<id>x)",)}, "extra"),
        ({"extra": ("(?P<ref>x*)",)}, "extra"),
        ({"brackets": (), "parentheses": False, "source_lines": False}, "no marker"),
        ({"bracket": ()}, "bracket"),
    ],
)
def test_a_syntax_without_sense_dies_at_construction(settings: dict[str, Any], named_field: str) -> None:
    """DESIGN 1.7: the message names the field and the value."""
    with pytest.raises(ConfigError, match=named_field):
        CitationSyntax(**settings)
