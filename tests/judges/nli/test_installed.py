"""An installed local model is a judge by its name; any other string is an error that says what is installed."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from grounding_middleware import Grounder, Label
from grounding_middleware.errors import ConfigError
from grounding_middleware.judges.nli import source

TINY = Path(__file__).with_name("tiny")


def offer(monkeypatch: pytest.MonkeyPatch, *names: str) -> None:
    """Let packages be installed that offer the tiny model under `names`."""
    found = [EntryPoint(name, "tests_offer:TINY", source.GROUP) for name in names]
    monkeypatch.setattr(source, "entry_points", lambda group: found if group == source.GROUP else [])
    monkeypatch.setattr(EntryPoint, "load", lambda _self: lambda: TINY)


def test_a_name_is_a_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """`Grounder(judge="name")` asks the installed model and names it as the one that decided."""
    offer(monkeypatch, "mini")
    report = Grounder(judge="mini").check("The desk opens.", evidence=["Yes, every desk here opens early."])
    (claim,) = report.claims
    assert (claim.label, claim.decided_by) == (Label.SUPPORTED, "mini")


def test_a_name_is_a_tier(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a list of judges a name stands for the installed model, and the next one gets what it leaves."""
    offer(monkeypatch, "mini")
    asked: list[str] = []
    grounder = Grounder(judge=["mini", lambda prompt: asked.append(prompt) or "{}"])
    assert grounder.cascade is not None
    assert grounder.cascade.name == "mini+llm-2"
    (claim,) = grounder.check("The desk opens.", evidence=["Yes, every desk here opens early."]).claims
    assert claim.decided_by == "mini"
    assert not asked
    grounder.check("The desk opens.", evidence=["There are desks."])
    assert asked


@pytest.mark.parametrize(("names", "told"), [((), "none is installed"), (("one", "two"), "installed are one, two")])
def test_another_string_is_refused(monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], told: str) -> None:
    """Nothing is looked for on disk or in a network."""
    offer(monkeypatch, *names)
    with pytest.raises(ConfigError, match=told):
        Grounder(judge="gpt-4")
