"""The embedded store alone: what a crash, a full disk or a second writer leaves."""

import os
import resource
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from kg.errors import StoreError
from kg.stores.embedded import EmbeddedStore
from kg.stores.graph_file import GraphFile
from kg.stores.store import Stamp
from kg.tables import GraphTables
from tests.kg.stores.conftest import NODES, MakeTables, apply

LOAD = """
import resource, sys
from pathlib import Path
from kg.stores.embedded import EmbeddedStore
from kg.tables import GraphTables
if len(sys.argv) > 3:
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]), resource.RLIM_INFINITY))
store = EmbeddedStore(Path(sys.argv[1]))
tables = GraphTables(Path(sys.argv[2]))
print("ready", flush=True)
store.load(tables)
"""


@pytest.fixture
def many_tables(make_tables: MakeTables) -> GraphTables:
    nodes = [(f"HP:{n:06}", "Symptom", f"sign {n}") for n in range(5_000)]
    edges = [(f"HP:{n:06}", "IS_A", f"HP:{n // 2:06}") for n in range(1, 5_000)]
    return make_tables(nodes=nodes, edges=edges, checksum="many")


@pytest.fixture
def loaded(graph_path: Path, make_tables: MakeTables) -> EmbeddedStore:
    store = EmbeddedStore(graph_path)
    store.load(make_tables())
    return store


def child(graph_path: Path, tables: GraphTables, *limit: str) -> "subprocess.Popen[str]":
    command: list[str | Path] = [sys.executable, "-c", LOAD, graph_path, tables.folder, *limit]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def beside(graph_path: Path) -> list[str]:
    return sorted(path.name for path in graph_path.parent.glob("graph.lbug*"))


@pytest.mark.usefixtures("loaded")
def test_kill_at_any_moment_leaves_the_old_or_the_new_graph(
    graph_path: Path, many_tables: GraphTables
) -> None:
    old = Stamp("sum")
    seen = set()
    for tenth in range(0, 20, 2):
        with child(graph_path, many_tables) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(tenth / 10)
            process.kill()
        with EmbeddedStore(graph_path) as store:
            stamp = store.stamp()
            seen.add(stamp)
            assert store.counts().nodes == (
                {"Disease": 1, "Symptom": 2} if stamp == old else {"Symptom": 5_000}
            )
    assert old in seen


def test_load_after_a_kill_clears_what_was_left(
    graph_path: Path, loaded: EmbeddedStore, many_tables: GraphTables
) -> None:
    work = graph_path.with_name("graph.lbug.new")
    work.mkdir()
    (work / "graph.lbug").write_bytes(b"half")
    (work / "graph.lbug.wal").write_bytes(b"half")
    loaded.load(many_tables)
    assert beside(graph_path) == ["graph.lbug", "graph.lbug.lock"]
    assert loaded.counts().nodes == {"Symptom": 5_000}


def test_reader_keeps_its_snapshot_and_a_new_one_sees_the_new(
    graph_path: Path, loaded: EmbeddedStore, many_tables: GraphTables
) -> None:
    with EmbeddedStore(graph_path) as reader:
        before = reader.counts()
        loaded.load(many_tables)
        assert reader.counts() == before
        assert reader.query("entity.by_id", entity="MONDO:1").rows != ()
        with EmbeddedStore(graph_path) as late:
            assert late.counts().nodes == {"Symptom": 5_000}
    assert loaded.counts().nodes == {"Symptom": 5_000}


def test_second_writer_is_told_so(
    graph_path: Path, loaded: EmbeddedStore, many_tables: GraphTables, make_tables: MakeTables
) -> None:
    with child(graph_path, many_tables) as process:
        assert process.stdout is not None
        process.stdout.readline()
        while not graph_path.with_name("graph.lbug.new").exists():
            time.sleep(0.001)
        with pytest.raises(StoreError, match=r"graph.lbug: another medkg process is writing"):
            loaded.load(make_tables())
        assert process.wait(60) == 0
    assert EmbeddedStore(graph_path).stamp() == Stamp("many")


def test_full_disk_leaves_the_old_graph(
    graph_path: Path, loaded: EmbeddedStore, many_tables: GraphTables
) -> None:
    megabyte = str(1024 * 1024)
    with child(graph_path, many_tables, megabyte) as process:
        _, err = process.communicate(timeout=120)
    assert process.returncode == 1
    assert "kg.errors.StoreError" in err
    assert "graph.lbug: the disk is full; free some space" in err
    assert loaded.stamp() == Stamp("sum")
    assert beside(graph_path) == ["graph.lbug", "graph.lbug.lock"]


