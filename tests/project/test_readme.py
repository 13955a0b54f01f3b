"""What the README shows is what happens: Python blocks run, commands run, printed lines are real ones."""

from __future__ import annotations

import itertools
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grounding_middleware.cli import app

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXIT_CODE = re.compile(r"#.*exit code (\d)")


def blocks() -> list[tuple[str, str]]:
    return BLOCK.findall(README.read_text("utf-8"))


def commands() -> list[tuple[str, str]]:
    """Each `grounding ...` line with the text block right behind its block, which must be its output."""
    found = []
    listed = [*blocks(), ("", "")]
    for (language, body), (following, output) in itertools.pairwise(listed):
        lines = [line for line in body.replace("\\\n", " ").splitlines() if line.startswith("grounding ")]
        if language == "sh" and lines:
            found += [(line, "") for line in lines[:-1]]
            found.append((lines[-1], output if following == "text" else ""))
    return found


@pytest.mark.filterwarnings("ignore:policy 'standard' expects a judge:UserWarning")  # what a reader sees, too
def test_python_blocks_run(monkeypatch: pytest.MonkeyPatch, chain: Any, query_engine: Any) -> None:
    """All Python blocks run in order, in one namespace that offers what a reader already has."""
    monkeypatch.chdir(ROOT)
    question = "How are expenses above SGD 500 approved?"
    namespace: dict[str, Any] = {"chain": chain, "query_engine": query_engine, "question": question}
    for language, body in blocks():
        if language == "python":
            exec(compile(body, str(README), "exec"), namespace)  # noqa: S102  # our own page


@pytest.mark.parametrize(("line", "output"), commands())
def test_commands_run(line: str, output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command ends with the exit code its comment names, else 0, and prints the lines the page shows, in order."""
    code = EXIT_CODE.search(line)
    arguments = shlex.split(line, comments=True)[1:]
    monkeypatch.chdir(ROOT)
    done = CliRunner().invoke(app, arguments, env={"COLUMNS": ""})  # as wide as on a machine that does not say
    assert done.exit_code == (int(code[1]) if code else 0), done.stderr
    printed = iter(done.stdout.splitlines())
    missing = [wanted for wanted in output.splitlines() if wanted not in printed]  # each search goes on from the last
    assert not missing, done.stdout
