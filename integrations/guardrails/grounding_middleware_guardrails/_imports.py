"""Two modules that guardrails-ai does not get to see as they are while it is imported: nltk, and an IRI grammar."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

_NLTK = "nltk"
_GRAMMAR = "rfc3987_syntax"


@contextmanager
def replaced() -> Iterator[None]:
    """While it lasts, nltk cannot be imported and the grammar is built on first use; afterwards both are as before.

    guardrails-ai downloads a tokenizer when it finds nltk and works without. jsonschema builds a grammar for the format
    "iri" that takes more than half of the time of the whole import, and hardly anybody uses it; it still works.
    """
    stand_ins = {_NLTK: None} if _NLTK not in sys.modules else {}
    modules: dict[str, ModuleType | None] = {**stand_ins}
    if {_GRAMMAR, "jsonschema"}.isdisjoint(sys.modules) and find_spec(_GRAMMAR) is not None:
        modules[_GRAMMAR] = _on_first_use()
    sys.modules.update(modules)  # type: ignore[arg-type]  # None is how Python spells "cannot be imported"
    try:
        yield
    finally:
        for name, stand_in in modules.items():
            if sys.modules.get(name) is stand_in:
                sys.modules.pop(name, None)


def _on_first_use() -> ModuleType:
    def is_valid_syntax(*args: Any, **kwargs: Any) -> Any:
        return import_module(_GRAMMAR).is_valid_syntax(*args, **kwargs)

    module = ModuleType(_GRAMMAR)
    vars(module)["is_valid_syntax"] = is_valid_syntax
    return module
