"""What every record is made of: a frozen, closed base, and values that cannot be changed either."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Annotated, Any, NoReturn, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, PlainSerializer

__all__ = ["Attributes", "FrozenDict", "Range", "Record", "sha256"]


class FrozenDict(dict[str, Any]):
    """A dict that cannot be changed; pickles and serialises like a dict."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        msg = "records are frozen; build a new one with model_copy(update=...)"
        raise TypeError(msg)

    __setitem__ = __delitem__ = __ior__ = _refuse  # they never return
    clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]  # dict is unhashable, this one cannot change
        """Order-independent, over keys only: values may be lists of plain JSON."""
        return hash(frozenset(self))

    def __reduce__(self) -> tuple[type[FrozenDict], tuple[dict[str, Any]]]:
        """Pickles through the constructor: item assignment is refused."""
        return (type(self), (dict(self),))


Attributes = Annotated[Mapping[str, Any], AfterValidator(FrozenDict), PlainSerializer(dict)]
"""Free key-value data: audience attributes, requester attributes, metadata."""

Range = tuple[int, int]
"""Half-open code-point range `[start, end)`."""


def sha256(text: str) -> str:
    """SHA-256 of the UTF-8 text, lower-case hex; lone surrogates are hashed by their escape."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


class Record(BaseModel):
    """Frozen, closed base of every record."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    def replace(self, **changes: Any) -> Self:
        """A validated copy with `changes` applied; raises `ValidationError` as the constructor does."""
        return type(self).model_validate({**dict(self), **changes})
