import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.stats import spearmanr
from sentence_transformers import SentenceTransformer

from kg.errors import RetrievalError
from qa.finetuning.sts import JudgedPair, agreement, correlate, read_judged

ROWS = [
    {"sentence1": 'a "b', "sentence2": "c", "label": 2.5},
    {"sentence1": "d, e", "sentence2": "痛风", "label": 0.0},
    {"sentence1": "f", "sentence2": "g", "label": 5.0},
]
EXPECTED = [JudgedPair.model_validate(row) for row in ROWS]


def test_pairs_are_the_same_from_every_format(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(
        'idx,sentence1,sentence2,score\n0,"a ""b",c,2.5\n1,"d, e",痛风,0\n2,f,g,5\n', "utf-8"
    )
    (tmp_path / "a.tsv").write_text(
        'sentence1\tsentence2\tlabel\na "b\tc\t2.5\nd, e\t痛风\t0\nf\tg\t5\n', "utf-8"
    )
    lines = [json.dumps(row, ensure_ascii=False) for row in ROWS]
    (tmp_path / "a.jsonl").write_text("\ufeff" + "\n".join(lines) + "\n", "utf-8")
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "a.parquet")
    for ending in ("csv", "tsv", "jsonl", "parquet"):
        assert read_judged(tmp_path / f"a.{ending}") == EXPECTED


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("none.csv", None, "there is no such file; give one of sentence pairs with labels"),
        ("a.txt", "x", r"its name does not end in .csv, .tsv, .jsonl, .parquet; name it after"),
        ("a.csv", "sentence1,sentence2,label\na,b,1\n", "has 1 pairs, too few .*at least 3"),
        ("a.csv", "s1,s2,label\na,b,1\n", "row 1: sentence1: field required; give each pair"),
        ("a.tsv", "sentence1\tsentence2\tlabel\na\tb\tx\n", "row 1: label: .*valid number"),
        ("a.tsv", "sentence1\tsentence2\tlabel\na\tb\tnan\n", "row 1: label: .*finite"),
        ("a.tsv", "sentence1\tsentence2\tlabel\na\t\t1\n", "row 1: sentence2: .*at least 1"),
        ("a.tsv", "sentence1\tsentence2\tlabel\na\tb\n", "row 1: label"),
        ("a.jsonl", "\n[1]\n", "row 2: row: "),
        ("a.jsonl", "{", "a.jsonl: cannot be read .*; check its format"),
        ("a.parquet", "PAR1", "a.parquet: cannot be read .*; check its format"),
    ],
)
def test_file_that_is_none_of_judged_pairs_is_refused(
    tmp_path: Path, name: str, text: str | None, message: str
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(RetrievalError, match=message):
        read_judged(tmp_path / name)


def test_correlations_are_those_of_scipy_with_ties() -> None:
    cosines = np.array([0.1, 0.5, 0.5, 0.9])
    labels = np.array([0.0, 2.0, 3.0, 3.0])
    assert correlate(cosines, labels).model_dump() == pytest.approx(
        {
            "pairs": 4,
            "pearson": np.corrcoef(cosines, labels)[0, 1],
            "spearman": spearmanr(cosines, labels).statistic,
        },
        abs=1e-12,
    )


@pytest.mark.parametrize(
    ("cosines", "labels", "same"),
    [([1, 1, 1], [1, 2, 3], "cosines"), ([1, 2, 3], [2] * 3, "labels")],
)
def test_nothing_correlates_with_one_number(
    cosines: list[float], labels: list[float], same: str
) -> None:
    with pytest.raises(RetrievalError, match=f"all {same} of the 3 pairs are the same number"):
        correlate(np.array(cosines, float), np.array(labels, float))


def test_agreement_takes_the_cosines_of_the_encoder(encoder_folder: Path) -> None:
    encoder = SentenceTransformer(str(encoder_folder), local_files_only=True, device="cpu")
    judged = [
        JudgedPair(sentence1=a, sentence2=b, label=label)
        for a, b, label in [
            ("gout", "gout", 5),
            ("uric acid", "vitamin c", 1),
            ("bones", "signs of asthma", 2),
        ]
    ]
    first, second = (
        encoder.encode([getattr(j, side) for j in judged], normalize_embeddings=True)
        for side in ("sentence1", "sentence2")
    )
    expected = np.corrcoef((first * second).sum(axis=1), [5, 1, 2])[0, 1]
    assert agreement(encoder, judged).pearson == pytest.approx(expected, abs=1e-6)
