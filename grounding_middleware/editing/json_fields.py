"""Taking fields out of a JSON answer so that it stays JSON: a field goes with its comma, an emptied object as a whole.

Text around the JSON, and brackets that are no JSON, do no harm: only members that hold a removed range are touched.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from grounding_middleware.records import Range

_TOKEN = re.compile(r'"(?>(?:[^"\\\r\n]|\\.)*)"?|[{}\[\],:]|[^\s{}\[\],:"]+')
_CLOSES = {"}": "{", "]": "["}


@dataclass(slots=True, eq=False)
class Group:
    """An object or array; `owner` is the member whose value it is, None for the outermost."""

    bracket: str
    owner: Member | None
    members: list[Member] = field(default_factory=list)
    open: bool = False


@dataclass(slots=True, eq=False)
class Member:
    """A field of an object or an element of an array: `answer[start:end]`; `value` if that is a group itself."""

    start: int
    end: int
    around: Group
    value: Group | None = None
    gone: bool = False


def fields_out(answer: str, removed: Sequence[Range]) -> tuple[Range, ...]:
    """The ranges to delete so that every member that holds one of `removed` is gone; they do not overlap.

    Raises `LookupError` when one of `removed` stands in no member of a JSON text.
    """
    members = _members(answer)
    starts = [member.start for member in members]
    for low, high in removed:
        _holding(members, starts, low, high).gone = True
    for member in reversed(members):
        inner = member.value.members if member.value else ()
        member.gone |= bool(inner) and all(one.gone for one in inner)
    groups = {id(member.around): member.around for member in members}
    found: list[Range] = []
    for group in groups.values():
        found += _cuts(group)
    return tuple(_outermost(sorted(found)))


def _members(answer: str) -> list[Member]:
    """Every member of every JSON text in the answer, in the order they begin."""
    found: list[Member] = []
    stack: list[Group] = []
    for token in _TOKEN.finditer(answer):
        text, (start, end) = token[0], token.span()
        if text in _CLOSES:
            if not stack or stack.pop().bracket != _CLOSES[text]:
                stack.clear()
        elif text == "," and stack:
            stack[-1].open = False
            continue
        elif stack and not stack[-1].open:
            stack[-1].members.append(Member(start, end, stack[-1]))
            found.append(stack[-1].members[-1])
            stack[-1].open = True
        if stack and stack[-1].open:
            stack[-1].members[-1].end = end
        if text in _CLOSES.values():
            group = Group(text, stack[-1].members[-1] if stack else None)
            if group.owner:
                group.owner.value = group
            stack.append(group)
    return found


def _holding(members: Sequence[Member], starts: Sequence[int], low: int, high: int) -> Member:
    """The innermost member that holds all of `[low, high)`."""
    number = bisect_right(starts, low) - 1
    member = members[number] if number >= 0 else None
    while member and member.end < high:
        member = member.around.owner
    if member is None:
        raise LookupError(f"no JSON member holds [{low}, {high})")
    return member


def _cuts(group: Group) -> Iterator[Range]:
    """Each removed member with the comma before it, or behind it while nothing before it stays."""
    kept_before = False
    for number, member in enumerate(group.members):
        if not member.gone:
            kept_before = True
        elif kept_before:
            yield group.members[number - 1].end, member.end
        else:
            after = group.members[number + 1].start if number + 1 < len(group.members) else member.end
            yield member.start, after


def _outermost(cuts: Sequence[Range]) -> Iterator[Range]:
    """The cuts that lie in no other."""
    reached = -1
    for low, high in cuts:
        if high > reached:
            yield low, high
            reached = high
