"""What is handed out beside an answer: sources that can be named, and metadata in which no model speaks.

Engines wrap answers of inner engines as nodes, and keep drafts and reasons in metadata. All of that is a model's text
that nobody verified. `response` is ours to change in all of these functions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, get_args

from llama_index.core.base.base_selector import SelectorResult
from llama_index.core.base.response.schema import RESPONSE_TYPE
from llama_index.core.schema import NodeWithScore

from grounding_middleware_llama_index._nodes import OWN_RECORD, RECORD, Reading, has_name, without_records

R = TypeVar("R", bound=RESPONSE_TYPE)


def cleaned(response: R, reading: Reading, written: Sequence[str]) -> R:
    """`response` without nodes nobody can be named for, and without what models have `written` in its metadata.

    Marks of capturing go, too: LlamaIndex prints metadata into other prompts.
    """
    nodes = {item.node.node_id: has_name(item.node, reading) for item in response.source_nodes}
    response.source_nodes = [_without_own(item) for item in response.source_nodes if nodes[item.node.node_id]]
    if response.metadata:
        texts = tuple(text for text in map(str.strip, written) if text)
        response.metadata = {
            key: _quiet(value)
            for key, value in response.metadata.items()
            if (nodes[key] if key in nodes else not _speaks(value, texts))
        }
    return response


def _speaks(value: Any, written: Sequence[str]) -> bool:
    """Whether a model's words are in `value`: a whole response, or a text that holds what it wrote."""
    if isinstance(value, str):
        return any(text in value for text in written)
    if isinstance(value, dict):
        return any(_speaks(item, written) for item in value.values())
    if isinstance(value, list | tuple):
        return any(_speaks(item, written) for item in value)
    return isinstance(value, get_args(RESPONSE_TYPE))


def _quiet(value: Any) -> Any:
    """The choices of a router without its model's reasons; metadata of nodes without marks of capturing."""
    if isinstance(value, SelectorResult):
        silent = [choice.model_copy(update={"reason": ""}) for choice in value.selections]
        return value.model_copy(update={"selections": silent})
    return without_records(value) if isinstance(value, dict) and {RECORD, OWN_RECORD} & value.keys() else value


def _without_own(item: NodeWithScore) -> NodeWithScore:
    node = item.node
    if OWN_RECORD not in node.metadata:
        return item
    update = {
        "metadata": {key: value for key, value in node.metadata.items() if key != OWN_RECORD},
        "excluded_llm_metadata_keys": [key for key in node.excluded_llm_metadata_keys if key != OWN_RECORD],
        "excluded_embed_metadata_keys": [key for key in node.excluded_embed_metadata_keys if key != OWN_RECORD],
    }
    return NodeWithScore(node=node.model_copy(update=update), score=item.score)
