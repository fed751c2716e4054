import gzip
from pathlib import Path

import duckdb
import pytest

from kg.errors import LinkingError
from kg.linking.umls import UmlsConfig
from kg.linking.umls.release import ReadRows, ReleaseFiles, read_release
from kg.progress import Silent
from tests.kg.linking.umls.conftest import conso, sty, write_release

GOUT = ("C0018099", "ENG", "Gout")


def read(config: UmlsConfig, folder: Path) -> ReadRows:
    folder.mkdir(exist_ok=True)
    return read_release(ReleaseFiles.find(config.folder), config, folder, Silent())


def rows(folder: Path, name: str) -> list[tuple[object, ...]]:
    with duckdb.connect() as db:
        return db.execute(f"from '{folder / name}.parquet' order by all").fetchall()


def test_genuine_rows_are_read(shared_data: Path, tmp_path: Path) -> None:
    config = UmlsConfig(folder=shared_data / "umls_samples")
    found = read(config, tmp_path / "read")
    assert (found.rows, found.kept, found.bad, found.bad_types) == (3, 3, 0, 0)
    assert rows(tmp_path / "read", "concepts") == [
        ("C0000005", "(131)I-Macroaggregated Albumin", ["T116"]),
        ("C0000039", "1,2-Dipalmitoylphosphatidylcholine", ["T109", "T121"]),
    ]
    assert rows(tmp_path / "read", "names")[0] == (("C0000005", "en", "(131)I-MAA", "MSH", False))


def test_every_row_is_counted_under_one_reason(tmp_path: Path) -> None:
    more = [
        conso("C0018099", "ENG", "Gout NOS", first=False, SUPPRESS="O"),
        conso("C0018099", "ENG", "Gout!", first=False, SUPPRESS="E"),
        conso("C0018099", "SPA", "Gota", first=False),
        conso("C0018099", "ENG", "gout", first=False, SAB="ICD10"),
        conso("C7777777", "ENG", "of no semantic type"),
        conso("", "ENG", "of no concept"),
        conso("C0018099", "ENG", " "),
        "C0018099|ENG|P|",
        conso("C0018099", "ENG", "one | too many"),
    ]
    config = write_release(tmp_path, [GOUT], more).model_copy(update={"vocabularies": ("MSH",)})
    assert read(config, tmp_path / "read") == ReadRows(
        rows=10, bad=4, suppressed=2, other_language=1, other_vocabulary=1, other_type=1, kept=1,
        bad_types=0,
    )  # fmt: skip


def test_bad_rows_are_kept_with_the_reason(tmp_path: Path) -> None:
    more = ["C0018099|ENG|P|", conso("C18099", "ENG", "short identifier")]
    config = write_release(tmp_path, [GOUT], more)
    with (tmp_path / "MRSTY.RRF").open("a", encoding="utf-8") as file:
        file.write("C0018099|T047|\n")
    assert read(config, tmp_path / "read").bad_types == 1
    found = [(file, row, reason) for file, row, reason, _ in rows(tmp_path / "read", "bad_rows")]
    assert found == [
        ("MRCONSO.RRF", 2, "missing columns"),
        ("MRCONSO.RRF", None, "no CUI"),
        ("MRSTY.RRF", 2, "missing columns"),
    ]


def test_quotes_and_backslashes_are_ordinary(tmp_path: Path) -> None:
    name = r"""5' "nucleotidase" \deficiency, so-called"""
    config = write_release(tmp_path, [("C0018099", "ENG", name)])
    read(config, tmp_path / "read")
    assert [row[2] for row in rows(tmp_path / "read", "names")] == [name]


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_compressed_files_with_any_line_ends_are_read(ends: str, tmp_path: Path) -> None:
    config = write_release(tmp_path / "META", [GOUT])
    for name in ("MRCONSO.RRF", "MRSTY.RRF"):
        path = tmp_path / "META" / name
        text = path.read_text("utf-8").replace("\n", ends)
        with gzip.open(f"{path}.gz", "wt", encoding="utf-8", newline="") as file:
            file.write(text)
        path.unlink()
    above = config.model_copy(update={"folder": tmp_path})
    assert read(above, tmp_path / "read").kept == 1


