"""Validators by id and guards out of them: nothing is dropped, nothing doubled, everything runs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from typing import Any, Final

from guardrails import Guard, OnFailAction, Validator
from guardrails.validator_base import validators_registry

from grounding_middleware.errors import ConfigError, GroundingError
from grounding_middleware_guardrails._base import GroundingValidator
from grounding_middleware_guardrails.loading.collecting import all_of
from grounding_middleware_guardrails.loading.paths import places

_FIXING = (OnFailAction.FIX, OnFailAction.REASK, OnFailAction.FIX_REASK, OnFailAction.CUSTOM)
"""What changes a text; a reask whose attempts are used up gives its fix, and calls it passed."""

_VERSION: Final = re.compile(r"\s*(?:@|==|~=|>=|:v?(?=\d)).*$", re.DOTALL)
_SIGNS: Final = re.compile(r"[\W_]+")
_SHOWN = 12  # places named in a message


@dataclass(frozen=True, slots=True)
class Placed:
    """A validator, where in the output it runs, and where in the spec it is named."""

    validator: Validator
    on: str
    where: str


def resolve(validator_id: Any, where: str) -> type[Validator]:
    """The validator registered under this id; raises `ConfigError` naming the nearest ones there are.

    Only what was imported counts: guardrails-ai would also import whatever a file in the working folder names.
    """
    found = validators_registry.get(validator_id.removeprefix("hub://")) if isinstance(validator_id, str) else None
    if found is not None:
        return found
    raise ConfigError(f"{where}: no validator is registered as {validator_id!r:.80}; {_meant(str(validator_id))}")


def _meant(given: str) -> str:
    """The registered ids that were probably meant: other case or signs, the name of the class, a version behind it."""
    known = {
        _plain(name): one for one, kind in validators_registry.items() for name in (one, _tail(one), kind.__name__)
    }
    name = given.removeprefix("hub://").strip()
    bare = _VERSION.sub("", name)
    for word in (bare, _tail(bare)):
        near = [known[one] for one in get_close_matches(_plain(word), known, n=2, cutoff=0.75)]
        if near:
            versions = "" if bare == name else "; an id has no version"
            return f"did you mean {' or '.join(dict.fromkeys(near))}?{versions}"
    return "allowed are ids of validators whose package is imported"


def _tail(validator_id: str) -> str:
    return validator_id.rpartition("/")[2]


def _plain(name: str) -> str:
    return _SIGNS.sub("", name).casefold()


def built(validator_id: Any, args: Sequence[Any], kwargs: Mapping[str, Any], on_fail: Any, where: str) -> Validator:
    """An instance; whatever its constructor objects to is a `ConfigError` that says where it stands."""
    kind = resolve(validator_id, where)
    try:
        return partial(kind, on_fail=on_fail)(*args, **kwargs)
    except ConfigError as error:
        raise ConfigError(f"{where}: {error}") from None
    except GroundingError as error:
        raise ConfigError(f"{where}: {error}") from None
    except Exception as error:  # other people's constructors raise what they like; what they say is kept
        raise ConfigError(f"{where}: {validator_id} cannot be built: {type(error).__name__}: {error}") from error


def on_fail_named(word: Any, where: str) -> OnFailAction:
    """What guardrails-ai knows by this word; anything else it takes for noop or exception. Raises `ConfigError`."""
    found = next((one for one in OnFailAction if isinstance(word, str) and word == one.value), None)
    if found is None or found is OnFailAction.CUSTOM:
        names = ", ".join(one.value for one in OnFailAction if one is not OnFailAction.CUSTOM)
        raise ConfigError(f"{where}: {word!r} is wrong; allowed are {names}")
    return found


def guard_of(placed: Iterable[Placed], schema: Mapping[str, Any], **fields: Any) -> Guard[Any]:
    """A guard that runs exactly these validators, and keeps no more than the last call; raises `ConfigError`."""
    listed = tuple(placed)
    check_places(listed, schema)
    guard: Guard[Any] = Guard(output_schema=dict(schema), history_max_length=1, **fields)
    for on in dict.fromkeys(one.on for one in listed):
        guard.use(*(one.validator for one in listed if one.on == on), on=on)
    return guard


def check_places(placed: Sequence[Placed], schema: Mapping[str, Any]) -> None:
    """Raises `ConfigError` for each validator that would not run, would run twice, or would spoil a verified text."""
    met = places(schema)
    fixing = [
        one
        for one in placed
        if isinstance(one.validator, GroundingValidator) and one.validator.on_fail_descriptor in _FIXING
    ]
    all_of(
        [
            *(partial(_check_place, one, met) for one in placed),
            *(
                partial(_check_once, [one for one in placed if one.on == on])
                for on in dict.fromkeys(one.on for one in placed)
            ),
            *(partial(_check_fixers, one, [other for other in placed if other is not one]) for one in fixing),
        ]
    )


def _check_place(one: Placed, met: Mapping[str, set[str]]) -> None:
    if one.on not in met:
        near = sorted(met)[:_SHOWN]
        raise ConfigError(f"{one.where}: on {one.on!r} is met by nothing in this output; allowed are {', '.join(near)}")
    if not isinstance(one.validator, GroundingValidator):
        return
    if one.validator.value_type not in met[one.on]:
        there = ", ".join(sorted(kind or "anything" for kind in met[one.on]))
        raise ConfigError(
            f"{one.where}: {one.validator.rail_alias} is for {one.validator.value_type}; {one.on} is {there}"
        )


def _check_once(here: Sequence[Placed]) -> None:
    seen: dict[str, Placed] = {}
    for one in here:
        name = one.validator.rail_alias
        if name in seen:
            raise ConfigError(f"{one.where}: {name} stands at {one.on} twice; allowed is once")
        seen[name] = one


def _check_fixers(ours: Placed, others: Sequence[Placed]) -> None:
    """Two fixes are merged by their differences, and what stands above is fixed later: nobody verifies the outcome."""
    for other in others:
        above = f"{ours.on}.".startswith(f"{other.on}.")
        foreign = not isinstance(other.validator, GroundingValidator) or other.on == ours.on
        if above and foreign and other.validator.on_fail_descriptor in _FIXING:
            raise ConfigError(
                f"{other.where}: {other.validator.rail_alias} would change the text that {ours.validator.rail_alias} "
                f"verifies at {ours.on}; allowed is one validator that fixes, others refrain or raise (exception)"
            )
