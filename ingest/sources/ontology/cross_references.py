"""Other ids of a term: cross-references, exact matches, UMLS concepts."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from ingest.assertions import Assertion
from ingest.sources.curies import Curies


class AssertionHead(NamedTuple):
    """The first fields of an assertion: where it stands, and its head."""

    file: str
    row: int
    original_relation: str
    id: str | None
    type: str
    name: str | None


UMLS: Final = "UMLS:"
_INEXACT: Final = frozenset({"closeMatch", "skos:closeMatch", "xref MONDO:otherHierarchy"})
"""Words for ids that do not match exactly, so that they give no UMLS concept."""
_CUI: Final = re.compile(r"C\d{7}")


def cross_reference(
    head: AssertionHead,
    other: str,
    curies: Curies,
    relation: str = "HAS_XREF",
    problem: str | None = None,
) -> Iterator[Assertion]:
    """The assertions that another id of a term makes.

    A UMLS concept is a node of its own (HAS_CUI) beside a cross-reference, and
    never an exact match, by which the merge would join nodes. A close match of one
    is a cross-reference only.

    Args:
        head: the term.
        other: the id.
        curies: checks it.
        relation: HAS_XREF, HAS_EXACT_MATCH or HAS_FORMER_ID.
        problem: what is known to be wrong with it.
    """
    problem = problem or curies.problem(other)
    if not other.startswith(UMLS) or head.original_relation in _INEXACT:
        yield Assertion(*head, relation, value=other, problem=problem)
        return
    yield Assertion(*head, "HAS_XREF", value=other, problem=problem)
    code = other.removeprefix(UMLS)
    if not _CUI.fullmatch(code):
        problem = f"'{code}' is not a UMLS concept; write C and seven digits"
    yield Assertion(*head, "HAS_CUI", tail=other, tail_type="Concept", problem=problem)
