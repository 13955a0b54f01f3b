"""What every test gets: reproducible property tests and no network, not even a name look-up."""

from __future__ import annotations

import socket
from typing import Any

import hypothesis
import pytest

hypothesis.settings.register_profile("reproducible", derandomize=True, deadline=None, database=None)
hypothesis.settings.load_profile("reproducible")


@pytest.fixture(autouse=True)
def _no_name_lookups(monkeypatch: pytest.MonkeyPatch) -> None:
    """pytest-recording refuses connections; this refuses the look-up before them."""
    look_up = socket.getaddrinfo

    def local_only(host: Any, *args: Any, **kwargs: Any) -> Any:
        if host not in (None, "localhost", "127.0.0.1", "::1"):
            raise RuntimeError(f"a test looked up {host!r}; tests run offline")
        return look_up(host, *args, **kwargs)

    monkeypatch.setattr(socket, "getaddrinfo", local_only)
