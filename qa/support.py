"""Which facts are well stated: beside them those are left out that a program alone found, or one source.

Sources that read labels, bills or pages by machine list side effects, other illnesses and examples
among the uses of a drug or the findings of a disease. How a fact was found the graph says itself: in
the sources' words for the relation, and in the evidence, which is a stretch of a text where one was
read. So a fact is well stated where several sources state it that do not draw on each other, or one
that names its publication, and not all of them by machine. docs/answers.md has the rules, and what
they take out.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Final, NamedTuple

from cypher.translation import CHINESE, spoken
from kg.stores.store import Rows, Store, Value
from qa.kin import kin_of
from qa.no_answers import COMPLICATIONS, SYMPTOMS, that_answer
from qa.ordering import column, is_spoken, listed
from qa.subjects import Subject

_LABELS: Final = frozenset({"NLP_indication", "MEDI", "medi_hps"})
"""Words for what programs read in labels and pages; one origin, for MEDI has SIDER's, and others MEDI's."""
_READ_IN_LABELS: Final = "read in labels"
_PASSING: Final = frozenset({"text_mention", "medi_lps", "predict", "ehrlink"})
"""Words for what stands anywhere in a label, beside a prescription or a bill, or was predicted: no origin at all."""
_BY_MACHINE: Final = _LABELS | _PASSING
_LISTS: Final = frozenset({"indication", "CtD", "labeledin"})
"""Words for a list of its own each, though one source may have several such lists."""
_REVIEWED: Final = frozenset({"CtD", "labeledin"})
"""Lists that physicians or experts read line by line."""
_PRECISE: Final = "HIGHPRECISIONSUBSET"
"""Evidence of what was found so, and holds by the judgement of physicians."""
_INFERRED: Final = "IEA"
"""HPO's evidence for what a program took from the texts of OMIM."""
_STRETCH: Final = "#char="
"""In the evidence of what was read in a running text."""
_RANK: Final = re.compile(r"(?:^|\|)rank (\d+)(?:$|\|)")
"""In the evidence of what a list of medkg's health topics has: its place in that list."""
_PICTURE: Final = (
    *("HAS_SYMPTOM", "CAUSED_BY", "HAS_RISK_FACTOR", "DIAGNOSED_BY", "TREATED_BY", "PREVENTED_BY"),
    *("COMPLICATED_BY", "INDICATED_FOR", "IN_CLASS", "HAS_INGREDIENT", "HAS_ADVERSE_REACTION"),
)
"""Relations of a thing in the order in which they are told."""
_NAMED_TO_EXCLUDE: Final = re.compile(
    r"ketoacidosis|overdos|misuse|abuse|addicti|dependence|poisoning|toxicity|hypersensitivity"
    r"|酮症酸中毒|过量|滥用|成瘾|依赖|中毒|过敏$",
    re.IGNORECASE,
)
"""What labels name to say that the drug is not for it, or leads to it; a use where origins agree."""
_ENOUGH_CHINESE: Final = 3


class _Question(NamedTuple):
    """What a query asks, as its relations have it."""

    enough: tuple[int, int, int]
    """Rows beside which the others are left out: that are well stated, that people state, and that
    are not just mentioned in passing."""
    relations: tuple[str, ...]
    """Whose heads the query is asked about."""
    of_tail: tuple[str, ...] = ()
    """Whose tails it is asked about."""
    forbid: tuple[str, ...] = ()
    """Which say the opposite."""


_NEVER: Final = 10_000
_DRUGS: Final = "disease.drugs"
_USES: Final = "drug.indications"
_QUESTIONS: Final[Mapping[str, _Question]] = {
    _USES: _Question((2, 1, 1), ("INDICATED_FOR",), forbid=("CONTRAINDICATED_FOR",)),
    SYMPTOMS: _Question((5, _NEVER, _NEVER), ("HAS_SYMPTOM",)),
    COMPLICATIONS: _Question((_NEVER, _NEVER, _NEVER), ("COMPLICATED_BY",)),
    "disease.treatments": _Question((5, _NEVER, 2), ("TREATED_BY",)),
    _DRUGS: _Question((5, _NEVER, 2), ("TREATED_BY",), ("INDICATED_FOR", "USED_OFF_LABEL_FOR")),
}

FILTERED: Final = frozenset(_QUESTIONS)
"""Queries of whose rows some are left out."""


