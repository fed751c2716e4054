"""Finds what is a disease and a finding of others as well: pneumonia, anaemia."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator

from ingest.identity import Candidate, CloseMatch, Match
from ingest.names import PREFERRED, Name

_ENDS = ("Disease", "Symptom")

Groups = tuple[int, int]
"""Of the disease and of the finding."""


def close_matches(
    candidates: Collection[Candidate], crossed: Iterable[Match], group: Callable[[str], int]
) -> list[CloseMatch]:
    """The pairs of a disease and the finding that it is, in order, each pair of nodes once.

    A source refers from one to the other; or both have one UMLS concept and one name, which is the
    disease's preferred one, or neither shares concept and name with any other.

    Args:
        candidates: ids of nodes.
        crossed: cross-references between ids that sources mention.
        group: a number for the node of an id.
    """
    types = {each.id: each.type for each in candidates}
    close: dict[Groups, CloseMatch] = {}
    for each in crossed:
        ids = {types.get(id_): id_ for id_ in (each.head, each.tail)}
        if ids.keys() >= set(_ENDS):
            disease, finding = ids["Disease"], ids["Symptom"]
            match = CloseMatch(
                disease, finding, "cross-reference", each.statement, (each.position,)
            )
            groups = group(disease), group(finding)
            close[groups] = min(match, close.get(groups, match))
    by_concept = [
        ((group(match.disease), group(match.finding)), is_preferred, match)
        for is_preferred, match in _sharing_concept(candidates)
    ]
    partners: dict[int, set[int]] = defaultdict(set)
    for (disease_group, finding_group), _, _ in by_concept:
        partners[disease_group].add(finding_group)
        partners[finding_group].add(disease_group)
    for groups, is_preferred, match in sorted(by_concept):
        if is_preferred or all(len(partners[each]) == 1 for each in groups):
            close.setdefault(groups, match)
    return sorted(close.values())


def _sharing_concept(candidates: Iterable[Candidate]) -> Iterator[tuple[bool, CloseMatch]]:
    """Close matches that share a concept and a name; whether the disease prefers the name."""
    by_name: dict[tuple[str, str], dict[str, list[tuple[Candidate, Name]]]] = {}
    for candidate in candidates:
        if candidate.type in _ENDS and candidate.concepts:
            for name in candidate.names:
                by_type = by_name.setdefault((name.language, name.normal), {})
                by_type.setdefault(candidate.type, []).append((candidate, name))
    for (_, normal), by_type in by_name.items():
        for disease, name in by_type.get("Disease", ()):
            for finding, other in by_type.get("Symptom", ()):
                if shared := disease.concepts & finding.concepts:
                    evidence = f"UMLS:{min(shared)} {normal}"
                    positions = name.position, other.position
                    match = CloseMatch(
                        disease.id, finding.id, "concept and name", evidence, positions
                    )
                    yield name.level == PREFERRED, match
