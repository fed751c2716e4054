"""``medkg db`` as it is typed; one server goes through its life in the order of the tests."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest

from kg.server import Ports, ServerHome, stop
from kg.server.record import read_record, usual_ports
from tests.conftest import CommandLine

MEDKG = Path(sys.executable).with_name("medkg")


@pytest.fixture(scope="module")
def place(neo4j_server: object, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """MEDKG_HOME of the module's server, on a machine where one can be started."""
    del neo4j_server
    place = tmp_path_factory.mktemp("commands")
    yield place
    stop(ServerHome(place / "neo4j"))


@pytest.fixture
def ports() -> list[str]:
    free = Ports.free()
    return ["--bolt-port", str(free.bolt), "--http-port", str(free.http)]


@pytest.mark.neo4j
def test_up_says_all_that_a_person_needs(place: Path, cli: CommandLine, ports: list[str]) -> None:
    done = cli("db", "up", "--runtime", "java", *ports, env={"MEDKG_HOME": str(place)})
    assert done.code == 0, done.err
    shown = dict(line.split(maxsplit=1) for line in done.out.splitlines())
    assert shown["Browser"] == f"http://localhost:{ports[3]}"
    assert shown["Bolt"] == f"neo4j://localhost:{ports[1]}"
    assert shown["user"] == "neo4j"
    assert shown["password"] == f"in {place}/neo4j/password"
    assert f"medkg build --graph neo4j://localhost:{ports[1]}" in done.err
    password = (place / "neo4j" / "password").read_text().strip()
    assert password not in done.out + done.err


@pytest.mark.neo4j
def test_second_up_says_that_it_was_up(place: Path, cli: CommandLine) -> None:
    done = cli("db", "up", env={"MEDKG_HOME": str(place)})
    assert (done.code, "was running already" in done.err) == (0, True)


@pytest.mark.neo4j
def test_a_port_that_is_not_given_is_as_it_runs(
    place: Path, cli: CommandLine, ports: list[str]
) -> None:
    record = read_record(ServerHome(place / "neo4j"))
    assert record
    environment = {"MEDKG_HOME": str(place)}
    for port in (("--bolt-port", record.bolt_port), ("--http-port", record.http_port)):
        done = cli("db", "up", *map(str, port), env=environment)
        assert (done.code, "was running already" in done.err) == (0, True), done.err
    moved = cli("db", "up", *ports[:2], env=environment)
    assert (moved.code, "the server is up already, on ports" in moved.err) == (1, True)


@pytest.mark.neo4j
def test_status_of_a_running_server_counts(place: Path, cli: CommandLine) -> None:
    done = cli("db", "status", "--json", env={"MEDKG_HOME": str(place)})
    state = json.loads(done.out)
    assert (done.code, state["running"], state["answers"]) == (0, True, True)
    assert (state["version"], state["nodes"], state["edges"]) == ("5.26.25", 0, 0)


@pytest.mark.neo4j
def test_status_of_a_server_with_half_a_graph_is_1_and_gives_no_counts(
    place: Path, cli: CommandLine
) -> None:
    record = read_record(ServerHome(place / "neo4j"))
    assert record
    address = f"neo4j://localhost:{record.bolt_port}"
    password = ServerHome(place / "neo4j").password()
    with neo4j.GraphDatabase.driver(address, auth=("neo4j", password)) as driver:
        driver.execute_query("CREATE (:Entity:Disease {id: 'MONDO:1', type: 'Disease'})")
        try:
            done = cli("db", "status", "--json", env={"MEDKG_HOME": str(place)})
        finally:
            driver.execute_query("MATCH (e:Entity) DELETE e")
    state = json.loads(done.out)
    assert (done.code, state["answers"], state["whole"]) == (1, True, False)
    assert not {"nodes", "edges"} & state.keys()
    assert "holds no whole graph" in done.err
    assert f"run 'medkg build --graph {address}'" in done.err


@pytest.mark.neo4j
def test_settings_for_another_server_do_not_mislead_status(place: Path, cli: CommandLine) -> None:
    other = {"NEO4J_URI": "neo4j://localhost:1", "NEO4J_PASSWORD": "other", "NEO4J_DATABASE": "x"}
    assert cli("db", "status", env={"MEDKG_HOME": str(place), **other}).code == 0


@pytest.mark.neo4j
def test_down_ends_it_and_status_is_1(place: Path, cli: CommandLine) -> None:
    environment = {"MEDKG_HOME": str(place)}
    down = cli("db", "down", env=environment)
    assert (down.code, down.out, down.err) == (0, "", "Neo4j is down.\n")
    again = cli("db", "down", "--json", env=environment)
    assert (json.loads(again.out), again.err) == (
        {"stopped": "not running"},
        "Neo4j was not up.\n",
    )
    status = cli("db", "status", env=environment)
    assert (status.code, status.out) == (1, "state     down\n")


