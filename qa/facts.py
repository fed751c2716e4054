"""Answers a part of a question by the graph: rows of a named query, or of triples.

What is said of a thing itself and of what it is as a finding or disease (``CLOSE_MATCH``) comes
first; where there is nothing, what is said of things that share a UMLS concept with it
(joint-reasoning paper, section 3.3.2), of its subclasses, and then of its superclasses: each row
with the one that it is said of.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from cypher import load_catalogue
from cypher.translation import spoken, title, translate
from kg.errors import QuestionError
from kg.linking import Linker
from kg.stores.answers import MOST_ROWS, limit_of
from kg.stores.store import Rows, Store, Value
from qa.question import DIFFERENTIAL, Part, Reading, Triple
from qa.subjects import Subject, named

_MAX_CLASSES: Final = 500
"""The most subclasses or superclasses that are asked about, the nearest first."""
_MAX_ROWS: Final = 50
"""The most rows about subclasses and superclasses; ``Facts.total`` has the number of all."""
_MAX_STEPS_UP: Final = 1
"""How many steps up superclasses are asked about: what holds for a wider group need not hold for it."""
_MAX_NAMED: Final = 3
"""The most subclasses or superclasses that a row names."""


_BY_SOURCES: Final = (
    "disease.causes",
    "disease.complications",
    "disease.diagnosis",
    "disease.drugs",
    "disease.prevention",
    "disease.risk_factors",
    "disease.treatments",
    "drug.adverse_reactions",
    "drug.indications",
    "drug.interactions",
)
"""Queries whose rows without a frequency are in the order of ids: of these, the ones that most
sources state come first here."""


class NoFactError(QuestionError):
    """The graph has nothing that answers."""


@dataclass(frozen=True)
class Facts:
    """What answers a part of a question, and how it was found."""

    part: Part
    reading: Reading
    """The one that is answered."""
    subjects: tuple[Subject, ...]
    """The entities that the rows are about."""
    query: str
    """Name in the catalogue; ``medkg query`` runs it again, and gives the rows if there is no note."""
    arguments: dict[str, Value]
    rows: Rows
    total: int
    """How many rows there are without a limit."""
    note: str = ""
    """To be shown before the rows, such as that they are about subclasses of the thing."""


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
    ways = [_of_itself, _of_synonyms, _of_subclasses, _of_superclasses]
    if part.readings[0].triples and part.readings[0].triples[0].relation is None:
        ways = [_between]
    for way in ways:
        for reading in part.readings:
            if facts := way(store, part, reading, linker):
                return facts
    raise NoFactError(_no_fact_message(part.readings[0], linker))


def _of_itself(store: Store, part: Part, reading: Reading, linker: Linker) -> Facts | None:
    """By the reading's named query, or by its triples, about the thing and its close matches."""
    del linker
    if reading.query == DIFFERENTIAL:
        return _of_findings(store, part, reading)
    if reading.query is None:
        return _of_triples(store, part, reading)
    query = reading.query
    rows, subjects = _rows(store, query, reading.arguments)
    if query in _OF_DRUGS:
        avoided = _drugs_to_avoid(store, part)
        rows = replace(rows, rows=tuple(row for row in rows.rows if row[0] not in avoided))
    if not rows.rows:
        return None
    more = _rows(store, query, reading.arguments, whole=True)[0] if rows.truncated else rows
    arguments: dict[str, Value] = {**_ids(reading.arguments)}
    return Facts(part, reading, subjects, query, arguments, rows, len(more))


_OF_DRUGS: Final = ("disease.drugs", "disease.treatments")


def _drugs_to_avoid(store: Store, part: Part) -> frozenset[str]:
    """Ids of the drugs that the people whom a question names should not take."""
    people = (s.id for s in part.subjects if s.type == "Population")
    answers = (store.query("drug.avoid_with_condition", condition=person) for person in people)
    return frozenset(str(row["drug_id"]) for rows in answers for row in rows.dicts())


_DISEASES: Final = ("disease_id", "disease_name", "disease_name_zh", "chance", "matched")
"""Columns of what findings point to; ``matched``: how many of them the disease has."""


def _of_findings(store: Store, part: Part, reading: Reading) -> Facts | None:
    """The diseases that findings together point to, the likeliest first."""
    absent = [s.id for s in part.subjects if s.denied]
    arguments: dict[str, Value] = {"present": [s.id for s in reading.subjects], "absent": absent}
    diseases = store.query(DIFFERENTIAL, **arguments).dicts()
    rows = tuple(tuple(row[name] for name in _DISEASES) for row in diseases)
    if not rows:
        return None
    shown = Rows(_DISEASES, rows)
    return Facts(part, reading, reading.subjects, DIFFERENTIAL, arguments, shown, len(rows))


