"""What ids look like, so that a reference to an id that nobody gave can be told from a bracket in the text."""

from __future__ import annotations

import re

__all__ = ["is_telling", "is_year", "shape"]

_RUN = re.compile(r"[^\W\d_]+|\d+|.", re.DOTALL)
_HEX = re.compile(r"[0-9a-f]{6,}\Z", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z", re.IGNORECASE)
_YEAR = re.compile(r"(?:1[5-9]|20|21)\d\d\Z")


def shape(name: str) -> str:
    """The pattern of letters, digits and signs: "S12" -> "A0", "file-aa" -> "a-a", "policy@2026#2" -> "a@0#0"."""
    if _UUID.match(name):
        return "uuid"
    if _HEX.match(name) and any(c.isdigit() for c in name) and any(c.isalpha() for c in name):
        return f"hex{len(name)}"
    return "".join(_class(run) for run in _RUN.findall(name))


def _class(run: str) -> str:
    if run[0].isdigit():
        return "0"
    if not run[0].isalpha():
        return run
    if run.isupper():
        return "A"
    return "Aa" if run[0].isupper() else "a"


def is_telling(pattern: str) -> bool:
    """Whether text of this shape can hardly be prose: letters and digits together, or a sign that only ids use."""
    if pattern == "uuid" or pattern.startswith("hex"):
        return True
    letters = any(c in "Aa" for c in pattern)
    return (letters and "0" in pattern and " " not in pattern) or (
        not set("@#:/_").isdisjoint(pattern) and " " not in pattern
    )


def is_year(name: str) -> bool:
    """Whether a bare number reads as a calendar year."""
    return bool(_YEAR.match(name))
