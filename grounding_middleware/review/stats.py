"""What the queue looks like, and how often people agree with the machine."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from sqlalchemy import Connection, case, func, select

from grounding_middleware.records import Record
from grounding_middleware.review import rows
from grounding_middleware.review.items import State
from grounding_middleware.review.rulings import Ruling
from grounding_middleware.store.tables import review_items as items
from grounding_middleware.store.tables import review_rulings as rulings

__all__ = ["Agreement", "Stats", "statistics"]


class Agreement(Record):
    """Rulings on claims of one label; an edit changes the wording and leaves the label."""

    label: str
    agree: int = 0
    overrule: int = 0
    edit: int = 0

    @property
    def share(self) -> float:
        """Share of the rulings that left the label as it was."""
        return (self.agree + self.edit) / (self.agree + self.overrule + self.edit)


class Stats(Record):
    """Items by state, since when the oldest has waited, and all rulings on claims by the label the machine gave."""

    waiting: int = 0
    leased: int = 0
    decided: int = 0
    purged: int = 0
    waiting_since: datetime | None = None
    agreement: tuple[Agreement, ...] = ()


def statistics(connection: Connection, now: datetime) -> Stats:
    """The figures at `now`."""
    leased = case((rows.in_state(State.LEASED, now), 1), else_=0).label("leased")
    query = select(items.c.state, leased, func.count().label("number"), func.min(items.c.created_at).label("first"))
    found = {(row.state, row.leased): row for row in connection.execute(query.group_by(items.c.state, leased))}
    waiting = found.get((State.WAITING, 0))
    return Stats(
        waiting=waiting.number if waiting else 0,
        leased=sum(row.number for (_, is_leased), row in found.items() if is_leased),
        decided=sum(row.number for (state, _), row in found.items() if state == State.DECIDED),
        purged=sum(row.number for (state, _), row in found.items() if state == State.PURGED),
        waiting_since=waiting.first if waiting else None,
        agreement=_agreement(connection),
    )


def _agreement(connection: Connection) -> tuple[Agreement, ...]:
    query = (
        select(rulings.c.was, rulings.c.ruling, func.count().label("given"))
        .where(rulings.c.on_claim == 1)
        .group_by(rulings.c.was, rulings.c.ruling)
    )
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for row in connection.execute(query):
        found[row.was][Ruling(row.ruling).value] = row.given
    return tuple(Agreement.model_validate({"label": label, **counts}) for label, counts in sorted(found.items()))
