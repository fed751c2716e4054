"""Writes an index: documents are added, replaced and removed, and only what is new is computed.

Records are kept in the order of their ids, so that an index which was changed many times is the one
that is made at once from the same documents.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from kg.errors import RetrievalError
from kg.progress import Progress, Silent
from kg.stores.disk import disk_errors, writer_lock
from qa.corpus import GRAPH, UNKNOWN_LICENCE, Document, LeftOut
from qa.index.fusion import VECTOR_WEIGHT
from qa.index.manifest import MANIFEST, CorpusCard, GraphCard, Manifest
from qa.index.models import SentenceModel
from qa.index.records import Collate, Passages, Record
from qa.index.tokens import Tokenizer
from qa.index.vectors import checksum
from qa.index.writing import (
    DOCUMENT_ROWS,
    RECORD_ROWS,
    IndexContents,
    Planned,
    read_contents,
    write_planned,
)

_IN_GRAPH: Final = "it is a section of the graph"

LeftOutCounts = Counter[tuple[str, str]]
"""Records that are no documents, by corpus and reason."""


@dataclass(frozen=True)
class Change:
    """What becomes of an index; nothing but the documents need be said."""

    documents: Iterable[Document | LeftOut] = ()
    """To be added; one whose id the index has replaces it."""
    collate: Collate = Passages()  # noqa: RUF009 - frozen
    """Makes the records of these documents."""
    corpora: Mapping[str, str] | None = None
    """Corpora that are given whole, and where each was read from: what the index has of them
    besides goes. None: nothing goes."""
    remove: Collection[str] = ()
    """Ids of documents that go."""
    remove_corpora: Collection[str] = ()
    """Names of corpora that go."""
    anew: bool = False
    """Whether all goes that is not given."""
    model: SentenceModel | Literal["same"] | None = "same"
    """Of the vectors; None: without vectors; same: as it was, and none in a new index."""
    names: Sequence[str] | Literal["same"] = "same"
    """Chinese names that are one token each."""
    graph: GraphCard | Literal["same"] | None = "same"
    """That sections and names are from."""
    vector_weight: float | Literal["same"] = "same"
    """Of a hybrid search, in [0, 1]."""


def change_index(folder: Path, change: Change, progress: Progress | None = None) -> Manifest:
    """Change the index in a folder, or make it; what it answers changes in one step at the end.

    Documents that are given again as they were keep their records, contents that were there their
    tokens and vectors. An encoding that was stopped goes on where it was.

    Args:
        folder: of the index alone.
        change: what becomes of it.
        progress: shown meanwhile.

    Returns:
        What the index states now.

    Raises:
        RetrievalError: the folder holds something else or a damaged index; a document or corpus
            that shall go is not there; or two documents have one record id.
        ModelError: the model cannot be used.
        StoreError: another process is changing it, or it cannot be written.
    """
    progress = progress or Silent()
    with writer_lock(folder / MANIFEST), disk_errors(folder):
        old = read_contents(folder)
        documents, left_out = _documents_of(old, change, progress)
        unchanged = _unchanged(folder, old, change, documents)
        table, records = _merged(old, unchanged, documents, change.collate, progress)
        plan = Planned(
            documents=table,
            records=records,
            corpora=_corpora(old.manifest, change, table, records, left_out),
            tokenizer=old.tokenizer if change.names == "same" else Tokenizer(change.names),
            model=_model(old.manifest, change),
            graph=(old.manifest.graph if old.manifest else None)
            if change.graph == "same"
            else change.graph,
            vector_weight=(old.manifest.vector_weight if old.manifest else VECTOR_WEIGHT)
            if change.vector_weight == "same"
            else change.vector_weight,
        )
        return write_planned(folder, old, plan, progress)


def _model(old_manifest: Manifest | None, change: Change) -> SentenceModel | None:
    """The model of the vectors after a change.

    Raises:
        ModelError: it is not there.
        RetrievalError: it is another one than that of the vectors.
    """
    if change.model != "same":
        return change.model
    card = old_manifest.model if old_manifest else None
    if card is None:
        return None
    model = SentenceModel.find(card.name)
    if model.checksum != card.checksum:
        raise RetrievalError(
            f"the model {model.name} is another one now than when the index was made (checksum "
            f"{model.checksum[:12]} instead of {card.checksum[:12]}); to encode all texts anew say "
            f"--model {model.name}"
        )
    return model


def _documents_of(
    old: IndexContents, change: Change, progress: Progress
) -> tuple[dict[str, Document], LeftOutCounts]:
    """Documents by their ids, of several with one id the last; and what is left out.

    A section of the graph stays before the same text of another corpus: it says of which node it is.
    """
    of_graph: set[str] = set()
    if not change.anew and GRAPH not in {*change.remove_corpora, *(change.corpora or ())}:
        sections = old.documents.filter(pc.equal(old.documents.column("corpus"), GRAPH))
        of_graph.update(sections.column("id").to_pylist())
    documents: dict[str, Document] = {}
    left_out: LeftOutCounts = Counter()
    with progress.step("read texts") as advance:
        for document in change.documents:
            advance(1)
            if isinstance(document, LeftOut):
                left_out[document.corpus, document.reason] += 1
                continue
            corpus = document.metadata.get("corpus", "")
            if corpus == GRAPH:
                of_graph.add(document.id)
                if document.id in documents:
                    left_out[documents[document.id].metadata.get("corpus", ""), _IN_GRAPH] += 1
            elif document.id in of_graph:
                left_out[corpus, _IN_GRAPH] += 1
                continue
            documents[document.id] = document
    return documents, left_out


def _unchanged(
    folder: Path, old: IndexContents, change: Change, documents: Mapping[str, Document]
) -> NDArray[np.bool_]:
    """Which of the index' documents stay as they are, shape (documents,).

    Raises:
        RetrievalError: one that shall go is not there.
    """
    ids, corpora = (old.documents.column(name).to_pylist() for name in ("id", "corpus"))
    for wanted, present, noun in (
        (change.remove, set(ids), "document"),
        (change.remove_corpora, set(corpora), "corpus"),
    ):
        if unknown := sorted(set(wanted) - present):
            has = f"; it has {', '.join(sorted(present))}" if noun == "corpus" and present else ""
            raise RetrievalError(f"{folder}: no {noun} {unknown[0]!r} is in the index{has}")
    removed = {*change.remove_corpora, *(change.corpora or ())}
    return np.array(
        [
            not change.anew
            and each not in documents
            and each not in change.remove
            and corpus not in removed
            for each, corpus in zip(ids, corpora, strict=True)
        ],
        dtype=np.bool_,
    )


def _merged(
    old: IndexContents,
    unchanged: NDArray[np.bool_],
    documents: Mapping[str, Document],
    collate: Collate,
    progress: Progress,
) -> tuple[pa.Table, pa.Table]:
    """Documents and records after a change, sorted by their ids."""
    states = zip(
        *(old.documents.column(c).to_pylist() for c in ("id", "checksum", "collate")), strict=True
    )
    state_of = {id_: (content, collate_id) for id_, content, collate_id in states}
    ids_with_records = set(old.documents.filter(pa.array(unchanged)).column("id").to_pylist())
    document_rows: list[dict[str, object]] = []
    record_rows: list[dict[str, object]] = []
    with progress.step("cut texts", len(documents)) as advance:
        for document in documents.values():
            content = _checksum(document)
            document_rows.append(
                {**_document_row(document), "checksum": content, "collate": collate.id}
            )
            if state_of.get(document.id) == (content, collate.id):
                ids_with_records.add(document.id)
            else:
                record_rows += (_record_row(document, record) for record in collate(document))
            advance(1)
    of_unchanged = pc.is_in(
        old.records.column("document"), value_set=pa.array(sorted(ids_with_records), pa.string())
    )
    all_documents = pa.concat_tables(
        [
            old.documents.filter(pa.array(unchanged)),
            pa.Table.from_pylist(document_rows, DOCUMENT_ROWS),
        ]
    ).sort_by("id")
    all_records = pa.concat_tables(
        [old.records.filter(of_unchanged), pa.Table.from_pylist(record_rows, RECORD_ROWS)]
    ).sort_by("id")
    _check_distinct(all_records)
    return all_documents.combine_chunks(), all_records.combine_chunks()


def _check_distinct(records: pa.Table) -> None:
    ids = records.column("id").to_pylist()
    for id_, next_id in pairwise(ids):
        if id_ == next_id:
            raise RetrievalError(
                f"two records have the id {id_!r}; let the collate function give each its own"
            )


def _document_row(document: Document) -> dict[str, object]:
    return {
        **{
            name: getattr(document, name) for name in ("id", "title", "text", "source", "language")
        },
        "corpus": document.metadata.get("corpus", ""),
        "metadata": sorted(document.metadata.items()),
    }


def _record_row(document: Document, record: Record) -> dict[str, object]:
    return {
        "id": record.id,
        "document": document.id,
        "content": record.content,
        "checksum": checksum(record.content),
        "metadata": sorted(record.metadata.items()),
    }


def _checksum(document: Document) -> str:
    content = json.dumps({**asdict(document), "metadata": dict(document.metadata)}, sort_keys=True)
    return hashlib.sha256(content.encode()).hexdigest()


def _corpora(
    old_manifest: Manifest | None,
    change: Change,
    documents: pa.Table,
    records: pa.Table,
    left_out: LeftOutCounts,
) -> tuple[CorpusCard, ...]:
    """What the index has of each corpus, by its name."""
    old_cards = {card.name: card for card in old_manifest.corpora} if old_manifest else {}
    added = change.corpora or {}
    of_document = Counter(records.column("document").to_pylist())
    cards: list[CorpusCard] = []
    names = sorted(set(documents.column("corpus").to_pylist()))
    for name in names:
        documents_of_corpus = documents.filter(pc.equal(documents.column("corpus"), name))
        licences = {
            row["source"]: dict(row["metadata"]).get("licence", UNKNOWN_LICENCE)
            for row in documents_of_corpus.select(["source", "metadata"]).to_pylist()
        }
        digest = hashlib.sha256(
            "\n".join(documents_of_corpus.column("checksum").to_pylist()).encode()
        )
        card = old_cards.get(name)
        cards.append(
            CorpusCard(
                name=name,
                documents=len(documents_of_corpus),
                records=sum(
                    of_document[each] for each in documents_of_corpus.column("id").to_pylist()
                ),
                licences=dict(sorted(licences.items())),
                checksum=digest.hexdigest(),
                left_out={
                    reason: count
                    for (corpus, reason), count in sorted(left_out.items())
                    if corpus == name
                }
                if name in added or card is None
                else card.left_out,
                place=added.get(name, card.place if card else ""),
            )
        )
    return tuple(cards)
