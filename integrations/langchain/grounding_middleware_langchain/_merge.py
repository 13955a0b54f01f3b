"""Reports on the groups of one streamed answer, put together as if it had been checked at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grounding_middleware.records import CallRecord, Citation, Edit, Finding, Report, Verdict, sha256


@dataclass(frozen=True, slots=True)
class Part:
    """The report on one group. Its first `lead` characters are a statement of the group before, checked there."""

    report: Report
    lead: int
    blocked: bool

    @property
    def answer(self) -> str:
        """The group itself."""
        return self.report.answer[self.lead :]

    @property
    def text(self) -> str:
        """What of the group may be shown."""
        if self.blocked:
            return ""
        return applied(self.report.answer, self.edits)[self.lead :]

    @property
    def edits(self) -> tuple[Edit, ...]:
        """Changes of the group itself; what is cut from the lead was shown or cut before."""
        within = (edit for edit in self.report.edits if edit.end > self.lead)
        return tuple(_from(edit, self.lead) for edit in within)


def applied(text: str, edits: Sequence[Edit]) -> str:
    """`text` with `edits` applied, right to left."""
    for edit in sorted(edits, key=lambda item: item.start, reverse=True):
        text = text[: edit.start] + edit.replacement + text[edit.end :]
    return text


def merged(parts: Sequence[Part]) -> Report:
    """One report on the whole answer; its decision is that of the last group and must be weighed again."""
    verdicts: list[Verdict] = []
    citations: list[Citation] = []
    edits: list[Edit] = []
    position = 0
    for number, part in enumerate(parts):
        shift, name = position - part.lead, f"{number}-" if number else ""
        own = [index for index, citation in enumerate(part.report.citations) if citation.start >= part.lead]
        places = {index: len(citations) + place for place, index in enumerate(own)}
        citations += [_moved_citation(part.report.citations[index], shift) for index in own]
        verdicts += [
            _moved_verdict(verdict, shift, places, name) for verdict in part.report.claims if verdict.start >= part.lead
        ]
        edits += [_moved_edit(edit, shift, name) for edit in part.edits]
        position += len(part.answer)
    reports = [part.report for part in parts]
    return reports[-1].replace(
        answer_id=sha256("\0".join(report.answer_id for report in reports))[:16],
        answer="".join(part.answer for part in parts),
        text="".join(part.text for part in parts),
        claims=tuple(verdicts),
        citations=tuple(citations),
        edits=tuple(edits),
        elapsed_ms=round(sum(report.elapsed_ms for report in reports), 3),
        calls=tuple(_calls(reports)),
        notices=tuple(dict.fromkeys(notice for report in reports for notice in report.notices)),
    )


def _from(edit: Edit, start: int) -> Edit:
    if edit.start >= start:
        return edit
    return edit.replace(start=start, removed=edit.removed[start - edit.start :])


def _moved_verdict(verdict: Verdict, shift: int, places: dict[int, int], name: str) -> Verdict:
    return verdict.replace(
        id=name + verdict.id,
        start=verdict.start + shift,
        end=verdict.end + shift,
        citations=tuple(places[index] for index in verdict.citations if index in places),
        findings=tuple(_moved_finding(finding, shift) for finding in verdict.findings),
    )


def _moved_finding(finding: Finding, shift: int) -> Finding:
    if finding.claim_range is None:
        return finding
    start, end = finding.claim_range
    return finding.replace(claim_range=(start + shift, end + shift))


def _calls(reports: Sequence[Report]) -> Iterator[CallRecord]:
    """The calls of all groups, with the claims' ids in the whole and at their time after the groups before."""
    before = 0.0
    for number, report in enumerate(reports):
        for call in report.calls:
            ids = tuple(f"{number}-{name}" if number else name for name in call.claim_ids)
            yield call.model_copy(update={"claim_ids": ids, "started_ms": round(call.started_ms + before, 3)})
        before += report.elapsed_ms


def _moved_citation(citation: Citation, shift: int) -> Citation:
    return citation.replace(start=citation.start + shift, end=citation.end + shift)


def _moved_edit(edit: Edit, shift: int, name: str) -> Edit:
    claim_id = name + edit.claim_id if edit.claim_id else ""
    return edit.replace(start=edit.start + shift, end=edit.end + shift, claim_id=claim_id)
