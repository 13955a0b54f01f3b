"""Judges: whatever decides entailment semantically, behind one protocol without I/O."""

from grounding_middleware.judges.breaker import Breaker
from grounding_middleware.judges.cascade import Cascade, as_cascade, as_judge, models_of
from grounding_middleware.judges.driving import Run, arun, run
from grounding_middleware.judges.llm import LLMJudge
from grounding_middleware.judges.models import CallableModel, as_model
from grounding_middleware.judges.patience import Patience
from grounding_middleware.judges.protocol import (
    Batch,
    Judge,
    JudgeItem,
    JudgeTask,
    Model,
    ModelCall,
    ModelReply,
    Opinion,
    Replies,
)

__all__ = [
    "Batch",
    "Breaker",
    "CallableModel",
    "Cascade",
    "Judge",
    "JudgeItem",
    "JudgeTask",
    "LLMJudge",
    "Model",
    "ModelCall",
    "ModelReply",
    "Opinion",
    "Patience",
    "Replies",
    "Run",
    "arun",
    "as_cascade",
    "as_judge",
    "as_model",
    "models_of",
    "run",
]
