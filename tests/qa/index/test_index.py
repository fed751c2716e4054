import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from kg.errors import ModelError, RetrievalError
from qa.corpus import Document
from qa.index import Hit, Index, Passages, Record
from qa.index.building import Change, change_index
from qa.index.fusion import best_weight, fuse
from qa.index.models import SentenceModel
from qa.index.vectors import Flat
from tests.qa.index.conftest import document

Make = Callable[..., Index]


def overwrite(name: str, folder: Path) -> None:
    """Fill a file of an index with as many other bytes."""
    [path] = folder.glob(f"version-*/{name}")
    path.write_bytes(b"\xff" * path.stat().st_size)


def ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.record.id for hit in hits]


def test_hit_has_the_record_with_its_place_in_the_text(make: Make) -> None:
    index = make(document("gout", licence="CC0"), "one", "two")
    [best, *_] = index.search("uric acid crystals")
    assert best == Hit(
        Record(
            "gout#0-40",
            "Gout\nUric acid (UA) crystals inflame a joint.",
            {
                "corpus": "test", "document": "gout", "end": "40", "language": "en",
                "licence": "CC0", "source": "test", "start": "0", "title": "Gout",
            },
        ),
        best.score,
        1,
    )  # fmt: skip
    assert index.document("gout") == document("gout", licence="CC0")
    assert index.document("gout").text[0:40] == "Uric acid (UA) crystals inflame a joint."


def test_number_of_a_type_decides(make: Make) -> None:
    index = make("one", "two")
    assert ids(index.search("type 1"))[0] == "one#0-30"
    assert ids(index.search("type 2"))[0] == "two#0-35"


def test_chinese_question_finds_chinese_text(make: Make) -> None:
    assert ids(make("gout", "tong").search("痛風關節痛")) == ["tong#8-17", "tong#0-8"]


def test_equal_scores_are_in_the_order_of_ids(make: Make) -> None:
    same = [Document(f"d{n}", "", "Gout hurts.", "s", "en") for n in (10, 2, 1, 33)]
    index = make(*same)
    assert ids(index.search("gout", 3)) == ["d1#0-11", "d10#0-11", "d2#0-11"]


@pytest.mark.parametrize(
    ("filters", "found"),
    [
        ({"where": {"document": "two"}}, ["two#0-35"]),
        ({"where": {"document": ["one", "two"]}, "k": 1}, ["one#0-30"]),
        ({"where": {"language": "zh"}}, []),
        ({"without": {"document": "one"}}, ["two#0-35"]),
        ({"where": {"language": "en"}, "without": {"document": ["one", "two"]}}, []),
        ({"where": {"document": []}}, []),
    ],
)
def test_filters_hold_by_words(
    make: Make, filters: dict[str, dict[str, str]], found: list[str]
) -> None:
    assert ids(make("one", "two", "tong").search("type 1 insulin", **filters)) == found  # type: ignore[arg-type]


def test_filter_by_an_unknown_key_names_the_known_ones(make: Make) -> None:
    with pytest.raises(
        RetrievalError, match=r"no record has 'sources'.*filter by corpus, document"
    ):
        make("one").search("type", where={"sources": "x"})


@pytest.mark.parametrize("query", ["", " \n", "xyzzy", "的", "?" * 10_000])
def test_question_that_shares_no_word_finds_nothing(make: Make, query: str) -> None:
    assert make("one", "two").search(query) == []


@pytest.mark.parametrize(
    "asked", [{"k": 0}, {"mode": "bm52"}, {"weight": 1.5}, {"weight": float("nan")}]
)
def test_search_that_cannot_be_is_a_mistake(make: Make, asked: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="no search is for"):
        make("one").search("type", **asked)  # type: ignore[arg-type]


def test_unknown_document_is_named(make: Make) -> None:
    with pytest.raises(RetrievalError, match="no document 'three' is in the index"):
        make("one").document("three")


def test_index_without_vectors_says_how_to_add_them(make: Make) -> None:
    with pytest.raises(
        RetrievalError, match=r"has no vectors; search by bm25, or .*--model minilm"
    ):
        make("one").search("type", mode="vector")
    with pytest.raises(RetrievalError, match="no vectors, so no model fits"):
        Index.open(make("one").folder, "minilm")


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda folder: (folder / "index.json").unlink(), "there is no index of texts; make one with"),
        (lambda folder: (folder / "index.json").write_text("{"), r"not a manifest of this version of medkg \(the whole"),
        (lambda folder: (folder / "index.json").write_bytes(b"\xff\xfe"), "cannot be read"),
        (lambda folder: next(folder.glob("version-*/tokens.npy")).unlink(), "tokens.npy: is missing"),
        (lambda folder: next(folder.glob("version-*/tokens.npy")).write_bytes(b"x"), "has 1 bytes instead of"),
        *((partial(overwrite, name), "a file is damaged .*; copy the whole folder") for name in (
            "bm25_bounds.npy", "bm25_rows.npy", "bm25_weights.npy", "documents.arrow", "metadata.arrow", "records.arrow",
            "vocabulary.parquet")),
    ],
)  # fmt: skip
def test_damaged_index_is_refused(make: Make, damage: Callable[[Path], None], said: str) -> None:
    folder = make("one").folder
    damage(folder)
    with pytest.raises(RetrievalError, match=said):
        Index.open(folder)


@pytest.mark.parametrize("name", ["tokens.npy", "token_starts.npy", "records.arrow"])
def test_damaged_index_is_not_changed(make: Make, name: str) -> None:
    folder = make("one").folder
    overwrite(name, folder)
    with pytest.raises(RetrievalError, match="a file is damaged"):
        change_index(folder, Change(remove=["one"]))


