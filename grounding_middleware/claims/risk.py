"""Risk of a claim: does it make somebody act on a system, pay, or rely on a promise (CL-9)?

Rules are named and can be switched off; their cues stand in the data file of each language, where `explain` reads them
from; words and patterns of the user's own come on top. What fired is kept in `Claim.risk_reason`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from types import MappingProxyType
from typing import Final, Self

from pydantic import model_validator

from grounding_middleware.claims.lexicon import cues, template
from grounding_middleware.claims.wording import plain
from grounding_middleware.policy.settings import Setting
from grounding_middleware.records import Claim, Risk

__all__ = ["RULES", "RiskRules", "classify_risk", "explain"]

_FALLBACK: Final = "en"
_CELLS: Final = ("table_row", "json_field")  # where an amount is a price or a limit without saying so
_AMOUNT: Final = re.compile(r"[€$£¥₹]\s?\d|\d\s?[€$£¥₹]|\b(?:eur|usd|gbp|sgd|chf|jpy|inr|cny)\b")
_UNSPACED: Final = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")  # Thai, kana, Han, Hangul
_WORD: Final = re.compile(r"\w(?:[\w' -]*\w)?\*?")

RULES: Final = MappingProxyType(
    {
        "money": "payments, prices, refunds, limits in money",
        "operation": "starting, stopping, deleting, cancelling, approving; systems and incidents",
        "commitment": "promises, entitlements, guarantees, liability, deadlines we keep",
        "status": "the state of a service, order, account, request or contract",
        "cause": "what caused an outage, error, delay or rejection",
        "instruction": "what somebody must, must not or should do, and commands to the reader",
        "condition": "only if, unless, subject to approval, if a limit is exceeded",
        "command": "lines of code",
    }
)
"""Each rule and what it is about, in the order in which reasons are given."""


class RiskRules(Setting):
    """Which rules give a claim the risk "action"; raises `ConfigError` for an own word or pattern that cannot be used.

    One switch for each of `RULES`. `words` are words or phrases of the user's own in any language, whole words unless
    they end in `*`; `patterns` are regular expressions. Both ignore case and see the claim without emphasis marks.
    """

    money: bool = True
    operation: bool = True
    commitment: bool = True
    status: bool = True
    cause: bool = True
    instruction: bool = True
    condition: bool = True
    command: bool = True
    words: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _usable(self) -> Self:
        for word in self.words:
            if not _WORD.fullmatch(word):
                raise ValueError(
                    f"words holds {word!r}; allowed are words and phrases of letters and digits, or 'refund*'"
                )
        for pattern in self.patterns:
            try:
                found = _compiled(pattern).search("")
            except re.error as error:
                raise ValueError(f"patterns holds {pattern!r}, which is no regular expression: {error}") from error
            if found:
                raise ValueError(
                    f"patterns holds {pattern!r}, which fits every claim; allowed are patterns that need text"
                )
        return self

    def reasons(self, text: str, language: str, form: str) -> tuple[str, ...]:
        """What makes a claim with this text an action claim: names of rules, then own words and patterns as given."""
        said = plain(text)
        fired = [name for name in RULES if getattr(self, name) and _fires(name, said, language or _FALLBACK, form)]
        fired += [word for word in self.words if _compiled(_as_pattern(word)).search(said)]
        return (*fired, *(pattern for pattern in self.patterns if _compiled(pattern).search(said)))


def classify_risk(claims: Iterable[Claim], rules: RiskRules) -> tuple[Claim, ...]:
    """`claims` with their risk by `rules` and its reason; statements that are no claims only inform."""
    return tuple(_classified(claim, rules) for claim in claims)


def explain(rules: RiskRules, language: str = _FALLBACK) -> tuple[str, ...]:
    """One line for each rule: whether it is on, what it is about, and its cues in `language` as they are matched."""
    return tuple(_lines(rules, language))


def _classified(claim: Claim, rules: RiskRules) -> Claim:
    fired = rules.reasons(claim.text, claim.language, claim.form) if claim.statement == "claim" else ()
    risk = Risk.ACTION if fired else Risk.INFORMATION
    return claim.model_copy(update={"risk": risk, "risk_reason": ", ".join(fired)})


def _lines(rules: RiskRules, language: str) -> Iterator[str]:
    for name, about in RULES.items():
        known = cues(language, f"risk_{name}")
        patterns = f": {' | '.join(known)}" if known else "" if name == "command" else f": no cues in {language!r}"
        yield f"action risk by {name}: {about}{patterns}" if getattr(rules, name) else f"action risk by {name}: off"
    yield from (f"action risk by own word: {word}" for word in rules.words)
    yield from (f"action risk by own pattern: {pattern}" for pattern in rules.patterns)


def _fires(name: str, said: str, language: str, form: str) -> bool:
    if name == "command":
        return form == "code"
    if name == "money" and form in _CELLS and _AMOUNT.search(said):
        return True
    pattern = template(language, f"risk_{name}")
    return bool(pattern and pattern.search(said))


def _as_pattern(word: str) -> str:
    """The word as a pattern with its edges, which scripts without spaces between words do not show."""
    stem = plain(word.removesuffix("*"))
    before = "" if _UNSPACED.match(stem[0]) else r"(?<!\w)"
    after = "" if word.endswith("*") or _UNSPACED.match(stem[-1]) else r"(?!\w)"
    return f"{before}{re.escape(stem)}{after}"


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)
