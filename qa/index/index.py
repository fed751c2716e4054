"""An index of texts: opened from a folder, searched by words, by meaning or by both."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

import numpy as np
from numpy.typing import NDArray

from cypher.translation import translate
from kg.errors import RetrievalError
from qa.corpus import Document
from qa.index.bm25 import BM25
from qa.index.fusion import Ranked, fuse
from qa.index.manifest import (
    DOCUMENTS,
    METADATA,
    NAMES,
    RECORDS,
    VECTORS,
    Manifest,
    files_of,
    read_manifest,
)
from qa.index.models import SentenceModel
from qa.index.records import Hit, Record
from qa.index.rows import Columns, Rows
from qa.index.tokens import Tokenizer
from qa.index.vectors import Flat

Mode = Literal["bm25", "vector", "hybrid"]
Filter = Mapping[str, str | Sequence[str]]
"""Values that a record's metadata may have, by key; all keys must fit."""

FUSED: Final = 100
"""Records of each ranking that are fused, at least; ten times those wanted if that is more."""

_NOTHING: Final[Filter] = {}


class Index:
    """An index, as it was when it was opened; threads may share it.

    Example:
        ``Index.open(folder).search("what causes gout", where={"language": "en"})``
    """

    def __init__(self, folder: Path, manifest: Manifest, model: SentenceModel | None) -> None:
        self.folder, self.manifest = folder, manifest
        self._model = model
        self._lock = threading.RLock()
        with files_of(folder, manifest) as files:
            self._records, self._documents = Rows(files / RECORDS), Rows(files / DOCUMENTS)
            self._metadata = Columns(files / METADATA)
            self._bm25 = BM25(files)
            self._tokenizer = Tokenizer.read(files / NAMES)
            self._vectors = np.load(files / VECTORS, mmap_mode="r") if manifest.model else None

    @classmethod
    def open(cls, folder: Path, model: str | Path | SentenceModel | None = None) -> Self:
        """Open the index in a folder.

        Args:
            folder: that an index was written into.
            model: the model of its vectors, where it is not found by the name in the manifest.

        Raises:
            RetrievalError: there is no index, it is damaged or of another medkg; or its vectors
                are of another model.
            ModelError: the model is not there.
        """
        manifest = read_manifest(folder)
        if model is not None and not isinstance(model, SentenceModel):
            model = SentenceModel.find(model)
        if model is not None:
            _check_model(folder, manifest, model)
        try:
            return cls(folder, manifest, model)
        except (RetrievalError, FileNotFoundError):
            newer = read_manifest(folder)
            if newer.files_in == manifest.files_in:
                raise
            return cls(folder, newer, model)  # an update ended meanwhile

    def __len__(self) -> int:
        return self.manifest.records

    def search(
        self,
        query: str,
        k: int = 5,
        *,
        mode: Mode = "bm25",
        where: Filter = _NOTHING,
        without: Filter = _NOTHING,
        weight: float | None = None,
    ) -> list[Hit]:
        """The records that fit a question best.

        Filters hold in every mode: what is found are the best of the records that pass. Of equal
        scores the record with the smaller id comes first.

        Args:
            query: a question, in the languages of the index.
            k: hits at most.
            mode: by the words they share (``bm25``), by the cosine of vectors (``vector``), or by
                the weighted reciprocal ranks in both (``hybrid``).
            where: metadata that hits have.
            without: metadata of which hits have none.
            weight: of the vectors in a hybrid search, in [0, 1]; None: the index' own.

        Returns:
            Best first; fewer than k where fewer pass, or share a word with the question.

        Raises:
            RetrievalError: the index has no vectors, or a filter names a key that no record has.
            ModelError: the model of the vectors is not there.
            ValueError: k, the mode or the weight is none that there is.
        """
        ranked = self.rank(query, k, mode=mode, where=where, without=without, weight=weight)
        return [Hit(self._record(row), score, rank) for rank, (row, score) in enumerate(ranked, 1)]

    def rank(
        self,
        query: str,
        k: int,
        *,
        mode: Mode = "bm25",
        where: Filter = _NOTHING,
        without: Filter = _NOTHING,
        weight: float | None = None,
    ) -> Ranked:
        """As ``search``, the rows of records instead of the records.

        Raises:
            RetrievalError: as for ``search``.
            ValueError: as for ``search``.
        """
        weight = self.manifest.vector_weight if weight is None else weight
        if k < 1 or mode not in get_args(Mode) or not 0 <= weight <= 1:
            raise ValueError(f"no search is for k={k}, mode={mode!r}, weight={weight}")
        if mode != "bm25":
            self._check_vectors()
        if not query.strip() or not len(self):
            return []
        allowed = self._allowed(where, without)
        if mode == "bm25":
            return self._by_words(query, k, allowed)
        if mode == "vector":
            return self._by_vectors(query, k, allowed)
        depth = max(FUSED, 10 * k)
        words, vectors = (
            self._by_words(query, depth, allowed),
            self._by_vectors(query, depth, allowed),
        )
        return fuse(vectors, words, weight)[:k]

    def document(self, id: str) -> Document:  # noqa: A002 - what it is called everywhere
        """A document that records were made from, as its publisher wrote it.

        Raises:
            RetrievalError: the index has none with that id.
        """
        fields = self._documents.find(id)
        if fields is None:
            raise RetrievalError(
                translate(
                    "{folder}: no document {id!r} is in the index", folder=self.folder, id=id
                )
            )
        return _document(fields)

    def documents(self) -> Iterator[Document]:
        """Every document that records were made from, in the order of the ids."""
        yield from map(_document, self._documents)

    def _by_words(self, query: str, k: int, allowed: NDArray[np.bool_] | None) -> Ranked:
        scores = self._bm25.scores(self._tokenizer(query), len(self))
        if allowed is not None:
            scores[~allowed] = 0
        rows = np.flatnonzero(scores)
        if len(rows) > k:
            least = np.partition(scores[rows], len(rows) - k)[len(rows) - k]
            rows = rows[scores[rows] >= least]
        best = rows[np.lexsort((rows, -scores[rows]))][:k]
        return [(row, float(scores[row])) for row in best.tolist()]

    def _by_vectors(self, query: str, k: int, allowed: NDArray[np.bool_] | None) -> Ranked:
        with self._lock:  # the first to ask loads; models are not said to be safe for threads
            question = self._encoder.of_question(query)
            flat = self._flat
        return flat.nearest(question, k, allowed)

    def _check_vectors(self) -> None:
        if self._vectors is None:
            raise RetrievalError(
                translate(
                    "{folder}: the index has no vectors; search by bm25, or add vectors with 'medkg qa index --update --model minilm'",
                    folder=self.folder,
                )
            )

    @cached_property
    def _encoder(self) -> SentenceModel:
        if self._model is not None:
            return self._model
        card = self.manifest.model
        assert card is not None  # noqa: S101 - checked before
        model = SentenceModel.find(card.name)
        _check_model(self.folder, self.manifest, model)
        return model

    @cached_property
    def _flat(self) -> Flat:
        assert self._vectors is not None  # noqa: S101 - checked before
        return Flat(self._vectors)

    def _allowed(self, where: Filter, without: Filter) -> NDArray[np.bool_] | None:
        """Which records pass; None: all do."""
        allowed: NDArray[np.bool_] | None = None
        for filters, wanted in ((where, True), (without, False)):
            for key, values in filters.items():
                fits = self._has_value(key, values) == wanted
                allowed = fits if allowed is None else allowed & fits
        return allowed

    def _has_value(self, key: str, values: str | Sequence[str]) -> NDArray[np.bool_]:
        if key not in self.metadata_keys:
            raise RetrievalError(
                translate(
                    "{folder}: no record has {key!r} among its metadata; filter by {names}",
                    folder=self.folder,
                    key=key,
                    names=", ".join(sorted(self.metadata_keys)),
                )
            )
        return self._metadata.has_any(key, [values] if isinstance(values, str) else values)

    @property
    def metadata_keys(self) -> frozenset[str]:
        """The keys that some record has among its metadata, by which hits can be filtered."""
        return self._metadata.keys

    def _record(self, row: int) -> Record:
        record = self._records[row]
        return Record(record["id"], record["content"], dict(record["metadata"]))


def _document(row: dict[str, Any]) -> Document:
    """A document of a row of the table of documents."""
    fields = {name: row[name] for name in ("id", "title", "text", "source", "language")}
    return Document(**fields, metadata=dict(row["metadata"]))


def _check_model(folder: Path, manifest: Manifest, model: SentenceModel) -> None:
    """Refuse a model that the vectors of an index are not of."""
    card = manifest.model
    if card is None:
        raise RetrievalError(
            translate(
                "{folder}: the index has no vectors, so no model fits it; search by bm25, or add vectors with 'medkg qa index --update --model minilm'",
                folder=folder,
            )
        )
    if card.checksum != model.checksum:
        raise RetrievalError(
            translate(
                "{folder}: the vectors of the index are of the model {name} (checksum {checksum}) and not of {name_2} (checksum {checksum_2}); give that model, or encode anew with 'medkg qa index --update --model'",
                folder=folder,
                name=card.name,
                checksum=card.checksum[:12],
                name_2=model.name,
                checksum_2=model.checksum[:12],
            )
        )
