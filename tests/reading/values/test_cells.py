"""Cells of tables take currency, scale and unit from their header or the table's corner."""

from __future__ import annotations

import time

from grounding_middleware.reading import values
from grounding_middleware.reading.values import Relation
from grounding_middleware.records import Kind

TABLES = {"test_cell_is_read_with_its_header": ("cells.jsonl",)}


def test_cell_is_read_with_its_header(row, faults):
    """What the cell leaves out comes from the header, then the corner; what it says itself stays."""
    found = values.find_cell(row["cell"], row["header"], row.get("corner", ""), row.get("language", "en"))
    assert [value.text for value in found] == [line.partition(" => ")[0] for line in row["values"]]
    wrong = {line: faults(value, line) for value, line in zip(found, row["values"], strict=True)}
    assert not {line: each for line, each in wrong.items() if each}


def test_cell_in_thousands_conflicts_with_the_bare_number():
    """EUR 3,250 is not the 3,250 of a table in EUR thousand, EUR 3.25 million is."""
    cell = values.find_cell("3,250", "2025", "EUR thousand")[0]
    bare = values.compare(values.find("EUR 3,250")[0], cell)
    assert (bare.relation, bare.kind) == (Relation.DISJOINT, Kind.SCALE)
    assert values.compare(values.find("EUR 3.25 million")[0], cell).relation is Relation.ENTAILED


def test_long_headers_do_not_slow_cells_down():
    """A header of many words is looked at once, word by word."""
    start = time.perf_counter()
    values.find_cell("5", "amount of the claim " * 500)
    assert time.perf_counter() - start < 2
