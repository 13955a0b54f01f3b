"""Regular expressions mean the same in every Python we support (CPython gh-106052, mended in 3.11.5)."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
POSSESSIVE_GROUP = re.compile(r"\)(?:[*+?]|\{\d*,?\d*\})\+")
SOURCES = [
    path
    for folder in (ROOT / "grounding_middleware", ROOT / "integrations")
    for suffix in ("py", "toml", "json")
    for path in sorted(folder.rglob(f"*.{suffix}"))
]


def test_no_possessive_group() -> None:
    """3.11.0 to 3.11.4 misread `(?:ab)*+`, though not `a*+`; a group that gives nothing back is `(?>(?:ab)*)`."""
    assert len(SOURCES) > 100
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in SOURCES
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if POSSESSIVE_GROUP.search(line)
    ]
    assert found == []
