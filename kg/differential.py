"""What a patient may have, and what to ask next: the two queries, with their evidence typed.

The model is that of ``cypher/symptom/differential.cypher``: a prior and a likelihood ratio for each
finding, all in bits, so that a score is the sum of what is shown.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from kg.errors import QuestionError
from kg.stores.store import Store, Value
from kg.vocabulary import RELATION_TYPES

_SHOWN: Final = 5
"""Ids that an error names."""

_ROWS: Final = 50
"""Diseases looked at, so that it is known what others explain and one does not."""

_OLDEST: Final = 130
"""Years."""

_BEST: Final = 200
"""Diseases that the query ranks."""

_TEMPERED: Final = 0.4
"""The part of a score that counts in a chance, as in the query."""

_TOO_YOUNG: Final = math.log2(1 / 10)
"""Bits of a disease that begins later in life than the patient's age."""

_OTHER_SEX: Final = math.log2(1 / 100)
"""Bits of a disease that the other sex has."""

Prior = Literal["prevalence", "none"]
"""How common diseases are before anything is known of the patient.

``prevalence``: two bits for each doubling of the number of sources that name a disease, as many
name what is common; ``none``: all alike, which suits a clinic of rare diseases.
"""

Sex = Literal["male", "female"]


@dataclass(frozen=True)
class Patient:
    """What is known of a patient."""

    present: Sequence[str]
    """Ids of findings that the patient has."""
    absent: Sequence[str] = ()
    """Ids of findings that the patient does not have."""
    age: float | None = None
    """Years; None: not known."""
    sex: Sex | None = None
    """None: not known."""


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
    """Bits, the sum of the prior, what age and sex say, and the evidence."""
    chance: float
    """That it is this one, if it is one of the 200 best; docs/diagnosis.md says how far to trust it."""
    prior: float
    """Bits."""
    patient: float
    """Bits of age and sex: 0, or less where the disease begins later or is the other sex's."""
    matched: int
    """Of the findings that are present, how many it has, itself or a kind of them."""
    supporting: tuple[Evidence, ...]
    """Most first."""
    against: tuple[Evidence, ...]
    """Most last."""
    unexplained: tuple[Evidence, ...]
    """What is present, and the other candidates have and this one has not: 0 bits. By id."""


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
    store: Store,
    patient: Patient,
    limit: int = 25,
    prior: Prior = "prevalence",
    among: Sequence[str] = (),
) -> list[Candidate]:
    """The diseases that findings point to, the likeliest first.

    Args:
        store: the graph.
        patient: what is known.
        limit: diseases at most, of the 200 best.
        prior: how common diseases are taken to be.
        among: ids of the only diseases that are thought of; none: all of the graph.

    Raises:
        QuestionError: an id is no finding of the graph, or both present and absent; an age, sex
            or prior that is none.
        StoreError: the store failed.
    """
    known = patient.age is not None or patient.sex is not None
    most = _BEST if known else max(limit, _ROWS)
    rows = _ask(store, "differential", patient, prior, most, among=list(among))
    candidates = [_candidate(row) for row in rows]
    if known and candidates:
        candidates = _of_patient(store, candidates, patient)
    explained = {e.id: replace(e, bits=0.0) for each in candidates for e in each.supporting}
    return [_with_unexplained(each, explained) for each in candidates[:limit]]


