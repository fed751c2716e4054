"""The systems that are compared, and the questions that all of them are asked."""

import json
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import yaml

from kg.progress import Progress
from qa.finetuning.pairs import Pair, checksum, draw
from qa.finetuning.retrieval import FloatArray, rank_by_vectors, rank_by_words, summarise
from qa.finetuning.templates import Templates
from qa.finetuning.training import Recipe, train
from qa.index.tokens import Tokenizer
from tests.experiments.retrieval.medquad import Answered

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

TEST: Final = 0.1
"""Share of the diseases whose questions are asked and not learned."""
DEV: Final = 0.1
"""Share of the diseases by whose questions the weight of a hybrid search is chosen."""
RARE: Final = 10
"""Diseases with a question of a form that so few questions have are all among the asked."""
WORDINGS: Final = Path(__file__).with_name("wordings.yaml")


@dataclass(frozen=True)
class Asked:
    """A set of questions, each with the passage that it was written for."""

    name: str
    questions: tuple[str, ...]
    passages: tuple[str, ...]
    own: tuple[int, ...]
    """Positions of the passages sought."""


@dataclass(frozen=True)
class Split:
    """MedQuAD, parted by disease."""

    all: tuple[Answered, ...]
    train: tuple[Answered, ...]
    test: tuple[int, ...]
    """Positions in ``all``."""
    dev: tuple[int, ...]
    """Those of ``train`` that choose the weight of a hybrid search, in which nothing is trained."""


def split(rows: Sequence[Answered], seed: int) -> Split:
    """Part the diseases by chance, all those with a rare form of question to the test."""
    forms = Counter(row.frame for row in rows)
    rare = {row.disease for row in rows if forms[row.frame] <= RARE}
    test = [at for at, r in enumerate(rows) if r.disease in rare or draw(r.disease, seed) < TEST]
    asked = set(test)
    dev = [
        at for at, r in enumerate(rows) if at not in asked and draw(r.disease, seed) < TEST + DEV
    ]
    return Split(
        tuple(rows),
        tuple(r for at, r in enumerate(rows) if at not in asked),
        tuple(test),
        tuple(dev),
    )


def sets(parts: Split, data: Path, seed: int) -> list[Asked]:
    """The sets of questions that all systems are asked."""
    articles = json.loads((data / "pubmedqa" / "ori_pqal.json").read_text("utf-8")).values()
    return [
        *of_medquad(parts, parts.test, seed),
        Asked(
            "PubMedQA",
            tuple(a["QUESTION"] for a in articles),
            tuple("\n".join(a["CONTEXTS"]) for a in articles),
            tuple(range(len(articles))),
        ),
    ]


def of_medquad(parts: Split, positions: Sequence[int], seed: int) -> list[Asked]:
    """MedQuAD's questions of some answers, those of rare forms apart, and their rewordings.

    Args:
        parts: all answers are passages; a form that the train part has not got is rare.
        positions: of the answers that are asked for, in ``parts.all``.
        seed: of the wordings.
    """
    passages = tuple(row.content for row in parts.all)
    forms = Counter(row.frame for row in parts.train)
    wordings = yaml.safe_load(WORDINGS.read_text("utf-8"))
    chance = Random(seed)  # noqa: S311 -- a draw, no secret
    usual: list[tuple[str, int]] = []
    rare: list[tuple[str, int]] = []
    reworded: list[tuple[str, int]] = []
    for at in positions:
        row = parts.all[at]
        (usual if forms[row.frame] else rare).append((row.question, at))
        if row.focus and row.type in wordings:
            reworded.append((chance.choice(wordings[row.type]).format(row.focus), at))
    return [
        Asked(name, tuple(q for q, _ in rows), passages, tuple(at for _, at in rows))
        for name, rows in (
            ("MedQuAD's questions", usual),
            ("MedQuAD's questions of rare forms", rare),
            ("reworded as lay persons ask", reworded),
        )
    ]


def learned(parts: Split, count: int, seed: int) -> dict[str, list[Pair]]:
    """Pairs to train on: MedQuAD's own questions, and template questions on half of the passages.

    Half, because training takes long.
    """
    rows = Random(seed).sample(parts.train, min(count, len(parts.train)))  # noqa: S311
    templates = Templates.of_package()
    own = [Pair(question=r.question, passage=r.content, disease=r.disease) for r in rows]
    made = [
        Pair(question=question, passage=r.content, disease=r.disease)
        for at, r in enumerate(rows[: count // 2])
        for question in templates.ask(r.focus, r.type, "en", 1, (seed, at))
    ]
    return {"MedQuAD's questions": own, "template questions": made}


def by_words(asked: Sequence[Asked]) -> dict[str, Any]:
    """Ranks by BM25."""
    started = time.monotonic()
    cut = Tokenizer()
    passages = {texts: list(map(cut, texts)) for texts in {a.passages for a in asked}}
    ranks = {
        a.name: rank_by_words(list(map(cut, a.questions)), passages[a.passages], a.own)
        for a in asked
    }
    return _result(ranks, seconds={"ranking": time.monotonic() - started})


def by_encoder(
    encoder: "SentenceTransformer",
    asked: Sequence[Asked],
    cache: Path,
    numbers: str,
    progress: Progress,
) -> dict[str, Any]:
    """Ranks by an encoder, whose vectors are kept in a folder."""
    started = time.monotonic()
    if numbers == "bfloat16":
        encoder = encoder.bfloat16()
    ranks, vectors = {}, {}
    for each in asked:
        for texts in (each.questions, each.passages):
            if texts not in vectors:
                vectors[texts] = encode(encoder, texts, cache, progress)
        ranks[each.name] = rank_by_vectors(
            vectors[each.questions], vectors[each.passages], each.own
        )
    return _result(ranks, seconds={"encoding and ranking": time.monotonic() - started})


def encode(
    encoder: "SentenceTransformer", texts: Sequence[str], cache: Path, progress: Progress
) -> FloatArray:
    """Vectors of length 1; parts of 1,000 texts are kept, so that a stopped run goes on."""
    key = checksum([Pair(question=text or " ", passage=" ") for text in texts])[:16]
    parts = []
    with progress.step(f"Encoding into {cache.name}", len(texts)) as advance:
        for at in range(0, len(texts), 1000):
            path, some = cache / f"{key}-{at}.npy", list(texts[at : at + 1000])
            if not path.is_file():
                cache.mkdir(parents=True, exist_ok=True)
                found = encoder.encode(some, normalize_embeddings=True, show_progress_bar=False)
                partial = path.with_suffix(".partial.npy")
                np.save(partial, found)
                partial.replace(path)
            parts.append(np.load(path, allow_pickle=False))
            advance(len(some))
    vectors = np.concatenate(parts)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), np.float32)


def tuned(
    encoder: "SentenceTransformer",
    pairs: Sequence[Pair],
    recipe: Recipe,
    folder: Path,
    progress: Progress,
) -> dict[str, Any]:
    """Train an encoder in place; what it took."""
    history = train(encoder, pairs, recipe, folder, progress=progress)
    return {
        "pairs": len(pairs),
        "checksum": checksum(pairs),
        "recipe": recipe.model_dump(),
        "history": [epoch.model_dump() for epoch in history],
    }


def _result(ranks: dict[str, FloatArray], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {
        "figures": {name: summarise(each).model_dump() for name, each in ranks.items()},
        "ranks": {name: each.tolist() for name, each in ranks.items()},
        **more,
    }
