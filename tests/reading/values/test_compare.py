"""What `compare` says: golden pairs in both directions, and the laws every comparison keeps."""

from __future__ import annotations

import pytest

from grounding_middleware.reading import values
from grounding_middleware.reading.values import Relation

TABLES = {
    "test_pair_compares_as_the_table_says": ("compare.jsonl",),
    "test_every_value_of_the_tables_entails_itself": ("find_english.jsonl", "find_languages.jsonl"),
}


def _last(text, language):
    found = values.find(text, language)
    assert found, f"no value in {text!r}"
    return found[-1]


def test_pair_compares_as_the_table_says(row):
    """Relation and kind of difference between the last value of the claim and the last value of the source."""
    language = row.get("language", "en")
    claim = _last(row["claim"], language)
    source = _last(row["source"], row.get("source_language", language))
    found = values.compare(claim, source)
    assert (found.relation, found.kind if found.relation is Relation.DISJOINT else None) == (
        row["relation"],
        row.get("kind"),
    ), found.reason
    assert found.reason


def test_every_value_of_the_tables_entails_itself(row):
    """A value read anywhere entails the same value read again."""
    language = row.get("language", "en")
    again = values.find("Well. " + row["text"], language)
    for value, same in zip(values.find(row["text"], language), again, strict=True):
        assert values.compare(value, same).relation is Relation.ENTAILED, value


@pytest.mark.parametrize(
    ("left", "right"),
    [("5 km", "5,000 m"), ("551 lb", "551 pounds"), ("2 weeks", "14 days"), ("1.5 h", "90 min"), ("€0.50", "50 cents")],
)
def test_exact_conversion_holds_both_ways(left, right):
    """What is equal after conversion is entailed in both directions."""
    one, other = _last(left, "en"), _last(right, "en")
    assert values.compare(one, other).relation is Relation.ENTAILED
    assert values.compare(other, one).relation is Relation.ENTAILED
