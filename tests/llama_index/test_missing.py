"""Without LlamaIndex: importing works, using says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

import grounding_middleware_llama_index as package


def _run(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


WITHOUT = {"__version__", "SpanFields", "report_of"}


@pytest.mark.parametrize("name", sorted(set(package.__all__) - WITHOUT))
def test_15_the_error_names_the_extra(name, monkeypatch):
    """Checklist 15: the first use raises an ImportError that names version and extra."""
    for module in list(sys.modules):
        if module.partition(".")[0] in {"llama_index", "llama_index_instrumentation"} or module.startswith(
            "grounding_middleware_llama_index."
        ):
            monkeypatch.delitem(sys.modules, module)
    for missing in ("llama_index", "llama_index.core", "llama_index_instrumentation"):
        monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(ImportError, match=r"llama-index-core >= 0\.13, < 0\.15.*grounding-middleware\[llama-index\]"):
        getattr(package, name)


def test_importing_the_package_imports_no_llamaindex():
    """Names are loaded on first use; the core never needs LlamaIndex."""
    code = (
        "import sys, grounding_middleware, grounding_middleware_llama_index as p; p.SpanFields; "
        "print([name for name in sys.modules if name.startswith('llama_index')])"
    )
    assert _run(code).stdout.strip() == "[]"


def test_an_unknown_name_is_an_attribute_error():
    """As for any module."""
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = package.nonsense
    assert set(package.__all__) <= set(dir(package))
