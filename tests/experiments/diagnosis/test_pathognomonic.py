"""Textbooks' pathognomonic findings in the graph that 'medkg build' makes without a configuration."""

import subprocess
import sys
from pathlib import Path

import pytest

import kg
from kg.discrimination import score
from tests.experiments.diagnosis.pathognomonic import Standing, in_top, pairs, standings


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> list[Standing]:
    home = tmp_path_factory.mktemp("pathognomonic")
    medkg = Path(sys.executable).with_name("medkg")
    subprocess.run([medkg, "build"], cwd=home, capture_output=True, check=True)
    with kg.connect(str(home / ".medkg" / "graph.lbug")) as store:
        return list(standings(store, score(store)))


def test_list_has_a_hundred_pairs_each_once() -> None:
    assert len(pairs()) >= 100
    assert len({(diseases[0], findings[0]) for diseases, findings in pairs()}) == len(pairs())


def test_pathognomonic_findings_stand_far_above_chance(found: list[Standing]) -> None:
    known = [each for each in found if each.rank is not None]
    by_chance = sum(3 / max(each.findings, 3) for each in known) / len(known)
    assert len(known) >= 30
    assert in_top(known) / len(known) > 3 * by_chance
    assert in_top(known, 10) / len(known) > 0.5
