"""Rule 4 of scope: a citation field of a JSON object covers the object."""

from __future__ import annotations

from grounding_middleware.claims.json_fields import Region, regions
from grounding_middleware.markers.json_sources import references
from grounding_middleware.markers.placing import Coverage

__all__ = ["cover_fields"]


def cover_fields(coverage: Coverage) -> frozenset[int]:
    """Give the fields of JSON objects the citations of the nearest object around them; returns those citations."""
    markers = coverage.markers()
    taken: set[int] = set()
    for region in regions(coverage.answer) if markers else ():
        owners: dict[int, set[int]] = {}
        for reference in references(coverage.answer, region):
            numbers = markers.get((reference.field.start, reference.field.end), set())
            owners.setdefault(reference.owner, set()).update(numbers)
            taken |= numbers
        if taken:
            _cover(coverage, region, owners)
    return frozenset(taken)


def _cover(coverage: Coverage, region: Region, owners: dict[int, set[int]]) -> None:
    citations = [_nearest(region, owner, owners) for owner in range(len(region.owners))]
    fields = iter(region.fields)
    field = next(fields, None)
    for number, claim in enumerate(coverage.claims):
        while field and field.end <= claim.start:
            field = next(fields, None)
        if field and field.start <= claim.start and claim.end <= field.end:
            coverage.found[number] |= citations[field.owner]


def _nearest(region: Region, owner: int, owners: dict[int, set[int]]) -> set[int]:
    return next((owners[one] for one in region.around(owner) if one in owners), set())
