"""Files that hold answers, questions and sources: readable by their owner alone, and never written through a link."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

__all__ = ["write_private"]

_FLAGS: Final = os.O_WRONLY | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_OWNER: Final = 0o600


def write_private(path: Path, text: str) -> None:
    """Write `text` in UTF-8, over what is there; a file that others could read is closed to them first.

    Raises `OSError`, also where `path` is a symbolic link: whoever may put a link there must not choose the file.
    """
    with os.fdopen(os.open(path, _FLAGS, _OWNER), "wb") as opened:
        if stat.S_ISREG(os.fstat(opened.fileno()).st_mode):  # a terminal or pipe keeps its rights
            if hasattr(os, "fchmod"):
                os.fchmod(opened.fileno(), _OWNER)
            opened.truncate()
        opened.write(text.encode())
