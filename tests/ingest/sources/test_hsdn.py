from pathlib import Path

import pytest

from ingest.sources import HsdnSource
from ingest.sources.hsdn.source import MAPPED, PUBLISHED
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read


def table(folder: Path, columns: tuple[str, ...], *rows: tuple[str, ...]) -> HsdnSource:
    path = folder / "hsdn.tsv"
    path.write_text("\n".join(map("\t".join, (columns, *rows))) + "\n", encoding="utf-8")
    return HsdnSource(kind="hsdn", file=path)


def mapped(**given: str) -> tuple[str, ...]:
    row = {
        "symptom_name": "Cough",
        "disease_name": "Asthma",
        "cooccurs": "1048",
        "tfidf_score": "1890.5",
        "disease_id": "D001249",
        "symptom_id": "D003371",
        "doid_code": "DOID:2841",
        "doid_name": "asthma",
    }
    return tuple((row | given).values())


def test_row_is_a_weighted_edge_and_a_reference(tmp_path: Path, read: Read) -> None:
    left = read(table(tmp_path, MAPPED, mapped()))
    assert left.facts() == [
        ("DOID:2841", "COOCCURS_WITH", "MESH:D003371"),
        ("DOID:2841", "HAS_XREF", "MESH:D001249"),
    ]
    edge = left.assertions[0]
    assert (edge["weight"], edge["evidence"]) == (
        1890.5,
        "named together in 1048 publications; weight is TF-IDF",
    )
    assert (edge["head_name"], edge["tail_name"], edge["tail_type"]) == (
        "asthma",
        "Cough",
        "Symptom",
    )


def test_published_table_has_names_only(tmp_path: Path, read: Read) -> None:
    left = read(table(tmp_path, PUBLISHED, ("Cough", "Asthma", "1048", "1890.5"), ("", "Asthma")))
    assert left.facts() == [("Asthma", "COOCCURS_WITH", "Cough")]
    assert left.reasons() == {2: "the row has fewer fields than the header"}


def test_rows_without_ids_or_names_are_quarantined(tmp_path: Path, read: Read) -> None:
    rows = (mapped(symptom_id="Cough"), mapped(doid_code="2841"))
    assert read(table(tmp_path, MAPPED, *rows)).reasons() == {
        1: "'Cough' is no id for symptom_id",
        2: "'2841' is no id for doid_code",
    }
    left = read(table(tmp_path, PUBLISHED, ("", "Asthma", "1", "1")))
    assert left.reasons() == {1: "the row names no symptom or no disease"}


@pytest.mark.parametrize("number", ["", "high", "nan", "inf"])
def test_odd_numbers_are_a_problem(tmp_path: Path, read: Read, number: str) -> None:
    left = read(table(tmp_path, MAPPED, mapped(tfidf_score=number)))
    edge = left.assertions[0]
    assert (edge["weight"], edge["problem"]) == (
        None,
        f"'1048' publications, score '{number}': no numbers",
    )


def test_unusable_files_are_told(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match=r"hsdn.tsv: the header lacks 'symptom_name'"):
        read(table(tmp_path, ("a", "b")))
    source = table(tmp_path, MAPPED)
    source.file.write_text("", encoding="utf-8")
    with pytest.raises(SourceError, match=r"hsdn.tsv: the file is empty"):
        read(source)


def test_whole_table_is_read(shared_data: Path, read: Read) -> None:
    left = read(HsdnSource(kind="hsdn", file=shared_data / "hsdn" / "symptoms-DO.tsv"))
    assert (left.rows, left.quarantine) == ({"HSDN": 10_465}, [])
    assert len(left.assertions) == 2 * 10_465
    assert all(a["problem"] is None for a in left.assertions)