def _rows(
    store: Store, query: str, by_parameter: Mapping[str, Subject], *, whole: bool = False
) -> tuple[Rows, tuple[Subject, ...]]:
    """Each fact once, and the entities that they are about.

    Args:
        store: the graph.
        query: name of a query.
        by_parameter: what it is asked about.
        whole: ignore its limit.
    """
    name = limit_of(load_catalogue().find(query, store.engine).text)
    most: dict[str, Value] = {name: MOST_ROWS} if whole and name else {}
    rows = store.query(query, **_ids(by_parameter), **most)
    subjects = [*by_parameter.values()]
    facts, truncated = list(rows.rows), rows.truncated
    for parameter, subject in by_parameter.items():
        for other in _close_matches(store, subject):
            more = store.query(query, **_ids({**by_parameter, parameter: other}), **most)
            truncated = truncated or more.truncated
            excluded = {row[0] for row in facts} | {subject.id, other.id}
            new_rows = [row for row in more.rows if row[0] not in excluded]
            facts += new_rows
            subjects += [other] if new_rows else []
    if query in _BY_SOURCES:  # what more sources say is likelier to be looked for
        sources_column = rows.columns.index("sources")
        frequency_column = (
            rows.columns.index("frequency") if "frequency" in rows.columns else sources_column
        )
        facts.sort(
            key=lambda row: (
                (0, 0)
                if isinstance(row[frequency_column], float)
                else (1, -len(_texts(row[sources_column])))
            )
        )
    return Rows(rows.columns, tuple(facts), truncated), tuple(subjects)


def _close_matches(store: Store, subject: Subject) -> list[Subject]:
    """The close matches of a thing: what it is as a finding or as a disease."""
    return _as_subjects(subject, store.query("entity.close_matches", entity=subject.id))


def _as_subjects(subject: Subject, rows: Rows) -> list[Subject]:
    subjects = []
    for row in rows.dicts():
        id_, type_, name = (str(row[f"other_{part}"]) for part in ("id", "type", "name"))
        subjects.append(replace(subject, id=id_, type=type_, name=name))
    return subjects


def _ids(by_parameter: Mapping[str, Subject]) -> dict[str, str]:
    return {name: subject.id for name, subject in by_parameter.items()}


class _OpenEnd(NamedTuple):
    """What stands at the open end of a triple."""

    relation: Value
    entity_id: Value
    entity_name: Value
    entity_name_zh: Value
    entity_type: Value
    frequency: Value
    publications: Value
    sources: Value


def _of_triples(store: Store, part: Part, reading: Reading) -> Facts | None:
    """Facts that no named query gives: the open ends of the triples, each once."""
    [subject] = reading.subjects
    ends_by_id: dict[Value, _OpenEnd] = {}
    about, queries = [], [_query_of(triple) for triple in reading.triples]
    for entity in (subject, *_close_matches(store, subject)):
        before = len(ends_by_id)
        for triple, (query, end, _) in zip(reading.triples, queries, strict=True):
            triple_arguments: dict[str, Value] = {
                end: entity.id,
                "relations": [str(triple.relation)],
            }
            for row in store.query(query, **triple_arguments).dicts():
                cells = (row[name.replace("entity", triple.sought)] for name in _OpenEnd._fields)
                open_end = _OpenEnd(*cells)
                if not reading.answer_types or open_end.entity_type in reading.answer_types:
                    ends_by_id.setdefault(open_end.entity_id, open_end)
        about += [entity] if len(ends_by_id) > before else []
    if not ends_by_id:
        return None
    query, end, _ = queries[0]
    arguments: dict[str, Value] = {
        end: subject.id,
        "relations": [
            str(t.relation)
            for t, triple_query in zip(reading.triples, queries, strict=True)
            if triple_query == queries[0]
        ],
    }
    rows = Rows(_OpenEnd._fields, tuple(ends_by_id.values()))
    return Facts(part, reading, tuple(about), query, arguments, rows, len(ends_by_id))


def _query_of(triple: Triple) -> tuple[str, str, str]:
    """The query for the open end of a triple, its parameter, and the query for several things."""
    if triple.sought == "tail":
        return "entity.tails", "head", "entity.facts_of"
    return "entity.heads", "tail", "entity.facts_about"


