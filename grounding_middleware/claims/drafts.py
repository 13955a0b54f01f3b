"""From ranges to records: identity, language and context of every statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from grounding_middleware.claims.references import needs_context
from grounding_middleware.claims.statements import Statement
from grounding_middleware.claims.wording import plain
from grounding_middleware.records import Claim, sha256

__all__ = ["Draft", "finish"]


class Draft(NamedTuple):
    """One statement before it becomes a record; sorts by position."""

    start: int
    end: int
    form: str
    statement: Statement
    block: int
    context: str = ""


def finish(answer: str, drafts: Iterable[Draft], language: str) -> tuple[Claim, ...]:
    """The records of `drafts`; ids are stable across runs: a hash of the wording and the ordinal among equals."""
    seen: Counter[str] = Counter()
    claims: list[Claim] = []
    for draft in drafts:
        text = answer[draft.start : draft.end]
        digest = sha256(plain(text))[:12]
        seen[digest] += 1
        claims.append(
            Claim(
                id=digest if seen[digest] == 1 else f"{digest}-{seen[digest]}",
                text=text,
                start=draft.start,
                end=draft.end,
                form=draft.form,
                statement=draft.statement.value,
                block=draft.block,
                context=draft.context,
                language=language,
                needs_context=_leans(draft, text, language),
            )
        )
    return tuple(claims)


def _leans(draft: Draft, text: str, language: str) -> bool:
    """A row, a field and a line of code are read with their context anyway."""
    is_prose = draft.statement is Statement.CLAIM and draft.form not in ("table_row", "code", "json_field")
    return is_prose and needs_context(text, language)
