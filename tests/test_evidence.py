"""Evidence: what may be rested on is decided before any meaning is read."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grounding_middleware import InputError, Kind, Span
from grounding_middleware.evidence import build, confirm_offsets, mark_delivered, mint_id


def kind_of(span: dict[str, Any], **more: Any) -> Kind | None:
    return build([{"id": "a", "text": "Boats need a permit.", **span}], **more).statuses[0].kind


def test_strings_become_numbered_spans() -> None:
    """Plain strings are citeable as S1, S2, ... in the order given."""
    assert [span.id for span in build(["one", "two"]).spans] == ["S1", "S2"]


@pytest.mark.parametrize(
    ("evidence", "says"),
    [
        ("one text", "sequence of spans"),
        ([3], "got int"),
        ([""], "visible text"),
        ([{"id": "a"}], "text is None"),
        ([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}], "'a' occurs twice"),
        ([{"id": "a", "text": "x", "start": 0, "end": 9}], "does not fit"),
        ([{"id": "a", "text": "x", "start": 3}], "come together"),
        ([{"id": "a", "text": "x", "efective_to": "2026-01-01"}], "did you mean 'effective_to'"),
        ([{"id": "a", "text": "x", "sha256": "0" * 64}], "hashes to"),
        ([{"id": "a", "text": "x", "effective_from": "2026-02-01", "effective_to": "2026-01-01"}], "is before"),
        ([{"id": "a", "text": "x", "effective_to": "soon"}], "effective_to"),
    ],
)
def test_bad_evidence_names_field_and_what_is_allowed(evidence: Any, says: str) -> None:
    """Nothing unusable gets through, and the message says what to change."""
    with pytest.raises(InputError, match=says):
        build(evidence)


def test_unknown_keys_are_kept_as_metadata() -> None:
    """A mapping loses nothing: keys that are no fields go into the metadata."""
    assert build([{"id": "a", "text": "x", "document": "b.md"}]).spans[0].metadata == {"document": "b.md"}


@pytest.mark.parametrize(
    ("span", "more", "kind"),
    [
        ({}, {}, None),
        ({"delivered": False}, {}, Kind.UNDELIVERED),
        ({"effective_to": "2025-12-31"}, {"as_of": "2026-01-01"}, Kind.EXPIRED),
        ({"effective_to": "2025-12-31"}, {"as_of": date(2025, 12, 31)}, None),
        ({"effective_to": "2025-12-31"}, {}, None),
        ({"effective_from": "2026-07-01"}, {"as_of": "2026-06-30"}, Kind.NOT_YET_EFFECTIVE),
        ({"superseded_by": "b@2"}, {}, Kind.STALE),
        ({"superseded_by": "b@2", "effective_to": "2025-12-31"}, {"as_of": "2025-06-01"}, None),
        ({"audience": {"region": "NO"}}, {"requester": {"region": "SE"}}, Kind.WRONG_AUDIENCE),
        ({"audience": {"region": ["NO", "SE"]}}, {"requester": {"region": "SE"}}, None),
        ({"audience": {"region": "NO"}}, {}, None),
        ({"audience": {"tenant": "x"}}, {"requester": {"tenant": "y"}}, Kind.FORBIDDEN),
        ({"audience": {"tenant": "x"}}, {}, Kind.FORBIDDEN),
        ({"audience": {"role": ["nurse", "doctor"]}}, {"requester": {"role": "doctor"}}, None),
    ],
)
def test_status(span: dict[str, Any], more: dict[str, Any], kind: Kind | None) -> None:
    """Delivery, access, dates in force and audience each give their own status; access fails closed."""
    assert kind_of(span, **more) is kind


def test_forbidden_text_is_gone() -> None:
    """A span the requester may not see leaves only its id behind (EV-5)."""
    evidence = build([{"id": "a", "text": "Secret.", "audience": {"tenant": "x"}}], requester={"tenant": "y"})
    assert evidence.spans == ()
    assert "Secret" not in evidence.model_dump_json()


def test_delivered_whole_cut_and_missing() -> None:
    """A span counts as far as its words stood in the prompt, white space aside (EV-4)."""
    whole, cut, missing = mark_delivered(
        (
            Span(id="a", text="Boats need\na permit."),
            Span(id="b", text="Rafts are free. Canoes pay five."),
            Span(id="c", text="Ferries sail daily."),
        ),
        "Context: Boats need a permit. Rafts are free. Canoes",
    )
    assert whole.delivered
    assert whole.delivered_ranges is None
    assert [cut.text[low:high] for low, high in cut.delivered_ranges or ()] == ["Rafts are free. Canoes"]
    assert not missing.delivered


def test_offset_hints_are_confirmed_or_dropped() -> None:
    """A hint that slices to the text is confirmed, a wrong one repaired if unique, else dropped (EV-3)."""
    span = Span(id="a", text="two", start=4, end=7)
    assert confirm_offsets(span, "one two").offsets_verified
    assert confirm_offsets(span, "two one").start == 0
    assert confirm_offsets(span, "two one two").start is None


def test_ids_are_stable_and_tell_sources_apart() -> None:
    """The same text of the same source has the same id wherever it stands; another version has another."""
    assert mint_id("a", "1", "s", "x") == mint_id("a", "1", "s", "x") != mint_id("a", "2", "s", "x")


@settings(deadline=None, derandomize=True)
@given(st.text(min_size=1), st.text())
def test_marking_never_claims_text_that_is_not_there(text: str, prompt: str) -> None:
    """Whatever is marked delivered really stands in the prompt, word for word."""
    if not text.strip():
        return
    (span,) = mark_delivered((Span(id="a", text=text),), prompt)
    for low, high in span.delivered_ranges or (((0, len(text)),) if span.delivered else ()):
        assert " ".join(text[low:high].split()) in " ".join(prompt.split())
