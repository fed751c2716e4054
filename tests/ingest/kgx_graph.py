"""A graph with every relation type, every column filled, and texts that break naive writers."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ingest import sources
from ingest.assertions import Assertion
from ingest.export.export import ExportConfig, export
from ingest.export.kgx import KgxFormat
from ingest.merge import MergeConfig, MergeResult, merge
from ingest.sources import KgxSource
from kg.progress import Silent
from kg.tables import GraphTables
from kg.vocabulary import FACTS, NODE_TYPES, RELATION_TYPES, RelationType

NASTY: tuple[str, ...] = (
    *("", " ", " before and behind ", "a tab\there", "a line\nand another", "a\r\nb", "a\rb"),
    *('a "quotation"', '"at the start', "it's", '""', "a|b", "|", "a||b", "back\\slash\\n"),
    *("# hash", "a,b;c", "NULL", "null", "nan", "true", "007", "1e5", '{"a": [1]}', "[1, 2]"),
    *("\ufeffmark", "no\u00a0break", "two\u2028lines", "next\u0085line", "\x01\x1f\x7f", "$.a"),
    *("Ωμέγα", "発熱", "𝄞 clef", "e\u0301", "\u202eright to left"),
)
"""Every one is a value of some column of the graph."""

_PREFIXES = {"Concept": "UMLS", "Section": "MEDKG"}


def _curie(node_type: str, number: int = 1) -> str:
    prefix = next(iter(NODE_TYPES[node_type].prefixes), _PREFIXES.get(node_type, "MEDKG"))
    return f"{prefix}:{node_type}{number}"


def _about(node_type: str, relation: str, value: str, language: str = "en") -> Assertion:
    place: dict[str, Any] = {"file": "f", "row": 1, "original_relation": relation}
    head: dict[str, Any] = {"head": _curie(node_type), "head_type": node_type, "head_name": None}
    return Assertion(**place, **head, relation=relation, value=value, language=language)


def _names() -> Iterator[Assertion]:
    for at, node_type in enumerate(NODE_TYPES):
        if node_type == "Concept":
            continue  # goes by its id, as those that HAS_CUI leads to do
        yield _about(node_type, "HAS_NAME", f"{node_type} {NASTY[at]} name")
        yield _about(node_type, "HAS_NAME", f"{NASTY[at]}名{at}", language="zh")
        yield _about(node_type, "HAS_DEFINITION", NASTY[-at])
        yield _about(node_type, "HAS_TEXT", "\n\n".join(NASTY))
        yield _about(node_type, "HAS_XREF", f"NCIT:C{at}")
        for nasty in NASTY:
            yield _about(node_type, "HAS_SYNONYM", nasty)
            yield _about(node_type, "HAS_SYNONYM", nasty, language="zh")


def _edge(relation: RelationType, number: int, **other: Any) -> Assertion:  # noqa: ANN401 - fields of Assertion
    head = min(relation.domain)
    tail = head if relation.same_type else max(relation.range)
    ends = {"head": _curie(head), "head_type": head, "head_name": None}
    ends |= {"tail": _curie(tail, number), "tail_type": tail, "tail_name": None}
    return Assertion(
        **{"file": "f", "row": 1, "original_relation": relation.name, **ends, **other},
        relation=relation.name,
    )


def _edges() -> Iterator[Assertion]:
    for relation in map(RELATION_TYPES.__getitem__, FACTS):
        yield _edge(relation, 2)
        for at, nasty in enumerate(NASTY, 3):
            texts = ("publications", "evidence", "frequency_text", "onset", "sex")
            numbers = {"frequency": at / 41, "weight": -(10.0**at)}
            said = {**dict.fromkeys(texts, nasty), **numbers}
            yield _edge(relation, at, **said, original_relation=f"{nasty}!")
    plain = {"frequency_text": "HP:0040283", "onset": "HP:0003577", "sex": "MALE"}
    yield _edge(RELATION_TYPES["HAS_SYMPTOM"], 99, **plain, evidence="PCS|TAS", frequency=0.17)


def whole_graph() -> dict[str, list[Assertion]]:
    """Assertions by source; two of the sources share what the third lacks."""
    names, edges = list(_names()), list(_edges())
    return {"one": names + edges[::2], "two": names[::3] + edges, "three": edges[5:7]}


def exported(tables: GraphTables, out: Path, written: KgxFormat) -> Path:
    """The graph as KGX in the folder ``out``."""
    config = ExportConfig(
        tables=tables.folder,
        layers_folder=tables.folder / "layers",
        out=out,
        format="kgx",
        kgx_format=written,
    )
    export(config, Silent())
    return out


def read_back(entries: Sequence[KgxSource], work: Path) -> MergeResult:
    """Merge what medkg reads from KGX."""
    paths = {}
    for source in entries:
        sources.read(source, work / source.name, Silent())
        paths[source.name] = work / source.name / "assertions.parquet"
    return merged(paths, work / "merged")


def merged(assertions: dict[str, Path], out: Path) -> MergeResult:
    """The graph of the assertions of these sources."""
    out.mkdir(parents=True)
    return merge(MergeConfig(assertions=assertions, made_by="a test"), out, Silent())


def contents(tables: GraphTables) -> dict[str, bytes]:
    """Every table, byte by byte."""
    files = sorted(tables.folder.rglob("*.parquet"))
    return {str(path.relative_to(tables.folder)): path.read_bytes() for path in files}
