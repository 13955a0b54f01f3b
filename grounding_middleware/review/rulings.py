"""What a reviewer says about one claim or the whole answer; both become gold labels and are kept for good.

agree: the machine was right. overrule: it was not, and this is right. edit: this is how the text should read, and the
verdict stands. An edited text is stored beside the answer; nothing here shows it, because nobody has verified it yet.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any, Final, Self

from pydantic import Field, ValidationError, model_validator

from grounding_middleware.errors import InputError
from grounding_middleware.policy.settings import config_error
from grounding_middleware.records import Action, Kind, Label, Quote, Record

__all__ = ["MAX_NOTE", "MAX_TEXT", "Adjudication", "AnswerRuling", "ClaimRuling", "Ruling", "is_flag"]

MAX_NOTE: Final = 10_000
MAX_TEXT: Final = 1_000_000


class Ruling(StrEnum):
    """Agree, overrule, edit (SPEC ES-2)."""

    AGREE = "agree"
    OVERRULE = "overrule"
    EDIT = "edit"


def is_flag(label: Label) -> bool:
    """Whether the label says that something is wrong; only then there is a kind of error."""
    return label.is_claim and label is not Label.SUPPORTED


class _Given(Record):
    """Input of a person: raises `InputError` naming field, value and what is allowed."""

    ruling: Ruling
    text: str = Field(default="", max_length=MAX_TEXT)
    note: str = Field(default="", max_length=MAX_NOTE)

    def __init__(self, **data: Any) -> None:
        try:
            super().__init__(**data)
        except ValidationError as error:
            raise InputError(str(config_error(type(self).__name__, error))) from None

    @model_validator(mode="after")
    def _text_for_edits(self) -> Self:
        if (self.ruling is Ruling.EDIT) != bool(self.text.strip()):
            raise ValueError(f"text goes with edit and with nothing else, got {self.ruling} and {self.text!r:.80}")
        return self


class ClaimRuling(_Given):
    """On one claim, by its id. `label` with `kind` is what would have been right; `quote` the evidence for it.

    overrule needs a label, agree takes none. A label that flags needs a kind, any other takes none. UNVERIFIED is no
    right label: it says that nobody knows.
    """

    claim_id: str = Field(min_length=1, max_length=200)
    label: Label | None = None
    kind: Kind | None = None
    quote: Quote | None = None

    @model_validator(mode="after")
    def _label_fits(self) -> Self:
        if self.ruling is Ruling.AGREE and self.label:
            raise ValueError(f"label: agree takes none, got {self.label}; to give another label, overrule")
        if self.ruling is Ruling.OVERRULE and not self.label:
            allowed = ", ".join(label for label in Label if label is not Label.UNVERIFIED)
            raise ValueError(f"label: overrule needs the right one, allowed are {allowed}")
        if self.label is Label.UNVERIFIED:
            raise ValueError("label: UNVERIFIED says that nobody knows; give the right label or leave the claim out")
        flags = self.label is not None and is_flag(self.label)
        if flags and not self.kind:
            raise ValueError(f"kind: {self.label} needs one, allowed are {', '.join(Kind)}")
        if self.kind and not flags:
            raise ValueError(f"kind: {self.kind} goes with a label that says what is wrong, got {self.label}")
        return self


class AnswerRuling(_Given):
    """On the whole answer; closes the item. overrule names the `action` that was right, edit has the new text."""

    action: Action | None = None

    @model_validator(mode="after")
    def _action_fits(self) -> Self:
        if (self.ruling is Ruling.OVERRULE) != bool(self.action):
            raise ValueError(
                f"action goes with overrule, got {self.ruling} and {self.action}; allowed are {', '.join(Action)}"
            )
        return self


class Adjudication(Record):
    """A ruling with who gave it and when. `was` is the label or action it is about; `number` orders all of a database.

    The newest on a claim, or on the answer, counts; earlier ones are kept.
    """

    number: int
    reviewer: str
    at: datetime
    was: str
    given: ClaimRuling | AnswerRuling
