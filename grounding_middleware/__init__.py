"""grounding-middleware: no statement reaches the reader unless the evidence the model was shown supports it.

    from grounding_middleware import Grounder

    report = Grounder().check(answer, evidence=["..."], question="...")
    report.action, report.text, report.claims

Names are loaded on first use, so that importing the package stays cheap and pulls in no framework.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

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

_HOME = {
    **dict.fromkeys(("AnswerWithheldError", "ConfigError", "GroundingError", "InputError", "JudgeError"), "errors"),
    **dict.fromkeys(("CallableModel", "LLMJudge", "as_judge"), "judges"),
    **dict.fromkeys(("Judge", "Model"), "judges.protocol"),
    "Grounder": "grounder",
    "Policy": "policy",
    "Rules": "prevention",
    **dict.fromkeys(("Action", "Citation", "Claim", "Decision", "Evidence", "Finding", "Kind", "Label"), "records"),
    **dict.fromkeys(("Quote", "Report", "Risk", "Severity", "Span", "Treatment", "Verdict"), "records"),
}

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


def __getattr__(name: str) -> Any:
    """The public name, from the module it lives in (PEP 562)."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    """What can be imported from here."""
    return __all__
