"""Importing the package does nothing to the application, and takes no choice from the user."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grounding_middleware_guardrails import _quiet

LOOK = """
import json, logging, sys, threading
import grounding_middleware_guardrails as package
from guardrails import Guard
from guardrails.utils.hub_telemetry_utils import HubTelemetry
logging.getLogger().setLevel(logging.DEBUG)
guard = Guard().use(package.CitedSpans())
outcome = guard.validate("The sky is blue [S1].", metadata={"sources": ["The sky is blue."]})
seen = {
    "passed": outcome.validation_passed,
    "handlers": len(logging.getLogger().handlers),
    "nltk": "nltk" in sys.modules,
    "grammar": "rfc3987_syntax" in sys.modules,
    "exporting": any("Otel" in thread.name for thread in threading.enumerate()),
    "tracer": HubTelemetry()._tracer is not None,
}
print(json.dumps(seen), flush=True)
"""
SWITCHED_ON = """
guard.configure(allow_metrics_collection=True)
print(json.dumps({"tracer": HubTelemetry()._tracer is not None, "on": HubTelemetry()._enabled}), flush=True)
import os
os._exit(0)  # an exporter without network would hold the exit up
"""


def looked(code: str, home: Path) -> tuple[list[dict[str, Any]], str]:
    """What a fresh process, in which every warning is an error, says about itself, and its error output."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-W", "ignore::ResourceWarning", "-c", code],
        capture_output=True,
        text=True,
        check=False,
        cwd=home,
        env={**os.environ, "HOME": str(home)},
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def test_nothing_happens(tmp_path: Path) -> None:
    """No thread, no handler, no tokenizer, no grammar, no output; switched on by hand, telemetry works."""
    (seen, switched), errors = looked(LOOK + SWITCHED_ON, tmp_path)
    assert seen == {
        "passed": True,
        "handlers": 0,
        "nltk": False,
        "grammar": False,
        "exporting": False,
        "tracer": False,
    }
    assert switched == {"tracer": True, "on": True}
    assert errors == ""


def test_the_configuration_of_the_user_counts(tmp_path: Path) -> None:
    """A `~/.guardrailsrc` is read as if this package were not there."""
    (tmp_path / ".guardrailsrc").write_text("enable_metrics=true\n")
    (seen,), _ = looked(f"{LOOK}\nimport os\nos._exit(0)", tmp_path)
    assert seen["tracer"]
    assert seen["exporting"]
    assert seen["handlers"] == 0


def fake(folder: Path, name: str, version: str = "0.3.0") -> None:
    """An installed distribution, as far as its metadata tell."""
    info = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")


def test_another_package_of_the_same_name(tmp_path: Path) -> None:
    """`openai-guardrails` has a module `guardrails`, too; the error names it and says what to do."""
    (tmp_path / "guardrails").mkdir()
    (tmp_path / "guardrails" / "__init__.py").write_text("GuardrailsOpenAI = None\n")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import grounding_middleware_guardrails"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "is not guardrails-ai: uninstall openai-guardrails, then reinstall guardrails-ai" in done.stderr


def test_both_are_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each overwrites files of the other, so a warning says so even when the import works."""
    fake(tmp_path, "openai-guardrails")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.warns(UserWarning, match="guardrails-ai and openai-guardrails are both installed"):
        _quiet.import_guardrails()


@pytest.mark.parametrize("clash", [False, True])
def test_guardrails_is_missing(clash: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001  # a table
    """The error names the extra, or the package in the way."""
    if clash:
        fake(tmp_path, "openai-guardrails")
        monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setitem(sys.modules, "guardrails", None)
    with pytest.raises(
        ImportError, match="uninstall openai-guardrails" if clash else r"grounding-middleware\[guardrails\]"
    ):
        _quiet.import_guardrails()


def test_what_the_user_set_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A setting that is there already is not touched."""
    monkeypatch.setenv("LITELLM_LOCAL_MODEL_COST_MAP", "False")
    _quiet.import_guardrails()
    assert os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] == "False"
