"""Models whose fields name validators, loaded so that none of them is lost on the way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, get_args, get_origin

from guardrails import Guard, Validator
from guardrails.classes.generic import Stack
from pydantic import BaseModel

from grounding_middleware.errors import ConfigError, GroundingError
from grounding_middleware_guardrails.loading.building import Placed, check_places, on_fail_named, resolve
from grounding_middleware_guardrails.loading.paths import places

__all__ = ["guard_from_pydantic"]

_PAIR = 2  # a validator and what to do on failure


@dataclass(frozen=True, slots=True)
class _Declared:
    validator_id: str
    where: str


def guard_from_pydantic(model: Any) -> Guard[Any]:
    """The guard for a model, or a list of one; validators stand in `Field(json_schema_extra={"validators": [...]})`.

    Each is an instance, or a pair of an instance or RAIL text and what to do on failure. Raises `ConfigError` naming
    model and field for whatever guardrails-ai would leave out, and for places it never reaches.
    """
    top = get_args(model)[0] if get_origin(model) is list and get_args(model) else model
    if not (isinstance(top, type) and issubclass(top, BaseModel)):
        raise ConfigError(f"model: got {model!r}; allowed is a pydantic model, or a list of one")
    declared = list(_declared(top, ()))
    if not declared:
        raise ConfigError(
            f"{top.__name__}: no field names a validator; allowed is Field(json_schema_extra={{'validators': [...]}})"
        )
    try:
        guard: Guard[Any] = Guard.for_pydantic(model)
    except GroundingError as error:
        raise ConfigError(f"{top.__name__}: {error}") from None
    guard.history = Stack(max_length=1)
    _check(guard, declared, top.__name__)
    return guard


def _check(guard: Guard[Any], declared: Sequence[_Declared], name: str) -> None:
    """Each validator that is named runs somewhere; a field with an alias has two places, of which one is met."""
    schema = guard.output_schema.model_dump(exclude_none=True, by_alias=True)
    met = places(schema)
    running = [
        Placed(validator, on, f"{name}: {on}")
        for on in dict.fromkeys(str(ref.on) for ref in guard.validators)
        for validator in guard.get_validators(on)
        if on in met
    ]
    left = [one.validator.rail_alias for one in running]
    for one in declared:
        if one.validator_id not in left:
            raise ConfigError(
                f"{one.where}: {one.validator_id} would never run: guardrails-ai does not look into `X | None` "
                "(use Optional[X]), nor into dicts of models"
            )
        left.remove(one.validator_id)
    check_places(running, schema)


def _declared(model: type[BaseModel], inside: tuple[type[BaseModel], ...]) -> Iterator[_Declared]:
    """What the fields of `model` and of all models below name, wherever guardrails-ai looks or does not."""
    if model in inside:
        raise ConfigError(f"{model.__name__}: contains itself; guardrails-ai cannot read such a model")
    for name, field in model.model_fields.items():
        where = f"{model.__name__}.{name}"
        extra = field.json_schema_extra if isinstance(field.json_schema_extra, dict) else {}
        listed: Any = extra.get("validators", [])
        if not isinstance(listed, list | Validator):
            raise ConfigError(f"{where}: validators is a {type(listed).__name__}; allowed is a list")
        for one in [listed] if isinstance(listed, Validator) else listed:
            yield _Declared(_id(one, where), where)
        for inner in _models(field.annotation):
            yield from _declared(inner, (*inside, model))


def _id(one: Any, where: str) -> str:
    """The id of an instance or pair; a text alone, or a pair with a wrong word, is taken for something else."""
    if isinstance(one, Validator):
        return one.rail_alias
    if not isinstance(one, tuple) or len(one) != _PAIR:
        raise ConfigError(
            f"{where}: {one!r:.80} is wrong; allowed are an instance, or a pair such as ('grounding/x', 'fix')"
        )
    on_fail_named(one[1], f"{where}: on_fail")
    if isinstance(one[0], Validator):
        return one[0].rail_alias
    return resolve(str(one[0]).partition(":")[0].strip(), where).rail_alias


def _models(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for inner in get_args(annotation):
        yield from _models(inner)
