"""The trail that proves what was shown, why, and that nobody changed the proof (SPEC §10, §13).

    from grounding_middleware.audit import AuditSink, JsonlTrail

    grounder = Grounder(sinks=[AuditSink(JsonlTrail("audit-trail"))])

Reading it again is `replay` and `recheck` in the modules of these names, and `grounding audit` on the command line.
"""

from grounding_middleware.audit.answers import AuditSink, Trail, report_of
from grounding_middleware.audit.jsonl import JsonlTrail
from grounding_middleware.audit.purging import Purge, purge
from grounding_middleware.audit.records import AuditRecord, Entry, RecordKind, Tip
from grounding_middleware.audit.verification import Fault, Verification, verify

__all__ = [
    "AuditRecord",
    "AuditSink",
    "Entry",
    "Fault",
    "JsonlTrail",
    "Purge",
    "RecordKind",
    "Tip",
    "Trail",
    "Verification",
    "purge",
    "report_of",
    "verify",
]
