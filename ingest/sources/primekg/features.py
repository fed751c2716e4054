r"""disease_features and drug_features: texts on PrimeKG's diseases and drugs.

Every cell of a mapped column is a statement: a definition, the name of a disease, a member
of a group, or a section with the column's heading. ``disease_features`` has a row for each
MONDO disease, also for the members of a group (``group_id_bert``, ``group_name_bert``), and
several where UMLS or Mayo Clinic have several texts; ``drug_features`` knows a drug by its
index in kg.csv alone.

Harvard Dataverse gives both out as .tab files: fields in quotes, in which ``\"``, ``\n``
and ``\t`` stand for a quote, a line break and a tab; the original is a CSV file. The columns
are those that PrimeKG's notebook ``knowledge_graph/engineer_features.ipynb`` writes, the way
of writing is that of Dataverse's ``CSVFileReader``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Final

import ibis
import ibis.expr.types as ir
import pyarrow as pa

from ingest.identity import mint
from ingest.reading import ending
from ingest.sources.formats.delimited import (
    NUMBER,
    RECORD,
    TAB_SEPARATED,
    UNREADABLE,
    Dialect,
    delimited_rows,
)
from ingest.sources.parts import Part, Workplace, quarantined, rows_of
from ingest.sources.primekg.identifiers import IDENTIFIERS, MONDO, mondo_problem, prefixed
from ingest.sources.relations import RelationMap
from ingest.sources.writing import as_assertions, counted

HEADINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "disease_features orphanet_prevalence": "Prevalence",
        "disease_features orphanet_epidemiology": "Epidemiology",
        "disease_features orphanet_clinical_description": "Clinical description",
        "disease_features orphanet_management_and_treatment": "Management and treatment",
        "disease_features mayo_symptoms": "Symptoms",
        "disease_features mayo_causes": "Causes",
        "disease_features mayo_risk_factors": "Risk factors",
        "disease_features mayo_complications": "Complications",
        "disease_features mayo_prevention": "Prevention",
        "disease_features mayo_see_doc": "When to see a doctor",
        "drug_features half_life": "Half-life",
        "drug_features indication": "Indication",
        "drug_features mechanism_of_action": "Mechanism of action",
        "drug_features protein_binding": "Protein binding",
        "drug_features pharmacodynamics": "Pharmacodynamics",
        "drug_features atc_1": "ATC anatomical main group",
        "drug_features atc_2": "ATC therapeutic subgroup",
        "drug_features atc_3": "ATC pharmacological subgroup",
        "drug_features atc_4": "ATC chemical subgroup",
        "drug_features category": "Categories",
        "drug_features group": "Regulatory groups",
        "drug_features pathway": "Pathways",
    }
)
"""Title of the section by the word for its column."""

_KEYS: Final = MappingProxyType(
    {
        "disease_features": ("node_index", "mondo_id", "mondo_name", "group_name_bert"),
        "drug_features": ("node_index",),
    }
)
"""Columns that say whom a row is about, by table."""


@dataclass(frozen=True)
class FeatureFile:
    """A table of features, and how it is to be read."""

    table: str
    """``disease_features`` or ``drug_features``."""
    source: str
    """The source's name."""
    path: Path
    """Plain or .gz."""
    relations: RelationMap

    @property
    def made(self) -> Mapping[str, str]:
        """The columns ``source`` and ``file``."""
        return {"source": self.source, "file": self.path.name}


_ROW_COLUMNS: Final = ("row", "record", "type", "id", "thing", "problem", "group_name", "reason")
"""Columns that are worked out of the keys."""


def feature_part(place: Workplace, file: FeatureFile, kg: ir.Table) -> Part:
    """Assertions from a table of features.

    Args:
        place: to work in.
        file: the table.
        kg: rows of kg.csv, which has the id of a drug by its index.

    Raises:
        SourceError: it cannot be read, or lacks a column with the disease or drug of a row.
    """
    from_dataverse = ending(file.path) == ".tab"
    dialect = TAB_SEPARATED if from_dataverse else Dialect()
    rows = delimited_rows(place.engine, file.path, _KEYS[file.table], dialect, place.folder)
    columns = [name for name in rows.good.columns if name not in (NUMBER, RECORD)]
    good = rows.good.mutate(
        **{name: _text(rows.good[name], unquote=from_dataverse) for name in columns}
    ).rename(row=NUMBER, record=RECORD)
    entities = _diseases(good) if file.table == "disease_features" else _drugs(good, kg)
    cells, silent = (
        place.kept(part, f"{file.table}.{name}")
        for name, part in zip(("cells", "silent"), _cells(entities, file.table), strict=True)
    )
    return _part(cells, silent, rows.bad, file)


def _text(cell: ir.Value, *, unquote: bool) -> ir.Value:
    if unquote:
        inner = cell.substr(1, cell.length() - 2)
        for written, character in (('\\"', '"'), ("\\n", "\n"), ("\\t", "\t")):
            inner = inner.replace(written, character)
        cell = ibis.ifelse(cell.re_search('(?s)^".*"$'), inner, cell)
    # what pandas wrote for no text at all
    return cell.strip().nullif("nan").nullif("")


def _diseases(rows: ir.Table) -> ir.Table:
    return rows.mutate(
        type=ibis.literal("Disease"),
        id=prefixed(MONDO, rows.mondo_id),
        thing=rows.mondo_name,
        problem=mondo_problem(rows.mondo_id),
        group_name=rows.group_name_bert,
        reason=_unless(rows.mondo_id.notnull(), ibis.literal("the row names no disease")),
    )


