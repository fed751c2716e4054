from pathlib import Path

import pytest

from kg.linking.umls import UmlsConfig
from kg.linking.umls.release import ReleaseFiles, read_release
from kg.progress import Silent
from tests.kg.linking.umls.mrconso import Names, real_names, terms, variants, write


@pytest.fixture(scope="module")
def names(shared_data: Path) -> Names:
    return real_names(shared_data)


def test_names_have_their_real_cuis(names: Names) -> None:
    assert "gout" in names.english["C0018099"]
    assert "Fever" in names.english["C0015967"]
    assert "发热" in names.chinese["C0015967"]
    assert (names.types["C0018099"], names.types["C0015967"]) == ("T047", "T033")


def test_name_is_spelled_as_vocabularies_do() -> None:
    written = {(vocabulary, text) for vocabulary, _, text in variants("hemolytic anemia 2")}
    assert {
        ("OMIM", "HEMOLYTIC ANEMIA 2"),
        ("SNOMEDCT_US", "hemolytic anemia 2 (disorder)"),
        ("MSH", "2, Hemolytic Anemia"),
        ("RCD", "haemolytic anaemia 2"),
        ("NCI", "hemolytic anemia II"),
    } <= written


def test_term_that_is_left_out_names_nothing(shared_data: Path, names: Names) -> None:
    gout = next(t for t in terms(shared_data, "mondo") if t.id == "MONDO:0005393")
    left = real_names(shared_data, without={"MONDO:0005393"})
    assert gout.cuis == {"C0018099"}
    assert names.english["C0018099"]["gout"] == "MTH"
    assert "MTH" not in left.english["C0018099"].values()


def test_every_row_is_well_formed(names: Names, tmp_path: Path) -> None:
    rows = write(tmp_path / "META", names, rows=5_000)
    config = UmlsConfig(folder=tmp_path / "META", languages=("en",))
    (tmp_path / "read").mkdir()
    read = read_release(ReleaseFiles.find(config.folder), config, tmp_path / "read", Silent())
    assert (read.rows, read.bad, read.bad_types) == (rows, 0, 0)
    assert read.kept > 3_500
    assert min(read.suppressed, read.other_language) > 50


def test_all_names_make_a_million_rows(names: Names) -> None:
    atoms = sum(len(own) * sum(1 for _ in variants("a b")) for own in names.english.values())
    assert atoms > 1_000_000
