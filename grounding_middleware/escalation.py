"""Where reports go besides to the caller: sinks, and the few ways to compose them (SPEC ES-1, ES-4).

    Grounder(sinks=(audit, when(["review", "escalate"], queue.submit), sampled(0.02, queue.submit), raise_withheld))

A sink is any function of the report. Sinks run in order, before the answer is handed out; when one raises, the answer
is withheld: what could not be recorded or queued is not shown. Put
`raise_withheld` last, so that the others saw the report.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from grounding_middleware.errors import AnswerWithheldError, ConfigError
from grounding_middleware.labels import Action
from grounding_middleware.records import Report
from grounding_middleware.sampling import falls_in

__all__ = ["Sink", "best_effort", "deliver", "raise_withheld", "sampled", "when"]

Sink = Callable[[Report], object]
"""Receives the finished report of one answer; what it returns is ignored."""

_WITHHELD: Final = frozenset({Action.ESCALATE, Action.BLOCKED, Action.UNANSWERED})
_log = logging.getLogger(__name__)


def deliver(report: Report, sinks: Sequence[Sink]) -> None:
    """Call every sink with `report`, in order; the first that raises ends it with `AnswerWithheldError`."""
    for sink in sinks:
        try:
            sink(report)
        except AnswerWithheldError:
            raise
        except Exception as error:
            raise AnswerWithheldError(f"{_name(sink)} failed, so the answer is not shown: {error!r}", report) from error


def when(actions: Iterable[Action | str], sink: Sink) -> Sink:
    """`sink`, called only for reports with one of `actions`. Raises `ConfigError` for an unknown action."""
    wanted = frozenset(map(_action, actions))

    def selected(report: Report) -> None:
        if report.action in wanted:
            sink(report)

    return selected


def sampled(share: float, sink: Sink) -> Sink:
    """`sink`, called for a `share` (0 to 1) of all answers, chosen by a stable hash of the answer's id (ES-4).

    Independent of the sample that judges see (`Policy.judge_sample`), so that it is a fair one.
    """
    if not (isinstance(share, int | float) and 0 <= share <= 1):
        raise ConfigError(f"sampled: share is {share!r}, allowed is a number from 0 to 1")

    def chosen(report: Report) -> None:
        if falls_in(report.answer_id, share, "sink"):
            sink(report)

    return chosen


def best_effort(sink: Sink) -> Sink:
    """`sink`, whose failure is logged and withholds nothing; for telemetry, not for proof."""

    def tried(report: Report) -> None:
        try:
            sink(report)
        except AnswerWithheldError:
            raise
        except Exception:  # noqa: BLE001  # the purpose of this function; the answer goes out without it
            _log.warning("%s failed for answer %s; going on without it", _name(sink), report.answer_id, exc_info=True)

    return tried


def raise_withheld(report: Report) -> None:
    """Raise `AnswerWithheldError` where the policy shows a fixed text instead of the answer."""
    if report.action in _WITHHELD:
        raise AnswerWithheldError(f"{report.action}: {report.decision.reason}", report)


def _action(name: Action | str) -> Action:
    try:
        return Action(name)
    except ValueError:
        raise ConfigError(f"when: action is {name!r}, allowed are {', '.join(Action)}") from None


def _name(sink: Sink) -> str:
    return str(getattr(sink, "__qualname__", "") or type(sink).__name__)
