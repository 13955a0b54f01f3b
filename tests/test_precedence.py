"""Which of two spans prevails: each criterion, what it refuses to say, and settings that die at construction."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware import Span
from grounding_middleware.errors import ConfigError
from grounding_middleware.evidence import EvidenceRules
from grounding_middleware.precedence import ruling

LATER, EARLIER = "2026-01-01", "2024-01-01"


def prevailing(criteria: list[dict[str, Any]], one: dict[str, Any], other: dict[str, Any], **requester: Any) -> str:
    """The id of the span that prevails, "" when nothing tells; asserts that the order of the two does not matter."""
    spans = [Span(id=name, text="x", **fields) for name, fields in (("a", one), ("b", other))]
    precedence = EvidenceRules(precedence=criteria).precedence
    found = {getattr(ruling(*pair, precedence, requester), "prevails", "") for pair in permutations(spans)}
    assert len(found) == 1
    return found.pop()


@pytest.mark.parametrize(
    ("criterion", "one", "other", "wins"),
    [
        ({"by": "version"}, {"source_id": "p", "version": "2.10"}, {"source_id": "p", "version": "2.9"}, "a"),
        ({"by": "version"}, {"source_id": "p", "version": "2025"}, {"source_id": "p", "version": "2026"}, "b"),
        ({"by": "version"}, {"source_id": "p", "version": "v2"}, {"source_id": "p", "version": "2.0"}, ""),
        ({"by": "version"}, {"source_id": "p", "version": "2026"}, {"source_id": "p", "version": "3"}, ""),
        ({"by": "version"}, {"source_id": "p", "version": "final"}, {"source_id": "p", "version": "2"}, ""),
        ({"by": "version"}, {"source_id": "p", "version": "2"}, {"source_id": "q", "version": "1"}, ""),
        ({"by": "version"}, {"source_id": "p", "version": "2"}, {"source_id": "p"}, ""),
        ({"by": "effective_from"}, {"effective_from": LATER}, {"effective_from": EARLIER}, "a"),
        ({"by": "effective_from"}, {"effective_from": LATER}, {"effective_from": LATER}, ""),
        ({"by": "effective_from"}, {"effective_from": LATER}, {}, ""),
        ({"by": "source", "order": ["law", "faq"]}, {"source_id": "faq"}, {"source_id": "law"}, "b"),
        ({"by": "source", "order": ["law", "faq"]}, {"source_id": "faq"}, {"source_id": "blog"}, ""),
        ({"by": "source", "order": ["law", "*"]}, {"source_id": "blog"}, {"source_id": "law"}, "b"),
        ({"by": "source", "order": ["*", "faq"]}, {"source_id": "faq"}, {"source_id": "blog"}, "b"),
        ({"by": "source", "order": ["law", "*"]}, {"source_id": "blog"}, {"source_id": "faq"}, ""),
        ({"by": "metadata", "key": "k", "order": ["x", "*"]}, {"metadata": {"k": "x"}}, {"metadata": {"k": "z"}}, "a"),
        ({"by": "metadata", "key": "k", "order": ["x", "*"]}, {"metadata": {"k": "x"}}, {}, ""),
        ({"by": "metadata", "key": "k", "prefer": "highest"}, {"metadata": {"k": 2}}, {"metadata": {"k": "10"}}, "b"),
        ({"by": "metadata", "key": "k", "prefer": "lowest"}, {"metadata": {"k": 2}}, {"metadata": {"k": "10"}}, "a"),
        ({"by": "metadata", "key": "k", "prefer": "highest"}, {"metadata": {"k": 2}}, {"metadata": {"k": "NaN"}}, ""),
        ({"by": "metadata", "key": "k", "prefer": "highest"}, {"metadata": {"k": 2}}, {"metadata": {"k": True}}, ""),
        ({"by": "metadata", "key": "k", "prefer": "highest"}, {"metadata": {"k": 2}}, {}, ""),
    ],
)
def test_criterion(criterion: dict[str, Any], one: dict[str, Any], other: dict[str, Any], wins: str) -> None:
    """A criterion ranks what it can compare and says nothing of the rest: a missing attribute never wins."""
    assert prevailing([criterion], one, other) == wins


@pytest.mark.parametrize(
    ("one", "other", "region", "wins"),
    [
        ({"region": "SG"}, {}, "SG", "a"),
        ({"region": ["SG"]}, {"region": ["SG", "MY"]}, "SG", "a"),
        ({"region": "SG"}, {}, None, ""),
        ({"region": ["SG", "MY"]}, {"region": ["SG", "TH"]}, "SG", ""),
        ({"role": "x"}, {}, "SG", ""),
    ],
)
def test_audience(one: dict[str, Any], other: dict[str, Any], region: str | None, wins: str) -> None:
    """The rule for the requester's own region goes before the one for everybody; unknown requesters decide nothing."""
    criteria = [{"by": "audience", "key": "region"}]
    assert prevailing(criteria, {"audience": one}, {"audience": other}, region=region) == wins


