"""Stores the large matrices of an ONNX file as int8 with a scale for each row or column; sums stay in float.

A runtime unpacks them once when it loads the file. Other than with dynamic quantisation a pair gets the same score
whatever stands beside it in its batch, and the same on processors with and without int8 instructions.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper

LEAST: Final = 10_000
"""Values of a matrix that is worth packing; smaller ones stay as they are."""


def pack(model: ModelProto) -> ModelProto:
    """The same model, its matrices of at least 10,000 values as int8, in place."""
    graph = model.graph
    tables = {node.input[0] for node in graph.node if node.op_type == "Gather"}
    large = [one for one in graph.initializer if len(one.dims) == 2 and np.prod(one.dims) >= LEAST]
    added: list[NodeProto] = []
    for tensor in large:
        if tensor.data_type != TensorProto.FLOAT:
            continue
        whole, scale = _rounded(numpy_helper.to_array(tensor), axis=1 if tensor.name in tables else 0)
        name = tensor.name
        graph.initializer.remove(tensor)
        graph.initializer.append(numpy_helper.from_array(whole, f"{name}.int8"))
        graph.initializer.append(numpy_helper.from_array(scale, f"{name}.scale"))
        if name in tables:
            _look_up_packed(graph, name)
        else:
            added += _unpacking(f"{name}.int8", f"{name}.scale", name)
    nodes = [*added, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    return model


def _rounded(values: NDArray[Any], axis: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """Values as int8 from -127 to 127, and the float32 scale along `axis` that turns them back."""
    scale = np.maximum(np.abs(values).max(axis=axis, keepdims=True), 1e-12) / 127.0
    whole: NDArray[Any] = np.clip(np.rint(values / scale), -127, 127).astype(np.int8)
    return whole, scale.astype(np.float32)


def _unpacking(whole: str, scale: str, out: str) -> list[NodeProto]:
    """Nodes that make `out` of the two; all their inputs are constants, so a runtime runs them once."""
    return [
        helper.make_node("Cast", [whole], [f"{out}.cast"], to=TensorProto.FLOAT),
        helper.make_node("Mul", [f"{out}.cast", scale], [out]),
    ]


def _look_up_packed(graph: Any, name: str) -> None:
    """Look rows up in the packed table and unpack only those."""
    nodes = list(graph.node)
    del graph.node[:]
    for node in nodes:
        if node.op_type != "Gather" or node.input[0] != name:
            graph.node.append(node)
            continue
        out = node.output[0]
        for part in ("int8", "scale"):
            graph.node.append(helper.make_node("Gather", [f"{name}.{part}", node.input[1]], [f"{out}.{part}"], axis=0))
        graph.node.extend(_unpacking(f"{out}.int8", f"{out}.scale", out))
