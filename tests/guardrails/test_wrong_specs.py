"""What guardrails-ai would pass in silence, or fail on later, dies at load and says what is allowed."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Optional

import pytest
import yaml
from guardrails import Guard, Validator, register_validator
from guardrails_ai.types import PassResult
from pydantic import BaseModel, Field

from grounding_middleware import Grounder
from grounding_middleware.errors import ConfigError, GroundingError
from grounding_middleware_guardrails import (
    ArgumentError,
    CitedSpans,
    VerifiedClaims,
    guard_from_json,
    guard_from_pydantic,
    guard_from_rail,
    guard_from_spec,
)
from grounding_middleware_guardrails.loading.paths import places

pytestmark = pytest.mark.filterwarnings("ignore:policy '.*' expects a judge:UserWarning")

LOADERS: dict[str, Any] = {"spec": guard_from_spec, "json": guard_from_json, "rail": guard_from_rail}
WRONG, SEVERAL = (
    yaml.safe_load(Path(__file__).with_name(name).read_text("utf-8"))
    for name in ("wrong_specs.yaml", "several_faults.yaml")
)


@pytest.mark.parametrize("wrong", WRONG, ids=lambda wrong: wrong["name"])
def test_wrong_specs_die_at_load(wrong: dict[str, Any]) -> None:
    """Each message names place, value and what is allowed, in the words of the table."""
    with pytest.raises(ConfigError) as caught:
        LOADERS[wrong["form"]](wrong["text"])
    missing = [part for part in wrong["message"] if part not in str(caught.value)]
    assert not missing, str(caught.value)


@pytest.mark.parametrize("wrong", SEVERAL, ids=lambda wrong: wrong["name"])
def test_every_fault_is_told(wrong: dict[str, Any]) -> None:
    """One load names all of them, in the order of the document, a line for each place."""
    with pytest.raises(ConfigError) as caught:
        LOADERS[wrong["form"]](wrong["text"])
    lines = str(caught.value).splitlines()
    assert len(lines) == len(wrong["lines"]), str(caught.value)
    for line, parts in zip(lines, wrong["lines"], strict=True):
        assert [part for part in parts if part not in line] == [], line


def test_the_table_is_long_enough() -> None:
    """At least thirty hostile specs, each with a name of its own."""
    names = [wrong["name"] for wrong in WRONG]
    assert len(set(names)) == len(names) >= 30


def test_messages_name_the_file(tmp_path: Path) -> None:
    """A spec in a file is named by its path and line."""
    path = tmp_path / "guards.yaml"
    path.write_text("version: 1\nguards:\n  - validators:\n      - id: grounding/x\n")
    with pytest.raises(ConfigError, match=r"guards\.yaml:4: guards\[0\]\.validators\[0\]\.id: no validator"):
        guard_from_spec(path)
    with pytest.raises(ConfigError, match=r"absent\.rail: cannot be read"):
        guard_from_rail(tmp_path / "absent.rail")


@pytest.mark.parametrize("loader", [*LOADERS.values(), guard_from_pydantic])
@pytest.mark.parametrize("source", [7, None, b"{}"])
def test_what_is_no_document(loader: Any, source: Any) -> None:
    """Anything but a document is refused with a `ConfigError`, too."""
    with pytest.raises(ConfigError):
        loader(source)


def test_which_guard() -> None:
    """Several guards need a name, and a name must be there, once."""
    entry = {"validators": [{"id": "grounding/cited_spans"}]}
    two = {"version": 1, "guards": [{"name": "a", **entry}, {"name": "b", **entry}]}
    for name in (None, "c"):
        with pytest.raises(ConfigError, match="choose name= among a, b"):
            guard_from_spec(two, name=name)
    twice = {"version": 1, "guards": [{"name": "a", **entry}, {"name": "a", **entry}]}
    with pytest.raises(ConfigError, match="'a' occurs twice"):
        guard_from_spec(twice, name="a")


def test_one_grounder() -> None:
    """A grounder of the caller and a spec of one exclude each other."""
    spec = {"version": 1, "grounding": "low", "guards": [{"validators": [{"id": "grounding/verified_claims"}]}]}
    with pytest.raises(ConfigError, match="a grounder is given, too"):
        guard_from_spec(spec, grounder=Grounder())


@register_validator(name="test/shortens", data_type="string")
class Shortens(Validator):
    """A validator of somebody else that fixes."""

    def _validate(self, value: Any, metadata: Any) -> PassResult:
        del value, metadata
        return PassResult()


@pytest.mark.parametrize("on_fail", ["fix", "reask", "fix_reask"])
def test_two_that_fix_one_text(on_fail: str) -> None:
    """guardrails-ai would merge two fixes by their differences, and the merged text is verified by nobody."""
    spec = {
        "version": 1,
        "guards": [{"validators": [{"id": "grounding/verified_claims"}, {"id": "test/shortens", "on_fail": on_fail}]}],
    }
    with pytest.raises(
        ConfigError, match="test/shortens would change the text that grounding/verified_claims verifies"
    ):
        guard_from_spec(spec)


def test_one_that_fixes_above() -> None:
    """What stands above a verified field is fixed after it."""
    schema = {"type": "object", "properties": {"answer": {"type": "string"}}}
    ours = {"id": "grounding/verified_claims", "on": "$.answer", "onFail": "fix"}
    above = {"id": "test/shortens", "on": "$", "onFail": "fix"}
    for validators in ([ours, above], [above, ours]):
        with pytest.raises(ConfigError, match="would change the text"):
            guard_from_json({"id": "g", "name": "g", "output_schema": schema, "validators": validators})
    beside = {"id": "g", "name": "g", "output_schema": schema, "validators": [ours, {**above, "onFail": "refrain"}]}
    assert len(guard_from_json(beside).validators) == 2


def test_schemas_of_references() -> None:
    """A schema that contains itself is followed once; one that doubles with every reference is refused."""
    tree = {"type": "object", "properties": {"text": {"type": "string"}, "a": {"$ref": "#"}, "b": {"$ref": "#"}}}
    assert places(tree)["$.a.text"] == {"string"}
    bomb = {
        "$ref": "#/$defs/a0",
        "$defs": {f"a{n}": {"properties": {side: {"$ref": f"#/$defs/a{n + 1}"} for side in "lr"}} for n in range(40)},
    }
    with pytest.raises(ConfigError, match="more than 5000 places"):
        places(bomb)


def test_validators_of_others_say_what_happens() -> None:
    """Only ours know `on_fail` from an action."""
    with pytest.raises(ConfigError, match="on_fail is missing"):
        guard_from_spec({"version": 1, "guards": [{"validators": [{"id": "test/shortens"}]}]})


class Inner(BaseModel):
    """A model with a validator."""

    text: str = Field(json_schema_extra={"validators": [("grounding/cited_spans", "refrain")]})


class Recursive(BaseModel):
    """A model that contains itself."""

    text: str = Field(json_schema_extra={"validators": [("grounding/cited_spans", "refrain")]})
    inner: Optional["Recursive"] = None  # noqa: UP037, UP045  # the spelling guardrails-ai looks into


def wrong_models() -> dict[str, tuple[type[BaseModel], str]]:
    """Models guardrails-ai takes, and would not verify."""

    class New(BaseModel):
        inner: Inner | None = None

    class Mapped(BaseModel):
        inner: dict[str, Inner]

    class Nested(BaseModel):
        inner: list[list[Inner]]

    class Unknown(BaseModel):
        text: str = Field(json_schema_extra={"validators": [("grounding/x", "fix")]})

    class Argument(BaseModel):
        text: str = Field(json_schema_extra={"validators": [("grounding/verified_claims: {8}", "fix")]})

    class Alone(BaseModel):
        text: str = Field(json_schema_extra={"validators": ["grounding/verified_claims"]})

    class Word(BaseModel):
        text: str = Field(json_schema_extra={"validators": [("grounding/verified_claims", "fixx")]})

    class Released(BaseModel):
        text: str = Field(json_schema_extra={"validators": [(VerifiedClaims(), "noop")]})

    class Number(BaseModel):
        text: int = Field(json_schema_extra={"validators": [CitedSpans()]})

    class NoList(BaseModel):
        text: str = Field(json_schema_extra={"validators": {"grounding/verified_claims": "fix"}})

    class Nothing(BaseModel):
        text: str

    class Twice(BaseModel):
        first: Inner
        second: Inner | None = None

    return {
        "new union": (New, "Inner.text: grounding/cited_spans would never run"),
        "dict of models": (Mapped, "Inner.text: grounding/cited_spans would never run"),
        "list of lists": (Nested, "Inner.text: grounding/cited_spans would never run"),
        "unknown id": (Unknown, "Unknown.text: no validator is registered as 'grounding/x'"),
        "wrong argument": (Argument, "threshold: 8 is wrong"),
        "text alone": (Alone, "allowed are an instance, or a pair"),
        "unknown word": (Word, "Word.text: on_fail: 'fixx' is wrong"),
        "noop": (Released, "noop lets the unverified text through"),
        "wrong type": (Number, "is for string"),
        "no list": (NoList, "NoList.text: validators is a dict"),
        "reached once of twice": (Twice, "Inner.text: grounding/cited_spans would never run"),
        "contains itself": (Recursive, "Recursive: contains itself"),
        "no validator": (Nothing, "no field names a validator"),
    }


@pytest.mark.parametrize(
    "name",
    [
        *("new union", "dict of models", "list of lists", "unknown id", "wrong argument", "text alone"),
        *("unknown word", "noop", "wrong type", "no list", "no validator"),
        *("reached once of twice", "contains itself"),
    ],
)
def test_fields_that_would_be_lost(name: str) -> None:
    """Fields whose validators guardrails-ai drops with a log line, or never reaches."""
    model, message = wrong_models()[name]
    with pytest.raises(ConfigError) as caught:
        guard_from_pydantic(model)
    assert message in str(caught.value)


def test_a_wrong_argument_is_not_dropped_by_a_bare_guard() -> None:
    """guardrails-ai swallows the `ValueError` of a constructor and goes on without the validator; ours is none."""
    assert not issubclass(ArgumentError, ValueError)
    assert issubclass(ArgumentError, GroundingError)
    with pytest.raises(ArgumentError, match="threshold: 8 is wrong"):
        Guard.for_pydantic(wrong_models()["wrong argument"][0])
    with pytest.raises(ArgumentError, match="noop"):
        Guard.for_rail_string(
            '<rail version="0.1"><output type="string" validators="grounding/verified_claims"/></rail>'
        )
