"""Answers a part of a question by the graph: rows of a named query, or of triples.

What is said of a thing itself and of what it is as a finding or disease (``CLOSE_MATCH``) comes
first; where there is nothing, what is said of things that share a UMLS concept with it
(joint-reasoning paper, section 3.3.2), of its kinds, and then of what it is a kind of: each row
with the one that it is said of.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, cast

from cypher import load_catalogue
from cypher.translation import CHINESE, spoken, title, translate
from kg.errors import QuestionError
from kg.linking import Linker
from kg.stores.answers import MOST_ROWS, limit_of
from kg.stores.store import Rows, Store, Value
from kg.vocabulary import RELATION_TYPES
from qa.ingredients import ingredients, merged, products
from qa.kin import COLUMNS as KIN_COLUMNS
from qa.kin import (
    DESCENDANTS,
    KIN_ASKED,
    MOST,
    all_names_of,
    ends_of,
    kin_of,
    others_of,
    renamed,
    said_of,
)
from qa.no_answers import COMPLICATIONS, no_reactions
from qa.ordering import (
    BY_COMMONNESS,
    BY_DRUGS,
    BY_FIT,
    BY_FREQUENCY,
    BY_PUBLICATION,
    BY_RANK,
    BY_SOURCES,
    LAST,
    any_spoken,
    commonness,
    listed,
    number,
    ordered,
    reactions,
)
from qa.populations import are_children
from qa.question import DIFFERENTIAL, Part, Reading, Triple
from qa.subgraph import Edge
from qa.subjects import Subject, named
from qa.support import by_several, typical, typical_picture, well_stated
from qa.verdicts import VERDICTS, Verdict, asks_of_all, verdict_of, weight

_POINTED_TO: Final = 200
"""Diseases that findings point to, of which the likeliest are shown."""
_LIKELIEST: Final = 25
_KINDS: Final = 3
"""Steps below a thing in which its kinds are named."""


_REACTIONS: Final = "drug.adverse_reactions"
_USES: Final = "drug.indications"
_TRIPLES: Final = ("entity.tails", "entity.heads")
_BY_SOURCES: Final = (
    "disease.causes",
    COMPLICATIONS,
    "disease.diagnosis",
    "disease.drugs",
    "disease.prevention",
    "disease.risk_factors",
    "disease.symptoms",
    "disease.treatments",
    "drug.avoid_with_condition",
    "drug.contraindications",
    _USES,
    "drug.interactions",
    *_TRIPLES,
)
"""Queries of whose rows those that most sources state come first."""
_BY_COMMONNESS: Final = (
    "disease.causes",
    COMPLICATIONS,
    "disease.risk_factors",
    "drug.avoid_with_condition",
    "drug.contraindications",
    "drug.interactions",
)
"""Of whose rows of as many sources the commonest things come first; of others the order is the
query's: what has many uses is not the first choice for any of them."""
_BY_FREQUENCY: Final = ("disease.symptoms", *_TRIPLES)
"""As those, where no row has a frequency."""


_RELATIONS: Final = (
    "INDICATED_FOR",
    "IN_CLASS",
    "HAS_INGREDIENT",
    "CONTRAINDICATED_FOR",
    "HAS_PRECAUTION",
    "HAS_ADVERSE_REACTION",
)
_OF_A_DRUG: Final = {relation: at for at, relation in enumerate(_RELATIONS)}
"""Relations of a drug that come first in what it is."""


class NoFactError(QuestionError):
    """The graph has nothing that answers."""


