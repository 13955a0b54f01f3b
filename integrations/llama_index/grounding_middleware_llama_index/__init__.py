"""Reserves the name of the LlamaIndex integration: importing works, every use says which version brings it."""

from __future__ import annotations

from typing import Any, NoReturn

from grounding_middleware.errors import ConfigError

__all__ = ["ground"]


def ground(*_: Any, **__: Any) -> NoReturn:
    """Always raises `ConfigError`: nothing is verified here yet, and nothing may look as if it were."""
    raise ConfigError(
        "ground: the LlamaIndex integration arrives with grounding-middleware 0.2.0, this is 0.1.0; "
        "until then pass the retrieved texts to grounding_middleware.Grounder().check(answer, evidence=[...])"
    )
