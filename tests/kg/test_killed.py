"""A process that is killed while it writes, applies or removes a layer, on the embedded engine."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import pytest

import kg
from kg.layers import LayerRows, apply_layers, list_layers, remove_layer, write_layer
from kg.progress import Silent
from kg.stores.store import Counts
from tests.conftest import REPOSITORY
from tests.kg.stores.conftest import write_tables

ROUNDS: Final = int(os.environ.get("MEDKG_TEST_KILLS", "3"))
"""Kills; more are for whoever changes how layers are kept."""

WORK: Final = """
import shutil, sys
from pathlib import Path
import kg
from kg.layers import apply_layers, remove_layer
from kg.progress import Silent
from tests.kg.test_killed import write

home = Path(sys.argv[1])
with kg.connect(str(home / "graph.lbug")) as store:
    print("begun", flush=True)
    while True:
        shutil.rmtree(home / "made", ignore_errors=True)
        write(home / "made")
        apply_layers([home / "made"], store, home / "layers", Silent(), replace=True)
        remove_layer("x", store, home / "layers", Silent())
"""

PLAIN: Final = Counts({"Disease": 1, "Symptom": 2}, {"HAS_SYMPTOM": 1, "IS_A": 1})
LAID: Final = Counts({"Disease": 1, "Symptom": 302}, {"IS_A": 1, "HAS_SYMPTOM": 300})


def write(folder: Path) -> None:
    nodes = [{"id": f"S:{n}", "type": "Symptom", "name": f"finding {n}"} for n in range(300)]
    edges = [{"head": "MONDO:1", "tail": f"S:{n}"} for n in range(300)]
    gone = {"head": "MONDO:1", "tail": "HP:2", "rule": "a", "reason": "a says so"}
    rows = LayerRows(nodes=nodes, edges={"HAS_SYMPTOM": edges}, removed={"HAS_SYMPTOM": [gone]})
    write_layer(folder, "x", rows, "test")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT])
def test_killed_process_leaves_the_graph_as_before_or_after(
    tmp_path: Path, how: signal.Signals
) -> None:
    chance = random.Random(how)  # noqa: S311 - moments, no secrets
    graph, layers = tmp_path / "graph.lbug", tmp_path / "layers"
    edges = [("MONDO:1", "HAS_SYMPTOM", "HP:2"), ("HP:1", "IS_A", "HP:2")]
    with kg.connect(str(graph)) as store:
        store.load(write_tables(tmp_path / "tables", edges=edges))
    for _ in range(ROUNDS):
        with subprocess.Popen(
            [sys.executable, "-c", WORK, str(tmp_path)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=REPOSITORY,  # so that it finds this module
        ) as process:
            assert process.stdout
            assert process.stdout.readline() == b"begun\n"
            time.sleep(chance.uniform(0.0, 2.0))
            process.send_signal(how)
        with kg.connect(str(graph)) as store:
            counts = store.counts()
            applied = store.applied_layers()
            assert (applied, counts) in (((), PLAIN), (("x",), LAID))
            shutil.rmtree(tmp_path / "made", ignore_errors=True)
            write(tmp_path / "made")
            apply_layers([tmp_path / "made"], store, layers, Silent(), replace=True)
            assert store.counts() == LAID
            assert [(layer.applied, layer.kept) for layer in list_layers(store, layers)] == [
                (True, True)
            ]
            remove_layer("x", store, layers, Silent())
            assert store.counts() == PLAIN
        assert sorted(path.name for path in layers.iterdir()) == ["x"]
