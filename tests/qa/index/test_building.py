import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kg.errors import RetrievalError, StoreError
from kg.stores.disk import writer_lock
from qa.corpus import Document, LeftOut
from qa.index import Index, Mode, Passages, Record
from qa.index.building import Change, change_index
from qa.index.manifest import CorpusCard, GraphCard, read_manifest
from qa.index.models import SentenceModel, Vectors
from tests.conftest import REPOSITORY
from tests.qa.index.conftest import document

ROUNDS: Final = int(os.environ.get("MEDKG_TEST_KILLS", "3"))
QUESTIONS: Final = ("gout attack", "type 1 insulin", "fever", "痛风疼痛")

SENTENCES: Final = (
    "Gout hurts.", "An attack of gout.", "Type 1 needs insulin.", "Type 2.", "Fever and cough.",
    "痛风引起疼痛。", "发热。", "",
)  # fmt: skip
documents = st.builds(
    lambda name, text, corpus: Document(name, "", text, corpus, "en", {"corpus": corpus}),
    st.sampled_from("abcdef"),
    st.lists(st.sampled_from(SENTENCES), max_size=3).map("\n".join),
    st.sampled_from(("first", "second")),
)
steps = st.lists(
    st.tuples(st.lists(documents, max_size=4), st.sets(st.sampled_from("abcdef"), max_size=2)),
    min_size=1,
    max_size=5,
)


def rankings(folder: Path, model: SentenceModel | None) -> list[list[tuple[str, float]]]:
    index = Index.open(folder, model)
    modes = get_args(Mode) if model else ("bm25",)
    return [
        [(hit.record.id, hit.score) for hit in index.search(question, 20, mode=mode, where=where)]
        for question in QUESTIONS
        for mode in modes
        for where in ({}, {"language": "en"})
        if len(index)
    ]


def files(folder: Path) -> dict[str, bytes]:
    manifest = read_manifest(folder)
    return {name: (folder / manifest.files_in / name).read_bytes() for name in manifest.files}


@pytest.fixture(scope="module")
def model(models: tuple[Path, Path]) -> SentenceModel:
    return SentenceModel.find(models[0])


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=steps)
def test_index_that_was_changed_ranks_as_one_made_at_once(
    steps: list[tuple[list[Document], set[str]]], model: SentenceModel, tmp_path: Path
) -> None:
    for each in tmp_path.iterdir():
        shutil.rmtree(each)
    changed, fresh = tmp_path / "changed", tmp_path / "fresh"
    have: dict[str, Document] = {}
    collate = Passages("sentence")
    for given_now, gone in steps:
        change_index(changed, Change(given_now, collate, model=model))
        have |= {each.id: each for each in given_now}
        here = gone & have.keys()
        change_index(changed, Change(remove=here))
        have = {name: each for name, each in have.items() if name not in here}
    change_index(fresh, Change(have.values(), collate, model=model))
    assert rankings(changed, model) == rankings(fresh, model)
    assert files(changed) == files(fresh)
    assert read_manifest(changed) == read_manifest(fresh)


class Counting(SentenceModel):
    """A model that notes what it is asked for."""

    asked: list[str] = []  # noqa: RUF012 - emptied by the fixture

    def of_texts(self, texts: Sequence[str]) -> Vectors:
        self.asked.extend(texts)
        return super().of_texts(texts)


@pytest.fixture
def counting(models: tuple[Path, Path]) -> Counting:
    Counting.asked.clear()
    return Counting(str(models[0]), models[0])


def test_only_new_contents_are_encoded(tmp_path: Path, counting: Counting) -> None:
    folder, collate = tmp_path / "index", Passages("sentence")
    change_index(folder, Change([document("one"), document("two")], collate, model=counting))
    assert len(counting.asked) == 2
    change_index(folder, Change([document("one"), document("gout")], collate, model=counting))
    assert [text.partition("\n")[0] for text in counting.asked[2:]] == ["Gout", "Gout"]
    assert Index.open(folder).manifest.records == 4


