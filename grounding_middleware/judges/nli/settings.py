"""What a model's own files say about it: which output means what, how much it reads, which thresholds were measured."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from grounding_middleware.errors import ConfigError
from grounding_middleware.judges.nli.thresholds import Thresholds

OWN_FILE: Final = "grounding.json"
"""Beside the model: `thresholds` as measured, `sha256` of its files by name. Both optional."""

_MEANINGS: Final[Mapping[str, str]] = {
    **dict.fromkeys(("entailment", "entail", "supported", "support", "consistent", "factual", "yes"), "entailment"),
    **dict.fromkeys(("neutral", "not_enough_info", "nei", "insufficient_evidence"), "neutral"),
    **dict.fromkeys(("contradiction", "contradict", "refuted", "refutes", "contradicted"), "contradiction"),
    **dict.fromkeys(
        ("not_entailment", "unsupported", "not_supported", "inconsistent", "hallucinated", "hallucination", "no"),
        "rest",
    ),
}
_MOST = 100_000  # larger limits in tokenizer files mean "none"
_ROBERTA_PADDING = 1  # such models count positions from padding + 1


@dataclass(frozen=True, slots=True)
class Settings:
    """`labels` says for each output what it means: entailment, neutral, contradiction, or rest (of a binary model)."""

    name: str
    labels: tuple[str, ...]
    max_tokens: int
    padding: int
    thresholds: Thresholds | None

    def probabilities(self, logits: Sequence[float]) -> tuple[float, float, float]:
        """Of entailment, neutral and contradiction. A binary model has no opinion on contradiction: it is 0."""
        if len(logits) == 1:
            yes = 1 / (1 + math.exp(-max(-700.0, min(700.0, logits[0]))))
            return yes, 1 - yes, 0.0
        highest = max(logits)
        powers = [math.exp(value - highest) for value in logits]
        by_meaning = {meaning: power / sum(powers) for meaning, power in zip(self.labels, powers, strict=True)}
        rest = by_meaning.get("neutral", 0.0) + by_meaning.get("rest", 0.0)
        return by_meaning["entailment"], rest, by_meaning.get("contradiction", 0.0)


def read(folder: Path) -> Settings:
    """The settings of the model in `folder`; raises `ConfigError` naming the file and what is wrong with it."""
    config = _json(folder / "config.json")
    own = _json(folder / OWN_FILE) if (folder / OWN_FILE).is_file() else {}
    for name, expected in dict(own.get("sha256") or {}).items():
        _compare(folder / name, expected)
    try:
        thresholds = Thresholds.model_validate(own["thresholds"]) if "thresholds" in own else None
    except ValidationError as error:
        raise ConfigError(f"{OWN_FILE}: thresholds: {error.errors()[0]['msg']}") from error
    return Settings(
        name=str(config.get("_name_or_path") or folder.name),
        labels=_labels(config),
        max_tokens=_max_tokens(folder, config),
        padding=int(config.get("pad_token_id") or 0),
        thresholds=thresholds,
    )


def _labels(config: Mapping[str, Any]) -> tuple[str, ...]:
    """The meaning of each output by the model's own names; an order is never assumed."""
    named = config.get("id2label")
    if not isinstance(named, Mapping) or not named:
        raise ConfigError("config.json: id2label is missing; without it nobody knows which output means what")
    try:
        ordered = [str(named[key]) for key in sorted(named, key=int)]
    except ValueError as error:
        raise ConfigError(f"config.json: id2label has keys that are no numbers: {sorted(named)}") from error
    if len(ordered) == 1:
        return ("entailment",)
    found = tuple(_MEANINGS.get(name.strip().lower().replace("-", "_").replace(" ", "_"), "") for name in ordered)
    complete = "entailment" in found and "" not in found and len(set(found)) == len(found)
    if not complete or not {"neutral", "rest", "contradiction"} & set(found):
        raise ConfigError(f"config.json: id2label is {ordered}; allowed are names such as {', '.join(_MEANINGS)}")
    return found


def _max_tokens(folder: Path, config: Mapping[str, Any]) -> int:
    positions = config.get("max_position_embeddings")
    offset = _ROBERTA_PADDING + 1 if config.get("pad_token_id") == _ROBERTA_PADDING else 0
    path = folder / "tokenizer_config.json"
    told = _json(path).get("model_max_length") if path.is_file() else None
    known = [int(told)] if isinstance(told, int | float) and 0 < told <= _MOST else []
    if isinstance(positions, int) and positions > offset:
        known.append(positions - offset)
    if not known:
        raise ConfigError("config.json: max_position_embeddings is missing; the length the model reads is not known")
    return min(known)


def _json(path: Path) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"{path.name} is missing in {str(path.parent)!r}") from error
    except (OSError, ValueError) as error:
        raise ConfigError(f"{path.name} cannot be read: {error}") from error
    if not isinstance(found, dict):
        raise ConfigError(f"{path.name} holds {type(found).__name__}, an object is expected")
    return found


def _compare(path: Path, expected: object) -> None:
    if not path.is_file():
        raise ConfigError(f"{path.name} is missing in {str(path.parent)!r}, but {OWN_FILE} names its hash")
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if digest != expected:
        raise ConfigError(f"{path.name} hashes to {digest}, {OWN_FILE} says {expected}")
