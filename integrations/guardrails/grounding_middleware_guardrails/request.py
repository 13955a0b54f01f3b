"""What one request brings along: the only channel from a caller into a validator, and back.

guardrails-ai runs validators in an empty context, so neither context variables nor anything on the guard can tell what
this answer may rest on; the metadata of the call can.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, MutableMapping
from datetime import date
from typing import Any, Final

from grounding_middleware.errors import InputError
from grounding_middleware.evidence import EvidenceItem, coerce
from grounding_middleware.records import Capture, Evidence, Report

KEY: Final = "grounding"
"""Where the metadata of a call holds the `Grounding` of this request."""

SOURCES: Final = "sources"
"""Where it may hold plain texts instead, as for the validators of others."""


class Grounding:
    """What one answer may rest on, and afterwards the reports on it.

    `guard.validate(answer, metadata={"grounding": Grounding(spans, question=question)})`. One object a request: it is
    never shared, and its printed form holds no text. `capture` and `deliver` are for adapters: what was seen while the
    answer was made, and whether the sinks get the validator's report or the one the adapter makes of it.
    """

    def __init__(  # noqa: PLR0913  # the same keywords as Grounder.check
        self,
        evidence: Iterable[EvidenceItem] | Evidence,
        *,
        question: str = "",
        as_of: date | str | None = None,
        requester: Mapping[str, Any] | None = None,
        capture: Capture | None = None,
        deliver: bool = True,
    ) -> None:
        """Raises `InputError` for evidence that cannot be used."""
        self.evidence = evidence if isinstance(evidence, Evidence) else coerce(evidence)
        self.deliver = deliver
        self._asked = {"question": question, "as_of": as_of, "requester": requester, "capture": capture}
        self._reports: list[Report] = []
        self._loop = _running_loop()

    @property
    def reports(self) -> tuple[Report, ...]:
        """One report for each text a validator verified, in the order in which they were finished."""
        return tuple(self._reports)

    @property
    def report(self) -> Report:
        """The report, where one text was verified; raises `InputError` when there is none or more than one."""
        if len(self._reports) != 1:
            raise InputError(f"report: there are {len(self._reports)}; use reports")
        return self._reports[0]

    def add(self, report: Report) -> None:
        """Called by validators; threads may."""
        self._reports.append(report)

    @property
    def here(self) -> bool:
        """Whether the running event loop is the one this request came from, so that its models may be awaited in it."""
        return self._loop is not None and self._loop is _running_loop()

    @property
    def context(self) -> dict[str, Any]:
        """What `Grounder.check` takes beside the answer; the grounder's own rules say which of the evidence counts."""
        return {"evidence": self.evidence, **self._asked}

    def __repr__(self) -> str:
        """Counts only: guardrails-ai writes metadata into traces."""
        spans = self.evidence.spans if isinstance(self.evidence, Evidence) else self.evidence
        return f"Grounding({len(spans)} spans, {len(self._reports)} reports)"


def request_of(metadata: Any) -> Grounding:
    """The request in the metadata of a call; plain `sources` are turned into one, which is left there.

    Raises `InputError` when there is none: without evidence nothing can be verified.
    """
    found = metadata.get(KEY) if isinstance(metadata, Mapping) else None
    if isinstance(found, Grounding):
        return found
    if found is not None:
        raise InputError(f'metadata["{KEY}"]: got {type(found).__name__}; allowed is Grounding(evidence)')
    sources = metadata.get(SOURCES) if isinstance(metadata, Mapping) else None
    if sources is None:
        raise InputError(
            f'metadata: there is no evidence; allowed is metadata={{"{KEY}": Grounding(evidence)}} or '
            f'metadata={{"{SOURCES}": ["text", ...]}} with every call; for a chain or an engine: ground(chain, guard)'
        )
    made = Grounding(sources)
    return metadata.setdefault(KEY, made) if isinstance(metadata, MutableMapping) else made


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
