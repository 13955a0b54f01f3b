"""Source files become spans: one a passage, with exact offsets into the file and ids that need no index.

A document may begin with YAML front matter. `source_id`, `version`, `effective_from`, `effective_to`, `superseded_by`
and a mapping under `audience` fill the span's fields; every other key is kept as metadata. Without a `source_id` the
file name counts. Span ids are `source_id#0`, `source_id#1`, ... in the order of the document.
"""

from grounding_middleware.sources.documents import read_sources
from grounding_middleware.sources.files import MAX_ANSWER_BYTES, MAX_SOURCE_BYTES, decode, exists, read_text
from grounding_middleware.sources.span_files import read_spans

__all__ = ["MAX_ANSWER_BYTES", "MAX_SOURCE_BYTES", "decode", "exists", "read_sources", "read_spans", "read_text"]
