"""Numbers, units, money, dates, times and versions of a text, understood with exact offsets, and their comparison."""

from grounding_middleware.reading.values.cells import find_cell
from grounding_middleware.reading.values.comparing import compare
from grounding_middleware.reading.values.derive import Derivation, derivable, results
from grounding_middleware.reading.values.lexicon import covers
from grounding_middleware.reading.values.model import Bound, Interval, Masked, PartialDate, Value, ValueKind
from grounding_middleware.reading.values.reader import find, masked, unread
from grounding_middleware.reading.values.relation import Comparison, Relation

__all__ = [
    "Bound",
    "Comparison",
    "Derivation",
    "Interval",
    "Masked",
    "PartialDate",
    "Relation",
    "Value",
    "ValueKind",
    "compare",
    "covers",
    "derivable",
    "find",
    "find_cell",
    "masked",
    "results",
    "unread",
]
