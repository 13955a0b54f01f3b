"""Installs each combination into a fresh environment and uses it: `make test-install`. Needs a package index.

Used are the command with an answer and with specs, and the examples of what is installed; what is not installed must
not be there, and a spec that needs it must say which extra is missing.

Runs with the Pythons given as arguments, else with those that are there among 3.11, 3.12 and 3.13. Prints one line
for each environment, how many distributions, how large, how long, and what does not work; then it ends with an error.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHONS = ("python3.11", "python3.12", "python3.13")
EXAMPLES = ROOT / "examples"
CHECK = ("-m", "grounding_middleware", "check", f"{EXAMPLES}/procurement-answer.md", "--as-of", "2026-05-04")
SOURCE = ("--source", f"{EXAMPLES}/documents/contractor-expense-policy-2026.md")
ESCALATES, BAD = 3, 2  # exit codes


@dataclass(frozen=True)
class Combination:
    """What is installed, which examples must run then, and which modules must not be there.

    `specs` are documents and what `grounding spec check --build` must say to them, "" for nothing.
    """

    name: str
    paths: tuple[str, ...]
    examples: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    specs: tuple[tuple[str, str], ...] = ()


FRAMEWORKS = ("langchain_core", "llama_index", "guardrails", "sqlalchemy", "openai", "onnxruntime", "opentelemetry")
TRAIL = "grounding: 1\naudit: {folder: trail}\n"
QUEUE = "grounding: 1\nreview: {database: 'sqlite:///queue.db'}\n"
TRACES = "grounding: 1\ntelemetry: {}\n"
JUDGE = (
    "grounding: 1\njudge: {tiers: [{kind: local, model: nli-mini}, {kind: openai, model: m, api_key: {env: KEY}}]}\n"
)
GUARDS = "version: 1\nguards: [{validators: [{id: grounding/verified_claims}]}]\n"
MATRIX = (
    Combination(
        "core alone",
        (".",),
        ("check_an_answer",),
        FRAMEWORKS,
        ((TRAIL, ""), (QUEUE, "[store]"), (TRACES, "[otel]"), (JUDGE, "[nli-mini]"), (GUARDS, "[guardrails]")),
    ),
    Combination(
        "core, guardrails",
        (".", "integrations/guardrails"),
        ("guardrails_guard",),
        ("llama_index",),
        ((TRAIL, ""), (QUEUE, "[store]"), (GUARDS, "")),
    ),
    Combination(
        "everything",
        (
            ".[openai,nli,store,otel,recording,eval,report]",
            *("integrations/langchain[agent]", "integrations/llama_index"),
            *("integrations/guardrails", "integrations/nli_mini"),
        ),
        ("langchain_chain", "llama_index_query_engine", "guardrails_guard", "guardrails_chain", "guardrails_engine"),
        (),
        ((TRAIL, ""), (QUEUE, ""), (TRACES, ""), (JUDGE, ""), (GUARDS, "")),
    ),
)


def main() -> None:
    """One line for each environment; the exit code counts those that failed."""
    failed = 0
    for python in filter(None, map(there, sys.argv[1:] or PYTHONS)):
        for combination in MATRIX:
            problems = list(tried(python, combination))
            failed += bool(problems)
            print(*problems, sep="\n", end="\n" if problems else "", flush=True)  # noqa: T201  # a script
    sys.exit(failed)


def there(name: str) -> str | None:
    """The Python of that name on the path, or kept by pyenv, whose names on the path may lead to no Python."""
    versions = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    kept = sorted(versions.glob(f"{name.removeprefix('python')}.*/bin/{name}"))
    candidates = (shutil.which(name), *map(str, kept))
    return next((one for one in candidates if one and run(".", one, "-c", "").returncode == 0), None)


def tried(python: str, combination: Combination) -> Iterator[str]:
    """Install into an environment of its own and look; yields what is wrong."""
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        run(folder, python, "-m", "venv", folder)
        own = f"{folder}/bin/python"
        installed = run(folder, own, "-m", "pip", "install", "--quiet", *(f"{ROOT}/{one}" for one in combination.paths))
        if installed.returncode:
            yield f"   not installed: {installed.stderr[-400:]}"
            return
        count = len(run(folder, own, "-m", "pip", "list", "--format=freeze").stdout.splitlines())
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file() and not path.is_symlink())
        facts = f"{count:>4} distributions {size / 1e6:>6.0f} MB {time.perf_counter() - began:>5.0f} s"
        print(f"{run(folder, own, '--version').stdout.strip():<15} {combination.name:<18} {facts}")  # noqa: T201  # a script
        yield from problems(folder, own, combination)


def problems(folder: str, python: str, combination: Combination) -> Iterator[str]:
    """What does not work in this environment."""
    checked = run(folder, python, "-m", "pip", "check")
    if checked.returncode:
        yield f"   pip check: {checked.stdout.strip()}"
    if run(folder, python, *CHECK, *SOURCE).returncode != ESCALATES:
        yield "   grounding check did not escalate"
    for name in combination.examples:
        done = run(folder, python, f"{EXAMPLES}/{name}.py")
        if done.returncode or not done.stdout.strip():
            yield f"   examples/{name}.py: {done.stderr[-400:]}"
    for text, says in combination.specs:
        spec = Path(folder, "tried.yaml")
        spec.write_text(text, "utf-8")
        built = run(folder, python, "-m", "grounding_middleware", "spec", "check", "--build", str(spec))
        if (built.returncode, says in built.stderr) != (BAD if says else 0, True):
            yield f"   spec {text!r}: {built.returncode} {built.stderr[-400:]}"
    for name in combination.absent:
        if run(folder, python, "-c", f"import {name}").returncode == 0:
            yield f"   {name} is there"


def run(folder: str, *command: str) -> subprocess.CompletedProcess[str]:
    """One command away from the repository, so that only what is installed can be imported."""
    environment = {**{name: value for name, value in os.environ.items() if name != "PYTHONPATH"}, "KEY": "k"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)


if __name__ == "__main__":
    main()
