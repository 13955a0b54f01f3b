"""Numbers, units, money, dates, times and versions of a text, understood with exact offsets, and their comparison."""

from grounding_middleware.reading.values.comparing import compare
from grounding_middleware.reading.values.model import Bound, Interval, Masked, PartialDate, Value, ValueKind
from grounding_middleware.reading.values.reader import find, masked, unread
from grounding_middleware.reading.values.relation import Comparison, Relation

__all__ = ["Bound", "Comparison", "Interval", "Masked", "PartialDate", "Relation", "Value", "ValueKind", "compare", "find", "masked", "unread"]
