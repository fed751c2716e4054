from pathlib import Path

import pytest

from kg.linking.gold import Gold
from tests.experiments.linking.experiment import Experiment, whole
from tests.experiments.linking.page import chapter_page, page
from tests.experiments.linking.rivals import ExactOnly
from tests.experiments.linking.run import Ran, run
from tests.experiments.linking.vocabularies import Entity, names_table

ENTITIES = [
    Entity("X:1", "Disease", ("myocardial infarction", "heart attack"), cuis=frozenset({"C0027051"})),
    Entity("X:2", "Disease", ("asthma",)),
    Entity("X:3", "Symptom", ("cough", "asthma")),
]  # fmt: skip
LINES = [
    whole("Heart attack", ["C0027051"], "Disease"),
    whole("heart atack", ["X:1"], "Disease"),
    whole("broken heart", [], "Disease"),
]


@pytest.fixture
def ran(tmp_path: Path) -> Ran:
    pytest.importorskip("fuzzywuzzy")
    made = Experiment("Test", names_table(ENTITIES), {"all": LINES}, ("a remark",))
    (only,) = run([made], tmp_path, seed=1, sample=3)
    return only


def test_experiment_leaves_its_files_for_the_command_line(ran: Ran, tmp_path: Path) -> None:
    assert ran.names == 5
    assert len(Gold.read(tmp_path / "test" / "all.jsonl").texts) == 3
    assert (tmp_path / "test" / "names.parquet").exists()
    assert (tmp_path / "test" / "all.evaluation.json").exists()


def test_rivals_are_run_on_the_same_sample(ran: Ran) -> None:
    assert [result.linker for result in ran.sample] == [
        "medkg",
        "exact names only",
        "rapidfuzz WRatio, all names",
        "fuzzywuzzy WRatio",
    ]
    assert all(result.evaluation.mentions == 3 for result in ran.sample)


def test_page_has_the_figures_and_the_command(ran: Ran) -> None:
    told = page([chapter_page("noise", [ran])], seed=1, sample=3)
    assert "`python -m tests.experiments.linking noise --data ../shared/data`" in told
    assert "**Test**: 5 names, threshold used en " in told
    assert "a remark" in told
    assert "| all | exact names only | 3 | 2 |" in told


def test_exact_names_abstain_where_two_entities_share_the_name() -> None:
    rival = ExactOnly(names_table(ENTITIES))
    assert rival.resolve("HEART-ATTACK").entity is not None
    assert rival.resolve("asthma").entity is None
    assert [each.id for each in rival.resolve("asthma").candidates] == ["X:2", "X:3"]
    assert rival.resolve("asthma", {"Symptom"}).linked
    assert not rival.resolve("heart atack").candidates
