"""Record and replay the conversations of a judge in your own tests (needs the extra `recording`).

    @pytest.mark.grounding_cassette
    def test_my_judge(grounding_endpoint):
        client = OpenAI(base_url=grounding_endpoint.base_url, api_key=grounding_endpoint.api_key)
        grounder = Grounder(judge=OpenAIModel(grounding_endpoint.model, client))
        assert grounder.check(answer, evidence=texts).action == "ok"

`OPENAI_BASE_URL=... OPENAI_API_KEY=... GROUNDING_MODEL=... pytest --grounding-record` asks the model and writes one
cassette for each marked test under `cassettes/` (ini `grounding_cassettes`), by test module. Without the option nothing
leaves the machine: a request must equal a recorded one by method, path and JSON body, each recorded one must be made,
and each cassette names model, file hash (`GROUNDING_MODEL_SHA256`, where there is a file) and date. Recorded is what
goes over HTTP through a client that vcrpy knows: httpx, requests, urllib3, aiohttp, http.client.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

if TYPE_CHECKING:
    from grounding_middleware.recording.cassette import StrictCassette

MARKER = "grounding_cassette"

_UNSAFE = re.compile(r"[^\w.-]+")
_NO_FILE = "none: the endpoint serves it"


class Endpoint(NamedTuple):
    """Where a test finds its model; when replaying, the names it was recorded under and no real address."""

    base_url: str
    api_key: str
    model: str


def pytest_addoption(parser: pytest.Parser) -> None:
    """One option and one setting."""
    group = parser.getgroup("grounding")
    group.addoption(
        "--grounding-record",
        action="store_true",
        help="ask the judge of tests marked grounding_cassette and record its replies; without it they are replayed",
    )
    parser.addini("grounding_cassettes", "folder of the cassettes, from the root of the tests", default="cassettes")


def pytest_configure(config: pytest.Config) -> None:
    """The marker."""
    config.addinivalue_line("markers", f"{MARKER}: replay the conversation with the judge, strictly, from a cassette")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A marked test gets its cassette before any of its other fixtures."""
    for item in items:
        names = getattr(item, "fixturenames", [])
        if item.get_closest_marker(MARKER) and MARKER not in names:
            names.insert(0, MARKER)


@pytest.fixture(scope="session")
def grounding_model() -> dict[str, str]:
    """What a new cassette says about the model, from the environment; override it to say it otherwise."""
    name = os.environ.get("GROUNDING_MODEL", "unnamed")
    return {"model": name, "file_sha256": os.environ.get("GROUNDING_MODEL_SHA256") or _NO_FILE}


@pytest.fixture
def grounding_cassette(request: pytest.FixtureRequest, grounding_model: dict[str, str]) -> Iterator[StrictCassette]:
    """The cassette of this test, in force while it runs; fails afterwards when it was not played exactly."""
    if find_spec("vcr") is None:
        pytest.fail("cassettes need vcrpy: install grounding-middleware[recording]", pytrace=False)
    from grounding_middleware.recording.cassette import cassette  # noqa: PLC0415  # needs the extra
    from grounding_middleware.recording.layout import Layout  # noqa: PLC0415  # same

    record = bool(request.config.getoption("--grounding-record"))
    path = cassette_path(request)
    if not record and not path.is_file():
        pytest.fail(f"there is no cassette {path}; {_how(request)}", pytrace=False)
    layout = Layout({**grounding_model, "date": datetime.now(UTC).date().isoformat()})
    with cassette(path, layout, record=record) as tape:
        tape.recorded.update(layout.recorded)
        yield tape
    complaints = [] if record else tape.complaints()
    if complaints:
        pytest.fail("\n".join((*complaints, f"in {path}; if the change is meant, {_how(request)}")), pytrace=False)


@pytest.fixture
def grounding_endpoint(request: pytest.FixtureRequest, grounding_cassette: StrictCassette) -> Endpoint:
    """The endpoint to record from, or a stand-in under which everything was recorded."""
    model = grounding_cassette.recorded["model"]
    if not request.config.getoption("--grounding-record"):
        return Endpoint("http://endpoint/v1", "replayed", model)
    try:
        return Endpoint(os.environ["OPENAI_BASE_URL"], os.environ.get("OPENAI_API_KEY", "unused"), model)
    except KeyError:
        pytest.fail("OPENAI_BASE_URL is not set; recording needs an endpoint", pytrace=False)


def cassette_path(request: pytest.FixtureRequest) -> Path:
    """`cassettes/<test module>/<test>.yaml`, below the root of the tests."""
    root = request.config.rootpath
    module = request.path.relative_to(root).with_suffix("")
    parts = module.parts[1:] if module.parts[0] == "tests" and len(module.parts) > 1 else module.parts
    name = _UNSAFE.sub("-", request.node.name).strip("-")
    folder = Path(str(request.config.getini("grounding_cassettes")))
    return root.joinpath(folder, *parts, f"{name}.yaml")


def _how(request: pytest.FixtureRequest) -> str:
    return f"record it again: pytest --grounding-record {request.node.nodeid!r}"
