"""The optional backend over transformers, with a stand-in for the library: torch is too heavy for these tests."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from grounding_middleware.errors import ConfigError, JudgeError
from grounding_middleware.judges import ModelCall
from grounding_middleware.judges.nli import TransformersModel

Configure = Callable[..., Path]
BINARY = {"0": "unsupported", "1": "supported"}


class Ids(list[list[int]]):
    """As much of a tensor as is used."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return len(self), max(map(len, self))

    def sum(self) -> int:
        """All of them."""
        return sum(map(sum, self))


class Library:
    """Counts words; says "supported" when the premise begins with "yes"."""

    def __init__(self) -> None:
        self.loaded: list[dict[str, Any]] = []
        self.AutoTokenizer = self.AutoModelForSequenceClassification = self

    def from_pretrained(self, folder: str, **options: Any) -> Library:
        """Itself, in both parts."""
        self.loaded.append(options)
        return self

    config = SimpleNamespace(_commit_hash=None)

    def eval(self) -> Library:
        """Itself."""
        return self

    def requires_grad_(self, *, requires_grad: bool) -> Library:
        """Itself, without gradients."""
        assert not requires_grad
        return self

    def num_special_tokens_to_add(self, *, pair: bool) -> int:
        """Three for a pair."""
        return 3 if pair else 2

    def encode(self, text: str, *, add_special_tokens: bool) -> list[str]:
        """Words."""
        assert not add_special_tokens
        return text.split()

    def __call__(self, *texts: Any, **options: Any) -> Any:
        """Tokens of pairs, or the outputs for them."""
        if texts:
            premises, hypotheses = texts
            rows = [len((one + " " + other).split()) + 3 for one, other in zip(premises, hypotheses, strict=True)]
            self._says = [one.startswith("yes") for one in premises]
            width = max(rows)
            ids = Ids([[1] * row + [0] * (width - row) for row in rows])
            return {"input_ids": ids, "attention_mask": ids}
        logits = [[-4.0, 4.0] if says else [4.0, -4.0] for says in self._says]
        return SimpleNamespace(logits=SimpleNamespace(tolist=lambda: logits))


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> Library:
    made = Library()
    monkeypatch.setitem(sys.modules, "transformers", made)
    return made


def test_a_binary_model(library: Library, configure: Configure) -> None:
    """Supported or not: it has no opinion on contradiction, whatever the order of its labels."""
    model = TransformersModel(configure(id2label=BINARY))
    call = ModelCall(
        tier="nli", role="r", prompt_version="v", pairs=(("yes it opens", "it opens"), ("the desk", "no")) * 9
    )
    reply = model.complete(call)
    assert [round(row[0], 2) for row in reply.scores] == [1.0, 0.0] * 9
    assert {row[2] for row in reply.scores} == {0.0}
    assert reply.input_tokens == 9 * (8 + 6)
    assert model.special_tokens == 3
    assert model.count("the desk opens") == 3


def test_nothing_is_fetched_and_no_foreign_code_run(library: Library, configure: Configure) -> None:
    """Only files on this machine, only code of the library."""
    TransformersModel(configure(id2label=BINARY))
    assert library.loaded == [{"local_files_only": True, "trust_remote_code": False}] * 2


def test_nothing_is_cut(library: Library, configure: Configure) -> None:
    """A pair that is too long is refused."""
    model = TransformersModel(configure(id2label=BINARY))
    with pytest.raises(JudgeError, match="43 tokens, the model reads 32"):
        model.complete(ModelCall(tier="nli", role="r", prompt_version="v", pairs=(("the " * 39, "desk"),)))
    with pytest.raises(JudgeError, match="scores pairs"):
        model.complete(ModelCall(tier="nli", role="r", prompt_version="v", user="?"))


def test_without_the_library(configure: Configure, monkeypatch: pytest.MonkeyPatch) -> None:
    """The missing package is named."""
    monkeypatch.setitem(sys.modules, "transformers", None)
    with pytest.raises(ConfigError, match="transformers is missing"):
        TransformersModel(configure(id2label=BINARY))


def test_a_model_that_cannot_be_loaded(library: Library, configure: Configure) -> None:
    """What the library refuses is a wrong setting."""

    def refuse(*_: Any, **__: Any) -> Any:
        raise OSError("no such file")

    library.from_pretrained = refuse  # type: ignore[method-assign]
    with pytest.raises(ConfigError, match="cannot be loaded"):
        TransformersModel(configure(id2label=BINARY))