def test_the_first_criterion_that_tells_decides() -> None:
    """Later criteria count only where the earlier ones do not compare."""
    old_law = {"source_id": "law", "effective_from": EARLIER}
    new_faq = {"source_id": "faq", "effective_from": LATER}
    order, day = {"by": "source", "order": ["law", "faq"]}, {"by": "effective_from"}
    assert prevailing([order, day], old_law, new_faq) == "a"
    assert prevailing([day, order], old_law, new_faq) == "b"
    assert prevailing([order, day], old_law, {**new_faq, "source_id": "law"}) == "b"


def test_nothing_prevails_by_default() -> None:
    """Without a criterion no source is preferred, however new or official it is."""
    assert prevailing([], {"source_id": "p", "version": "2"}, {"source_id": "p", "version": "1"}) == ""


@pytest.mark.parametrize(
    ("precedence", "words"),
    [
        ([{"by": "age"}], ("precedence", "age", "version", "metadata")),
        (["version"], ("precedence.0", "version")),
        ([{"by": "source", "order": ["a", "b", "a"]}], ("order", "'a' stands twice", "circle")),
        ([{"by": "source", "order": ["a"]}], ("order", "at least 2")),
        ([{"by": "source", "order": ["a", ""]}], ("order.1", "at least 1")),
        ([{"by": "source", "ordre": ["a", "b"]}], ("ordre",)),
        ([{"by": "metadata", "key": "k"}], ("'k'", "order", "prefer")),
        ([{"by": "metadata", "key": "k", "order": ["a", "b"], "prefer": "lowest"}], ("exactly one",)),
        ([{"by": "metadata", "key": "k", "prefer": "newest"}], ("prefer", "newest", "highest")),
        ([{"by": "metadata", "prefer": "highest"}], ("key", "required")),
        ([{"by": "audience"}], ("key", "required")),
        ([{"by": "version"}, {"by": "version"}], ("'version'", "twice")),
        (
            [{"by": "source", "order": ["a", "b"]}, {"by": "source", "order": ["b", "a"]}],
            ("'source'", "one criterion for each attribute"),
        ),
    ],
)
def test_wrong_settings(precedence: list[Any], words: tuple[str, ...]) -> None:
    """A wrong precedence dies at construction, naming the field, the value and what is allowed."""
    with pytest.raises(ConfigError) as error:
        EvidenceRules(precedence=precedence)
    assert all(word.lower() in str(error.value).lower() for word in ("EvidenceRules.precedence", *words))


VERSIONS = st.sampled_from(["", "1", "2", "2.1", "v3", "2025", "2026", "draft"])
SPANS = st.builds(
    lambda source, version, day, rank: {
        "source_id": source,
        "version": version,
        "effective_from": day,
        "metadata": {} if rank is None else {"rank": rank},
    },
    st.sampled_from(["p", "q", "r"]),
    VERSIONS,
    st.sampled_from([None, EARLIER, LATER]),
    st.sampled_from([None, 1, 2, "3", "x", True]),
)
CRITERIA = [
    {"by": "version"},
    {"by": "effective_from"},
    {"by": "source", "order": ["p", "*"]},
    {"by": "metadata", "key": "rank", "prefer": "highest"},
]


@given(SPANS, SPANS, st.permutations(CRITERIA))
def test_symmetric(one: dict[str, Any], other: dict[str, Any], criteria: list[dict[str, Any]]) -> None:
    """Whatever the spans and criteria, the result does not depend on which span comes first."""
    prevailing(criteria, one, other)
