"""Versions against each other, part by part, numbers as numbers: 4.11 is newer than 4.9."""

from __future__ import annotations

from grounding_middleware.reading.values.limits import phrase
from grounding_middleware.reading.values.model import Value
from grounding_middleware.reading.values.relation import Comparison, disjoint, entailed, other
from grounding_middleware.records import Kind

Parts = tuple[str, ...]


def compare_versions(claim: Value, source: Value) -> Comparison:
    """Equal, more precise, or inside a limit such as "or newer"; a limit against a limit must be the same."""
    said, true = _parts(claim), _parts(source)
    if claim.bound and source.bound:
        same = said == true and claim.bound.sign == source.bound.sign
        return (
            entailed("the same versions")
            if same
            else disjoint(f"{phrase(claim)} is not {phrase(source)}", Kind.VERSION)
        )
    if source.bound:
        if _meets(said, true, source.bound.sign):
            return entailed(f"{claim.text} is {phrase(source)}")
        return disjoint(f"{claim.text} is not {phrase(source)}", Kind.VERSION)
    if claim.bound:
        if _meets(true, said, claim.bound.sign):
            return other(f"the source names {source.text} only", Kind.VERSION)
        return disjoint(f"{source.text} is not {phrase(claim)}", Kind.VERSION)
    return _plain(claim, source, said, true)


def _plain(claim: Value, source: Value, said: Parts, true: Parts) -> Comparison:
    if said == true:
        return entailed("the same version")
    if true[: len(said)] == said and true[len(said)].isdigit():
        return entailed(f"{source.text} is a {claim.text} version")
    if said[: len(true)] == true and said[len(true)].isdigit():  # a pre-release is another version
        return other(f"the source only says {source.text}", Kind.VERSION)
    return disjoint(f"{claim.text} is not {source.text}", Kind.VERSION)


def _parts(value: Value) -> Parts:
    """The parts as written; a plain number counts as a version of its digits."""
    return value.version or tuple(value.text.split("."))


def _meets(version: Parts, limit: Parts, sign: str) -> bool:
    mine, theirs = _key(version, len(limit)), _key(limit, len(version))
    if sign == "<=":
        return mine <= theirs
    if sign == "<":
        return mine < theirs
    return mine > theirs if sign == ">" else mine >= theirs


def _key(version: Parts, width: int) -> tuple[tuple[int, int, str], ...]:
    """Words of a pre-release before numbers; missing parts count as zero."""
    padded = (*version, *("0",) * max(0, width - len(version)))
    return tuple((1, int(part), "") if part.isdigit() else (0, 0, part) for part in padded)
