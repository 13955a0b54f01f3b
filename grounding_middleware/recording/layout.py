"""How a cassette looks as a file: YAML a person can review, with who gave the replies at its head."""

from __future__ import annotations

import json
from typing import Any

import yaml

from grounding_middleware.errors import ConfigError

REQUIRED = ("model", "file_sha256", "date")
"""What every cassette says about the model that gave its replies."""


class _Dumper(yaml.SafeDumper):
    """Texts of several lines are written as such."""


def _text(dumper: yaml.SafeDumper, value: str) -> yaml.ScalarNode:
    return dumper.represent_scalar("tag:yaml.org,2002:str", value, style="|" if "\n" in value else None)


_Dumper.add_representer(str, _text)


class Layout:
    """The serializer of one cassette; `recorded` is written at its head, and holds what was read from there."""

    def __init__(self, recorded: dict[str, str]) -> None:
        self.recorded = recorded

    def serialize(self, cassette: dict[str, Any]) -> str:
        """The file for a cassette; JSON bodies of requests are written as structure."""
        interactions = [{**one, "request": _opened(one["request"])} for one in cassette["interactions"]]
        data = {"recorded": self.recorded, "version": cassette["version"], "interactions": interactions}
        return yaml.dump(data, Dumper=_Dumper, allow_unicode=True, sort_keys=False, width=120)

    def deserialize(self, text: str) -> dict[str, Any]:
        """The cassette in a file; raises `ConfigError` when it does not say who gave the replies."""
        data: dict[str, Any] = yaml.safe_load(text)
        self.recorded = data.get("recorded") or {}
        missing = [key for key in REQUIRED if not self.recorded.get(key)]
        if missing:
            raise ConfigError(f"cassette: its head lacks {', '.join(missing)}; record it with --grounding-record")
        interactions = [{**one, "request": _closed(one["request"])} for one in data["interactions"]]
        return {"version": data["version"], "interactions": interactions}


def _opened(request: dict[str, Any]) -> dict[str, Any]:
    try:
        return {**request, "body": {"json": json.loads(request["body"])}}
    except (TypeError, ValueError):
        return request


def _closed(request: dict[str, Any]) -> dict[str, Any]:
    body = request["body"]
    return {**request, "body": json.dumps(body["json"]) if isinstance(body, dict) and "json" in body else body}
