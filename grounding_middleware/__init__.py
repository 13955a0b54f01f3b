"""grounding-middleware: no statement reaches the reader unless the evidence the model was shown supports it.

    from grounding_middleware import Grounder

    report = Grounder().check(answer, evidence=["..."], question="...")
    report.action, report.text, report.claims

Names are loaded on first use, so that importing the package stays cheap and pulls in no framework.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grounding_middleware.exports import lazy

if TYPE_CHECKING:
    from grounding_middleware.errors import AnswerWithheldError, ConfigError, GroundingError, InputError, JudgeError
    from grounding_middleware.grounder import Grounder
    from grounding_middleware.judges import CallableModel, LLMJudge, as_judge
    from grounding_middleware.judges.protocol import Judge, Model
    from grounding_middleware.policy import Policy
    from grounding_middleware.prevention import Rules
    from grounding_middleware.records import (
        Action,
        Citation,
        Claim,
        Decision,
        Evidence,
        Finding,
        Kind,
        Label,
        Quote,
        Report,
        Risk,
        Severity,
        Span,
        Treatment,
        Verdict,
    )

__version__ = "0.1.0"

__all__ = [
    "Action",
    "AnswerWithheldError",
    "CallableModel",
    "Citation",
    "Claim",
    "ConfigError",
    "Decision",
    "Evidence",
    "Finding",
    "Grounder",
    "GroundingError",
    "InputError",
    "Judge",
    "JudgeError",
    "Kind",
    "LLMJudge",
    "Label",
    "Model",
    "Policy",
    "Quote",
    "Report",
    "Risk",
    "Rules",
    "Severity",
    "Span",
    "Treatment",
    "Verdict",
    "__version__",
    "as_judge",
]


__getattr__ = lazy(
    __name__,
    {
        ".errors": ("AnswerWithheldError", "ConfigError", "GroundingError", "InputError", "JudgeError"),
        ".grounder": ("Grounder",),
        ".judges": ("CallableModel", "LLMJudge", "as_judge"),
        ".judges.protocol": ("Judge", "Model"),
        ".policy": ("Policy",),
        ".prevention": ("Rules",),
        ".records": (
            "Action",
            "Citation",
            "Claim",
            "Decision",
            "Evidence",
            "Finding",
            "Kind",
            "Label",
            "Quote",
            "Report",
            "Risk",
            "Severity",
            "Span",
            "Treatment",
            "Verdict",
        ),
    },
)


def __dir__() -> list[str]:
    """What can be imported from here."""
    return __all__
