"""Importing the core is cheap and pulls in no framework (DESIGN §1, §7)."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "grounding_middleware"
FRAMEWORKS = {"langchain", "langchain_core", "langgraph", "llama_index", "guardrails", "torch", "onnxruntime"}
SLOW = {"simplemma", "tiktoken", "rich", "typer"}
STATEMENT = "import grounding_middleware as g; g.Grounder, g.Policy, g.Span, g.Rules, g.Report"


def loaded_by(statement: str) -> set[str]:
    code = f"{statement}; import sys; print(' '.join({{name.partition('.')[0] for name in sys.modules}}))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return set(output.split())


@pytest.mark.parametrize("unwanted", sorted(FRAMEWORKS | SLOW))
def test_the_core_loads_without(unwanted: str) -> None:
    """Frameworks are never imported by the core; slow libraries only when something needs them."""
    assert unwanted not in loaded_by(STATEMENT)


def test_the_core_loads_within_a_generous_second() -> None:
    """The budget, 0.3 s, is measured by `make bench`; here only a blunder is caught, however busy the machine is."""
    costs = []
    for _ in range(3):
        before = os.times()
        subprocess.run([sys.executable, "-c", STATEMENT], check=True)
        after = os.times()
        costs.append(after.children_user + after.children_system - before.children_user - before.children_system)
    assert min(costs) <= 1.0


@pytest.mark.parametrize("path", sorted(CORE.rglob("*.py")), ids=lambda path: str(path.relative_to(CORE)))
def test_no_core_file_imports_a_framework(path: Path) -> None:
    """Not even lazily: frameworks live in the integrations."""
    imported = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module.partition(".")[0])
    assert not imported & FRAMEWORKS
