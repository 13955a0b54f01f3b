"""Makes the tiny classifier of these tests; run by hand, needs the `onnx` package. The result is checked in.

It adds up one row of weights for each word of the premise, so that every figure can be worked out on paper: "yes" is
for entailment, "no" for contradiction, every other word a little for neutral. Padding would shout "contradiction" if
the attention mask were ignored, the hypothesis would if the token types were, and there are positions for 32 tokens.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

HERE = Path(__file__).with_name("tiny")
WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "yes", "no", "the", "desk", "opens", "at", "nine")
LABELS = ("contradiction", "entailment", "neutral")  # not the usual order, on purpose
POSITIONS = 32


def weights() -> np.ndarray:
    """One row a word: contradiction, entailment, neutral."""
    table = np.zeros((len(WORDS), len(LABELS)), dtype=np.float32)
    table[WORDS.index("[PAD]")] = (100, 0, 0)
    table[WORDS.index("yes")] = (0, 8, 0)
    table[WORDS.index("no")] = (8, 0, 0)
    return table


def graph() -> object:
    """Sum of the rows of all premise tokens, plus a bias for neutral."""
    node = helper.make_node
    nodes = [
        node("Gather", ["words", "input_ids"], ["rows"]),
        node("Shape", ["input_ids"], ["shape"]),
        node("Gather", ["shape", "one"], ["width"]),
        node("Range", ["zero", "width", "one"], ["positions"]),
        node("Gather", ["places", "positions"], ["placed"]),  # fails beyond the last position, as real models do
        node("Add", ["rows", "placed"], ["embedded"]),
        node("Sub", ["one", "token_type_ids"], ["premise"]),
        node("Mul", ["attention_mask", "premise"], ["counted"]),
        node("Cast", ["counted"], ["weight"], to=TensorProto.FLOAT),
        node("Unsqueeze", ["weight", "last"], ["column"]),
        node("Mul", ["embedded", "column"], ["kept"]),
        node("ReduceSum", ["kept", "first"], ["summed"], keepdims=0),
        node("Add", ["summed", "bias"], ["logits"]),
    ]
    constants = {
        "words": weights(),
        "places": np.zeros((POSITIONS, len(LABELS)), dtype=np.float32),
        "bias": np.array([0, 0, 2], dtype=np.float32),
        "zero": np.array(0, dtype=np.int64),
        "one": np.array(1, dtype=np.int64),
        "last": np.array([-1], dtype=np.int64),
        "first": np.array([1], dtype=np.int64),
    }
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "width"])
        for name in ("input_ids", "attention_mask", "token_type_ids")
    ]
    outputs = [helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", len(LABELS)])]
    initial = [numpy_helper.from_array(value, name) for name, value in constants.items()]
    return helper.make_graph(nodes, "tiny", inputs, outputs, initial)


def tokenizer() -> Tokenizer:
    """Whole words, anything else unknown."""
    made = Tokenizer(models.WordLevel({word: at for at, word in enumerate(WORDS)}, unk_token="[UNK]"))  # noqa: S106
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    ends = [("[CLS]", WORDS.index("[CLS]")), ("[SEP]", WORDS.index("[SEP]"))]
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=ends
    )
    return made


def main() -> None:
    """Write the four files."""
    HERE.mkdir(exist_ok=True)
    model = helper.make_model(graph(), opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model, full_check=True)
    save(model, str(HERE / "model.onnx"))
    tokenizer().save(str(HERE / "tokenizer.json"))
    config = {
        "_name_or_path": "tiny",
        "id2label": dict(enumerate(LABELS)),
        "max_position_embeddings": POSITIONS,
        "pad_token_id": 0,
    }
    (HERE / "config.json").write_text(json.dumps(config, indent=1) + "\n")


if __name__ == "__main__":
    main()
