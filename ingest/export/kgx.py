"""The graph in the KGX format: a file of nodes and one of edges.

Categories and predicates are Biolink's; an edge whose predicate reads the other way is
inverted. ``ingest.sources.kgx`` reads both files back.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, Literal

import duckdb
import yaml

from ingest.export.biolink import Biolink
from ingest.export.growing import literal
from ingest.export.slots import Form, Sheet, Slot
from ingest.sources.kgx import columns
from kg.progress import Progress
from kg.stores.disk import sql_path
from kg.tables import SEPARATOR, GraphTables
from kg.vocabulary import NODE_TYPES, RELATION_TYPES, RelationType

KgxFormat = Literal["tsv", "jsonl"]

_AGGREGATOR: Final = "infores:medkg"


def write_kgx(
    db: duckdb.DuckDBPyConnection,
    tables: GraphTables,
    folder: Path,
    written: KgxFormat,
    progress: Progress,
) -> None:
    """Write ``nodes`` and ``edges``, and ``medkg.yaml``, the build that reads them back.

    Args:
        db: a connection of this call's own.
        tables: the graph.
        folder: gets the files.
        written: tab-separated text or JSON lines.
        progress: shown meanwhile.

    Raises:
        TablesError: the tables are not whole.
    """
    summary = tables.summary()
    relations = [RELATION_TYPES[name] for name in summary.edges]
    nodes, edges = folder / f"nodes.{written}", folder / f"edges.{written}"
    with progress.step("Writing nodes and edges", len(relations) + 1) as advance:
        sheet, slots = Sheet(db, nodes), _node_slots()
        sheet.begin(slots)
        sheet.add(slots, f"from read_parquet({sql_path(tables.nodes)}) order by id")
        advance(1)
        db.execute(
            f"create table node as select id, type from read_parquet({sql_path(tables.nodes)})"  # noqa: S608 - a path
        )
        sheet, biolink = Sheet(db, edges), Biolink.read()
        for relation in relations:
            slots = _edge_slots(relation, biolink)
            if not edges.exists():
                sheet.begin(slots)  # all relations have the same names
            sheet.add(slots, _rows(tables.edges(relation.name)))
            advance(1)
    common = {"graph": summary.checksum, "nodes": nodes.name}
    if relations:  # without edges there is no file of them
        common["edges"] = edges.name
    configuration = _configuration(_sources(db, tables), common)
    (folder / "medkg.yaml").write_text(configuration, encoding="utf-8")


def _node_slots() -> list[Slot]:
    category = _cases("type", {name: kind.biolink for name, kind in NODE_TYPES.items()})
    # what no source names goes by its id in the graph, and has no name here
    name = "case when name = id and len(normal_names) = 0 then null else name end"
    return [
        Slot("id", "id", Form.WORD),
        Slot("category", f"[{category}]", Form.ITEMS, read_back=False),
        Slot("name", name),
        Slot("synonym", "synonyms", Form.ITEMS),
        Slot("xref", "xrefs", Form.ITEMS),
        Slot("description", "definition"),
        Slot("provided_by", "sources", Form.ITEMS),
        Slot(columns.TYPE, "type", Form.WORD),
        Slot(columns.NAME_ZH, "name_zh"),
        Slot(columns.SYNONYMS_ZH, "synonyms_zh", Form.ITEMS),
        Slot(columns.LAY_NAMES, "lay_names", Form.ITEMS),
        Slot(columns.LAY_NAMES_ZH, "lay_names_zh", Form.ITEMS),
        Slot(columns.TEXT, "text"),
        Slot(columns.LAYER, "layer"),
    ]


def _rows(path: Path) -> str:
    """The edges of a file, with ``head_type`` and ``tail_type``."""
    return (
        f"from (select edge.*, head.type as head_type, tail.type as tail_type "  # noqa: S608 - a path
        f"from read_parquet({sql_path(path)}) edge "
        "join node head on head.id = edge.head join node tail on tail.id = edge.tail) "
        "order by head, tail"
    )


def _edge_slots(relation: RelationType, biolink: Biolink) -> list[Slot]:
    subject, object_ = ("tail", "head") if relation.inverted else ("head", "tail")
    return [
        Slot("id", _edge_id(relation.name), Form.WORD),
        Slot("subject", subject, Form.WORD),
        Slot("predicate", literal(relation.biolink), Form.WORD),
        Slot("object", object_, Form.WORD),
        *_biolink_slots(relation, biolink),
        Slot("provided_by", "sources", Form.ITEMS),
        Slot("publications", f"string_split(publications, '{SEPARATOR}')", Form.ITEMS),
        Slot("has_quotient", "frequency", Form.RAW),
        Slot(columns.RELATION, literal(relation.name), Form.WORD),
        Slot(columns.ORIGINAL_RELATION, "original_relation"),
        Slot(columns.EVIDENCE, "evidence"),
        Slot(columns.FREQUENCY_TEXT, "frequency_text"),
        Slot(columns.ONSET, "onset"),
        Slot(columns.SEX, "sex"),
        Slot(columns.WEIGHT, "weight", Form.RAW),
        Slot(columns.WEIGHT_TEXT, "weight_text"),
        Slot(columns.METHOD, "method"),
        Slot(columns.SCORE, "score", Form.RAW),
        Slot(columns.FLAGS, f"string_split(flags, '{SEPARATOR}')", Form.ITEMS),
        Slot(columns.DISCRIMINATION, "discrimination", Form.RAW),
        Slot(columns.LIKELIHOOD, "likelihood", Form.RAW),
        Slot(columns.LAYER, "layer"),
    ]


def _edge_id(relation: str) -> str:
    """The same edge has the same id in every export: a UUID of version 8 over what it is."""
    digest = f"md5(concat_ws(chr(9), {literal(relation)}, head, tail))"
    parts = "digest[1:8], digest[9:12], '8' || digest[14:16], '8' || digest[18:20], digest[21:32]"
    return f"'urn:uuid:' || concat_ws('-', {parts.replace('digest', digest)})"


def _biolink_slots(relation: RelationType, biolink: Biolink) -> Iterator[Slot]:
    """What follows from the relation and the other columns, in Biolink's words."""
    is_added = "method is not null"
    level = biolink.knowledge_levels.get(relation.name, "knowledge_assertion")
    values = {
        "knowledge_level": f"case when {is_added} then 'prediction' else '{level}' end",
        "agent_type": f"case when {is_added} then 'automated_agent' else 'not_provided' end",
        "primary_knowledge_source": _knowledge_source("sources[1]", biolink),
    }
    yield Slot("category", f"[{_association(relation, biolink)}]", Form.ITEMS, read_back=False)
    yield Slot("negated", "true" if relation.negated else "null::boolean", Form.RAW)
    for name, value in values.items():
        yield Slot(name, value, Form.WORD)
    yield Slot("aggregator_knowledge_source", f"['{_AGGREGATOR}']", Form.ITEMS, read_back=False)
    codes = _cases("code", biolink.evidence)
    evidence = f"[{codes} for code in string_split(evidence, '{SEPARATOR}')]"
    known_codes = f"list_filter({evidence}, lambda code: code is not null)"
    yield Slot("has_evidence", known_codes, Form.ITEMS, read_back=False)
    for name in ("qualified_predicate", "object_aspect_qualifier", "object_direction_qualifier"):
        qualifier = biolink.qualifiers.get(relation.name, {}).get(name)
        yield Slot(name, literal(qualifier) if qualifier else "null::varchar", Form.WORD)
    term = "case when {0} similar to 'HP:[0-9]+' then {0} end"
    yield Slot("frequency_qualifier", term.format("frequency_text"), Form.WORD)
    yield Slot("onset_qualifier", term.format("onset"), Form.WORD)
    sexes = {word: term for term, word in columns.SEXES.items()}
    yield Slot("sex_qualifier", _cases("sex", sexes), Form.WORD)


