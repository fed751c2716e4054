"""Fine-tunes an encoder and measures it: before, after, and beside BM25."""

import shutil
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import numpy as np
from pydantic import BaseModel, Field

from kg.progress import Progress, Silent
from qa.finetuning.artifact import Card, check_replaceable, save, versions
from qa.finetuning.pairs import Pair, checksum, deduplicated, read_pairs, split
from qa.finetuning.retrieval import Figures, FloatArray, rank_by_vectors, rank_by_words, summarise
from qa.finetuning.training import Epoch, Recipe, cut_at, train, weights_checksum
from qa.index.models import SentenceModel
from qa.index.tokens import Tokenizer

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

BEFORE: Final = "before"
AFTER: Final = "after"
BM25: Final = "BM25"
_AT_ONCE: Final = 1024
"""Texts between two signs of progress."""


class FinetuneConfig(BaseModel, frozen=True, extra="forbid"):
    """What is trained, on what, and how."""

    base: str
    """An encoder of sentence-transformers, by name or path."""
    pairs: Path
    """A file as ``pairs.read_pairs`` takes it."""
    out: Path
    """The encoder's folder; beside it, ``NAME.training`` keeps the checkpoint meanwhile."""
    recipe: Recipe = Recipe()
    test: Annotated[float, Field(ge=0, lt=1)] = 0.1
    """Share of the diseases that are kept from training and asked about; 0: none is."""
    device: str | None = None
    """Of PyTorch; None: CUDA if it is available."""


def finetune(
    config: FinetuneConfig,
    progress: Progress | None = None,
    on_epoch: Callable[[Epoch], None] = lambda _: None,
) -> Card:
    """Train an encoder, measure it and write it; one that was stopped goes on.

    Args:
        config: what and how.
        progress: shown meanwhile.
        on_epoch: called after each epoch, and first for those before a stop.

    Returns:
        What was written about the encoder.

    Raises:
        ModelError: the encoder is not on this machine, or there is no such device.
        RetrievalError: the folder holds something else; the pairs cannot be used; the training
            failed.
        StoreError: the encoder cannot be written.
    """
    progress = progress or Silent()
    check_replaceable(config.out)
    all_pairs, made_by = read_pairs(config.pairs)
    pairs = deduplicated(all_pairs)
    training_pairs, test_pairs = split(pairs, config.test, config.recipe.seed)
    encoder = SentenceModel.find(config.base, config.device).encoder
    base_checksum = weights_checksum(encoder)
    if config.recipe.max_tokens is not None:
        cut_at(encoder, config.recipe.max_tokens)
    figures: dict[str, Figures] = {}
    if test_pairs:
        figures |= _figures(BM25, rank_by_bm25(pairs, test_pairs), test_pairs)
        figures |= _figures(
            BEFORE, rank_by_encoder(encoder, pairs, test_pairs, progress), test_pairs
        )
    checkpoint = config.out.with_name(f"{config.out.name}.training")
    history = train(
        encoder, training_pairs, config.recipe, checkpoint, progress=progress, on_epoch=on_epoch
    )
    if test_pairs:
        figures |= _figures(
            AFTER, rank_by_encoder(encoder, pairs, test_pairs, progress), test_pairs
        )
    card = Card(
        name=config.out.name,
        base=config.base,
        base_checksum=base_checksum,
        pairs=config.pairs.name,
        pairs_checksum=checksum(pairs),
        pairs_made_by=made_by,
        trained_on=len(training_pairs),
        tested_on=len(test_pairs),
        test_share=config.test,
        origins=dict(sorted(Counter(pair.origin for pair in pairs).items())),
        recipe=config.recipe,
        device=encoder.device.type,
        history=history,
        figures=figures,
        versions=versions(),
    )
    written_card = save(config.out, encoder, card)
    shutil.rmtree(checkpoint, ignore_errors=True)
    return written_card


def rank_by_encoder(
    encoder: "SentenceTransformer",
    pairs: Sequence[Pair],
    tested: Sequence[Pair],
    progress: Progress,
) -> FloatArray:
    """Rank by cosine of the passages of some pairs among those of all, shape (tested,)."""
    passages, rows = _passages_and_rows(pairs, tested)
    with progress.step("Encoding passages and questions", len(passages) + len(tested)) as advance:
        vectors = []
        for encode, texts in (
            (encoder.encode_query, [pair.question for pair in tested]),
            (encoder.encode_document, passages),
        ):
            batches = []
            for start in range(0, len(texts), _AT_ONCE):
                batch = texts[start : start + _AT_ONCE]
                batches.append(encode(batch, normalize_embeddings=True, show_progress_bar=False))
                advance(len(batch))
            vectors.append(np.concatenate(batches))
    question_vectors, passage_vectors = vectors
    return rank_by_vectors(question_vectors, passage_vectors, rows)


def rank_by_bm25(pairs: Sequence[Pair], tested: Sequence[Pair]) -> FloatArray:
    """Rank by BM25 of the passages of some pairs among those of all, shape (tested,)."""
    passages, rows = _passages_and_rows(pairs, tested)
    tokenize = Tokenizer()
    return rank_by_words(
        [tokenize(pair.question) for pair in tested], list(map(tokenize, passages)), rows
    )


def _figures(system: str, ranks: FloatArray, tested: Sequence[Pair]) -> dict[str, Figures]:
    """The figures of all questions, and of those of each origin where there are several."""
    origins = np.array([pair.origin for pair in tested])
    apart = sorted(set(origins.tolist())) if len(set(origins.tolist())) > 1 else []
    return {system: summarise(ranks)} | {
        f"{system}, {origin or 'unnamed'}": summarise(ranks[origins == origin]) for origin in apart
    }


def _passages_and_rows(
    pairs: Sequence[Pair], tested: Sequence[Pair]
) -> tuple[list[str], list[int]]:
    """The distinct passages of all pairs, and the position of that of each tested pair."""
    row_of: dict[str, int] = {}
    for pair in pairs:
        row_of.setdefault(pair.passage, len(row_of))
    return list(row_of), [row_of[pair.passage] for pair in tested]
