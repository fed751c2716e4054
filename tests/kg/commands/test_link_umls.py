import json
from pathlib import Path

import pytest

import kg
from tests.kg.commands.linked_names import PYSBD, medkg, write_names


@pytest.fixture
def names(tmp_path: Path) -> Path:
    return write_names(tmp_path)


# --- UMLS ---------------------------------------------------------------------------------

CONCEPTS = {
    "C0018099": ("gout", "T047"),
    "C0021400": ("influenza", "T047"),
    "C0010200": ("cough", "T184"),
}


@pytest.fixture
def umls(tmp_path: Path) -> Path:
    """A release of three concepts."""
    folder = tmp_path / "META"
    folder.mkdir()
    names = [
        f"{cui}|ENG|P|L1|PF|S1|Y|A{cui[1:]}||||MSH|MH|D1|{name}|0|N||\n"
        for cui, (name, _) in CONCEPTS.items()
    ]
    types = [f"{cui}|{tui}|A1|Type|AT1||\n" for cui, (_, tui) in CONCEPTS.items()]
    folder.joinpath("MRCONSO.RRF").write_text("".join(names))
    folder.joinpath("MRSTY.RRF").write_text("".join(types))
    return folder


@pytest.mark.filterwarnings(PYSBD)
def test_umls_gives_the_graph_its_concepts(graph_file: Path, umls: Path) -> None:
    result = medkg("link", "--umls", umls)
    assert result.exit_code == 0, result.stderr
    rows = [line.split() for line in result.stdout.splitlines()]
    assert ["Disease", "0", "1", "0", "0", "0", "2"] in [row[:7] for row in rows]
    assert "2 entities linked, 2 by an equal and 0 by a similar name; 0 have" in result.stderr
    assert "The links are now the layer cui of the graph." in result.stderr
    with kg.connect(str(graph_file)) as store:
        assert store.applied_layers() == ("cui",)
        assert [row["cui"] for row in store.query("entity.cuis").dicts()] == [
            "C0018099",
            "C0010200",
        ]
    said = json.loads(medkg("link", "gout", "--json").stdout)
    assert said["mentions"][0]["entity"]["cuis"] == ["C0018099"]


@pytest.mark.filterwarnings(PYSBD)
@pytest.mark.usefixtures("graph_file")
def test_umls_as_json_and_only_what_is_asked_for(umls: Path) -> None:
    options = ("--umls-type", "T184", "--umls-language", "ENG", "--umls-source", "msh")
    said = json.loads(medkg("link", "--umls", umls, *options, "--json").stdout)
    assert {row["type"]: row["exact"] for row in said["types"]} == {"Disease": 0, "Symptom": 1}
    assert (said["changed"], Path(said["disagreements"]).is_file()) == (True, True)
    again = medkg("link", "--umls", umls, *options)
    assert again.stderr.endswith("nothing was changed.\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--umls", ".", "--names", "names.csv"], "--umls and --names exclude each other"),
        (["--umls", ".", "flu"], "--umls and TEXT exclude each other"),
        (["--umls", ".", "--evaluate", "names.csv"], "--umls and --evaluate exclude each other"),
        (["flu", "--umls-type", "T047"], "--umls-type is about --umls; give that too"),
        (["--umls", ".", "--umls-type", "Disease"], "--umls: 'DISEASE' is not a semantic type"),
        (["--umls", ".", "--umls-language", "xx"], "--umls: 'xx' is not a language that medkg"),
        (["--umls", "nowhere"], "Directory 'nowhere' does not exist"),
    ],
)
@pytest.mark.usefixtures("names")
def test_wrong_use_of_umls_is_exit_2_with_a_sentence(arguments: list[str], message: str) -> None:
    result = medkg("link", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in " ".join(result.stderr.split())


@pytest.mark.usefixtures("graph_file")
def test_a_folder_without_umls_is_one_sentence(tmp_path: Path) -> None:
    result = medkg("link", "--umls", tmp_path)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "MRCONSO.RRF" in result.stderr
