"""The pytest plugin, used as its users do: recorded once, replayed without network, strict both ways."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest
import yaml

pytest_plugins = ["pytester"]
pytestmark = pytest.mark.block_network(allowed_hosts=["127.0.0.1"])

KEY = "sk-not-a-real-key-0123456789"
HEAD = """
import json, urllib.request
import pytest

pytestmark = pytest.mark.grounding_cassette

def post(endpoint, prompt):
    headers = {"content-type": "application/json", "authorization": f"Bearer {endpoint.api_key}"}
    body = json.dumps({"model": endpoint.model, "prompt": prompt}).encode()
    request = urllib.request.Request(f"{endpoint.base_url}/complete?key={endpoint.api_key}", body, headers)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)["echo"]
"""
ONE = "def test_it(grounding_endpoint):\n    assert post(grounding_endpoint, 'one') == 'one'\n"


class Echo(BaseHTTPRequestHandler):
    """Says the prompt again, with headers nobody should keep."""

    count: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        """One reply; it tells the key it was given."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.count.append(asked["prompt"])
        body = json.dumps({"echo": asked["prompt"], "key": self.headers["authorization"]}).encode()
        self.send_response(200)
        for name, value in (("content-type", "application/json"), ("set-cookie", "session=1"), ("x-request-id", "7")):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Be quiet."""


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """An endpoint to record from."""
    Echo.count.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("GROUNDING_MODEL", "echo-1")
    monkeypatch.setenv("GROUNDING_MODEL_SHA256", "f" * 64)
    yield
    server.shutdown()
    server.server_close()
    thread.join()


class Project:
    """A user's project with one test module."""

    def __init__(self, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        self._pytester = pytester
        pytester.makeini("[pytest]")

    @property
    def cassette(self) -> Path:
        """Where the cassette of `test_it` is."""
        return self._pytester.path / "cassettes" / "test_mine" / "test_it.yaml"

    def write(self, test: str) -> None:
        """Make `test` the module."""
        self._pytester.makepyfile(test_mine=HEAD + test)

    def run(self, *options: str) -> pytest.RunResult:
        """Run it, with no plugin but ours."""
        plugin = ("-p", "grounding_middleware.pytest_plugin", "-p", "no:cacheprovider")
        return self._pytester.runpytest_inprocess(*plugin, *options)


@pytest.fixture
def project(pytester: pytest.Pytester, endpoint: None, monkeypatch: pytest.MonkeyPatch) -> Project:
    """One whose test is recorded."""
    made = Project(pytester, monkeypatch)
    made.write(ONE)
    made.run("--grounding-record").assert_outcomes(passed=1)
    return made


def test_record_and_replay(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded from the endpoint, replayed without one."""
    assert Echo.count == ["one"]
    monkeypatch.delenv("OPENAI_BASE_URL")
    project.run().assert_outcomes(passed=1)
    assert Echo.count == ["one"]


def test_what_a_cassette_says(project: Project) -> None:
    """It names model, file hash and date, shows the request as structure, and keeps no secret, cookie or address."""
    text = project.cassette.read_text("utf-8")
    data = yaml.safe_load(text)
    assert data["recorded"]["model"] == "echo-1"
    assert data["recorded"]["file_sha256"] == "f" * 64
    assert len(data["recorded"]["date"]) == 10
    (interaction,) = data["interactions"]
    assert interaction["request"]["body"]["json"] == {"model": "echo-1", "prompt": "one"}
    assert interaction["request"]["uri"] == "http://endpoint/v1/complete"
    for secret in (KEY, "session=1", "127.0.0.1", "x-request-id"):
        assert secret not in text


def test_a_changed_prompt_fails(project: Project) -> None:
    """The difference is shown, with the command that records again; nothing is asked."""
    project.write("def test_it(grounding_endpoint):\n    post(grounding_endpoint, 'two')\n")
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(['*- "prompt": "one"*', '*+ "prompt": "two"*', "*--grounding-record*test_it*"])
    assert Echo.count == ["one"]


def test_a_swallowed_refusal_fails(project: Project) -> None:
    """A judge turns every failure into UNVERIFIED; the test fails all the same."""
    project.write(
        "def test_it(grounding_endpoint):\n"
        "    assert post(grounding_endpoint, 'one')\n"
        "    try:\n        post(grounding_endpoint, 'two')\n    except Exception:\n        pass\n"
    )
    result = project.run()
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*request not in the cassette*"])


def test_an_unused_interaction_fails(project: Project) -> None:
    """What was recorded and is no longer asked is no longer tested."""
    project.write("def test_it(grounding_endpoint):\n    pass\n")
    result = project.run()
    result.assert_outcomes(passed=1, errors=1)
    result.stdout.fnmatch_lines(["*recorded, but never asked*one*"])


def test_asking_twice_fails(project: Project) -> None:
    """A reply is played once: a second call would be a second call."""
    project.write(
        "def test_it(grounding_endpoint):\n    post(grounding_endpoint, 'one')\n    post(grounding_endpoint, 'one')\n"
    )
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*everything recorded has been played*"])


def test_the_order_of_keys_plays_no_role(project: Project) -> None:
    """Bodies are compared as JSON values."""
    text = project.cassette.read_text("utf-8")
    swapped = text.replace("model: echo-1\n        prompt: one", "prompt: one\n        model: echo-1")
    assert swapped != text
    project.cassette.write_text(swapped, "utf-8")
    project.run().assert_outcomes(passed=1)


def test_no_cassette(project: Project) -> None:
    """A test that was never recorded fails and says how to record it."""
    project.cassette.unlink()
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*there is no cassette*--grounding-record*"])


def test_a_cassette_without_its_head(project: Project) -> None:
    """Replies of which nobody knows the author are not replayed."""
    data = yaml.safe_load(project.cassette.read_text("utf-8"))
    del data["recorded"]["model"]
    project.cassette.write_text(yaml.safe_dump(data), "utf-8")
    result = project.run()
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*its head lacks model*"])


def test_recording_again_replaces(project: Project) -> None:
    """A cassette holds one recording, not what was left of earlier ones."""
    project.write("def test_it(grounding_endpoint):\n    assert post(grounding_endpoint, 'two') == 'two'\n")
    project.run("--grounding-record").assert_outcomes(passed=1)
    (interaction,) = yaml.safe_load(project.cassette.read_text("utf-8"))["interactions"]
    assert interaction["request"]["body"]["json"]["prompt"] == "two"


def test_every_cassette_of_ours_names_its_model() -> None:
    """Whatever lies in `cassettes/` was said by a real model, and says which."""
    found = sorted(Path(__file__).parents[2].joinpath("cassettes").rglob("*.yaml"))
    assert found
    for path in found:
        head = yaml.safe_load(path.read_text("utf-8"))["recorded"]
        assert head["model"]
        assert len(head["file_sha256"]) == 64
        assert len(head["date"]) == 10
