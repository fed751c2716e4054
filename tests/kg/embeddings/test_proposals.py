"""The table that people review: what is written comes back, and only what they accept."""

import csv
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, fields
from pathlib import Path

import pytest

import kg
from kg.embeddings.proposals import (
    COLUMNS,
    Accepted,
    Proposed,
    read_accepted,
    without_facts,
    write_proposals,
)
from kg.errors import EmbeddingError, StoreError
from tests.kg.stores.conftest import write_tables

FLU = Proposed("D:1", 'flu, "the"\nreal', "HAS_SYMPTOM", "S:1", "发热", 1.25, 0.75, 1)
COLD = Proposed("D:2", None, "HAS_SYMPTOM", "S:2", None, -0.5, 0.5, 12)


def by(model: str, proposed: Proposed) -> Accepted:
    return Accepted(**asdict(proposed), model=model)


def reviewed(path: Path, *verdicts: str, model: str = "conve") -> Path:
    """The table of both, with these verdicts."""
    write_proposals([FLU, COLD], path, model=model)
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(
            row | {"accept": verdict} for row, verdict in zip(rows, verdicts, strict=True)
        )
    return path


def test_accepted_rows_come_back_as_they_were_proposed(tmp_path: Path) -> None:
    flu, cold = by("conve", FLU), by("conve", COLD)
    assert read_accepted([reviewed(tmp_path / "new" / "p.csv", "yes", "Y ")]) == [flu, cold]
    assert read_accepted([reviewed(tmp_path / "a.csv", "no", "TRUE")]) == [cold]
    assert read_accepted([reviewed(tmp_path / "b.csv", "1", "")]) == [flu]


def test_each_table_says_its_model(tmp_path: Path) -> None:
    one = reviewed(tmp_path / "a.csv", "yes", "no")
    none = reviewed(tmp_path / "b.csv", "no", "")
    other = reviewed(tmp_path / "c.csv", "no", "yes", model="transe")
    assert read_accepted([one, none, other]) == [by("conve", FLU), by("transe", COLD)]


def test_columns_are_what_is_proposed_the_model_and_the_verdict() -> None:
    proposed = tuple(field.name for field in fields(Proposed))
    assert (*proposed, "model", "accept") == COLUMNS


def test_what_a_spreadsheet_adds_is_no_matter(tmp_path: Path) -> None:
    path = reviewed(tmp_path / "p.csv", "yes", "no")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert read_accepted([path]) == [by("conve", FLU)]


def test_a_table_that_nobody_reviewed_is_refused(tmp_path: Path) -> None:
    write_proposals([FLU], tmp_path / "p.csv", model="conve")
    with pytest.raises(EmbeddingError, match=r"p\.csv: no row is accepted; write 'yes'"):
        read_accepted([tmp_path / "p.csv"])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("yes", "perhaps", r"p\.csv:2: accept is 'perhaps'; write yes or no"),
        ("1.25", "much", r"p\.csv:2: score, probability or rank is no number; restore"),
        ("1.25", "nan", r"p\.csv:2: score, probability or rank is no number; restore"),
        ("0.75", "7.5", r"p\.csv:2: probability is 7\.5; restore"),
        (",1,conve", ",1.5,conve", r"p\.csv:2: score, probability or rank is no number"),
        (",1.25,0.75,1,conve,yes", "", r"p\.csv:2: .*restore the row"),
        ("conve", "", r"p\.csv:2: model is empty; restore the row"),
        ("D:1,", ",", r"p\.csv:2: head is empty; restore the row"),
        (",accept", "", r"p\.csv: has no column accept; give the table"),
        ("head,", "Head,", r"p\.csv: has no column head"),
    ],
)
def test_a_damaged_table_is_refused_with_its_line(
    old: str, new: str, message: str, tmp_path: Path
) -> None:
    one = Proposed("D:1", "flu", "R", "S:1", "x", 1.25, 0.75, 1)
    write_proposals([one], tmp_path / "p.csv", model="conve")
    text = (tmp_path / "p.csv").read_text("utf-8").replace("conve,\n", "conve,yes\n")
    assert old in text
    (tmp_path / "p.csv").write_text(text.replace(old, new, 1), "utf-8")
    with pytest.raises(EmbeddingError, match=message):
        read_accepted([tmp_path / "p.csv"])


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b"head\0,relation\n"])
def test_what_is_no_table_is_refused(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes(content)
    with pytest.raises(EmbeddingError, match=r"p\.csv"):
        read_accepted([tmp_path / "p.csv"])
    with pytest.raises(EmbeddingError, match=r"nowhere\.csv: cannot be read"):
        read_accepted([tmp_path / "nowhere.csv"])


def test_a_table_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="file"):
        write_proposals([FLU], tmp_path / "file" / "p.csv", model="conve")


