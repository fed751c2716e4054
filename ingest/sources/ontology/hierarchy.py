"""What the terms of an ontology are to each other: types by branch, ids in use."""

from collections.abc import Container, Iterable, Mapping, Sequence


def branch_types(
    parents: Mapping[str, Sequence[str]], branches: Mapping[str, str]
) -> dict[str, str]:
    """The type of each term that stands below a branch.

    Args:
        parents: of every term in use.
        branches: type by the branch's root; a term in several has the first one's.
    """
    children: dict[str, list[str]] = {}
    for identifier, above in parents.items():
        for parent in above:
            children.setdefault(parent, []).append(identifier)
    types: dict[str, str] = {}
    for root, node_type in branches.items():
        pending = [root] if root in parents else []
        while pending:
            identifier = pending.pop()
            if identifier not in types:
                types[identifier] = node_type
                pending += children.get(identifier, ())
    return types


def current_ids(
    alternatives: Iterable[tuple[str, Sequence[str]]],
    replacements: Iterable[tuple[str, Sequence[str]]],
    terms: Container[str],
) -> dict[str, str]:
    """The id to use instead, by an id that stands for no term any more.

    Args:
        alternatives: a term with its alternative ids.
        replacements: an obsolete term with what replaces it. Several are a choice for
            a curator, not for a reader.
        terms: ids in use.
    """
    current: dict[str, str] = {}
    for identifier, others in alternatives:
        if identifier in terms:
            current |= dict.fromkeys(others, identifier)
    for identifier, instead in replacements:
        if identifier and len(instead) == 1 and instead[0] in terms:
            current.setdefault(identifier, instead[0])
    return {old: new for old, new in current.items() if old not in terms}
