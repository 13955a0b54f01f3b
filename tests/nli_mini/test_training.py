"""The parts of the training that need torch; skipped where it is not installed."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from training.losses import loss  # noqa: E402  # needs torch
from training.network import Verifier, _matches  # noqa: E402  # needs torch
from training.sources import UNSUPPORTED  # noqa: E402  # needs torch
from training.train import shape  # noqa: E402  # needs torch


def test_an_unsupported_row_does_not_ask_which_kind() -> None:
    """The loss of "not supported" is the same however the rest is divided, and falls with p(supported)."""

    def of(*logits: float) -> float:
        return float(loss(torch.tensor([logits]), torch.tensor([UNSUPPORTED]), torch.ones(1), smoothing=0.0))

    assert of(0.0, 1.0, 1.0) == pytest.approx(of(0.0, 1.0 + 0.693147, -30.0), abs=1e-3)
    assert of(-2.0, 1.0, 1.0) < of(2.0, 1.0, 1.0)


def test_tokens_that_stand_in_both_texts() -> None:
    """Alone they count once, with a neighbour of their own twice; special tokens never match."""
    ids = torch.tensor([[101, 2000, 2001, 2002, 102, 2002, 2000, 2001, 102]])
    types = torch.tensor([[0, 0, 0, 0, 0, 1, 1, 1, 1]])
    assert _matches(ids, types, ids > 103).tolist() == [[0, 2, 2, 1, 0, 1, 2, 2, 0]]


def test_padding_changes_nothing() -> None:
    """A pair is scored alike alone and in a batch with a longer one."""
    torch.manual_seed(0)
    model = Verifier().eval()
    ids = torch.tensor([[101, 2000, 2001, 102, 2001, 102]])
    types = torch.tensor([[0, 0, 0, 0, 1, 1]])
    padded = torch.nn.functional.pad(ids, (0, 5)), torch.nn.functional.pad(types, (0, 5))
    mask = (padded[0] > 0).long()
    with torch.no_grad():
        alone = model(ids, torch.ones_like(ids), types)
        longer = model(padded[0], mask, padded[1])
    assert torch.allclose(alone, longer, atol=1e-4)


def test_the_learning_rate_rises_stays_and_falls() -> None:
    """Every run ends at a small rate, however much of it was planned."""
    assert shape(0.0) < 0.1
    assert shape(0.3) == 1.0
    assert shape(0.9) < 0.5
    assert shape(1.0) == pytest.approx(0.02)
