"""Finds what is a disease and a finding of others as well: pneumonia, anaemia."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator

from ingest.identity import Candidate, CloseMatch, Match
from ingest.known_names import PREFERRED, Name

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
        ends = {types.get(id_): id_ for id_ in (each.head, each.tail)}
        if ends.keys() >= set(_ENDS):
            disease, finding = ends["Disease"], ends["Symptom"]
            said = CloseMatch(disease, finding, "cross-reference", each.said, (each.position,))
            groups = group(disease), group(finding)
            close[groups] = min(said, close.get(groups, said))
    alike = [
        ((group(match.disease), group(match.finding)), is_preferred, match)
        for is_preferred, match in _alike(candidates)
    ]
    partners: dict[int, set[int]] = defaultdict(set)
    for (disease_group, finding_group), _, _ in alike:
        partners[disease_group].add(finding_group)
        partners[finding_group].add(disease_group)
    for groups, is_preferred, match in sorted(alike):
        if is_preferred or all(len(partners[each]) == 1 for each in groups):
            close.setdefault(groups, match)
    return sorted(close.values())


def _alike(candidates: Iterable[Candidate]) -> Iterator[tuple[bool, CloseMatch]]:
    """Diseases and findings with a concept and a name in common; if the disease prefers it."""
    called: dict[tuple[str, str], dict[str, list[tuple[Candidate, Name]]]] = {}
    for candidate in candidates:
        if candidate.type in _ENDS and candidate.concepts:
            for name in candidate.names:
                by_type = called.setdefault((name.language, name.normal), {})
                by_type.setdefault(candidate.type, []).append((candidate, name))
    for (_, normal), by_type in called.items():
        for disease, name in by_type.get("Disease", ()):
            for finding, other in by_type.get("Symptom", ()):
                if shared := disease.concepts & finding.concepts:
                    evidence = f"UMLS:{min(shared)} {normal}"
                    at = name.position, other.position
                    match = CloseMatch(disease.id, finding.id, "concept and name", evidence, at)
                    yield name.level == PREFERRED, match
