"""The graph as KGX: what stands in the files, and that it comes back as it was."""

import csv
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from ingest import sources
from ingest.configuration import read_config
from ingest.export.kgx import KgxFormat
from ingest.merge import MergeResult
from ingest.sources import KgxSource, SampleSource
from kg.progress import Silent
from kg.tables import GraphTables
from kg.vocabulary import FACTS, NODE_TYPES, RELATION_TYPES
from tests.ingest.biolink_model import biolink_model, koza_program
from tests.ingest.conftest import MergeRows, merging_in
from tests.ingest.kgx_graph import contents, exported, merged, read_back, whole_graph
from tests.ingest.rows import fact, said

Record = dict[str, Any]

FORMATS: tuple[KgxFormat, ...] = ("tsv", "jsonl")


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> MergeResult:
    """Every relation type, every column, texts of all kinds."""
    return merging_in(tmp_path_factory.mktemp("whole"))(**whole_graph())


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> MergeResult:
    """The packaged sample."""
    folder = tmp_path_factory.mktemp("sample")
    sources.read(SampleSource(kind="sample"), folder / "read", Silent())
    return merged({"sample": folder / "read" / "assertions.parquet"}, folder / "built")


@pytest.fixture(scope="module")
def whole_files(
    whole: MergeResult, tmp_path_factory: pytest.TempPathFactory
) -> dict[KgxFormat, Path]:
    """The whole graph's export in each format."""
    folder = tmp_path_factory.mktemp("exported")
    return {written: exported(whole.tables, folder / written, written) for written in FORMATS}


@pytest.fixture(scope="module")
def whole_edges(whole_files: dict[KgxFormat, Path]) -> list[Record]:
    return records(whole_files["jsonl"] / "edges.jsonl")


def entries(folder: Path) -> list[KgxSource]:
    """The sources of the configuration that an export brings with it."""
    config = read_config(folder / "medkg.yaml")
    return [source for source in config.sources if isinstance(source, KgxSource)]


def records(path: Path) -> list[Record]:
    """The records of a file, as any reader of KGX has them."""
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t")
        return [{name: value for name, value in row.items() if value} for row in rows]


def edges(tables: GraphTables, folder: Path) -> list[Record]:
    return records(exported(tables, folder / "kgx", "jsonl") / "edges.jsonl")


@pytest.mark.parametrize("written", FORMATS)
def test_graph_comes_back_byte_by_byte(
    tmp_path: Path, whole: MergeResult, whole_files: dict[KgxFormat, Path], written: KgxFormat
) -> None:
    back = read_back(entries(whole_files[written]), tmp_path / "back")
    assert contents(back.tables) == contents(whole.tables)
    assert sorted(whole.summary.edges) == sorted(FACTS)


@pytest.mark.parametrize("written", FORMATS)
def test_sample_comes_back_byte_by_byte(
    tmp_path: Path, sample: MergeResult, written: KgxFormat
) -> None:
    folder = exported(sample.tables, tmp_path / "kgx", written)
    back = read_back(entries(folder), tmp_path / "back")
    assert contents(back.tables) == contents(sample.tables)
    assert back.summary.checksum == sample.summary.checksum


@pytest.mark.parametrize("written", FORMATS)
def test_equal_graphs_give_equal_bytes(
    tmp_path: Path, whole: MergeResult, whole_files: dict[KgxFormat, Path], written: KgxFormat
) -> None:
    again = exported(whole.tables, tmp_path / "again", written)
    files = {path.name: path.read_bytes() for path in whole_files[written].iterdir()}
    assert {path.name: path.read_bytes() for path in again.iterdir()} == files != {}


def test_both_formats_hold_the_same(tmp_path: Path, merge_rows: MergeRows) -> None:
    built = merge_rows(
        hpo=[
            said("MONDO:0005393", "HAS_NAME", "gout"),
            said("MONDO:0005393", "HAS_SYNONYM", "podagra"),
            fact("MONDO:0005393", "HAS_SYMPTOM", "HP:0001369", frequency=0.85, evidence="TAS"),
        ]
    )
    tables = [records(exported(built.tables, tmp_path / f, f) / f"edges.{f}") for f in FORMATS]
    (row,), (record,) = tables
    lists = ("category", "aggregator_knowledge_source", "has_evidence", "provided_by")
    flat = {name: value[0] if name in lists else str(value) for name, value in record.items()}
    assert row == flat


