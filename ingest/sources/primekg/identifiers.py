"""PrimeKG's node types, and how it writes ids."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import ibis
import ibis.expr.types as ir

TYPES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "gene/protein": "Gene",
        "drug": "Drug",
        "disease": "Disease",
        "effect/phenotype": "Symptom",
        "anatomy": "Anatomy",
        "biological_process": "BiologicalProcess",
        "molecular_function": "MolecularFunction",
        "cellular_component": "CellularComponent",
        "pathway": "Pathway",
        "exposure": "Exposure",
    }
)
"""Node types of the graph by PrimeKG's."""


@dataclass(frozen=True)
class Identifiers:
    """How PrimeKG writes the ids of one of its sources."""

    prefix: str
    pattern: str
    """Regular expression of a whole id."""
    digits: int = 0
    """An id is padded with zeros to this length."""


MONDO: Final = Identifiers("MONDO", "[0-9]{1,7}", digits=7)

IDENTIFIERS: Final = {
    "NCBI": Identifiers("NCBIGene", "[0-9]+"),
    "DrugBank": Identifiers("DRUGBANK", "DB[0-9]{5}"),
    "MONDO": MONDO,
    "HPO": Identifiers("HP", "[0-9]{1,7}", digits=7),
    "UBERON": Identifiers("UBERON", "[0-9]{1,7}", digits=7),
    "GO": Identifiers("GO", "[0-9]{1,7}", digits=7),
    "REACTOME": Identifiers("REACTOME", "R-HSA-[0-9]+"),
    "CTD": Identifiers("MESH", "[CD][0-9]+"),
}
"""By ``x_source`` and ``y_source``. ``MONDO_grouped`` is not here: a group has no id."""

GROUPED: Final = "MONDO_grouped"
"""Several MONDO diseases as one node, their ids joined by ``_``."""

_GROUP: Final = "[0-9]{1,7}(_[0-9]{1,7})+"


def curie(source: ir.Value, local: ir.Value) -> ir.Value:
    """Null for a group; for an unknown source the id as written, which is then a problem."""
    cases = [(source == GROUPED, ibis.null("string"))]
    cases += [(source == name, prefixed(ids, local)) for name, ids in IDENTIFIERS.items()]
    return ibis.cases(*cases, else_=local)


def prefixed(ids: Identifiers, local: ir.Value) -> ir.Value:
    """An id with its prefix; what is no id of these may come out cut."""
    padded = local.lpad(ids.digits, "0") if ids.digits else local
    return ibis.literal(f"{ids.prefix}:") + padded


def problem(source: ir.Value, local: ir.Value) -> ir.Value:
    """What is wrong with an id; null for nothing."""
    local = local.fill_null("")
    patterns = {GROUPED: _GROUP, **{name: ids.pattern for name, ids in IDENTIFIERS.items()}}
    cases = [
        (source == name, ~local.re_search(f"^(?:{pattern})$"))
        for name, pattern in patterns.items()
    ]
    malformed = ibis.cases(*cases, else_=ibis.literal(True))
    return ibis.ifelse(
        malformed, _not_of(local, source.fill_null("a source")), ibis.null("string")
    )


def mondo_problem(local: ir.Value) -> ir.Value:
    """What is wrong with an id that should be of MONDO; null for nothing."""
    malformed = ~local.re_search(f"^(?:{MONDO.pattern})$")
    return ibis.ifelse(malformed, _not_of(local, ibis.literal("MONDO")), ibis.null("string"))


def _not_of(local: ir.Value, source: ir.Value) -> ir.Value:
    return ibis.literal("'") + local.substr(0, 200) + "' is not an id of " + source


def group_members(groups: ir.Table) -> ir.Table:
    """A row for each member of the groups in ``group``: ``value``, its CURIE, and ``problem``."""
    members = groups.mutate(member=groups.group.split("_")).unnest("member")
    return members.mutate(
        value=prefixed(MONDO, members.member), problem=mondo_problem(members.member)
    )