@dataclass(frozen=True)
class Facts:
    """What answers a part of a question, and how it was found."""

    part: Part
    reading: Reading
    """The one that is answered."""
    subjects: tuple[Subject, ...]
    """Whom the rows are about."""
    query: str
    """Name in the catalogue; ``medkg query`` runs it again, and gives the rows, in an order of its
    own, if there is no note."""
    arguments: dict[str, Value]
    rows: Rows
    total: int
    """Rows there are without a limit."""
    note: str = ""
    """What is to be said before the rows, such as that they are about kinds of the thing."""
    verdict: Verdict = ""
    """The answer to a question that wants yes or no; empty where the facts do not give it."""
    less_stated: int = 0
    """Rows that are left out since one source or a program alone states them, and enough others are
    well stated."""
    by_rank: bool = False
    """Its rows are those of a list of what is typical, in its order."""

    @property
    def order(self) -> tuple[str, ...]:
        """What the rows are sorted by before the query's own order, in words; empty: by that alone."""
        if self.rows.columns == KIN_COLUMNS:
            return ()
        if self.by_rank:
            return (BY_RANK,)
        if self.query == DIFFERENTIAL:
            return (BY_FIT,)
        if self.query == _REACTIONS:
            return (LAST, BY_FREQUENCY, BY_DRUGS)
        if self.query not in _BY_SOURCES:
            return ()
        common = _are_by_commonness(self.query, self.rows.columns, self.rows.rows)
        publication = (BY_PUBLICATION,) if self.query == COMPLICATIONS else ()
        return (BY_SOURCES, *publication, *((BY_COMMONNESS,) if common else ()))

    @property
    def left_out(self) -> str:
        """Says how many rows are left out as less well stated; empty where none is."""
        if not self.less_stated:
            return ""
        more = (
            "{count} more, which are less well stated, say nothing in particular or have no name "
            "in this language, are not shown; the query lists them"
        )
        return translate(more, count=self.less_stated)

    def edges(self) -> Iterator[Edge]:
        """The facts that the rows state, of rows that have both ends of one."""
        for row in self.rows.dicts():
            ends = (str(row.get("head_id") or ""), str(row.get("tail_id") or row.get("entity_id")))
            head, tail = (ends[0] or self.reading.subjects[0].id, ends[1])
            sources = tuple(listed(row.get("sources")))
            yield Edge(head, str(row.get("relation")), tail, sources)

    def called(self, ids: Collection[str]) -> dict[str, str]:
        """What things of the rows are called in the language that is spoken, by id."""
        called: dict[str, str] = {}
        for end in (c.removesuffix("_id") for c in self.rows.columns if c.endswith("_id")):
            for row in self.rows.dicts():
                own = row.get(f"{end}_name_zh") if spoken().code == CHINESE else None
                if row[f"{end}_id"] in ids:
                    called[str(row[f"{end}_id"])] = str(own or row[f"{end}_name"])
        return called


def facts_of(store: Store, part: Part, linker: Linker) -> Facts:
    """Answer a part of a question from the graph.

    Args:
        store: the graph.
        part: of ``qa.questions.read``.
        linker: of that graph's names; says in messages what things are called.

    Raises:
        QuestionError: the part could not be read, or the graph has no such fact.
        StoreError: the store failed.
    """
    if part.problem:
        raise part.problem
    ways: list[Callable[[Store, Part, Reading, Linker], Facts | None]]
    ways = [_of_itself, _of_contents, _of_synonyms, _of_kinds, _of_parents]
    ways += [partial(_of_itself, strict=False), _of_records]
    if part.readings[0].triples and part.readings[0].triples[0].relation is None:
        ways = [_between]
    for readings in _one_after_another(part.readings):
        theirs = any(s.of_people for s in readings[0].subjects)
        for way in ways[:1] if theirs else ways:
            found = []
            for reading in readings:
                if way in (_of_kinds, _of_parents) and _is_a_disease(reading, readings):
                    continue
                if facts := way(store, part, reading, linker):
                    found.append(facts)
                    if way is not _between and (way is not _of_itself or reading.instead):
                        break
            if found:
                facts = _typical_of_all(store, part, linker, _together(store, found))
                return replace(facts, verdict="yes") if _is_inherited(facts) else facts
    # of pregnant women rather than of what labels advise them
    first = min(part.readings, key=lambda r: any(s.type == "Precaution" for s in r.subjects))
    raise NoFactError(_none(first, linker))


def _typical_of_all(store: Store, part: Part, linker: Linker, found: Facts) -> Facts:
    """What a list of health topics has of all people, where what is found of some is of none: 发烧, 小儿发烧."""
    if found.by_rank or not any(s.of_people for s in found.reading.subjects):
        return found
    for reading in part.readings:
        if not any(s.of_people for s in reading.subjects):
            facts = _of_itself(store, part, reading, linker)
            if facts and facts.by_rank:
                return facts
    return found


def _is_a_disease(reading: Reading, readings: Sequence[Reading]) -> bool:
    """Whether it is of a finding that goes by the name of a disease: whooping cough is no cough."""
    own = {(s.start, s.end) for s in reading.subjects if s.type == "Symptom"}
    return any(
        (s.start, s.end) in own and s.type == "Disease"
        for other in readings
        for s in other.subjects
    )


