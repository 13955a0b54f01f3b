"""Deterministic checks: each looks at one facet and says conflict, match or doubt; most often it cannot tell.

`examine` puts them together. Rules call a claim SUPPORTED only when it is near-verbatim (`support`); everything they do
not decide stays undecided, with its doubts, for the judge.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from grounding_middleware.checks import (
    arithmetic,
    certainty,
    conditions,
    crossed,
    exact,
    identity,
    modality,
    polarity,
    quotes,
    roles,
    scope,
    sweeping,
    validity,
    values,
)
from grounding_middleware.checks.alignment import Alignment, align
from grounding_middleware.checks.belonging import about_antecedent, belongs
from grounding_middleware.checks.binding import stated_there_alone
from grounding_middleware.checks.case import Case, Check
from grounding_middleware.checks.library import Library, Shelf
from grounding_middleware.checks.support import may_support, supports
from grounding_middleware.reading.subjects import leans_back
from grounding_middleware.records import Finding, Kind, Label, Outcome, Quote

__all__ = ["CHECKS", "Case", "Check", "Examination", "Library", "about_antecedent", "examine", "supported", "together"]

CHECKS: Final[tuple[Check, ...]] = (
    quotes.check,
    certainty.check,
    values.check,
    arithmetic.check,
    conditions.check,
    polarity.check,
    identity.check,
    modality.check,
    scope.check,
    sweeping.check,
    exact.check,
    roles.check,
    crossed.check,
    validity.check,
)

_UNSUPPORTED: Final = {Kind.CERTAINTY_SHIFT, Kind.OVERGENERALISATION, Kind.ADDED_DETAIL, Kind.WRONG_ATTRIBUTION}
"""Conflicts of these kinds say more than the evidence, not the opposite of it: INSUFFICIENT_EVIDENCE."""


_DENIED: Final = ("denied-certainty",)  # the evidence denies it outright, whatever its kind
_OF_THE_WHOLE: Final = ("quotes", "certainty", "identity")  # look at all cited spans: no other unit can excuse them


@dataclass(frozen=True, slots=True)
class Examination:
    """What the checks found about one claim; `label` is None when they could not decide.

    `window` is True when only the passage before the cited one names what the claim is about (EV-7).
    """

    label: Label | None
    kind: Kind | None = None
    reason: str = ""
    quotes: tuple[Quote, ...] = ()
    findings: tuple[Finding, ...] = ()
    library: Library | None = None
    window: bool = False

    def about(self, findings: Sequence[Finding]) -> Examination:
        """The examination of one part of the claim, resting on these conflicts alone."""
        return replace(self, **_told(findings[0], self.library))


def examine(case: Case, checks: Sequence[Check] = CHECKS) -> Examination:
    """The verdict of the rules on one claim against the spans it cites, with every finding they made."""
    ranked = _ranked(case)
    case = replace(case, alignments=tuple(alignment for alignment, _ in ranked))
    innocent: list[Alignment] = []
    for alignment, shelf in ranked:
        if not alignment.anchored:
            continue
        findings = _run(replace(case, alignments=(alignment,)), checks)
        if _may_state(alignment, shelf, case) and supports(resolved(alignment, case), findings):
            return _supported(alignment, shelf, case.library, findings)
        stated = _by_clause(shelf, case, checks)
        if stated is not None:
            return stated
        if not about_antecedent(alignment, case) or all(one.outcome is not Outcome.CONFLICT for one in findings):
            innocent.append(alignment)
    findings = tuple(_doubted(finding, case, innocent) for finding in _run(case, checks))
    return _undecided_or_conflict(case, findings)


def supported(cases: Sequence[Case], checks: Sequence[Check] = CHECKS) -> Examination | None:
    """What `together` makes of the cases examined, where that is SUPPORTED; None without asking why it is not."""
    found = []
    for case in cases:
        one = _stated(case, checks)
        if one is None:
            return None
        found.append(one)
    return together(found)


def _stated(case: Case, checks: Sequence[Check]) -> Examination | None:
    """As `examine`, of the units that may support the claim alone."""
    for alignment, shelf in _ranked(case):
        stated = _tried(alignment, shelf, case, checks)
        if stated is None and alignment.anchored:
            stated = _by_clause(shelf, case, checks)
        if stated is not None:
            return stated
    return None


def _by_clause(shelf: Shelf, case: Case, checks: Sequence[Check]) -> Examination | None:
    """SUPPORTED by one clause of the sentence that stands on its own."""
    parts = (align(case.unit, clause, shelf.span_id) for clause in case.library.clauses(shelf))
    tried = (_tried(part, shelf, case, checks) for part in parts)
    return next((found for found in tried if found is not None), None)


def _tried(alignment: Alignment, shelf: Shelf, case: Case, checks: Sequence[Check]) -> Examination | None:
    """SUPPORTED if this unit states the claim; the checks run only where they can make it so."""
    if not (_may_state(alignment, shelf, case) and may_support(alignment)):
        return None
    findings = _run(replace(case, alignments=(alignment,)), checks)
    return _supported(alignment, shelf, case.library, findings) if supports(alignment, findings) else None


def _may_state(alignment: Alignment, shelf: Shelf, case: Case) -> bool:
    """All words of the claim stand in a whole sentence of the passage it names, about what it speaks of.

    And nothing that stands around the sentence limits it.
    """
    return (
        alignment.anchored
        and shelf.whole
        and not shelf.around.limited
        and belongs(alignment, shelf, case)
        and case.library.named_by(case.unit.text, shelf.span_id)
    )


def _ranked(case: Case) -> list[tuple[Alignment, Shelf]]:
    shelves = case.library.candidates(case.unit, case.cited)
    aligned = ((align(case.unit, shelf.unit, shelf.span_id), shelf) for shelf in shelves)
    return sorted(aligned, key=lambda found: -found[0].covered)


def _supported(alignment: Alignment, shelf: Shelf, library: Library, findings: tuple[Finding, ...]) -> Examination:
    reason = "every word, value and cue stands in one sentence of the evidence"
    quote = _quote(alignment, library)
    if shelf.window is None or not alignment.by_context:
        return Examination(Label.SUPPORTED, None, reason, (quote,), findings)
    reason += f"; what it is about stands in the passage before, {shelf.window.span_id}"
    return Examination(Label.SUPPORTED, None, reason, (quote, shelf.window), findings, window=True)


def resolved(alignment: Alignment, case: Case) -> Alignment:
    """The alignment with the pronoun a claim begins with read as what it stands for, where the source names that."""
    if not leans_back(case.unit) or not alignment.pairs:
        return alignment
    named = frozenset(key for item in case.antecedent for key in item.keys)
    first = min(there.position for _, there in alignment.pairs)
    left = (item for item in alignment.source_left if item.position > first or not item.keys & named or item.prep)
    return replace(alignment, source_left=tuple(left))


def _doubted(finding: Finding, case: Case, innocent: Sequence[Alignment]) -> Finding:
    """A conflict with one unit while another with the same words raises none: the evidence is not of one mind.

    A sentence is not another passage than its own clause: mixing two clauses is how the words of a false claim are all
    found in it.
    """
    if finding.outcome is not Outcome.CONFLICT or finding.check in _OF_THE_WHOLE:
        return finding
    if finding.check == "values":
        accused = next((one for one in case.anchored if _holds(one, finding)), None)
        innocent = [one for one in innocent if accused is None or not stated_there_alone(accused, one)]
    if all(_holds(alignment, finding) for alignment in innocent):
        return finding
    return finding.replace(outcome=Outcome.DOUBT, message=f"{finding.message}; another passage does not")


def _holds(alignment: Alignment, finding: Finding) -> bool:
    low, high = finding.span_range or (-1, -1)
    source = alignment.source
    return alignment.span_id == finding.span_id and source.start <= low and high <= source.end


def together(found: Sequence[Examination]) -> Examination:
    """The examination of a claim read as several units: one conflict decides, support must hold for every unit."""
    if len(found) == 1:
        return found[0]
    findings = tuple(finding for one in found for finding in one.findings)
    wrong = next((one for one in found if one.label not in (None, Label.SUPPORTED)), None)
    if wrong is not None:
        return replace(wrong, findings=findings)
    if all(one.label is Label.SUPPORTED for one in found):
        quotes = tuple(quote for one in found for quote in one.quotes)
        return replace(found[0], findings=findings, quotes=quotes, window=any(one.window for one in found))
    return Examination(None, findings=findings)


def _run(case: Case, checks: Sequence[Check]) -> tuple[Finding, ...]:
    return tuple(finding for check in checks for finding in check(case))


def _quote(alignment: Alignment, library: Library) -> Quote:
    source = alignment.source
    text = library.span(alignment.span_id).text[source.start : source.end]
    return Quote(span_id=alignment.span_id, start=source.start, end=source.end, text=text)


def _undecided_or_conflict(case: Case, findings: tuple[Finding, ...]) -> Examination:
    conflict = next((finding for finding in findings if finding.outcome is Outcome.CONFLICT), None)
    if conflict is None:
        return Examination(None, findings=findings)
    return Examination(**_told(conflict, case.library), findings=findings, library=case.library)


def _says_more(conflict: Finding) -> bool:
    return conflict.kind in _UNSUPPORTED and conflict.rule not in _DENIED


def _told(conflict: Finding, library: Library | None) -> dict[str, Any]:
    """Label, kind, reason and quote that follow from one conflict."""
    return {
        "label": Label.INSUFFICIENT_EVIDENCE if _says_more(conflict) else Label.CONTRADICTED,
        "kind": conflict.kind,
        "reason": f"{conflict.check}: {conflict.message}",
        "quotes": () if conflict.span_range is None or library is None else (_quoted(library, conflict),),
    }


def _quoted(library: Library, finding: Finding) -> Quote:
    """The unit a conflict was found in: the clause a reader must see, not just the word."""
    low, high = finding.span_range or (0, 0)
    unit = next(
        (unit for unit, _ in library.units_of({finding.span_id}) if unit.start <= low and high <= unit.end), None
    )
    start, end = (unit.start, unit.end) if unit else (low, high)
    text = library.span(finding.span_id).text[start:end]
    return Quote(span_id=finding.span_id, start=start, end=end, text=text)
