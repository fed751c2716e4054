"""The table that people review: what is written comes back, and only what they accept."""

import csv
from pathlib import Path

import pytest

from kg.embeddings.completion import Proposed
from kg.embeddings.proposals import COLUMNS, read_accepted, write_proposals
from kg.errors import EmbeddingError, StoreError

FLU = Proposed("D:1", 'flu, "the"\nreal', "HAS_SYMPTOM", "S:1", "发热", 1.25, 0.75, 1)
COLD = Proposed("D:2", None, "HAS_SYMPTOM", "S:2", None, -0.5, 0.5, 12)


def reviewed(path: Path, *verdicts: str) -> Path:
    """The table of both, with these verdicts."""
    write_proposals([FLU, COLD], path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(row | {"accept": told} for row, told in zip(rows, verdicts, strict=True))
    return path


def test_accepted_rows_come_back_as_they_were_proposed(tmp_path: Path) -> None:
    assert read_accepted(reviewed(tmp_path / "new" / "p.csv", "yes", "Y ")) == [FLU, COLD]
    assert read_accepted(reviewed(tmp_path / "p.csv", "no", "TRUE")) == [COLD]
    assert read_accepted(reviewed(tmp_path / "p.csv", "1", "")) == [FLU]


def test_what_a_spreadsheet_adds_is_no_matter(tmp_path: Path) -> None:
    path = reviewed(tmp_path / "p.csv", "yes", "no")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_accepted(path) == [FLU]


def test_a_table_that_nobody_reviewed_is_refused(tmp_path: Path) -> None:
    write_proposals([FLU], tmp_path / "p.csv")
    with pytest.raises(EmbeddingError, match=r"p\.csv: no row is accepted; write 'yes'"):
        read_accepted(tmp_path / "p.csv")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("yes", "perhaps", r"p\.csv:2: accept is 'perhaps'; write yes or no"),
        ("1.25", "much", r"p\.csv:2: score, probability or rank is no number; restore"),
        ("1.25", "nan", r"p\.csv:2: score, probability or rank is no number; restore"),
        ("0.75", "7.5", r"p\.csv:2: probability is 7\.5; restore"),
        (",1,yes", ",1.5,yes", r"p\.csv:2: score, probability or rank is no number"),
        (",1.25,0.75,1,yes", "", r"p\.csv:2: .*restore the row"),
        ("D:1,", ",", r"p\.csv:2: head is empty; restore the row"),
        (",accept", "", r"p\.csv: has no column accept; give the table"),
        ("head,", "Head,", r"p\.csv: has no column head"),
    ],
)
def test_a_spoilt_table_is_refused_with_its_line(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    write_proposals([Proposed("D:1", "flu", "R", "S:1", "x", 1.25, 0.75, 1)], tmp_path / "p.csv")
    text = (tmp_path / "p.csv").read_text("utf-8").replace(",1,\n", ",1,yes\n")
    assert old in text
    (tmp_path / "p.csv").write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(EmbeddingError, match=message):
        read_accepted(tmp_path / "p.csv")


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"head\0,relation\n"])
def test_what_is_no_table_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes(content)
    with pytest.raises(EmbeddingError, match=r"p\.csv"):
        read_accepted(tmp_path / "p.csv")
    with pytest.raises(EmbeddingError, match=r"nowhere\.csv: cannot be read"):
        read_accepted(tmp_path / "nowhere.csv")


def test_a_table_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        write_proposals([FLU], tmp_path / "file" / "p.csv")
