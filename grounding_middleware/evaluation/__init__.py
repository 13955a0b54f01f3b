"""Measuring: transformations that must turn a supported claim into an unsupported one."""

from grounding_middleware.evaluation.mutations import MUTATIONS, Mutation

__all__ = ["MUTATIONS", "Mutation"]
