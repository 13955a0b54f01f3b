"""Records of the evidence: pieces of sources, whether each may support a claim, and all an answer may rest on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Self

from pydantic import Field, model_validator

from grounding_middleware.frozen import Attributes, FrozenDict, Range, Record, sha256
from grounding_middleware.labels import Kind

__all__ = ["Evidence", "Span", "SpanStatus"]


class Span(Record):
    """A citeable piece of source text whose hash always fits its text.

    `start`/`end` locate `text` in its source document and are hints until `offsets_verified` (EV-3).
    `delivered_ranges` are ranges of `text` that stood in the prompt; None means all of it when `delivered`.
    """

    id: str = Field(min_length=1)
    source_id: str = ""
    version: str = ""
    section: str = ""
    text: str = Field(min_length=1)
    start: int | None = Field(default=None, ge=0)
    end: int | None = Field(default=None, ge=0)
    offsets_verified: bool = False
    sha256: str = ""
    effective_from: date | None = None
    effective_to: date | None = None
    superseded_by: str | None = None
    audience: Attributes = Field(default_factory=FrozenDict)
    delivered: bool = True
    delivered_ranges: tuple[Range, ...] | None = None
    metadata: Attributes = Field(default_factory=FrozenDict)

    @model_validator(mode="before")
    @classmethod
    def _fill(cls, data: Any) -> Any:
        """Mint the hash and default the source to the id; a hash that does not fit is an error, not repaired."""
        if not isinstance(data, Mapping) or not isinstance(data.get("text"), str):
            return data
        digest = sha256(data["text"])
        given = data.get("sha256") or digest
        if given != digest:
            msg = f"sha256 of span {data.get('id')!r} is {given!r} but its text hashes to {digest!r}"
            raise ValueError(msg)
        return {**data, "sha256": digest, "source_id": data.get("source_id") or data.get("id")}

    @model_validator(mode="after")
    def _ordered(self) -> Self:
        if (self.start is None) != (self.end is None):
            msg = f"span {self.id!r}: start and end come together, got start={self.start}, end={self.end}"
            raise ValueError(msg)
        if self.start is not None and self.end is not None and self.end - self.start != len(self.text):
            msg = f"span {self.id!r}: [{self.start}, {self.end}) does not fit a text of {len(self.text)} characters"
            raise ValueError(msg)
        if self.effective_from and self.effective_to and self.effective_to < self.effective_from:
            msg = f"span {self.id!r}: effective_to {self.effective_to} is before effective_from {self.effective_from}"
            raise ValueError(msg)
        for low, high in self.delivered_ranges or ():
            if not 0 <= low < high <= len(self.text):
                msg = f"span {self.id!r}: delivered range [{low}, {high}) is outside its text"
                raise ValueError(msg)
        return self


class SpanStatus(Record):
    """Whether one span may support a claim, and if not, why (EV-4 to EV-6)."""

    span_id: str
    usable: bool
    kind: Kind | None = None
    reason: str = ""


class Evidence(Record):
    """The ordered spans one answer may rely on, each with its status.

    Spans the requester may not see are absent from `spans`; their status names them, their text is gone (EV-5). With
    fewer than `minimum` usable spans nothing can be supported (EV-8).
    """

    spans: tuple[Span, ...] = ()
    statuses: tuple[SpanStatus, ...] = ()
    as_of: date | None = None
    requester: Attributes | None = None
    minimum: int = Field(default=1, ge=1)

    def span(self, span_id: str) -> Span | None:
        """The span with this id, usable or not; None when unknown or forbidden."""
        return next((span for span in self.spans if span.id == span_id), None)

    def status(self, span_id: str) -> SpanStatus | None:
        """The status of this id, also for forbidden spans; None when the id was never captured."""
        return next((status for status in self.statuses if status.span_id == span_id), None)

    @property
    def usable(self) -> tuple[Span, ...]:
        """The spans a claim may rest on."""
        allowed = {status.span_id for status in self.statuses if status.usable}
        return tuple(span for span in self.spans if span.id in allowed)

    @property
    def enough(self) -> bool:
        """Whether there are as many usable spans as there must be."""
        return len(self.usable) >= self.minimum