def _of_synonyms(store: Store, part: Part, reading: Reading, linker: Linker) -> Facts | None:
    """Facts of a thing that shares a UMLS concept with the one in question."""
    for parameter, subject in reading.arguments.items():
        for other in _as_subjects(subject, store.query("entity.same_concept", entity=subject.id)):
            same_concept = replace(reading, arguments={**reading.arguments, parameter: other})
            if facts := _of_itself(store, part, same_concept, linker):
                note = translate(
                    "the graph has no {heading} for {names} itself; these are for {other}, which "
                    "has the same UMLS concept",
                    names=named([subject], linker),
                    heading=title("headings", reading.heading),
                    other=named([other], linker),
                )
                return replace(facts, note=note)
    return None


def _of_subclasses(store: Store, part: Part, reading: Reading, linker: Linker) -> Facts | None:
    """Facts of subclasses of the thing: those that hold for most subclasses first."""
    return _of_related_classes(store, part, reading, linker, superclasses=False)


def _of_superclasses(store: Store, part: Part, reading: Reading, linker: Linker) -> Facts | None:
    """Facts of superclasses of the thing, the nearest first."""
    return _of_related_classes(store, part, reading, linker, superclasses=True)


def _of_related_classes(
    store: Store, part: Part, reading: Reading, linker: Linker, *, superclasses: bool
) -> Facts | None:
    if len(reading.subjects) != 1 or "IS_A" in {t.relation for t in reading.triples}:
        return None
    [subject] = reading.subjects
    rows, total = _facts_of_any(
        store, reading, _related_classes(store, subject, superclasses=superclasses)
    )
    if not rows.rows:
        return None
    query, note = (
        _SUBCLASSES[0],
        "the graph has no {heading} for {names} itself; these are for its subclasses",
    )
    if superclasses:
        query = "entity.ancestors"
        note = "the graph has no {heading} for {names} itself; these are for its superclasses"
    heading = title("headings", reading.heading)
    note = translate(note, names=named([subject], linker), heading=heading)
    arguments: dict[str, Value] = {"entity": subject.id}
    return Facts(part, reading, (subject,), query, arguments, rows, total, note)


def _related_classes(store: Store, subject: Subject, *, superclasses: bool) -> list[str]:
    """Ids of the subclasses of a thing, or of its superclasses, the nearest first; then of their close matches."""
    query, column = ("entity.ancestors", "ancestor_id") if superclasses else _SUBCLASSES
    steps: dict[str, int] = {}
    for entity in (subject, *_close_matches(store, subject)):
        for row in store.query(query, entity=entity.id, limit=_MAX_CLASSES).dicts():
            step = row["steps"]
            if isinstance(step, int) and not (superclasses and step > _MAX_STEPS_UP):
                steps.setdefault(str(row[column]), step)
    nearest = sorted(steps, key=lambda id_: (steps[id_], id_))
    arguments: dict[str, Value] = {"entities": nearest, "relations": ["CLOSE_MATCH"]}
    queries = (("entity.facts_of", "tail_id"), ("entity.facts_about", "head_id"))
    close_matches = [
        str(r[end]) for name, end in queries for r in store.query(name, **arguments).dicts()
    ]
    itself = {subject.id}
    return [id_ for id_ in dict.fromkeys([*nearest, *close_matches]) if id_ not in itself]


_SUBCLASSES: Final = ("entity.descendants", "descendant_id")
_RELATED_COLUMNS: Final = (
    "relation",
    "entity_id",
    "entity_name",
    "entity_name_zh",
    "stated_of",
    "sources",
)
"""Columns of facts of subclasses or superclasses; ``stated_of`` names some of these."""


def _facts_of_any(store: Store, reading: Reading, classes: list[str]) -> tuple[Rows, int]:
    """The facts that a reading's triples ask for, of any of some classes, and how many rows there are."""
    rows_by_fact: dict[tuple[str, str], list[dict[str, Value]]] = {}
    position = {id_: at for at, id_ in enumerate(classes)}
    for triple in reading.triples if classes else ():
        _, side, query = _query_of(triple)
        arguments: dict[str, Value] = {"entities": classes, "relations": [str(triple.relation)]}
        for row in store.query(query, **arguments).dicts():
            cells = {name.replace(triple.sought, "entity"): cell for name, cell in row.items()}
            key = (str(cells["relation"]), str(cells["entity_id"]))
            rows_by_fact.setdefault(key, []).append(cells | {"of": row[f"{side}_id"]})
    kept = _with_types(store, rows_by_fact, reading.answer_types)
    ordered = sorted(
        kept,
        key=lambda key: (
            -len(rows_by_fact[key]),
            min(position[str(row["of"])] for row in rows_by_fact[key]),
            key,
        ),
    )
    shown = ordered[:_MAX_ROWS]
    classes_of = {
        key: sorted({str(row["of"]) for row in rows_by_fact[key]}, key=position.__getitem__)
        for key in shown
    }
    names_by_id = _names_of(
        store, [id_ for ids in classes_of.values() for id_ in ids[:_MAX_NAMED]]
    )
    rows = []
    for key in shown:
        first = rows_by_fact[key][0]
        names = [names_by_id[id_] for id_ in classes_of[key][:_MAX_NAMED]]
        more = len(classes_of[key]) - len(names)
        names += [translate("and {count} more", count=more)] if more else []
        sources = sorted({s for row in rows_by_fact[key] for s in _texts(row["sources"])})
        rows.append(
            (key[0], key[1], first["entity_name"], first["entity_name_zh"], names, sources)
        )
    return Rows(_RELATED_COLUMNS, tuple(rows)), len(ordered)


