"""Which facts are well stated: beside them those are left out that a program alone found, or one source.

Sources that read labels, bills or pages by machine list side effects, other illnesses and examples
among the uses of a drug or the findings of a disease. How a fact was found the graph says itself: in
the sources' words for the relation, and in the evidence, which is a stretch of a text where one was
read. So a fact is well stated where several sources state it, or one that names its publication,
and not all of them by machine.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final, NamedTuple

from kg.stores.store import Rows, Store, Value
from qa.ordering import listed
from qa.subjects import Subject

_BY_MACHINE: Final = frozenset(
    {"text_mention", "NLP_indication", "MEDI", "medi_lps", "predict", "ehrlink"}
)
"""Words for a relation that a program found: in texts, in bills and records, or by prediction."""
_PRECISE: Final = "HIGHPRECISIONSUBSET"
"""Evidence of what was found so, and holds by the judgement of physicians."""
_STRETCH: Final = "#char="
"""In the evidence of what was read in a running text."""


class _Question(NamedTuple):
    """What a query asks, as its relations have it."""

    enough: int
    """Well stated rows beside which the others are left out."""
    relations: tuple[str, ...]
    """Whose heads the query is asked about."""
    of_tail: tuple[str, ...] = ()
    """Whose tails it is asked about."""
    forbid: tuple[str, ...] = ()
    """Which say the opposite."""


_QUESTIONS: Final[Mapping[str, _Question]] = {
    "drug.indications": _Question(3, ("INDICATED_FOR",), forbid=("CONTRAINDICATED_FOR",)),
    "disease.symptoms": _Question(5, ("HAS_SYMPTOM",)),
    "disease.treatments": _Question(5, ("TREATED_BY",)),
    "disease.drugs": _Question(5, ("TREATED_BY",), ("INDICATED_FOR", "USED_OFF_LABEL_FOR")),
}


@dataclass
class _Stated:
    """What is known of how one thing is stated."""

    sources: set[str] = field(default_factory=set)
    is_published: bool = False
    by_people: bool = False

    def add(self, row: Mapping[str, Value]) -> None:
        """Take what an edge says of it."""
        sources, evidence = listed(row["sources"]), str(row["evidence"] or "")
        words = set(str(row["original_relation"] or "").split("|"))
        was_read = _STRETCH in evidence and len(sources) == 1
        by_people = bool(words - _BY_MACHINE) or _PRECISE in evidence
        self.sources |= {*sources}
        self.by_people |= by_people and not was_read
        self.is_published |= by_people and not was_read and row["publications"] is not None

    @property
    def is_well(self) -> bool:
        return self.by_people and (len(self.sources) > 1 or self.is_published)


def well_stated(store: Store, query: str, rows: Rows, subjects: Iterable[Subject]) -> Rows:
    """The rows that are well stated, where these are enough; else all.

    A use that a source forbids which does not state it is none. Of a drug with few well stated uses
    those that people state are told, if these are enough.

    Args:
        store: the graph.
        query: whose rows they are; of some all rows are kept.
        rows: the other end of each fact is the first column.
        subjects: whom the rows are about.

    Raises:
        StoreError: the store failed.
    """
    if query not in _QUESTIONS or not rows.rows:
        return rows
    asks = _QUESTIONS[query]
    stated: dict[str, _Stated] = {}
    forbidden: dict[str, set[str]] = {}
    for row in chain.from_iterable(_evidence(store, asks, subject) for subject in subjects):
        if row["relation"] in asks.forbid:
            forbidden.setdefault(str(row["other_id"]), set()).update(listed(row["sources"]))
        else:
            stated.setdefault(str(row["other_id"]), _Stated()).add(row)
    known = {
        id_: one for id_, one in stated.items() if not forbidden.get(id_, set()) - one.sources
    }
    well = {id_ for id_, one in known.items() if one.is_well}
    by_people = {id_ for id_, one in known.items() if one.by_people}
    for ids in (well, by_people) if query == "drug.indications" else (well,):
        kept = _of(rows, ids)
        if len({row[0] for row in kept.rows}) >= asks.enough:
            return kept
    return rows


def _evidence(store: Store, asks: _Question, subject: Subject) -> Iterator[dict[str, Value]]:
    """How each fact that a query may tell of a thing is stated, and what says the opposite."""
    tails = [*asks.relations, *asks.forbid]
    yield from store.query("entity.evidence", head=subject.id, relations=tails).dicts()
    if asks.of_tail:
        heads = [*asks.of_tail]
        yield from store.query("entity.evidence_about", tail=subject.id, relations=heads).dicts()


def _of(rows: Rows, ids: Collection[str]) -> Rows:
    return replace(rows, rows=tuple(row for row in rows.rows if str(row[0]) in ids))
