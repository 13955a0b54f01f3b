"""`cite(documents)`: evidence by hand, for code that searches without a retriever."""

from __future__ import annotations

from collections.abc import Iterable

from langchain_core.documents import Document

from grounding_middleware.capture import to_spans
from grounding_middleware.errors import GroundingError
from grounding_middleware_langchain._capture import active
from grounding_middleware_langchain._documents import snapshot_of


def cite(documents: Iterable[Document]) -> str:
    """Registers `documents` as evidence of the guarded invocation this runs in, and returns them as prompt text.

    Each text is headed by its id in brackets, for the model to cite. Works wherever LangChain's context arrives: in
    functions and tools of the chain, not in raw threads. Raises `GroundingError` outside a guarded invocation.
    """
    probe = active.get()
    if probe is None:
        raise GroundingError("cite: no guarded invocation runs in this context; call it inside a ground(...) chain")
    kept = [snapshot_of(document) for document in documents]
    with probe.collector.lock:
        probe.collector.cited.extend(kept)
    spans = to_spans(kept, probe.collector.fields, probe.collector.source_text)
    return "\n\n".join(f"[{span.id}]\n{span.text}" for span in spans)
