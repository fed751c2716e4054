"""What a patient may have, and what to ask next: the two queries, with their evidence typed."""

from collections.abc import Sequence
from dataclasses import dataclass

from kg.stores.store import Store, Value


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
        StoreError: the store failed.
    """
    rows = store.query(
        "symptom.differential", present=list(present), absent=list(absent), limit=limit
    )
    return [_candidate(row) for row in rows.dicts()]


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
        StoreError: the store failed.
    """
    rows = store.query(
        "symptom.best_next_question", present=list(present), absent=list(absent), limit=limit
    )
    return [
        Question(
            str(row["finding_id"]),
            str(row["finding_name"]),
            _text(row["finding_name_zh"]),
            _number(row["bits"]),
            int(_number(row["having"])),
            _number(row["chance"]),
        )
        for row in rows.dicts()
    ]


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
