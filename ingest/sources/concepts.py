"""Entities that a source identifies by a UMLS concept (CUI).

A concept is no id of a thing, since several things share one: the name makes the node,
and HAS_CUI leads from it to the concept.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import ibis
import ibis.expr.types as ir

from ingest.sources.curies import Curies
from ingest.sources.writing import as_assertions

_CUI: Final = r"^[Cc][0-9]{7}$"
_PREFIX: Final = "^(UMLS|umls):"


def concept_in(id_: ir.StringValue, node_type: ir.StringValue) -> ir.StringValue:
    """The concept where an id is one though the thing is none; else null."""
    is_concept = id_.strip().re_search(_PREFIX) & (node_type.fill_null("") != "Concept")
    return ibis.ifelse(is_concept, id_, ibis.null("string"))


def nameless(concept: ir.StringValue, node_type: ir.StringValue, end: str) -> ir.StringValue:
    """Why an end that has a concept and no name is no node."""
    message = ibis.literal("'") + concept.substr(0, 100) + "' is a UMLS concept and no id of a "
    return message + node_type.fill_null("thing") + f"; the {end} needs a name beside it"


def concepts_of(
    facts: ir.Table, made: Mapping[str, Any], ends: Sequence[str] = ("head", "tail")
) -> list[ir.Table]:
    """HAS_CUI of those ends that have concepts; no table where none has.

    Args:
        facts: with ``row``, ``original_relation``, ``language``, and of an end its id (``head``),
            ``head_type``, ``head_name`` and ``head_cui``, the concept as it is written.
        made: ``source`` and ``file``.
        ends: ``head``, ``tail`` or both.
    """
    counts = facts.aggregate([facts[f"{end}_cui"].count().name(end) for end in ends])
    (has_concepts,) = counts.to_pyarrow().to_pylist()
    return [_concepts(facts, end, made) for end in ends if has_concepts[end]]


def _concepts(facts: ir.Table, end: str, made: Mapping[str, Any]) -> ir.Table:
    """Each is stated by the first row that does."""
    having = facts.filter(facts[f"{end}_cui"].notnull()).select(
        "row",
        "original_relation",
        "language",
        id=facts[end],
        type=facts[f"{end}_type"],
        name=facts[f"{end}_name"],
        written=facts[f"{end}_cui"],
    )
    by = ("id", "type", "name", "language", "written")
    each = having.group_by(*by).agg(
        original_relation=having.original_relation.argmin(having.row), row=having.row.min()
    )
    code = each.written.strip().re_replace(_PREFIX, "").strip()
    is_cui = code.re_search(_CUI)
    message = (
        ibis.literal("'") + each.written.substr(0, 100) + "' is no UMLS concept; write C0018099"
    )
    each = each.mutate(
        concept=ibis.ifelse(is_cui, ibis.literal("UMLS:") + code.upper(), each.written),
        unlike=ibis.ifelse(is_cui, ibis.null("string"), message),
    )
    (of_id,) = Curies().problems(each, "id")
    return as_assertions(
        each,
        {
            **made,
            "row": each.row,
            "original_relation": each.original_relation,
            "head": each.id,
            "head_type": each.type,
            "head_name": each.name,
            "relation": "HAS_CUI",
            "tail": each.concept,
            "tail_type": "Concept",
            "language": each.language,
            "problem": ibis.coalesce(each.unlike, of_id),
        },
    )
