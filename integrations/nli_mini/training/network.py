"""The model: the lower layers of MiniLM over premise and claim together, told which tokens stand in both.

Whether a token of the claim stands in the premise, alone or with the token after it, is worked out inside the model
from the token ids: a runtime feeds it like any other classifier. The head reads the first token, the mean and the
strongest signal of the claim's tokens (one unsupported word makes a claim unsupported) and the shares of matches.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import torch
from safetensors.torch import load_file
from torch import Tensor, nn
from torch.nn import functional

VOCABULARY: Final = 30522
WIDTH: Final = 384
LAYERS: Final = 4
"""Of the six of the base; the upper ones serve whole sentences, and without them the same time trains more pairs."""

HEADS: Final = 12
INNER: Final = 1536
POSITIONS: Final = 512
SIGNALS: Final = 128
FEATURES: Final = 6
CLASSES: Final = 3
_LAST_SPECIAL: Final = 103  # [PAD], unused, [UNK], [CLS], [SEP], [MASK] come first in the vocabulary
_EPSILON: Final = 1e-12


class Block(nn.Module):
    """One transformer layer, normalised behind each half, as BERT has it."""

    def __init__(self) -> None:
        super().__init__()
        self.into = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.first = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.second = nn.LayerNorm(WIDTH, eps=_EPSILON)

    def forward(self, states: Tensor, mask: Tensor) -> Tensor:
        """States of shape (pairs, tokens, width); `mask` is added to the attention scores."""
        pairs, tokens, _ = states.shape
        parts = self.into(states).view(pairs, tokens, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(parts[0], parts[1], parts[2], attn_mask=mask)
        states = self.first(states + self.out(mixed.transpose(1, 2).reshape(pairs, tokens, WIDTH)))
        held: Tensor = self.second(states + self.down(functional.gelu(self.up(states))))
        return held


class Verifier(nn.Module):
    """Logits of supported, not enough and contradicted for pairs of premise (type 0) and claim (type 1)."""

    def __init__(self, dropout: float = 0.1, frozen: int = 0) -> None:
        super().__init__()
        self.frozen = frozen
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.places = nn.Embedding(POSITIONS, WIDTH)
        self.types = nn.Embedding(2, WIDTH)
        self.matches = nn.Embedding(6, WIDTH)
        self.normal = nn.LayerNorm(WIDTH, eps=_EPSILON)
        self.blocks = nn.ModuleList(Block() for _ in range(LAYERS))
        self.importance = nn.Embedding(VOCABULARY, 1)
        self.signals = nn.Linear(WIDTH, SIGNALS)
        self.hidden = nn.Linear(2 * WIDTH + SIGNALS + FEATURES, WIDTH)
        self.drop = nn.Dropout(dropout)
        self.scores = nn.Linear(WIDTH + FEATURES, CLASSES)
        nn.init.zeros_(self.matches.weight)
        nn.init.zeros_(self.importance.weight)

    def forward(self, input_ids: Tensor, attention_mask: Tensor, token_type_ids: Tensor) -> Tensor:
        """Three logits a pair; all inputs have the shape (pairs, tokens) and are integers."""
        word = (attention_mask > 0) & (input_ids > _LAST_SPECIAL)
        match = _matches(input_ids, token_type_ids, word)
        places = torch.arange(input_ids.shape[1], device=input_ids.device)
        states = self.words(input_ids) + self.places(places) + self.types(token_type_ids)
        states = self.normal(states)
        mask = (1.0 - attention_mask[:, None, None, :].to(states.dtype)) * -1e4
        for at, block in enumerate(self.blocks):
            if at == self.frozen:  # what is frozen below knows nothing of matches and needs no gradient
                states = self.drop(states.detach() + self.matches(match + 3 * token_type_ids))
            states = block(states, mask)
        return self._scores(states, input_ids, match, word & (token_type_ids > 0))

    def _scores(self, states: Tensor, input_ids: Tensor, match: Tensor, claim: Tensor) -> Tensor:
        weight = claim.to(states.dtype)
        count = weight.sum(1, keepdim=True).clamp(min=1.0)
        mean = (states * weight[:, :, None]).sum(1) / count
        strongest = (functional.relu(self.signals(states)) * weight[:, :, None]).amax(1)
        features = self._features(input_ids, match, weight, count)
        joined = torch.cat([states[:, 0], mean, strongest, features], dim=1)
        hidden = self.drop(functional.gelu(self.hidden(joined)))
        scores: Tensor = self.scores(torch.cat([hidden, features], dim=1))
        return scores

    def _features(self, input_ids: Tensor, match: Tensor, weight: Tensor, count: Tensor) -> Tensor:
        """Shares of the claim's tokens that match: plain, by importance, in pairs; how many do not; both lengths."""
        single = (match > 0).to(weight.dtype) * weight
        double = (match > 1).to(weight.dtype) * weight
        heavy = functional.softplus(self.importance(input_ids)[:, :, 0]) * weight
        covered = (heavy * single).sum(1, keepdim=True) / heavy.sum(1, keepdim=True).clamp(min=1e-6)
        missing = (weight - single).sum(1, keepdim=True)
        rest = (input_ids > _LAST_SPECIAL).to(weight.dtype).sum(1, keepdim=True) - count
        parts = [
            single.sum(1, keepdim=True) / count - 0.7,
            covered - 0.7,
            double.sum(1, keepdim=True) / count - 0.4,
            torch.log1p(missing) - 1.5,
            torch.log1p(count) - 2.7,
            torch.log1p(rest.clamp(min=0.0)) - 3.7,
        ]
        return torch.cat(parts, dim=1)


