"""The local model: its own label names, no truncation, padding without effect, and every wrong file named."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware.errors import ConfigError, JudgeError
from grounding_middleware.judges import ModelCall, run
from grounding_middleware.judges.nli import OnnxModel, Thresholds

Configure = Callable[..., Path]


def score(model: OnnxModel, *pairs: tuple[str, str]) -> list[tuple[float, ...]]:
    call = ModelCall(tier="nli", role="r", prompt_version="v", pairs=pairs)
    return list(model.complete(call).scores)


def test_labels_by_name(tiny: OnnxModel) -> None:
    """Scores come as entailment, neutral, contradiction, whatever the order of the model's outputs."""
    ((yes, _, _), (_, _, no), (_, neutral, _)) = score(tiny, ("yes", "desk"), ("no", "desk"), ("the", "desk"))
    assert yes > 0.99
    assert no > 0.99
    assert neutral > 0.7


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ({"0": "entailment", "1": "neutral", "2": "contradiction"}, (0.0003, 0.9972, 0.0025)),
        ({"0": "ENTAILMENT", "2": "Not-Enough-Info", "1": "refutes"}, (0.0003, 0.0025, 0.9972)),
    ],
)
def test_another_order(configure: Configure, named: dict[str, str], expected: tuple[float, ...]) -> None:
    """The same outputs under other names mean something else: the names decide, not the order."""
    (found,) = score(OnnxModel(configure(id2label=named)), ("yes", "desk"))
    assert found == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize(
    "named",
    [
        None,
        {},
        {"0": "LABEL_0", "1": "LABEL_1", "2": "LABEL_2"},
        {"0": "entailment", "1": "entailment", "2": "neutral"},
        {"0": "neutral", "1": "contradiction", "2": "rest"},
        {"a": "entailment", "b": "neutral", "c": "contradiction"},
    ],
)
def test_labels_nobody_understands(configure: Configure, named: Any) -> None:
    """Without names that tell which output is which, a model is refused, not guessed at."""
    with pytest.raises(ConfigError, match="id2label"):
        OnnxModel(configure(id2label=named))


def test_fewer_names_than_outputs(configure: Configure) -> None:
    """Names that do not fit the outputs are an error of every call, never a shifted label."""
    model = OnnxModel(configure(id2label={"0": "entailment", "1": "not_entailment"}))
    with pytest.raises(JudgeError, match="label names"):
        score(model, ("yes", "desk"))


def test_padding_has_no_effect(tiny: OnnxModel) -> None:
    """A pair scores the same alone and beside a longer one, in any place of any batch."""
    short, long = ("yes", "desk"), ("the " * 25, "desk")
    (alone,) = score(tiny, short)
    found = score(tiny, *[long, short] * 20)
    assert found[1::2] == [alone] * 20
    assert len(found) == 40


def test_nothing_is_cut(tiny: OnnxModel) -> None:
    """A pair longer than the model reads is refused by name; the last word it reads counts."""
    room = tiny.max_tokens - tiny.special_tokens - 1
    ((yes, _, _),) = score(tiny, ("the " * (room - 1) + "yes", "desk"))
    assert yes > 0.99
    with pytest.raises(JudgeError, match=r"33 tokens, the model reads 32"):
        score(tiny, ("the " * room + "yes", "desk"))


def test_prompts_are_refused(tiny: OnnxModel) -> None:
    """It cannot answer a prompt."""
    with pytest.raises(JudgeError, match="scores pairs"):
        tiny.complete(ModelCall(tier="nli", role="r", prompt_version="v", user="Is it true?"))


