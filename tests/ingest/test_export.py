"""Exporting: the folder, the layers, triples and Neo4j's import files."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from errno import ENOSPC
from pathlib import Path
from typing import Any, NamedTuple

import filelock
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.export.export import ExportConfig, ExportResult, export
from ingest.merge import MergeResult
from kg.embeddings.layer import write_predictions, write_vectors
from kg.errors import ExportError, LayerDoesNotFitError, TablesError
from kg.progress import Advance, Silent
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, GraphTables, TableSummary, arrow_table
from tests.conftest import CommandLine
from tests.ingest.conftest import MergeRows, merging_in
from tests.ingest.rows import fact, said
from tests.kg.stores.conftest import add_changes, write_tables

GOUT, ARTHRITIS, FEVER = "MONDO:0005393", "HP:0001369", "HP:0001945"


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> MergeResult:
    """Gout and its arthritis."""
    return merging_in(tmp_path_factory.mktemp("kept"))(
        hpo=[
            said(GOUT, "HAS_NAME", "gout"),
            said(ARTHRITIS, "HAS_NAME", "Arthritis", head_type="Symptom"),
            fact(GOUT, "HAS_SYMPTOM", ARTHRITIS),
        ]
    )


class Likely(NamedTuple):
    """As a model proposes it."""

    head: str
    relation: str
    tail: str
    probability: float


@pytest.fixture
def built(kept: MergeResult, tmp_path: Path) -> MergeResult:
    """A copy of it that a test may spoil."""
    tables = shutil.copytree(kept.tables.folder, tmp_path / "built" / "tables")
    return replace(kept, tables=GraphTables(tables))


def exported(tables: GraphTables, out: Path, written: str = "kgx", **more: object) -> ExportResult:
    config = {
        "tables": tables.folder,
        "layers_folder": tables.folder.parent / "layers",
        "out": out,
        "format": written,
    }
    return export(ExportConfig.model_validate(config | more), Silent())


def lines(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text(encoding="utf-8").split("\n")[:-1]]


def layer(built: MergeResult, name: str, head: str = GOUT) -> GraphTables:
    """A layer kept beside the tables: fever, predicted to be a symptom of ``head``."""
    tables = GraphTables(built.tables.folder.parent / "layers" / name)
    (tables.folder / "edges").mkdir(parents=True)
    node = {"id": FEVER, "type": "Symptom", "name": "Fever"}
    edge = {"head": head, "tail": FEVER, "method": "a model", "score": 0.75}
    pq.write_table(arrow_table(NODE_COLUMNS, [node]), tables.nodes)
    pq.write_table(arrow_table(EDGE_COLUMNS, [edge]), tables.edges("HAS_SYMPTOM"))
    counts: dict[str, Any] = {"nodes": {"Symptom": 1}, "edges": {"HAS_SYMPTOM": 1}}
    tables.write_summary(TableSummary(name=name, checksum=name, made_by="a test", **counts))
    return tables


def test_record_says_what_was_exported(tmp_path: Path, built: MergeResult) -> None:
    exported(built.tables, tmp_path / "out")
    record = json.loads((tmp_path / "out" / "medkg-export.json").read_text())
    assert record["graph"] == built.summary.checksum
    assert (record["nodes"], record["edges"]) == (built.summary.nodes, built.summary.edges)
    assert sorted(record["files"]) == ["edges.tsv", "medkg.yaml", "nodes.tsv"]
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith(".")) == []


def test_earlier_export_is_replaced(tmp_path: Path, built: MergeResult) -> None:
    exported(built.tables, tmp_path / "out")
    exported(built.tables, tmp_path / "out", "triples")
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert names == {"triples.tsv", "entities.tsv", "medkg-export.json"}


@pytest.mark.parametrize("is_export", [True, False])
def test_folder_with_other_things_is_left_alone(
    tmp_path: Path, built: MergeResult, is_export: bool
) -> None:
    out = tmp_path / "out"
    if is_export:
        exported(built.tables, out)
    out.mkdir(exist_ok=True)
    (out / "thesis.doc").write_text("years of work")
    with pytest.raises(ExportError) as caught:
        exported(built.tables, out)
    assert ("does not belong to the export" if is_export else "is not empty") in str(caught.value)
    assert (out / "thesis.doc").read_text() == "years of work"


def test_file_in_the_place_of_the_folder_is_told(tmp_path: Path, built: MergeResult) -> None:
    (tmp_path / "out").write_text("")
    with pytest.raises(ExportError, match="out: is a file; name a folder"):
        exported(built.tables, tmp_path / "out")


def test_second_export_at_once_is_refused(tmp_path: Path, built: MergeResult) -> None:
    lock = filelock.FileLock(tmp_path / ".out.lock")
    with lock, pytest.raises(ExportError, match="another export is being written there; wait"):
        exported(built.tables, tmp_path / "out")


class FullDisk(Silent):
    """The disk is full as soon as something is to be written."""

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Advance]:
        with super().step(name, total):
            raise OSError(ENOSPC, "No space left on device")
        yield  # pragma: no cover


def test_full_disk_leaves_what_was_there(tmp_path: Path, built: MergeResult) -> None:
    exported(built.tables, tmp_path / "out", "triples")
    config = ExportConfig(
        tables=built.tables.folder, layers_folder=tmp_path, out=tmp_path / "out", format="kgx"
    )
    with pytest.raises(ExportError, match="out: the disk is full; free some room, or export to"):
        export(config, FullDisk())
    assert (tmp_path / "out" / "triples.tsv").exists()
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith(".")) == []


def test_export_killed_between_two_columnsis_taken_back(
    tmp_path: Path, built: MergeResult
) -> None:
    exported(built.tables, tmp_path / "out")
    (tmp_path / "out").rename(tmp_path / ".out.replaced")
    (tmp_path / ".out.part" / "work").mkdir(parents=True)
    with pytest.raises(TablesError):
        exported(GraphTables(tmp_path / "none"), tmp_path / "out")
    assert (tmp_path / "out" / "edges.tsv").exists()
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith(".")) == []


def test_killed_export_leaves_no_folder(tmp_path: Path, built: MergeResult) -> None:
    many = [f"HP:{at:07}" for at in range(100_000)]
    nodes = pq.read_table(built.tables.nodes)
    more = pa.Table.from_pylist(
        [{**nodes.to_pylist()[0], "id": id_, "type": "Symptom"} for id_ in many], nodes.schema
    )
    pq.write_table(more, built.tables.nodes)
    summary = built.tables.summary().model_copy(update={"nodes": {"Symptom": len(many)}})
    built.tables.write_summary(summary.model_copy(update={"edges": {}}))
    medkg = Path(sys.executable).with_name("medkg")
    arguments = ["export", "--format", "kgx", "--from", str(built.tables.folder), "--out", "out"]
    running = subprocess.Popen([medkg, *arguments], cwd=tmp_path, stderr=subprocess.DEVNULL)
    while not (tmp_path / ".out.part" / "nodes.tsv").exists() and running.poll() is None:
        time.sleep(0.005)
    running.send_signal(signal.SIGKILL)
    assert running.wait() == -signal.SIGKILL
    assert not (tmp_path / "out").exists()
    assert exported(built.tables, tmp_path / "out").record.nodes == {"Symptom": 100_000}


def test_layers_are_exported_only_on_request(tmp_path: Path, built: MergeResult) -> None:
    layer(built, "guesses")
    exported(built.tables, tmp_path / "out")
    assert len(lines(tmp_path / "out" / "edges.tsv")) == 2
    result = exported(built.tables, tmp_path / "out", layers=("guesses",), kgx_format="jsonl")
    assert result.record.layers == ("guesses",)
    text = (tmp_path / "out" / "edges.jsonl").read_text(encoding="utf-8")
    fact_, guess = map(json.loads, text.splitlines())
    assert (fact_["knowledge_level"], fact_["agent_type"]) == (
        "knowledge_assertion",
        "not_provided",
    )
    assert (guess["knowledge_level"], guess["agent_type"]) == ("prediction", "automated_agent")
    added = ("object", "medkg_method", "medkg_score", "medkg_layer")
    assert [guess[name] for name in added] == [FEVER, "a model", 0.75, "guesses"]
    assert "primary_knowledge_source" not in guess


def test_what_a_layer_takes_out_and_marks_is_so_in_the_export(
    tmp_path: Path, merge_rows: MergeRows
) -> None:
    names = {GOUT: "Disease", ARTHRITIS: "Symptom", FEVER: "Symptom"}
    rows = [said(id_, "HAS_NAME", id_, head_type=kind) for id_, kind in names.items()]
    rows += [fact(GOUT, "HAS_SYMPTOM", end) for end in (ARTHRITIS, FEVER)]
    built = merge_rows(one=rows)
    layer = write_tables(built.tables.folder.parent / "layers" / "check", "check", (), ())
    marked = {(GOUT, "HAS_SYMPTOM", ARTHRITIS): ("sex|age", 0.5)}
    add_changes(layer, {(GOUT, "HAS_SYMPTOM", FEVER): "age"}, marked)
    result = exported(built.tables, tmp_path / "out", layers=("check",), kgx_format="jsonl")
    assert result.record.edges == {"HAS_SYMPTOM": 1}
    left = json.loads((tmp_path / "out" / "edges.jsonl").read_text(encoding="utf-8"))
    columns = ("object", "medkg_flags", "medkg_discrimination")
    assert [left[name] for name in columns] == [ARTHRITIS, ["sex", "age"], 0.5]


def test_what_a_model_gives_a_graph_is_exported_apart_from_facts(
    tmp_path: Path, built: MergeResult
) -> None:
    layers = built.tables.folder.parent / "layers"
    vectors = np.array([[1.0, 2.0], [3.0, 4.0]], dtype=np.float32)
    write_vectors([GOUT, ARTHRITIS], vectors, layers / "embeddings", "a test")
    likely = Likely(ARTHRITIS, "CAUSED_BY", GOUT, 0.75)
    write_predictions([likely], layers / "predictions", "a test", "conve")
    result = exported(built.tables, tmp_path / "out", "triples", layers=("all",))
    assert result.record.layers == ("embeddings", "predictions")
    assert lines(tmp_path / "out" / "triples.tsv") == [[GOUT, "HAS_SYMPTOM", ARTHRITIS]]
    assert lines(tmp_path / "out" / "added.tsv") == [
        [ARTHRITIS, "PREDICTED", GOUT, "0.75", "predictions"]
    ]
    exported(built.tables, tmp_path / "kgx", layers=("all",), kgx_format="jsonl")
    text = (tmp_path / "kgx" / "edges.jsonl").read_text(encoding="utf-8")
    _, guess = map(json.loads, text.splitlines())
    assert (guess["predicate"], guess["knowledge_level"]) == ("biolink:related_to", "prediction")


def test_all_stands_for_every_layer_that_is_kept(tmp_path: Path, built: MergeResult) -> None:
    layer(built, "one")
    layer(built, "two")  # has nothing that 'one' has not
    result = exported(built.tables, tmp_path / "out", layers=("all",))
    assert result.record.layers == ("one", "two")
    assert result.record.edges == {"HAS_SYMPTOM": 2}


def test_layer_that_is_not_kept_is_told(tmp_path: Path, built: MergeResult) -> None:
    layer(built, "guesses")
    with pytest.raises(ExportError, match="there is no layer 'umls'; kept are guesses"):
        exported(built.tables, tmp_path / "out", layers=("umls",))


def test_layer_that_does_not_fit_is_told(tmp_path: Path, built: MergeResult) -> None:
    layer(built, "guesses", head="MONDO:1")
    with pytest.raises(LayerDoesNotFitError, match="MONDO:1, is neither in the graph nor"):
        exported(built.tables, tmp_path / "out", layers=("guesses",))


def test_triples_are_of_facts(tmp_path: Path, built: MergeResult) -> None:
    layer(built, "guesses")
    exported(built.tables, tmp_path / "out", "triples", layers=("all",))
    assert lines(tmp_path / "out" / "triples.tsv") == [[GOUT, "HAS_SYMPTOM", ARTHRITIS]]
    assert lines(tmp_path / "out" / "added.tsv") == [
        [GOUT, "HAS_SYMPTOM", FEVER, "0.75", "guesses"]
    ]
    assert lines(tmp_path / "out" / "entities.tsv") == [
        ["id", "type", "name", "entity"],
        [ARTHRITIS, "Symptom", "Arthritis", ARTHRITIS],
        [FEVER, "Symptom", "Fever", FEVER],
        [GOUT, "Disease", "gout", GOUT],
    ]


def test_labels_tell_nodes_of_one_name_apart(tmp_path: Path, merge_rows: MergeRows) -> None:
    built = merge_rows(
        omim=[
            said("OMIM:1", "HAS_NAME", "gout\tand more"),
            said("OMIM:2", "HAS_NAME", "gout and more"),
            said(FEVER, "HAS_NAME", "Fever", head_type="Symptom"),
            fact("OMIM:1", "HAS_SYMPTOM", FEVER),
            fact("OMIM:2", "HAS_SYMPTOM", FEVER),
        ]
    )
    exported(built.tables, tmp_path / "out", "triples", labels=True)
    assert lines(tmp_path / "out" / "triples.tsv") == [
        ["gout and more [OMIM:1]", "HAS_SYMPTOM", "Fever"],
        ["gout and more [OMIM:2]", "HAS_SYMPTOM", "Fever"],
    ]


def test_graph_without_edges_has_no_triples(tmp_path: Path, merge_rows: MergeRows) -> None:
    built = merge_rows(one=[said(GOUT, "HAS_NAME", "gout")])
    exported(built.tables, tmp_path / "out", "triples")
    assert lines(tmp_path / "out" / "triples.tsv") == []


def test_import_script_runs_the_importer_on_the_files(tmp_path: Path, built: MergeResult) -> None:
    exported(built.tables, tmp_path / "a folder", "neo4j-admin")
    importer = tmp_path / "bin" / "neo4j-admin"
    importer.parent.mkdir()
    importer.write_text('#!/bin/sh\npwd\nprintf "%s\\n" "$@"\n')
    importer.chmod(0o755)
    done = subprocess.run(
        [tmp_path / "a folder" / "import.sh", "medkg"],
        env={**os.environ, "PATH": f"{importer.parent}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=True,
    )
    where, *arguments = done.stdout.splitlines()
    assert where == str(tmp_path / "a folder")
    assert arguments == [
        *("database", "import", "full", "medkg", "--overwrite-destination"),
        *("--nodes=nodes.csv", "--nodes=MedKGStamp=stamp.csv"),
        "--relationships=HAS_SYMPTOM=HAS_SYMPTOM.csv",
        *("--array-delimiter=U+001F", "--multiline-fields=true"),
    ]


def test_tables_that_are_not_whole_are_told(tmp_path: Path, built: MergeResult) -> None:
    shutil.rmtree(built.tables.folder / "edges")
    with pytest.raises(TablesError, match=r"HAS_SYMPTOM\.parquet: missing"):
        exported(built.tables, tmp_path / "out")


def test_command_exports_the_last_build(
    tmp_path: Path, built: MergeResult, cli: CommandLine
) -> None:
    shutil.copytree(built.tables.folder, tmp_path / ".medkg" / "tables")
    told = cli("export", "--format", "neo4j-admin", "--out", "files")
    assert told.code == 0, told.err
    assert told.out.startswith("cd files && neo4j-admin database import full neo4j ")
    again = cli("export", "--format", "kgx", "--out", "files", "--json")
    assert json.loads(again.out)["edges"] == {"HAS_SYMPTOM": 1}
    refused = cli("export", "--format", "kgx", "--out", ".")
    assert refused.code == 1
    assert "is not empty, and no export of medkg" in refused.err
    assert refused.err.count("\n") == 1


def test_command_without_a_build_says_what_to_do(cli: CommandLine) -> None:
    told = cli("export", "--format", "kgx", "--out", "files")
    assert told.code == 1
    assert "there are no graph tables here; make them with 'medkg build'" in told.err