@dataclass
class _Stated:
    """What is known of how one thing is stated."""

    origins: set[str] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)
    words: set[str] = field(default_factory=set)
    """The sources' for the relation."""
    is_published: bool = False
    by_people: bool = False
    is_reviewed: bool = False
    in_passing: bool = True
    is_inferred: bool = True
    """A program alone took it from a catalogue, which stands as its publication."""

    def add(self, row: Mapping[str, Value]) -> None:
        """Take what an edge says of it."""
        sources, evidence = listed(row["sources"]), str(row["evidence"] or "")
        words = set(str(row["original_relation"] or "").split("|"))
        was_read = _STRETCH in evidence and len(sources) == 1
        precise = _PRECISE in evidence
        others = words - _BY_MACHINE - _LISTS
        self.sources |= {*sources}
        self.words |= words
        self.origins |= words & _LISTS
        self.origins |= {*sources} if others == words or len(others) > len(sources) else others
        if words & (_LABELS if precise else _LABELS - {"MEDI"}):
            self.origins.add(_READ_IN_LABELS)
        self.by_people |= (bool(words - _BY_MACHINE) or precise) and not was_read
        published = row["publications"] is not None and bool(words - _BY_MACHINE)
        self.is_published |= published and not was_read
        self.is_reviewed |= published or bool(words & _REVIEWED)
        self.is_inferred &= evidence == _INFERRED
        self.in_passing &= words <= _PASSING or (words <= {*_PASSING, "MEDI"} and not precise)

    @property
    def is_well(self) -> bool:
        return self.by_people and (len(self.origins) > 1 or self.is_published)


def well_stated(store: Store, query: str, rows: Rows, subjects: Iterable[Subject]) -> Rows:
    """The rows that are well stated, where these are enough; else all that say something.

    A use is none that a source forbids, unless it states it itself or the use is reviewed by people,
    nor one that is named to exclude it and that one list alone has. Of a thing with few well stated
    rows those that people state are told, or those that are not mentioned in passing, if these are
    enough. What is no answer (``qa.no_answers``) is left out, and of drugs for a disease what one list
    alone has where its well stated uses are others.

    Args:
        store: the graph.
        query: whose rows they are; of some all rows are kept.
        rows: the other end of each fact is the first column.
        subjects: whom the rows are about.

    Raises:
        StoreError: the store failed.
    """
    rows = _in_the_language(rows)
    if query not in _QUESTIONS or not rows.rows:
        return rows
    asks, about = _QUESTIONS[query], list(subjects)
    stated: dict[str, _Stated] = {}
    forbidden: dict[str, set[str]] = {}
    for row in chain.from_iterable(_evidence(store, asks, subject) for subject in about):
        if row["relation"] in asks.forbid:
            forbidden.setdefault(str(row["other_id"]), set()).update(listed(row["sources"]))
        else:
            stated.setdefault(str(row["other_id"]), _Stated()).add(row)
    not_inferred = {i for i, one in stated.items() if one.is_well and not one.is_inferred}
    rows = that_answer(store, query, rows, about, not_inferred)
    excluded = frozenset() if query in (SYMPTOMS, COMPLICATIONS) else _named_to_exclude(rows)
    for id_, by in forbidden.items():
        if id_ in stated and by & stated[id_].sources:
            stated[id_].origins.discard("indication")
    known = {
        id_: one
        for id_, one in stated.items()
        if (one.is_reviewed or not forbidden.get(id_, set()) - one.sources)
        and (one.is_well or id_ not in excluded)
    }
    if query == _DRUGS:
        others = _meant_for_others(store, known, about)
        if len(known) - len(others) >= _QUESTIONS[_DRUGS].enough[2]:
            known = {id_: one for id_, one in known.items() if id_ not in others}
            rows = _of(rows, {str(row[0]) for row in rows.rows} - others)
    tiers = (
        {id_ for id_, one in known.items() if one.is_well},
        {id_ for id_, one in known.items() if one.by_people and one.origins != {_READ_IN_LABELS}},
        {id_ for id_, one in known.items() if not one.in_passing},
    )
    for ids, enough in zip(tiers, asks.enough, strict=True):
        kept = _of(rows, ids)
        if len({row[0] for row in kept.rows}) >= enough:
            return kept
    return rows


def typical_ranks(
    store: Store, ids: Iterable[str], relations: Iterable[str]
) -> dict[tuple[str, str], int]:
    """The place that facts have in the lists of health topics, by relation and id of the tail.

    Args:
        store: the graph.
        ids: of the heads.
        relations: relation types of the facts.

    Raises:
        StoreError: the store failed.
    """
    asked = [*relations]
    ranks: dict[tuple[str, str], int] = {}
    for head in ids:
        for row in store.query("entity.evidence", head=head, relations=asked).dicts():
            if found := _RANK.search(str(row["evidence"] or "")):
                ranks[str(row["relation"]), str(row["other_id"])] = int(found[1])
    return ranks


def typical_picture(store: Store, rows: Rows, subjects: Iterable[Subject]) -> Rows:
    """The rows of all that is said of a thing that lists of health topics have; all where none has one.

    Args:
        store: the graph.
        rows: of ``disease.profile`` or ``drug.profile``.
        subjects: whom they are about.

    Raises:
        StoreError: the store failed.
    """
    said = dict.fromkeys(str(row[0]) for row in rows.rows)
    ranks = typical_ranks(store, (s.id for s in subjects), said)
    order = [*dict.fromkeys((*_PICTURE, *said))]
    kept = [row for row in rows.rows if (str(row[0]), str(row[1])) in ranks]
    kept.sort(key=lambda row: (order.index(str(row[0])), ranks[str(row[0]), str(row[1])]))
    return replace(rows, rows=tuple(kept)) if kept else rows


