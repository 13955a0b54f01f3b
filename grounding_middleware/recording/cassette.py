"""A cassette that is strict both ways: an unknown request fails, and so does a recorded one that nobody makes.

Requests are compared by method, path and JSON body. Addresses, headers and known secrets are not kept.
"""

from __future__ import annotations

import difflib
import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from vcr.cassette import Cassette
from vcr.record_mode import RecordMode
from vcr.request import Request

from grounding_middleware.recording.layout import Layout

HOST = "http://endpoint"
"""Stands for every address; which endpoint it was is nobody's business."""

MAX_DIFFERENCE = 60
"""Lines of a difference that are shown."""

_KEPT_HEADERS = ("content-type",)
_SECRET_NAME = re.compile(r"(API_?KEY|TOKEN|SECRET|PASSWORD)$", re.IGNORECASE)
_SHORTEST_SECRET = 8


class StrictCassette(Cassette):  # type: ignore[misc]  # vcrpy has no types
    """A cassette that remembers the requests it has no answer for; `recorded` says who gave the replies."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.unknown: list[Request] = []
        self.recorded: dict[str, str] = {}

    def can_play_response_for(self, request: Request) -> bool:
        """As vcrpy has it; a request that will be refused is noted, whatever its caller makes of the exception."""
        playable = bool(super().can_play_response_for(request))
        if not playable and self.record_mode == RecordMode.NONE:
            self.unknown.append(self.filter_request(request))
        return playable

    def complaints(self) -> list[str]:
        """What went otherwise than recorded; empty when everything was played once."""
        unknown = dict.fromkeys(self._difference(request) for request in self.unknown)  # clients try again
        found = [f"request not in the cassette: {difference}" for difference in unknown]
        unplayed = [request for at, request in enumerate(self.requests) if not self.play_counts[at]]
        return found + [f"recorded, but never asked: {one.method} {_path(one)} {_start(one)}" for one in unplayed]

    def _difference(self, request: Request) -> str:
        """The request beside the unplayed recorded one that is most like it."""
        asked = _shown(request)
        left = [_shown(one) for at, one in enumerate(self.requests) if not self.play_counts[at]]
        if not left:
            return f"{request.method} {_path(request)} {_start(request)} (everything recorded has been played)"
        nearest = max(left, key=lambda one: difflib.SequenceMatcher(None, one, asked, autojunk=False).quick_ratio())
        lines = list(difflib.unified_diff(nearest, asked, "recorded", "asked", lineterm="", n=1))
        more = [f"... {len(lines) - MAX_DIFFERENCE} more lines"] if len(lines) > MAX_DIFFERENCE else []
        return "\n".join((f"{request.method} {_path(request)}", *lines[:MAX_DIFFERENCE], *more))


@contextmanager
def cassette(path: Path, layout: Layout, *, record: bool) -> Iterator[StrictCassette]:
    """The cassette at `path`, in force for every HTTP client that vcrpy knows; a new one is written when recording."""
    if record:
        path.unlink(missing_ok=True)
    settings = StrictCassette.use(
        path=str(path),
        serializer=layout,
        record_mode=RecordMode.ALL if record else RecordMode.NONE,
        match_on=(_same_request,),
        before_record_request=_bare_request,
        before_record_response=_bare_response,
    )
    with settings as tape:
        yield tape


def _same_request(one: Request, other: Request) -> bool:
    return (one.method, _path(one), _body(one)) == (other.method, _path(other), _body(other))


def _bare_request(request: Request) -> Request:
    bare = Request(request.method, f"{HOST}{urlsplit(request.uri).path}", _without_secrets(request.body), {})
    bare.headers.update({name: value for name, value in request.headers.items() if name.lower() in _KEPT_HEADERS})
    return bare


def _bare_response(response: dict[str, Any]) -> dict[str, Any]:
    headers = {name: value for name, value in response["headers"].items() if name.lower() in _KEPT_HEADERS}
    return {**response, "headers": headers, "body": {"string": _without_secrets(response["body"]["string"])}}


def _without_secrets(body: Any) -> Any:
    """`body` without the values of environment variables that are named like secrets."""
    if not isinstance(body, bytes):
        return body
    for name, value in os.environ.items():
        if _SECRET_NAME.search(name) and len(value) >= _SHORTEST_SECRET:
            body = body.replace(value.encode(), b"SCRUBBED")
    return body


def _path(request: Request) -> str:
    path: str = urlsplit(request.uri).path
    return path


def _body(request: Request) -> Any:
    """The JSON value of a body, so that the order of keys and blanks play no role; else the bytes."""
    try:
        return json.loads(request.body or b"null")
    except ValueError:
        return request.body


def _shown(request: Request) -> list[str]:
    body = _body(request)
    if isinstance(body, bytes):
        return body.decode("utf-8", "replace").splitlines()
    return json.dumps(body, indent=1, ensure_ascii=False, sort_keys=True).replace("\\n", "\n").splitlines()


def _start(request: Request) -> str:
    return " ".join(_shown(request))[:200]
