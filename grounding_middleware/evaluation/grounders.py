"""The grounder a run was made with: its description, and a recipe every process can build it from."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grounding_middleware import __version__
from grounding_middleware.grounder import Grounder
from grounding_middleware.judges import models_of
from grounding_middleware.policy import Policy
from grounding_middleware.records import sha256

__all__ = ["FromSpec", "Maker", "described", "identity"]

Maker = Callable[[], Grounder]
"""Makes the grounder; picklable (a function of a module, a `FromSpec`) where several processes each make their own."""


@dataclass(frozen=True)
class FromSpec:
    """The grounder of a spec file, or of a policy preset without a judge."""

    spec: Path | None = None
    preset: str = "standard"

    def __call__(self) -> Grounder:
        """Built anew; raises `ConfigError` as `Grounder.from_spec` does. A missing judge is told by the figures."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)
            return Grounder.from_spec(self.spec) if self.spec else Grounder(policy=Policy.preset(self.preset))


def identity(grounder: Grounder) -> Mapping[str, Any]:
    """What can be known of a grounder that changes its verdicts: plain data, equal for equal settings."""
    models = {} if grounder.cascade is None else models_of(grounder.cascade)
    return {
        "package": __version__,
        "policy": grounder.policy.version,
        "checks": [f"{check.__module__.rpartition('.')[2]}.{_name(check)}" for check in grounder.checks],
        "judges": {tier: str(model.name) for tier, model in models.items()},
        "evidence": grounder.evidence_rules.model_dump(mode="json"),
        "repair": grounder.repair.version if grounder.repair else "",
    }


def described(grounder: Grounder) -> tuple[str, str]:
    """One line for people, and the hash of `identity`, by which two runs are told apart."""
    known = identity(grounder)
    judges = ", ".join(f"{tier} ({name})" for tier, name in known["judges"].items()) or "no judge"
    repair = f", repair {known['repair']}" if known["repair"] else ""
    line = f"policy {grounder.policy.name}, {len(grounder.checks)} checks, {judges}{repair}"
    return line, sha256(json.dumps(known, sort_keys=True))


def _name(check: object) -> str:
    return str(getattr(check, "__qualname__", type(check).__qualname__))