def _is_inherited(facts: Facts) -> bool:
    """Whether its rows answer yes to whether something is inherited: not of what mostly is by chance."""
    if facts.reading.heading != "modes of inheritance" or facts.reading.whether is None:
        return False
    modes = [str(row.get("entity_name")).lower() for row in facts.rows.dicts()]
    by_chance = any(word in mode for mode in modes for word in ("sporadic", "somatic"))
    return not by_chance and not asks_of_all(facts.part)


def _one_after_another(readings: Sequence[Reading]) -> Iterable[Sequence[Reading]]:
    """Readings of which the next are tried only where those before have nothing.

    What is asked as the people of the question have it goes before what is so in general, and how
    something is inherited before its genes: any of its kinds says that it is.
    """
    first = [r for r in readings if any(s.of_people for s in r.subjects) and not r.instead]
    first = first or [r for r in readings if r.heading == "modes of inheritance"]
    return [group for group in (first, readings) if group]


def _together(store: Store, found: Sequence[Facts]) -> Facts:
    """The facts of several things of one name, as one; of two things what speaks plainest."""
    first = next((facts for facts in found if facts.by_rank), found[0])
    if first.by_rank:
        return first
    if first.query == "entity.statements":
        return min(found, key=lambda facts: (bool(facts.note), VERDICTS.index(facts.verdict)))
    alike = [
        facts
        for facts in found
        if facts.reading.heading == first.reading.heading
        and facts.rows.columns == first.rows.columns
        and facts.query == first.query
        and not facts.reading.instead
        and all(s.type != "Drug" for s in facts.reading.subjects)
        and [s.start for s in facts.reading.subjects] == [s.start for s in first.reading.subjects]
    ]
    if len(alike) < 2 or first.query not in _BY_SOURCES:  # noqa: PLR2004
        return first
    columns = first.rows.columns
    ends = [at for at, name in enumerate(columns) if name.endswith("_id") or name == "relation"]
    rows: dict[tuple[str, ...], tuple[Value, ...]] = {}
    subjects = tuple(dict.fromkeys(s for facts in alike for s in facts.subjects))
    own = {subject.id for subject in subjects}
    for row in (row for facts in alike for row in facts.rows.rows):
        if row[0] not in own:
            rows.setdefault(tuple(str(row[at]) for at in ends), row)
    shown = tuple(_ordered(first.query, store, columns, [*rows.values()]))
    truncated = any(facts.rows.truncated for facts in alike)
    total = max(len(shown), *(facts.total for facts in alike))
    less = total - len(shown) if any(facts.less_stated for facts in alike) else 0
    rows_of_all = Rows(columns, shown, truncated)
    return replace(first, rows=rows_of_all, subjects=subjects, total=total, less_stated=less)


def _of_itself(
    store: Store, part: Part, reading: Reading, linker: Linker, *, strict: bool = True
) -> Facts | None:
    """By the reading's named query, or by its triples, about the thing and what else it is.

    Args:
        store: the graph.
        part: of the question.
        reading: of the part.
        linker: of the graph's names.
        strict: facts without any name in English do not answer in English.
    """
    del linker
    if _is_of_findings(reading) and (
        (facts := _of_findings(store, part, reading)) or reading.query == DIFFERENTIAL
    ):
        return facts
    way = _OTHERWISE.get(reading.heading)
    if way or reading.query is None:
        return (way or _of_triples)(store, part, reading)
    if reading.query in _OF_DRUGS and any(s.type == "Population" for s in part.subjects):
        return _of_people(store, part, reading)
    query = reading.query
    rows, subjects = _rows(store, query, reading.arguments)
    if not rows.rows and query == _USES:  # what it is for diseases alone say
        treats = tuple(triple for triple in reading.triples if triple.relation == "TREATED_BY")
        facts = _of_triples(store, part, replace(reading, triples=treats))
        told = by_several(facts.rows) if facts else rows
        return facts and replace(facts, rows=told, less_stated=len(facts.rows) - len(told))
    if query.endswith(".profile"):
        shown = typical_picture(store, rows, subjects)
    else:
        shown = _typical(store, reading, rows, subjects)
    is_typical = shown is not rows
    if not is_typical:
        shown = well_stated(store, query, rows, subjects)
    if not shown.rows or (strict and not any_spoken(rows)):
        return None
    more = _rows(store, query, reading.arguments, whole=True)[0] if rows.truncated else rows
    arguments: dict[str, Value] = {**_ids(reading.arguments)}
    weak = len(rows) - len(shown)
    return Facts(
        *(part, reading, subjects, query, arguments, shown, len(more)),
        less_stated=weak,
        by_rank=is_typical,
    )


