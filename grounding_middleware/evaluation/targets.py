"""The files a run is written to: what cannot be written is refused before anything is checked, and nothing is begun."""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from grounding_middleware.errors import InputError

__all__ = ["appended", "refuse_unwritable"]


def refuse_unwritable(*files: Path) -> None:
    """Raises `InputError` for a file whose folder is missing or closed, and for one that is named twice."""
    for file in files:
        if not file.parent.is_dir():
            raise InputError(f"{file}: the folder {str(file.parent)!r} does not exist; allowed is one that does")
        if not os.access(file.parent, os.W_OK):
            raise InputError(f"{file}: the folder {str(file.parent)!r} cannot be written to; allowed is one that can")
    if len({file.resolve() for file in files}) < len(files):
        raise InputError(f"{files[-1]}: is named for the run and for its reports; allowed are two files")


def appended(file: Path) -> IO[str]:
    """The file, opened at its end; raises `InputError` when that fails."""
    try:
        return file.open("a", encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{file}: {error.strerror}; allowed is a file that can be written") from None
