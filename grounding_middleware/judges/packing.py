"""Puts the claims of an answer into as few requests as the token budget allows, with the passages each of them needs.

A passage is shown whole or not at all. A claim whose cited passages do not fit is not asked about but named, with the
reason. Passages nobody cites are added while the request stays small, to find claims cited to the wrong place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from grounding_middleware.judges.prompts import verification
from grounding_middleware.judges.prompts.fences import boundary
from grounding_middleware.judges.prompts.verification import Passage, Question
from grounding_middleware.judges.protocol import JudgeItem, JudgeTask

CLAIMS_PER_REQUEST = 20
"""More verdicts than this make replies that are cut off; it is about 500 words of answer."""

COMFORTABLE = 2_000
"""Tokens of a request up to which passages nobody cites are added; leaves 500 for the reply."""

_SHARED = 0.6  # share of the budget up to which all requests show the same passages, so that providers can cache them
_CLOSING = 80  # tokens of the last two lines, whose numbers are not known beforehand
_WORD = re.compile(r"[^\W\u3040-\u9fff]{3,}|[\u3040-\u9fff]")


@dataclass(frozen=True, slots=True)
class Request:
    """One request: its claims in order, its passages in the order of the evidence, and the names of those left out."""

    code: str
    question: str
    risk: str
    claims: tuple[Question, ...]
    passages: tuple[Passage, ...]
    left_out: tuple[str, ...]

    @property
    def items(self) -> Mapping[int, JudgeItem]:
        """The claims by the numbers the request gives them."""
        return {claim.number: claim.item for claim in self.claims}

    @property
    def user(self) -> str:
        """The message of the request."""
        return verification.user(self.code, self.question, self.risk, self.passages, self.claims)

    def halves(self) -> tuple[Request, Request]:
        """The same request about the first and about the second half of its claims."""
        middle = len(self.claims) // 2
        return replace(self, claims=self.claims[:middle]), replace(self, claims=self.claims[middle:])


@dataclass(frozen=True, slots=True)
class Plan:
    """All requests for one answer, and the claims that no request can hold, each with the reason."""

    requests: tuple[Request, ...]
    unasked: tuple[tuple[JudgeItem, str], ...]


def plan(task: JudgeTask, budget: int, count: Callable[[str], int], *, per_request: int = CLAIMS_PER_REQUEST) -> Plan:
    """Requests of at most `budget` input tokens by `count`, each about at most `per_request` claims."""
    desk = _Desk(task, budget, count)
    shared = desk.shared()
    groups: list[_Group] = []
    unasked: list[tuple[JudgeItem, str]] = []
    for item in task.items:
        if reason := desk.obstacle(item):
            unasked.append((item, reason))
            continue
        cited = frozenset(item.span_ids)
        fresh = _Group((item,), cited | shared if desk.fits((item,), cited | shared) else cited)
        joined = groups[-1].joined(fresh) if groups else None
        if joined and len(joined.items) <= per_request and desk.fits(joined.items, joined.ids):
            groups[-1] = joined
        else:
            groups.append(fresh)
    return Plan(tuple(desk.request(group, alone=len(groups) == 1) for group in groups), tuple(unasked))


@dataclass(frozen=True, slots=True)
class _Group:
    items: tuple[JudgeItem, ...]
    ids: frozenset[str]

    def joined(self, other: _Group) -> _Group:
        return _Group(self.items + other.items, self.ids | other.ids)


class _Desk:
    """The material of one answer with what each piece of it costs."""

    def __init__(self, task: JudgeTask, budget: int, count: Callable[[str], int]) -> None:
        self._task = task
        self._budget = budget
        self._passages = verification.names(task.evidence)
        self._code = boundary(_texts(task))
        self._claims = {item.claim.id: self._question(number, item) for number, item in _numbered(task.items)}
        opening = verification.opening(self._code, task.question, task.risk)
        self._base = count(verification.SYSTEM) + count(opening) + _CLOSING
        self._passage_cost = {key: count(verification.passage(self._code, one)) for key, one in self._passages.items()}
        self._claim_cost = {key: count(verification.claim(self._code, one)) for key, one in self._claims.items()}

    def shared(self) -> frozenset[str]:
        """Every cited passage, when all requests can afford to show them all."""
        cited = {span for item in self._task.items for span in item.span_ids if span in self._passages}
        return frozenset(cited) if self._tokens((), cited) <= _SHARED * self._budget else frozenset()

    def obstacle(self, item: JudgeItem) -> str:
        """Why no request can hold this claim; empty when one can."""
        unknown = [span for span in item.span_ids if span not in self._passages]
        if unknown:
            return f"the cited {', '.join(unknown)} is not among the evidence given to the judge"
        if self.fits((item,), item.span_ids):
            return ""
        needed = self._tokens((item,), item.span_ids)
        shown = f" with the cited {', '.join(item.span_ids)}" if item.span_ids else ""
        return f"not asked: the claim{shown} needs {needed} tokens, the budget is {self._budget}"

    def fits(self, items: Sequence[JudgeItem], ids: Collection[str]) -> bool:
        """True when a request about `items` showing `ids` keeps the budget."""
        return self._tokens(items, ids) <= self._budget

    def request(self, group: _Group, *, alone: bool) -> Request:
        """The request for a group; it shows more than what is cited where that is needed, or cheap."""
        uncited = any(not item.span_ids for item in group.items)
        limit = self._budget if uncited else min(self._budget, COMFORTABLE) if alone else 0
        shown = self._filled(group, limit)
        return Request(
            code=self._code,
            question=self._task.question,
            risk=self._task.risk,
            claims=tuple(self._claims[item.claim.id] for item in group.items),
            passages=tuple(one for key, one in self._passages.items() if key in shown),
            left_out=tuple(one.name for key, one in self._passages.items() if key not in shown),
        )

    def _tokens(self, items: Iterable[JudgeItem], ids: Iterable[str]) -> int:
        claims = sum(self._claim_cost[item.claim.id] for item in items)
        return self._base + claims + sum(self._passage_cost[key] for key in ids)

    def _filled(self, group: _Group, limit: int) -> frozenset[str]:
        """The passages of a group, with others up to `limit` tokens, those that share most words with it first."""
        room = limit - self._tokens(group.items, group.ids)
        others = [key for key in self._passages if key not in group.ids]
        if sum(self._passage_cost[key] for key in others) > room:
            wanted = _words(" ".join(item.claim.text for item in group.items))
            others.sort(key=lambda key: -len(wanted & _words(self._passages[key].span.text)))
        shown = set(group.ids)
        for key in others:
            if self._passage_cost[key] <= room:
                room -= self._passage_cost[key]
                shown.add(key)
        return frozenset(shown)

    def _question(self, number: int, item: JudgeItem) -> Question:
        cites = tuple(self._passages[span].name for span in item.span_ids if span in self._passages)
        return Question(number, item, cites, verification.before(self._task.answer, item))


def _numbered(items: Sequence[JudgeItem]) -> Iterable[tuple[int, JudgeItem]]:
    """The items with their own numbers, if those tell them apart; else as they come."""
    own = {item.number for item in items if item.number is not None}
    return ((item.number if len(own) == len(items) and item.number else at, item) for at, item in enumerate(items, 1))


def _texts(task: JudgeTask) -> Iterable[str]:
    """Everything of others that a request may contain."""
    yield from (task.question, task.answer)
    for span in task.evidence:
        yield from (span.id, span.source_id, span.version, span.section, span.text)
    for item in task.items:
        yield from (item.claim.text, item.claim.context, *(doubt.message for doubt in item.doubts))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))
