"""The loss: cross entropy, and for "not supported" the probability that is left for supported."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional

from training.sources import SUPPORTED, UNSUPPORTED


def loss(logits: Tensor, labels: Tensor, weights: Tensor, smoothing: float = 0.05) -> Tensor:
    """Mean weighted loss of logits (pairs, 3) against labels 0 to 3.

    A pair that is only known to be unsupported asks for -log(1 - p(supported)), however the rest is divided.
    """
    known = labels.clamp(max=UNSUPPORTED - 1)
    exact = functional.cross_entropy(logits, known, reduction="none", label_smoothing=smoothing)
    rest = torch.logsumexp(logits[:, SUPPORTED + 1 :], dim=1)
    yes = logits[:, SUPPORTED]
    both = torch.logaddexp(rest, yes)
    either = both - (1 - smoothing / 2) * rest - smoothing / 2 * yes
    each = torch.where(labels == UNSUPPORTED, either, exact)
    return (each * weights).sum() / weights.sum().clamp(min=1e-6)