def test_node_has_the_columns_of_kgx(tmp_path: Path, merge_rows: MergeRows) -> None:
    gout = "MONDO:0005393"
    built = merge_rows(
        hpo=[
            said(gout, "HAS_NAME", "gout"),
            said(gout, "HAS_SYNONYM", "podagra"),
            said(gout, "HAS_DEFINITION", "Urate crystals\nin joints."),
            said(gout, "HAS_XREF", "DOID:13189"),
        ],
        sample=[said(gout, "HAS_NAME", "痛风", language="zh")],
    )
    (node,) = records(exported(built.tables, tmp_path / "kgx", "jsonl") / "nodes.jsonl")
    assert node == {
        "id": gout,
        "category": ["biolink:Disease"],
        "name": "gout",
        "synonym": ["podagra"],
        "xref": ["DOID:13189"],
        "description": "Urate crystals\nin joints.",
        "provided_by": ["hpo", "sample"],
        "medkg_type": "Disease",
        "medkg_name_zh": "痛风",
    }


def test_edge_has_the_columns_of_kgx(tmp_path: Path, merge_rows: MergeRows) -> None:
    said_of_gout: dict[str, Any] = {
        "frequency": 0.17,
        "frequency_text": "HP:0040283",
        "onset": "HP:0003581",
        "sex": "MALE",
        "publications": "PMID:31675180|PMID:2",
        "evidence": "PCS",
        "original_relation": "phenotype",
    }
    built = merge_rows(hpo=[fact("MONDO:0005393", "HAS_SYMPTOM", "HP:0001369", **said_of_gout)])
    (edge,) = edges(built.tables, tmp_path)
    assert edge == {
        "id": "urn:uuid:48ce8a6c-31a1-8909-8938-aba2f938f80a",
        "subject": "MONDO:0005393",
        "predicate": "biolink:has_phenotype",
        "object": "HP:0001369",
        "category": ["biolink:DiseaseToPhenotypicFeatureAssociation"],
        "knowledge_level": "knowledge_assertion",
        "agent_type": "not_provided",
        "primary_knowledge_source": "infores:hpo-annotations",
        "aggregator_knowledge_source": ["infores:medkg"],
        "has_evidence": ["ECO:0006017"],
        "frequency_qualifier": "HP:0040283",
        "onset_qualifier": "HP:0003581",
        "sex_qualifier": "PATO:0000384",
        "provided_by": ["hpo"],
        "publications": ["PMID:31675180", "PMID:2"],
        "has_quotient": 0.17,
        "medkg_relation": "HAS_SYMPTOM",
        "medkg_original_relation": "phenotype",
        "medkg_evidence": "PCS",
        "medkg_frequency_text": "HP:0040283",
        "medkg_onset": "HP:0003581",
        "medkg_sex": "MALE",
    }


def test_inverted_predicates_are_turned_round(tmp_path: Path, merge_rows: MergeRows) -> None:
    drug = {"tail_type": "Drug"}
    built = merge_rows(one=[fact("MONDO:0005393", "TREATED_BY", "DRUGBANK:DB00437", **drug)])
    (edge,) = edges(built.tables, tmp_path)
    assert (edge["subject"], edge["predicate"], edge["object"]) == (
        *("DRUGBANK:DB00437", "biolink:treats", "MONDO:0005393"),
    )
    assert edge["category"] == [
        "biolink:ChemicalOrDrugOrTreatmentToDiseaseOrPhenotypicFeatureAssociation"
    ]


def test_what_is_denied_is_negated(whole_edges: list[Record]) -> None:
    negated = {edge["medkg_relation"] for edge in whole_edges if edge.get("negated")}
    assert negated == {"LACKS_SYMPTOM", "NOT_EXPRESSED_IN"}


def test_every_edge_has_an_id_of_its_own(whole: MergeResult, whole_edges: list[Record]) -> None:
    ids = [edge["id"] for edge in whole_edges]
    assert len(set(ids)) == len(ids) == sum(whole.summary.edges.values())


@pytest.mark.parametrize("written", FORMATS)
def test_graph_without_edges_has_no_file_of_them(
    tmp_path: Path, merge_rows: MergeRows, written: KgxFormat
) -> None:
    built = merge_rows(one=[said("MONDO:0005393", "HAS_NAME", "gout")])
    folder = exported(built.tables, tmp_path / "kgx", written)
    assert not (folder / f"edges.{written}").exists()
    back = read_back(entries(folder), tmp_path / "back")
    assert contents(back.tables) == contents(built.tables)


def test_node_without_a_name_has_none(tmp_path: Path, merge_rows: MergeRows) -> None:
    concept = {"tail_type": "Concept"}
    built = merge_rows(one=[fact("MONDO:0005393", "HAS_CUI", "UMLS:C0018099", **concept)])
    _, node = records(exported(built.tables, tmp_path / "kgx", "jsonl") / "nodes.jsonl")
    assert node == {
        "id": "UMLS:C0018099",
        "category": ["biolink:NamedThing"],
        "provided_by": ["one"],
        "medkg_type": "Concept",
    }


def test_table_has_a_record_a_line(whole: MergeResult, whole_files: dict[KgxFormat, Path]) -> None:
    for name, count in (("nodes", whole.summary.nodes), ("edges", whole.summary.edges)):
        text = (whole_files["tsv"] / f"{name}.tsv").read_text(encoding="utf-8")
        assert len(text.splitlines()) == sum(count.values()) + 1


