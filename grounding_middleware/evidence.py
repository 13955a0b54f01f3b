"""Evidence: which text an answer may rest on, decided before any semantics.

Spans are captured at retrieval time, get ids that survive re-indexing, and carry a status: a span that was not
delivered, not authorised or not applicable on the day of the question cannot support a claim (SPEC EV-2 to EV-6, EV-8).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Final

from pydantic import Field, ValidationError

from grounding_middleware.errors import InputError
from grounding_middleware.policy.settings import Setting
from grounding_middleware.precedence import Precedence
from grounding_middleware.records import Evidence, FrozenDict, Kind, Span, SpanStatus, sha256
from grounding_middleware.validation import first_fault_with_value

EvidenceItem = Span | str | Mapping[str, Any]


class EvidenceRules(Setting):
    """Which spans an answer may rest on, and how many there must be; raises `ConfigError` for a wrong setting.

    - `minimum`: with fewer usable spans nothing in the answer can be supported (EV-8).
    - `access`: audience keys that decide who may see a span. They fail closed: an unknown requester sees no span that
      names one of them. Every other key (region, jurisdiction, product_version, ...) decides applicability.
    - `require_as_of`, `require_requester`: refuse to check an answer without the day of the question, or without the
      attributes of who asks.
    - `precedence`: which of two passages that contradict each other prevails (EV-6), the first criterion that tells
      them apart. Without one nothing does: a claim that agrees with one of them only is not supported.
    """

    minimum: int = Field(default=1, ge=1)
    access: tuple[Annotated[str, Field(min_length=1)], ...] = ("tenant", "role", "group", "user")
    require_as_of: bool = False
    require_requester: bool = False
    precedence: Precedence = ()


_DEFAULT: Final = EvidenceRules()
_LOOKS_LIKE = 0.8  # similarity above which an unknown mapping key is taken for a misspelt field, not for metadata


def build(
    evidence: Iterable[EvidenceItem] | Evidence,
    *,
    as_of: date | str | None = None,
    requester: Mapping[str, Any] | None = None,
    rules: EvidenceRules = _DEFAULT,
) -> Evidence:
    """Evidence in which every span has a status and forbidden text is gone.

    Strings become spans `S1`, `S2`, ...; mappings use `Span`'s field names, other keys are kept as metadata.
    `as_of` is the day of the question; without it dates play no role. Raises `InputError` for anything unusable.
    """
    if isinstance(evidence, Evidence):
        _required(rules, evidence.as_of, evidence.requester)
        return evidence if evidence.minimum >= rules.minimum else evidence.replace(minimum=rules.minimum)
    day = _day(as_of)
    _required(rules, day, requester)
    spans = coerce(evidence)
    statuses = tuple(_status(span, day, requester, rules) for span in spans)
    allowed = tuple(span for span, status in zip(spans, statuses, strict=True) if status.kind is not Kind.FORBIDDEN)
    attributes = None if requester is None else FrozenDict(requester)
    return Evidence(spans=allowed, statuses=statuses, as_of=day, requester=attributes, minimum=rules.minimum)


def coerce(evidence: Iterable[EvidenceItem]) -> tuple[Span, ...]:
    """Spans with unique ids, in the order given; raises `InputError` naming the item and what is allowed."""
    if isinstance(evidence, str | Mapping | Span):
        raise InputError(
            f"evidence: got a single {type(evidence).__name__}; allowed is a sequence of spans, strings or mappings"
        )
    spans = tuple(_span(item, number) for number, item in enumerate(evidence, 1))
    seen: set[str] = set()
    for span in spans:
        if span.id in seen:
            raise InputError(f"evidence: span id {span.id!r} occurs twice; ids must be unique within one answer")
        seen.add(span.id)
    return spans


def mint_id(source_id: str, version: str, section: str, text: str) -> str:
    """The same id for the same text of the same source, whatever its position in an index."""
    head = source_id if not version else f"{source_id}@{version}"
    return f"{head}#{sha256(section + chr(0) + text)[:8]}"


def confirm_offsets(span: Span, source_text: str) -> Span:
    """The span with `offsets_verified` True only if slicing `source_text` gives its text (EV-3).

    A hint that does not fit is replaced when the text occurs exactly once in the source, dropped otherwise.
    """
    if span.start is not None and source_text[span.start : span.end] == span.text:
        return span.replace(offsets_verified=True)
    first = source_text.find(span.text)
    if first >= 0 and source_text.find(span.text, first + 1) < 0:
        return span.replace(start=first, end=first + len(span.text), offsets_verified=True)
    return span.replace(start=None, end=None, offsets_verified=False)


def mark_delivered(spans: Sequence[Span], prompt: str) -> tuple[Span, ...]:
    """Each span marked by what of its text really stood in `prompt` (EV-4); white space may differ, words may not."""
    words = prompt.split()
    haystack = f" {' '.join(words)} "
    return tuple(_delivered(span, haystack) for span in spans)


def delivered_ranges(span: Span) -> tuple[tuple[int, int], ...]:
    """The ranges of `span.text` the model saw."""
    if not span.delivered:
        return ()
    return ((0, len(span.text)),) if span.delivered_ranges is None else span.delivered_ranges


def _span(item: EvidenceItem, number: int) -> Span:
    if isinstance(item, Span):
        return item
    where = f"evidence[{number - 1}]"
    if isinstance(item, str):
        data: dict[str, Any] = {"id": f"S{number}", "text": item}
    elif isinstance(item, Mapping):
        data = _fields(item, where)
    else:
        raise InputError(f"{where}: got {type(item).__name__}; allowed are Span, str or a mapping of Span's fields")
    if not isinstance(data.get("text"), str) or not data["text"].strip():
        raise InputError(f"{where}: text is {data.get('text')!r}; allowed is a string with visible text")
    try:
        return Span.model_validate(data)
    except ValidationError as error:
        raise InputError(f"{where}: {first_fault_with_value(error, 'span')}") from error


def _fields(item: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Split a mapping into Span fields and metadata; a key that nearly is a field is an error, not metadata."""
    known = {key: value for key, value in item.items() if key in Span.model_fields and value is not None}
    extra = {str(key): value for key, value in item.items() if key not in Span.model_fields}
    for key in extra:
        near = difflib.get_close_matches(key, Span.model_fields, n=1, cutoff=_LOOKS_LIKE)
        if near:
            raise InputError(f"{where}: unknown key {key!r}; did you mean {near[0]!r}?")
    metadata = {**known.pop("metadata", {}), **extra}
    return {**known, "metadata": metadata}