def _typical(store: Store, reading: Reading, rows: Rows, subjects: Iterable[Subject]) -> Rows:
    """The rows that a list of health topics has; the same rows where none has any."""
    relations = [
        t.relation
        for t in reading.triples
        # of a symmetric relation the rank may be that in the other's list
        if t.sought == "tail" and t.relation and not RELATION_TYPES[t.relation].symmetric
    ]
    return typical(store, rows, subjects, relations) if relations and rows.rows else rows


_OF_DRUGS: Final = ("disease.drugs", "disease.treatments")


def _of_people(store: Store, part: Part, reading: Reading) -> Facts | None:
    """What treats people who may not take everything.

    That is what the graph has of their own; for children what is typical, without what they should
    avoid; else which of the drugs for it they should avoid. Of a drug that nothing is said against
    nobody knows from that whether they may take it.
    """
    query = str(reading.query)
    rows, subjects = _rows(store, query, reading.arguments)
    if not rows.rows:
        return None
    people = [s.id for s in part.subjects if s.type in ("Population", "Precaution")]
    asked = (store.query("drug.avoid_with_condition", condition=each) for each in people)
    avoided = {str(row["drug_id"]) for each in asked for row in each.dicts()}
    usual = _typical(store, reading, rows, subjects)
    by_rank = usual is not rows and are_children(s for s in part.subjects if s.id in people)
    if by_rank:
        kept = [row for row in usual.rows if row[0] not in avoided]
        note = ""
    elif any(s.of_people for s in reading.subjects):
        kept = [row for row in rows.rows if row[0] not in avoided]
        note = ""
    else:
        kept = [row for row in rows.rows if row[0] in avoided]
        note = translate(
            "which drugs these people may take the graph does not say: ask a doctor or pharmacist; of "
            "those for it they should avoid, or take with care alone, the following"
        )
    if not kept:
        return None
    shown = Rows(rows.columns, tuple(kept))
    arguments: dict[str, Value] = {**_ids(reading.arguments)}
    total = len(rows) if by_rank else len(kept)
    return Facts(
        *(part, reading, subjects, query, arguments, shown, total, note),
        less_stated=total - len(kept),
        by_rank=by_rank,
    )


_NAMES: Final = ("name", "name_zh")
_INGREDIENT: Final = ("ingredient_id", "ingredient_name", "ingredient_name_zh")


def _of_ingredients(store: Store, part: Part, reading: Reading) -> Facts | None:
    """A drug that has no ingredients of its own is the ingredient of what goes by its names."""
    if facts := _of_triples(store, part, reading):
        return facts
    arguments: dict[str, Value] = {"entity": reading.subjects[0].id}
    rows = store.query("entity.by_id", **arguments).dicts()
    subject = reading.subjects[0]
    written = part.text[max(subject.start, 0) : subject.end].casefold()
    if any(written == str(row[f"entity_{name}"]).casefold() for row in rows for name in _NAMES):
        return None  # that Augmentin is made of Augmentin says nothing
    cells = tuple(
        tuple(row[name.replace("ingredient", "entity")] for name in _INGREDIENT) for row in rows
    )
    shown = Rows(_INGREDIENT, cells)
    return Facts(part, reading, reading.subjects, "entity.by_id", arguments, shown, len(cells))


_DISEASES: Final = ("disease_id", "disease_name", "disease_name_zh", "chance", "matched")
"""Columns of what findings point to; ``matched``: how many of them the disease has."""


def _is_of_findings(reading: Reading) -> bool:
    """Whether it asks which diseases a finding points to."""
    of_finding = reading.heading in _OF_FINDINGS and reading.subjects[0].type == "Symptom"
    return reading.query == DIFFERENTIAL or of_finding


_OF_FINDINGS: Final = ("diseases", "what may lead to it")