def test_what_kgx_requires_is_there(whole_files: dict[KgxFormat, Path]) -> None:
    nodes, found = (records(whole_files["tsv"] / f"{name}.tsv") for name in ("nodes", "edges"))
    ids = {node["id"] for node in nodes}
    assert all(node["category"].startswith("biolink:") for node in nodes)
    for edge in found:
        assert {edge["subject"], edge["object"]} <= ids
        assert edge["predicate"].startswith("biolink:")
        assert {"id", "knowledge_level", "agent_type", "category"} <= edge.keys()


def test_columns_are_biolink_s_or_medkg_s(whole_files: dict[KgxFormat, Path]) -> None:
    slots = biolink_model().slots()
    folder = whole_files["tsv"]
    for name in ("nodes", "edges"):
        header = (folder / f"{name}.tsv").read_text(encoding="utf-8").partition("\n")[0]
        own = {column for column in header.split("\t") if column not in slots}
        assert {column for column in own if not column.startswith("medkg_")} == set()


def test_words_are_biolink_s(whole_edges: list[Record]) -> None:
    model = biolink_model()

    def words(name: str) -> set[str]:
        values = (edge.get(name, []) for edge in whole_edges)
        return {
            word.removeprefix("biolink:")
            for value in values
            for word in ([value] if isinstance(value, str) else value)
        }

    assert words("predicate") <= model.predicates()
    assert words("qualified_predicate") <= model.predicates()
    assert words("category") <= model.classes_of_edges()
    assert words("knowledge_level") <= model.values("KnowledgeLevelEnum")
    assert words("agent_type") <= model.values("AgentTypeEnum")
    assert words("object_direction_qualifier") <= model.values("DirectionQualifierEnum")
    aspects = model.values("GeneOrGeneProductOrChemicalEntityAspectEnum")
    assert words("object_aspect_qualifier") <= aspects


def test_vocabulary_is_biolink_s() -> None:
    model = biolink_model()
    classes = {kind.biolink.removeprefix("biolink:") for kind in NODE_TYPES.values()}
    predicates = {each.biolink.removeprefix("biolink:") for each in RELATION_TYPES.values()}
    assert classes <= model.classes_of_things()
    assert predicates <= model.predicates()


@pytest.mark.parametrize("written", FORMATS)
def test_koza_takes_the_graph_as_it_is(
    tmp_path: Path, whole: MergeResult, whole_files: dict[KgxFormat, Path], written: KgxFormat
) -> None:
    folder = whole_files[written]
    files: list[str | Path] = [
        "-n",
        folder / f"nodes.{written}",
        "-e",
        folder / f"edges.{written}",
    ]
    told = koza(tmp_path, "merge", *files, "--skip-normalize", "-o", "graph.duckdb")
    told += koza(tmp_path, "report", "qc", "-d", "graph.duckdb", "-o", "qc.yaml")
    told += koza(tmp_path, "biolink-check", "graph.duckdb", "-o", "check", "-f", "tsv")
    assert [line for line in told.splitlines() if "WARNING" in line or "ERROR" in line] == []
    report = yaml.safe_load((tmp_path / "qc.yaml").read_text(encoding="utf-8"))
    assert report["summary"] == {
        "total_nodes": sum(whole.summary.nodes.values()),
        "total_edges": sum(whole.summary.edges.values()),
        "dangling_edges": 0,
        "duplicate_nodes": 0,
        "singleton_nodes": 0,
    }
    # 'strict' is what goes against the class that an edge says it is of
    assert "0 strict" in told


def koza(folder: Path, *arguments: str | Path) -> str:
    """Run koza in a folder; what it says."""
    done = subprocess.run(
        [koza_program(), *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize("written", FORMATS)
def test_nodes_that_the_graph_keeps_apart_stay_apart(
    tmp_path: Path, merge_rows: MergeRows, written: KgxFormat
) -> None:
    # EFO's becomes MONDO's, and hands it a cross-reference that DOID's returns
    mondo, efo, doid = "MONDO:0000270", "EFO:0009433", "DOID:0050161"
    referred = [(mondo, efo), (efo, mondo), (efo, doid), (doid, mondo)]
    rows = [said(head, "HAS_XREF", tail) for head, tail in referred]
    built = merge_rows(one=[*(said(id_, "HAS_NAME", id_) for id_ in (mondo, efo, doid)), *rows])
    assert [merged.id for merged in built.merged] == [efo]
    folder = exported(built.tables, tmp_path / "kgx", written)
    back = read_back(entries(folder), tmp_path / "back")
    assert contents(back.tables) == contents(built.tables)
    assert [refused.reason for refused in back.refused] == ["two nodes of one graph"]
