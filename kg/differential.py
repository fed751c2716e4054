"""What a patient may have, and what to ask next, from one scan of the graph.

The model is that of ``cypher/symptom/differential.cypher``: a prior and a likelihood ratio for each
finding, all in bits, so that a score is the sum of what is shown. The next question is the one of
``cypher/symptom/best_next_question.cypher``, asked of the diseases that ``differential`` ranks first.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, get_args
from weakref import WeakKeyDictionary

from kg.errors import QuestionError
from kg.stores.store import Stamp, Store, Value
from kg.vocabulary import RELATION_TYPES

_MAX_IDS_IN_MESSAGE: Final = 5
"""Ids that an error names."""

_MIN_CANDIDATES: Final = 50
"""Diseases looked at, so that it is known what others explain and one does not."""

_MAX_AGE: Final = 130
"""Years."""

_MAX_CANDIDATES: Final = 200
"""Diseases that the query ranks."""

_INVERSE_TEMPERATURE: Final = 0.45
"""The part of a score that counts in a chance, as in the query."""

_CANDIDATES_TO_SEPARATE: Final = 15
"""Diseases that a question is to tell apart."""

_MAX_QUESTIONS: Final = 30
"""Questions at most."""

_MIN_FREQUENCY: Final = 0.02
"""How often, at least, any finding is seen in any disease; at most, in one less this."""

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

_Befallen = tuple[Stamp | None, dict[str, tuple[Value, Value]]]
_BEFALLEN: Final[WeakKeyDictionary[Store, _Befallen]] = WeakKeyDictionary()
"""Onset and sex of the diseases that were asked for, with the stamp of the graph that says so."""


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


@dataclass(frozen=True)
class Assessment:
    """What one scan of the graph tells of a patient."""

    candidates: list[Candidate]
    """The likeliest first."""
    questions: list[Question]
    """The most telling first."""


def assess(
    store: Store,
    patient: Patient,
    limit: int = 25,
    questions: int = 10,
    *,
    prior: Prior = "prevalence",
    among: Sequence[str] = (),
) -> Assessment:
    """What a patient may have and what to ask next, at the price of the first.

    Args:
        store: the graph.
        patient: what is known.
        limit: diseases at most, of the 200 best.
        questions: questions at most, of the 30 best; they tell the 15 best diseases apart.
        prior: how common diseases are taken to be.
        among: ids of the only diseases that are thought of; none: all of the graph.

    Raises:
        QuestionError: an id is no finding of the graph, or both present and absent; an age, sex
            or prior that is none.
        StoreError: the store failed.
    """
    checked = _with_finding_ids(store, patient, prior)
    ranked = _ranked(store, checked, max(limit, _CANDIDATES_TO_SEPARATE), prior, among)
    next_questions = _questions(store, checked, ranked[:_CANDIDATES_TO_SEPARATE])
    return Assessment(ranked[:limit], next_questions[: min(questions, _MAX_QUESTIONS)])


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
    return _ranked(store, _with_finding_ids(store, patient, prior), limit, prior, among)[:limit]


def best_next_question(
    store: Store, patient: Patient, limit: int = 10, prior: Prior = "prevalence"
) -> list[Question]:
    """The findings to ask for next, the most telling first; ``assess`` gives the diseases too.

    Args:
        store: the graph.
        patient: what is known; with nothing present, nothing can be told apart yet.
        limit: findings at most, of the 30 best.
        prior: how common diseases are taken to be.

    Raises:
        QuestionError: as for ``assess``.
        StoreError: the store failed.
    """
    return assess(store, patient, questions=limit, prior=prior).questions


def _ranked(
    store: Store, patient: Patient, limit: int, prior: Prior, among: Sequence[str]
) -> list[Candidate]:
    """The candidates, at least as many as asked for where there are so many."""
    has_age_or_sex = patient.age is not None or patient.sex is not None
    rows = store.query(
        "symptom.differential",
        present=list(patient.present),
        absent=list(patient.absent),
        age=-1.0 if patient.age is None else float(patient.age),
        sex=patient.sex or "unknown",
        prior=prior,
        limit=_MAX_CANDIDATES if has_age_or_sex else max(limit, _MIN_CANDIDATES),
        among=list(among),
    )
    candidates = [_candidate(row) for row in rows.dicts()]
    if has_age_or_sex and candidates:
        candidates = _of_patient(store, candidates, patient)
    explained = {e.id: replace(e, bits=0.0) for each in candidates for e in each.supporting}
    return [_with_unexplained(each, explained) for each in candidates]


def _questions(store: Store, patient: Patient, leading: Sequence[Candidate]) -> list[Question]:
    """What tells the leading diseases apart: bits of the answer, on average over their chances."""
    chances = _chances(leading)
    rows = store.query(
        "symptom.askable",
        diseases=list(chances),
        present=list(patient.present),
        absent=list(patient.absent),
    )
    rows_by_finding: dict[str, list[dict[str, Value]]] = {}
    for row in rows.dicts():
        rows_by_finding.setdefault(str(row["finding_id"]), []).append(row)
    questions = [
        _question(each, chances)
        for each in rows_by_finding.values()
        if any(r["stated"] for r in each)
    ]
    return sorted(questions, key=lambda each: (-each.bits, each.id))


def _question(rows: Sequence[Mapping[str, Value]], chances: Mapping[str, float]) -> Question:
    """The question for a finding, of which each row is a disease that has it."""
    yes, afterwards = _MIN_FREQUENCY, _entropy(_MIN_FREQUENCY)
    for row in rows:
        frequency = _MIN_FREQUENCY + (1 - 2 * _MIN_FREQUENCY) * _number(row["frequency"])
        chance_of_disease = chances[str(row["disease_id"])]
        yes += chance_of_disease * (frequency - _MIN_FREQUENCY)
        afterwards += chance_of_disease * (_entropy(frequency) - _entropy(_MIN_FREQUENCY))
    first = rows[0]
    return Question(
        id=str(first["finding_id"]),
        name=str(first["finding_name"]),
        name_zh=_text(first["finding_name_zh"]),
        bits=round(_entropy(yes) - afterwards, 4),
        having=len(rows),
        chance=round(yes, 4),
    )


def _entropy(chance: float) -> float:
    """Of an answer that is yes with this chance, in bits."""
    return -sum(p * math.log2(p) for p in (chance, 1 - chance))


def _of_patient(store: Store, candidates: list[Candidate], patient: Patient) -> list[Candidate]:
    """The candidates by what age and sex say of them too."""
    befallen = _befallen(store, [each.id for each in candidates])
    bits = {each.id: _bits(patient, *befallen[each.id]) for each in candidates}
    rescored = [
        replace(c, patient=round(bits[c.id], 4), score=round(c.score + bits[c.id], 4))
        for c in candidates
    ]
    chances = _chances(rescored)
    candidates_with_chance = (
        replace(each, chance=round(chances[each.id], 4)) for each in rescored
    )
    return sorted(candidates_with_chance, key=lambda each: (-each.score, each.id))


def _befallen(store: Store, diseases: Sequence[str]) -> Mapping[str, tuple[Value, Value]]:
    """Onset and sex of each disease, asked once as long as the store holds the same graph.

    To find the classes of 200 diseases takes longer than to rank them.
    """
    stamp = store.stamp()
    before, known = _BEFALLEN.get(store, (None, {}))
    if stamp is None or stamp != before:
        known = {}
    if unknown := [each for each in diseases if each not in known]:
        rows = store.query("disease.patients", diseases=unknown).dicts()
        known |= {str(row["disease_id"]): (row["onset"], row["sex"]) for row in rows}
    _BEFALLEN[store] = stamp, known
    return known


def _chances(candidates: Sequence[Candidate]) -> dict[str, float]:
    """That it is each of them, if it is one of them."""
    best = max((each.score for each in candidates), default=0.0)
    weights = {each.id: 2 ** ((each.score - best) * _INVERSE_TEMPERATURE) for each in candidates}
    total = sum(weights.values())
    return {id_: weight / total for id_, weight in weights.items()}


def _bits(patient: Patient, onset: Value, sex: Value) -> float:
    young = patient.age is not None and isinstance(onset, float) and patient.age < onset
    other = patient.sex is not None and sex is not None and sex != patient.sex
    return _TOO_YOUNG * young + _OTHER_SEX * other


def _with_finding_ids(store: Store, patient: Patient, prior: Prior) -> Patient:
    """The patient with every id resolved to that of a finding; unknown ids are an error."""
    _check(patient, prior)
    ids = sorted({*patient.present, *patient.absent})
    findings = _findings(store, ids) if ids else {}
    return replace(
        patient,
        present=[findings[id_] for id_ in patient.present],
        absent=[findings[id_] for id_ in patient.absent],
    )


def _check(patient: Patient, prior: Prior) -> None:
    """See that what is said of a patient can be so.

    Raises:
        QuestionError: it cannot.
    """
    if both := sorted({*patient.present} & {*patient.absent}):
        raise QuestionError(
            f"{_shortened(both)}: both present and absent; say one of the two for a finding"
        )
    age = patient.age
    if age is not None and not (math.isfinite(age) and 0 <= age <= _MAX_AGE):
        raise QuestionError(f"{age}: no age; give years from 0 to {_MAX_AGE}, e.g. 0.5")
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
            f"{store.uri}: has no {_shortened(unknown)}; ask by ids of the graph, which "
            "'medkg link' finds for the words of a text"
        )
    allowed = RELATION_TYPES["HAS_SYMPTOM"].range
    if unsuitable := [f"{id_} ({types[id_]})" for id_ in ids if types[id_] not in allowed]:
        raise QuestionError(
            f"{store.uri}: {_shortened(unsuitable)} is nothing that a patient has; "
            f"give ids of the types {' and '.join(sorted(allowed))}"
        )
    return {id_: _finding(store, id_) if types[id_] == "Disease" else id_ for id_ in ids}


def _finding(store: Store, disease: str) -> str:
    matches = store.query("entity.tails", head=disease, relations=["CLOSE_MATCH"]).dicts()
    return min((str(row["tail_id"]) for row in matches), default=disease)


def _shortened(ids: list[str]) -> str:
    more = f" and {len(ids) - _MAX_IDS_IN_MESSAGE} more" if len(ids) > _MAX_IDS_IN_MESSAGE else ""
    return ", ".join(id_ or "''" for id_ in ids[:_MAX_IDS_IN_MESSAGE]) + more


def _candidate(row: dict[str, Value]) -> Candidate:
    supporting, against, weights = (_list(row[c]) for c in ("supporting", "against", "weights"))
    evidence = [
        Evidence(*str(statement).partition(" ")[::2], bits=_number(bits))
        for statement, bits in zip([*supporting, *against], weights, strict=True)
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
    supporting = {evidence.id for evidence in candidate.supporting}
    return replace(
        candidate, unexplained=tuple(explained[id_] for id_ in sorted({*explained} - supporting))
    )


def _list(cell: Value) -> Sequence[Value]:
    return cell if isinstance(cell, list) else []


def _text(cell: Value) -> str | None:
    return cell if isinstance(cell, str) else None


def _number(cell: Value) -> float:
    if not isinstance(cell, int | float):
        raise TypeError(f"{cell!r} is no number")
    return cell
