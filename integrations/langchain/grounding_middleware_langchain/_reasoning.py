"""What a model thought or weighed before it answered: nobody verifies it, so no verified answer carries it.

Beside tool calls it stays: providers demand it back, unchanged, together with the results of the tools. What is no text
(ids, signatures, encrypted items) stays as well: the next turn refers to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_WHOLE = frozenset({"thinking", "reasoning_content"})
_KEYS = frozenset({"reasoning_content", "reasoning_details", "thinking"})
_TEXTS = frozenset({"reasoning", "content", "text", "index"})


def blocks_without(content: str | Sequence[Any]) -> Any:
    """Message content without the text of its reasoning blocks; a plain text has none."""
    if isinstance(content, str):
        return content
    kept = (_emptied(block) for block in content)
    return [block for block in kept if block is not None]


def kwargs_without(extra: Mapping[str, Any]) -> dict[str, Any]:
    """Additional arguments of a message without the places where providers put reasoning."""
    kept = {key: value for key, value in extra.items() if key not in _KEYS}
    item = kept.pop("reasoning", None)
    emptied = _emptied({"type": "reasoning", **item}) if isinstance(item, Mapping) else None
    return kept if emptied is None else {**kept, "reasoning": emptied}


def without_tokens(metadata: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata of a message without log probabilities: token by token they spell the answer as it was."""
    return {key: value for key, value in metadata.items() if key != "logprobs"}


def _emptied(block: Any) -> Any | None:
    """The block itself, what is left of a reasoning block without its text, or None when nothing is."""
    if not isinstance(block, Mapping) or block.get("type") not in {*_WHOLE, "reasoning"}:
        return block
    if block["type"] in _WHOLE:
        return None
    left = {key: value for key, value in block.items() if key not in _TEXTS}
    if left.get("summary"):
        left["summary"] = []
    return left if left.keys() - {"type", "summary"} else None
