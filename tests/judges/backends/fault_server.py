"""An OpenAI-compatible endpoint on loopback that goes wrong in every way it is told to, by the first part of the path.

`good` judges honestly in its way: it supports each claim with the whole first passage that the claim cites. Everything
that would never end does end, after `LONGEST` seconds or when the client is gone.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

LONGEST = 20.0

_CODE = re.compile(r"Boundary code: ([0-9a-f]{8})")


class Handler(BaseHTTPRequestHandler):
    """One request; `faults` says what is done for each first part of the path."""

    protocol_version = "HTTP/1.1"
    faults: ClassVar[dict[str, Callable[[Handler], None]]] = {}
    asked: dict[str, Any]

    def do_POST(self) -> None:
        """Read the request and go wrong."""
        length = int(self.headers.get("content-length") or 0)
        self.asked = json.loads(self.rfile.read(length) or b"{}")
        self.close_connection = True
        self.faults[self.path.split("/")[1]](self)

    def answer(self, status: int, body: bytes, kind: str = "application/json", **headers: str) -> None:
        """A whole reply; the client is told that the connection ends, or it may send the next request into it."""
        self.send_response(status)
        head = {"content-type": kind, "content-length": str(len(body)), "connection": "close"}
        for name, value in (head | headers).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def begin(self, kind: str) -> None:
        """The head of a reply in pieces."""
        self.send_response(200)
        self.send_header("content-type", kind)
        self.send_header("transfer-encoding", "chunked")
        self.send_header("connection", "close")
        self.end_headers()

    def piece(self, data: bytes) -> None:
        """One piece of it."""
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def for_long(self) -> Iterator[None]:
        """Go on until nobody wants more."""
        end = time.monotonic() + LONGEST
        while time.monotonic() < end:
            yield

    def message(self, text: str | None, finish: str = "stop", **more: Any) -> None:
        """A completion, whole or streamed as it was asked for."""
        if not self.asked.get("stream"):
            choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": text, **more}}
            self.answer(200, json.dumps(_completion("chat.completion", [choice])).encode())
            return
        self.begin("text/event-stream")
        for delta, ended in (({"role": "assistant", "content": text, **more}, None), ({}, finish)):
            choice = {"index": 0, "finish_reason": ended, "delta": delta}
            self.piece(f"data: {json.dumps(_completion('chat.completion.chunk', [choice]))}\n\n".encode())
        self.piece(b"data: [DONE]\n\n")
        self.piece(b"")

    def log_message(self, *_: Any) -> None:
        """Be quiet."""


def _completion(kind: str, choices: list[Any]) -> dict[str, Any]:
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return {"id": "1", "object": kind, "created": 0, "model": "faulty", "choices": choices, "usage": usage}


def verdicts(message: str) -> str:
    """A reply to the request in `message`: every claim supported by the whole first passage it cites."""
    code = _CODE.match(message)
    if code is None:
        return '{"verdicts": []}'
    sections = re.split(rf"^{code[1]} ", message, flags=re.MULTILINE)[1:]
    passages = {one.split()[1]: one.split("\n", 1)[1].strip() for one in sections if one.startswith("passage ")}
    found = []
    for one in sections:
        if claim := re.match(r"claim (\d+) (?:cites (\S+?)[,;\n]|cites nothing)", one):
            source = claim[2] if claim[2] in passages else next(iter(passages))
            evidence = [{"source": source, "quote": passages[source]}]
            found.append({"claim": int(claim[1]), "evidence": evidence, "reason": "", "label": "SUPPORTED"})
    return json.dumps({"verdicts": found})


def good(request: Handler) -> None:
    """What an endpoint does."""
    request.message(verdicts(request.asked["messages"][-1]["content"]))


def silent(request: Handler) -> None:
    """Takes the request and says nothing."""
    for _ in request.for_long():
        time.sleep(0.05)


def slow(request: Handler) -> None:
    """A byte now and then."""
    request.begin("application/json")
    for _ in request.for_long():
        request.piece(b" ")
        time.sleep(0.1)


def endless(request: Handler) -> None:
    """A body without end, a megabyte a second."""
    request.begin("application/json")
    request.piece(b'{"choices":[{"finish_reason":"stop","message":{"content":"')
    for _ in request.for_long():
        request.piece(b"SUPPORTED " * 1_000)
        time.sleep(0.01)


def endless_stream(request: Handler) -> None:
    """Events without end."""
    request.begin("text/event-stream")
    choice = {"index": 0, "finish_reason": None, "delta": {"content": "SUPPORTED "}}
    event = f"data: {json.dumps(_completion('chat.completion.chunk', [choice]))}\n\n".encode()
    for _ in request.for_long():
        request.piece(event * 20)
        time.sleep(0.01)


def half(request: Handler) -> None:
    """Half a body, then the connection is gone."""
    text = verdicts(request.asked["messages"][-1]["content"])
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    body = json.dumps(_completion("chat.completion", [choice])).encode()
    request.send_response(200)
    request.send_header("content-type", "application/json")
    request.send_header("content-length", str(len(body)))
    request.end_headers()
    request.wfile.write(body[: len(body) // 2])


def half_stream(request: Handler) -> None:
    """Events that stop before the reason to stop; the text so far is a whole verdict."""
    text = verdicts(request.asked["messages"][-1]["content"])
    request.begin("text/event-stream")
    choice = {"index": 0, "finish_reason": None, "delta": {"content": text}}
    request.piece(f"data: {json.dumps(_completion('chat.completion.chunk', [choice]))}\n\n".encode())


def gone(request: Handler) -> None:
    """Closes the connection without a word."""
    request.connection.close()


def bare(request: Handler) -> None:
    """The verdict itself, where a completion is expected."""
    request.answer(200, verdicts(request.asked["messages"][-1]["content"]).encode())


def page(request: Handler) -> None:
    """A proxy's page, whose text is a verdict."""
    request.answer(200, b"<html>" + verdicts(request.asked["messages"][-1]["content"]).encode(), "text/html")


Handler.faults = {
    "good": good,
    "silent": silent,
    "slow": slow,
    "endless": endless,
    "endless_stream": endless_stream,
    "half": half,
    "half_stream": half_stream,
    "gone": gone,
    "bare": bare,
    "page": page,
    "garbage": lambda request: request.answer(200, bytes(range(256)) * 4),
    "prose": lambda request: request.message("All claims are SUPPORTED, well done."),
    "nothing": lambda request: request.message(""),
    "no_content": lambda request: request.message(None),
    "no_choices": lambda request: request.answer(200, json.dumps(_completion("chat.completion", [])).encode()),
    "cut": lambda request: request.message('{"verdicts":[{"claim":1,"label":"SUPP', "length"),
    "filtered": lambda request: request.message("", "content_filter"),
    "refused": lambda request: request.message(None, refusal="I cannot help with that."),
    "limited": lambda request: request.answer(429, b'{"error":{"message":"slow down"}}', retry_after="0"),
    "limited_long": lambda request: request.answer(429, b'{"error":{"message":"slow down"}}', retry_after="3600"),
    "key": lambda request: request.answer(401, b'{"error":{"message":"wrong key"}}'),
    "crash": lambda request: request.answer(500, b"Internal Server Error", "text/plain"),
}


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server in a process of its own, so that its floods take no time from the clients' one."""
    command = [sys.executable, __file__]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip()
        finally:
            process.kill()


def main() -> None:
    """Serve until standard input closes, so that it never outlives whoever started it."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, *_: Any) -> None:
            """Clients that hang up are the point."""

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)  # noqa: T201  # whoever started it reads it
    sys.stdin.read()


if __name__ == "__main__":
    main()
