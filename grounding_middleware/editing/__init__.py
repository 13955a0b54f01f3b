"""Taking statements out of an answer so that a reader does not notice (SPEC RE-1, RE-4).

    layout (lines, blocks, items) -> units -> what goes with what (parts, structure, dangling) -> cuts -> text

What stays is byte-identical apart from list numbers; every cut is an `Edit` with its reason. Reference lists and
footnote definitions stay, also when nothing cites them any more.
"""

from __future__ import annotations

from grounding_middleware.editing.removal import edit

__all__ = ["edit"]
