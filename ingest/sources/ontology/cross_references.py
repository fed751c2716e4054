"""Other ids of a term: cross-references, exact matches, UMLS concepts."""

import re
from collections.abc import Iterator
from typing import Final

from ingest.assertions import Assertion
from ingest.sources.curies import Curies

About = tuple[str, int, str, str | None, str, str | None]
"""File, row, original relation, and id, type and name of the head."""

UMLS: Final = "UMLS:"
_LOOSE: Final = frozenset({"closeMatch", "skos:closeMatch", "xref MONDO:otherHierarchy"})
"""Words for another id that is not quite of the same thing, so no UMLS concept of it."""
_CUI: Final = re.compile(r"C\d{7}")


def cross_reference(
    about: About,
    other: str,
    curies: Curies,
    relation: str = "HAS_XREF",
    problem: str | None = None,
) -> Iterator[Assertion]:
    """What another id of a term says.

    A UMLS concept is a node of its own (HAS_CUI) beside a cross-reference, and
    never an exact match, by which the merge would join nodes. A close match of one
    is a cross-reference only.

    Args:
        about: the term.
        other: the id.
        curies: checks it.
        relation: HAS_XREF, HAS_EXACT_MATCH or HAS_FORMER_ID.
        problem: what is known to be wrong with it.
    """
    problem = problem or curies.problem(other)
    if not other.startswith(UMLS) or about[2] in _LOOSE:
        yield Assertion(*about, relation, value=other, problem=problem)
        return
    yield Assertion(*about, "HAS_XREF", value=other, problem=problem)
    code = other.removeprefix(UMLS)
    if not _CUI.fullmatch(code):
        problem = f"'{code}' is not a UMLS concept; write C and seven digits"
    yield Assertion(*about, "HAS_CUI", tail=other, tail_type="Concept", problem=problem)
