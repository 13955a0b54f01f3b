"""Wrong settings die at construction and say what is allowed; right ones are plain data."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from grounding_middleware import ConfigError, Grounder
from grounding_middleware.judges import LLMJudge
from grounding_middleware.repair import TIER, Repair, Step


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"steps": ()}, "steps"),
        ({"steps": ("recite", "recite")}, "each step once"),
        ({"steps": ("model", "recite")}, "not the last"),
        ({"steps": ("guess",)}, "'recite', 'correct', 'replace' or 'model'"),
        ({"treatments": ("block",)}, "treatments"),
        ({"treatments": ()}, "treatments"),
        ({"marker": "[id]"}, "{id}"),
        ({"marker": "{id}"}, "{id}"),
        ({"claims": 0}, "claims"),
        ({"rounds": 0}, "rounds"),
        ({"rounds": 6}, "rounds"),
        ({"tokens": 0}, "tokens"),
        ({"seconds": 0}, "seconds"),
        ({"seconds": float("nan")}, "seconds"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_wrong_settings(settings: dict[str, Any], words: str) -> None:
    """Every wrong value is a ConfigError that names it."""
    with pytest.raises(ConfigError, match="Repair") as caught:
        Repair(**settings)
    assert words in str(caught.value)


def test_settings_are_data() -> None:
    """Settings survive JSON, and their version is that of their content."""
    settings = Repair(steps=(Step.REPLACE, Step.MODEL), cite=True, marker="({id})", rounds=2)
    again = Repair.model_validate_json(settings.model_dump_json())
    assert again == settings
    assert again.version == settings.version != Repair().version


def model(_prompt: str) -> str:
    """Stands in for a model; nothing calls it here."""
    raise AssertionError("called")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"repair": {"steps": ["model"]}}, "repair: got dict"),
        ({"repair": Repair(steps=(Step.MODEL,))}, "repair_model is None"),
        ({"repair_model": model}, "nothing asks it"),
        ({"repair": Repair(), "repair_model": model}, "nothing asks it"),
        ({"repair": Repair(steps=(Step.MODEL,)), "repair_model": 3}, "int"),
        ({"judge": LLMJudge(model, TIER), "repair": Repair()}, "is taken by the repair model"),
    ],
)
def test_settings_and_model_fit_together(arguments: dict[str, Any], words: str) -> None:
    """A model nobody would ask, and a step without its model, are errors at once, not surprises later."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        with pytest.raises(ConfigError, match=words):
            Grounder(**arguments)


def test_a_grounder_with_repair_says_so() -> None:
    """Adapters that cannot take text back ask for this."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert Grounder().repair is None
        assert Grounder(repair=Repair()).repair == Repair()