def _matches(ids: Tensor, types: Tensor, word: Tensor) -> Tensor:
    """For each token 0, 1 if it stands in the other text too, 2 if it does with a neighbour of its own."""
    same = (ids[:, :, None] == ids[:, None, :]) & (types[:, :, None] != types[:, None, :])
    same = (same & word[:, :, None] & word[:, None, :]).to(torch.int32)
    single = same.amax(2)
    following = same[:, :-1, :-1] * same[:, 1:, 1:]
    starts = functional.pad(following.amax(2), (0, 1))
    ends = functional.pad(following.amax(2), (1, 0))
    found: Tensor = single + torch.maximum(starts, ends)
    return found.to(torch.int64)


def from_base(path: Path, frozen: int = 0, dropout: float = 0.1) -> Verifier:
    """A model with the layers of the base weights at `path` (safetensors, names as BERT has them) and a new head.

    Embeddings and the lowest `frozen` layers stay as they are.
    """
    given = load_file(path)
    model = Verifier(dropout, frozen)
    own = model.state_dict()
    for name, tensor in _renamed(given).items():
        own[name].copy_(tensor)
    for part in (model.words, model.places, model.types, model.normal, *model.blocks[:frozen]):
        part.requires_grad_(requires_grad=False)
    return model


def _renamed(given: dict[str, Tensor]) -> dict[str, Tensor]:
    """Base weights under the names used here."""
    found = {
        "words.weight": given["embeddings.word_embeddings.weight"],
        "places.weight": given["embeddings.position_embeddings.weight"],
        "types.weight": given["embeddings.token_type_embeddings.weight"],
        "normal.weight": given["embeddings.LayerNorm.weight"],
        "normal.bias": given["embeddings.LayerNorm.bias"],
    }
    for at in range(LAYERS):
        layer = f"encoder.layer.{at}"
        for kind in ("weight", "bias"):
            three = [given[f"{layer}.attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            found[f"blocks.{at}.into.{kind}"] = torch.cat(three)
            for ours, theirs in _NAMES.items():
                found[f"blocks.{at}.{ours}.{kind}"] = given[f"{layer}.{theirs}.{kind}"]
    return found


_NAMES: Final = {
    "out": "attention.output.dense",
    "first": "attention.output.LayerNorm",
    "up": "intermediate.dense",
    "down": "output.dense",
    "second": "output.LayerNorm",
}