def typical(
    store: Store, rows: Rows, subjects: Iterable[Subject], relations: Iterable[str]
) -> Rows:
    """The rows that a list of health topics has, in its order; all where no such list has one.

    What a list has is typical of the thing, and was compared with public pages. What other sources
    have beside it is rarer or of a special case, and the likelier to be a mistake.

    Args:
        store: the graph.
        rows: the first column whose name ends in ``_id`` is the tail of a fact.
        subjects: the heads.
        relations: those by which the rows were found from heads to tails.

    Raises:
        StoreError: the store failed.
    """
    ranks: dict[str, int] = {}
    for (_, tail), rank in typical_ranks(store, (s.id for s in subjects), relations).items():
        ranks[tail] = min(rank, ranks.get(tail, rank))
    at = column(rows.columns, "_id")
    kept = [row for row in _in_the_language(rows).rows if str(row[at]) in ranks]
    kept.sort(key=lambda row: ranks[str(row[at])])
    return replace(rows, rows=tuple(kept)) if kept else rows


def by_several(rows: Rows) -> Rows:
    """The rows that several sources state, where these are enough for uses; else all.

    Args:
        rows: with a column of sources; what diseases say that they are treated by.
    """
    at = rows.columns.index("sources")
    kept = tuple(row for row in rows.rows if len(listed(row[at])) > 1)
    return replace(rows, rows=kept) if len(kept) >= _QUESTIONS[_USES].enough[0] else rows


def _meant_for_others(
    store: Store, stated: Mapping[str, _Stated], subjects: Sequence[Subject]
) -> set[str]:
    """Ids of drugs that a list of uses alone has for a disease, and that are for other things.

    They have uses enough that are well stated, and none of these is the disease, a kind of it or what
    it is a kind of. Asked for its uses such a drug would be told without this one: the list is drawn from
    labels, and those of drugs for hypertension name lipids and diabetes beside it.
    """
    alone = [id_ for id_, one in stated.items() if one.origins == one.words == {"indication"}]
    if not alone:
        return set()
    kin = {subject.id for subject in subjects}
    for subject in subjects:
        kin |= {id_ for up in (False, True) for id_ in kin_of(store, subject, parents=up)}
    others = set()
    for drug in alone:
        uses: dict[str, _Stated] = {}
        for row in store.query("entity.evidence", head=drug, relations=["INDICATED_FOR"]).dicts():
            uses.setdefault(str(row["other_id"]), _Stated()).add(row)
        well = {id_ for id_, one in uses.items() if one.is_well}
        if len(well) >= _QUESTIONS[_USES].enough[0] and not well & kin:
            others.add(drug)
    return others


def _in_the_language(rows: Rows) -> Rows:
    """The rows with a name in the language that is spoken, where these are enough; else all with a name.

    One is enough in English. In Chinese three are, for what has no Chinese name stands under its
    English one.
    """
    if not any(name.endswith("_name") for name in rows.columns):
        return rows
    at = column(rows.columns, "_name")
    own = column(rows.columns, "_name_zh") if _has_chinese(rows) else at
    named = tuple(row for row in rows.rows if row[at] != row[0])
    kept = tuple(row for row in named if is_spoken(str(row[own] or row[at])))
    enough = _ENOUGH_CHINESE if spoken().code == CHINESE else 1
    return replace(rows, rows=kept if len(kept) >= enough else named)


def _has_chinese(rows: Rows) -> bool:
    return spoken().code == CHINESE and any(name.endswith("_name_zh") for name in rows.columns)


def _named_to_exclude(rows: Rows) -> frozenset[str]:
    names = [at for at, name in enumerate(rows.columns) if name.endswith(("_name", "_name_zh"))]
    return frozenset(
        str(row[0])
        for row in rows.rows
        if any(_NAMED_TO_EXCLUDE.search(str(row[at])) for at in names if row[at])
    )


def _evidence(store: Store, asks: _Question, subject: Subject) -> Iterator[dict[str, Value]]:
    """How each fact that a query may tell of a thing is stated, and what says the opposite."""
    tails = [*asks.relations, *asks.forbid]
    yield from store.query("entity.evidence", head=subject.id, relations=tails).dicts()
    if asks.of_tail:
        heads = [*asks.of_tail]
        yield from store.query("entity.evidence_about", tail=subject.id, relations=heads).dicts()


def _of(rows: Rows, ids: Collection[str]) -> Rows:
    return replace(rows, rows=tuple(row for row in rows.rows if str(row[0]) in ids))
