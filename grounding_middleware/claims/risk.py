"""Risk of a claim: does it make somebody act on a system, pay, or rely on a promise (CL-9)?

Rules are named, their words stand in the data file of each language, and users may switch them off or add their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import Self

from pydantic import model_validator

from grounding_middleware.claims.lexicon import template
from grounding_middleware.claims.wording import plain
from grounding_middleware.policy.settings import Setting
from grounding_middleware.records import Claim, Risk

__all__ = ["RiskRules", "classify_risk", "risk_of"]

_FALLBACK = "en"


class RiskRules(Setting):
    """Which rules give a claim the risk "action"; raises `ConfigError` for an own pattern that cannot be used.

    - `money`: payments, prices, refunds. `operation`: starting, stopping, deleting, cancelling; systems and incidents.
    - `commitment`: promises and entitlements. `command`: lines of code.
    - `patterns`: regular expressions of the user's own, matched against the claim in lower case.
    """

    money: bool = True
    operation: bool = True
    commitment: bool = True
    command: bool = True
    patterns: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _usable(self) -> Self:
        for pattern in self.patterns:
            try:
                _compiled(pattern)
            except re.error as error:
                msg = f"patterns holds {pattern!r}, which is no regular expression: {error}"
                raise ValueError(msg) from error
        return self

    def reasons(self, text: str, language: str, form: str) -> tuple[str, ...]:
        """The names of the rules that make a claim with this text an action claim; own patterns name themselves."""
        said = plain(text)
        named = [name for name in ("money", "operation", "commitment") if getattr(self, name)]
        fired = [name for name in named if _fires(said, language or _FALLBACK, f"risk_{name}")]
        fired += [pattern for pattern in self.patterns if _compiled(pattern).search(said)]
        return (*(("command",) if self.command and form == "code" else ()), *fired)


def classify_risk(claims: Iterable[Claim], rules: RiskRules) -> tuple[Claim, ...]:
    """`claims` with their risk by `rules`; statements that are no claims only inform."""
    return tuple(claim.model_copy(update={"risk": _risk(claim, rules)}) for claim in claims)


def _risk(claim: Claim, rules: RiskRules) -> Risk:
    return risk_of(claim.text, claim.language, claim.form, rules) if claim.statement == "claim" else Risk.INFORMATION


def risk_of(text: str, language: str, form: str, rules: RiskRules) -> Risk:
    """The risk of a claim with this text."""
    return Risk.ACTION if rules.reasons(text, language, form) else Risk.INFORMATION


def _fires(said: str, language: str, key: str) -> bool:
    pattern = template(language, key)
    return bool(pattern and pattern.search(said))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
