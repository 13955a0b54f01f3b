"""The command as a process: pipes, interrupts, crashes, terminals that know no Unicode."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

COMMAND = [sys.executable, "-m", "grounding_middleware"]
AS_FROM_A_TERMINAL = (  # a test run in the background hands down that interrupts are ignored
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "
    "from grounding_middleware.cli import main; main()"
)


def test_a_closed_pipe_ends_it_quietly() -> None:
    """`grounding schema | head -1` prints no traceback."""
    with subprocess.Popen([*COMMAND, "schema"], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode in (0, -signal.SIGPIPE)


def test_control_c_ends_it_quietly(tmp_path: Path) -> None:
    """An interrupt while it waits for input ends with 130 and no traceback."""
    answer = tmp_path / "pipe"
    os.mkfifo(answer)
    command = [sys.executable, "-c", AS_FROM_A_TERMINAL, "check", str(answer), "--source", __file__]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        with answer.open("wb"):  # returns when the command has opened the other end and waits
            interrupt(process)
        assert process.stderr
        assert "Traceback" not in process.stderr.read()
    assert process.returncode == 130


def interrupt(process: subprocess.Popen[str]) -> None:
    """Once, and again if the signal came in the moment between opening the pipe and waiting for it."""
    for _ in range(20):
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=3)
            return
    process.kill()


def test_a_crash_is_not_taken_for_a_verdict() -> None:
    """A defect of the tool ends with 70 and its traceback, not with Python's 1."""
    code = "import grounding_middleware.commands as c, grounding_middleware.cli as cli; c.Grounder = None; cli.main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "check", "-", "--source", __file__],
        input="x",
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 70
    assert "Traceback" in done.stderr


@pytest.mark.parametrize("encoding", ["ascii", "latin-1"])
def test_any_output_encoding_will_do(tmp_path: Path, encoding: str) -> None:
    """Quotation marks and foreign letters do not crash a terminal that cannot show them."""
    source = tmp_path / "s.md"
    source.write_text("The fee is 5 € (“fixed”, naïve).", "utf-8")
    done = subprocess.run(
        [*COMMAND, "check", "-", "--source", str(source)],
        input="The fee is 7 €.".encode(),
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"},
    )
    assert done.returncode in (0, 1, 3), done.stderr
    assert b"What the reader sees" in done.stdout


@pytest.mark.parametrize("module", ["grounding_middleware", "grounding_middleware.cli"])
def test_both_modules_are_the_command_and_its_help_is_plain_text(module: str) -> None:
    """`python -m` of either does what `grounding` does; no bracket is escaped, whatever version of typer is there."""
    done = subprocess.run([sys.executable, "-m", module, "check", "--help"], capture_output=True, text=True, check=True)
    assert "[required]" in done.stdout
    assert "\\" not in done.stdout
