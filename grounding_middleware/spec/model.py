"""The spec: one frozen record whose sections are the settings the package uses anyway; nothing is said twice."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final, Literal, Self

from pydantic import Field, PrivateAttr, model_validator

from grounding_middleware.checks import CHECKS
from grounding_middleware.citations import CitationSyntax
from grounding_middleware.claims.risk import RiskRules
from grounding_middleware.evidence import EvidenceRules
from grounding_middleware.policy import Policy
from grounding_middleware.policy.presets import PRESETS
from grounding_middleware.policy.settings import Setting
from grounding_middleware.prevention import Rules
from grounding_middleware.repair import Repair
from grounding_middleware.spec.outlets import AuditSpec, ReviewSpec
from grounding_middleware.spec.tiers import Endpoint, JudgeSpec, Named
from grounding_middleware.strict_documents import StrictDocument, spelled
from grounding_middleware.telemetry import TelemetrySettings

__all__ = ["VERSION", "Checks", "Spec", "check_names"]

VERSION: Final = 1
"""The version of the format; a document states it, so that a later one is not misread."""

CheckName = Literal[
    "quotes",
    "certainty",
    "values",
    "arithmetic",
    "conditions",
    "polarity",
    "identity",
    "modality",
    "scope",
    "sweeping",
    "exact",
    "roles",
    "crossed",
    "validity",
]
PresetName = Literal["low", "standard", "high", "high-volume", "release-gate", "by-severity", "draft"]


def check_names() -> tuple[str, ...]:
    """The families of deterministic checks, in the order they run."""
    return tuple(check.__module__.rpartition(".")[2] for check in CHECKS)


class Checks(Setting):
    """Which checks take part: those of `without` do not run, those of `doubt_only` may raise doubts, no conflicts."""

    without: tuple[CheckName, ...] = ()
    doubt_only: tuple[CheckName, ...] = ()

    @model_validator(mode="after")
    def _apart(self) -> Self:
        both = sorted(set(self.without) & set(self.doubt_only))
        if both:
            raise ValueError(f"{both[0]} stands in without and in doubt_only; allowed is one of them")
        return self


@dataclass(frozen=True, slots=True)
class _Origin:
    """The document a spec was read from; no part of what it says, so it takes no part in comparisons."""

    document: StrictDocument | None = field(default=None, compare=False)


class Spec(Setting):
    """A whole configuration. What is not given comes from the `preset`, then from the defaults of each setting."""

    _origin: _Origin = PrivateAttr(default=_Origin())

    grounding: Literal[1]
    name: str = ""
    preset: PresetName = "standard"
    evidence: EvidenceRules = EvidenceRules()
    rules: Rules = Rules()
    citations: CitationSyntax = CitationSyntax()
    risks: RiskRules = RiskRules()
    checks: Checks = Checks()
    judge: JudgeSpec | None = None
    repair: Repair | None = None
    repair_model: Annotated[Endpoint | Named, Field(discriminator="kind")] | None = None
    policy: Policy = Policy()
    telemetry: TelemetrySettings | None = None
    audit: AuditSpec | None = None
    review: ReviewSpec | None = None
    on_withheld: Annotated[Literal["text", "raise"], Field()] = "text"

    @model_validator(mode="before")
    @classmethod
    def _from_preset(cls, data: Any) -> Any:
        """The policy section changes the preset field by field; its lists replace the preset's."""
        if not isinstance(data, Mapping):
            return data
        preset = data.get("preset", "standard")
        own = data.get("policy", {})
        if isinstance(own, Policy) or not isinstance(own, Mapping) or str(preset) not in PRESETS:
            return data
        return {**data, "policy": {"name": preset, **PRESETS[str(preset)], **own}}

    @model_validator(mode="after")
    def _repairs_with_a_model(self) -> Self:
        if (self.repair is not None and self.repair.needs_model) != (self.repair_model is not None):
            raise ValueError("repair_model: allowed with repair.steps that end in model, and needed there")
        return self

    def read_from(self, document: StrictDocument) -> Self:
        """The same spec, which knows where it stands: for messages, and for folders beside it."""
        other = self.model_copy()
        other._origin = _Origin(document)  # noqa: SLF001  # its own class
        return other

    def at(self, *place: str | int) -> str:
        """Where a value stands, for the head of a message: `grounding.yaml:7: audit.folder`."""
        document = self._origin.document
        return spelled(place) if document is None else document.at(place)

    @property
    def folder(self) -> Path | None:
        """The folder of the file this was read from: relative names count from there. None for text and mappings."""
        document = self._origin.document
        return None if document is None or document.file is None else document.file.parent

    @property
    def version(self) -> str:
        """Hash of the effective spec: defaults written out, secrets by the name of their variable."""
        return hashlib.sha256(self.model_dump_json().encode()).hexdigest()[:12]
