"""The causes there are, and what a diagnosis says about one claim."""

from __future__ import annotations

from enum import StrEnum

from grounding_middleware.records import Finding, Label, Quote, Range, Record


class Cause(StrEnum):
    """Which part of the system most probably let a claim fail, and so which part to look at.

    | cause                   | what was seen                                                        | look at    |
    |-------------------------|----------------------------------------------------------------------|------------|
    | resolver                | the marker leads nowhere, or to an old or forbidden passage          | ids, index |
    | context_loss            | the sentence, or its exception, was retrieved and not delivered      | packing    |
    | alignment               | another passage of the prompt states it, the cited one does not      | prompt     |
    | contradiction           | the evidence says otherwise                                          | generator  |
    | extrapolation           | the evidence is silent                                               | generator  |
    | source_conflict         | two passages of the evidence contradict each other                   | sources    |
    | merge                   | one half stands in one passage, the other half in another            | generator  |
    | verifier_false_positive | a judge refused what the cited evidence says nearly word for word    | judge      |
    | verifier_false_negative | a judge accepted it although a check doubts a value or a negation    | judge      |
    | verifier_failure        | the judge gave no usable verdict                                     | judge      |
    """

    RESOLVER = "resolver"
    CONTEXT_LOSS = "context_loss"
    ALIGNMENT = "alignment"
    CONTRADICTION = "contradiction"
    EXTRAPOLATION = "extrapolation"
    SOURCE_CONFLICT = "source_conflict"
    MERGE = "merge"
    FALSE_POSITIVE = "verifier_false_positive"
    FALSE_NEGATIVE = "verifier_false_negative"
    VERIFIER_FAILURE = "verifier_failure"


class Diagnosis(Record):
    """The probable cause of one failed claim, and what it was told by.

    `quotes` is text of spans, undelivered and outdated ones included; `findings` are those of the checks;
    `citations` and `calls` index the report's; `words` are ranges of the answer nothing in the evidence stands behind.
    `sources` are the source ids the cause concerns.
    """

    answer_id: str
    claim_id: str
    cause: Cause
    reason: str
    label: Label
    decided_by: str
    quotes: tuple[Quote, ...] = ()
    findings: tuple[Finding, ...] = ()
    citations: tuple[int, ...] = ()
    calls: tuple[int, ...] = ()
    words: tuple[Range, ...] = ()
    sources: tuple[str, ...] = ()