def _drugs(rows: ir.Table, kg: ir.Table) -> ir.Table:
    drugs = kg.filter(kg.x_source == "DrugBank")
    drugs = drugs.group_by("x_index").agg(drug=drugs.x_id.min(), drug_name=drugs.x_name.min())
    rows = rows.left_join(drugs, rows.node_index == drugs.x_index)
    unknown = ibis.literal("no drug of kg.csv has the index '")
    unknown = unknown + rows.node_index.fill_null("").substr(0, 100) + "'"
    return rows.mutate(
        type=ibis.literal("Drug"),
        id=prefixed(IDENTIFIERS["DrugBank"], rows.drug),
        thing=rows.drug_name,
        problem=ibis.null("string"),
        group_name=ibis.null("string"),
        reason=_unless(rows.drug.notnull(), unknown),
    ).drop("x_index", "drug", "drug_name")


def _unless(fine: ir.Value, reason: ir.Value) -> ir.Value:
    return ibis.ifelse(fine, ibis.null("string"), reason)


def _part(cells: ir.Table, silent: ir.Table, bad: ir.Table, file: FeatureFile) -> Part:
    """The statements of a table's cells; a row without any is quarantined as a whole."""
    relations, made = file.relations, file.made
    mapped = [word for word in relations.words() if word not in relations.quarantined]
    usable = cells.filter(cells.original_relation.isin(mapped))
    refused = _refused(cells.filter(cells.original_relation.notin(mapped)), relations)
    columns = ("row", "original_relation", "reason", "record")
    nothing = ibis.union(refused.select(columns), silent.select(columns))
    word = f"{made['file']} {UNREADABLE}"
    return Part(
        (_attributes(usable, made, relations), *_sections(usable, made)),
        (quarantined(nothing, bad, made, word),),
        rows_of(cells, bad, word) | counted(silent, silent.original_relation),
    )


def _refused(cells: ir.Table, relations: RelationMap) -> ir.Table:
    """Add the ``reason`` to cells of which nothing is read."""
    words = cells.select("original_relation").distinct().to_pyarrow()[0].to_pylist()
    why = [
        (cells.original_relation == word, ibis.literal(relations.why_not(word))) for word in words
    ]
    nothing = ibis.null("string")
    return cells.mutate(reason=ibis.cases(*why, else_=nothing) if why else nothing)


def _cells(entities: ir.Table, table: str) -> tuple[ir.Table, ir.Table]:
    """Every cell with a value, with its word, and the rows without any."""
    texts = [
        name
        for name in entities.columns
        if name == "mondo_name" or name not in (*_ROW_COLUMNS, *_KEYS[table])
    ]
    texts_of_rows = entities.select(*_ROW_COLUMNS, *texts)
    cells = texts_of_rows.filter(texts_of_rows.reason.isnull()).pivot_longer(
        texts, names_to="column", values_to="text"
    )
    cells = cells.filter(cells.text.notnull())
    cells = cells.mutate(original_relation=ibis.literal(f"{table} ") + cells["column"])
    empty = texts_of_rows.anti_join(cells, "row")
    nothing = ibis.coalesce(empty.reason, ibis.literal("the row has nothing but its key"))
    return cells, empty.mutate(original_relation=ibis.literal(f"{table} row"), reason=nothing)


def _attributes(cells: ir.Table, made: Mapping[str, str], relations: RelationMap) -> ir.Table:
    words = relations.attributes
    cells = cells.filter(cells.original_relation.isin(list(words)))
    of_group = cells.original_relation == "disease_features group_id_bert"
    return as_assertions(
        cells,
        {
            **made,
            **_common(cells),
            "head": ibis.ifelse(of_group, ibis.null("string"), cells.id),
            "head_type": cells.type,
            "head_name": ibis.ifelse(of_group, cells.group_name, cells.thing),
            "relation": cells.original_relation.cases(*words.items()),
            "value": ibis.ifelse(of_group, cells.id, cells.text),
        },
    )


def _sections(cells: ir.Table, made: Mapping[str, str]) -> Sequence[ir.Table]:
    """A section of the disease or drug, with its title and text."""
    cells = cells.filter(cells.original_relation.isin(list(HEADINGS)))
    ids = _section_ids(cells, made["source"])
    cells = cells.join(ids, ["id", "original_relation"])
    common = {**made, **_common(cells)}
    section = {
        **common,
        "head": cells.section,
        "head_type": "Section",
        "head_name": cells.heading,
    }
    edge = {
        **common,
        "head": cells.id,
        "head_type": cells.type,
        "head_name": cells.thing,
        "relation": "HAS_SECTION",
        "tail": cells.section,
        "tail_type": "Section",
        "tail_name": cells.heading,
    }
    return (
        as_assertions(cells, edge),
        as_assertions(cells, {**section, "relation": "HAS_NAME", "value": cells.heading}),
        as_assertions(cells, {**section, "relation": "HAS_TEXT", "value": cells.text}),
    )


def _common(cells: ir.Table) -> Mapping[str, ir.Value]:
    names = ("row", "original_relation", "problem")
    return {name: cells[name] for name in names}


def _section_ids(cells: ir.Table, source: str) -> ir.Table:
    """``id``, ``original_relation``, ``heading`` and ``section``: the id minted of all of them."""
    distinct = cells.select("id", "original_relation").distinct().to_pyarrow().to_pylist()
    rows = [
        {
            **cell,
            "heading": HEADINGS[cell["original_relation"]],
            "section": mint(
                "Section", f"{source} {cell['id']} {HEADINGS[cell['original_relation']]}"
            ),
        }
        for cell in distinct
    ]
    names = ("id", "original_relation", "heading", "section")
    return ibis.memtable(pa.Table.from_pylist(rows, pa.schema([(n, pa.string()) for n in names])))
