"""``medkg eval cases``: what it writes and prints, and what it says of options and files that are wrong."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import kg
from evalsim.case import read_cases
from kg.commands import main
from kg.stores.store import Store
from tests.kg.stores.conftest import write_tables


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MEDKG_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def cases(store: Store, *options: str) -> Result:
    return CliRunner().invoke(main, ["eval", "cases", *options, "--graph", store.uri])


def test_cases_go_to_the_home_and_what_was_drawn_is_printed(practice: Store, home: Path) -> None:
    result = cases(practice)
    assert result.exit_code == 0
    file = home / "cases" / "diagnosis-en.jsonl"
    assert [case.target.name for case in read_cases(file)] == ["gout", "pneumonia"]
    assert f"2 cases of 2 that could be drawn, in {file}" in result.stderr
    assert "500 were asked for; a larger graph, or more sources, would have more" in result.stderr
    report = json.loads(file.with_suffix(".report.json").read_text("utf-8"))
    assert (report["drawn"], report["left_out"]) == (2, {"wording of a classification": 1})
    assert "wording of a classification" in result.stdout


def test_options_choose_what_is_drawn_and_where_it_goes(
    practice: Store, home: Path, tmp_path: Path
) -> None:
    to = tmp_path / "new" / "drugs.jsonl"
    options = ("--task", "medication", "-n", "1", "--seed", "3", "--to", str(to), "--json")
    result = cases(practice, *options)
    assert result.exit_code == 0
    assert json.loads(result.stdout) == json.loads(
        to.with_suffix(".report.json").read_text("utf-8")
    )
    assert [case.target.name for case in read_cases(to)] == ["Colchicine"]
    assert not (home / "cases").exists()


def test_diseases_that_another_graph_does_not_know_are_not_drawn(
    practice: Store, home: Path, tmp_path: Path
) -> None:
    findings = [(f"HP:{n}", "Symptom", f"finding {n}") for n in (1, 2, 3)]
    named = ("OTHER:7", "Disease", "Podagra")  # gout by another of its names, with another id
    edges = [("OTHER:7", "HAS_SYMPTOM", id_) for id_, *_ in findings]
    unlike = ("MONDO:2", "Disease", "pneumonia")  # with two findings, which are too few
    edges += [("MONDO:2", "HAS_SYMPTOM", id_) for id_, *_ in findings[:2]]
    tables = write_tables(tmp_path / "tables", nodes=[named, unlike, *findings], edges=edges)
    other = tmp_path / "other.lbug"
    with kg.connect(str(other)) as store:
        store.load(tables)
    result = cases(practice, "--known-to", str(other))
    assert result.exit_code == 0, result.output
    file = home / "cases" / "diagnosis-en.jsonl"
    assert [case.target.id for case in read_cases(file)] == ["MONDO:1"]
    assert "not known to the other graph" in result.stdout


def test_a_source_that_the_graph_has_not_is_told_with_those_that_it_has(
    practice: Store, home: Path
) -> None:
    result = cases(practice, "--source", "nosuch")
    assert result.exit_code == 1
    assert "has no source nosuch; its sources are other, test" in result.stderr
    assert not (home / "cases").exists()


@pytest.mark.usefixtures("home")
def test_a_graph_from_which_nothing_is_withheld_is_warned_of(practice: Store) -> None:
    result = cases(practice, "--source", "test", "--known-to", practice.uri)
    assert result.exit_code == 0
    assert "has the source test itself, so that nothing is withheld" in result.stderr


def test_another_graph_is_asked_for_drawn_diseases_alone(practice: Store, home: Path) -> None:
    result = cases(practice, "--known-to", "nowhere.lbug", "--task", "medication")
    assert result.exit_code == 2
    assert "--known-to belongs to diseases that are drawn" in result.stderr
    assert not (home / "cases").exists()


def test_same_options_give_the_same_bytes(practice: Store, home: Path, tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one.jsonl", "other.jsonl")]
    for file in files:
        cases(practice, "--seed", "5", "--to", str(file))
    assert files[0].read_bytes() == files[1].read_bytes()
    assert not home.exists() or not (home / "cases").exists()


def test_cases_of_a_set_are_read_from_its_file(
    practice: Store, home: Path, tmp_path: Path
) -> None:
    row = {
        "OSCE_Examination": {
            "Patient_Actor": {
                "Demographics": "52-year-old male",
                "Symptoms": {"Primary_Symptom": "Joint pain", "Secondary_Symptoms": []},
            },
            "Physical_Examination_Findings": {"Joints": "joint swelling in gout"},
            "Test_Results": {},
            "Correct_Diagnosis": "Gout",
        }
    }
    file = tmp_path / "rows.jsonl"
    file.write_text(json.dumps(row) + "\n", "utf-8")
    result = cases(practice, "--from", "agentclinic", str(file))
    assert result.exit_code == 0
    (case,) = read_cases(home / "cases" / "rows.jsonl")
    assert case.target.id == "MONDO:1"
    assert "1 cases of 1 rows" in result.stderr
    assert "joint swelling in gout" in result.stdout  # names the diagnosis


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--task", "surgery"), "'surgery' is not one of"),
        (("--language", "fr"), "'fr' is not one of"),
        (("-n", "0"), "0 is not in the range"),
        (("--from", "medqa", "x.jsonl"), "'medqa' is not one of"),
        (("--to", "."), "is a directory"),
    ],
)
def test_wrong_option_is_refused(
    practice: Store, home: Path, options: tuple[str, ...], message: str
) -> None:
    result = cases(practice, *options)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not home.exists()


def test_source_that_states_nothing_leaves_nothing_to_draw(practice: Store, home: Path) -> None:
    result = cases(practice, "--source", "other")
    assert result.exit_code == 1
    assert "has nothing that a case can be made of" in result.stderr
    assert "other" in result.stderr
    assert not (home / "cases").exists()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "set.jsonl: cannot be read"),
        ("{", "set.jsonl, line 1: is no row of agentclinic"),
        ("[]\n", "set.jsonl, line 1: is no row of agentclinic"),
        ('{"context": []}\n', "set.jsonl, line 1: is no row of agentclinic"),
    ],
)
def test_file_of_a_set_that_is_none_is_named(
    practice: Store, home: Path, tmp_path: Path, content: str | None, message: str
) -> None:
    file = tmp_path / "set.jsonl"
    if content is not None:
        file.write_text(content, "utf-8")
    result = cases(practice, "--from", "agentclinic", str(file))
    assert result.exit_code == 1
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert not (home / "cases").exists()


def test_folder_that_cannot_be_written_is_named(
    practice: Store, home: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    result = cases(practice, "--to", str(tmp_path / "file" / "cases.jsonl"))
    assert result.exit_code == 1
    assert "cannot be written" in result.stderr
    assert "name another file with --to" in result.stderr
    del home


def test_graph_that_is_not_there_is_an_error_in_one_sentence(home: Path, tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["eval", "cases", "--graph", str(tmp_path / "no.lbug")])
    assert result.exit_code == 1
    assert "no.lbug" in result.stderr
    assert "Traceback" not in result.output
    del home