def _with_types(
    store: Store, facts: Iterable[tuple[str, str]], types: Sequence[str]
) -> list[tuple[str, str]]:
    """The facts whose entity has one of the node types; all of them where no type is given."""
    keys = list(facts)
    if not types:
        return keys
    rows = store.query("entity.labels", entities=sorted({id_ for _, id_ in keys})).dicts()
    ids = {row["entity_id"] for row in rows if row["entity_type"] in types}
    return [key for key in keys if key[1] in ids]


def _names_of(store: Store, ids: Iterable[str]) -> dict[str, str]:
    """Names of entities in the current language, by id."""
    rows = store.query("entity.labels", entities=sorted(set(ids))).dicts()
    column = f"entity_name_{spoken().code}"
    return {str(row["entity_id"]): str(row.get(column) or row["entity_name"]) for row in rows}


def _texts(cell: Value) -> list[str]:
    return [str(item) for item in cell] if isinstance(cell, list) else []


def _between(store: Store, part: Part, reading: Reading, linker: Linker) -> Facts | None:
    """Statements that connect two things, or their close matches, in either direction.

    Where these are not what the question asks, those of their subclasses or superclasses.
    """
    one, other = ([s, *_close_matches(store, s)] for s in reading.subjects)
    direct = _statements(store, [s.id for s in one], [s.id for s in other])
    if any(row.relation in reading.relations for row in direct) or (
        direct and not reading.relations
    ):
        return _statement_facts(part, reading, direct)
    sides = []
    for side in (one, other):
        classes = [
            id_
            for superclasses in (False, True)
            for id_ in _related_classes(store, side[0], superclasses=superclasses)
        ]
        sides.append(list(dict.fromkeys([*(s.id for s in side), *classes])))
    of_classes = [
        row for row in _statements(store, *sides) if row.relation not in ("IS_A", "CLOSE_MATCH")
    ]
    asked_about = [row for row in of_classes if row.relation in reading.relations]
    names = named(reading.subjects, linker)
    if asked_about or not direct:
        note = (
            "the graph does not say so about {names} themselves; these statements are about their "
            "subclasses or superclasses"
        )
        return _statement_facts(
            part, reading, asked_about or of_classes, translate(note, names=names)
        )
    note = "the graph does not say whether it is as the question says; about {names} it has these"
    return _statement_facts(part, reading, direct, translate(note, names=names))


class _Statement(NamedTuple):
    """A row of ``entity.statements_between``."""

    head_id: Value
    head_name: Value
    head_name_zh: Value
    relation: Value
    tail_id: Value
    tail_name: Value
    tail_name_zh: Value
    frequency: Value
    publications: Value
    sources: Value


def _statements(store: Store, ids: list[str], other_ids: list[str]) -> list[_Statement]:
    """Statements that connect two lists of things, in either direction."""
    statements: dict[tuple[Value, ...], _Statement] = {}
    for heads, tails in ((ids, other_ids), (other_ids, ids)):
        for row in store.query("entity.statements_between", heads=heads, tails=tails).rows:
            one = _Statement(*row)
            statements.setdefault((one.head_id, one.relation, one.tail_id), one)
    return list(statements.values())


def _statement_facts(
    part: Part, reading: Reading, rows: list[_Statement], note: str = ""
) -> Facts | None:
    """The statements, those that the question asks about first."""
    if not rows:
        return None
    rows.sort(key=lambda row: row.relation not in reading.relations)
    ids = (subject.id for subject in reading.subjects)
    arguments: dict[str, Value] = dict(zip(("one", "other"), ids, strict=True))
    shown = Rows(_Statement._fields, tuple(rows[:_MAX_ROWS]))
    query = "entity.statements"
    return Facts(part, reading, reading.subjects, query, arguments, shown, len(rows), note)


def _no_fact_message(reading: Reading, linker: Linker) -> str:
    """The message that says what the graph does not have."""
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
