"""Streaming claim by claim: text is held back until it is verified, and what was shown is never taken back.

A group of whole statements is checked as soon as the next one has begun. Lists, tables and headings stay together with
what belongs to them, and a marker with its sentence, so that removing a statement leaves nothing behind.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from grounding_middleware.claims import split
from grounding_middleware.policy import Policy, released, weigh, withheld
from grounding_middleware.records import Claim, Report, Treatment
from grounding_middleware_langchain._merge import Part, merged
from grounding_middleware_langchain._outputs import Slot
from grounding_middleware_langchain._turn import Checkable, Turn

_BOUNDARY = re.compile(r"[.!?。！？…؟।\n]")
_ENDED = re.compile(r"[.!?。！？…؟।][\"'”’»)\]】］〕*_]*\s*$|\n\s*$")
_ANNOUNCES = (":", "：")
_MARKER_OPENS = tuple("[(【［〔^<")
_TOGETHER = {"list_item", "table_row", "code", "heading"}
_OPENERS = frozenset("*_`\"'“‘«„「『")
_LONGEST_END = 80  # characters a statement's end may take: punctuation, closing signs, blank lines
_LEAD = 2  # statements a leaning one is checked with
_LEFT = "the stream was left before the answer ended; this report covers what was shown until then"
_LOOKAHEAD = 2  # words of the next statement that must be there before its beginning is believed


def safe_cut(text: str) -> int:
    """Offset up to which `text`, which is still growing, consists of whole statements; 0 when there are none."""
    statements = split(text, ())
    for before, after in zip(statements[-2::-1], statements[:0:-1], strict=True):
        cut = _beginning(text, after)
        if _separable(text, before, after, cut):
            return cut
    return 0


def _separable(text: str, before: Claim, after: Claim, cut: int) -> bool:
    if before.form == "heading" or {before.form, after.form} <= _TOGETHER:
        return False
    unclear = after.text.startswith(_MARKER_OPENS) or len(text[after.start :].split()) < _LOOKAHEAD
    end = text[max(0, cut - _LONGEST_END) : cut]
    return not unclear and bool(_ENDED.search(end)) and not end.rstrip().endswith(_ANNOUNCES)


def _beginning(text: str, statement: Claim) -> int:
    """Where a statement begins with what opens it: emphasis or quotes, or its bullet, number or table bar."""
    if statement.form != "sentence":
        return text.rfind("\n", 0, statement.start) + 1
    start = statement.start
    while start and text[start - 1] in _OPENERS:
        start -= 1
    return start


def _tail(text: str) -> str:
    """The last statements of `text`: the sentence a pronoun leans on, and the one before in case that is removed."""
    statements = split(text, ())[-_LEAD:]
    return text[_beginning(text, statements[0]) :] if statements else text


@dataclass(slots=True)
class Release:
    """One streamed answer: takes pieces of text, gives groups to check, and what of each may be shown.

    `group` is the number of statements that are worth a check, more than one where a judge answers slowly.
    """

    turn: Turn
    policy: Policy
    group: int = 1
    stopped: bool = False
    concluded: bool = False
    _held: str = ""
    _tried: int = 0
    _lead: str = ""
    _last: str = ""
    _parts: list[Part] = field(default_factory=list)

    def feed(self, piece: str) -> Checkable | None:
        """The next group, once `piece` completes one."""
        self._held += piece
        if not _BOUNDARY.search(self._held, max(0, self._tried - 1)):
            return None
        self._tried = len(self._held)
        cut = safe_cut(self._held)
        enough = cut and (self.group == 1 or len(split(self._held[:cut], ())) >= self.group)
        return self._next(cut) if enough else None

    def finish(self) -> Checkable | None:
        """The rest, when the stream has ended; an answer without a word is an answer, too."""
        return self._next(len(self._held)) if (self._held or not self._parts) and not self.stopped else None

    def shown(self, report: Report) -> str:
        """What of the group checked last may be shown; nothing more after a claim that blocks the answer (DE-4)."""
        lead = len(self._lead)
        self.stopped = any(v.treatment is Treatment.BLOCK and v.start >= lead for v in report.claims)
        part = Part(report, lead, self.stopped)
        self._parts.append(part)
        return part.text

    def conclude(self) -> tuple[str, Report]:
        """What is still to be shown, and the report on the whole.

        When the policy withholds the answer as a whole, what was shown was supported and stays; its text follows it.
        """
        self.concluded = True
        report = merged(self._parts)
        decision = weigh(report.claims, self.policy)
        shown, body = report.text, report.text.rstrip()
        final = released(decision, shown, self.policy, withheld(report.claims))
        if decision.action in self.policy.shown and body:
            rest = final.removeprefix(body).removesuffix(shown.removeprefix(body))  # a notice, if one is configured
        else:
            rest = f"\n\n{final}" if body else final
        return rest, report.replace(decision=decision, text=shown + rest)

    def left(self) -> Report | None:
        """The report on what was shown to a reader who left, or before the chain failed; None when nothing was.

        None as well once the whole answer has been concluded: it has one report.
        """
        if self.concluded or not any(part.text for part in self._parts):
            return None
        report = merged(self._parts)
        return report.replace(decision=weigh(report.claims, self.policy), notices=(*report.notices, _LEFT))

    def _next(self, cut: int) -> Checkable:
        """The group before `cut`, led by the statements before it when it leans on them ("It ...")."""
        text, self._held, self._tried = self._held[:cut], self._held[cut:], 0
        statements = split(text, ())
        self._lead = self._last if statements and statements[0].needs_context else ""
        self._last = _tail(self._last + text)
        return self.turn.checkable(Slot(self._lead + text, lambda report: report.text))