def _of_findings(store: Store, part: Part, reading: Reading) -> Facts | None:
    """The diseases that findings together point to, the likeliest first.

    To what ``symptom.differential`` knows comes how many treatments a disease has: medicine has
    many for what is common. So the rows are the query's, and their order is not.
    """
    if reading.instead and any(s.type == "Disease" for s in others_of(store, reading.subjects[0])):
        return None  # what has it is no answer to what causes it
    absent = [s.id for s in part.subjects if s.denied]
    given: dict[str, Value] = {"present": [s.id for s in reading.subjects], "absent": absent}
    given["limit"] = _POINTED_TO
    asked = {s.id for s in reading.subjects}
    found = [row for row in store.query(DIFFERENTIAL, **given).dicts() if row[_ID] not in asked]
    treatments = commonness(store, [str(row[_ID]) for row in found])
    likely = {
        row[_ID]: cast("float", row["score"]) + treatments[str(row[_ID])][1] for row in found
    }
    itself = _meant(store, part, reading.subjects)
    found.sort(key=lambda row: (row[_ID] not in itself, -likely[row[_ID]]))
    rows = tuple(tuple(row[name] for name in _DISEASES) for row in found[:_LIKELIEST])
    if not rows:
        return None
    shown = Rows(_DISEASES, rows)
    return Facts(part, reading, reading.subjects, DIFFERENTIAL, given, shown, len(found))


def _of_records(store: Store, part: Part, reading: Reading, linker: Linker) -> Facts | None:
    """What goes along with a finding in records, where no source says which diseases have it."""
    if not _is_of_findings(reading) or len(reading.subjects) != 1:
        return None
    [finding] = reading.subjects
    beside = replace(reading, triples=(Triple(None, "COOCCURS_WITH", finding.id),))
    facts = _of_triples(store, part, beside)
    note = translate(
        "the graph has no {heading} of {names}; these go along with it in records of patients",
        heading=title("headings", reading.heading),
        names=named([finding], linker),
    )
    return replace(facts, note=note) if facts else None


def _meant(store: Store, part: Part, findings: Sequence[Subject]) -> frozenset[str]:
    """Ids of the diseases that a finding is, where the question describes it and does not name it."""
    if len(findings) != 1 or findings[0].start < 0:
        return frozenset()
    written = part.text[findings[0].start : findings[0].end].casefold()
    if written in {name.casefold() for name in all_names_of(store, findings[0].id)}:
        return frozenset()
    return frozenset(other.id for other in others_of(store, findings[0]))


_ID: Final = "disease_id"
_DESCENDANT: Final = ("descendant_id", "descendant_name", "descendant_name_zh", "steps")


def _of_its_kinds(store: Store, part: Part, reading: Reading) -> Facts | None:
    """What are kinds of a thing, near or a few steps below, the commonest first."""
    found: dict[str, tuple[Value, ...]] = {}
    for one in (reading.subjects[0], *others_of(store, reading.subjects[0])):
        for row in store.query("entity.descendants", entity=one.id, limit=KIN_ASKED).dicts():
            if number(row["steps"]) <= _KINDS:
                found.setdefault(str(row["descendant_id"]), tuple(row[n] for n in _DESCENDANT))
    if not found:
        return None
    rows = Rows(_DESCENDANT, tuple(ordered(store, _DESCENDANT, list(found.values()))[:MOST]))
    arguments: dict[str, Value] = {"entity": reading.subjects[0].id}
    query = "entity.descendants"
    return Facts(part, reading, reading.subjects, query, arguments, rows, len(found))


