"""Input of PrimeKG's shape for the benchmarks: kg.csv with its 12 columns, made by DuckDB.

Node counts are PrimeKG's (129,375 nodes of ten types) and rows per relation are
those of its first release (8.1 million); edges are drawn without repeats and
uniformly, so degrees are flatter than PrimeKG's. Hierarchies (parent-child) are trees
in which some things have further parents beside the first. As in PrimeKG, all edges stand
first in the direction in which they were made and then all in the other. Findings have
numbers that HPO has not reached, so that the ontology can stand beside them.
"""

import argparse
from pathlib import Path
from typing import Final, NamedTuple

import duckdb


class Nodes(NamedTuple):
    """The nodes of one type."""

    type: str
    source: str
    nodes: int
    id: str
    """SQL that gives the id of node ``i``."""
    name: str
    """SQL that gives its name."""


class Edges(NamedTuple):
    """The rows of one relation; half of them are the other half turned round."""

    relation: str
    display_relation: str
    x_type: str
    y_type: str
    rows: int


_GROUPED: Final = 1_043
_DISEASE: Final = (
    f"case when i < {_GROUPED} then concat_ws('_', i * 3 + 7, i * 3 + 8, i * 3 + 9) "
    "else (i * 2 + 5000)::varchar end"
)

NODES: Final = (
    Nodes("gene/protein", "NCBI", 27_671, "(i * 3 + 1)::varchar", "'GENE' || i"),
    Nodes("drug", "DrugBank", 7_957, "printf('DB%05d', i)", "'Druginib compound ' || i"),
    Nodes("disease", "MONDO", 17_080, _DISEASE, "'syndrome of the, kind ' || i || ' (disease)'"),
    Nodes("effect/phenotype", "HPO", 15_311, "(i + 9000000)::varchar", "'Abnormal finding ' || i"),
    Nodes("anatomy", "UBERON", 14_035, "(i + 2)::varchar", "'region of the body ' || i"),
    Nodes("biological_process", "GO", 28_642, "(i + 1)::varchar", "'regulation of process ' || i"),
    Nodes("molecular_function", "GO", 11_169, "(i + 40000)::varchar", "'binding activity ' || i"),
    Nodes("cellular_component", "GO", 4_176, "(i + 60000)::varchar", "'protein complex ' || i"),
    Nodes("pathway", "REACTOME", 2_516, "'R-HSA-' || (i + 100000)", "'Signaling by factor ' || i"),
    Nodes("exposure", "CTD", 818, "printf('D%06d', i)", "'1,2-chemical ' || i"),
)

_GENE, _DRUG, _ILLNESS, _EFFECT = "gene/protein", "drug", "disease", "effect/phenotype"
_PROCESS, _FUNCTION, _COMPONENT = "biological_process", "molecular_function", "cellular_component"

EDGES: Final = (
    Edges("protein_protein", "ppi", _GENE, _GENE, 642_150),
    Edges("drug_protein", "carrier", _DRUG, _GENE, 1_728),
    Edges("drug_protein", "enzyme", _DRUG, _GENE, 10_634),
    Edges("drug_protein", "target", _DRUG, _GENE, 32_390),
    Edges("drug_protein", "transporter", _DRUG, _GENE, 6_184),
    Edges("contraindication", "contraindication", _DRUG, _ILLNESS, 61_350),
    Edges("indication", "indication", _DRUG, _ILLNESS, 18_776),
    Edges("off-label use", "off-label use", _DRUG, _ILLNESS, 5_136),
    Edges("drug_drug", "synergistic interaction", _DRUG, _DRUG, 2_672_628),
    Edges("phenotype_protein", "associated with", _GENE, _EFFECT, 6_660),
    Edges("phenotype_phenotype", "parent-child", _EFFECT, _EFFECT, 37_472),
    Edges("disease_phenotype_negative", "phenotype absent", _ILLNESS, _EFFECT, 2_386),
    Edges("disease_phenotype_positive", "phenotype present", _ILLNESS, _EFFECT, 300_630),
    Edges("disease_protein", "associated with", _GENE, _ILLNESS, 160_822),
    Edges("disease_disease", "parent-child", _ILLNESS, _ILLNESS, 64_388),
    Edges("drug_effect", "side effect", _DRUG, _EFFECT, 129_568),
    Edges("bioprocess_bioprocess", "parent-child", _PROCESS, _PROCESS, 105_772),
    Edges("molfunc_molfunc", "parent-child", _FUNCTION, _FUNCTION, 27_148),
    Edges("cellcomp_cellcomp", "parent-child", _COMPONENT, _COMPONENT, 9_690),
    Edges("molfunc_protein", "interacts with", _GENE, _FUNCTION, 139_060),
    Edges("cellcomp_protein", "interacts with", _GENE, _COMPONENT, 166_804),
    Edges("bioprocess_protein", "interacts with", _GENE, _PROCESS, 289_610),
    Edges("exposure_protein", "interacts with", "exposure", _GENE, 2_424),
    Edges("exposure_disease", "linked to", "exposure", _ILLNESS, 4_608),
    Edges("exposure_exposure", "parent-child", "exposure", "exposure", 4_140),
    Edges("exposure_bioprocess", "interacts with", "exposure", _PROCESS, 3_250),
    Edges("exposure_molfunc", "interacts with", "exposure", _FUNCTION, 90),
    Edges("exposure_cellcomp", "interacts with", "exposure", _COMPONENT, 20),
    Edges("pathway_pathway", "parent-child", "pathway", "pathway", 5_070),
    Edges("pathway_protein", "interacts with", _GENE, "pathway", 85_292),
    Edges("anatomy_anatomy", "parent-child", "anatomy", "anatomy", 28_064),
    Edges("anatomy_protein_present", "expression present", _GENE, "anatomy", 3_036_406),
    Edges("anatomy_protein_absent", "expression absent", _GENE, "anatomy", 39_774),
)

