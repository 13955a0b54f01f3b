"""Probing: false statements made of a user's own documents and supported answers, and what passes of them (SPEC ME-5).

    statements of documents, golden sets, reports ─▶ transformations ─▶ mutants ─▶ any verifier ─▶ grades

A transformation changes what is said and proves, as far as that is cheap, that the evidence does not say it: a probe
that cries leak over a paraphrase is worth nothing. The unchanged statements are verified too, so that a verifier that
flags everything does not look good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grounding_middleware.exports import lazy

if TYPE_CHECKING:
    from grounding_middleware.evaluation.probing.answers import of_examples, of_reports
    from grounding_middleware.evaluation.probing.blind import MUTATIONS, Mutation
    from grounding_middleware.evaluation.probing.catalogue import TRANSFORMATIONS, Transformation, chosen
    from grounding_middleware.evaluation.probing.documents import of_documents
    from grounding_middleware.evaluation.probing.judging import Grade, Verify, through
    from grounding_middleware.evaluation.probing.records import Controls, Example, Probed, Row
    from grounding_middleware.evaluation.probing.rendering import render
    from grounding_middleware.evaluation.probing.running import MOST, probe
    from grounding_middleware.evaluation.probing.statements import Attempt, Change, Mutant, Statement

__all__ = [
    "MOST",
    "MUTATIONS",
    "TRANSFORMATIONS",
    "Attempt",
    "Change",
    "Controls",
    "Example",
    "Grade",
    "Mutant",
    "Mutation",
    "Probed",
    "Row",
    "Statement",
    "Transformation",
    "Verify",
    "chosen",
    "of_documents",
    "of_examples",
    "of_reports",
    "probe",
    "render",
    "through",
]


__getattr__ = lazy(
    __name__,
    {
        ".answers": ("of_examples", "of_reports"),
        ".blind": ("MUTATIONS", "Mutation"),
        ".catalogue": ("TRANSFORMATIONS", "Transformation", "chosen"),
        ".documents": ("of_documents",),
        ".judging": ("Grade", "Verify", "through"),
        ".records": ("Controls", "Example", "Probed", "Row"),
        ".rendering": ("render",),
        ".running": ("MOST", "probe"),
        ".statements": ("Attempt", "Change", "Mutant", "Statement"),
    },
)
