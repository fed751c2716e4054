"""What is a kind of what, at any distance."""

from collections.abc import Iterable, Mapping

from kg.stores.store import Store


def parents_of(store: Store, *types: str) -> dict[str, list[str]]:
    """What each thing of these types is directly a kind of.

    Raises:
        StoreError: the store failed.
    """
    parents: dict[str, list[str]] = {}
    for type_ in types:
        for child, parent in store.query("graph.hierarchy", entity_type=type_).rows:
            parents.setdefault(str(child), []).append(str(parent))
    return parents


def ancestors(start: str, parents: Mapping[str, Iterable[str]]) -> set[str]:
    """What a thing is a kind of, at any distance, without itself; a cycle does no harm."""
    visited: set[str] = set()
    pending = [start]
    while pending:
        new = {up for up in parents.get(pending.pop(), ()) if up not in visited}
        visited |= new
        pending += new
    return visited - {start}


def relatives(
    diseases: Mapping[str, int], parents: Mapping[str, Iterable[str]]
) -> list[list[int]]:
    """By number, each disease's own number, those of its kinds and of what it is a kind of."""
    kin = [[number] for number in range(len(diseases))]
    for disease, number in diseases.items():
        for ancestor in ancestors(disease, parents):
            if ancestor in diseases:
                kin[number].append(diseases[ancestor])
                kin[diseases[ancestor]].append(number)
    return kin
