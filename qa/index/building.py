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
from qa.index.writing import DOCUMENT_ROWS, RECORD_ROWS, Held, Planned, read_held, write_planned

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
        old = read_held(folder)
        documents, left_out = _documents_of(old, change, progress)
        kept = _kept(folder, old, change, documents)
        table, records = _merged(old, kept, documents, change.collate, progress)
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


def _model(before: Manifest | None, change: Change) -> SentenceModel | None:
    """The model of the vectors after a change.

    Raises:
        ModelError: it is not there.
        RetrievalError: it is another one than that of the vectors.
    """
    if change.model != "same":
        return change.model
    card = before.model if before else None
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
    old: Held, change: Change, progress: Progress
) -> tuple[dict[str, Document], LeftOutCounts]:
    """Documents by their ids, of several with one id the last; and what is left out.

    A section of the graph stays before the same text of another corpus: it says of which node it is.
    """
    of_graph: set[str] = set()
    if not change.anew and GRAPH not in {*change.remove_corpora, *(change.corpora or ())}:
        own = old.documents.filter(pc.equal(old.documents.column("corpus"), GRAPH))
        of_graph.update(own.column("id").to_pylist())
    documents: dict[str, Document] = {}
    left_out: LeftOutCounts = Counter()
    with progress.step("read texts") as advance:
        for each in change.documents:
            advance(1)
            if isinstance(each, LeftOut):
                left_out[each.corpus, each.reason] += 1
                continue
            corpus = each.metadata.get("corpus", "")
            if corpus == GRAPH:
                of_graph.add(each.id)
                if each.id in documents:
                    left_out[documents[each.id].metadata.get("corpus", ""), _IN_GRAPH] += 1
            elif each.id in of_graph:
                left_out[corpus, _IN_GRAPH] += 1
                continue
            documents[each.id] = each
    return documents, left_out


def _kept(
    folder: Path, old: Held, change: Change, documents: Mapping[str, Document]
) -> NDArray[np.bool_]:
    """Which of the index' documents stay as they are, shape (documents,).

    Raises:
        RetrievalError: one that shall go is not there.
    """
    ids, corpora = (old.documents.column(name).to_pylist() for name in ("id", "corpus"))
    for named, known, what in (
        (change.remove, set(ids), "document"),
        (change.remove_corpora, set(corpora), "corpus"),
    ):
        if unknown := sorted(set(named) - known):
            has = f"; it has {', '.join(sorted(known))}" if what == "corpus" and known else ""
            raise RetrievalError(f"{folder}: no {what} {unknown[0]!r} is in the index{has}")
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
    old: Held,
    kept: NDArray[np.bool_],
    documents: Mapping[str, Document],
    collate: Collate,
    progress: Progress,
) -> tuple[pa.Table, pa.Table]:
    """Documents and records after a change, sorted by their ids."""
    states = zip(
        *(old.documents.column(c).to_pylist() for c in ("id", "checksum", "collate")), strict=True
    )
    before = {id_: (content, cut) for id_, content, cut in states}
    stay = set(old.documents.filter(pa.array(kept)).column("id").to_pylist())
    lines: list[dict[str, object]] = []
    records: list[dict[str, object]] = []
    with progress.step("cut texts", len(documents)) as advance:
        for document in documents.values():
            content = _checksum(document)
            lines.append({**_columns(document), "checksum": content, "collate": collate.id})
            if before.get(document.id) == (content, collate.id):
                stay.add(document.id)
            else:
                records += (_line(document, record) for record in collate(document))
            advance(1)
    of_kept = pc.is_in(
        old.records.column("document"), value_set=pa.array(sorted(stay), pa.string())
    )
    table = pa.concat_tables(
        [old.documents.filter(pa.array(kept)), pa.Table.from_pylist(lines, DOCUMENT_ROWS)]
    ).sort_by("id")
    cut = pa.concat_tables(
        [old.records.filter(of_kept), pa.Table.from_pylist(records, RECORD_ROWS)]
    ).sort_by("id")
    _check_distinct(cut)
    return table.combine_chunks(), cut.combine_chunks()


def _check_distinct(records: pa.Table) -> None:
    ids = records.column("id").to_pylist()
    for before, after in pairwise(ids):
        if before == after:
            raise RetrievalError(
                f"two records have the id {before!r}; let the collate function give each its own"
            )


def _columns(document: Document) -> dict[str, object]:
    return {
        **{
            name: getattr(document, name) for name in ("id", "title", "text", "source", "language")
        },
        "corpus": document.metadata.get("corpus", ""),
        "metadata": sorted(document.metadata.items()),
    }


def _line(document: Document, record: Record) -> dict[str, object]:
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
    before: Manifest | None,
    change: Change,
    documents: pa.Table,
    records: pa.Table,
    left_out: LeftOutCounts,
) -> tuple[CorpusCard, ...]:
    """What the index has of each corpus, by its name."""
    known = {card.name: card for card in before.corpora} if before else {}
    added = change.corpora or {}
    of_document = Counter(records.column("document").to_pylist())
    cards: list[CorpusCard] = []
    names = sorted(set(documents.column("corpus").to_pylist()))
    for name in names:
        own = documents.filter(pc.equal(documents.column("corpus"), name))
        licences = {
            row["source"]: dict(row["metadata"]).get("licence", UNKNOWN_LICENCE)
            for row in own.select(["source", "metadata"]).to_pylist()
        }
        total = hashlib.sha256("\n".join(own.column("checksum").to_pylist()).encode())
        card = known.get(name)
        cards.append(
            CorpusCard(
                name=name,
                documents=len(own),
                records=sum(of_document[each] for each in own.column("id").to_pylist()),
                licences=dict(sorted(licences.items())),
                checksum=total.hexdigest(),
                left_out={
                    reason: count for (of, reason), count in sorted(left_out.items()) if of == name
                }
                if name in added or card is None
                else card.left_out,
                place=added.get(name, card.place if card else ""),
            )
        )
    return tuple(cards)
