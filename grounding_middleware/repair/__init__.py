"""Repair before removal (SPEC RE-2 to RE-6): a statement is put right from the evidence, or it goes.

    treated verdicts -> targets -> recite | correct | replace | model -> draft -> the same tiers again -> text

What it means for the answer (DE-2, DE-6): the decision is taken on the verdicts of what the model said. An answer with
too large a share of unsupported claims is escalated however well they could be repaired, one with a blocked claim is
blocked, and for neither is a repair tried. Otherwise a repaired claim counts as unsupported in the share, is not
counted as withheld, and makes the action `when_revised`. A claim that cannot be repaired is removed, and when nothing
is left the answer is escalated.

A repaired text is never believed: the whole changed answer goes through rules and judges again, and stays only if every
repaired statement is SUPPORTED with the right citation and no other statement got worse.
"""

from __future__ import annotations

from grounding_middleware.repair.measures import Attribution, attribution, preserved
from grounding_middleware.repair.outcome import Outcome, removed, repaired
from grounding_middleware.repair.regenerating import TIER
from grounding_middleware.repair.settings import Repair, Step
from grounding_middleware.repair.verifying import Original

__all__ = [
    "TIER",
    "Attribution",
    "Original",
    "Outcome",
    "Repair",
    "Step",
    "attribution",
    "preserved",
    "removed",
    "repaired",
]
