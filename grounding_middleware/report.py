"""A report for people, on a terminal, and for programs, as JSON.

Labels and treatments are always spelled out: colour repeats them and is never the only sign. Text of the answer and of
the sources is printed as text; markup, escape sequences and direction overrides in it have no effect.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from grounding_middleware.printable import escaped_json, one_line, printable
from grounding_middleware.records import Action, Evidence, Label, Outcome, Quote, Report, Risk, Treatment, Verdict

__all__ = ["plain", "render", "to_json", "to_text"]

LABEL_STYLES = {
    Label.SUPPORTED: "green",
    Label.CONTRADICTED: "bold red",
    Label.INSUFFICIENT_EVIDENCE: "yellow",
    Label.INVALID_CITATION: "magenta",
    Label.UNVERIFIED: "cyan",
    Label.NOT_A_CLAIM: "dim",
    Label.ABSTENTION: "dim",
}
ACTION_STYLES = {Action.OK: "bold green", Action.REVISED: "bold yellow", Action.REVIEW: "bold cyan"}
WITHHELD_STYLE = "bold red"
NAMED_SPANS = 3  # ids named of the spans that share a reason
CITED_EXCERPT = 240  # characters of a cited passage shown under a claim that nothing was quoted for


def to_json(report: Report) -> str:
    """The report as JSON that survives a round trip and can be printed without harm."""
    return escaped_json(report.model_dump_json())


def to_text(report: Report, width: int = 100) -> str:
    """The terminal rendering without colour, for logs and files."""
    return plain(render(report), width)


def plain(shown: RenderableType, width: int = 100) -> str:
    """What a console prints, without colour and without spaces at the ends of lines."""
    console = Console(width=width, no_color=True, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(shown)
    return "".join(f"{line.rstrip()}\n" for line in capture.get().splitlines())


def render(report: Report) -> Group:
    """What a reviewer reads, worst news first: decision, claims with their evidence, changes, released text."""
    return Group(
        *_decision(report),
        *_claims(report),
        *_conflicts(report),
        *_sources(report),
        *_edits(report),
        *_released(report),
    )


def _decision(report: Report) -> Iterator[RenderableType]:
    decision = report.decision
    style = ACTION_STYLES.get(decision.action, WITHHELD_STYLE)
    yield Text.assemble((decision.action.value.upper(), style), "  ", one_line(decision.reason))
    yield _line(
        f"{_count(decision.claims, 'claim')}, {decision.unsupported} not supported, {decision.undecided} not checked; "
        f"share {decision.share:.2f}, limit {decision.limit:.2f}; decided by: {_deciders(report.claims)}",
        style="dim",
    )
    if report.question:
        yield _line(f"Question: {one_line(report.question)}")
    refused = [status for status in report.evidence.statuses if not status.usable]
    for notice in report.notices:
        if not any(
            status.span_id in notice and status.reason in notice for status in refused
        ):  # listed with the sources
            yield _line(f"! {one_line(notice)}", style="yellow")


def _deciders(verdicts: tuple[Verdict, ...]) -> str:
    counts = Counter(verdict.decided_by for verdict in verdicts if verdict.label.is_claim)
    return ", ".join(f"{one_line(name)} {number}" for name, number in counts.most_common()) or "no claims"


def _claims(report: Report) -> Iterator[RenderableType]:
    yield from _title("Claims")
    for number, verdict in enumerate(report.claims, 1):
        style = LABEL_STYLES[verdict.label]
        yield Text.assemble(f"{number:>2} ", (verdict.label.value, style), _facts(verdict))
        yield _line(f"“{one_line(verdict.text)}” [{verdict.start}:{verdict.end}]", style=style, indent=3)
        if verdict.risk is Risk.ACTION:
            yield _line(f"action risk by: {one_line(verdict.risk_reason)}", style="dim", indent=3)
        if verdict.label.is_claim:
            yield from _reasons(verdict)
            yield from _evidence(verdict, report)


def _facts(verdict: Verdict) -> str:
    facts = [verdict.kind.value] if verdict.kind else []
    facts += [verdict.severity.value] if verdict.severity else []
    facts += [f"decided by {one_line(verdict.decided_by)}", f"treatment: {verdict.treatment.value}"]
    return f"  {', '.join(facts)}" if verdict.label.is_claim else f"  {one_line(verdict.statement)}"


def _reasons(verdict: Verdict) -> Iterator[RenderableType]:
    told = [verdict.reason] if verdict.reason else []
    for finding in verdict.findings:
        telling = finding.outcome in (Outcome.CONFLICT, Outcome.DOUBT)
        if telling and not any(finding.message in sentence for sentence in told):
            told.append(finding.message)
    for sentence in told:
        yield _line(one_line(sentence), indent=3)
    if verdict.supported_elsewhere:
        yield _line(f"stated in {one_line(verdict.supported_elsewhere)}, which is not cited here", indent=3)
    if verdict.treatment is not Treatment.KEEP and verdict.treatment_reason:
        yield _line(f"{verdict.treatment.value}: {one_line(verdict.treatment_reason)}", indent=3)


def _evidence(verdict: Verdict, report: Report) -> Iterator[RenderableType]:
    """The quotes behind the verdict; without any, what the claim cites, marked as no proof."""
    quotes = verdict.quotes or tuple(_conflicting_text(verdict, report.evidence))
    for quote in quotes:
        yield _line(f"{_place(quote, report.evidence)}", style="dim", indent=5)
        yield _line(f"“{one_line(quote.text)}”", indent=5)
    if quotes:
        return
    for span_id in dict.fromkeys(
        span_id for index in verdict.citations for span_id in report.citations[index].span_ids
    ):
        span = report.evidence.span(span_id)
        if span:
            yield _line(f"cites {one_line(span_id)}, no passage of it was found decisive", style="dim", indent=5)
            yield _line(f"“{_shortened(one_line(span.text))}”", style="dim", indent=5)


def _conflicting_text(verdict: Verdict, evidence: Evidence) -> Iterator[Quote]:
    for finding in verdict.findings:
        span = evidence.span(finding.span_id)
        if span and finding.span_range and finding.outcome is Outcome.CONFLICT:
            start, end = finding.span_range
            yield Quote(span_id=span.id, start=start, end=end, text=span.text[start:end])


def _place(quote: Quote, evidence: Evidence) -> str:
    """Where the quote stands: in the span, and in the source when the span's own offsets are confirmed."""
    span = evidence.span(quote.span_id)
    place = f"{one_line(quote.span_id)} [{quote.start}:{quote.end}]"
    if span and span.offsets_verified and span.start is not None:
        place += f", source [{span.start + quote.start}:{span.start + quote.end}]"
    return f"{place}, {one_line(span.section)}" if span and span.section else place


