"""Why claims fail: a probable cause for each, with the evidence for it, and totals over many answers (SPEC §12).

Pure: everything is read from finished reports, no model is asked and no verdict changes.
"""

from __future__ import annotations

from grounding_middleware.diagnosis.naming import diagnose
from grounding_middleware.diagnosis.records import Cause, Diagnosis
from grounding_middleware.diagnosis.totals import Row, Tally, Totals, table, totals

__all__ = ["Cause", "Diagnosis", "Row", "Tally", "Totals", "diagnose", "table", "totals"]