_CHILDREN: Final = 4
"""Of a thing in a hierarchy, first parents alone."""

_STEP: Final = 999_999_937
"""A prime larger than any node count: multiples of it visit every pair before one repeats."""


def write(path: Path, share: float = 1.0) -> int:
    """Write a kg.csv and return its number of rows; ``share`` thins all relations alike."""
    with duckdb.connect() as connection:
        connection.execute(_node_table())
        connection.execute(
            "create table edge (relation varchar, display_relation varchar, x int, y int)"
        )
        for edges in EDGES:
            connection.execute(_draw(edges, max(1, round(edges.rows * share / 2))))
        forward = "select relation, display_relation, x, y from edge"
        backward = "select relation, display_relation, y, x from edge"
        rows = 0
        for turned, select in enumerate((forward, backward)):
            part = path.with_suffix(f".{turned}")
            (count,) = connection.execute(_copy(select, part, header=not turned)).fetchall()[0]
            rows += count
    with path.open("wb") as whole:
        for turned in (0, 1):
            part = path.with_suffix(f".{turned}")
            whole.write(part.read_bytes())
            part.unlink()
    return rows


def _node_table() -> str:
    first, selects = 0, []
    for nodes in NODES:
        source = f"'{nodes.source}'"
        if nodes.type == "disease":
            source = f"case when i < {_GROUPED} then 'MONDO_grouped' else {source} end"
        selects.append(
            f"select {first} + i as index, {nodes.id} as id, '{nodes.type}' as type, "  # noqa: S608 -- constants of this file
            f"{nodes.name} as name, {source} as source from range({nodes.nodes}) as t(i)"
        )
        first += nodes.nodes
    return "create table node as " + " union all ".join(selects)


def _draw(edges: Edges, count: int) -> str:
    first, nodes = 0, {}
    for some in NODES:
        nodes[some.type] = (first, some.nodes)
        first += some.nodes
    (x_first, x_count), (y_first, y_count) = nodes[edges.x_type], nodes[edges.y_type]
    if edges.display_relation == "parent-child":
        ends = ("child", "parent") if edges.relation == "anatomy_anatomy" else ("parent", "child")
        return (
            f"insert into edge select '{edges.relation}', '{edges.display_relation}', "  # noqa: S608 -- constants of this file
            f"{x_first} + {ends[0]}, {x_first} + {ends[1]} from ("
            f"select (i - 1) // {_CHILDREN} + k as parent, i as child "
            f"from range(1, {x_count}) as t(i), range({count // x_count + 2}) as s(k) "
            f"where parent < child order by k, i limit {count})"
        )
    same = edges.x_type == edges.y_type
    return (
        f"insert into edge select '{edges.relation}', '{edges.display_relation}', "  # noqa: S608 -- constants of this file
        f"{x_first} + p // {y_count}, {y_first} + p % {y_count} from ("
        f"select (k * {_STEP}) % {x_count * y_count} as p from range({count * 3 + 100}) as t(k)) "
        f"where {f'p // {y_count} < p % {y_count}' if same else 'true'} limit {count}"
    )


def _copy(select: str, path: Path, *, header: bool) -> str:
    columns = ", ".join(
        f"{side}.{column} as {side}_{column}"
        for side in "xy"
        for column in ("index", "id", "type", "name", "source")
    )
    return (
        f"copy (select relation, display_relation, {columns} "  # noqa: S608 -- constants of this file
        f"from ({select}) as e (relation, display_relation, a, b) "
        "join node as x on x.index = a join node as y on y.index = b) "
        f"to '{path}' (format csv, header {str(header).lower()})"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--share", type=float, default=1.0)
    arguments = parser.parse_args()
    print(write(arguments.path, arguments.share))  # noqa: T201 -- a script
