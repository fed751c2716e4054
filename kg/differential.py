"""What a patient may have, and what to ask next: the two queries, with their evidence typed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from kg.errors import QuestionError
from kg.stores.store import Store, Value
from kg.vocabulary import RELATION_TYPES

_SHOWN: Final = 5
"""Ids that an error names."""


@dataclass(frozen=True)
class Evidence:
    """A finding of the patient that speaks for or against a disease."""

    id: str
    name: str
    bits: float
    """Below 0 against the disease."""


@dataclass(frozen=True)
class Candidate:
    """A disease that findings point to."""

    id: str
    name: str
    name_zh: str | None
    score: float
    """Bits, the sum of its evidence."""
    matched: int
    """Of the findings that are present, how many it has, itself or a kind of them."""
    supporting: tuple[Evidence, ...]
    """Most first."""
    against: tuple[Evidence, ...]
    """Most last."""


@dataclass(frozen=True)
class Question:
    """A finding to ask for."""

    id: str
    name: str
    name_zh: str | None
    bits: float
    """What its answer tells on which of the leading diseases it is, on average."""
    having: int
    """How many of them have it."""
    chance: float
    """That the answer is yes."""


def differential(
    store: Store, present: Sequence[str], absent: Sequence[str] = (), limit: int = 25
) -> list[Candidate]:
    """The diseases that findings point to, the likeliest first.

    Args:
        store: the graph.
        present: ids of findings that the patient has.
        absent: ids of findings that the patient does not have.
        limit: diseases at most.

    Raises:
        QuestionError: an id is no finding of the graph, or both present and absent.
        StoreError: the store failed.
    """
    return [_candidate(row) for row in _ask(store, "differential", present, absent, limit)]


def best_next_question(
    store: Store, present: Sequence[str], absent: Sequence[str] = (), limit: int = 10
) -> list[Question]:
    """The findings to ask for next, the most telling first.

    Args:
        store: the graph.
        present: ids of findings that the patient has; none: nothing can be told apart yet.
        absent: ids of findings that the patient does not have.
        limit: findings at most.

    Raises:
        QuestionError: an id is no finding of the graph, or both present and absent.
        StoreError: the store failed.
    """
    return [
        Question(
            str(row["finding_id"]),
            str(row["finding_name"]),
            _text(row["finding_name_zh"]),
            _number(row["bits"]),
            int(_number(row["having"])),
            _number(row["chance"]),
        )
        for row in _ask(store, "best_next_question", present, absent, limit)
    ]


def _ask(
    store: Store, question: str, present: Sequence[str], absent: Sequence[str], limit: int
) -> Iterator[dict[str, Value]]:
    """The answer to a query that, asked by itself, leaves out ids that it does not know."""
    if both := sorted({*present} & {*absent}):
        raise QuestionError(
            f"{_some(both)}: both present and absent; say one of the two for a finding"
        )
    if given := sorted({*present, *absent}):
        _findings(store, given)
    rows = store.query(
        f"symptom.{question}", present=list(present), absent=list(absent), limit=limit
    )
    return rows.dicts()


def _findings(store: Store, ids: list[str]) -> None:
    """See that all are findings of the graph.

    Raises:
        QuestionError: one is not there, or of a type that no patient has.
    """
    rows = store.query("entity.labels", entities=ids).dicts()
    types = {str(row["entity_id"]): str(row["entity_type"]) for row in rows}
    if unknown := [id_ for id_ in ids if id_ not in types]:
        raise QuestionError(
            f"{store.uri}: has no {_some(unknown)}; ask by ids of the graph, which "
            "'medkg link' finds for the words of a text"
        )
    allowed = RELATION_TYPES["HAS_SYMPTOM"].range
    if others := [f"{id_} ({types[id_]})" for id_ in ids if types[id_] not in allowed]:
        raise QuestionError(
            f"{store.uri}: {_some(others)} is nothing that a patient has; "
            f"give ids of the types {' and '.join(sorted(allowed))}"
        )


def _some(ids: list[str]) -> str:
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return ", ".join(id_ or "''" for id_ in ids[:_SHOWN]) + more


def _candidate(row: dict[str, Value]) -> Candidate:
    supporting, against, weights = (_list(row[c]) for c in ("supporting", "against", "weights"))
    evidence = [
        Evidence(*str(told).partition(" ")[::2], bits=_number(bits))
        for told, bits in zip([*supporting, *against], weights, strict=True)
    ]
    return Candidate(
        str(row["disease_id"]),
        str(row["disease_name"]),
        _text(row["disease_name_zh"]),
        _number(row["score"]),
        int(_number(row["matched"])),
        tuple(evidence[: len(supporting)]),
        tuple(evidence[len(supporting) :]),
    )


def _list(cell: Value) -> Sequence[Value]:
    return cell if isinstance(cell, list) else []


def _text(cell: Value) -> str | None:
    return cell if isinstance(cell, str) else None


def _number(cell: Value) -> float:
    if not isinstance(cell, int | float):
        raise TypeError(f"{cell!r} is no number")
    return cell
