"""Commands are loaded when they are called, and the list of them says what they say."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from grounding_middleware.cli import app
from grounding_middleware.deferred import Deferred

COMMANDS = typer.main.get_group(app).commands.values()


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_the_list_says_what_the_command_says(command: Deferred) -> None:
    """The help of the list is the first paragraph of the command's own, word for word."""
    own = command.loaded().help
    assert command.help == " ".join(own.partition("\n\n")[0].split())


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["check", "--help"], "File with the answer, or - for standard input."),
        (["audit", "show", "--help"], "Number of a record, or id of an answer."),
        (["report", "--help"], "Runs before it: the trend."),
    ],
    ids=str,
)
def test_help_tells_what_arguments_are(arguments: list[str], told: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once, of a command and of one in a group; whatever versions of typer and click are there."""
    monkeypatch.setattr(typer.core, "HAS_RICH", False)  # as `main` does
    shown = CliRunner().invoke(app, arguments, env={"COLUMNS": "160"}).stdout
    assert " ".join(shown.split()).count(told) == 1, shown


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["chekc"]], ids=str)
def test_no_command_is_loaded_to_list_them(arguments: list[str]) -> None:
    """Help, version and a wrong name load no stage and no record: whoever asks gets his answer at once."""
    code = (
        "import sys, grounding_middleware.cli as cli\n"
        f"sys.argv = ['grounding', *{arguments}]\n"
        "try:\n    cli.main()\nfinally:\n    print('loaded:', *sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout
    loaded = set(output.partition("loaded:")[2].split())
    own = {name for name in loaded if name.startswith("grounding_middleware.")}
    assert own == {f"grounding_middleware.{name}" for name in ("cli", "deferred", "exports")}


def test_a_command_does_not_load_the_others() -> None:
    """`grounding compare` needs neither the review queue nor the audit trail's commands."""
    code = (
        "import sys, grounding_middleware.cli as cli\n"
        "sys.argv = ['grounding', 'compare', '--help']\n"
        "try:\n    cli.main()\nfinally:\n    print('loaded:', *sys.modules)"
    )
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "grounding_middleware.review.cli" not in output
    assert "grounding_middleware.evaluation.comparing.cli" in output
