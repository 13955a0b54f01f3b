"""Local models as judges: natural language inference on this machine, without a call to anybody (JU-7, extra `nli`).

    from grounding_middleware.judges.nli import NLIJudge, OnnxModel

    judge = NLIJudge(OnnxModel("folder/of/the/model"))

It supports or contradicts where it is sure, and leaves everything in between to the next judge.
"""

from grounding_middleware.judges.nli.judge import NLIJudge, PairModel
from grounding_middleware.judges.nli.onnx import OnnxModel
from grounding_middleware.judges.nli.thresholds import Scored, Thresholds, calibrate
from grounding_middleware.judges.nli.transformers import TransformersModel

__all__ = ["NLIJudge", "OnnxModel", "PairModel", "Scored", "Thresholds", "TransformersModel", "calibrate"]
