"""Runs a sequence classifier with the transformers library, for models without an ONNX export, such as MiniCheck's.

Optional and heavy: it needs torch. Only files on this machine are used, and no code that comes with a model is run.
Models that write their answer (flan-t5 and the like) are chat models here: give them as a function.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from grounding_middleware.errors import ConfigError, JudgeError
from grounding_middleware.judges.nli import settings, source
from grounding_middleware.judges.protocol import ModelCall, ModelReply
from grounding_middleware.judges.threads import in_thread

BATCH = 8


class TransformersModel:
    """The classifier at `where`, as `OnnxModel` takes it; two labels (supported or not) or three.

    Pairs longer than the model reads are refused, never cut. Raises `ConfigError` when it cannot be loaded.
    """

    def __init__(self, where: str | Path) -> None:
        try:
            import transformers  # noqa: PLC0415  # optional, and very slow to import
        except ImportError as error:
            raise ConfigError("transformers is missing; install it, with torch") from error
        folder = source.folder(where)
        self._settings = settings.read(folder)
        local: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        try:
            self._tokenizer: Any = transformers.AutoTokenizer.from_pretrained(str(folder), **local)
            model: Any = transformers.AutoModelForSequenceClassification.from_pretrained(str(folder), **local)
        except (OSError, ValueError, ImportError) as error:
            raise ConfigError(f"the model in {str(folder)!r} cannot be loaded: {type(error).__name__}") from error
        self._model = model.eval().requires_grad_(requires_grad=False)
        self.name = self._settings.name
        self.max_tokens = self._settings.max_tokens
        self.thresholds = self._settings.thresholds
        self.special_tokens = int(self._tokenizer.num_special_tokens_to_add(pair=True))
        self.version = f"transformers:{self.name}:{getattr(model.config, '_commit_hash', None) or 'local'}"

    def count(self, text: str) -> int:
        """Tokens of `text`, without special ones."""
        return len(self._tokenizer.encode(text, add_special_tokens=False))

    def complete(self, call: ModelCall) -> ModelReply:
        """Probabilities of entailment, neutral and contradiction for each pair, in order."""
        if not call.pairs:
            raise JudgeError("a local model scores pairs; it cannot answer a prompt")
        scores: list[tuple[float, ...]] = []
        tokens = 0
        for at in range(0, len(call.pairs), BATCH):
            premises, hypotheses = zip(*call.pairs[at : at + BATCH], strict=True)
            encoded = self._tokenizer(list(premises), list(hypotheses), padding=True, return_tensors="pt")
            if encoded["input_ids"].shape[1] > self.max_tokens:
                raise JudgeError(
                    f"a pair has {encoded['input_ids'].shape[1]} tokens, the model reads {self.max_tokens}"
                )
            rows: list[list[float]] = self._model(**encoded).logits.tolist()
            tokens += int(encoded["attention_mask"].sum())
            scores += map(self._settings.probabilities, rows)
        return ModelReply(scores=tuple(scores), model=self.name, input_tokens=tokens, output_tokens=0)

    async def acomplete(self, call: ModelCall) -> ModelReply:
        """The same, in a thread."""
        return await asyncio.wrap_future(in_thread(self.complete, call))
