"""The golden set: answers with what a person holds to be right about them (SPEC ME-4).

One `Example` is one answer. In JSON lines it has these fields, of which `id`, `answer` and `sources` are needed:

| field | content |
|---|---|
| `id` | unique in the set |
| `question`, `as_of`, `requester` | what was asked, the day of the question, attributes of who asked |
| `sources` | the evidence as `Grounder.check(evidence=...)` takes it: texts, or mappings of `Span`'s fields |
| `answer` | the whole answer, as the model wrote it |
| `claims` | statements with their right label, in the order of the answer, see below |
| `facts` | what a complete answer must say: texts, or `{"id", "text", "also": [...]}` with other wordings |
| `answerable` | false: the sources do not answer, so the right answer is that nothing was found |
| `actions` | accepted actions of the policy, the best first |
| `forbidden` | texts that must not reach the reader |
| `segments` | free names and values to group results by: domain, lang, class, hard, model, ... |
| `completed`, `review_seconds` | whether the user's task was done, how long a person reviewed the answer; where known |
| `judge_reply` | the judge answers exactly this, whatever judge is configured |

A claim has `text`, `label` and, unless its text stands in the answer exactly as often as in `claims`, `start` and
`end`; further `also_ok` (labels that are accepted too), `kind`, `quote` (the evidence), `supported_by` (the span that
would have been right to cite), `cites` (the spans its markers lead to, [] for none), `segments` and `id`. The label
`UNSUPPORTED` says that it is not supported and nobody said how.

`loading.load` reads this and four other formats.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from enum import StrEnum
from typing import Annotated, Any, Final, Literal, Self

from pydantic import AfterValidator, Field, PlainSerializer, model_validator

from grounding_middleware.records import Action, Attributes, FrozenDict, Kind, Label, Quote, Record

__all__ = [
    "FLAGS",
    "PASSES",
    "UNSUPPORTED",
    "CriticalFact",
    "Example",
    "GoldClaim",
    "GoldLabel",
    "Segments",
    "Side",
    "accepts",
    "placed",
    "side_of",
]

UNSUPPORTED: Final = "UNSUPPORTED"
"""Gold label of a claim that is not supported, without a word about how."""

GoldLabel = Label | Literal["UNSUPPORTED"]

FLAGS: Final = frozenset({Label.CONTRADICTED, Label.INSUFFICIENT_EVIDENCE, Label.INVALID_CITATION})
"""Labels that say something is wrong. UNVERIFIED is none of them: it says that nobody knows."""

PASSES: Final = frozenset({Label.SUPPORTED, Label.NOT_A_CLAIM, Label.ABSTENTION})
"""Labels that say nothing is wrong."""

_SURROGATE: Final = re.compile("[\ud800-\udfff]")

Segments = Annotated[Mapping[str, str], AfterValidator(FrozenDict), PlainSerializer(dict)]
"""Names and values that results are grouped by."""


class Side(StrEnum):
    """What a verifier should do with a claim; EITHER when accepted labels lie on both sides, so neither is an error."""

    FLAG = "flag"
    PASS = "pass"  # noqa: S105  # no secret
    EITHER = "either"


def side_of(gold: GoldLabel, also_ok: Iterable[Label] = ()) -> Side:
    """The side a gold label lies on; a gold UNVERIFIED must not pass."""
    sides = {Side.PASS if label in PASSES else Side.FLAG for label in (gold, *also_ok)}
    return Side.EITHER if len(sides) > 1 else sides.pop()


def accepts(gold: GoldLabel, also_ok: Iterable[Label], label: Label | None) -> bool:
    """Whether `label` is right; any flag is, where nobody said how the claim is unsupported."""
    if label is None:
        return False
    return label == gold or label in also_ok or (gold == UNSUPPORTED and label in FLAGS)


def placed(answer: str, texts: Iterable[str]) -> tuple[int, ...]:
    """Where each of `texts` begins in `answer`; afterwards they are never searched for again.

    Equal texts are taken in order. Raises `ValueError` unless a text stands there exactly as often as it is given.
    """
    given = tuple(texts)
    for text, wanted in Counter(given).items():
        found = len(_occurrences(answer, text))
        if found != wanted:
            times = "" if wanted == 1 else f" and is given {wanted} times"
            raise ValueError(
                f"claim occurs {found} times in the answer{times}; then start and end are needed: {text!r:.80}"
            )
    left = {text: iter(_occurrences(answer, text)) for text in given}
    return tuple(next(left[text]) for text in given)


def _occurrences(answer: str, text: str) -> list[int]:
    found, at = [], answer.find(text) if text else -1
    while at >= 0:
        found.append(at)
        at = answer.find(text, at + len(text))
    return found


class GoldClaim(Record):
    """One statement with its right label; `answer[start:end] == text` always holds."""

    id: str = ""
    text: str = Field(min_length=1)
    start: int = Field(ge=0)
    end: int = Field(ge=0)
    label: GoldLabel
    also_ok: tuple[Label, ...] = ()
    kind: Kind | None = None
    quote: Quote | None = None
    supported_by: str | None = None
    cites: tuple[str, ...] | None = None
    segments: Segments = FrozenDict()

    @property
    def side(self) -> Side:
        """Whether it must be flagged, must pass, or may do either."""
        return side_of(self.label, self.also_ok)


class CriticalFact(Record):
    """Something a complete answer says, in one of several wordings."""

    id: str = Field(min_length=1)
    text: str = Field(min_length=1)
    also: tuple[str, ...] = ()

    @property
    def wordings(self) -> tuple[str, ...]:
        """All accepted ones, the best first."""
        return (self.text, *self.also)


class Example(Record):
    """One answer of a golden set; the module names the fields."""

    id: str = Field(min_length=1)
    question: str = ""
    sources: tuple[str | Attributes, ...]
    answer: str
    as_of: date | None = None
    requester: Attributes | None = None
    claims: tuple[GoldClaim, ...] = ()
    facts: tuple[CriticalFact, ...] = ()
    answerable: bool | None = None
    actions: tuple[Action, ...] = ()
    forbidden: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    segments: Segments = FrozenDict()
    completed: bool | None = None
    review_seconds: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    judge_reply: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, data: Any) -> Any:
        """Find the places of claims that come without; number the facts that are bare texts."""
        if not isinstance(data, Mapping) or not isinstance(data.get("answer"), str):
            return data
        return {
            **data,
            "claims": _with_places(data["answer"], data.get("claims") or ()),
            "facts": tuple(_fact(fact, number) for number, fact in enumerate(data.get("facts") or (), 1)),
        }

    @model_validator(mode="after")
    def _in_place(self) -> Self:
        for claim in self.claims:
            if self.answer[claim.start : claim.end] != claim.text:
                raise ValueError(f"claims: answer[{claim.start}:{claim.end}] is not the claim {claim.text!r:.80}")
        texts = (self.id, self.question, self.answer, *self.forbidden, *self.segments, *self.segments.values())
        for text in (*texts, *(wording for fact in self.facts for wording in (fact.id, *fact.wordings))):
            if _SURROGATE.search(text):
                raise ValueError(f"holds half a character: {text!r:.80}; allowed is text")
        names = [fact.id for fact in self.facts]
        if len(set(names)) < len(names):
            raise ValueError(f"facts: ids must differ, got {', '.join(names)}")
        return self


def _with_places(answer: str, claims: Any) -> Any:
    """Whatever is no list of mappings is left for the validation to refuse."""
    if not isinstance(claims, list | tuple) or not all(isinstance(claim, Mapping | GoldClaim) for claim in claims):
        return claims
    missing = [claim for claim in claims if isinstance(claim, Mapping) and "start" not in claim]
    starts = iter(placed(answer, (str(claim.get("text", "")) for claim in missing)))
    return tuple(_with_place(claim, starts) if claim in missing else claim for claim in claims)


def _with_place(claim: Mapping[str, Any], starts: Any) -> dict[str, Any]:
    start = next(starts)
    return {**claim, "start": start, "end": start + len(str(claim["text"]))}


def _fact(fact: Any, number: int) -> Any:
    return {"id": f"f{number}", "text": fact} if isinstance(fact, str) else fact