@pytest.mark.neo4j
def test_up_listens_where_it_did_last_and_import_checks_the_graph(
    place: Path, cli: CommandLine, tmp_path: Path
) -> None:
    last = usual_ports(ServerHome(place / "neo4j"))
    assert last != Ports()
    (tmp_path / "facts.csv").write_text(
        "head,head_type,relation,tail,tail_type\n"
        "gout,Disease,HAS_SYMPTOM,Arthritis,Symptom\ngout,Disease,IS_A,gout,Disease\n"
    )
    config = tmp_path / "facts.yaml"
    config.write_text("sources:\n  - {kind: triples, name: facts, file: facts.csv}\n")
    other = {"NEO4J_PASSWORD": "other", "NEO4J_USERNAME": "x"}
    environment = {"MEDKG_HOME": str(place)}
    assert (
        cli("build", str(config), "--graph", str(place / "graph.lbug"), env=environment).code == 0
    )
    done = cli("db", "import", "--overwrite", "--runtime", "java", env={**environment, **other})
    assert done.code == 0, done.err
    assert f"imported into {last.bolt_uri}, which is up" in done.err
    assert "1 edges that rules reject are taken out" in done.out
    state = json.loads(cli("db", "status", "--json", env=environment).out)
    assert (state["bolt"], state["nodes"], state["edges"]) == (last.bolt_uri, 2, 1)
    assert cli("db", "down", env=environment).code == 0
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(place / "tables", elsewhere)
    shutil.rmtree(place / "tables")
    alone = cli("db", "import", str(elsewhere), "--overwrite", "--json", env=environment)
    assert (alone.code, "so the rules are not applied" in alone.err) == (0, True)
    counts = {"nodes": {"Disease": 1, "Symptom": 1}, "edges": {"HAS_SYMPTOM": 1, "IS_A": 1}}
    assert json.loads(alone.out) == {"tables": str(elsewhere), **counts, "checked": None}
    assert json.loads(cli("db", "status", "--json", env=environment).out)["running"] is False


@pytest.mark.neo4j
def test_interrupted_up_exits_130_and_leaves_nothing(place: Path, ports: list[str]) -> None:
    home = ServerHome(place / "neo4j")
    with subprocess.Popen(
        [MEDKG, "db", "up", "--runtime", "java", *ports],
        env={**os.environ, "MEDKG_HOME": str(place)},
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        while not read_record(home):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=120)
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert read_record(home) is None


def test_taken_port_is_one_sentence(cli: CommandLine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as holder:
        taken = str(holder.getsockname()[1])
        done = cli("db", "up", "--runtime", "java", "--bolt-port", taken)
    assert (done.code, done.out) == (1, "")
    assert done.err.startswith(f"Error: port {taken}: taken by process {os.getpid()} (")
    assert len(done.err.splitlines()) == 1


def test_wrong_use_is_exit_code_2(cli: CommandLine) -> None:
    assert cli("db", "up", "--bolt-port", "70000").code == 2
    assert cli("db", "sideways").code == 2


def test_no_java_is_one_sentence(cli: CommandLine) -> None:
    if any(Path("/usr/lib/jvm").glob("*/bin/java")):
        pytest.skip("this machine has a Java in the usual place")
    done = cli("db", "up", "--runtime", "java", env={"PATH": "", "JAVA_HOME": ""})
    assert done.code == 1
    assert done.err.startswith("Error: no Java found")
    assert done.err.endswith("or use Docker with --runtime docker\n")


def test_home_that_is_a_file_is_one_sentence(cli: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = cli("db", "up", env={"MEDKG_HOME": str(tmp_path / "file")})
    assert done.code == 1
    assert "cannot be written (" in done.err
    assert "set MEDKG_HOME to another folder" in done.err


def on_small_disk(folder: Path, mount: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run ``medkg`` in a mount namespace of its own where ``folder`` is a small disk."""
    unshare = shutil.which("unshare")
    script = f'mount -t tmpfs -o {mount} tmpfs "$1" && shift && exec "$@"'
    command = [
        unshare or "unshare",
        "--user",
        "--map-root-user",
        "--mount",
        "sh",
        "-c",
        script,
        "sh",
    ]
    if (
        not unshare
        or subprocess.run([*command, folder, "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("this machine lets nobody mount a disk for a test")
    return subprocess.run(
        [*command, folder, MEDKG, *arguments],
        env={**os.environ, "MEDKG_HOME": str(folder / "home")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_full_disk_is_one_sentence(tmp_path: Path) -> None:
    done = on_small_disk(tmp_path, "size=4m", "db", "up", "--runtime", "java")
    assert done.returncode == 1
    assert "the disk is full; free some space (a server needs 256 MiB)" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_read_only_disk_is_one_sentence(tmp_path: Path) -> None:
    done = on_small_disk(tmp_path, "ro", "db", "up", "--runtime", "java")
    assert done.returncode == 1
    assert "cannot be written (Read-only file system); make it writable" in done.stderr


def test_import_without_tables_says_how_to_make_them(cli: CommandLine) -> None:
    done = cli("db", "import")
    assert done.code == 1
    assert done.err.startswith("Error: .medkg/tables: ")
    assert "there are no graph tables here; make them with 'medkg build'" in done.err