def test_nothing_is_written_where_nothing_changes(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    first = change_index(folder, Change([document("one")]))
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}
    assert change_index(folder, Change([document("one")])) == first
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")} == before


def test_corpus_that_is_given_whole_loses_what_it_has_no_more(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    other = Document("x", "", "Cough.", "b", "en", {"corpus": "b", "licence": "CC0"})
    gone = LeftOut("b", "file 3", "it has no text")
    change_index(folder, Change([document("one"), other, gone], corpora={"b": "/b"}))
    manifest = change_index(folder, Change([document("two")], corpora={"test": "/a"}))
    assert [(c.name, c.documents, c.records, c.licences, c.left_out, c.place) for c in manifest.corpora] == [
        ("b", 1, 1, {"b": "CC0"}, {"it has no text": 1}, "/b"),
        ("test", 1, 1, {"test": "not stated"}, {}, "/a"),
    ]  # fmt: skip
    assert isinstance(manifest.corpora[0], CorpusCard)
    left = change_index(folder, Change(remove_corpora=["b"]))
    assert [corpus.name for corpus in left.corpora] == ["test"]


@pytest.mark.parametrize("first", ["graph", "medquad"])
def test_section_of_the_graph_stays_before_the_same_text_of_a_corpus(
    tmp_path: Path, first: str
) -> None:
    texts = {
        corpus: Document("s", corpus, "Gout hurts.", "medquad", "en", {"corpus": corpus})
        for corpus in ("graph", "medquad")
    }
    second = {"graph": "medquad", "medquad": "graph"}[first]
    change_index(tmp_path / "a", Change([texts[first]], corpora={first: ""}))
    change_index(tmp_path / "a", Change([texts[second]], corpora={second: ""}))
    manifest = change_index(tmp_path / "b", Change([texts[first], texts[second]]))
    for folder in (tmp_path / "a", tmp_path / "b"):
        assert Index.open(folder).document("s").title == "graph"
    assert [corpus.name for corpus in manifest.corpora] == ["graph"]


def test_what_is_not_said_stays(tmp_path: Path, model: SentenceModel) -> None:
    graph = GraphCard(uri="g", checksum="c")
    change = Change(
        [document("one")], model=model, names=["青霉素脑病"], graph=graph, vector_weight=0.2
    )
    before = change_index(tmp_path / "index", change)
    after = change_index(tmp_path / "index", Change([document("two")]))
    kept = ("model", "tokenizer", "graph", "vector_weight")
    assert [getattr(after, name) for name in kept] == [getattr(before, name) for name in kept]
    without = change_index(tmp_path / "index", Change(model=None, graph=None))
    assert (without.model, without.graph, without.documents) == (None, None, 2)
    assert "vectors.npy" not in without.files


def test_vectors_of_another_model_replace_the_old(
    tmp_path: Path, models: tuple[Path, Path], model: SentenceModel
) -> None:
    folder = tmp_path / "index"
    change_index(folder, Change([document("one")], model=model))
    other = SentenceModel.find(models[1])
    manifest = change_index(folder, Change(model=other))
    assert manifest.model is not None
    assert manifest.model.checksum == other.checksum
    vectors = np.load(folder / manifest.files_in / "vectors.npy")
    content = Index.open(folder).search("type 1")[0].record.content
    np.testing.assert_allclose(vectors, other.of_texts([content]))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (Change(remove=["nothing"]), "no document 'nothing' is in the index"),
        (Change(remove_corpora=["tset"]), "no corpus 'tset' is in the index; it has test"),
    ],
)
def test_what_is_not_there_cannot_go(tmp_path: Path, change: Change, said: str) -> None:
    folder = tmp_path / "index"
    change_index(folder, Change([document("one")]))
    with pytest.raises(RetrievalError, match=said):
        change_index(folder, change)
    assert len(Index.open(folder)) == 1


def test_folder_with_other_things_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.doc").write_text("mine")
    with pytest.raises(RetrievalError, match=r"holds thesis\.doc and no index of texts"):
        change_index(tmp_path, Change([document("one")]))
    assert (tmp_path / "thesis.doc").read_text() == "mine"


