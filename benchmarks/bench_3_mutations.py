"""Soundness of SUPPORTED by rules: every supported claim, changed in thirteen ways, must lose the label.

A changed claim that another sentence of the evidence states is true: it is printed with it and counted apart. Beside
these, the antecedent is exchanged: a sentence such as "It holds 40 litres" is put behind a sentence about another
thing of the same text, where it must not be supported any more.

Uses the development cases, and 300 sentences of RAG answers when the public data is there (see bench_2_public.py).
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from grounding_middleware import Grounder, Label, Quote, Report
from grounding_middleware.checks.library import shelve
from grounding_middleware.evaluation import MUTATIONS
from grounding_middleware.reading.pointing import points_back
from grounding_middleware.reading.subjects import subject

HERE = Path(__file__).parent
CASES = HERE.parent / "tests" / "cases" / "claims.jsonl"
DATA = Path(os.environ.get("GROUNDING_DATA", HERE.parent.parent / "shared" / "data"))
_SENTENCES = 300
_EACH = 3  # pairs of sentences of one text, and sentences each is put behind


def main() -> int:
    """Print variants and leaks for each transformation; returns 1 when anything leaked."""
    warnings.simplefilter("ignore", UserWarning)
    grounder = Grounder()
    tried: Counter[str] = Counter()
    leaked: Counter[str] = Counter()
    stated: Counter[str] = Counter()
    bases = 0
    for claim, evidence, more in supported(grounder):
        bases += 1
        home = grounder.check(claim, evidence=evidence, **more)
        for name, mutate in MUTATIONS.items():
            for variant in mutate(claim):
                tried[name] += 1
                report = grounder.check(variant, evidence=evidence, **more)
                if all(verdict.label is Label.SUPPORTED for verdict in report.claims) and report.claims:
                    elsewhere = not overlap(report, home)
                    (stated if elsewhere else leaked)[name] += 1
                    kind = "stated elsewhere" if elsewhere else "leak"
                    pieces = [quote.text for quote in quotes(report)]
                    print(f"  {kind}, {name}: {variant!r}\n      from {claim!r}\n      {pieces!r}")
    print(f"{bases} claims that rules support; variants that kept SUPPORTED, of those tried")
    for name in MUTATIONS:
        print(f"  {name:16} {leaked[name]:4} of {tried[name]}")
    print(f"  {'all':16} {sum(leaked.values()):4} of {sum(tried.values())}")
    print(f"  {stated.total()} more are stated by another sentence of the evidence, printed above")
    wrong = antecedents(grounder)
    return 1 if leaked or wrong else 0


def antecedents(grounder: Grounder) -> int:
    """Print how many sentences that point back stayed supported behind the sentence before, and behind another one."""
    pairs = kept = tried = wrong = 0
    for text in texts():
        for first, second, others in pointing(text):
            pairs += 1
            kept += last_supported(grounder, f"{first} {second}", text)
            for other in others:
                tried += 1
                if last_supported(grounder, f"{other} {second}", text):
                    wrong += 1
                    print(f"  leak, antecedent: {second!r}\n      behind {other!r}\n      for {first!r}")
    print(
        f"  {'antecedent':16} {wrong:4} of {tried}; behind the sentence it belongs to, {kept} of {pairs} are supported"
    )
    return wrong


def texts() -> Iterator[str]:
    """The sources of the development cases, and of the RAG answers when they are there."""
    for case in map(json.loads, CASES.read_text("utf-8").splitlines()):
        yield from (source["text"] for source in case["sources"])
    if DATA.is_dir():
        rows = (DATA / "ragtruth_qa.jsonl").read_text("utf-8").splitlines()[:_SENTENCES]
        yield from (part for row in rows for part in json.loads(row)["context"].split("\n\n") if part.strip())


def pointing(text: str) -> Iterator[tuple[str, str, list[str]]]:
    """Sentences that point back, each with the one before and with sentences of this text about other things."""
    units = shelve(text, "", "en").units
    plain = [unit for unit in units if not unit.tabular and not points_back(unit)]
    found = [(one, two) for one, two in pairwise(units) if points_back(two) and one in plain and subject(one)]
    for one, two in found[:_EACH]:
        mine = {key for item in one.items for key in item.keys}
        told = mine | two.keys  # what the sentence itself names is no other thing
        others = [unit for unit in plain if subject(unit) and not any(item.keys & told for item in subject(unit))]
        yield one.text.strip(), two.text.strip(), [unit.text.strip() for unit in others[:_EACH]]


def last_supported(grounder: Grounder, answer: str, text: str) -> bool:
    """Whether the last claim of the answer is SUPPORTED by the text."""
    claims = grounder.check(answer, evidence=[text]).claims
    return bool(claims) and claims[-1].label is Label.SUPPORTED


def overlap(left: Report, right: Report) -> bool:
    """Whether two reports rest on the same piece of the evidence."""
    return any(
        one.span_id == other.span_id and one.start < other.end and other.start < one.end
        for one in quotes(left)
        for other in quotes(right)
    )


def quotes(report: Report) -> list[Quote]:
    """The pieces of the evidence a report rests on."""
    return [quote for verdict in report.claims for quote in verdict.quotes]


def supported(grounder: Grounder) -> Iterator[tuple[str, list[Any], dict[str, Any]]]:
    """Claims the rules support by themselves, with their evidence and settings."""
    for case in map(json.loads, CASES.read_text("utf-8").splitlines()):
        more = {"as_of": case.get("as_of"), "requester": case.get("requester"), "question": case["question"]}
        if supported_alone(grounder, case["claim"], case["sources"], more):
            yield case["claim"], case["sources"], more
    if DATA.is_dir():
        yield from _answers(grounder)


def _answers(grounder: Grounder) -> Iterator[tuple[str, list[Any], dict[str, Any]]]:
    found = 0
    for row in map(json.loads, (DATA / "ragtruth_qa.jsonl").read_text("utf-8").splitlines()):
        evidence = [part for part in row["context"].split("\n\n") if part.strip()]
        for verdict in grounder.check(row["claim"], evidence=evidence).claims:
            if verdict.label is Label.SUPPORTED and supported_alone(grounder, verdict.text, evidence, {}):
                found += 1
                yield verdict.text, evidence, {}
            if found >= _SENTENCES:
                return


def supported_alone(grounder: Grounder, claim: str, evidence: list[Any], more: dict[str, Any]) -> bool:
    """True when the claim without the rest of its answer is one claim and SUPPORTED."""
    claims = grounder.check(claim, evidence=evidence, **more).claims
    return bool(claims) and all(verdict.label is Label.SUPPORTED for verdict in claims)


if __name__ == "__main__":
    sys.exit(main())
