"""Golden sets as CSV: a header, then one claim a row; consecutive rows with the same `id` are claims of one answer.

| column | content |
|---|---|
| `id`, `answer`, `claim`, `label` | needed; `label` as in `golden` |
| `source` | a text; may occur several times, also as `source_1`, `source_2`, ...; or `sources` with a JSON list |
| `question`, `as_of` | what was asked, and the day of it |
| `start`, `end` | the place of the claim, where its text stands more than once in the answer |
| `also_ok`, `actions`, `facts`, `forbidden` | several values are separated by a vertical bar |
| `kind`, `supported_by`, `answerable` | as in `golden`; `answerable` is true or false |
| any other | a segment |
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from grounding_middleware.errors import InputError
from grounding_middleware.evaluation.golden import Example, placed

__all__ = ["csv_rows", "of_csv_row"]

Cells = list[tuple[str, str]]

_NEEDED: Final = ("id", "answer", "claim", "label")
_SOURCE: Final = re.compile(r"source(_\d+)?")
_LISTS: Final = ("actions", "facts", "forbidden")
_ANSWER: Final = ("id", "question", "as_of", "answer")
_CLAIM: Final = ("label", "kind", "supported_by")
_OWN: Final = {*_ANSWER, *_CLAIM, *_LISTS, "claim", "start", "end", "also_ok", "answerable", "sources"}
_TRUTHS: Final = {"true": True, "false": False}


def csv_rows(text: Iterable[str], path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each row as pairs of column and value, with its place; raises `InputError` for a table that is none."""
    reader = csv.reader(text, strict=True)
    try:
        header = [name.strip() for name in next(reader, [])]
        _known(header, path)
        for row in reader:
            if not any(map(str.strip, row)):
                continue
            where = f"{path}, line {reader.line_num}"
            if len(row) != len(header):
                raise InputError(f"{where}: has {len(row)} columns; the header has {len(header)}")
            yield where, {"line": reader.line_num, "cells": [*zip(header, row, strict=True)]}
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: {error}; allowed is CSV in double quotes") from None


def of_csv_row(row: Mapping[str, Any]) -> Example:
    """One claim; rows about the same answer are put together by `loading`."""
    cells: Cells = row["cells"]
    given = {name: value for name, value in cells if value.strip()}
    missing = [name for name in _NEEDED if name not in given]
    if missing:
        raise ValueError(f"{missing[0]}: is empty; allowed is a value")
    segments = {n: v.strip() for n, v in given.items() if n not in _OWN and not _SOURCE.fullmatch(n)}
    return Example.model_validate(
        {
            **{name: given[name] for name in _ANSWER if name in given},
            "sources": _sources(cells, given),
            "claims": ({**_claim(given, row["line"]), "segments": segments},),
            **{name: _parts(given[name]) for name in _LISTS if name in given},
            **({"answerable": _truth(given["answerable"])} if "answerable" in given else {}),
            "segments": segments,
        }
    )


def _claim(given: Mapping[str, str], line: int) -> dict[str, Any]:
    text, answer = given["claim"], given["answer"]
    start = _number("start", given["start"]) if "start" in given else placed(answer, (text,))[0]
    end = _number("end", given["end"]) if "end" in given else start + len(text)
    known = {name: given[name].strip() for name in _CLAIM if name in given}
    also_ok = _parts(given.get("also_ok", ""))
    return {"id": f"{given['id']}:{line}", "text": text, "start": start, "end": end, "also_ok": also_ok, **known}


def _sources(cells: Cells, given: Mapping[str, str]) -> Any:
    texts = [value for name, value in cells if _SOURCE.fullmatch(name) and value.strip()]
    if "sources" not in given:
        return texts
    found = json.loads(given["sources"])
    if texts or not isinstance(found, list):
        raise ValueError("sources: allowed is a JSON list, and no column source beside it")
    return found


def _known(header: list[str], path: Path) -> None:
    missing = [name for name in _NEEDED if name not in header]
    if not any(header):
        raise InputError(f"{path}, line 1: is empty; allowed are JSON lines, or CSV with a header")
    if missing:
        raise InputError(
            f"{path}, line 1: the column {missing[0]!r} is missing; allowed is JSON lines, or CSV with the columns "
            f"{', '.join(_NEEDED)} and at least one source"
        )
    twice = [name for name in header if header.count(name) > 1 and name != "source"]
    if twice:
        raise InputError(f"{path}, line 1: the column {twice[0]!r} occurs twice; only source may")


def _parts(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split("|") if part.strip())


def _number(column: str, text: str) -> int:
    if not text.strip().isdecimal():
        raise ValueError(f"{column}: got {text!r:.80}; allowed is a whole number, 0 or more")
    return int(text)


def _truth(text: str) -> bool:
    if text.strip().casefold() not in _TRUTHS:
        raise ValueError(f"answerable: got {text!r:.80}; allowed are true and false")
    return _TRUTHS[text.strip().casefold()]