def best_next_question(
    store: Store, patient: Patient, limit: int = 10, prior: Prior = "prevalence"
) -> list[Question]:
    """The findings to ask for next, the most telling first.

    Args:
        store: the graph.
        patient: what is known; with nothing present, nothing can be told apart yet.
        limit: findings at most, of the 30 best.
        prior: how common diseases are taken to be.

    Raises:
        QuestionError: as for ``differential``.
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
        for row in _ask(store, "best_next_question", patient, prior, limit)
    ]


def _of_patient(store: Store, candidates: list[Candidate], patient: Patient) -> list[Candidate]:
    """The candidates by what age and sex say of them too."""
    rows = store.query("disease.patients", diseases=[each.id for each in candidates]).dicts()
    bits = {str(row["disease_id"]): _bits(patient, row["onset"], row["sex"]) for row in rows}
    told = [
        replace(c, patient=round(bits[c.id], 4), score=round(c.score + bits[c.id], 4))
        for c in candidates
    ]
    best = max(each.score for each in told)
    weights = {each.id: 2 ** ((each.score - best) * _TEMPERED) for each in told}
    total = sum(weights.values())
    shared = (replace(each, chance=round(weights[each.id] / total, 4)) for each in told)
    return sorted(shared, key=lambda each: (-each.score, each.id))


def _bits(patient: Patient, onset: Value, sex: Value) -> float:
    young = patient.age is not None and isinstance(onset, float) and patient.age < onset
    other = patient.sex is not None and sex is not None and sex != patient.sex
    return _TOO_YOUNG * young + _OTHER_SEX * other


def _ask(
    store: Store, question: str, patient: Patient, prior: Prior, limit: int, **more: Value
) -> Iterator[dict[str, Value]]:
    """The answer to a query that, asked by itself, leaves out what it does not know."""
    _check(patient, prior)
    given = sorted({*patient.present, *patient.absent})
    found = _findings(store, given) if given else {}
    rows = store.query(
        f"symptom.{question}",
        present=[found[id_] for id_ in patient.present],
        absent=[found[id_] for id_ in patient.absent],
        age=-1.0 if patient.age is None else float(patient.age),
        sex=patient.sex or "unknown",
        prior=prior,
        limit=limit,
        **more,
    )
    return rows.dicts()


def _check(patient: Patient, prior: Prior) -> None:
    """See that what is said of a patient can be so.

    Raises:
        QuestionError: it cannot.
    """
    if both := sorted({*patient.present} & {*patient.absent}):
        raise QuestionError(
            f"{_some(both)}: both present and absent; say one of the two for a finding"
        )
    age = patient.age
    if age is not None and not (math.isfinite(age) and 0 <= age <= _OLDEST):
        raise QuestionError(f"{age}: no age; give years from 0 to {_OLDEST}, e.g. 0.5")
    for name, value, allowed in (
        ("sex", patient.sex, (None, *get_args(Sex))),
        ("prior", prior, get_args(Prior)),
    ):
        if value not in allowed:
            choices = " or ".join(filter(None, allowed))
            raise QuestionError(f"{value!r}: no {name}; give {choices}")


def _findings(store: Store, ids: list[str]) -> Mapping[str, str]:
    """The finding that each id stands for: a disease that is also a finding, for that one.

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
    return {id_: _finding(store, id_) if types[id_] == "Disease" else id_ for id_ in ids}


def _finding(store: Store, disease: str) -> str:
    found = store.query("entity.tails", head=disease, relations=["CLOSE_MATCH"]).dicts()
    return min((str(row["tail_id"]) for row in found), default=disease)


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
        id=str(row["disease_id"]),
        name=str(row["disease_name"]),
        name_zh=_text(row["disease_name_zh"]),
        score=_number(row["score"]),
        chance=_number(row["chance"]),
        prior=_number(row["prior"]),
        patient=0.0,
        matched=int(_number(row["matched"])),
        supporting=tuple(evidence[: len(supporting)]),
        against=tuple(evidence[len(supporting) :]),
        unexplained=(),
    )


def _with_unexplained(candidate: Candidate, explained: Mapping[str, Evidence]) -> Candidate:
    own = {evidence.id for evidence in candidate.supporting}
    return replace(
        candidate, unexplained=tuple(explained[id_] for id_ in sorted({*explained} - own))
    )


def _list(cell: Value) -> Sequence[Value]:
    return cell if isinstance(cell, list) else []


def _text(cell: Value) -> str | None:
    return cell if isinstance(cell, str) else None


def _number(cell: Value) -> float:
    if not isinstance(cell, int | float):
        raise TypeError(f"{cell!r} is no number")
    return cell
