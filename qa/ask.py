"""Answers a question from the graph: mention to entity, words to query, query to facts."""

from dataclasses import dataclass
from textwrap import shorten
from typing import Final

from cypher import load_catalogue
from cypher.translation import title, translate
from kg.errors import QuestionError
from kg.linking import Linker
from kg.stores.answers import MOST_ROWS, limit_of
from kg.stores.store import Rows, Store, Value
from qa.intents import INTENTS
from qa.subjects import Fit, Subject, find_subjects, fits, named, named_with_types

_MAX_QUESTION_LENGTH: Final = 80
"""So much of a question stands in a message."""

_INTENTS_WITH_QUERY: Final = tuple(intent for intent in INTENTS if intent.query)


@dataclass(frozen=True)
class Answer:
    """The facts that answer a question, and how they were found."""

    question: str
    subjects: tuple[Subject, ...]
    """What the query was asked about."""
    query: str
    """Name in the catalogue; ``medkg query`` runs it again."""
    arguments: dict[str, Value]
    heading: str
    """What the rows are, e.g. ``symptoms``."""
    rows: Rows
    total: int
    """Rows there are without the query's limit."""


def ask(question: str, store: Store, linker: Linker) -> Answer:
    """Answer a question in English or Chinese by one query of the catalogue.

    Args:
        question: as a person would ask.
        store: the graph.
        linker: of that graph's names; finds what the question speaks of.

    Raises:
        QuestionError: it names nothing that the graph knows, or nothing that the
            query for its words is about.
        StoreError: the store failed.
    """
    subjects = find_subjects(question, linker)
    if not subjects:
        raise QuestionError(
            translate(
                "'{question}' names nothing that the graph knows; use a name as the graph has it "
                "('medkg queries' lists other ways to ask)",
                question=shorten(question, _MAX_QUESTION_LENGTH),
            )
        )
    candidates = fits(question, subjects, _INTENTS_WITH_QUERY)
    for fit in candidates:
        query, arguments = str(fit.intent.query), _ids(fit.subjects)
        rows, answered = _rows(store, query, fit.subjects)
        if rows.rows:
            more = _rows(store, query, fit.subjects, whole=True)[0] if rows.truncated else rows
            heading = fit.intent.heading
            return Answer(question, answered, query, {**arguments}, heading, rows, len(more))
    raise QuestionError(_no_facts(question, candidates, subjects, linker))


def _rows(
    store: Store, query: str, by_parameter: dict[str, Subject], *, whole: bool = False
) -> tuple[Rows, tuple[Subject, ...]]:
    """What is said of the subjects, then of what they are as a finding or as a disease.

    Args:
        store: the graph.
        query: name of a query.
        by_parameter: what it is asked about.
        whole: its limit does not hold.

    Returns:
        Each fact once, and whom they are about.
    """
    name = limit_of(load_catalogue().find(query, store.engine).text)
    most: dict[str, Value] = {name: MOST_ROWS} if whole and name else {}
    rows = store.query(query, **_ids(by_parameter), **most)
    subjects = [*by_parameter.values()]
    facts, truncated = list(rows.rows), rows.truncated
    for parameter, subject in by_parameter.items():
        for match in store.query("entity.close_matches", entity=subject.id).dicts():
            cells = (str(match[f"other_{part}"]) for part in ("id", "type", "name"))
            other = Subject(subject.start, subject.end, *cells)
            more = store.query(query, **_ids(by_parameter | {parameter: other}), **most)
            truncated = truncated or more.truncated
            excluded = {row[0] for row in facts} | {subject.id, other.id}
            new = [row for row in more.rows if row[0] not in excluded]
            facts += new
            subjects += [other] if new else []
    return Rows(rows.columns, tuple(facts), truncated), tuple(subjects)


def _ids(by_parameter: dict[str, Subject]) -> dict[str, str]:
    return {name: subject.id for name, subject in by_parameter.items()}


def _no_facts(
    question: str, candidates: list[Fit], subjects: list[Subject], linker: Linker
) -> str:
    if candidates:
        intent, by_parameter = candidates[0]
        return translate(
            "the graph has no {heading} of {names}; 'medkg query entity.neighbours entity={id}' "
            "shows what it has",
            heading=title("headings", intent.heading),
            names=named(by_parameter.values(), linker),
            id=next(iter(by_parameter.values())).id,
        )
    return translate(
        "'{question}' speaks of {names}, about which no query fits these words; 'medkg queries' "
        "lists the ways to ask",
        question=shorten(question, _MAX_QUESTION_LENGTH),
        names=named_with_types(subjects, linker),
    )
