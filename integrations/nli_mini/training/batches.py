"""Which pairs are trained on, and in which order: a share of each set an epoch, batches of like length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

SEEN: Final = {
    # short pairs teach inference at a third of the cost of a passage
    "snli_dev": 0.45,
    "cad_nli": 0.5,
    "breaking_nli": 0.4,
    "scone_train": 0.35,
    "help_conj": 0.4,
    "overlap_templates": 0.35,
    "quantifiers": 0.5,
    "megaveridicality": 0.2,
    "conjnli_adversarial": 0.15,
    "entailment_bank": 0.15,
    "wikisplit": 0.15,
    "fever_dev": 0.35,
    "fm2_dev": 0.3,
    "scifact": 0.35,
    "infotabs": 0.08,
    "passage_edits": 0.12,
    # answers, summaries, replies
    "ragtruth_sentences": 0.25,
    "elsewhere": 0.2,
    "summedits_other": 0.25,
    "wice_chunks": 0.3,
    "wice_articles": 0.3,
    "citation_integrity_train": 0.3,
    "attributionbench_dev": 0.6,
    "q2_wow": 0.5,
    "joined": 0.2,
    # other languages
    "indonli_train": 0.2,
    "inferes_train": 0.05,
    "pawsx_de_dev": 0.1,
    "farstail": 0.05,
    "klue_nli_dev": 0.05,
    "jnli_valid": 0.05,
    "jsts_extremes": 0.1,
    "ans_stance": 0.05,
    # ours
    "changed:misspell_name": 0.1,
    "changed:negate": 0.15,
    "changed:swap_names": 0.3,
    "changed:turn_round": 0.3,
    "changed:add_detail": 0.2,
    "changed:add_certainty": 0.2,
    "changed:off_by_one": 0.5,
    "changed:ten_times": 0.5,
}
"""The part of a set that one epoch shows; the next one shows the next part. Sets not named are shown whole."""

_POOL: Final = 64  # batches that are sorted by length together


class Batch(NamedTuple):
    """Tensors of shape (pairs, tokens), and (pairs,)."""

    ids: Tensor
    mask: Tensor
    types: Tensor
    labels: Tensor
    weights: Tensor


@dataclass(frozen=True, slots=True)
class Pairs:
    """A file of the mix."""

    ids: NDArray[Any]
    ends: NDArray[Any]
    lengths: NDArray[Any]
    firsts: NDArray[Any]
    labels: NDArray[Any]
    weights: NDArray[Any]
    sources: tuple[str, ...]

    @classmethod
    def load(cls, path: Path) -> Pairs:
        """Read what `mix` wrote."""
        with np.load(path) as held:
            lengths = held["lengths"]
            names = [str(name) for name in held["names"]]
            return cls(
                ids=held["ids"],
                ends=np.cumsum(lengths),
                lengths=lengths,
                firsts=held["firsts"],
                labels=held["labels"],
                weights=held["weights"],
                sources=tuple(names[at] for at in held["sources"]),
            )

    def batch(self, chosen: NDArray[Any]) -> Batch:
        """The pairs at `chosen`, padded to the longest."""
        width = int(self.lengths[chosen].max())
        ids = np.zeros((len(chosen), width), dtype=np.int64)
        mask, types = np.zeros_like(ids), np.zeros_like(ids)
        for row, at in enumerate(chosen):
            length = int(self.lengths[at])
            ids[row, :length] = self.ids[self.ends[at] - length : self.ends[at]]
            mask[row, :length] = 1
            types[row, self.firsts[at] : length] = 1
        labels, weights = self.labels[chosen].astype(np.int64), self.weights[chosen]
        return Batch(*(torch.from_numpy(part) for part in (ids, mask, types, labels, weights)))


def epoch(pairs: Pairs, number: int, seed: int) -> NDArray[Any]:
    """The pairs of epoch `number`, shuffled."""
    chance = np.random.default_rng((seed, number))
    spread = np.random.default_rng(seed).random(len(pairs.labels))  # fixed place of each pair in its set
    shares = np.array([SEEN.get(name, 1.0) for name in pairs.sources])
    shown = ((spread - number * shares) % 1.0) < shares
    order: NDArray[Any] = chance.permutation(np.flatnonzero(shown))
    return order


def batches(pairs: Pairs, order: NDArray[Any], size: int, seed: int) -> Iterator[NDArray[Any]]:
    """`order` in batches of `size` pairs of like length, in random order; a rest is left out."""
    chance = np.random.default_rng(seed)
    for start in range(0, len(order), size * _POOL):
        pool = order[start : start + size * _POOL]
        ranked = pool[np.argsort(pairs.lengths[pool], kind="stable")]
        parts = [ranked[at : at + size] for at in range(0, len(ranked) - size + 1, size)]
        yield from (parts[at] for at in chance.permutation(len(parts)))