def _rows(
    store: Store, query: str, by_parameter: Mapping[str, Subject], *, whole: bool = False
) -> tuple[Rows, tuple[Subject, ...]]:
    """Each fact once, and whom they are about.

    Args:
        store: the graph.
        query: name of a query.
        by_parameter: what it is asked about.
        whole: its limit does not hold.
    """
    name = limit_of(load_catalogue().find(query, store.engine))
    most: dict[str, Value] = {name: MOST_ROWS} if whole and name else {}
    rows = store.query(query, **_ids(by_parameter), **most)
    subjects = [*by_parameter.values()]
    facts, truncated = list(rows.rows), rows.truncated
    for parameter, subject in by_parameter.items():
        for other in others_of(store, subject):
            more = store.query(query, **_ids({**by_parameter, parameter: other}), **most)
            truncated = truncated or more.truncated
            excluded = {row[0] for row in facts} | {subject.id, other.id}
            new = [row for row in more.rows if row[0] not in excluded]
            facts += new
            subjects += [other] if new else []
    if query == _REACTIONS:
        uses, about = _rows(store, _USES, by_parameter)
        uses = well_stated(store, _USES, uses, about)
        last = no_reactions(store, rows.columns, facts, uses)
        facts = reactions(store, rows.columns, facts, last)
    if query == "drug.profile":
        at = rows.columns.index("sources")
        facts.sort(
            key=lambda row: (_OF_A_DRUG.get(str(row[0]), len(_OF_A_DRUG)), -len(listed(row[at])))
        )
    if query in _BY_SOURCES:  # what more sources say is likelier to be meant
        facts = _ordered(query, store, rows.columns, facts)
    if query in _OF_DRUGS:  # a drug once, by whatever relation
        facts = [*{row[0]: row for row in reversed(facts)}.values()][::-1]
    return Rows(rows.columns, tuple(facts), truncated), tuple(subjects)


def _ordered(
    query: str, store: Store, columns: Sequence[str], facts: Sequence[tuple[Value, ...]]
) -> list[tuple[Value, ...]]:
    """Rows of a query by what is likeliest to be meant."""
    common, published = _are_by_commonness(query, columns, facts), query == COMPLICATIONS
    return ordered(store, columns, facts, common=common, published=published)


def _are_by_commonness(
    query: str, columns: Sequence[str], facts: Sequence[tuple[Value, ...]]
) -> bool:
    """Whether of the rows that as many sources state the commonest things come first.

    Where any has a frequency the order is the query's, which is by that.
    """
    if query in _BY_FREQUENCY:
        return not any(row[columns.index("frequency")] for row in facts)
    return query in _BY_COMMONNESS


def _ids(by_parameter: Mapping[str, Subject]) -> dict[str, str]:
    return {name: subject.id for name, subject in by_parameter.items()}


_OTHERWISE: Final[dict[str, Callable[[Store, Part, Reading], Facts | None]]] = {
    "kinds of it": _of_its_kinds,
    "active ingredients": _of_ingredients,
}
"""How some readings are answered, by their heading."""
_END: Final = (
    "relation",
    "entity_id",
    "entity_name",
    "entity_name_zh",
    "entity_type",
    "frequency",
    "publications",
    "sources",
)
"""Columns of the ends of triples."""


def _of_triples(store: Store, part: Part, reading: Reading) -> Facts | None:
    """What no named query asks: the open ends of the triples, each once."""
    [subject] = reading.subjects
    found: dict[Value, tuple[Value, ...]] = {}
    about, asked = [], [ends_of(triple) for triple in reading.triples]
    for one in (subject, *others_of(store, subject)):
        before = len(found)
        for triple, (query, end, _) in zip(reading.triples, asked, strict=True):
            given: dict[str, Value] = {end: one.id, "relations": [str(triple.relation)]}
            for row in store.query(query, **given).dicts():
                cells = tuple(row[name.replace("entity", triple.sought)] for name in _END)
                if not reading.answer_types or cells[4] in reading.answer_types:
                    found.setdefault(cells[1], cells)
        about += [one] if len(found) > before else []
    if not found:
        return None
    query, end, _ = asked[0]
    arguments: dict[str, Value] = {
        end: subject.id,
        "relations": [
            str(t.relation)
            for t, each in zip(reading.triples, asked, strict=True)
            if each == asked[0]
        ],
    }
    rows = Rows(_END, tuple(_ordered(query, store, _END, [*found.values()])))
    shown = _typical(store, reading, rows, about)
    return Facts(
        *(part, reading, tuple(about), query, arguments, shown, len(found)),
        less_stated=len(rows) - len(shown),
        by_rank=shown is not rows,
    )


def _of_synonyms(store: Store, part: Part, reading: Reading, linker: Linker) -> Facts | None:
    """What is said of a thing that shares a UMLS concept with the one that is asked about."""
    for parameter, subject in reading.arguments.items():
        for other in renamed(subject, store.query("entity.same_concept", entity=subject.id)):
            given = replace(reading, arguments={**reading.arguments, parameter: other})
            if facts := _of_itself(store, part, given, linker):
                note = translate(
                    "the graph has no {heading} for {names} itself; these are for {other}, which "
                    "has the same UMLS concept",
                    names=named([subject], linker),
                    heading=title("headings", reading.heading),
                    other=named([other], linker),
                )
                return replace(facts, note=note)
    return None