def test_vectors_rank_by_cosine_and_filters_are_exact(
    make: Make, models: tuple[Path, Path]
) -> None:
    texts = [Document(f"d{n:03}", "", f"{word} child.", "ab"[n % 2], "en") for n, word in
             enumerate(["gout", "asthma", "fever", "cough", "lung", "joint"] * 30)]  # fmt: skip
    model = SentenceModel.find(models[0])
    index = make(*texts, model=model)
    vectors = model.of_texts([f"\n{each.text}" for each in texts]).astype(float)
    cosines = vectors @ model.of_question("lung fever")[0].astype(float)
    for where, allowed in (({}, slice(None)), ({"source": "b"}, slice(1, None, 2))):
        rows = np.arange(len(texts))[allowed]
        best = sorted(rows.tolist(), key=lambda row: (-round(cosines[row], 6), row))[:40]
        hits = index.search("lung fever", 40, mode="vector", where=where)
        assert [hit.record.metadata["document"] for hit in hits] == [texts[n].id for n in best]
        assert [hit.score for hit in hits] == pytest.approx([cosines[n] for n in best], abs=1e-6)
    assert len(index.search("lung", 500, mode="vector", where={"document": "d003"})) == 1


def test_hybrid_of_weight_0_or_1_is_one_of_the_two(make: Make, models: tuple[Path, Path]) -> None:
    index = make("gout", "one", "two", "tong", model=SentenceModel.find(models[0]))
    for weight, mode in ((0.0, "bm25"), (1.0, "vector")):
        both = index.search("insulin attack", mode="hybrid", weight=weight)
        assert ids(both) == ids(index.search("insulin attack", mode=mode))  # type: ignore[arg-type]


def test_fused_score_is_the_weighted_sum_of_reciprocal_ranks() -> None:
    fused = fuse([(7, 0.9), (3, 0.8)], [(3, 5.0), (4, 1.0)], 0.75)
    assert fused == [
        (3, 0.75 / 62 + 0.25 / 61),
        (7, 0.75 / 61),
        (4, 0.25 / 62),
    ]


def test_weight_is_that_by_which_right_records_come_first() -> None:
    by_vectors, by_words = [(1, 0.9), (2, 0.8)], [(2, 5.0), (1, 1.0)]
    assert best_weight([(by_vectors, by_words, {1})], 10) == 0.5  # of equal scores the first row
    assert best_weight([(by_vectors, by_words, {2})], 10) == 0.45
    assert best_weight([(by_vectors, by_words, {1, 2})], 10) == 0.5
    with pytest.raises(ValueError, match="no question"):
        best_weight([], 10)


def test_index_of_another_model_is_refused_and_both_are_named(
    make: Make, models: tuple[Path, Path]
) -> None:
    first, second = models
    index = make("one", model=SentenceModel.find(first))
    with pytest.raises(RetrievalError, match=rf"are of the model {first} .* not of {second} "):
        Index.open(index.folder, second)


def test_model_that_was_moved_is_given_by_its_path(
    make: Make, models: tuple[Path, Path], tmp_path: Path
) -> None:
    moved = tmp_path / "moved"
    moved.symlink_to(models[0])
    index = make("one", "two", model=SentenceModel.find(moved))
    moved.unlink()
    with pytest.raises(ModelError, match="moved', the model to compare meanings: no such folder"):
        index.search("insulin", mode="vector")
    again = Index.open(index.folder, models[0])
    assert len(again.search("insulin", mode="vector")) == 2


def test_vectors_without_any_record_are_searched(make: Make, models: tuple[Path, Path]) -> None:
    index = make(model=SentenceModel.find(models[0]))
    assert index.manifest.model is not None
    assert index.manifest.model.dimension == 8
    assert index.search("gout", mode="vector") == []


def test_flat_search_goes_on_while_more_are_as_near() -> None:
    vectors = np.zeros((2000, 4), np.float32)
    vectors[:, 0] = 1
    assert [row for row, _ in Flat(vectors).nearest(vectors[:1], 3)] == [0, 1, 2]


def test_search_by_words_imports_neither_torch_nor_faiss(make: Make) -> None:
    folder = make("one", "two").folder
    asked = (
        "import sys; from pathlib import Path; from qa.index import Index;"
        f"print(len(Index.open(Path({str(folder)!r})).search('type 1')));"
        "print(sorted({'torch', 'faiss', 'transformers', 'bm25s', 'rjieba'} & {*sys.modules}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    )
    assert done.stdout.split("\n")[:2] == ["2", "[]"]


def test_open_index_answers_after_it_was_replaced(make: Make, models: tuple[Path, Path]) -> None:
    index = make("one", "two", model=SentenceModel.find(models[0]))
    change_index(index.folder, Change(remove=["one"]))
    assert ids(index.search("type 1"))[0] == "one#0-30"
    assert len(index.search("insulin", mode="vector")) == 2
    assert index.document("one").title == "Type 1 diabetes"
    assert ids(Index.open(index.folder).search("type 1")) == ["two#0-35"]


def test_collate_of_ones_own_makes_the_records(make: Make) -> None:
    class Case:
        id = "case"

        def __call__(self, each: Document) -> list[Record]:
            return [Record(f"case-{each.id}", each.title, {"document": each.id, "age": "40"})]

    index = make("one", "gout", collate=Case())
    assert ids(index.search("gout", where={"age": "40"})) == ["case-gout"]
    assert index.manifest.collates == ("case",)


def test_passages_have_the_question_before_them_unless_it_is_left_out() -> None:
    asked = document("gout", heading="What causes gout?")
    [with_question, _] = Passages("sentence")(asked)
    assert with_question.content.startswith("What causes gout?\nUric")
    [without, _] = Passages("sentence", heading=False)(asked)
    assert without.content.startswith("Gout\nUric")