def test_layer_on_a_full_disk_leaves_the_graph_without_it(
    loaded: EmbeddedStore, make_tables: MakeTables
) -> None:
    layer = make_tables("cough", [("HP:3", "Symptom", "cough")], [])
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, before[1]))
    try:
        with pytest.raises(StoreError, match="the disk is full"):
            apply(loaded, layer)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert loaded.stamp() == Stamp("sum")


def test_folder_that_cannot_be_written_is_named(tmp_path: Path, make_tables: MakeTables) -> None:
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(
        StoreError, match=r"file.*cannot be read or written \(.*\); check the path"
    ):
        EmbeddedStore(tmp_path / "file" / "graph.lbug").load(make_tables())


def test_missing_graph_says_how_to_make_one(graph_path: Path) -> None:
    store = EmbeddedStore(graph_path)
    assert store.stamp() is None
    with pytest.raises(StoreError, match="there is no graph yet; make it with 'medkg build'"):
        store.counts()


@pytest.mark.parametrize("content", [b"", b"hello world" * 1000])
def test_other_file_is_not_taken_for_a_graph(graph_path: Path, content: bytes) -> None:
    graph_path.write_bytes(content)
    store = EmbeddedStore(graph_path)
    assert store.stamp() is None
    with pytest.raises(StoreError, match="not a graph file; delete it and run 'medkg build'"):
        store.counts()


@pytest.mark.usefixtures("loaded")
def test_file_of_another_engine_version_is_refused_and_replaced(
    graph_path: Path, make_tables: MakeTables
) -> None:
    with graph_path.open("r+b") as file:
        file.seek(4)
        file.write(b"\x28")
    store = EmbeddedStore(graph_path)
    with pytest.raises(
        StoreError, match=r"another version of the .*format is 40, .* make it again"
    ):
        store.query("entity.by_id", entity="MONDO:1")
    assert store.stamp() is None
    store.load(make_tables())
    assert store.stamp() == Stamp("sum")


@pytest.mark.usefixtures("loaded")
def test_cut_off_file_is_refused_and_replaced(graph_path: Path, make_tables: MakeTables) -> None:
    os.truncate(graph_path, graph_path.stat().st_size // 2)
    store = EmbeddedStore(graph_path)
    with pytest.raises(StoreError, match=r"cannot open it .* run 'medkg build'"):
        store.counts()
    assert store.stamp() is None
    store.load(make_tables())
    assert store.stamp() == Stamp("sum")


def test_sidecar_of_another_program_does_not_reach_the_new_graph(
    graph_path: Path, loaded: EmbeddedStore, make_tables: MakeTables
) -> None:
    graph_path.with_name("graph.lbug.wal").write_bytes(b"not of the new file")
    loaded.load(make_tables(nodes=NODES[:1], edges=[]))
    assert loaded.counts().nodes == {"Disease": 1}
    assert beside(graph_path) == ["graph.lbug", "graph.lbug.lock"]


ENDLESS = "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b RETURN max(a + b)"


def test_query_is_stopped_at_its_timeout(graph_path: Path, loaded: EmbeddedStore) -> None:
    loaded.close()
    with (
        GraphFile(graph_path, timeout=0.2) as file,
        pytest.raises(StoreError, match=r"no answer within 0.2 s, so the query was stopped"),
    ):
        file.rows(ENDLESS)


def test_ctrl_c_stops_a_query(graph_path: Path, loaded: EmbeddedStore) -> None:
    loaded.close()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with GraphFile(graph_path) as file:
        timer.start()
        started = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            file.rows(ENDLESS)
        assert time.monotonic() - started < 10
        assert file.rows("RETURN 1 AS one") == (("one",), [[1]])


def test_quote_in_a_path_is_fine_and_a_star_is_named(
    tmp_path: Path, make_tables: MakeTables
) -> None:
    tables = make_tables()
    quoted = tmp_path / "it's here"
    shutil.copytree(tables.folder, quoted)
    assert EmbeddedStore(quoted / "graph.lbug").load(GraphTables(quoted)).nodes["Disease"] == 1
    starred = tmp_path / "all*"
    shutil.copytree(tables.folder, starred)
    with pytest.raises(StoreError, match=r"cannot take a path with .* rename the folder"):
        EmbeddedStore(tmp_path / "graph.lbug").load(GraphTables(starred))