def test_second_writer_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    with (
        writer_lock(folder / "index.json"),
        pytest.raises(StoreError, match="another medkg process is writing it"),
    ):
        change_index(folder, Change([document("one")]))


def test_two_records_with_one_id_are_refused(tmp_path: Path) -> None:
    class Same:
        id = "same"

        def __call__(self, each: Document) -> list[Record]:
            return [Record("same", each.text, {})]

    with pytest.raises(RetrievalError, match="two records have the id 'same'"):
        change_index(tmp_path / "index", Change([document("one"), document("two")], Same()))


def test_what_a_killed_update_left_goes_also_when_nothing_has_changed(tmp_path: Path) -> None:
    change_index(tmp_path, Change([document("one")]))
    before = sorted(path.name for path in tmp_path.iterdir())
    (tmp_path / "version-abc.partial").mkdir()
    change_index(tmp_path, Change([document("one")]))
    assert sorted(path.name for path in tmp_path.iterdir()) == before


CHANGES: Final = """
import sys
from pathlib import Path
from qa.index.building import Change, change_index
from tests.qa.index.test_building import many

print("begun", flush=True)
while True:
    for version in "ab":
        change_index(Path(sys.argv[1]), Change(many(version)))
"""


def many(version: str) -> list[Document]:
    return [
        Document(f"d{n}", "", f"Gout {version} {n} fever.", version, "en", {"corpus": version})
        for n in range(200)
    ]


def test_killed_update_leaves_the_old_index_or_the_new(tmp_path: Path) -> None:
    chance = random.Random(1)  # noqa: S311 - moments, no secrets
    change_index(tmp_path, Change(many("a")))
    for _ in range(ROUNDS):
        with subprocess.Popen(
            [sys.executable, "-c", CHANGES, str(tmp_path)], stdout=subprocess.PIPE, cwd=REPOSITORY
        ) as process:
            assert process.stdout
            assert process.stdout.readline() == b"begun\n"
            time.sleep(chance.uniform(0.0, 1.5))
            process.send_signal(signal.SIGKILL)
        hits = Index.open(tmp_path).search("gout fever", 200)
        assert len(hits) == 200
        assert len({hit.record.metadata["source"] for hit in hits}) == 1
        change_index(tmp_path, Change(many("a")))
        assert len(list(tmp_path.glob("version-*"))) == 1


KILLED: Final = """
import os, signal, sys
from pathlib import Path
import qa.index.vectors
from qa.index.building import Change, change_index
from qa.index.models import SentenceModel
from tests.qa.index.test_building import many

class Dying(SentenceModel):
    calls = 0
    def of_texts(self, texts):
        Dying.calls += 1
        if Dying.calls == 4:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().of_texts(texts)

qa.index.vectors.SHARD = 16
folder = Path(sys.argv[1])
change_index(folder, Change(many("b"), model=Dying(sys.argv[2], Path(sys.argv[2]))))
"""


def test_killed_encoding_goes_on_where_it_was_unless_by_another_model(
    tmp_path: Path, models: tuple[Path, Path], counting: Counting
) -> None:
    folder, copy, fresh = (tmp_path / name for name in ("index", "copy", "fresh"))
    change_index(folder, Change(many("a")))
    line = [sys.executable, "-c", KILLED, str(folder), str(models[0])]
    assert subprocess.run(line, cwd=REPOSITORY, check=False).returncode == -signal.SIGKILL
    assert Index.open(folder).document("d0").source == "a"
    shutil.copytree(folder, copy)
    change_index(folder, Change(many("b"), model=counting))
    assert len(counting.asked) == 200 - 3 * 16
    assert not (folder / "encoding").exists()
    change_index(fresh, Change(many("b"), model=counting))
    assert files(folder) == files(fresh)
    counting.asked.clear()
    change_index(copy, Change(many("b"), model=Counting(str(models[1]), models[1])))
    assert len(counting.asked) == 200