def _of_contents(store: Store, part: Part, reading: Reading, linker: Linker) -> Facts | None:
    """What is said of the drugs that are in a drug; of several, each row with those it is said of.

    Of a drug that has none the same is asked of the products that it alone is in.
    """
    if len(reading.subjects) != 1 or "HAS_INGREDIENT" in {t.relation for t in reading.triples}:
        return None
    [subject] = reading.subjects
    contents = ingredients(store, subject, linker)
    ways = [_of_itself(store, part, _about(reading, one), linker) for one in contents]
    found = {one: facts for one, facts in zip(contents, ways, strict=True) if facts}
    if not found:
        return _of_products(store, part, reading, contents or [subject], linker)
    note = translate(
        "the graph has no {heading} for {names} itself, which contains {contents}; these are for that",
        names=named([subject], linker),
        heading=title("headings", reading.heading),
        contents=named(contents, linker),
    )
    if len(contents) == 1:
        return replace(found[contents[0]], note=note)
    rows = merged({one: facts.rows for one, facts in found.items()}, reading, linker)
    given: dict[str, Value] = {"head": subject.id, "relations": ["HAS_INGREDIENT"]}
    shown = Rows(rows.columns, rows.rows[:MOST])
    about = (subject, *found)
    return Facts(part, reading, about, "entity.tails", given, shown, len(rows), note)


def _of_products(
    store: Store, part: Part, reading: Reading, drugs: Sequence[Subject], linker: Linker
) -> Facts | None:
    """What is said of the products of a drug: of those that nothing else is in."""
    if len(drugs) != 1:
        return None
    rows, total = said_of(store, reading, products(store, drugs[0]))
    if not rows.rows:
        return None
    note = translate(
        "the graph has no {heading} for {names} itself; these are for products of {drug}",
        names=named(reading.subjects, linker),
        drug=named(drugs, linker),
        heading=title("headings", reading.heading),
    )
    given: dict[str, Value] = {"tail": drugs[0].id, "relations": ["HAS_INGREDIENT"]}
    return Facts(part, reading, reading.subjects, "entity.heads", given, rows, total, note)


def _about(reading: Reading, other: Subject) -> Reading:
    """A reading about one thing as one about another."""
    [one] = reading.subjects
    ids = {one.id: other.id}
    triples = (
        replace(t, head=ids.get(str(t.head), t.head), tail=ids.get(str(t.tail), t.tail))
        for t in reading.triples
    )
    arguments = dict.fromkeys(reading.arguments, other)
    return replace(reading, subjects=(other,), triples=tuple(triples), arguments=arguments)


def _of_kinds(store: Store, part: Part, reading: Reading, linker: Linker) -> Facts | None:
    """What is said of kinds of the thing, and not of itself: those of most kinds first."""
    return _of_kin(store, part, reading, linker, parents=False)


def _of_parents(store: Store, part: Part, reading: Reading, linker: Linker) -> Facts | None:
    """What is said of what the thing is a kind of: of the nearest of whom it is said.

    Not what that leads to: gastroenteritis has other complications than appendicitis.
    """
    if reading.query == COMPLICATIONS:
        return None
    return _of_kin(store, part, reading, linker, parents=True)


def _of_kin(
    store: Store, part: Part, reading: Reading, linker: Linker, *, parents: bool
) -> Facts | None:
    if len(reading.subjects) != 1 or "IS_A" in {t.relation for t in reading.triples}:
        return None
    [subject] = reading.subjects
    rows, total = said_of(store, reading, kin_of(store, subject, parents=parents))
    if not rows.rows:
        return None
    query, note = (
        DESCENDANTS[0],
        "the graph has no {heading} for {names} itself; these are for its subclasses",
    )
    if parents:
        query = "entity.ancestors"
        note = "the graph has no {heading} for {names} itself; these are for its superclasses"
    heading = title("headings", reading.heading)
    said = translate(note, names=named([subject], linker), heading=heading)
    given: dict[str, Value] = {"entity": subject.id}
    return Facts(part, reading, (subject,), query, given, rows, total, said)


