"""Quotations: found exactly after a stated normalisation, with what they leave out; never a similar text (CH-8)."""

from grounding_middleware.quotations.boundaries import inside_word
from grounding_middleware.quotations.context import sentence
from grounding_middleware.quotations.folding import Folded, Rung, fold
from grounding_middleware.quotations.search import Location, Miss, locate

__all__ = ["Folded", "Location", "Miss", "Rung", "fold", "inside_word", "locate", "sentence"]
