"""Where a local model lies: a folder, the name of an installed package's model, or a hub id.

An installed package offers one under the entry point group `grounding_middleware.nli_models`: a path, or a function
without arguments that gives one. A hub id is looked up among what has been downloaded before; nothing is downloaded.
"""

from __future__ import annotations

import re
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from grounding_middleware.errors import ConfigError

GROUP = "grounding_middleware.nli_models"

_HUB_ID = re.compile(r"[\w.-]+/[\w.-]+(?:@[\w./-]+)?")


def folder(source: str | Path) -> Path:
    """The folder of the model; raises `ConfigError` saying what there is."""
    path = Path(source)
    if path.is_dir():
        return path
    offered = installed()
    if str(source) in offered:
        return from_package(str(source))
    if isinstance(source, str) and _HUB_ID.fullmatch(source):
        return _from_hub(source)
    named = f", or one of {', '.join(sorted(offered))}" if offered else ""
    raise ConfigError(f"source: {str(source)!r} is no folder; allowed are a folder and a hub id{named}")


def installed() -> dict[str, EntryPoint]:
    """The models that installed packages offer, by name."""
    return {one.name: one for one in entry_points(group=GROUP)}


def from_package(name: str) -> Path:
    """The folder an installed package offers under `name`, whatever lies in the working directory."""
    value = installed()[name].load()
    return _checked(Path(value() if callable(value) else value), f"entry point {name!r}")


def _checked(path: Path, what: str) -> Path:
    if not path.is_dir():
        raise ConfigError(f"source: {what} gives {str(path)!r}, which is no folder")
    return path


def _from_hub(name: str) -> Path:
    """A snapshot in the local cache; `owner/name@revision` names one of several."""
    try:
        from huggingface_hub import snapshot_download  # noqa: PLC0415  # optional, and slow to import
    except ImportError as error:
        raise ConfigError("source: a hub id needs huggingface-hub; install grounding-middleware[nli]") from error
    repository, _, revision = name.partition("@")
    try:
        return Path(snapshot_download(repository, revision=revision or None, local_files_only=True))
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"source: {name!r} is neither a folder nor downloaded; fetch it once with `hf download {repository}`, "
            "and look at its licence"
        ) from error
