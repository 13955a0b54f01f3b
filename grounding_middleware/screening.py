"""Screening without evidence: a first pass, and the gate that sends an answer to review when too much is marked (DE-7).

For material that has no sources to compare with. It never says that anything is supported.
"""

from __future__ import annotations

from collections.abc import Generator

from grounding_middleware import citations as citing
from grounding_middleware.claims import split
from grounding_middleware.editing import edit
from grounding_middleware.evidence import build
from grounding_middleware.judges.driving import arun, run
from grounding_middleware.judges.first_pass import FirstLook, FirstPass, flagged
from grounding_middleware.judges.protocol import Batch, Replies
from grounding_middleware.policy import Policy
from grounding_middleware.policy.deciding import first_pass as gate
from grounding_middleware.records import CallRecord, Claim, Edit, Label, Record, Treatment, Verdict

__all__ = ["Screening", "ascreen", "screen"]

_TIMEOUT = 60.0


class Screening(Record):
    """What a first pass led to: `treatment` is keep, remove or review, `text` what may be shown under it.

    `flagged` are the claims of the answer that a mark touches, `sentences` how many claims it has.
    """

    answer: str
    text: str
    treatment: Treatment
    look: FirstLook
    flagged: tuple[Claim, ...] = ()
    sentences: int = 0
    edits: tuple[Edit, ...] = ()
    calls: tuple[CallRecord, ...] = ()


def screen(answer: str, first_pass: FirstPass, *, policy: Policy | None = None, question: str = "") -> Screening:
    """The screening of `answer`: marked sentences dropped, or all of it to review when they are too many.

    A first pass that failed goes to review.
    """
    done = run(_steps(answer, first_pass, policy or Policy(), question), first_pass.models, timeout=_TIMEOUT)
    return done.result.replace(calls=done.calls)


async def ascreen(answer: str, first_pass: FirstPass, *, policy: Policy | None = None, question: str = "") -> Screening:
    """As `screen`, without blocking the event loop."""
    done = await arun(_steps(answer, first_pass, policy or Policy(), question), first_pass.models, timeout=_TIMEOUT)
    return done.result.replace(calls=done.calls)


def _steps(answer: str, first_pass: FirstPass, policy: Policy, question: str) -> Generator[Batch, Replies, Screening]:
    look = yield from first_pass.scan(answer, question)
    citations = citing.resolve(answer, build(()))
    statements = split(answer, citations, question)
    claims = tuple(one for one in statements if one.statement == "claim")
    marked = flagged(look.flags, claims)
    treatment = _treatment(look, len(marked), len(claims), policy)
    text, edits = answer, tuple[Edit, ...]()
    if treatment is Treatment.REVIEW:
        text = policy.texts.fallback
    elif treatment is Treatment.REMOVE:
        ids = {claim.id for claim in marked}
        text, edits, _ = edit(answer, tuple(_verdict(one, one.id in ids) for one in statements), citations)
    return Screening(
        answer=answer, text=text, treatment=treatment, look=look, flagged=marked, sentences=len(claims), edits=edits
    )


def _treatment(look: FirstLook, marked: int, claims: int, policy: Policy) -> Treatment:
    if look.problem:
        return Treatment.REVIEW
    return gate(marked, claims, policy) if claims else Treatment.KEEP


def _verdict(claim: Claim, marked: bool) -> Verdict:  # noqa: FBT001  # two kinds of sentences, nothing else
    label = Label.UNVERIFIED if claim.statement == "claim" else Label.NOT_A_CLAIM
    treatment = Treatment.REMOVE if marked else Treatment.KEEP
    reason = "marked by the first pass" if marked else "not marked by the first pass"
    return Verdict.of(claim, label=label, treatment=treatment, reason=reason, decided_by="first pass")
