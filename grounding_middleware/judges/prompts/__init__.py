"""What the judges are told: data built by pure functions, each role versioned by the hash of all it says."""

from grounding_middleware.judges.prompts import repair, verification
from grounding_middleware.judges.prompts.schema import reply_schema

__all__ = ["repair", "reply_schema", "verification"]
