"""The model that is shipped: its files are whole, its labels are in order, and it errs on the side of silence."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from grounding_middleware import Grounder, Label
from grounding_middleware.judges.nli import NLIJudge, OnnxModel, source
from grounding_middleware.judges.protocol import ModelCall
from grounding_middleware_nli_mini import folder


@pytest.fixture(scope="module")
def model() -> OnnxModel:
    return OnnxModel(folder())


def scored(model: OnnxModel, *pairs: tuple[str, str]) -> list[tuple[float, ...]]:
    call = ModelCall(tier="nli-mini", role="test", prompt_version="0", pairs=pairs)
    return list(model.complete(call).scores)


def test_every_file_is_the_one_that_was_measured() -> None:
    """Hashes of weights and tokenizer stand beside the thresholds, and there are thresholds."""
    own = json.loads((folder() / "grounding.json").read_text("utf-8"))
    assert set(own["sha256"]) == {"model_int8.onnx", "tokenizer.json"}
    for name, digest in own["sha256"].items():
        assert hashlib.sha256((folder() / name).read_bytes()).hexdigest() == digest
    assert own["thresholds"]["measured"]
    assert own["thresholds"]["bands"]


def test_the_wheel_stays_small() -> None:
    """Weights are committed and installed by everybody who wants them."""
    assert sum(path.stat().st_size for path in Path(folder()).iterdir()) < 25_000_000


def test_labels_are_in_order(model: OnnxModel) -> None:
    """What repeats the premise is entailed, what it has nothing to do with is not; each row sums to one."""
    rows = scored(
        model,
        ("The library opens at nine and closes at five.", "The library opens at nine."),
        ("The library opens at nine and closes at five.", "Parking costs two euros an hour."),
    )
    assert rows[0][0] > 0.5 > rows[1][0]
    assert all(sum(row) == pytest.approx(1.0) for row in rows)


def test_neighbours_in_a_batch_change_nothing(model: OnnxModel) -> None:
    """A claim is judged alike alone and beside others: only weights are int8, sums are not."""
    short = ("The museum is closed on Mondays.", "The museum is open on Mondays.")
    long = ("The museum is closed on Mondays. " * 8, "The museum charges no fee for children under six.")
    (alone,) = scored(model, short)
    together = scored(model, short, long)[0]
    assert alone == pytest.approx(together, abs=1e-3)


def test_rules_stand_above_the_model() -> None:
    """A value the checks find to conflict stays a conflict, whatever the model would say."""
    judge = NLIJudge(OnnxModel(folder()))
    report = Grounder(judge=judge).check("The fee is EUR 7.", evidence=["The fee is EUR 5."])
    (claim,) = report.claims
    assert claim.label is Label.CONTRADICTED
    assert claim.decided_by == "checks"


def test_languages_that_were_not_measured_are_left_alone() -> None:
    """No band, no verdict: a Finnish claim stays unverified even when it repeats the source."""
    judge = NLIJudge(OnnxModel(folder()))
    assert not any(band.language == "fi" for band in judge.model.thresholds.bands)  # type: ignore[attr-defined]
    evidence = ["Museo on aina suljettu maanantaina."]
    report = Grounder(judge=judge).check("Museo on maanantaisin suljettu.", evidence=evidence)
    assert all(claim.label is not Label.SUPPORTED for claim in report.claims)


def test_it_is_asked_only_by_name() -> None:
    """Installed is not switched on: without a judge nobody decides what the rules cannot."""
    with pytest.warns(UserWarning, match="judge"):
        grounder = Grounder()
    report = grounder.check("The museum charges nothing.", evidence=["Entry to the museum is free of charge."])
    assert not report.calls


@pytest.mark.skipif("nli-mini" not in source.installed(), reason="on the path, but not installed")
def test_the_name_leads_to_the_folder() -> None:
    """Once the wheel is installed, its name is all a user needs."""
    assert source.from_package("nli-mini") == folder()
    assert Grounder(judge="nli-mini").cascade is not None
