"""RAIL, loaded so that a validator without `on-fail` is an error. guardrails-ai 1.0 will know no RAIL any more."""

from __future__ import annotations

from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from guardrails import Guard
from guardrails.classes.generic import Stack
from guardrails.utils.regex_utils import split_on
from lxml import etree

from grounding_middleware.errors import ConfigError, GroundingError
from grounding_middleware.strict_documents import MAX_CHARACTERS, MAX_DEPTH
from grounding_middleware_guardrails.loading.building import Placed, check_places, on_fail_named, resolve
from grounding_middleware_guardrails.loading.collecting import all_of
from grounding_middleware_guardrails.loading.reading import is_text

__all__ = ["guard_from_rail"]

_ON_FAIL = "on-fail-"


def guard_from_rail(source: str | Path) -> Guard[Any]:
    """The guard a RAIL document describes, given its path or its text; raises `ConfigError` naming line and field."""
    if not isinstance(source, str | Path):
        raise ConfigError(f"rail: got {type(source).__name__}; allowed are a path, or the text itself")
    name, text = ("rail", str(source)) if is_text(source) else (str(source), _read(Path(source)))
    root = _parsed(text, name)
    elements = (element for element in root.iter() if isinstance(element.tag, str))
    expected = list(chain.from_iterable(all_of(partial(_named, element, name) for element in elements)))
    if not expected:
        raise ConfigError(
            f'{name}: names no validator; allowed is validators="grounding/verified_claims" on an element'
        )
    try:
        guard: Guard[Any] = Guard.for_rail_string(text)
    except GroundingError as error:
        raise ConfigError(f"{name}: {error}") from None
    except Exception as error:  # noqa: BLE001  # whatever its parser raises
        raise ConfigError(f"{name}: {type(error).__name__}: {' '.join(str(error).split()):.200}") from None
    guard.history = Stack(max_length=1)
    placed = [Placed(one, ref.on, name) for ref in _distinct(guard) for one in guard.get_validators(ref.on)]
    if sorted(one.validator.rail_alias for one in placed) != sorted(expected):
        raise ConfigError(
            f"{name}: {len(expected)} validators are named, {len(placed)} would run; only <output> has any"
        )
    check_places(placed, guard.output_schema.model_dump(exclude_none=True, by_alias=True))
    return guard


def _read(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{path}: cannot be read: {getattr(error, 'strerror', None) or 'it is not UTF-8 text'}"
        ) from None


def _parsed(text: str, name: str) -> Any:
    if len(text) > MAX_CHARACTERS:
        raise ConfigError(f"{name}: {len(text)} characters; allowed are at most {MAX_CHARACTERS}")
    if "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise ConfigError(f"{name}: a document type or entity is not allowed; write plain elements")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(text.encode(), parser=parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise ConfigError(f"{name}: is no XML: {error}") from None
    if max(sum(1 for _ in element.iterancestors()) for element in root.iter()) > MAX_DEPTH:
        raise ConfigError(f"{name}: is nested deeper than {MAX_DEPTH} levels")
    return root


def _named(element: Any, name: str) -> list[str]:
    """The ids this element names; every one is registered, and told what to do on failure."""
    where = f"{name}:{element.sourceline}: <{element.tag}>"
    told = {key: value for key, value in element.attrib.items() if key.startswith(_ON_FAIL)}
    ids = [_id(spec) for spec in split_on(element.get("validators", ""), ";") if spec.strip()]
    old = element.get("format", "")
    if "/" in old or "grounding" in old:
        raise ConfigError(f"{where}: format={old!r} is ignored by guardrails-ai; allowed is validators=")
    all_of(partial(_has_on_fail, one, told, where) for one in ids)
    if told:
        raise ConfigError(
            f"{where}: {next(iter(told))} names no validator of this element; it has {', '.join(ids) or 'none'}"
        )
    return ids


def _has_on_fail(validator_id: str, told: dict[str, str], where: str) -> None:
    """Takes what it says for this validator out of `told`."""
    key = _ON_FAIL + resolve(validator_id, where).rail_alias.replace("/", "_")
    if key not in told:
        near = f", not {next(iter(told))}" if told else ""
        raise ConfigError(f"{where}: {validator_id} has no {key}{near}; without it guardrails-ai lets failures through")
    on_fail_named(told.pop(key), f"{where} {key}")


def _id(spec: str) -> str:
    """The id of `grounding/x: {0.8} remove`; `hub://` belongs to it."""
    hub, _, rest = spec.strip().rpartition("hub://") if "hub://" in spec else ("", "", spec.strip())
    del hub
    return rest.partition(":")[0].strip()


def _distinct(guard: Guard[Any]) -> list[Any]:
    return list({ref.on: ref for ref in guard.validators}.values())
