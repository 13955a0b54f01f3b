"""What can be worked out from stated values, and what must not be."""

from __future__ import annotations

import time

from grounding_middleware.reading import values
from grounding_middleware.reading.values.derive import MAX_SOURCES

TABLES = {"test_claim_is_derived_as_the_table_says": ("derive.jsonl",)}


def test_claim_is_derived_as_the_table_says(row):
    """The rule that gives the claim's last value, with its arithmetic in words; none where it does not come out."""
    language = row.get("language", "en")
    claim = values.find(row["claim"], language)[-1]
    found = values.derivable(claim, values.find(row["source"], language))
    assert (found.rule if found else None) == row["rule"], found and found.words
    if "words" in row:
        assert found.words == row["words"]


def test_operands_are_the_source_values_themselves():
    """The derivation names the values it used, so that they can be shown."""
    source = values.find("One costs EUR 412, the other EUR 358.")
    found = values.derivable(values.find("EUR 770")[0], source)
    assert found.sources == source


def test_work_is_bounded():
    """Hundreds of source values do not make it slow: only the first ones are combined."""
    source = values.find(" ".join(f"{number} boxes," for number in range(100, 700)))
    assert len(source) > MAX_SOURCES
    start = time.perf_counter()
    assert values.derivable(values.find("99999 boxes")[0], source) is None
    assert time.perf_counter() - start < 1
