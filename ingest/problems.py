"""Finds assertions that a merge cannot use, and records them for the quarantine."""

from typing import Final

import ibis
import ibis.expr.types as ir

from ingest.sources.curies import CURIE
from ingest.sources.formats.chinese.names import NOTHING
from ingest.statements import EXACT, FORMER, MAPPINGS, NAME_RANKS
from kg.vocabulary import ATTRIBUTES, NODE_TYPES, RELATION_TYPES

UNNAMED: Final = "about an id that no source names"
"""Quarantine reason of a mapping or a bridged name of an id that no source mentions."""

NAME_OF_OTHER: Final = "what another thing is called, by a surer name"
"""Quarantine reason of an alias of a name without an id, if it is a main name of another node."""

ORDER: Final = ("source", "file", "row", "original_relation", "reason", "record")
"""Of quarantined assertions."""

_NO_VALUE: Final = (
    *("nan", "n/a", "#n/a", "n.a.", "<na>", "null", "<null>", "nil", "none", "undefined"),
    *("unknown", "not available", "not applicable", "not known", "not specified"),
    *sorted(NOTHING),
)
"""Placeholders that data tools and tables write for missing values, in small letters; NA is not
among them, since it also means sodium and neuraminidase."""

_MAX_LENGTH: Final = 2_000
"""In characters, of an id or a name; Neo4j indexes 8,000 bytes."""


def with_problems(assertions: ir.Table) -> ir.Table:
    """Add a problem to assertions that a merge cannot use; readers report most of them before."""
    t = assertions
    is_attribute = t.relation.isin(tuple(ATTRIBUTES))
    is_edge = t.relation.isin(tuple(RELATION_TYPES))

    def unidentified(end: str) -> ir.BooleanValue:
        return t[end].isnull() & ~_has_letters(t[f"{end}_name"])

    def placeholder(end: str) -> ir.BooleanValue:
        return t[end].isnull() & _is_placeholder(t[f"{end}_name"])

    def placeholder_problem(end: str) -> ir.StringValue:
        return ibis.literal(f"the {end} has no id, and its name '").concat(
            t[f"{end}_name"].strip(), "' stands where a source knows nothing"
        )

    def too_long(*names: str) -> ir.BooleanValue:
        return ibis.or_(*(t[name].length().fill_null(0) > _MAX_LENGTH for name in names))

    is_name = t.relation.isin((*NAME_RANKS, *MAPPINGS))
    problem = ibis.cases(
        (t.problem.notnull(), t.problem),
        (
            too_long("head", "head_name", "tail", "tail_name") | (is_name & too_long("value")),
            ibis.literal(f"an id or a name is longer than {_MAX_LENGTH:,} characters"),
        ),
        (~is_attribute & ~is_edge, ibis.literal("not a relation of the vocabulary")),
        (t.head_type.notin(tuple(NODE_TYPES)), ibis.literal("head type not in the vocabulary")),
        (unidentified("head"), ibis.literal("the head has neither an id nor a name")),
        (placeholder("head"), placeholder_problem("head")),
        (_is_misused_cui(t["head"], t.head_type), _misused_cui(t["head"], t.head_type)),
        (is_attribute & t.value.isnull(), ibis.literal("an attribute without a value")),
        (
            t.relation.isin((EXACT, FORMER)) & ~t.value.re_search(f"^{CURIE.pattern}$"),
            ibis.literal("the id of an exact match is not a CURIE"),
        ),
        (is_attribute, ibis.null(str)),
        (
            ibis.coalesce(t.tail_type, "").notin(tuple(NODE_TYPES)),
            ibis.literal("tail type not in the vocabulary"),
        ),
        (unidentified("tail"), ibis.literal("the tail has neither an id nor a name")),
        (placeholder("tail"), placeholder_problem("tail")),
        (_is_misused_cui(t["tail"], t.tail_type), _misused_cui(t["tail"], t.tail_type)),
    )
    return t.mutate(problem=problem)


def _has_letters(name: ir.StringValue) -> ir.BooleanValue:
    """Whether a name has a letter or a digit of any script, so that an id can be minted."""
    return ibis.coalesce(name, "").re_search(r"[\p{L}\p{N}]")


def _is_placeholder(name: ir.StringValue) -> ir.BooleanValue:
    """Whether a name is a placeholder, by which unrelated rows would share one node."""
    return ibis.coalesce(name, "").strip().lower().isin(_NO_VALUE)


def _is_misused_cui(id_: ir.StringValue, node_type: ir.StringValue) -> ir.BooleanValue:
    return ibis.coalesce(id_, "").startswith("UMLS:") & (ibis.coalesce(node_type, "") != "Concept")


def _misused_cui(id_: ir.StringValue, node_type: ir.StringValue) -> ir.StringValue:
    return ibis.literal("'").concat(
        id_, "' is a concept and no id of a ", node_type,
        "; give the thing's name, and the concept by HAS_CUI",
    )  # fmt: skip


def recorded(assertions: ir.Table, reason: ir.StringValue, *more: str) -> ir.Table:
    """QUARANTINE_COLUMNS of assertions that cannot be used, their ``relation``, and ``more``."""
    fields = ("head", "head_name", "relation", "tail", "tail_name", "value")
    record = ibis.struct({name: assertions[name] for name in fields}).cast("json").cast(str)
    return assertions.select(
        source=assertions.source,
        file=assertions.file,
        row=assertions.row,
        original_relation=assertions.original_relation,
        stage=ibis.literal("merge"),
        reason=reason,
        record=record,
        relation=assertions.relation,
        **{name: assertions[name] for name in more},
    )