async def test_async_is_the_same(tiny: OnnxModel) -> None:
    """In a thread it gives the same, and threads do not disturb one another."""
    call = ModelCall(tier="nli", role="r", prompt_version="v", pairs=(("yes", "desk"), ("no", "desk")))
    expected = tiny.complete(call)
    assert await tiny.acomplete(call) == expected
    found: list[Any] = []
    threads = [threading.Thread(target=lambda: found.append(tiny.complete(call))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_missing_file(copy: Path, name: str) -> None:
    """A missing file is named."""
    (copy / name).unlink()
    with pytest.raises(ConfigError, match=name):
        OnnxModel(copy)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
@pytest.mark.parametrize("content", [b"", b"\x00\x01garbage", b"version https://git-lfs.github.com/spec/v1\n"])
def test_damaged_file(copy: Path, name: str, content: bytes) -> None:
    """A file that is something else, such as a pointer to the real one, is named."""
    (copy / name).write_bytes(content)
    with pytest.raises(ConfigError, match=name):
        OnnxModel(copy)


def test_wrong_hash(copy: Path) -> None:
    """A file that is not the one the folder vouches for is refused."""
    digest = hashlib.sha256((copy / "model.onnx").read_bytes()).hexdigest()
    for told, fits in ((digest, True), ("0" * 64, False)):
        (copy / "grounding.json").write_text(json.dumps({"sha256": {"model.onnx": told}}))
        if fits:
            assert OnnxModel(copy).version == digest
        else:
            with pytest.raises(ConfigError, match=r"model\.onnx hashes to"):
                OnnxModel(copy)


def test_thresholds_beside_the_model(copy: Path) -> None:
    """Measured thresholds travel with the weights; wrong ones are refused."""
    own = copy / "grounding.json"
    own.write_text(json.dumps({"thresholds": {"supported": 0.9, "contradicted": 0.8, "measured": "800 pairs"}}))
    assert OnnxModel(copy).thresholds == Thresholds(supported=0.9, contradicted=0.8, measured="800 pairs")
    own.write_text(json.dumps({"thresholds": {"supported": 0.1}}))
    with pytest.raises(ConfigError, match="thresholds"):
        OnnxModel(copy)


def test_another_file_of_the_folder(copy: Path) -> None:
    """Exports put the model in several places; one can be named."""
    (copy / "onnx").mkdir()
    (copy / "model.onnx").rename(copy / "onnx" / "model_quantized.onnx")
    assert score(OnnxModel(copy), ("yes", "desk"))
    with pytest.raises(ConfigError, match=r"other\.onnx is missing"):
        OnnxModel(copy, file="other.onnx")


@pytest.mark.parametrize("source", ["/no/such/folder", "nothing", "owner/never-downloaded"])
def test_no_such_model(source: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A model that is not here is named with what is allowed; nobody goes to look for it."""
    monkeypatch.setenv("HF_HOME", str(tmp_path))

    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(ConfigError, match="source"):
        OnnxModel(source)


def test_a_model_of_an_installed_package(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package offers its weights under an entry point: a path, or a function that gives one."""
    from grounding_middleware.judges.nli import source as module  # noqa: PLC0415

    class Offered:
        def __init__(self, name: str, value: Any) -> None:
            self.name, self._value = name, value

        def load(self) -> Any:
            """What the entry point names."""
            return self._value

    offered = [Offered("mini", copy), Offered("lazy", lambda: str(copy)), Offered("gone", copy / "nothing")]
    monkeypatch.setattr(module, "entry_points", lambda group: offered if group == module.GROUP else [])
    assert OnnxModel("mini").name == OnnxModel("lazy").name == "tiny"
    with pytest.raises(ConfigError, match="gone"):
        OnnxModel("gone")
    with pytest.raises(ConfigError, match="gone, lazy, mini"):
        OnnxModel("other")


def test_a_crash_is_a_named_failure(tiny: OnnxModel) -> None:
    """Through a driver, whatever the runtime raises is a reply with an error."""

    def steps() -> Any:
        replies = yield (ModelCall(tier="nli", role="r", prompt_version="v", pairs=(("the " * 99, "desk"),)),)
        return replies[0].error

    assert "the model reads 32" in run(steps(), {"nli": tiny}).result
