"""The training code is no installed package: it is imported from beside the wheel."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "integrations" / "nli_mini"))
