"""Everything that is policy, as one document: read strictly, explained on error, hashed into every report (SPEC DC).

    text -> document (lines kept) -> Spec (validated) -> Grounder

`Grounder.from_spec("grounding.yaml")` is the short way.
"""

from __future__ import annotations

from grounding_middleware.spec.building import grounder_from
from grounding_middleware.spec.loading import load, parse
from grounding_middleware.spec.model import Spec
from grounding_middleware.spec.opening import review_queue
from grounding_middleware.spec.writing import effective, schema, to_yaml

__all__ = ["Spec", "effective", "grounder_from", "load", "parse", "review_queue", "schema", "to_yaml"]
