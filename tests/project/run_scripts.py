"""Runs scripts one after the other in one process, so that what several of them import is loaded once.

    python run_scripts.py one.py two.py

What a script prints stands behind a line with a form feed and its name.
"""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

for script in map(Path, sys.argv[1:]):
    print(f"\f{script.name}", flush=True)  # noqa: T201  # a script that prints
    sys.path[0] = str(script.parent)
    runpy.run_path(str(script), run_name="__main__")
