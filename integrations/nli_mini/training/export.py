"""Writes the folder a runtime loads: the model as int8 ONNX, its tokenizer, its label names, the hashes of its files.

    python -m training.export RUN/last.0.pt OUT --tokenizer BASE/tokenizer.json

The checkpoint's weights become float ONNX, then matrices and embeddings are stored as int8. Prints how far the
probabilities are from those of the checkpoint on held-out pairs.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import numpy as np
import onnx
import onnxruntime
import torch
from numpy.typing import NDArray

from training.batches import Batch, Pairs
from training.mix import MAX_TOKENS
from training.network import Verifier
from training.packing import pack

FILE: Final = "model_int8.onnx"
NAME: Final = "grounding-middleware-nli-mini"
_INPUTS: Final = ("input_ids", "attention_mask", "token_type_ids")
_COMPARED: Final = 200


def main() -> int:
    """Export, pack, compare, write the small files beside."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkpoint", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--watched", type=Path, help="watched.npz of the mix, to compare on")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    model = loaded(args.checkpoint)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "model.onnx"
        export(model, plain)
        onnx.save(pack(onnx.load(plain)), args.out / FILE)
    shutil.copyfile(args.tokenizer, args.out / "tokenizer.json")
    describe(args.out)
    print(f"{(args.out / FILE).stat().st_size / 1e6:.1f} MB")
    if args.watched:
        print(compared(model, args.out / FILE, Pairs.load(args.watched)))
    return 0


def loaded(checkpoint: Path) -> Verifier:
    """The model of a checkpoint, ready to be asked."""
    held: dict[str, Any] = torch.load(checkpoint, weights_only=True)
    model = Verifier(frozen=held["frozen"])
    model.load_state_dict(held["model"])
    return model.eval()


def export(model: Verifier, path: Path) -> None:
    """Write float ONNX for any number of pairs of any length."""
    ids = torch.tensor([[101, 2000, 2001, 102, 2000, 102], [101, 2002, 2003, 102, 2004, 102]])
    types = torch.tensor([[0, 0, 0, 0, 1, 1]] * 2)
    pairs, tokens = torch.export.Dim("pairs", min=1, max=4096), torch.export.Dim("tokens", min=4, max=512)
    torch.onnx.export(
        model,
        (ids, torch.ones_like(ids), types),
        str(path),
        input_names=list(_INPUTS),
        output_names=["logits"],
        dynamic_shapes=[{0: pairs, 1: tokens}] * 3,
        opset_version=18,
        dynamo=True,
        external_data=False,
    )


def describe(out: Path) -> None:
    """Label names, length and hashes, as the judge of the package reads them."""
    config = {
        "_name_or_path": NAME,
        "id2label": {"0": "entailment", "1": "neutral", "2": "contradiction"},
        "max_position_embeddings": MAX_TOKENS,
        "model_type": "bert",
        "pad_token_id": 0,
    }
    (out / "config.json").write_text(json.dumps(config, indent=2) + "\n", "utf-8")
    tokenizer = json.loads((out / "tokenizer.json").read_text("utf-8"))
    tokenizer |= {"truncation": None, "padding": None}  # the judge pads and never cuts
    (out / "tokenizer.json").write_text(json.dumps(tokenizer, ensure_ascii=False), "utf-8")
    hashes = {name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in (FILE, "tokenizer.json")}
    (out / "grounding.json").write_text(json.dumps({"sha256": hashes}, indent=2) + "\n", "utf-8")


def compared(model: Verifier, path: Path, pairs: Pairs) -> str:
    """How far the file's probabilities are from the model's."""
    session = onnxruntime.InferenceSession(str(path), providers=["CPUExecutionProvider"])
    order = np.argsort(pairs.lengths[:_COMPARED], kind="stable")
    ours, theirs, labels = [], [], []
    for at in range(0, len(order), 16):
        batch = pairs.batch(order[at : at + 16])
        with torch.no_grad():
            ours.append(model(batch.ids, batch.mask, batch.types).softmax(1).numpy())
        theirs.append(_probabilities(session, batch))
        labels.append(batch.labels.numpy())
    one, other, label = np.concatenate(ours), np.concatenate(theirs), np.concatenate(labels)
    off = np.abs(one - other).max(1)
    right = [float(((part[:, 0] > 0.5) == (label == 0)).mean()) for part in (one, other)]
    return f"largest difference {off.max():.3f}, mean {off.mean():.4f}; right of two {right[0]:.3f} -> {right[1]:.3f}"


def _probabilities(session: Any, batch: Batch) -> NDArray[Any]:
    feed = dict(zip(_INPUTS, (batch.ids.numpy(), batch.mask.numpy(), batch.types.numpy()), strict=True))
    (logits,) = session.run(None, feed)
    powers = np.exp(logits - logits.max(1, keepdims=True))
    found: NDArray[Any] = powers / powers.sum(1, keepdims=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
