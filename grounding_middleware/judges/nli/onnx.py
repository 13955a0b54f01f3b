"""Runs an exported sequence classifier with onnxruntime and tokenizers (extra `nli`); no torch, no network."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grounding_middleware.errors import ConfigError, JudgeError
from grounding_middleware.judges.nli import settings, source
from grounding_middleware.judges.protocol import ModelCall, ModelReply
from grounding_middleware.judges.threads import in_thread

FILES = (
    "model.onnx",
    "onnx/model.onnx",
    "model_quantized.onnx",
    "onnx/model_quantized.onnx",
    "model_int8.onnx",
    "onnx/model_int8.onnx",
)
"""Where exports put the model; the first that is there is taken."""

BATCH = 16

_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})


class OnnxModel:
    """The model at `where`: a folder, an installed model's name, or the hub id of one that has been downloaded.

    The folder holds the ONNX file (`file`, or one of `FILES`), `tokenizer.json`, `config.json` with its label names and
    optionally `grounding.json`. Pairs longer than the model reads are refused, never cut. Threads may share it.
    Raises `ConfigError` for a file that is missing, damaged or not the one it should be.
    """

    def __init__(self, where: str | Path, *, file: str | None = None, threads: int = 1) -> None:
        folder = source.folder(where)
        found = settings.read(folder)
        path = _model_file(folder, file)
        self._session = _session(path, threads)
        self._tokenizer = _tokenizer(folder)
        self._inputs = self._checked_inputs(path)
        self._settings = found
        self.name = found.name
        self.max_tokens = found.max_tokens
        self.thresholds = found.thresholds
        self.special_tokens = int(self._tokenizer.num_special_tokens_to_add(is_pair=True))
        with path.open("rb") as opened:
            self.version = hashlib.file_digest(opened, "sha256").hexdigest()

    def count(self, text: str) -> int:
        """Tokens of `text`, without special ones."""
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def complete(self, call: ModelCall) -> ModelReply:
        """Probabilities of entailment, neutral and contradiction for each pair, in order."""
        if not call.pairs:
            raise JudgeError("a local model scores pairs; it cannot answer a prompt")
        encoded = self._tokenizer.encode_batch(list(call.pairs))
        longest = max(len(one.ids) for one in encoded)
        if longest > self.max_tokens:
            raise JudgeError(f"a pair has {longest} tokens, the model reads {self.max_tokens}")
        order = sorted(range(len(encoded)), key=lambda at: len(encoded[at].ids))  # batches of like length
        scores: dict[int, tuple[float, ...]] = {}
        for at in range(0, len(order), BATCH):
            chosen = order[at : at + BATCH]
            rows = self._run([encoded[one] for one in chosen])
            scores.update(zip(chosen, map(self._settings.probabilities, rows), strict=True))
        tokens = sum(len(one.ids) for one in encoded)
        return ModelReply(
            scores=tuple(scores[at] for at in range(len(encoded))),
            model=self.name,
            input_tokens=tokens,
            output_tokens=0,
        )

    async def acomplete(self, call: ModelCall) -> ModelReply:
        """The same, in a thread."""
        return await asyncio.wrap_future(in_thread(self.complete, call))

    def _run(self, encoded: Sequence[Any]) -> list[list[float]]:
        import numpy as np  # noqa: PLC0415  # comes with onnxruntime

        width = max(len(one.ids) for one in encoded)
        shape = (len(encoded), width)
        feed = {
            "input_ids": np.full(shape, self._settings.padding, dtype=np.int64),
            "attention_mask": np.zeros(shape, dtype=np.int64),
            "token_type_ids": np.zeros(shape, dtype=np.int64),
        }
        for row, one in enumerate(encoded):
            feed["input_ids"][row, : len(one.ids)] = one.ids
            feed["attention_mask"][row, : len(one.ids)] = 1
            feed["token_type_ids"][row, : len(one.ids)] = one.type_ids
        (logits, *_) = self._session.run(None, {name: feed[name] for name in self._inputs})
        outputs = len(self._settings.labels)
        if logits.shape != (len(encoded), outputs):
            raise JudgeError(f"the model gives {logits.shape}, its label names ask for {(len(encoded), outputs)}")
        if not np.isfinite(logits).all():
            raise JudgeError("the model gives scores that are not finite")
        rows: list[list[float]] = logits.astype(np.float64).tolist()
        return rows

    def _checked_inputs(self, path: Path) -> tuple[str, ...]:
        names = tuple(one.name for one in self._session.get_inputs())
        if not {"input_ids", "attention_mask"} <= set(names) <= _INPUTS:
            raise ConfigError(f"{path.name} takes {', '.join(names)}; allowed are {', '.join(sorted(_INPUTS))}")
        return names


def _model_file(folder: Path, file: str | None) -> Path:
    wanted = (file,) if file else FILES
    found = next((folder / name for name in wanted if (folder / name).is_file()), None)
    if found is None:
        raise ConfigError(f"{' or '.join(wanted)} is missing in {str(folder)!r}")
    return found


def _session(path: Path, threads: int) -> Any:
    try:
        import onnxruntime  # noqa: PLC0415  # optional, and slow to import
    except ImportError as error:
        raise ConfigError("onnxruntime is missing; install grounding-middleware[nli]") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    try:
        return onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    except Exception as error:  # its exceptions share no base class
        raise ConfigError(f"{path.name} cannot be loaded: {type(error).__name__}") from error


def _tokenizer(folder: Path) -> Any:
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415  # optional
    except ImportError as error:
        raise ConfigError("tokenizers is missing; install grounding-middleware[nli]") from error
    path = folder / "tokenizer.json"
    if not path.is_file():
        raise ConfigError(f"tokenizer.json is missing in {str(folder)!r}")
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exception
        raise ConfigError(f"tokenizer.json cannot be read: {error}") from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer
