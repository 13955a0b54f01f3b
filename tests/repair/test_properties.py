"""Whatever the answer and whatever a repair model says: no statement reaches the reader that nobody verified (RE-2)."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from grounding_middleware import Grounder, Label, Policy, Report
from grounding_middleware.citations import resolve
from grounding_middleware.claims import split
from grounding_middleware.editing.removal import apply
from grounding_middleware.evaluation import MUTATIONS
from grounding_middleware.evidence import build
from grounding_middleware.policy.deciding import STAYS
from grounding_middleware.repair import Repair, Step

TRUE = (
    "Refunds are paid within 14 days",
    "Employees may submit the form online",
    "Weekend delivery costs EUR 6",
    "Sensors are recalibrated twice a year, unless the manual says otherwise",
    "Invoice 4471 was not saved",
    "Acme Corp acquired Birch Ltd in 2021",
)
EVIDENCE = [{"id": f"S{number}", "text": f"{text}."} for number, text in enumerate(TRUE, 1)]
WRONG = tuple(sorted({variant for text in TRUE for mutate in MUTATIONS.values() for variant in mutate(text)}))
LEANING = ("However, it is cheap", "They are easy to use", "This is because of the weather")
_CLAIM = re.compile(r"^\w{8} claim (\d+) .*\n(.*)$", re.MULTILINE)
ALL = Repair(steps=(Step.RECITE, Step.CORRECT, Step.REPLACE, Step.MODEL), cite=True, rounds=2)


def judge(prompt: str) -> str:
    """Supports what stands in the evidence word for word, and nothing else: an honest judge, if a narrow one."""
    verdicts = []
    for number, text in _CLAIM.findall(prompt):
        found = next((n for n, true in enumerate(TRUE, 1) if text.strip(" .") == true), None)
        evidence = [{"source": f"S{found}", "quote": TRUE[found - 1]}] if found else []
        label = "SUPPORTED" if found else "INSUFFICIENT_EVIDENCE"
        verdicts.append({"claim": int(number), "evidence": evidence, "reason": "-", "label": label})
    return json.dumps({"verdicts": verdicts})


@st.composite
def answers(draw: st.DrawFn) -> str:
    """Right, wrong and leaning sentences with right, wrong and invented citations, as paragraph or list."""
    sentences = draw(st.lists(st.sampled_from(TRUE + WRONG + LEANING), min_size=1, max_size=5))
    markers = st.sampled_from(["", " [S1]", " [S2]", " [S3]", " [S9]", " [S1, S4]", " [S5][S6]"])
    cited = [f"{text}{draw(markers)}." for text in sentences]
    if draw(st.booleans()):
        return "\n".join(f"- {text}" for text in cited)
    return " ".join(cited)


@st.composite
def replies(draw: st.DrawFn) -> str:
    """What a repair model may say: right and wrong texts, injected markers, layout, nonsense, no JSON at all."""
    text = st.one_of(
        st.sampled_from(TRUE + WRONG + LEANING),
        st.sampled_from(TRUE).flatmap(
            lambda right: st.sampled_from([f"{right} [S2]", f"{right}. So what", f"# {right}"])
        ),
        st.text(max_size=30),
    )
    entry = st.fixed_dictionaries(
        {
            "claim": st.integers(0, 4),
            "text": text,
            "sources": st.lists(st.sampled_from(["S1", "S2", "S5", "S9"]), max_size=2),
        }
    )
    body = draw(st.lists(entry, max_size=4))
    return draw(st.sampled_from([json.dumps({"repairs": body}), json.dumps(body), "no", "", "{"]))


def report_on(answer: str, said: Sequence[str], repair: Repair = ALL) -> Report:
    """The report with a model that says these things in turn, then nothing."""
    left = iter(said)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        model: Any = (lambda _prompt: next(left, "")) if repair.needs_model else None
        grounder = Grounder(judge, policy=Policy(escalate_above=1.0), repair=repair, repair_model=model)
    return grounder.check(answer, evidence=EVIDENCE)


def plain(text: str) -> str:
    """The words of a statement."""
    return re.sub(r"\s*\[[^\]]*\]|[.\s]+$", "", text).strip()


@settings(max_examples=50)
@given(answers(), st.lists(replies(), max_size=2))
def test_nothing_unverified_is_shown(answer: str, said: list[str]) -> None:
    """Each statement of the text is one the policy kept as it was, or one that was verified after its repair."""
    report = report_on(answer, said)
    if report.action == "escalate":
        return
    citations = resolve(report.text, report.evidence)
    kept = {plain(claim.text) for claim in report.claims if claim.treatment in STAYS}
    repaired = " ".join(plain(one.after) for one in report.repairs if one.accepted)
    assert all(one.label is Label.SUPPORTED for one in report.repairs if one.accepted)
    for claim in split(report.text, citations):
        assert plain(claim.text) in kept or plain(claim.text) in repaired


@settings(max_examples=30)
@given(answers(), st.lists(replies(), max_size=2))
def test_repaired_statements_pass_a_check_of_their_own(answer: str, said: list[str]) -> None:
    """A grounder without repair finds every repaired statement of the final text supported, and cites no unknown id."""
    report = report_on(answer, said)
    steps = {"recite", "correct", "replace", "model"}
    repaired = [plain(one.after) for one in report.repairs if one.accepted and one.step in steps]
    if report.action == "escalate" or not repaired:
        return
    again = Grounder(judge, policy=Policy(escalate_above=1.0)).check(report.text, evidence=EVIDENCE)
    for words in repaired:
        assert any(words in plain(claim.text) and claim.label is Label.SUPPORTED for claim in again.claims)
    assert all(citation.valid for citation in again.citations)


@settings(max_examples=30)
@given(answers(), st.lists(replies(), max_size=2))
def test_edits_lead_from_answer_to_text(answer: str, said: list[str]) -> None:
    """The edits of the report give its text, outside of them nothing changed, and the report survives JSON."""
    report = report_on(answer, said)
    if report.action != "escalate":
        assert apply(answer, report.edits) == report.text
    assert all(answer[edit.start : edit.end] == edit.removed for edit in report.edits)
    assert Report.model_validate_json(report.model_dump_json()) == report


@settings(max_examples=30)
@given(st.lists(st.sampled_from(range(len(TRUE))), min_size=1, max_size=4, unique=True), st.booleans())
def test_nothing_to_repair_is_the_identical_text(numbers: list[int], listed: bool) -> None:  # noqa: FBT001  # drawn
    """An answer that is right and cited comes back as it is, and no model is asked."""
    cited = [f"{TRUE[n]} [S{n + 1}]." for n in numbers]
    answer = "\n".join(f"- {text}" for text in cited) if listed else " ".join(cited)
    report = report_on(answer, ["{}"])
    assert (report.text, report.edits, report.repairs) == (answer, (), ())
    assert not any(call.tier == "repair" for call in report.calls)


@settings(max_examples=30)
@given(answers())
def test_kept_statements_keep_their_order(answer: str) -> None:
    """What is neither repaired nor removed stands in the text, in the order of the answer."""
    report = report_on(answer, [], Repair())
    if report.action == "escalate":
        return
    at = 0
    for claim in report.claims:
        if claim.treatment in STAYS:
            at = report.text.index(claim.text, at) + 1


@settings(max_examples=15)
@given(answers(), st.lists(replies(), max_size=2))
def test_the_same_input_gives_the_same_report(answer: str, said: list[str]) -> None:
    """Nothing of an answer is left behind for the next one."""
    assert report_on(answer, said) == report_on(answer, said)


def test_the_pool_is_sound() -> None:
    """The right sentences are supported and the wrong ones are not, so that the properties above can fail."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        grounder = Grounder(judge, policy=Policy(escalate_above=1.0))
    evidence = build(EVIDENCE)
    assert len(WRONG) > 30
    for number, text in enumerate(TRUE, 1):
        assert grounder.check(f"{text} [S{number}].", evidence=evidence).action == "ok"
    repaired = [one.step for text in WRONG for one in report_on(f"{text} [S1].", []).repairs if one.accepted]
    assert {"recite", "correct", "replace"} & set(repaired)
