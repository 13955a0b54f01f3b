"""Documents of guards (RAIL, Guard JSON, our YAML of guards), recognised, and checked by who knows them."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

from grounding_middleware.errors import ConfigError
from grounding_middleware.strict_documents import MAX_CHARACTERS, load

__all__ = ["guards_in", "holds_guards"]

_INTEGRATION = "grounding_middleware_guardrails"


def holds_guards(path: Path) -> bool:
    """Whether the file describes guards of guardrails-ai, not a spec; False for what cannot be read."""
    try:
        with path.open(encoding="utf-8") as opened:
            if opened.read(MAX_CHARACTERS).lstrip("\ufeff \t\r\n").startswith("<"):
                return True
        data = load(path).data
    except (OSError, UnicodeDecodeError, ConfigError):
        return False
    keys = set(data) if isinstance(data, dict) else set()
    return "guards" in keys or {"validators", "output_schema"} <= keys


def guards_in(path: Path) -> list[str]:
    """One line for each guard of the file: its validators, where they run, what happens on failure.

    Raises `ConfigError` with file, line, field and what is allowed, and for a missing integration.
    """
    try:
        told = import_module(f"{_INTEGRATION}.loading.telling").told
    except ImportError as error:
        missing = f'pip install "grounding-middleware[guardrails]" ({error})' if error.name == _INTEGRATION else error
        raise ConfigError(f"{path}: holds guards of guardrails-ai; {missing}") from error
    lines: list[str] = told(path)
    return lines
