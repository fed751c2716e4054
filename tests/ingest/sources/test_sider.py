import gzip
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import duckdb
import pytest

from ingest.sources import SiderSource
from ingest.sources import read as read_source
from ingest.sources.relations import RelationMap
from ingest.sources.sider.layout import (
    ADVERSE,
    FREQUENCIES,
    INDICATIONS,
    MAPPED_INDICATIONS,
    NAMES,
    TERMS,
    Layout,
)
from kg.errors import SourceError
from kg.progress import Silent
from tests.ingest.sources.conftest import Left, Read

METFORMIN = "CID100004091"
STEREO = "CID000004091"
NAUSEA = ("PT", "C0027497", "Nausea")
DIABETES = ("PT", "C0011860", "Type 2 diabetes mellitus")


def adverse(
    *term: str, flat: str = METFORMIN, stereo: str = STEREO, label: str = "C0027497"
) -> str:
    return "\t".join((flat, stereo, label, *(term or NAUSEA)))


def frequency(
    text: str, lower: str, upper: str, placebo: str = "", term: tuple[str, ...] = NAUSEA
) -> str:
    return "\t".join((METFORMIN, STEREO, "C0027497", placebo, text, lower, upper, *term))


def indication(method: str, *term: str) -> str:
    concept = ("C0011860", method, "Diabetes Mellitus, Non-Insulin-Dependent")
    return "\t".join((METFORMIN, *concept, *(term or DIABETES)))


def folder_of(folder: Path, **files: Iterable[str]) -> SiderSource:
    """The folder with files, by the names of ``layout``."""
    layouts = {"adverse": ADVERSE, "frequencies": FREQUENCIES, "indications": INDICATIONS,
               "names": NAMES, "mapped": MAPPED_INDICATIONS, "terms": TERMS}  # fmt: skip
    for name, rows in files.items():
        layout: Layout = layouts[name]
        header = ["\t".join(layout.columns)] if layout.has_header else []
        text = "\n".join([*header, *rows]) + "\n"
        (folder / layout.name).write_text(text, encoding="utf-8")
    return SiderSource(kind="sider", folder=folder)


def facts(left: Left) -> list[tuple[Any, ...]]:
    return sorted(left.facts())


def test_adverse_reaction_is_a_symptom_with_its_concept(tmp_path: Path, read: Read) -> None:
    left = read(folder_of(tmp_path, adverse=[adverse()], names=[f"{METFORMIN}\tmetformin"]))
    assert facts(left) == [
        ("Nausea", "HAS_CUI", "UMLS:C0027497"),
        ("PUBCHEM.COMPOUND:4091", "HAS_ADVERSE_REACTION", "Nausea"),
        ("PUBCHEM.COMPOUND:4091", "HAS_NAME", "metformin"),
        ("PUBCHEM.COMPOUND:4091", "HAS_XREF", "PUBCHEM.COMPOUND:4091"),
    ]
    assert {(a["head_type"], a["tail_type"]) for a in left.assertions} == {
        ("Drug", "Symptom"),
        ("Symptom", "Concept"),
        ("Drug", None),
    }


def test_compound_without_stereochemistry_is_the_node(tmp_path: Path, read: Read) -> None:
    row = adverse(flat="CID100000085", stereo="CID000010917")  # carnitine, levocarnitine
    left = read(folder_of(tmp_path, adverse=[row]))
    assert ("PUBCHEM.COMPOUND:85", "HAS_XREF", "PUBCHEM.COMPOUND:10917") in left.facts()


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        (frequency("21%", "0.21", "0.21"), (0.21, "21%", None)),
        (frequency("1 to 3", "0.01", "0.03"), (0.02, "1 to 3", None)),
        (frequency("common", "0.01", "1"), (None, "common", None)),
        (frequency("postmarketing", "0", "0.001"), (None, "postmarketing", None)),
        (
            frequency("7%", "0.9", "0.07"),
            (None, None, "the frequency '7%' has no such bounds"),
        ),
    ],
)
def test_only_what_was_counted_has_a_frequency(
    tmp_path: Path, read: Read, row: str, expected: tuple[object, ...]
) -> None:
    left = read(folder_of(tmp_path, frequencies=[row]))
    (edge,) = [a for a in left.assertions if a["relation"] == "HAS_ADVERSE_REACTION"]
    assert edge["problem"] is None
    assert (edge["frequency"], edge["frequency_text"], left.reasons().get(1)) == expected


