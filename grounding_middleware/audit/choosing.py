"""What the options of `grounding audit` mean: records to take, policies, verifiers, sources."""

from __future__ import annotations

import json
import sqlite3
import warnings
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from grounding_middleware.audit.jsonl import JsonlTrail
from grounding_middleware.audit.purging import Purgeable
from grounding_middleware.audit.reading import read
from grounding_middleware.audit.records import AuditRecord, RecordKind, Tip
from grounding_middleware.audit.segments import segments
from grounding_middleware.audit.verification import Placed
from grounding_middleware.errors import InputError
from grounding_middleware.grounder import Grounder
from grounding_middleware.judges import Judge
from grounding_middleware.judges.caching import SqliteCache, VerdictCache
from grounding_middleware.policy import Policy
from grounding_middleware.policy.presets import PRESETS
from grounding_middleware.records import Action, Span
from grounding_middleware.sources import MAX_SOURCE_BYTES, read_sources, read_spans, read_text

Wanted = Callable[[AuditRecord], bool]

_LONGEST_NUMBER: Final = 12  # digits; the id of an answer has more


def lines(name: str) -> Iterator[Placed]:
    """Every line of a trail: of its folder, one of its files, or a database."""
    return trail(name).records() if "://" in name else read(Path(name))


def records(name: str) -> Iterator[AuditRecord]:
    """Every record that can be read; `verify` is what tells of the lines that cannot."""
    return (found for _, found in lines(name) if isinstance(found, AuditRecord))


def start(name: str) -> Tip | None:
    """The tip before the first line; a single file may begin anywhere in the chain."""
    return None if "://" not in name and Path(name).is_file() else Tip()


def trail(name: str) -> Purgeable:
    """The trail there is; `InputError` when there is none, so that a misspelt name makes no new one."""
    if "://" in name:
        try:
            from grounding_middleware.store.audit import SqlTrail  # noqa: PLC0415  # the extra `store`
        except ModuleNotFoundError as error:
            raise InputError(f'{error.name} is not installed; pip install "grounding-middleware[store]"') from error
        return SqlTrail(name)
    if not segments(Path(name)):
        raise InputError(f"{name}: holds no audit trail; allowed is its folder, or the URL of a database")
    return JsonlTrail(name)


def tip(text: str | None) -> Tip | None:
    """A head as `verify` prints it."""
    if text is None:
        return None
    number, _, digest = text.partition(":")
    if not (number.isdecimal() and len(digest) == 64 and set(digest) <= set("0123456789abcdef")):
        raise InputError(f"--expect-head: {text!r:.100} is wrong, allowed is NUMBER:HASH as verify prints it")
    return Tip(seq=int(number), hash=digest)


def number_or_subject(text: str) -> Wanted:
    """The record of this number, or all records about this answer."""
    if text.isdecimal() and len(text) <= _LONGEST_NUMBER:
        return lambda record: record.seq == int(text)
    return lambda record: record.subject == text


def within(
    since: datetime | None, until: datetime | None, actions: frozenset[Action], kinds: frozenset[RecordKind]
) -> Wanted:
    """Records from `since` on and before `until`, of these kinds, and answers with these actions; empty means all."""

    def wanted(record: AuditRecord) -> bool:
        in_time = (since is None or record.time >= since) and (until is None or record.time < until)
        acted = not actions or record.facts.get("action") in actions
        return in_time and acted and (not kinds or record.kind in kinds)

    return wanted


def moment(text: str | None) -> datetime | None:
    """An ISO day, which begins at midnight UTC, or an ISO moment, which is UTC when it names no zone."""
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(f"{text!r:.40} is no moment; allowed is YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def policy(name: str) -> Policy:
    """A preset, or the policy in a JSON or YAML file."""
    if name in PRESETS:
        return Policy.preset(name)
    path = Path(name)
    if not path.is_file():
        raise InputError(f"--policy: {name!r:.100} is wrong, allowed are {', '.join(PRESETS)}, or a file")
    text = read_text(path, MAX_SOURCE_BYTES)
    try:
        data = json.loads(text) if path.suffix == ".json" else _yaml(text)
    except ValueError as error:
        raise InputError(f"{path}: is no policy ({error})") from error
    return Policy.model_validate(data)


def _yaml(text: str) -> Any:
    import yaml  # noqa: PLC0415  # 30 ms, only for policies in YAML

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error


def grounder(chosen: Policy, model: Path | None, spec: Path | None) -> Grounder:
    """What the spec describes; else the rules of this version, with a local model behind them if there is one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that nobody judges is said claim by claim
        return Grounder(_judge(model), policy=chosen) if spec is None else Grounder.from_spec(spec)


def retention(spec: Path) -> int:
    """The days a spec keeps contents; raises `InputError` when it says nothing about that."""
    from grounding_middleware.spec import load  # noqa: PLC0415  # the spec knows the trail, not the other way round

    audit = load(spec).audit
    if audit is None or audit.retention_days is None:
        raise InputError(f"{spec}: audit.retention_days is missing; without it nothing is purged")
    return audit.retention_days


def _judge(model: Path | None) -> Judge | None:
    if model is None:
        return None
    from grounding_middleware.judges.nli import NLIJudge, OnnxModel  # noqa: PLC0415  # the extra `nli`

    return NLIJudge(OnnxModel(model))


def cache(file: Path) -> VerdictCache:
    """The verdict cache in a file that is there."""
    if not file.is_file():
        raise InputError(f"--cache: {file} is no file; allowed is the file of a verdict cache")
    try:
        return SqliteCache(file)
    except sqlite3.Error as error:
        raise InputError(f"--cache: {file} is no verdict cache ({error})") from error


def passages(file: Path | None, spans: Path | None) -> tuple[Span, ...] | None:
    """The new version of a source, from a document or from ready-made spans."""
    if file and spans:
        raise InputError("recheck: --file and --spans exclude each other")
    if spans:
        return read_spans(spans)
    return read_sources([str(file)]) if file else None