def test_invalid_utf8_is_a_bad_row(tmp_path: Path) -> None:
    config = write_release(tmp_path, [GOUT])
    with (tmp_path / "MRCONSO.RRF").open("ab") as file:
        file.write(conso("C0018099", "ENG", "Gicht@").encode().replace(b"@", b"\xff") + b"\n")
    found = read(config, tmp_path / "read")
    assert (found.kept, found.bad) == (1, 1)


def test_preferred_english_name_names_the_concept(tmp_path: Path) -> None:
    more = [
        conso("C0018099", "ENG", "a synonym", first=False),
        conso("C0018099", "CHI", "痛风"),
    ]
    read(write_release(tmp_path, [GOUT], more), tmp_path / "read")
    assert rows(tmp_path / "read", "concepts") == [("C0018099", "Gout", ["T047"])]


def test_concept_without_its_preferred_atom_has_another_name(tmp_path: Path) -> None:
    more = [conso("C0018099", "ENG", "Gouty arthritis", first=False, SAB="NCI")]
    config = write_release(tmp_path, [GOUT], more).model_copy(update={"vocabularies": ("NCI",)})
    read(config, tmp_path / "read")
    assert rows(tmp_path / "read", "concepts") == [("C0018099", "Gouty arthritis", ["T047"])]


def test_semantic_type_filter_takes_whole_concepts(tmp_path: Path) -> None:
    config = write_release(tmp_path, [GOUT, ("C0015967", "ENG", "Fever")])
    with (tmp_path / "MRSTY.RRF").open("a", encoding="utf-8") as file:
        file.write(sty("C0018099", "T033") + "\n")
    found = read(config.model_copy(update={"semantic_types": ("T047",)}), tmp_path / "read")
    assert (found.kept, found.other_type) == (1, 1)
    assert rows(tmp_path / "read", "concepts") == [("C0018099", "Gout", ["T033", "T047"])]


def test_missing_folder_or_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LinkingError, match=r"no such folder; give the one that has MRCONSO\.RRF"):
        ReleaseFiles.find(tmp_path / "nowhere")
    write_release(tmp_path, [GOUT])
    (tmp_path / "MRSTY.RRF").unlink()
    with pytest.raises(LinkingError, match=r"MRSTY.RRF: missing, and no MRSTY.RRF.gz either"):
        ReleaseFiles.find(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the file is empty"),
        ("C0018099|ENG|Gout|\n", r"row 1: has 3 columns, and MRCONSO.RRF has 18, each ended by"),
        (conso(*GOUT)[:-1] + "\n", r"row 1: has 18 columns"),
        ("CUI,LAT,STR\n", r"row 1: has 1 columns"),
    ],
)
def test_file_of_another_kind_is_refused(text: str, message: str, tmp_path: Path) -> None:
    write_release(tmp_path, [GOUT])
    (tmp_path / "MRCONSO.RRF").write_text(text, encoding="utf-8")
    with pytest.raises(LinkingError, match=message):
        ReleaseFiles.find(tmp_path)


def test_file_that_is_cut_off_is_named(tmp_path: Path) -> None:
    config = write_release(tmp_path, [GOUT] * 2000)
    path = tmp_path / "MRCONSO.RRF"
    cut = gzip.compress(path.read_bytes())[:-40]
    path.unlink()
    (tmp_path / "MRCONSO.RRF.gz").write_bytes(cut)
    with pytest.raises(LinkingError, match=r"MRCONSO.RRF.gz: cannot be read to its end"):
        read(config, tmp_path / "read")


def test_nothing_left_names_the_filters(tmp_path: Path) -> None:
    config = write_release(tmp_path, [GOUT]).model_copy(update={"languages": ("zh",)})
    with pytest.raises(LinkingError, match="no row is left of 1; check the languages"):
        read(config, tmp_path / "read")


def test_reading_leaves_only_the_tables(tmp_path: Path) -> None:
    config = write_release(tmp_path / "META")
    read(config, tmp_path / "read")
    names = {path.name for path in (tmp_path / "read").iterdir()}
    assert names == {"names.parquet", "concepts.parquet", "bad_rows.parquet"}
