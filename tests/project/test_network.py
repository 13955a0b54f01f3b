"""The suite itself is offline: neither a connection nor a name look-up leaves this machine."""

from __future__ import annotations

import socket

import pytest


def test_connections_are_refused() -> None:
    """A documentation address (RFC 5737) is refused at once, not tried."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as client, pytest.raises(RuntimeError, match=r"(?i)network"):
        client.connect(("192.0.2.1", 443))


def test_name_lookups_are_refused() -> None:
    """A reserved name (RFC 2606) is not even asked for."""
    with pytest.raises(RuntimeError, match="tests run offline"):
        socket.getaddrinfo("example.invalid", 443)
