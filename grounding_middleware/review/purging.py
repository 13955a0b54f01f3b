"""Taking contents out of the queue (SPEC AU-2): who ruled what and when stays, what was asked, said and noted goes."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select, update

from grounding_middleware.records import Record
from grounding_middleware.review.items import State
from grounding_middleware.store import Store
from grounding_middleware.store.tables import review_items as items
from grounding_middleware.store.tables import review_rulings as rulings

__all__ = ["QueuePurge", "purge"]


class QueuePurge(Record):
    """What a purge did: how many items lost their contents, and how many of them nobody had decided."""

    items: int = 0
    undecided: int = 0


def purge(store: Store, before: datetime) -> QueuePurge:
    """Empty every item queued before that moment, decided or not, held or not; it is handed out no more.

    Reports, questions, reasons and the contents of rulings go; ids, labels, counts, times and names of reviewers stay.
    """
    with store.writing() as connection:
        old = (items.c.created_at < before, items.c.state != State.PURGED)
        states = list(connection.execute(select(items.c.state).where(*old)).scalars())
        chosen = select(items.c.id).where(*old)
        emptied = update(rulings).where(rulings.c.item_id.in_(chosen), rulings.c.content != "")
        connection.execute(emptied.values(content=""))
        gone = {"state": State.PURGED, "report": "", "question": "", "reason": "", "leased_until": None}
        connection.execute(update(items).where(*old).values(**gone))
    store.forget()
    return QueuePurge(items=len(states), undecided=sum(state != State.DECIDED for state in states))