def test_what_a_row_does_not_say_of_the_drug_is_quarantined(tmp_path: Path, read: Read) -> None:
    rows = [
        frequency("5%", "0.05", "0.05", placebo="placebo"),
        frequency("0%", "0", "0"),
        frequency("5%", "0.05", "0.05", term=("LLT", "C0027497", "Nausea")),
        frequency("5%", "0.05", "0.05", term=("", "", "Ear and labyrinth disorders")),
        frequency("5%", "0.05", "0.05", term=("PT", "C27497", "Nausea")),
    ]
    left = read(folder_of(tmp_path, frequencies=rows))
    assert left.reasons() == {
        1: "seen in patients who were given a placebo",
        2: "seen in none of the patients",
        3: "a lowest level term, which its preferred term stands for",
        4: "neither a preferred nor a lowest level term of MedDRA",
        5: "'C27497' is no CUI",
    }
    assert left.assertions == []


def test_of_the_terms_of_a_label_that_which_is_its_own_word_is_read(
    tmp_path: Path, read: Read
) -> None:
    rows = [
        adverse("LLT", "C0019080", "Haemorrhage", label="C0019080"),
        adverse("PT", "C0019080", "Haemorrhage", label="C0019080"),
        adverse("PT", "C0019046", "Haemoglobin", label="C0019080"),
        # the label's word is no preferred term: what stands for it is read
        adverse("LLT", "C0015230", "Skin rash", label="C0015230"),
        adverse("PT", "C0015230", "Rash", label="C0015230"),
    ]
    left = read(folder_of(tmp_path, adverse=rows))
    reactions = [tail for _, word, tail in left.facts() if word == "HAS_ADVERSE_REACTION"]
    assert sorted(reactions) == ["Haemorrhage", "Rash"]
    assert left.reasons()[3] == "not the label's term, which is a preferred term itself"


def test_a_procedure_is_no_adverse_reaction_and_may_be_what_a_drug_is_for(
    tmp_path: Path, read: Read
) -> None:
    surgery = ("PT", "C0543467", "Surgery")
    left = read(
        folder_of(
            tmp_path,
            adverse=[adverse(*surgery)],
            indications=[indication("text_mention", *surgery)],
        )
    )
    assert [a["relation"] for a in left.assertions if a["tail_name"]] == ["INDICATED_FOR"]
    assert [q["reason"] for q in left.quarantine] == ["a procedure or test, and no reaction"]


def test_indication_is_a_disease_with_the_method_as_evidence(tmp_path: Path, read: Read) -> None:
    rows = [
        indication("NLP_indication"),
        indication("text_mention"),
        indication("NLP_precondition"),
        indication("guessed"),
    ]
    left = read(folder_of(tmp_path, indications=rows))
    edges = [a for a in left.assertions if a["relation"] == "INDICATED_FOR"]
    assert [(a["tail_type"], a["tail_name"], a["evidence"]) for a in edges] == [
        ("Disease", "Type 2 diabetes mellitus", "NLP_indication"),
        ("Disease", "Type 2 diabetes mellitus", "text_mention"),
    ]
    assert left.reasons() == {
        3: "what patients must have had before is not what the drug is for",
        4: "SIDER has no such method: guessed",
    }


def test_mapped_tables_give_names_and_ids_of_drugbank(tmp_path: Path, read: Read) -> None:
    row = "DB00331\tMetformin\t4091\t" + indication("NLP_indication")
    left = read(folder_of(tmp_path, mapped=[row], terms=["C0027497\tNausea"]))
    assert facts(left) == [
        ("Nausea", "HAS_CUI", "UMLS:C0027497"),
        ("PUBCHEM.COMPOUND:4091", "HAS_XREF", "DRUGBANK:DB00331"),
        ("PUBCHEM.COMPOUND:4091", "INDICATED_FOR", "Type 2 diabetes mellitus"),
        ("Type 2 diabetes mellitus", "HAS_CUI", "UMLS:C0011860"),
    ]
    assert {a["head_name"] for a in left.assertions if a["relation"] == "INDICATED_FOR"} == {
        "Metformin"
    }


