"""Every error this package raises on purpose; anything else that escapes is a defect.

GroundingError
├── InputError       (also ValueError)  evidence, answer or question cannot be used
├── ConfigError      (also ValueError)  a setting, policy or spec is wrong
├── JudgeError                          a model could not be asked or read; never leaves the core
└── AnswerWithheldError                 the policy forbids release; carries the report
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grounding_middleware.records import Report

__all__ = ["AnswerWithheldError", "ConfigError", "GroundingError", "InputError", "JudgeError"]


class GroundingError(Exception):
    """Base of all errors raised by this package."""


class InputError(GroundingError, ValueError):
    """The evidence, answer or question cannot be used; the message names field, value and what is allowed."""


class ConfigError(GroundingError, ValueError):
    """A setting is wrong; raised at construction, naming field, value and what is allowed."""


class JudgeError(GroundingError):
    """A model call failed; the drivers turn it into a reply that carries the reason, so it never means "supported"."""


class AnswerWithheldError(GroundingError):
    """The policy forbids showing this answer; `report` says why, claim by claim."""

    def __init__(self, message: str, report: Report) -> None:
        super().__init__(message)
        self.report = report

    def __reduce__(self) -> tuple[type[AnswerWithheldError], tuple[str, Report]]:
        """Survives pickling, so that a worker process can hand the report back."""
        return (type(self), (str(self), self.report))
