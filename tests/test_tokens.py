"""Token counts: offline by construction, exact where possible, honest where not (PR-6)."""

from __future__ import annotations

import base64
import hashlib
import subprocess
import sys
from pathlib import Path

import pytest

from grounding_middleware import tokens
from grounding_middleware.errors import ConfigError


@pytest.fixture
def no_vocabulary(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine on which no vocabulary can be found."""
    monkeypatch.setattr(tokens, "_folders", lambda named: (tmp_path if named is None else Path(named),))


@pytest.mark.usefixtures("no_vocabulary")
@pytest.mark.parametrize(
    ("text", "encoding", "expected"),
    [
        ("", "o200k_base", 0),
        ("abc", "o200k_base", 1),
        ("abcd", "o200k_base", 2),
        ("日本", "o200k_base", 2),
        ("abc", "cl100k_base", 2),
    ],
)
def test_estimate_is_bytes_over_a_stated_constant(text: str, encoding: str, expected: int) -> None:
    """Without files the count is UTF-8 bytes / 3 (o200k) or / 2.3, rounded up, and says that it is an estimate."""
    assert tokens.count(text, encoding) == (expected, True)


@pytest.mark.usefixtures("no_vocabulary")
def test_lone_surrogates_are_counted() -> None:
    """Broken text gets a number, not an exception."""
    assert tokens.count_tokens("\ud800") == 1


def test_the_default_counter_says_what_count_says() -> None:
    """`count_tokens` is `count` without the flag, whatever this machine has."""
    assert tokens.count_tokens("Claims above SGD 500") == tokens.count("Claims above SGD 500").n


def test_unknown_encoding_names_the_allowed_ones() -> None:
    """A wrong encoding dies naming the value and what is allowed."""
    with pytest.raises(ConfigError, match="'gpt2' is unknown; allowed are o200k_base, cl100k_base"):
        tokens.count("x", "gpt2")


def test_a_named_folder_without_the_file_is_an_error(tmp_path: Path) -> None:
    """Who names a folder wants exact counts: no silent estimate."""
    with pytest.raises(ConfigError, match="holds no intact vocabulary of o200k_base"):
        tokens.count("x", folder=tmp_path)


def test_a_damaged_vocabulary_is_neither_used_nor_deleted(tmp_path: Path) -> None:
    """The library deletes a file with a wrong hash and downloads it; here it stays and the next folder is tried."""
    good, bad = tmp_path / "good", tmp_path / "bad"
    good.mkdir()
    bad.mkdir()
    data = base64.b64encode(b"a") + b" 0\n" + base64.b64encode(b"b") + b" 1\n"
    (good / "name").write_bytes(data)
    (bad / "name").write_bytes(data + b"x")
    assert tokens._ranks("name", hashlib.sha256(data).hexdigest(), (bad, good)) == {b"a": 0, b"b": 1}
    assert (bad / "name").exists()


def test_environment_and_shipped_folders_are_searched_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The configured cache comes first, tiktoken's default cache last."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(tmp_path))
    folders = tokens._folders(None)
    assert folders[0] == tmp_path
    assert folders[-1].name == "data-gym-cache"


def test_shipped_files_are_found_without_importing_their_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The folder of an installed package is found by name; importing it would cost seconds."""
    package = tmp_path / "llama_index" / "core"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    code = "from grounding_middleware import tokens; print(tokens._shipped_folders()[0])"
    monkeypatch.setenv("PYTHONPATH", f"{tmp_path}:{Path(tokens.__file__).parents[1]}")
    seen = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    assert Path(seen).parts[-4:] == ("llama_index", "core", "_static", "tiktoken_cache")


def test_special_tokens_in_a_source_are_plain_text() -> None:
    """Evidence that contains `<|endoftext|>` is counted, not refused (EV-9)."""
    assert tokens.count_tokens("a <|endoftext|> b") > 1
