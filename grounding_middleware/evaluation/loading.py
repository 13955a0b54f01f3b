"""Golden sets from files: five formats told apart by their content, read one answer at a time.

| first line | format |
|---|---|
| JSON with `claims`, or without `claim`, `sentences` and `context` | our own, see `golden` |
| JSON with `claim` and `sources` | one claim a line, as `grounding review export` writes it, see `review.golden` |
| JSON with `sentences` and `sources` | whole answers: a label for each sentence, and what is `expected` |
| JSON with `claim` and `context` | rows of public data sets: `id`, `dataset`, `claim`, `context`, `label`, `extra` |
| no JSON | CSV with a header, see `tables` |

Consecutive one-claim lines, or CSV rows, about the same answer become one example with several claims.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NoReturn

from pydantic import ValidationError

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.formats import (
    merged,
    of_answer_row,
    of_case_row,
    of_own_row,
    of_public_row,
)
from grounding_middleware.evaluation.golden import Example
from grounding_middleware.evaluation.tables import csv_rows, of_csv_row
from grounding_middleware.printable import escaped_json

__all__ = ["dump", "golden_sha256", "load"]

Row = Mapping[str, Any]
_CHUNK: Final = 1 << 20
_BRANCHES: Final = ("str-enum[", "literal[")


def load(paths: Iterable[Path | str]) -> Iterator[Example]:
    """The examples of all files, in order. Raises `InputError` with file, line and field for one that is wrong.

    An id that occurs twice, in whatever file, is wrong, too. Memory: one answer, and a few bytes for each id.
    """
    seen: set[int] = set()
    for path in map(Path, paths):
        for where, example in _examples(path):
            key = hash(example.id)
            if key in seen:
                raise InputError(f"{where}: id: {example.id!r} occurs twice; allowed is one example for each id")
            seen.add(key)
            yield example


def golden_sha256(paths: Iterable[Path | str]) -> str:
    """The hash of the content of all files, in order; raises `InputError` for one that cannot be read."""
    digest = hashlib.sha256()
    for path in map(Path, paths):
        try:
            with path.open("rb") as content:
                while chunk := content.read(_CHUNK):
                    digest.update(chunk)
        except OSError as error:
            _unreadable(path, error)
    return digest.hexdigest()


def dump(example: Example) -> str:
    """The example as one line of our own format, with its line break; `load` reads it back."""
    data = example.model_dump(mode="json", exclude_defaults=True)
    return f"{escaped_json(json.dumps(data, ensure_ascii=False, allow_nan=False))}\n"


def _examples(path: Path) -> Iterator[tuple[str, Example]]:
    """Each example with its place; consecutive rows about the same answer are one example."""
    pending: tuple[str, Example] | None = None
    for where, example in _rows(path):
        joined = merged(pending[1], example) if pending else None
        if pending and joined:
            pending = (pending[0], joined)
            continue
        if pending:
            yield pending
        pending = (where, example)
    if pending:
        yield pending


def _rows(path: Path) -> Iterator[tuple[str, Example]]:
    made: Callable[[Row], Example] | None = None
    for where, row in _raw_rows(path):
        made = made or _format_of(row, where)
        try:
            yield where, made(row)
        except ValidationError as error:
            raise InputError(f"{where}: {_problem(error)}") from None
        except ValueError as error:
            raise InputError(f"{where}: {error}") from None
    if made is None:
        raise InputError(f"golden set {str(path)!r}: holds no example; allowed are JSON lines, or CSV with a header")


def _raw_rows(path: Path) -> Iterator[tuple[str, Row]]:
    """The lines of a file as data, each with its place: JSON when the first character is a brace, else CSV."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as text:
            first = text.read(_CHUNK).lstrip()[:1]
            text.seek(0)
            if first in ("{", "["):
                yield from _json_rows(text, path)
            else:
                yield from csv_rows(text, path)
    except (OSError, UnicodeDecodeError) as error:
        _unreadable(path, error)


def _json_rows(lines: Iterable[str], path: Path) -> Iterator[tuple[str, Row]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            row = json.loads(line, parse_constant=_no_number, object_pairs_hook=_once)
        except (ValueError, RecursionError) as error:
            raise InputError(f"{where}: {error}; allowed is one JSON object on each line") from None
        if not isinstance(row, dict):
            raise InputError(f"{where}: got {type(row).__name__}; allowed is one JSON object on each line")
        yield where, row


def _format_of(row: Row, where: str) -> Callable[[Row], Example]:
    if "line" in row and "cells" in row:
        return of_csv_row
    if "claims" not in row:
        if "sentences" in row:
            return of_answer_row
        if "claim" in row and "context" in row:
            return of_public_row
        if "claim" in row:
            return of_case_row
    if "answer" not in row:
        fields = ", ".join(sorted(map(str, row)))
        raise InputError(
            f"{where}: has the fields {fields:.200}; allowed is a golden set, whose lines have an answer or a claim"
        )
    return of_own_row


def _problem(error: ValidationError) -> str:
    problems = error.errors(include_url=False)
    problem, field = problems[0], _field(problems[0]["loc"])
    same = dict.fromkeys(one["msg"] for one in problems if _field(one["loc"]) == field)
    told = " or ".join(same).removeprefix("Value error, ").replace(" or Input should be ", " or ")
    if not field:
        return told
    if problem["type"] == "missing":
        return f"{field}: is missing; allowed is a value"
    if problem["type"] == "extra_forbidden":
        return f"{field}: is no field of a golden set; pydoc grounding_middleware.evaluation.golden names them"
    return f"{field}: got {problem['input']!r:.80}; {told}"


def _field(place: Iterable[int | str]) -> str:
    """The path to a field, without the branches of a union that pydantic adds to it."""
    return ".".join(str(part) for part in place if not str(part).startswith(_BRANCHES))


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {twice!r:.80} occurs twice")
    return found


def _unreadable(path: Path, error: OSError | UnicodeDecodeError) -> NoReturn:
    told = error.strerror if isinstance(error, OSError) else f"no UTF-8 text: {error.reason} at byte {error.start}"
    raise InputError(f"golden set {str(path)!r}: {told}") from None