def _conflicts(report: Report) -> Iterator[RenderableType]:
    """Both statements of each contradiction within the evidence, what differs, who prevails, and whom it concerns."""
    if report.conflicts:
        yield from _title("Sources that contradict each other")
    numbers = {verdict.id: str(number) for number, verdict in enumerate(report.claims, 1)}
    for conflict in report.conflicts:
        outcome = f"{conflict.prevails} prevails by {conflict.rule}" if conflict.prevails else "no rule decides"
        concerned = ", ".join(numbers[claim_id] for claim_id in conflict.claim_ids if claim_id in numbers)
        yield _line(f"{conflict.kind.value}: {one_line(outcome)}; claims {concerned}", style="yellow", indent=3)
        for quote, differs in (
            (conflict.first, conflict.first_differs),
            (conflict.second, conflict.second_differs),
        ):
            yield _line(f"{_place(quote, report.evidence)}: “{one_line(differs.text)}”", style="dim", indent=5)
            yield _line(f"“{one_line(quote.text)}”", indent=5)


def _sources(report: Report) -> Iterator[RenderableType]:
    refused: dict[str, list[str]] = {}
    for status in report.evidence.statuses:
        if not status.usable:
            refused.setdefault(one_line(status.reason), []).append(one_line(status.span_id))
    if refused:
        yield from _title("Sources that cannot support a claim")
    for reason, ids in refused.items():
        more = f" and {len(ids) - NAMED_SPANS} more" if len(ids) > NAMED_SPANS else ""
        yield _line(f"{', '.join(ids[:NAMED_SPANS])}{more}: {reason}", indent=3)
    if report.capture:
        seen = report.capture
        yield _line(
            f"{one_line(seen.adapter)}: {_count(seen.captured, 'span')} captured ({', '.join(seen.paths)}), "
            f"{seen.delivered} delivered; rules {seen.rules_version} reached {seen.rules_reached} of "
            f"{_count(seen.model_runs, 'model run')}",
            style="dim",
        )


def _edits(report: Report) -> Iterator[RenderableType]:
    if report.edits:
        yield from _title("Changes")
    for edit in report.edits:
        what = f"“{one_line(edit.removed)}”" if edit.removed.strip() else "white space"
        into = f" -> “{one_line(edit.replacement)}”" if edit.replacement.strip() else ""
        yield _line(f"[{edit.start}:{edit.end}] {'changed' if into else 'removed'}: {what}{into}", indent=3)
        if edit.reason:
            yield _line(one_line(edit.reason), style="dim", indent=5)


def _released(report: Report) -> Iterator[RenderableType]:
    yield from _title("What the reader sees")
    yield _line(printable(report.text).strip("\n") or "(nothing)", indent=3)


def _title(text: str) -> Iterator[RenderableType]:
    yield Text("")
    yield Text(text, style="bold")


def _line(text: str, *, style: str = "", indent: int = 0) -> RenderableType:
    return Padding(Text(text, style=style, overflow="fold"), (0, 0, 0, indent))


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _shortened(text: str) -> str:
    return text if len(text) <= CITED_EXCERPT else f"{text[:CITED_EXCERPT].rstrip()} ..."
