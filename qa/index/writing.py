"""What an index has on disk: read before a change, and written anew after it.

Only what is new is computed: a content that the index had keeps its tokens and its vector.
"""

import hashlib
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kg.errors import RetrievalError
from kg.progress import Progress
from kg.stores.disk import publish, replacing
from qa.index.bm25 import Tokens
from qa.index.manifest import (
    DOCUMENTS,
    ENCODING,
    MANIFEST,
    METADATA,
    NAMES,
    RECORDS,
    VECTORS,
    CorpusCard,
    GraphCard,
    Manifest,
    ModelCard,
    files_of,
    read_manifest,
)
from qa.index.models import SentenceModel, Vectors
from qa.index.rows import read_table, write_columns, write_rows
from qa.index.tokens import Tokenizer
from qa.index.vectors import EncodingFolder, stacked

_TEXTS: Final = pa.map_(pa.string(), pa.string())
RECORD_ROWS: Final = pa.schema(
    [
        *((name, pa.string()) for name in ("id", "document", "content", "checksum")),
        ("metadata", _TEXTS),
    ]
)
DOCUMENT_ROWS: Final = pa.schema(
    [
        *(
            (name, pa.string())
            for name in (
                "id",
                "title",
                "text",
                "source",
                "language",
                "corpus",
                "checksum",
                "collate",
            )
        ),
        ("metadata", _TEXTS),
    ]
)
_FILES: Final = "version-"


@dataclass(frozen=True)
class IndexContents:
    """What an index has before a change."""

    manifest: Manifest | None
    documents: pa.Table
    records: pa.Table
    tokens: Tokens
    vectors: NDArray[np.float32] | None
    tokenizer: Tokenizer


def read_contents(folder: Path) -> IndexContents:
    """What is in a folder.

    Raises:
        RetrievalError: something that is no index, or a damaged one.
    """
    if not (folder / MANIFEST).exists():
        foreign = [
            path.name
            for path in folder.iterdir()
            if not (path.name.startswith((MANIFEST, _FILES)) or path.name == ENCODING)
        ]
        if foreign:
            raise RetrievalError(
                f"{folder}: holds {foreign[0]} and no index of texts; name a folder for it alone"
            )
        no_tokens = Tokens.of(())
        return IndexContents(
            None,
            DOCUMENT_ROWS.empty_table(),
            RECORD_ROWS.empty_table(),
            no_tokens,
            None,
            Tokenizer(),
        )
    manifest = read_manifest(folder)
    with files_of(folder, manifest) as files:
        return IndexContents(
            manifest,
            read_table(files / DOCUMENTS, DOCUMENT_ROWS),
            read_table(files / RECORDS, RECORD_ROWS),
            Tokens.read(files),
            np.load(files / VECTORS, mmap_mode="r") if manifest.model else None,
            Tokenizer.read(files / NAMES),
        )


@dataclass(frozen=True)
class Planned:
    """What an index shall have after a change."""

    documents: pa.Table
    """Columns of ``DOCUMENT_ROWS``, sorted by id."""
    records: pa.Table
    """Columns of ``RECORD_ROWS``, sorted by id."""
    corpora: tuple[CorpusCard, ...]
    tokenizer: Tokenizer
    model: SentenceModel | None
    graph: GraphCard | None
    vector_weight: float


