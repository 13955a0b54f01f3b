"""One function for each published verifier: (claim, evidence, question) -> (outcome, score). Runs in their environment.

Reads one JSON object a line (claim, evidence, question) and writes one JSON list a line: outcome, score, milliseconds.
Outcome is `flag` or `pass` at the verifier's own defaults, `nothing` where it says that it had nothing to check or
cannot tell, `error` where it raised. Score is its confidence that the claim is supported, null where it has none.
The imports stand in the functions, so that one verifier can run without the others.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path

Result = tuple[str, float | None]
Wrapper = Callable[[str, list[str], str], Result]


def quantguard(claim: str, evidence: list[str], _question: str) -> Result:
    """rag-quantguard: `is_valid` of the guard with its default tolerance; no quantity found is nothing to check."""
    from quantguard import QuantitativeGuard  # noqa: PLC0415  # see the module docstring

    found = QuantitativeGuard().verify(claim, evidence)
    if not found.results:
        return "nothing", None
    return ("pass" if found.is_valid else "flag"), None


def corroborate(claim: str, evidence: list[str], question: str) -> Result:
    """Corroborate: `ok()`, that is no critical finding; it does not tell whether it found anything to check."""
    import corroborate as package  # noqa: PLC0415  # see the module docstring

    report = package.check_answer(query=question, retrieved_chunks=evidence, answer=claim)
    return ("pass" if report.ok() else "flag"), None


def hallucination_check(claim: str, evidence: list[str], _question: str) -> Result:
    """hallucination-check: every sentence supported at the default threshold; score is the lowest confidence."""
    import hallucination_check as package  # noqa: PLC0415  # see the module docstring

    report = package.check(claim, evidence)
    if not report.claims:
        return "nothing", None
    return ("flag" if report.unsupported else "pass"), min(c.confidence for c in report.claims)


def grounded_check(claim: str, evidence: list[str], _question: str) -> Result:
    """grounded-check: `passed` of the exact tier; score is the rate of what was found."""
    from grounded import Kind, Source, extract, verify  # noqa: PLC0415  # see the module docstring

    exact = {Kind.QUOTE, Kind.NUMBER, Kind.CITATION, Kind.ENTITY}
    sources = [Source(path=Path(f"source{n}"), raw=text) for n, text in enumerate(evidence, 1)]
    result = verify(extract(claim, kinds=exact), sources)
    if not result.exact:
        return "nothing", None
    return ("pass" if result.passed else "flag"), result.rate


def contexttrace(claim: str, evidence: list[str], question: str) -> Result:
    """Contexttrace in its default mode, `lexical`."""
    return _contexttrace(claim, evidence, question, "lexical")


def contexttrace_semantic(claim: str, evidence: list[str], question: str) -> Result:
    """Contexttrace in the mode `semantic`, which needs no model either."""
    return _contexttrace(claim, evidence, question, "semantic")


def _contexttrace(claim: str, evidence: list[str], question: str, mode: str) -> Result:
    """Flag what its own triage calls a failure, but for `unverifiable`; score is the lowest evidence score."""
    from contexttrace.verify import RAGTrace, TraceContext, verify_trace  # noqa: PLC0415  # see the module docstring

    contexts = [TraceContext(id=f"c{n}", text=text) for n, text in enumerate(evidence, 1)]
    claims = verify_trace(RAGTrace(query=question or "?", answer=claim, contexts=contexts), mode=mode)["claims"]
    verdicts = {c["verdict"] for c in claims}
    score = min((c["best_score"] for c in claims), default=None)
    if verdicts & {"contradicted", "unsupported", "partially_supported"}:
        return "flag", score
    return ("pass" if verdicts == {"supported"} else "nothing"), score


WRAPPERS: dict[str, Wrapper] = {
    "rag-quantguard": quantguard,
    "corroborate": corroborate,
    "hallucination-check": hallucination_check,
    "grounded-check": grounded_check,
    "contexttrace": contexttrace,
    "contexttrace, semantic": contexttrace_semantic,
}


def main() -> None:
    """Answer every line of standard input with the verifier named by the first argument."""
    wrapper = WRAPPERS[sys.argv[1]]
    wrapper("The tank holds 40 litres.", ["The tank holds 40 litres."], "How much?")  # imports are not timed
    for line in sys.stdin:
        row = json.loads(line)
        begun = time.perf_counter()
        try:
            outcome, score = wrapper(row["claim"], row["evidence"], row["question"])
        except Exception as error:  # noqa: BLE001  # a verifier that breaks on a row is reported, not hidden
            print(f"{sys.argv[1]}: {type(error).__name__}: {error}", file=sys.stderr)
            outcome, score = "error", None
        print(json.dumps([outcome, score, 1000 * (time.perf_counter() - begun)]))


if __name__ == "__main__":
    main()
