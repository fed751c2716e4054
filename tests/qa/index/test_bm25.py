from pathlib import Path

import bm25s
import numpy as np
import pytest

from qa.index.bm25 import BM25, K1, METHOD, B, Tokens

RECORDS = [["gout", "pain", "gout"], [], ["pain", "fever"], ["fever"] * 5]


def opened(folder: Path, records: list[list[str]]) -> BM25:
    Tokens.of(records).write(folder)
    return BM25(folder)


@pytest.mark.parametrize("question", [["gout"], ["pain", "fever", "pain"], ["gout", "unknown"]])
def test_scores_are_those_of_bm25s(tmp_path: Path, question: list[str]) -> None:
    oracle = bm25s.BM25(k1=K1, b=B, method=METHOD)
    oracle.index(RECORDS, show_progress=False)
    ours = opened(tmp_path, RECORDS).scores(question, len(RECORDS))
    np.testing.assert_allclose(ours, oracle.get_scores(question), rtol=1e-6)


def test_weight_is_lucenes(tmp_path: Path) -> None:
    # idf ln(1 + (4 - 1 + .5) / (1 + .5)), tf 2, length 3 of 10 / 4 on average
    idf = np.log(1 + 3.5 / 1.5)
    weight = idf * 2 / (2 + 1.2 * (1 - 0.75 + 0.75 * 3 / 2.5))
    assert opened(tmp_path, RECORDS).scores(["gout"], 4).tolist() == pytest.approx(
        [weight, 0, 0, 0]
    )


@pytest.mark.parametrize("records", [[], [[]], [[], []]])
def test_records_without_words_have_no_score(tmp_path: Path, records: list[list[str]]) -> None:
    assert opened(tmp_path, records).scores(["gout"], len(records)).tolist() == [0] * len(records)


def test_tokens_are_read_as_they_were_written(tmp_path: Path) -> None:
    Tokens.of(RECORDS).write(tmp_path)
    read = Tokens.read(tmp_path)
    assert [read.of_record(row) for row in range(4)] == RECORDS
    assert read.vocabulary == ("fever", "gout", "pain")