def write_planned(folder: Path, old: IndexContents, plan: Planned, progress: Progress) -> Manifest:
    """Write the files of an index, and let its manifest take the place of the old one.

    Raises:
        ModelError: the model cannot be used.
    """
    keys = plan.records.column("checksum").to_pylist()
    contents = dict(zip(keys, plan.records.column("content").to_pylist(), strict=True))
    tokens = _tokens(old, plan.tokenizer, keys, contents, progress)
    vectors = None
    if plan.model is not None:
        encoding = EncodingFolder(folder / ENCODING, plan.model)
        vectors = stacked(_vectors(old, encoding, contents, progress), keys, plan.model)
    manifest = Manifest(
        version=version("medkg"),
        files_in="",
        records=len(plan.records),
        documents=len(plan.documents),
        checksum=_checksum_of(plan.records, plan.documents),
        corpora=plan.corpora,
        collates=tuple(sorted(set(plan.documents.column("collate").to_pylist()))),
        tokenizer=plan.tokenizer.id,
        graph=plan.graph,
        model=None if plan.model is None or vectors is None else _card(plan.model, vectors),
        vector_weight=plan.vector_weight,
        files={},
        versions={name: version(name) for name in ("bm25s", "numpy", "pyarrow", "rjieba")},
    )
    name = _FILES + hashlib.sha256(manifest.model_dump_json().encode()).hexdigest()[:16]
    if old.manifest is not None and old.manifest.files_in == name:
        _remove_others(folder, name)
        return old.manifest  # nothing has changed
    with replacing(folder / name, hidden=False) as files:
        write_rows(plan.documents, files / DOCUMENTS)
        write_rows(plan.records, files / RECORDS)
        metadata = plan.records.column("metadata").to_pylist()
        write_columns([dict(each) for each in metadata], files / METADATA)
        with progress.step("weigh words"):
            tokens.write(files)
        plan.tokenizer.write(files / NAMES)
        if vectors is not None:
            np.save(files / VECTORS, vectors)
        sizes = {path.name: path.stat().st_size for path in sorted(files.iterdir())}
    manifest = manifest.model_copy(update={"files_in": name, "files": sizes})
    draft = folder / f"{MANIFEST}.draft"
    draft.write_text(manifest.model_dump_json(indent=2) + "\n", "utf-8")
    publish(draft, folder / MANIFEST)
    _remove_others(folder, name)
    return manifest


def _remove_others(folder: Path, name: str) -> None:
    """Remove the files of earlier versions and of killed updates, and what an encoding left."""
    for path in folder.iterdir():
        if path.name != name and (path.name.startswith(_FILES) or path.name == ENCODING):
            shutil.rmtree(path, ignore_errors=True)


def _card(model: SentenceModel, vectors: Vectors) -> ModelCard:
    return ModelCard(
        name=model.name,
        checksum=model.checksum,
        dimension=vectors.shape[1],
        versions=model.versions,
    )


def _checksum_of(records: pa.Table, documents: pa.Table) -> str:
    """SHA-256 over what is found, and the documents that it is of."""
    total = hashlib.sha256()
    for table, names in (
        (records, ("id", "checksum")),
        (documents, ("id", "checksum", "collate")),
    ):
        for name in names:
            total.update("\n".join(table.column(name).to_pylist()).encode())
    return total.hexdigest()


def _tokens(
    old: IndexContents,
    tokenizer: Tokenizer,
    keys: Sequence[str],
    contents: Mapping[str, str],
    progress: Progress,
) -> Tokens:
    """The tokens of each record; those of a content that the index had are taken from there."""
    row_of: dict[str, int] = {}
    if old.manifest is not None and old.manifest.tokenizer == tokenizer.id:
        old_keys = old.records.column("checksum").to_pylist()
        row_of = {key: old_row for old_row, key in enumerate(old_keys) if key in contents}
    tokens_of: dict[str, list[str]] = {}
    with progress.step("read words", len(contents)) as advance:
        for key, content in contents.items():
            old_row = row_of.get(key)
            tokens_of[key] = (
                tokenizer(content) if old_row is None else old.tokens.of_record(old_row)
            )
            advance(1)
    return Tokens.of(tokens_of[key] for key in keys)


def _vectors(
    old: IndexContents, encoding: EncodingFolder, contents: Mapping[str, str], progress: Progress
) -> dict[str, NDArray[np.float32]]:
    """The vector of each content, by its checksum; those that the index had are taken from there."""
    card = old.manifest.model if old.manifest else None
    old_vectors: dict[str, NDArray[np.float32]] = {}
    if card is not None and old.vectors is not None and card.checksum == encoding.model.checksum:
        keys = old.records.column("checksum").to_pylist()
        old_vectors = {k: v for k, v in zip(keys, old.vectors, strict=True) if k in contents}
    missing = {key: content for key, content in contents.items() if key not in old_vectors}
    return {**old_vectors, **encoding.encode(missing, progress)}
