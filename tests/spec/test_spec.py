"""The spec: wrong ones die at load with a useful message, right ones mean what they say."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from grounding_middleware import Action, AnswerWithheldError, ConfigError, Grounder, Label, Policy
from grounding_middleware.policy.presets import PRESETS
from grounding_middleware.spec import Spec, effective, grounder_from, load, parse, schema, to_yaml
from grounding_middleware.spec.model import CheckName, PresetName, check_names

HERE = Path(__file__).parent
FAULTS = yaml.safe_load((HERE / "faults.yaml").read_text("utf-8"))
FERRY = "The ferry leaves at 07:45. Dogs travel free of charge."


@pytest.fixture(autouse=True)
def _no_judge_is_fine() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.parametrize("row", FAULTS, ids=[row["why"] for row in FAULTS])
def test_a_wrong_spec_dies_at_load_with_a_useful_message(row: dict[str, Any]) -> None:
    """Each fault names file and line, field, value and what is allowed; secrets are never repeated."""
    with pytest.raises(ConfigError) as caught:
        parse(row["spec"])
    message = str(caught.value)
    assert not [part for part in row["says"] if part not in message], message
    assert not [part for part in row.get("hides", ()) if part in message], message


def test_faults_are_told_in_the_order_of_their_lines() -> None:
    """One line for each fault, top to bottom."""
    with pytest.raises(ConfigError) as caught:
        parse("grounding: 1\npolicy: {escalate_above: 2}\nevidence: {minimum: 0}\npreset: x\n")
    assert [line.split(":")[1] for line in str(caught.value).split("\n")] == ["2", "3", "4"]


def test_json_is_as_good_as_yaml() -> None:
    """The same document in both notations is the same spec."""
    data = {"grounding": 1, "preset": "high", "evidence": {"minimum": 2}}
    assert parse(json.dumps(data)) == parse(yaml.safe_dump(data)) == load(data)


def test_an_empty_spec_is_the_default_grounder() -> None:
    """Nothing but the version means the settings a plain `Grounder()` has."""
    grounder = Grounder.from_spec({"grounding": 1})
    assert (grounder.policy, grounder.checks) == (Grounder().policy, Grounder().checks)
    assert (grounder.rules, grounder.evidence_rules) == (Grounder().rules, Grounder().evidence_rules)


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_presets_are_specs(name: str) -> None:
    """`load("high")` is the preset, and its effective document, loaded again, is the same spec with the same hash."""
    spec = load(name)
    again = parse(to_yaml(spec))
    assert spec.policy == Policy.preset(name)
    assert (again, again.version) == (spec, spec.version)


def test_the_names_of_checks_and_presets_are_complete() -> None:
    """What the format allows is what the package has."""
    assert set(CheckName.__args__) == set(check_names())  # type: ignore[attr-defined]
    assert set(PresetName.__args__) == set(PRESETS)  # type: ignore[attr-defined]


def test_the_policy_section_changes_the_preset_field_by_field() -> None:
    """What is not mentioned stays as the preset has it."""
    spec = parse("grounding: 1\npreset: high\npolicy: {escalate_above: 0.1}\n")
    assert spec.policy == Policy.preset("high", escalate_above=0.1)


def test_every_report_carries_the_hash_of_its_spec() -> None:
    """The hash changes with any setting that is different in effect, and with no other."""
    one = parse("grounding: 1\nname: a\n")
    same = parse("# a comment\nname: 'a'\ngrounding: 1\npreset: standard\n")
    other = parse("grounding: 1\nname: a\nevidence: {minimum: 2}\n")
    report = grounder_from(one).check("The ferry leaves at 07:45 [S1].", evidence=[FERRY])
    assert (report.versions["spec"], report.versions["spec_name"]) == (one.version, "a")
    assert one.version == same.version != other.version


def test_evidence_and_texts_have_effect() -> None:
    """A minimum of two spans withholds an answer that has one, with the configured text."""
    text = "grounding: 1\nevidence: {minimum: 2}\npolicy: {texts: {escalation: Ask the harbour office.}}\n"
    report = grounder_from(parse(text)).check("The ferry leaves at 07:45 [S1].", evidence=[FERRY])
    assert (report.action, report.text) == (Action.ESCALATE, "Ask the harbour office.")


def test_a_check_that_is_off_does_not_run_and_one_in_doubt_decides_nothing() -> None:
    """The conflict is gone, or a doubt; either way the report says which checks ran."""
    wrong = "The ferry leaves at 08:45 [S1]."
    found = {}
    for section in ("{}", "{without: [values]}", "{doubt_only: [values]}"):
        report = grounder_from(parse(f"grounding: 1\nchecks: {section}\n")).check(wrong, evidence=[FERRY])
        found[section] = (report.claims[0].label, "values" in report.checks_run)
    assert found == {
        "{}": (Label.CONTRADICTED, True),
        "{without: [values]}": (Label.UNVERIFIED, False),
        "{doubt_only: [values]}": (Label.UNVERIFIED, True),
    }


def test_withheld_answers_can_raise() -> None:
    """`on_withheld: raise` gives the exception with the report instead of a text."""
    grounder = grounder_from(parse("grounding: 1\non_withheld: raise\n"))
    with pytest.raises(AnswerWithheldError, match="escalate"):
        grounder.check("The ferry leaves at 08:45 [S1].", evidence=[FERRY])


def test_named_judges_come_from_the_program() -> None:
    """The spec names it, the program hands it over; a name nobody knows is an error at construction."""
    text = "grounding: 1\njudge:\n  tiers: [{kind: named, name: house}]\n  deadline: 5\n"
    asked: list[str] = []

    def judge(prompt: str) -> str:
        asked.append(prompt)
        return "{}"

    report = grounder_from(parse(text), {"house": judge}).check("Pets cost nothing.", evidence=[FERRY])
    assert asked
    assert report.calls[0].tier == "house"
    with pytest.raises(ConfigError, match=r"judge\.tiers\[0\]\.name is 'house'.*no names"):
        grounder_from(parse(text))
    with pytest.raises(ConfigError, match=r"judge\.tiers\[0\].*int"):
        grounder_from(parse(text), {"house": 3})


def test_an_endpoint_needs_its_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """A variable that is not set is named; when it is set, its value stands in no part of the spec."""
    text = (
        "grounding: 1\njudge:\n  tiers:\n    - kind: openai\n      model: m\n      base_url: http://127.0.0.1:9/v1\n"
        "      api_key: {env: HOUSE_KEY}\n      retries: 0\n"
    )
    monkeypatch.delenv("HOUSE_KEY", raising=False)
    with pytest.raises(ConfigError, match=r"judge\.tiers\[0\]\.api_key: .*HOUSE_KEY is not set"):
        grounder_from(parse(text))
    monkeypatch.setenv("HOUSE_KEY", "sk-secret-value")
    spec = parse(text)
    grounder = grounder_from(spec)
    assert grounder.cascade is not None
    assert grounder.cascade.name == "llm"
    assert "sk-secret-value" not in to_yaml(spec) + repr(spec)


def test_a_local_model_that_is_not_there_is_an_error() -> None:
    """The message says which tier and what is allowed."""
    with pytest.raises(ConfigError, match=r"judge\.tiers\[0\].*no-such-folder"):
        grounder_from({"grounding": 1, "judge": {"tiers": [{"kind": "local", "model": "no-such-folder"}]}})


def test_the_published_schema_is_the_one_of_the_code() -> None:
    """It is valid JSON, names every section, and refuses unknown fields."""
    found = json.loads(schema())
    assert set(found["properties"]) == set(Spec.model_fields)
    assert found["additionalProperties"] is False


def test_a_file_that_is_none_is_an_error(tmp_path: Path) -> None:
    """Missing, a folder, or not UTF-8: the file is named."""
    binary = tmp_path / "b.yaml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match=r"neither a file nor a preset; presets are .*high"):
        load("hgih")
    for path in (tmp_path / "missing.yaml", tmp_path, binary):
        with pytest.raises(ConfigError, match=path.name):
            load(path)


@given(st.text(max_size=200))
def test_any_text_is_a_spec_or_an_error(text: str) -> None:
    """Nothing but `ConfigError` ever escapes, whatever the file holds."""
    try:
        spec = parse(text)
    except ConfigError:
        return
    assert isinstance(spec, Spec)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(st.sampled_from(sorted(Spec.model_fields)), JSON)
def test_any_section_is_taken_or_refused(section: str, value: Any) -> None:
    """A section with arbitrary content gives a spec that survives its own document, or a `ConfigError`."""
    try:
        spec = load({"grounding": 1, section: value})
    except ConfigError:
        return
    assert load(effective(spec)).version == spec.version


def test_repair_is_part_of_a_spec() -> None:
    """Repair settings are a section of the document; a model for its last step is handed over by name."""
    document = {
        "grounding": 1,
        "preset": "low",
        "repair": {"steps": ["replace", "model"], "rounds": 2},
        "repair_model": {"kind": "named", "name": "house"},
    }
    grounder = Grounder.from_spec(document, names={"house": lambda _prompt: ""})
    assert grounder.repair is not None
    assert (grounder.repair.steps, grounder.repair.rounds) == (("replace", "model"), 2)
    assert Grounder.from_spec({"grounding": 1, "preset": "low"}).repair is None
    for wrong in ({**document, "repair_model": None}, {**document, "repair": {"steps": ["replace"]}}):
        with pytest.raises(ConfigError, match="repair_model: allowed with"):
            Grounder.from_spec(wrong, names={"house": lambda _prompt: ""})
    with pytest.raises(ConfigError, match="model is not the last"):
        Grounder.from_spec({**document, "repair": {"steps": ["model", "replace"]}})
