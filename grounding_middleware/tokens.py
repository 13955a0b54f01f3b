"""Token counts that never touch the network: exact where tiktoken's files are at hand, else a stated estimate.

tiktoken downloads a vocabulary it does not find, and deletes one whose hash is wrong. Here its own definition of an
encoding is run with a loader that only reads, from the first of: the folder the caller names, `TIKTOKEN_CACHE_DIR`,
the folder of an installed package that ships the files, tiktoken's own default cache.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import importlib.util
import math
import os
import tempfile
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from grounding_middleware.errors import ConfigError

if TYPE_CHECKING:
    import tiktoken

__all__ = ["BYTES_PER_TOKEN", "TokenCount", "count", "count_tokens"]

BYTES_PER_TOKEN = {"o200k_base": 3.0, "cl100k_base": 2.3}
"""UTF-8 bytes a token, for the estimate. Measured against the true count on English documents and JSON it is 1.1 to
1.4 times too high; text of many abbreviations and some languages come out up to 30 % too low."""

_SHIPPED = (("llama_index", "core/_static/tiktoken_cache"), ("litellm", "litellm_core_utils/tokenizers"))


class TokenCount(NamedTuple):
    """A number of tokens, and whether it is an estimate."""

    n: int
    estimated: bool


def count(text: str, encoding: str = "o200k_base", *, folder: str | Path | None = None) -> TokenCount:
    """Tokens of `text`; special tokens such as `<|endoftext|>` count as the plain text they are in a source.

    `folder` holds vocabulary files under tiktoken's names. Raises `ConfigError` for an unknown encoding, or when
    `folder` is given and lacks an intact file: who names a folder wants exact counts.
    """
    if encoding not in BYTES_PER_TOKEN:
        raise ConfigError(f"encoding: {encoding!r} is unknown; allowed are {', '.join(BYTES_PER_TOKEN)}")
    encoder = _load(encoding, _folders(folder))
    if encoder is not None:
        return TokenCount(len(encoder.encode(text, disallowed_special=())), estimated=False)
    if folder is not None:
        raise ConfigError(f"folder: {str(folder)!r} holds no intact vocabulary of {encoding}")
    size = len(text.encode("utf-8", "surrogatepass"))
    return TokenCount(math.ceil(size / BYTES_PER_TOKEN[encoding]), estimated=True)


def count_tokens(text: str) -> int:
    """Tokens of `text` for current models, exact or estimated: the default counter wherever one is asked for."""
    return count(text).n


def _folders(named: str | Path | None) -> tuple[Path, ...]:
    if named is not None:
        return (Path(named),)
    configured = os.environ.get("TIKTOKEN_CACHE_DIR")
    first = (Path(configured),) if configured else ()
    return (*first, *_shipped_folders(), Path(tempfile.gettempdir(), "data-gym-cache"))


@functools.cache
def _shipped_folders() -> tuple[Path, ...]:
    """Found by name only: importing these packages would cost seconds."""
    specs = ((importlib.util.find_spec(package), inside) for package, inside in _SHIPPED)
    return tuple(Path(root, inside) for spec, inside in specs if spec for root in spec.submodule_search_locations or ())


class _Missing(Exception):  # noqa: N818  # a signal inside this file, not an error anybody sees
    """No folder holds an intact copy of the file."""


@functools.cache
def _load(encoding: str, folders: tuple[Path, ...]) -> tiktoken.Encoding | None:
    """The encoding from local files, None when they are not there; the answer is kept, loading takes half a second."""
    import tiktoken  # noqa: PLC0415  # 40 ms, and never needed by whoever counts no tokens
    from tiktoken_ext import openai_public  # noqa: PLC0415  # same

    def read(address: str, expected_hash: str | None = None) -> dict[bytes, int]:
        return _ranks(hashlib.sha1(address.encode()).hexdigest(), expected_hash, folders)  # noqa: S324  # tiktoken's file names

    names = {**vars(openai_public), "load_tiktoken_bpe": read}
    define = types.FunctionType(getattr(openai_public, encoding).__code__, names)
    try:
        definition: dict[str, Any] = define()
    except _Missing:
        return None
    return tiktoken.Encoding(**definition)


def _ranks(name: str, expected_hash: str | None, folders: tuple[Path, ...]) -> dict[bytes, int]:
    for folder in folders:
        try:
            data = (folder / name).read_bytes()
        except OSError:
            continue
        if hashlib.sha256(data).hexdigest() == expected_hash:
            pairs = (line.split() for line in data.splitlines() if line)
            return {base64.b64decode(token): int(rank) for token, rank in pairs}
    raise _Missing(name)
