"""The parts of the page: wordings, excerpts, drawings."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware.evaluation.golden import UNSUPPORTED
from grounding_middleware.evaluation.page.charts import Bar, Interval, Point, bars, intervals, trend
from grounding_middleware.evaluation.page.passages import AROUND, CLAIM, NAME, around, line, passage
from grounding_middleware.evaluation.page.sections.telling import percent
from grounding_middleware.evaluation.page.words import Destination, destination, fate_words, label_words
from grounding_middleware.evaluation.runs import Fate, Scored, ScoredClaim
from grounding_middleware.labels import Action, Label
from grounding_middleware.printable import printable

HOSTILE = "a<b>&\"'</svg><script>x</script>"


def test_no_two_outcomes_share_a_sign_or_words() -> None:
    """Colour only repeats what sign and words say; labels and destinations, with the two that are no label."""
    labels = [label_words(label) for label in (*Label, UNSUPPORTED, None)]
    ends = [fate_words(end) for end in Destination]
    for wordings in (labels, ends):
        assert len({wording.sign for wording in wordings}) == len(wordings)
        assert len({wording.words for wording in wordings}) == len(wordings)


@pytest.mark.parametrize(
    ("fate", "action", "expected"),
    [
        (Fate.KEPT, Action.OK, Destination.SHOWN),
        (Fate.KEPT, Action.REVISED, Destination.SHOWN),
        (Fate.KEPT, Action.REVIEW, Destination.MARKED),
        (Fate.REMOVED, Action.REVIEW, Destination.REMOVED),
        (Fate.REPAIRED, Action.REVISED, Destination.REPAIRED),
        (Fate.WITHHELD, Action.ESCALATE, Destination.ESCALATED),
        (Fate.WITHHELD, Action.DRAFT_REVIEW, Destination.ESCALATED),
        (Fate.WITHHELD, Action.BLOCKED, Destination.WITHHELD),
        (Fate.WITHHELD, Action.UNANSWERED, Destination.WITHHELD),
    ],
)
def test_where_a_statement_ended_up(fate: Fate, action: Action, expected: Destination) -> None:
    """What became of it, and whether a person is asked to look."""
    claim = ScoredClaim(text="x", start=0, end=1, fate=fate)
    assert destination(claim, Scored(id="a", answer="x", action=action, claims=(claim,))) is expected


@given(st.text(max_size=40), st.text(min_size=1, max_size=40), st.text(max_size=40))
def test_the_claim_is_marked_where_it_stands(before: str, claim: str, after: str) -> None:
    """By its offsets, never by a search; what is shown is the answer, made printable."""
    pieces = around(before + claim + after, len(before), len(before) + len(claim))
    assert [piece.text for piece in pieces if piece.marked] == [printable(claim)]
    assert "".join(piece.text for piece in pieces) == printable(before) + printable(claim) + printable(after)


def test_excerpts_are_bounded() -> None:
    """Whatever the length of answer, claim and names; what was left out is said."""
    text = "x" * 1_000_000
    assert sum(len(piece.text) for piece in around(text, 1000, 900_000)) < 2 * AROUND + CLAIM + 100
    assert "[… 999,100 characters …]" in passage(text)
    assert len(line(text)) == NAME
    assert line("two\nlines  here") == "two lines here"
    assert line(" " * 1000 + "x").endswith("…")


@pytest.mark.parametrize(
    ("share", "told"),
    [(0, "0.0 %"), (1e-17, "0.0 %"), (0.0001, "<0.1 %"), (0.5, "50.0 %"), (0.9999, ">99.9 %"), (1, "100.0 %")],
)
def test_little_is_not_told_as_nothing(share: float, told: str) -> None:
    """One escape in ten thousand is not 0.0 %."""
    assert percent(share).replace("\N{NO-BREAK SPACE}", " ") == told


@pytest.mark.parametrize(
    "drawing",
    [
        bars([Bar(HOSTILE, HOSTILE, 2), Bar("b", "c", 1)], {HOSTILE: "shown", "c": "removed"}),
        intervals([Interval(HOSTILE, 0.2, 0.1, 0.3)], "contradicted", 0.5),
        trend([Point(HOSTILE, 0.2, 0.1, 0.3), Point("b", 0.1, 0.0, 0.2)], "unverified"),
    ],
)
def test_drawings_are_plain_and_refer_to_nothing(drawing: str) -> None:
    """Well-formed; shapes and text alone; names escaped; no style, link or script; colours are the page's variables."""
    tree = ET.fromstring(drawing)  # noqa: S314  # our own
    tags = {element.tag.rpartition("}")[2] for element in tree.iter()}
    assert tags <= {"svg", "g", "path", "line", "rect", "text", "tspan", "defs", "clipPath", "title"}
    names = {name for element in tree.iter() for name in element.attrib}
    assert not {name for name in names if name in ("style", "href") or name.startswith(("on", "{"))}
    assert "a<b>" in "".join(tree.itertext())
    assert "var(--" in drawing
    assert drawing.count("http") == drawing.count("http://www.w3.org/")
