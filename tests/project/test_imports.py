"""Importing the core is cheap and pulls in no framework (DESIGN §1, §7)."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

CORE = Path(__file__).parents[2] / "grounding_middleware"
ALLOWED = {"judges/nli/onnx.py": {"onnxruntime"}}  # the extra `nli`: inside functions, never on import
FRAMEWORKS = {"langchain", "langchain_core", "langgraph", "llama_index", "guardrails"}
SLOW = {
    "alembic",
    "asyncio",
    "onnxruntime",
    "openai",
    "rich",
    "simplemma",
    "sqlalchemy",
    "tiktoken",
    "torch",
    "typer",
    "yaml",
}
STATEMENT = "import grounding_middleware as g; g.Grounder, g.Policy, g.Span, g.Rules, g.Report"


@pytest.fixture(scope="module")
def loaded() -> set[str]:
    """Names of everything a fresh process has loaded after importing the core."""
    code = f"{STATEMENT}; import sys; print(' '.join(sys.modules))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    return set(output.split())


@pytest.mark.parametrize("unwanted", sorted(FRAMEWORKS | SLOW))
def test_the_core_loads_without(loaded: set[str], unwanted: str) -> None:
    """Frameworks are never imported by the core; slow libraries only when something needs them."""
    assert unwanted not in loaded


def test_the_pipeline_is_not_loaded_before_it_is_needed(loaded: set[str]) -> None:
    """Whoever builds a grounder pays for the pipeline, not whoever imports its class; counted, so never flaky."""
    own = {name for name in loaded if name.startswith("grounding_middleware.")}
    assert not {f"grounding_middleware.{part}" for part in ("checks", "judges", "pipeline", "reading", "repair")} & own
    assert len(own) < 30


def processor_seconds(statement: str) -> float:
    before = os.times()
    subprocess.run([sys.executable, "-c", statement], check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def test_the_core_loads_in_a_small_multiple_of_pydantic() -> None:
    """The budget, 0.3 s, is measured by `make bench`; here a blunder is caught, however slow or busy the machine is."""
    pydantic = min(processor_seconds("import pydantic; pydantic.BaseModel") for _ in range(3))
    core = min(processor_seconds(STATEMENT) for _ in range(3))
    assert core <= 4 * pydantic


@pytest.mark.parametrize("path", sorted(CORE.rglob("*.py")), ids=lambda path: str(path.relative_to(CORE)))
def test_no_core_file_imports_a_framework(path: Path) -> None:
    """Not even lazily: frameworks live in the integrations; only the local judge runs its model."""
    imported = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            imported |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module.partition(".")[0])
    assert not imported & FRAMEWORKS - ALLOWED.get(path.relative_to(CORE).as_posix(), set())
