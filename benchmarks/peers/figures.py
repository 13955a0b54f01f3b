"""The figures of one verifier on one set, the same for all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import dataclass
from statistics import mean, median

HEAD = (
    f"{'verifier':<36}{'bal.acc.':>9}{'withhold':>9}{'recall':>8}{'false':>8}{'right':>8}"
    f"{'passed':>8}{'undec.':>8}{'AUC':>6}{'errors':>8}{'ms':>8}"
)
LEGEND = """bal.acc.  balanced accuracy when what is undecided passes; withhold: when it is withheld
recall    must-flag flagged; false: must-pass flagged; right: share of the flags that is right; passed: must-flag passed
undec.    had nothing to check, or cannot tell; "-" where the verifier does not say
AUC       of its score, over what it scored; 0.5 is chance; ms: median per claim, imports left out"""
SILENT_ABOUT_IT = {"corroborate"}


@dataclass(frozen=True, slots=True)
class Figures:
    """What one verifier did on one set; shares from 0 to 1, None where it does not say."""

    verifier: str
    balanced: float
    withheld: float | None
    recall: float
    false: float
    right: float | None
    passed: float
    undecided: float | None
    auc: float | None
    errors: int
    ms: float


def of(name: str, must_flag: list[bool], answers: list[tuple[str, float | None, float]]) -> Figures:
    """The figures of the verifier `name`."""
    count = Counter((bad, outcome) for bad, (outcome, _, _) in zip(must_flag, answers, strict=True))
    bad, good = sum(must_flag), len(must_flag) - sum(must_flag)
    caught, false = count[True, "flag"], count[False, "flag"]
    undecided = {side: count[side, "nothing"] + count[side, "error"] for side in (True, False)}
    strict = mean((_share(caught + undecided[True], bad), 1 - _share(false + undecided[False], good)))
    unknown = name in SILENT_ABOUT_IT
    return Figures(
        verifier=name,
        balanced=mean((_share(caught, bad), 1 - _share(false, good))),
        withheld=None if unknown else strict,
        recall=_share(caught, bad),
        false=_share(false, good),
        right=caught / (caught + false) if caught + false else None,
        passed=_share(count[True, "pass"], bad),
        undecided=None if unknown else _share(sum(undecided.values()), bad + good),
        auc=_auc(must_flag, [score for _, score, _ in answers]),
        errors=count[True, "error"] + count[False, "error"],
        ms=median(ms for _, _, ms in answers),
    )


def row(found: Figures) -> str:
    """One line of the table."""
    shares = (found.withheld, found.recall, found.false, found.right, found.passed, found.undecided)
    widths = (9, 8, 8, 8, 8, 8)
    told = "".join(f"{_told(share):>{width}}" for share, width in zip(shares, widths, strict=True))
    auc = "-" if found.auc is None else f"{found.auc:.2f}"
    return f"{found.verifier:<36}{found.balanced:>9.3f}{told}{auc:>6}{found.errors or '-':>8}{found.ms:>8.1f}"


def _told(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _auc(must_flag: list[bool], scores: list[float | None]) -> float | None:
    """Chance that a must-pass claim scores above a must-flag one, ties half; only over claims with a score."""
    good = [s for bad, s in zip(must_flag, scores, strict=True) if s is not None and not bad]
    low = sorted(s for bad, s in zip(must_flag, scores, strict=True) if s is not None and bad)
    if not good or not low:
        return None
    wins = sum((bisect_left(low, s) + bisect_right(low, s)) / 2 for s in good)
    return wins / (len(good) * len(low))
