import gzip
from pathlib import Path

import pytest

from ingest.configuration import BuildConfig
from ingest.sources import SampleSource, SymCatSource
from ingest.sources.symcat.source import COLUMNS
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read

GOUT = "Toe pain\tGout\t31"


def table(folder: Path, *rows: str) -> SymCatSource:
    path = folder / "symcat.tsv"
    path.write_text("\n".join(["\t".join(COLUMNS), *rows]) + "\n", encoding="utf-8")
    return SymCatSource(kind="symcat", file=path)


def test_percentage_of_people_with_the_symptom_is_a_weight_and_no_frequency(
    tmp_path: Path, read: Read
) -> None:
    (edge,) = read(table(tmp_path, GOUT)).assertions
    assert {name: value for name, value in edge.items() if value is not None} == {
        "source": "symcat",
        "file": "symcat.tsv",
        "row": 1,
        "original_relation": "SymCat",
        "head_type": "Disease",
        "head_name": "Gout",
        "relation": "COOCCURS_WITH",
        "tail_type": "Symptom",
        "tail_name": "Toe pain",
        "language": "en",
        "evidence": "31% of the people with the symptom had the condition",
        "weight": 31.0,
    }


def test_abbreviation_behind_a_name_is_no_part_of_it(tmp_path: Path, read: Read) -> None:
    rows = [
        "Cough\tChronic obstructive pulmonary disease (COPD)\t8",
        "Anxiety\tDrug abuse (cocaine)\t4",
        "Apnea\t(OSA)\t54",
    ]
    assert [head for head, _, _ in read(table(tmp_path, *rows)).facts()] == [
        "Chronic obstructive pulmonary disease",
        "Drug abuse (cocaine)",
        "(OSA)",
    ]


def test_rows_that_say_nothing_are_quarantined(tmp_path: Path, read: Read) -> None:
    rows = ["\tGout\t3", "Toe pain\t \t3", "Toe pain\tGout", "Toe pain\tGout\t3\t4"]
    assert read(table(tmp_path, *rows)).reasons() == {
        1: "the row names no symptom or no condition",
        2: "the row names no symptom or no condition",
        3: "the row has fewer fields than the header",
        4: "the row has more fields than the header",
    }


@pytest.mark.parametrize("percent", ["", "0", "101", "-3", "nan", "inf", "1e1", "31%", "٣"])
def test_odd_percentages_are_quarantined(tmp_path: Path, read: Read, percent: str) -> None:
    left = read(table(tmp_path, f"Toe pain\tGout\t{percent}"))
    assert left.reasons() == {1: f"'{percent}' is no percentage above 0, up to 100"}


def test_unusable_files_are_told(tmp_path: Path, read: Read) -> None:
    source = table(tmp_path)
    source.file.write_text("symptom\tcondition\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"lacks 'percent_of_people_with_symptom'"):
        read(source)
    source.file.write_bytes(b"")
    with pytest.raises(SourceError, match=r"symcat.tsv: the file is empty"):
        read(source)
    source.file.write_bytes("\t".join(COLUMNS).encode() + b"\nM\xe9tabolique\tGout\t3\n")
    with pytest.raises(SourceError, match=r"symcat.tsv.*not UTF-8 text"):
        read(source)


def test_names_are_linked_where_the_configuration_says_so(tmp_path: Path) -> None:
    linked = table(tmp_path).model_copy(update={"link": True})
    config = BuildConfig(sources=(SampleSource(kind="sample"), linked))
    assert config.text_born == {"symcat"}


def test_packed_table_is_read_alike(tmp_path: Path, read: Read) -> None:
    source = table(tmp_path, GOUT)
    packed = tmp_path / "symcat.tsv.gz"
    packed.write_bytes(gzip.compress(source.file.read_bytes()))
    assert read(SymCatSource(kind="symcat", file=packed)).facts() == read(source).facts()


def test_whole_table_is_read(shared_data: Path, read: Read) -> None:
    path = shared_data / "symcat" / "symptom_condition.tsv"
    left = read(SymCatSource(kind="symcat", file=path))
    assert (left.rows, len(left.assertions)) == ({"SymCat": 2_671}, 2_671)
    assert [a for a in left.assertions if a["frequency"] is not None or a["problem"]] == []
