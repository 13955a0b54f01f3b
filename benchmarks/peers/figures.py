"""The figures of one verifier on one set, the same for all."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
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


def row(name: str, must_flag: list[bool], answers: list[tuple[str, float | None, float]]) -> str:
    """One line of the table."""
    count = Counter((bad, outcome) for bad, (outcome, _, _) in zip(must_flag, answers, strict=True))
    bad, good = sum(must_flag), len(must_flag) - sum(must_flag)
    caught, false = count[True, "flag"], count[False, "flag"]
    undecided = {side: count[side, "nothing"] + count[side, "error"] for side in (True, False)}
    lenient = mean((_share(caught, bad), 1 - _share(false, good)))
    strict = mean((_share(caught + undecided[True], bad), 1 - _share(false + undecided[False], good)))
    unknown = name in SILENT_ABOUT_IT
    errors = count[True, "error"] + count[False, "error"]
    auc = _auc(must_flag, [score for _, score, _ in answers])
    return (
        f"{name:<36}{lenient:>9.3f}{'-' if unknown else f'{strict:.3f}':>9}{_share(caught, bad):>8.3f}"
        f"{_share(false, good):>8.3f}{f'{caught / (caught + false):.3f}' if caught + false else '-':>8}"
        f"{_share(count[True, 'pass'], bad):>8.3f}"
        f"{'-' if unknown else f'{_share(sum(undecided.values()), bad + good):.3f}':>8}"
        f"{auc:>6}{errors or '-':>8}{median(ms for _, _, ms in answers):>8.1f}"
    )


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def _auc(must_flag: list[bool], scores: list[float | None]) -> str:
    """Chance that a must-pass claim scores above a must-flag one, ties half; only over claims with a score."""
    good = [s for bad, s in zip(must_flag, scores, strict=True) if s is not None and not bad]
    low = sorted(s for bad, s in zip(must_flag, scores, strict=True) if s is not None and bad)
    if not good or not low:
        return "-"
    wins = sum((bisect_left(low, s) + bisect_right(low, s)) / 2 for s in good)
    return f"{wins / (len(good) * len(low)):.2f}"
