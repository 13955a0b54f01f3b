"""A run file that was begun: how far it is, once whatever was half written has been cut off."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.runs import RunHeader, load_run

__all__ = ["Progress", "begun", "cut_to_lines", "cut_torn_line"]

_SAME: Final = ("package", "grounder_sha256", "golden_sha256", "seed", "gold")
_BLOCK: Final = 65_536


@dataclass(frozen=True, slots=True)
class Progress:
    """What is done: `answers` of which `reports` gave a report; `last` is the id of the last."""

    answers: int = 0
    reports: int = 0
    last: str = ""


def begun(path: Path, header: RunHeader) -> Progress | None:
    """How far the run in `path` is, after cutting off an unfinished line; None when it has not begun.

    Raises `InputError` when it is a run of other data or of another grounder: their answers must not be mixed.
    """
    if not path.exists() or not cut_torn_line(path):
        return None
    run = load_run(path)
    for name in _SAME:
        before, now = getattr(run.header, name), getattr(header, name)
        if before != now:
            raise InputError(f"{path}: cannot be resumed: its {name} is {before!r}, now it is {now!r}")
    answers = reports = 0
    last = ""
    for scored in run.so_far():
        answers, reports, last = answers + 1, reports + (not scored.error), scored.id
    return Progress(answers, reports, last)


def cut_torn_line(path: Path) -> int:
    """Cut what stands after the last line break, and nothing else; the size that is left."""
    with path.open("r+b") as file:
        size = file.seek(0, os.SEEK_END)
        at = size
        while at > 0:
            low = max(0, at - _BLOCK)
            file.seek(low)
            found = file.read(at - low).rfind(b"\n")
            if found >= 0:
                at = low + found + 1
                break
            at = low
        if at < size:
            file.truncate(at)
    return at


def cut_to_lines(path: Path, lines: int) -> None:
    """Keep the first `lines` lines; raises `InputError` when there are fewer."""
    size = 0
    with path.open("rb") as file:
        for _ in range(lines):
            line = file.readline()
            if not line.endswith(b"\n"):
                raise InputError(f"{path}: holds fewer than {lines} reports; allowed is the file of the same run")
            size += len(line)
    os.truncate(path, size)
