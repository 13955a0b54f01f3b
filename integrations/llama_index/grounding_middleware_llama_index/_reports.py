"""Where the report stands: in `.grounding` of whatever is handed out, never in `metadata`.

LlamaIndex prints metadata into prompts and copies it from one response into the nodes of the next.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeVar

from grounding_middleware.errors import InputError
from grounding_middleware.records import Report

ATTRIBUTE = "grounding"

T = TypeVar("T")

_heard: ContextVar[list[Report] | None] = ContextVar("grounding_reports", default=None)


def with_report(holder: T, report: Report) -> T:
    """`holder`, which is ours to change, carrying the report.

    It stands beside the fields, also of pydantic events: class, equality, repr and dumps stay what they were, for the
    report holds the answer as it was before.
    """
    vars(holder)[ATTRIBUTE] = report
    return holder


def find_report(holder: Any) -> Report | None:
    """The report `holder` carries, if any. `getattr` will not do: a PydanticResponse has every attribute, as None."""
    found = getattr(holder, "__dict__", {}).get(ATTRIBUTE)
    return found if isinstance(found, Report) else None


def report_of(holder: Any) -> Report:
    """The report of a verified answer; raises `InputError` when `holder` is none."""
    report = find_report(holder)
    if report is None:
        raise InputError(f"report_of: this {type(holder).__name__} was not verified; ground() what gave it")
    return report


@contextmanager
def reports() -> Iterator[list[Report]]:
    """Collects the reports made in this context while it is open, innermost collector first."""
    collected: list[Report] = []
    token = _heard.set(collected)
    try:
        yield collected
    finally:
        _heard.reset(token)


def heard(report: Report) -> None:
    """Hand a new report to whoever collects."""
    collected = _heard.get()
    if collected is not None:
        collected.append(report)