def _association(relation: RelationType, biolink: Biolink) -> str:
    by_types = biolink.associations.get(relation.name, {})
    classes = {types: f"biolink:{name}" for types, name in by_types.items()}
    general = literal("biolink:Association")
    association = _cases("head_type || ' ' || tail_type", classes)
    return f"coalesce({association}, {general})"


def _knowledge_source(name: str, biolink: Biolink) -> str:
    return f"coalesce({_cases(name, biolink.knowledge_sources)}, 'infores:' || {name})"


def _cases(value: str, meanings: Mapping[str, str]) -> str:
    """SQL that gives each value its meaning, and null to any other."""
    cases = " ".join(
        f"when {literal(key)} then {literal(meaning)}" for key, meaning in meanings.items()
    )
    return f"case {value} {cases} end" if cases else "null::varchar"


def _sources(db: duckdb.DuckDBPyConnection, tables: GraphTables) -> list[str]:
    """Names of all sources of the graph; what a source states, its nodes have too."""
    rows = db.execute(
        f"select distinct unnest(sources) from read_parquet({sql_path(tables.nodes)}) "  # noqa: S608 - a path
        "where layer is null order by 1"
    )
    return [name for (name,) in rows.fetchall()]


def _configuration(sources: Sequence[str], common: Mapping[str, str]) -> str:
    """The build configuration that makes this graph again."""
    entries = [{"kind": "kgx", "name": name, "provided_by": name, **common} for name in sources]
    return yaml.safe_dump({"sources": entries}, sort_keys=False, allow_unicode=True)