def _day(as_of: date | str | None) -> date | None:
    if as_of is None or isinstance(as_of, date):
        return as_of
    try:
        return date.fromisoformat(as_of)
    except (TypeError, ValueError) as error:
        raise InputError(f"as_of: {as_of!r} is no ISO date; allowed is YYYY-MM-DD") from error


def _required(rules: EvidenceRules, day: date | None, requester: Mapping[str, Any] | None) -> None:
    if rules.require_as_of and day is None:
        raise InputError("as_of: is missing; the evidence rules ask for the day of the question")
    if rules.require_requester and not requester:
        raise InputError("requester: is missing; the evidence rules ask for the attributes of who asks")


def _status(span: Span, day: date | None, requester: Mapping[str, Any] | None, rules: EvidenceRules) -> SpanStatus:
    looks = (
        _access(span, requester, rules.access),
        _delivery(span),
        _validity(span, day),
        _applicability(span, requester, rules.access),
    )
    for verdict in looks:
        if verdict is not None:
            kind, reason = verdict
            return SpanStatus(span_id=span.id, usable=False, kind=kind, reason=reason)
    return SpanStatus(span_id=span.id, usable=True)


def _access(span: Span, requester: Mapping[str, Any] | None, access: Sequence[str]) -> tuple[Kind, str] | None:
    for key in (key for key in access if key in span.audience):
        if not _covers(span.audience[key], (requester or {}).get(key)):
            return Kind.FORBIDDEN, f"the requester has no access: the source is for another {key}"
    return None


def _applicability(span: Span, requester: Mapping[str, Any] | None, access: Sequence[str]) -> tuple[Kind, str] | None:
    for key in sorted(span.audience.keys() - set(access)):
        given = (requester or {}).get(key)
        if given is not None and not _covers(span.audience[key], given):
            return Kind.WRONG_AUDIENCE, f"applies to {key} {span.audience[key]}, the requester has {given}"
    return None


def _covers(allowed: Any, given: Any) -> bool:
    """True if the requester's value (or one of several) is among the allowed ones; None is never covered."""
    wanted = set(allowed) if isinstance(allowed, list | tuple | set | frozenset) else {allowed}
    have = set(given) if isinstance(given, list | tuple | set | frozenset) else {given}
    return bool(wanted & (have - {None}))


def _delivery(span: Span) -> tuple[Kind, str] | None:
    if not delivered_ranges(span):
        return Kind.UNDELIVERED, "retrieved, but its text was not in the prompt the model saw"
    return None


def _validity(span: Span, day: date | None) -> tuple[Kind, str] | None:
    """Dates in force. A successor ends a span at once unless the span's own dates cover the day asked about."""
    inside = day is not None and span.effective_to is not None and day <= span.effective_to
    if span.superseded_by and not inside:
        return Kind.STALE, f"superseded by {span.superseded_by}"
    if day is not None and span.effective_to is not None and day > span.effective_to:
        return Kind.EXPIRED, f"was in force until {span.effective_to}, the question is of {day}"
    if day is not None and span.effective_from is not None and day < span.effective_from:
        return Kind.NOT_YET_EFFECTIVE, f"is in force from {span.effective_from}, the question is of {day}"
    return None


def _delivered(span: Span, haystack: str) -> Span:
    """Whole text, else the longest start (a cut), else the lines that were kept (a compressor)."""
    if _occurs(span.text, haystack):
        return span.replace(delivered=True, delivered_ranges=None)
    ranges = _kept_lines(span.text, haystack) or _kept_start(span.text, haystack)
    return span.replace(delivered=bool(ranges), delivered_ranges=ranges or None)


def _occurs(piece: str, haystack: str) -> bool:
    """Word-exact: framework separators may touch the ends of a span, so the outer spaces are not asked for."""
    return " ".join(piece.split()) in haystack


def _kept_start(text: str, haystack: str) -> tuple[tuple[int, int], ...]:
    low, high = 0, len(text)
    while low < high:  # "this prefix occurs" is monotone, so bisect
        middle = (low + high + 1) // 2
        low, high = (middle, high) if _occurs(text[:middle], haystack) else (low, middle - 1)
    kept = text[:low].rstrip()
    if 0 < low < len(text) and not (
        text[low].isspace() or text[low - 1].isspace()
    ):  # never count half a word as delivered
        kept = kept.rpartition(" ")[0].rstrip()
    return ((0, len(kept)),) if len(kept.split()) > 1 else ()


def _kept_lines(text: str, haystack: str) -> tuple[tuple[int, int], ...]:
    ranges: list[tuple[int, int]] = []
    position = 0
    for line in text.splitlines(keepends=True):
        piece = line.strip()
        if len(piece.split()) > 1 and _occurs(piece, haystack):
            start = position + line.index(piece)
            ranges.append((start, start + len(piece)))
        position += len(line)
    return tuple(ranges)
