"""From a raw reply to opinions: what a judge says counts only as far as code can check it (JU-2 to JU-4).

A reply that cannot be read at all is a problem to be repaired once. In a readable reply each verdict stands or falls by
itself. Whatever falls, or is missing, is UNVERIFIED with the reason.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from grounding_middleware.judges import strict_json
from grounding_middleware.judges.prompts.fences import one_line
from grounding_middleware.judges.prompts.schema import KINDS
from grounding_middleware.judges.prompts.verification import Passage
from grounding_middleware.judges.protocol import JudgeItem, Opinion
from grounding_middleware.judges.strict_json import UnreadableError
from grounding_middleware.quotations import Location, locate, sentence
from grounding_middleware.records import Kind, Label, Quote
from grounding_middleware.validation import first_fault

REASON_LENGTH = 500
MAX_QUOTES = 16
"""Quotes of one verdict that are looked up; more prove nothing more."""

_CONDITION_LENGTH = 40
_NUMBER = re.compile(r"\s*(\d{1,6})\s*", re.ASCII)
_LEAST = 3
"""Letters and digits a quote needs before it can prove anything."""


class Reading(NamedTuple):
    """What a reply says: one opinion for each item in order, or the `problem` that made it unreadable.

    `notes` name what was discarded, such as verdicts on claims that do not exist.
    """

    opinions: tuple[Opinion, ...] = ()
    problem: str = ""
    notes: tuple[str, ...] = ()


def read(reply: str, items: Mapping[int, JudgeItem], passages: Mapping[str, Passage], data: Sequence[str]) -> Reading:
    """The opinions in `reply` about the `items` of these numbers; never raises, whatever the reply is.

    `passages` are what the judge was shown, by the names it knows; `data` all texts it was shown: a reply that stands
    in one of them was copied, not given.
    """
    try:
        value, text = strict_json.read(reply)
        refuse_echo(text, data)
        entries = [_entry(raw) for raw in _verdicts(value)]
        _refuse_all(entries, items.keys())
    except UnreadableError as error:
        return Reading(problem=one_line(_plain(str(error)), REASON_LENGTH))
    notes = tuple(one_line(_plain(entry.note), REASON_LENGTH) for entry in entries if entry.number not in items)
    given: dict[int | None, list[_Entry]] = defaultdict(list)
    for entry in entries:
        given[entry.number].append(entry)
    opinions = (_opinion(given[number], item, passages) for number, item in items.items())
    return Reading(tuple(opinions), notes=notes)


def unverified(item: JudgeItem, reason: str) -> Opinion:
    """The opinion for a claim that could not be checked."""
    text = one_line(_plain(reason), REASON_LENGTH)
    return Opinion(claim_id=item.claim.id, label=Label.UNVERIFIED, kind=Kind.VERIFIER_FAILURE, reason=text)


def _claim_number(value: object) -> object:
    """The text "1" can only mean 1."""
    if isinstance(value, str) and (found := _NUMBER.fullmatch(value)):
        return int(found[1])
    return value


def _label(value: object) -> object:
    """Case and outer blanks of a label carry no meaning; everything else does."""
    return value.strip().upper() if isinstance(value, str) else value


def _listed(value: object) -> object:
    return [] if value is None else value


class _Quoted(BaseModel):
    model_config = ConfigDict(strict=True, frozen=True)

    source: str
    quote: str


class _RawVerdict(BaseModel):
    """One verdict as the reply format has it; unknown keys have no effect."""

    model_config = ConfigDict(strict=True, frozen=True)

    claim: Annotated[int, BeforeValidator(_claim_number)]
    label: Annotated[
        Literal["SUPPORTED", "CONTRADICTED", "INSUFFICIENT_EVIDENCE"],
        BeforeValidator(_label),
    ]
    evidence: Annotated[list[_Quoted], Field(max_length=MAX_QUOTES), BeforeValidator(_listed)] = []
    reason: str | None = None
    confidence: Annotated[float | None, Field(ge=0, le=1, allow_inf_nan=False)] = None
    kind: Any = None


class _Entry(NamedTuple):
    """One element of the list of verdicts: readable, or with what is wrong with it."""

    number: int | None
    verdict: _RawVerdict | None
    problem: str

    @property
    def note(self) -> str:
        """What the log says when the entry is about no asked claim."""
        return f"discarded: {self.problem}" if self.number is None else f"discarded a verdict on claim {self.number}"


def refuse_echo(text: str, data: Sequence[str]) -> None:
    """Raise `UnreadableError` for a reply whose JSON was copied from what the model was shown."""
    bare = "".join(text.split())
    if any(bare in "".join(shown.split()) for shown in data):
        raise UnreadableError("the JSON of the reply stands in the data the judge was shown")


def _verdicts(value: object) -> list[object]:
    found = value.get("verdicts") if isinstance(value, dict) else value
    if not isinstance(found, list) or not found:
        raise UnreadableError('the JSON has no list "verdicts" with anything in it')
    return found


def _entry(raw: object) -> _Entry:
    number = _claim_number(raw.get("claim")) if isinstance(raw, dict) else None
    known = number if isinstance(number, int) and not isinstance(number, bool) else None
    try:
        return _Entry(known, _RawVerdict.model_validate(raw), "")
    except ValidationError as error:
        return _Entry(known, None, first_fault(error, "verdict"))


def _refuse_all(entries: Sequence[_Entry], asked: Collection[int]) -> None:
    """Reject a reply whose numbering cannot be trusted, or that has no verdict that fits the format."""
    numbers = {entry.number for entry in entries if entry.number is not None}
    if 0 in numbers:
        raise UnreadableError("the claims are numbered from 0; keep the numbers they were given")
    if numbers == set(range(1, len(asked) + 1)) != set(asked):
        raise UnreadableError("the claims were numbered anew from 1; keep the numbers they were given")
    if not any(entry.verdict and entry.number in asked for entry in entries):
        problems = [entry.problem or f"there is no claim {entry.number}" for entry in entries]
        raise UnreadableError(f"no verdict fits the format: {problems[0]}")


def _opinion(entries: Sequence[_Entry], item: JudgeItem, passages: Mapping[str, Passage]) -> Opinion:
    if not entries:
        return unverified(item, "the judge gave no verdict on this claim")
    first = entries[0]
    if first.verdict is None:
        return unverified(item, f"the verdict does not fit the format: {first.problem}")
    if any(entry.verdict != first.verdict for entry in entries[1:]):
        return unverified(item, "the judge gave several verdicts on this claim that differ")
    return _checked(first.verdict, item, passages)


def _checked(verdict: _RawVerdict, item: JudgeItem, passages: Mapping[str, Passage]) -> Opinion:
    """The verdict as far as its quotes stand in the passages they name."""
    label = Label(verdict.label)
    found = [_verified(quoted, passages) for quoted in verdict.evidence if quoted.quote.strip()]
    quotes = tuple(one.quote for one in found if one.quote)
    problems = [one.problem for one in found if one.problem]
    if label is not Label.INSUFFICIENT_EVIDENCE and (problems or not quotes):
        said = "; ".join(problems) or "it quotes nothing"
        return unverified(item, f"the judge says {label}, but {said}{_because(verdict)}")
    cut = "".join(f" (the quote leaves out '{one.condition}')" for one in found if one.condition)
    return _attributed(verdict, item, quotes, _plain(verdict.reason or "") + cut)


def _attributed(verdict: _RawVerdict, item: JudgeItem, quotes: tuple[Quote, ...], reason: str) -> Opinion:
    """SUPPORTED must rest on what the claim cites; another passage makes it wrong attribution (CI-3, CI-6)."""
    label = Label(verdict.label)
    kind = Kind(verdict.kind) if verdict.kind in KINDS and label is not Label.SUPPORTED else None
    foreign = dict.fromkeys(quote.span_id for quote in quotes if item.span_ids and quote.span_id not in item.span_ids)
    if label is Label.SUPPORTED and foreign:
        label, kind = Label.INSUFFICIENT_EVIDENCE, Kind.WRONG_ATTRIBUTION
        reason = f"rests on {', '.join(foreign)}, which the claim does not cite. {reason}"
    return Opinion(
        claim_id=item.claim.id,
        label=label,
        kind=kind,
        reason=one_line(reason, REASON_LENGTH),
        quotes=quotes,
        confidence=verdict.confidence,
    )


class _Verified(NamedTuple):
    """A quote with its true place and the condition it leaves out, or what is wrong with it."""

    quote: Quote | None = None
    condition: str = ""
    problem: str = ""


def _verified(quoted: _Quoted, passages: Mapping[str, Passage]) -> _Verified:
    name = quoted.source.strip()
    passage = passages.get(name) or passages.get(name.removeprefix("[").removesuffix("]"))
    if passage is None:
        return _Verified(problem=f"it names a passage {one_line(name, 60)!r} that it was not shown")
    if not _says_something(quoted.quote):
        return _Verified(problem=f"its quote {quoted.quote.strip()!r} is too short to prove anything")
    text = passage.span.text
    place = locate(quoted.quote, text)
    if not place.faithful or place.range is None:
        return _Verified(problem=f"of its quote {one_line(quoted.quote, 80)!r} from {name}: {place.problem}")
    start, end = place.range
    return _Verified(Quote(span_id=passage.span.id, start=start, end=end, text=text[start:end]), _left_out(place, text))


def _left_out(place: Location, text: str) -> str:
    """The condition a quote leaves out, from its first word to the end of the sentence."""
    if place.cut_condition is None:
        return ""
    return one_line(text[place.cut_condition[0] : sentence(text, *place.cut_condition)[1]], _CONDITION_LENGTH)


def _says_something(quote: str) -> bool:
    letters = "".join(filter(str.isalnum, quote))
    return len(letters.encode("utf-8", "replace")) >= _LEAST or any(map(str.isdigit, letters))


def _because(verdict: _RawVerdict) -> str:
    return f". Its reason: {verdict.reason}" if verdict.reason else ""


def _plain(text: str) -> str:
    """`text` without lone surrogates, which records refuse."""
    return text.encode("utf-8", "replace").decode()