def test_broken_rows_are_quarantined(tmp_path: Path, read: Read) -> None:
    rows = [adverse(), "CID1\tonly two", adverse(flat="4091"), adverse(stereo="x")]
    left = read(folder_of(tmp_path, adverse=rows, names=[f"{METFORMIN}\t"]))
    assert [(q["file"], q["row"], q["reason"]) for q in left.quarantine] == [
        ("drug_names.tsv", 1, "the row names no drug"),
        ("meddra_all_se.tsv", 2, "the row has fewer fields than the header"),
        ("meddra_all_se.tsv", 3, "'4091' is no flat STITCH id"),
        ("meddra_all_se.tsv", 4, "'x' is no stereo STITCH id"),
    ]


def test_unusable_files_are_told(tmp_path: Path, read: Read) -> None:
    source = SiderSource(kind="sider", folder=tmp_path)
    with pytest.raises(SourceError, match="none of SIDER's files"):
        read(source)
    path = tmp_path / "meddra_all_se.tsv"
    path.write_text("CID100004091\tC0027497\n", encoding="utf-8")
    with pytest.raises(SourceError, match=r"meddra_all_se.tsv, row 1: has 2 fields, not the 6"):
        read(source)
    path.write_bytes(adverse().encode() + b"\n" + adverse().encode().replace(b"Na", b"N\xe9"))
    with pytest.raises(SourceError, match=r"meddra_all_se.tsv.*not UTF-8 text"):
        read(source)
    path.unlink()
    (tmp_path / "meddra_all_se.tsv.gz").write_bytes(gzip.compress(b"x" * 100)[:-9])
    with pytest.raises(SourceError, match="damaged or cut off"):
        read(source)


def test_every_word_has_one_meaning() -> None:
    words = RelationMap.of("ingest.sources.sider")
    assert all(len(mapped) == 1 for mapped in words.relations.values())


class Whole(NamedTuple):
    """SIDER as downloaded: its rows, and what was written."""

    rows: dict[str, int]
    out: Path

    def ask(self, query: str) -> list[tuple[Any, ...]]:
        with duckdb.connect() as connection:
            for name in ("assertions", "quarantine"):
                connection.read_parquet(str(self.out / f"{name}.parquet")).create_view(name)
            return connection.execute(query).fetchall()


@pytest.fixture(scope="module")
def whole(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Whole:
    out = tmp_path_factory.mktemp("sider") / "out"
    source = SiderSource(kind="sider", folder=shared_data / "sider4")
    return Whole(read_source(source, out, Silent()).rows, out)


def test_whole_release_is_accounted_for(whole: Whole) -> None:
    assert whole.rows == {
        "NLP_indication": 14_991,
        "NLP_precondition": 5_526,
        "meddra_all_se": 309_849,
        "meddra_freq": 253_732,
        "meddra_freq placebo": 37_900,
        "side-effect-terms": 5_734,
        "text_mention": 26_846,
    }
    written = whole.ask(
        "select original_relation, count(distinct (file, row)) from ("
        "select original_relation, file, row from assertions union all "
        "select original_relation, file, row from quarantine) group by 1"
    )
    assert dict(written) == whole.rows


def test_whole_release_has_the_known_numbers_of_edges(whole: Whole) -> None:
    edges = whole.ask(
        "select relation, file, count(*), count(frequency) from assertions "
        "where tail_name is not null group by all order by all"
    )
    assert edges == [
        ("HAS_ADVERSE_REACTION", "meddra_all_se.tsv.gz", 146_539, 0),
        ("HAS_ADVERSE_REACTION", "meddra_freq.tsv.gz", 115_354, 70_381),
        ("INDICATED_FOR", "indications.tsv", 14_680, 0),
        ("INDICATED_FOR", "meddra_all_indications.tsv.gz", 13_015, 0),
    ]