def _between(store: Store, part: Part, reading: Reading, linker: Linker) -> Facts | None:
    """What is said of two things, in either direction, or of what else they are.

    Where that is not what the question asks, what is said of their kinds or parents.
    """
    one, other = ([s, *others_of(store, s)] for s in reading.subjects)
    direct = _statements(store, [s.id for s in one], [s.id for s in other])
    if any(row[3] in reading.relations for row in direct) or (direct and not reading.relations):
        return _pair(part, reading, direct)
    if facts := _between_contents(store, part, reading, linker, (one, other)):
        return facts
    sides = []
    for side in (one, other):
        kin = [id_ for parents in (False, True) for id_ in kin_of(store, side[0], parents=parents)]
        sides.append(list(dict.fromkeys([*(s.id for s in side), *kin])))
    of_kin = [row for row in _statements(store, *sides) if row[3] not in ("IS_A", "CLOSE_MATCH")]
    wanted = [row for row in of_kin if row[3] in reading.relations]
    names = named(reading.subjects, linker)
    if wanted or not direct:
        note = (
            "the graph does not say so about {names} themselves; these statements are about their "
            "subclasses or superclasses"
        )
        return _pair(part, reading, wanted or of_kin, translate(note, names=names))
    note = "the graph does not say whether it is as the question says; about {names} it has these"
    return _pair(part, reading, direct, translate(note, names=names))


def _between_contents(
    store: Store,
    part: Part,
    reading: Reading,
    linker: Linker,
    sides: tuple[Sequence[Subject], Sequence[Subject]],
) -> Facts | None:
    """What is said of two things where one is a drug: of the drugs that are in it."""
    contents = {s: ingredients(store, s, linker) for s in reading.subjects}
    if not any(contents.values()):
        return None
    inside = [
        [s.id for s in (*side, *contents[s])]
        for side, s in zip(sides, reading.subjects, strict=True)
    ]
    rows = [row for row in _statements(store, *inside) if row[3] != "HAS_INGREDIENT"]
    if not (rows if not reading.relations else any(r[3] in reading.relations for r in rows)):
        return None
    drug = next(s for s in reading.subjects if contents[s])
    note = translate(
        "the graph does not say so about {names} itself, which contains {contents}; these statements are about that",
        names=named([drug], linker),
        contents=named(contents[drug], linker),
    )
    return _pair(part, reading, rows, note)


_STATED: Final = (
    "head_id",
    "head_name",
    "head_name_zh",
    "relation",
    "tail_id",
    "tail_name",
    "tail_name_zh",
    "frequency",
    "publications",
    "sources",
)


def _statements(store: Store, ones: list[str], others: list[str]) -> list[tuple[Value, ...]]:
    """What is said between two lists of things, in either direction."""
    rows: dict[tuple[Value, ...], tuple[Value, ...]] = {}
    for heads, tails in ((ones, others), (others, ones)):
        for row in store.query("entity.statements_between", heads=heads, tails=tails).rows:
            rows.setdefault((row[0], row[3], row[4]), row)
    return list(rows.values())


def _pair(
    part: Part, reading: Reading, rows: list[tuple[Value, ...]], note: str = ""
) -> Facts | None:
    """The statements, those that the question asks about first."""
    if not rows:
        return None
    rows.sort(key=lambda row: (row[3] not in reading.relations, weight(row[3])))
    ids = (subject.id for subject in reading.subjects)
    arguments: dict[str, Value] = dict(zip(("one", "other"), ids, strict=True))
    shown = Rows(_STATED, tuple(rows[:MOST]))
    query = "entity.statements"
    verdict = verdict_of(part, reading, rows)
    return Facts(
        part, reading, reading.subjects, query, arguments, shown, len(rows), note, verdict
    )


def _none(reading: Reading, linker: Linker) -> str:
    """Says what the graph does not have."""
    names = named(reading.subjects, linker)
    if len(reading.subjects) > 1 and reading.triples:
        one, other = (subject.id for subject in reading.subjects)
        return translate(
            "the graph has no statement about {names}, which is not a no; 'medkg query entity.path "
            "head={one} tail={other}' shows what connects them",
            names=names,
            one=one,
            other=other,
        )
    return translate(
        "the graph has no {heading} of {names}; 'medkg query entity.neighbours entity={id}' "
        "shows what it has",
        heading=title("headings", reading.heading),
        names=names,
        id=reading.subjects[0].id,
    )
