"""The table of the README says what was measured: it is written from the figures, never by hand."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLE = runpy.run_path(str(ROOT / "benchmarks" / "figures" / "table.py"))
FIGURES = json.loads((ROOT / "benchmarks" / "figures" / "figures.json").read_text("utf-8"))


def test_the_readme_shows_the_figures_as_they_were_measured() -> None:
    """Changing one side alone fails."""
    text = (ROOT / "README.md").read_text("utf-8")
    assert TABLE["placed"](text, TABLE["table"](FIGURES)) == text


def test_every_set_of_cases_is_in_the_figures() -> None:
    """A set that reads badly cannot be left out."""
    sets = {path.stem for path in (ROOT / "benchmarks" / "cases").glob("*.jsonl")} | {"visible"}
    assert sets <= {one["name"] for one in FIGURES["sets"]}
    assert not [one["name"] for one in FIGURES["sets"] if one["errors"]]
