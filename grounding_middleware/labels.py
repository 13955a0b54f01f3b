"""The closed vocabularies of the records: labels, kinds, severities, risks, outcomes, actions, treatments (SPEC §0)."""

from __future__ import annotations

from enum import StrEnum


class Label(StrEnum):
    """Outcome of one statement of the answer (SPEC §0)."""

    SUPPORTED = "SUPPORTED"
    CONTRADICTED = "CONTRADICTED"
    INSUFFICIENT_EVIDENCE = "INSUFFICIENT_EVIDENCE"
    INVALID_CITATION = "INVALID_CITATION"
    UNVERIFIED = "UNVERIFIED"
    NOT_A_CLAIM = "NOT_A_CLAIM"
    ABSTENTION = "ABSTENTION"

    @property
    def is_claim(self) -> bool:
        """True when the statement counts in the denominators."""
        return self not in (Label.NOT_A_CLAIM, Label.ABSTENTION)


class Kind(StrEnum):
    """What is wrong with a claim: one of the six unsupported kinds, what conflicts, or how provenance failed."""

    ADDED_DETAIL = "added_detail"
    OVERGENERALISATION = "overgeneralisation"
    CERTAINTY_SHIFT = "certainty_shift"
    MERGED_FACTS = "merged_facts"
    OUTSIDE_KNOWLEDGE = "outside_knowledge"
    WRONG_ATTRIBUTION = "wrong_attribution"
    # what conflicts
    NUMBER = "number"
    UNIT = "unit"
    CURRENCY = "currency"
    SCALE = "scale"
    PERCENT = "percent"
    RANGE = "range"
    THRESHOLD = "threshold"
    ROUNDING = "rounding"
    DERIVED = "derived"
    BINDING = "binding"
    ENTITY = "entity"
    DATE = "date"
    TIME = "time"
    DEADLINE = "deadline"
    NEGATION = "negation"
    ANTONYM = "antonym"
    MODALITY = "modality"
    ORDER = "order"
    CONDITION = "condition"
    EXCEPTION = "exception"
    ROLE = "role"
    QUOTE = "quote"
    IDENTIFIER = "identifier"
    VERSION = "version"
    URL = "url"
    FALSE_ABSTENTION = "false_abstention"
    CONFLICTING_SOURCES = "conflicting_sources"
    # how provenance failed
    UNKNOWN_ID = "unknown_id"
    GLUED_ID = "glued_id"
    FOREIGN = "foreign"
    STALE = "stale"
    EXPIRED = "expired"
    NOT_YET_EFFECTIVE = "not_yet_effective"
    WRONG_AUDIENCE = "wrong_audience"
    FORBIDDEN = "forbidden"
    UNDELIVERED = "undelivered"
    # the verifier itself
    UNDECIDED = "undecided"
    VERIFIER_FAILURE = "verifier_failure"


class Severity(StrEnum):
    """How bad an unsupported claim is (SPEC §0), worst first."""

    CRITICAL = "CRITICAL"
    MAJOR = "MAJOR"
    MINOR = "MINOR"
    NEGLIGIBLE = "NEGLIGIBLE"


class Risk(StrEnum):
    """What a claim can do: inform, or make somebody act, pay or change production (CL-9)."""

    INFORMATION = "information"
    ACTION = "action"


class Outcome(StrEnum):
    """What one check saw. A doubt blocks SUPPORTED and goes to the judge; a conflict may veto a judge."""

    CONFLICT = "conflict"
    MATCH = "match"
    DOUBT = "doubt"
    CANNOT_TELL = "cannot_tell"


class Action(StrEnum):
    """What happens to the whole answer."""

    OK = "ok"
    REVISED = "revised"
    ESCALATE = "escalate"
    BLOCKED = "blocked"
    REVIEW = "review"
    DRAFT_REVIEW = "draft-review"
    UNANSWERED = "unanswered"


class Treatment(StrEnum):
    """What the policy does with one claim."""

    KEEP = "keep"
    ANNOTATE = "annotate"
    REMOVE = "remove"
    REPAIR = "repair"
    REVIEW = "review"
    BLOCK = "block"