# --- a file that is there ------------------------------------------------------------------


def test_a_table_that_nobody_reviewed_is_replaced(tmp_path: Path) -> None:
    reviewed(tmp_path / "p.csv", "", " ")
    write_proposals([COLD], tmp_path / "p.csv", model="transe")
    text = (tmp_path / "p.csv").read_text("utf-8")
    assert text.splitlines()[1:] == ["D:2,,HAS_SYMPTOM,S:2,,-0.5,0.5,12,transe,"]


@pytest.mark.parametrize(
    ("verdicts", "message"),
    [(("no", "perhaps"), "has 2 verdicts, which would be lost"), (("", "yes"), "has 1 verdict,")],
)
def test_a_table_with_verdicts_is_not_replaced(
    verdicts: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    path = reviewed(tmp_path / "p.csv", *verdicts)
    before = path.read_bytes()
    with pytest.raises(
        EmbeddingError, match=rf"p\.csv: {message}.*; name another file with --out"
    ):
        write_proposals([FLU], path, model="conve")
    assert [(each, each.read_bytes()) for each in tmp_path.iterdir()] == [(path, before)]


def test_notes_in_a_column_of_ones_own_are_not_lost(tmp_path: Path) -> None:
    path, header = tmp_path / "p.csv", ",".join([*COLUMNS, "note"])
    text = f"{header}\nD:1,flu,HAS_SYMPTOM,S:1,fever,1.0,0.5,1,conve,,ask Ann\n"
    path.write_text(text)
    with pytest.raises(EmbeddingError, match="has 1 verdict, which would be lost"):
        write_proposals([FLU], path, model="conve")
    assert path.read_text() == text


@pytest.mark.parametrize("content", [b"", b"name,size\nflu,3\n", b"\xff\xfe\x00"])
def test_what_is_no_table_is_not_replaced(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_bytes(content)
    for path in (tmp_path / "p.csv", tmp_path, Path("/dev/null")):
        with pytest.raises(EmbeddingError, match="is no table of 'medkg embed complete'"):
            write_proposals([FLU], path, model="conve")
    assert (tmp_path / "p.csv").read_bytes() == content


def test_writing_that_fails_leaves_the_table_before(tmp_path: Path) -> None:
    def failing() -> Iterator[Proposed]:
        yield COLD
        raise RuntimeError

    write_proposals([FLU], tmp_path / "p.csv", model="conve")
    before = (tmp_path / "p.csv").read_bytes()
    with pytest.raises(RuntimeError):
        write_proposals(failing(), tmp_path / "p.csv", model="conve")
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [before]


# --- what is a fact by now -----------------------------------------------------------------


def test_what_the_graph_states_by_now_is_left_out_from_either_end(tmp_path: Path) -> None:
    def accepted(head: str, relation: str, tail: str) -> Accepted:
        return Accepted(head, None, relation, tail, None, 1.0, 0.5, 1, "conve")

    new = [
        accepted("HP:2", "TREATED_BY", "HP:1"),
        accepted("HP:3", "INTERACTS_WITH", "HP:1"),
        accepted("HP:1", "own word", "HP:2"),
        accepted("nowhere:1", "TREATED_BY", "HP:2"),
    ]
    facts = [
        accepted("HP:1", "TREATED_BY", "HP:2"),
        accepted("HP:1", "INTERACTS_WITH", "HP:2"),
        accepted("HP:2", "INTERACTS_WITH", "HP:1"),
        accepted("HP:2", "INDICATED_FOR", "HP:1"),
    ]
    edges = [(one.head, one.relation, one.tail) for one in facts[:2]]
    nodes = [(f"HP:{at}", "Symptom", f"sign {at}") for at in (1, 2, 3)]
    with kg.connect(str(tmp_path / "graph.lbug")) as store:
        store.load(write_tables(tmp_path / "g", nodes=nodes, edges=edges))
        assert without_facts([*facts, *new], store) == new


def test_a_table_is_read_without_pytorch() -> None:
    code = (
        "import sys, kg.embeddings.layer, kg.embeddings.proposals; "
        "print(sorted({'torch', 'pykeen'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
