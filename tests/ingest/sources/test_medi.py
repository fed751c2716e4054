import gzip
from pathlib import Path

import pytest

from ingest.sources import MediSource
from ingest.sources.medi.source import COLUMNS
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read

ALLOPURINOL = "519,Allopurinol"


def table(folder: Path, *rows: str) -> MediSource:
    path = folder / "medi.csv"
    path.write_text("\n".join([",".join(COLUMNS), *rows]) + "\n", encoding="utf-8")
    return MediSource(kind="medi", file=path)


def test_row_is_an_edge_with_the_number_of_resources(tmp_path: Path, read: Read) -> None:
    left = read(table(tmp_path, f'{ALLOPURINOL},C0018099,274.9,"Gout, unspecified",4,1,1'))
    (edge,) = [a for a in left.assertions if a["relation"] == "INDICATED_FOR"]
    assert {name: value for name, value in edge.items() if value is not None} == {
        "source": "medi",
        "file": "medi.csv",
        "row": 1,
        "original_relation": "MEDI",
        "head": "RXNORM:519",
        "head_type": "Drug",
        "head_name": "Allopurinol",
        "relation": "INDICATED_FOR",
        "tail": "ICD9CM:274.9",
        "tail_type": "Disease",
        "tail_name": "Gout, unspecified",
        "language": "en",
        "evidence": "HIGHPRECISIONSUBSET|POSSIBLE_LABEL_USE",
        "weight": 4.0,
    }


def test_concept_of_a_code_is_that_of_no_other(tmp_path: Path, read: Read) -> None:
    rows = [
        f"{ALLOPURINOL},C0018099,274.9,Gout; unspecified,4,1,1",
        "44,Mesna,C0018965,599.7,Hematuria,1,0,0",
        "44,Mesna,C0018965,599.70,Hematuria; unspecified,1,0,0",
    ]
    left = read(table(tmp_path, *rows))
    assert [fact for fact in left.facts() if fact[1] != "INDICATED_FOR"] == [
        ("ICD9CM:274.9", "HAS_CUI", "UMLS:C0018099"),
        ("ICD9CM:599.7", "HAS_XREF", "UMLS:C0018965"),
        ("ICD9CM:599.70", "HAS_XREF", "UMLS:C0018965"),
    ]


def test_code_of_the_chapter_of_symptoms_is_a_finding(tmp_path: Path, read: Read) -> None:
    rows = [
        "161,Acetaminophen,C0018681,784.0,Headache,4,1,1",
        f"{ALLOPURINOL},C0018099,274,Gout,1,0,0",
    ]
    left = read(table(tmp_path, *rows))
    types = {
        a["tail"]: a["tail_type"] for a in left.assertions if a["relation"] == "INDICATED_FOR"
    }
    assert types == {"ICD9CM:784.0": "Symptom", "ICD9CM:274": "Disease"}


def test_code_without_a_name_stands_by_itself(tmp_path: Path, read: Read) -> None:
    left = read(table(tmp_path, "4815,Glyburide,C0011849,250,,3,1,0"))
    assert ("RXNORM:4815", "INDICATED_FOR", "ICD9CM:250") in left.facts()


def test_rows_that_name_no_disease_are_quarantined(tmp_path: Path, read: Read) -> None:
    rows = [
        "149,Acebutolol,C0020538,401-405.99,,4,1,1",
        "723,Amoxicillin,C0162627,686.8|041.9,,1,1,0",
        "161,Acetaminophen,C0041618,88.7,Diagnostic ultrasound,1,0,0",
        "161,Acetaminophen,C0041618,pain,Pain,1,0,0",
        "x,Acetaminophen,C0030193,338,Pain,1,0,0",
        "161,Acetaminophen,30193,338,Pain,1,0,0",
        "161,Acetaminophen",
    ]
    assert read(table(tmp_path, *rows)).reasons() == {
        1: "a range of codes of ICD-9-CM, for which MEDI has no name",
        2: "several codes of ICD-9-CM together, for which MEDI has no name",
        3: "a code of a procedure, not of what the drug is given for",
        4: "'pain' is no code of ICD-9-CM",
        5: "'x' is no RxNorm id",
        6: "'30193' is no CUI",
        7: "the row has fewer fields than the header",
    }


def test_odd_number_of_resources_is_a_problem(tmp_path: Path, read: Read) -> None:
    left = read(table(tmp_path, f"{ALLOPURINOL},C0018099,274.9,Gout,many,0,0"))
    (edge,) = [a for a in left.assertions if a["relation"] == "INDICATED_FOR"]
    assert edge["problem"] == "'many' is no number of resources"


def test_unusable_files_are_told(tmp_path: Path, read: Read) -> None:
    source = table(tmp_path)
    source.file.write_text("RXCUI_IN,DRUG_DESC\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"medi.csv: the header lacks 'UMLS_CUI'"):
        read(source)
    source.file.write_text("", encoding="utf-8")
    with pytest.raises(SourceError, match=r"medi.csv: the file is empty"):
        read(source)
    source.file.write_bytes(f"{','.join(COLUMNS)}\n1,M\xe9,C0018099".encode("latin-1"))
    with pytest.raises(SourceError, match=r"medi.csv.*not UTF-8 text"):
        read(source)


def test_whole_table_is_accounted_for(shared_data: Path, read: Read) -> None:
    path = shared_data / "indications" / "MEDI_01212013_UMLS.csv.gz"
    left = read(MediSource(kind="medi", file=path))
    with gzip.open(path) as lines:
        assert left.rows == {"MEDI": sum(bool(line.strip()) for line in lines) - 1}
    counts = {
        relation: sum(a["relation"] == relation for a in left.assertions)
        for relation in ("INDICATED_FOR", "HAS_CUI", "HAS_XREF")
    }
    assert counts == {"INDICATED_FOR": 63_875, "HAS_CUI": 1_163, "HAS_XREF": 3_795}
    assert len(left.quarantine) == 4_660
