"""Rulings as they are typed on a command line: `2=CONTRADICTED:number`, `2=S1:text of the evidence`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any

from grounding_middleware.errors import InputError
from grounding_middleware.records import Kind, Label, Quote, Record, Report
from grounding_middleware.review.rulings import ClaimRuling, Ruling

__all__ = ["ALL", "Typed"]

ALL = "all"


class Typed(Record):
    """The words of one command. A claim is named by its number in the report, from 1, or by its id.

    `agree`: CLAIM, or "all" for every claim without another ruling here. `overrule`: CLAIM=LABEL or CLAIM=LABEL:KIND.
    `reword`: CLAIM=TEXT. `quote`: CLAIM=SPAN:TEXT, the evidence for the ruling on that claim.
    """

    agree: tuple[str, ...] = ()
    overrule: tuple[str, ...] = ()
    reword: tuple[str, ...] = ()
    quote: tuple[str, ...] = ()

    def rulings(self, report: Report) -> tuple[ClaimRuling, ...]:
        """The rulings, in the order of the claims. Raises `InputError` for words that do not fit the report."""
        fields = dict[str, dict[str, Any]]()
        for claim_id, given in self._given(report):
            if claim_id in fields:
                raise InputError(f"claim: two rulings for claim {claim_id}")
            fields[claim_id] = given
        if ALL in self.agree:
            for verdict in report.claims:
                fields.setdefault(verdict.id, {"ruling": Ruling.AGREE})
        for claim_id, word in _pairs(report, "quote", self.quote):
            if claim_id not in fields:
                raise InputError(f"quote: claim {claim_id} has no ruling here that it could be evidence for")
            fields[claim_id]["quote"] = _quote(report, word)
        ordered = [verdict.id for verdict in report.claims if verdict.id in fields]
        return tuple(ClaimRuling(claim_id=claim_id, **fields[claim_id]) for claim_id in ordered)

    def _given(self, report: Report) -> Iterator[tuple[str, dict[str, Any]]]:
        for name in self.agree:
            if name != ALL:
                yield _claim(report, "agree", name), {"ruling": Ruling.AGREE}
        for claim_id, word in _pairs(report, "overrule", self.overrule):
            label, _, kind = word.partition(":")
            yield claim_id, {"ruling": Ruling.OVERRULE, "label": _label(label), "kind": _kind(kind)}
        for claim_id, word in _pairs(report, "reword", self.reword):
            yield claim_id, {"ruling": Ruling.EDIT, "text": word}


def _label(word: str) -> Label:
    allowed = [label for label in Label if label is not Label.UNVERIFIED]  # says that nobody knows
    return Label(_one_of("overrule: label", word.strip().upper(), allowed))


def _kind(word: str) -> Kind | None:
    return Kind(_one_of("overrule: kind", word.strip().lower(), list(Kind))) if word.strip() else None


def _one_of(what: str, word: str, allowed: Sequence[str]) -> str:
    if word in allowed:
        return word
    near = get_close_matches(word, allowed, n=1, cutoff=0.6)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise InputError(f"{what} {word!r:.80} is wrong, allowed are {', '.join(allowed)}{hint}")


def _pairs(report: Report, option: str, words: Iterable[str]) -> Iterator[tuple[str, str]]:
    for word in words:
        name, separator, value = word.partition("=")
        if not (separator and value.strip()):
            raise InputError(f"{option}: {word!r:.80} is wrong, allowed is CLAIM=...")
        yield _claim(report, option, name), value


def _claim(report: Report, option: str, name: str) -> str:
    """The id of the claim; an id that is a number itself wins over the number."""
    ids = [verdict.id for verdict in report.claims]
    name = name.strip()
    if name in ids:
        return name
    if name.isascii() and name.isdecimal() and 1 <= int(name) <= len(ids):
        return ids[int(name) - 1]
    raise InputError(f"{option}: there is no claim {name!r:.80}, allowed are 1 to {len(ids)}, or an id")


def _quote(report: Report, word: str) -> Quote:
    """The place of a typed quotation: it must stand in the span exactly once. Span ids may hold colons themselves."""
    for span in report.evidence.spans:
        text = word.removeprefix(f"{span.id}:")
        if text == word:
            continue
        if not text or span.text.count(text) != 1:
            raise InputError(f"quote: {text!r:.80} stands {span.text.count(text)} times in {span.id}; allowed is once")
        start = span.text.index(text)
        return Quote(span_id=span.id, start=start, end=start + len(text), text=text)
    ids = ", ".join(span.id for span in report.evidence.spans)
    raise InputError(f"quote: {word!r:.80} names no span, allowed is CLAIM=SPAN:TEXT with SPAN one of {ids}")
