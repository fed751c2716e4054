import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kg.errors import RetrievalError
from qa.finetuning.pairs import (
    Pair,
    checksum,
    deduplicated,
    read_pairs,
    split,
    write_pairs,
)

ONE = Pair(question="What is gout?", passage="Gout is …", disease="MONDO:1", origin="template")
TWO = Pair(question="痛风是什么病？", passage="痛风是…", disease="MONDO:1", origin="t5")


def test_pairs_are_read_as_they_were_written_with_what_made_them(tmp_path: Path) -> None:
    write_pairs(tmp_path / "pairs.parquet", [ONE, TWO], {"seed": 3})
    assert read_pairs(tmp_path / "pairs.parquet") == (
        [ONE, TWO],
        {
            "seed": 3,
            "pairs": 2,
            "origins": {"t5": 1, "template": 1},
            "checksum": checksum([ONE, TWO]),
        },
    )


def test_json_lines_of_question_and_passage_are_pairs(tmp_path: Path) -> None:
    line = json.dumps({"question": "a\u2028b", "passage": "c"}, ensure_ascii=False)
    (tmp_path / "pairs.jsonl").write_text(f"\ufeff{line}\n\n", "utf-8")
    assert read_pairs(tmp_path / "pairs.jsonl")[0] == [Pair(question="a\u2028b", passage="c")]


def test_pairs_that_read_alike_are_one() -> None:
    again = ONE.model_copy(update={"question": "what is  GOUT ?", "origin": "t5"})
    assert deduplicated([ONE, again, TWO]) == [ONE, TWO]


def test_split_keeps_a_disease_whole_and_in_its_place() -> None:
    pairs = [
        Pair(question=f"{n} {k}", passage=f"{n} {k}", disease=f"D {n}")
        for n in range(200)
        for k in range(3)
    ]
    train, test = split(pairs, 0.2, 0)
    assert {p.disease for p in train} & {p.disease for p in test} == set()
    assert sorted(train + test, key=pairs.index) == pairs
    assert 20 <= len({p.disease for p in test}) <= 60
    fewer = split(pairs[::2], 0.2, 0)[1]
    assert fewer == [pair for pair in pairs[::2] if pair in test]
    assert split(pairs, 0, 0) == (pairs, [])


def test_spelling_of_a_disease_parts_no_pairs() -> None:
    written = [
        Pair(question=str(n), passage=str(n), disease=name)
        for n, name in enumerate(["Crohn's disease", "crohn’s Disease", "CROHN'S  DISEASE"])
    ]
    assert {pair.group for pair in written} == {written[0].group}


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.jsonl", None, r"none.jsonl: there is no such file; make one with 'medkg qa pairs'"),
        ("a.jsonl", b"{", r"a.jsonl: is neither Parquet nor JSON lines of pairs .*; make one"),
        ("a.jsonl", b"\xff\xfe", r"a.jsonl: is neither Parquet nor JSON lines of pairs .*utf-8"),
        ("a.parquet", b"PAR1", r"a.parquet: is neither Parquet nor JSON lines of pairs"),
        ("a.jsonl", b"\n\n", r"a.jsonl: has no pairs; make some with 'medkg qa pairs'"),
        ("a.jsonl", b'{"question": "q", "passage": ""}', r"row 1: passage: .*at least 1"),
        ("a.jsonl", b'\n{"question": "q"}', r"row 2: passage: field required; give each pair"),
        ("a.jsonl", b"[1]", r"row 1: row: .*; give each pair a 'question' and a 'passage'"),
    ],
)
def test_file_that_is_none_of_pairs_is_refused(
    tmp_path: Path, name: str, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(RetrievalError, match=message):
        read_pairs(tmp_path / name)


def test_parquet_of_other_columns_is_refused(tmp_path: Path) -> None:
    pq.write_table(pa.table({"query": ["q"], "passage": ["p"]}), tmp_path / "a.parquet")
    with pytest.raises(RetrievalError, match=r"row 1: question: field required"):
        read_pairs(tmp_path / "a.parquet")
