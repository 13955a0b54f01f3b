"""Runs for the pages: made from seeded chance in the shapes real runs have, and written as `grounding eval` does."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware.evaluation.runs import Fate, RunHeader, Scored, ScoredClaim, ScoredFact, TierCost, line_of
from grounding_middleware.labels import Action, Kind, Label, Risk, Severity
from grounding_middleware.records import Quote

WriteRun = Callable[..., Path]
SUBJECTS = ("contractors", "employees", "visitors", "Mitarbeiter", "les visiteurs", "suppliers in São Paulo")
TOPICS = {"travel": "hotel nights", "finance": "expense claims", "medical": "sick notes", "it": "access requests"}
UNSUPPORTED = (Label.CONTRADICTED, Label.INSUFFICIENT_EVIDENCE, Label.INVALID_CITATION)
KINDS = {
    Label.CONTRADICTED: Kind.NUMBER,
    Label.INSUFFICIENT_EVIDENCE: Kind.ADDED_DETAIL,
    Label.INVALID_CITATION: Kind.UNKNOWN_ID,
    Label.UNVERIFIED: Kind.UNDECIDED,
}

HOSTILE = (
    '</style></title><script>alert(1)</script><img src=x onerror=alert(2)>"\' style="x" {{ 7*7 }} {% raw %}'
    "\u202e\u2066\u200b\x00\x1b[31m\ufeff"
)


@pytest.fixture(scope="session")
def write_run(tmp_path_factory: pytest.TempPathFactory) -> WriteRun:
    """`write_run(answers, "nightly", day=1, gold=True)` writes nightly.jsonl and returns where it is."""

    def write(answers: Iterable[Scored], file: str = "run", *, day: int = 1, **header: Any) -> Path:
        path = tmp_path_factory.mktemp("runs") / f"{file}.jsonl"
        when = datetime(2026, 11, 1, 9, tzinfo=UTC) + timedelta(days=day)
        facts = {
            "name": file,
            "created": when,
            "package": "0.1.0",
            "grounder": "checks, then nli-mini",
            "grounder_sha256": "5c" * 32,
            "golden": ("set.jsonl",),
            "golden_sha256": "9e" * 32,
            "seed": 7,
        }
        first = RunHeader.model_validate({**facts, **header})
        with path.open("w", encoding="utf-8") as lines:
            lines.write(line_of(first))
            lines.writelines(map(line_of, answers))
        return path

    return write


@pytest.fixture(scope="session")
def made_answers() -> Callable[..., Iterator[Scored]]:
    """`made_answers(1000, seed=1, misses=0.1)`: answers of a verifier that misses so many of what is unsupported."""

    def make(number: int, seed: int = 1, *, misses: float = 0.1, gold: bool = True) -> Iterator[Scored]:
        chance = random.Random(seed)  # noqa: S311  # repeatable, not secret
        return (_answer(chance, index, misses, gold=gold) for index in range(number))

    return make


@pytest.fixture(scope="session")
def hostile_run(write_run: WriteRun) -> Path:
    """A run with the same hostile text in every field that takes one."""
    claim = ScoredClaim(
        text=HOSTILE, start=0, end=len(HOSTILE), gold=Label.SUPPORTED, label=Label.CONTRADICTED, kind=Kind.NUMBER,
        fate=Fate.REMOVED, reason=HOSTILE, decided_by=HOSTILE, rules=(f"conflict {HOSTILE}",), cited=(HOSTILE,),
        supported_elsewhere=HOSTILE, quotes=(Quote(span_id=HOSTILE, start=0, end=len(HOSTILE), text=HOSTILE),),
    )  # fmt: skip
    answer = Scored(
        id=HOSTILE, answer=HOSTILE, text=HOSTILE, question=HOSTILE, claims=(claim,), segments={HOSTILE: HOSTILE},
        action=Action.REVISED, leaked=(HOSTILE,), forbidden=1, markers={HOSTILE: 1}, before={"CONTRADICTED": 1},
        tiers=(TierCost(tier=HOSTILE, calls=1, latency_ms=1),),
    )  # fmt: skip
    crashed = Scored(id="crash", answer="", error=f"{HOSTILE}: {HOSTILE}")
    header = {"name": HOSTILE, "grounder": HOSTILE, "golden": (HOSTILE,), "versions": {HOSTILE: HOSTILE}}
    return write_run([answer, crashed], "hostile", **header)


def _answer(chance: random.Random, index: int, misses: float, *, gold: bool) -> Scored:
    domain = chance.choice(sorted(TOPICS))
    texts = [
        f"{chance.choice(SUBJECTS)} may file {TOPICS[domain]} of up to {chance.randint(1, 90)} days [doc-{part}]."
        for part in range(chance.randint(1, 5))
    ]
    answer, places = " ".join(texts), []
    for text in texts:
        start = places[-1][1] + 1 if places else 0
        places.append((start, start + len(text)))
    claims = tuple(_claim(chance, answer, place, misses, gold=gold) for place in places)
    withheld = chance.random() < 0.05
    if withheld:
        claims = tuple(claim.model_copy(update={"fate": Fate.WITHHELD}) for claim in claims)
    cut = any(claim.fate is Fate.REMOVED for claim in claims)
    open_ = any(claim.label is Label.UNVERIFIED for claim in claims)
    action = Action.ESCALATE if withheld else Action.REVIEW if open_ else Action.REVISED if cut else Action.OK
    after = [claim for claim in claims if claim.fate in (Fate.KEPT, Fate.REPAIRED)]
    return Scored(
        id=f"{domain}-{index:05}",
        question=f"How long may {TOPICS[domain]} wait?",
        answer=answer,
        text=" ".join(claim.text for claim in after) if after and not withheld else "A person will answer this.",
        segments={"domain": domain, "lang": chance.choice(("en", "en", "en", "de", "fr")), "model": "writer-1"},
        claims=claims,
        facts=(
            ScoredFact(id="f1", text=texts[0], in_answer=True, in_text=not withheld and claims[0].fate is Fate.KEPT),
        ),
        action=action,
        shown=not withheld,
        before=_counts(claims),
        after=_counts(after),
        answerable=chance.random() < 0.9 if gold else None,
        silent=withheld or not after,
        markers={
            "resolved": len(claims) - sum(claim.invalid_markers for claim in claims),
            "unknown_id": sum(claim.invalid_markers for claim in claims),
        },
        elapsed_ms=5 + chance.expovariate(1 / 8),
        tiers=(
            TierCost(tier="nli-mini", calls=1, latency_ms=chance.uniform(5, 60)),
            TierCost(
                tier="llm",
                calls=int(open_),
                input_tokens=900 * open_,
                output_tokens=80 * open_,
                latency_ms=700.0 * open_,
            ),
        ),
    )


def _claim(chance: random.Random, answer: str, place: tuple[int, int], misses: float, *, gold: bool) -> ScoredClaim:
    right = chance.choices((Label.SUPPORTED, *UNSUPPORTED, Label.NOT_A_CLAIM), (80, 6, 6, 3, 5))[0]
    label = right
    if chance.random() < 0.04:
        label = Label.UNVERIFIED
    elif right in UNSUPPORTED and chance.random() < misses:
        label = Label.SUPPORTED
    elif right is Label.SUPPORTED and chance.random() < 0.03:
        label = chance.choice(UNSUPPORTED)
    text = answer[place[0] : place[1]]
    flagged = label in UNSUPPORTED
    return ScoredClaim(
        text=text,
        start=place[0],
        end=place[1],
        gold=right if gold else None,
        label=label,
        kind=KINDS.get(label),
        gold_kind=KINDS.get(right) if gold else None,
        severity=Severity.CRITICAL if label is Label.CONTRADICTED else Severity.MAJOR if flagged else None,
        risk=chance.choice((Risk.INFORMATION, Risk.ACTION)),
        language="en",
        decided_by="checks" if flagged else "nobody" if label is Label.UNVERIFIED else "nli-mini",
        reason="the passage says 30 days, the answer another number" if flagged else "",
        rules=("conflict values.number_differs",) if flagged else (),
        quotes=(Quote(span_id="doc-1", start=4, end=31, text="may be filed within 30 days"),),
        cited=("doc-1",),
        markers=1,
        invalid_markers=int(label is Label.INVALID_CITATION),
        fate=chance.choice((Fate.REMOVED, Fate.REMOVED, Fate.REPAIRED)) if flagged else Fate.KEPT,
        overlap=round(chance.random(), 2),
    )


def _counts(claims: Any) -> dict[str, int]:
    labels = [Label.SUPPORTED if claim.fate is Fate.REPAIRED else claim.label for claim in claims]
    return {label: labels.count(label) for label in sorted(set(labels))}
