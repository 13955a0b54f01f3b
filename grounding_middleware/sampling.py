"""Stable samples: whether an id falls into a share is a matter of its hash, not of chance."""

from __future__ import annotations

import hashlib


def falls_in(identity: str, share: float, purpose: str = "") -> bool:
    """Whether `identity` is one of a `share` (0 to 1) of all; the same every time, independent between purposes."""
    digest = hashlib.sha256((purpose + identity).encode("utf-8", "backslashreplace")).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64
