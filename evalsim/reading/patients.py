"""Whose findings and diseases are: of which sex, in which years of age; and what patients notice."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final, Literal, NamedTuple, Protocol, get_args

from evalsim.case import Sex
from evalsim.reading.superclasses import Superclasses, SuperclassLookup
from kg.differential import Assessment, Patient, assess
from kg.shipped import shipped_table
from kg.stores.store import Store
from kg.text.patient import patient_of

_STATES_AGE: Final = re.compile(
    r"\d[\s-]{0,2}(?:(?:year|yr|month|week|day)s?[\s-]{0,2}(?:of age|old)|y/?o\b)"
    r"|\d\s?(?:岁|月龄|个?月大|天大)|(?:儿子?|孩子|宝宝|娃)[才刚]?\d+个?月(?=[，,。的])|\baged?\s\d|\b(?:infant|newborn|baby|toddler)\b|新生儿|婴儿|宝宝",
    re.IGNORECASE,
)

_OLDEST: Final = 130
"""Years."""

_CANDIDATES: Final = 50
_QUESTIONS: Final = 30
"""The best ones of a scan, which those who ask for fewer share."""

Misfit = Literal["not of this sex", "not of this age"]
"""Why nobody of a sex and age has something."""


class Named(Protocol):
    """Anything of the graph with its names."""

    @property
    def id(self) -> str:
        """In the graph."""

    @property
    def name(self) -> str:
        """In English."""

    @property
    def name_zh(self) -> str | None:
        """In Chinese."""


class Years(NamedTuple):
    """The years of age in which a finding, a term of HPO, is had."""

    term: str
    first: float
    last: float


class Bearers(NamedTuple):
    """Whom diseases befall."""

    onset: float | None
    """The least age at which it begins, in years."""
    sex: Sex | None
    """The one that has it."""


class StatedDetails(NamedTuple):
    """What somebody says of the patient's age, in years, and sex; None: nothing."""

    age: float | None
    sex: Sex | None


class Patients:
    """Knows whose findings and diseases are; threads may share it."""

    def __init__(self, store: Store) -> None:
        """Know it by a graph."""
        self._store = store
        self.lookup = SuperclassLookup(store)
        """Of the superclasses of its things."""
        self._scan = lru_cache(maxsize=512)(self._assess)
        table = shipped_table(__package__, "patients.yaml")
        self.sexes: Mapping[Sex, frozenset[str]] = {
            sex: ids(table["sex"][sex]) for sex in get_args(Sex)
        }
        """Findings that only one sex has."""
        self.ages: Sequence[Years] = [
            Years(id_of(row["term"]), float(row["from"]), float(row["to"]))
            for row in table["ages"]
        ]
        """Findings of an age."""
        self._sex_patterns: Mapping[Sex, re.Pattern[str]] = {
            sex: re.compile(table["named"][sex], re.IGNORECASE) for sex in get_args(Sex)
        }

        self._age_patterns = [
            (re.compile(row["name"], re.IGNORECASE), float(row["from"]), float(row["to"]))
            for row in table["age_named"]
        ]
        self._tests = ids(table["tests"])
        self._test_pattern = re.compile(table["tests_named"], re.IGNORECASE)

    def is_test(self, thing: Named, superclasses: Superclasses) -> bool:
        """Whether only a test shows a finding, whose superclasses are given."""
        return superclasses.is_any_of(thing.id, self._tests) or bool(
            self._test_pattern.search(_joined_names(thing))
        )

    def misfit(
        self, thing: Named, superclasses: Superclasses, sex: Sex | None, age: float | None
    ) -> Misfit | None:
        """Why nobody of a sex and age has a finding.

        Args:
            thing: the finding.
            superclasses: of it, among others.
            sex: None: not known.
            age: in years; None: not known.
        """
        if sex is not None and self._sex(thing, superclasses) not in (None, sex):
            return "not of this sex"
        if age is None:
            return None
        name = _joined_names(thing)
        spans = [
            (years.first, years.last)
            for years in self.ages
            if superclasses.is_a(thing.id, years.term)
        ]
        spans += [(first, last) for words, first, last in self._age_patterns if words.search(name)]
        fits = all(first <= age <= last for first, last in spans)
        return None if fits else "not of this age"

    def misfits(
        self, things: Iterable[Named], sex: Sex | None, age: float | None
    ) -> dict[str, Misfit]:
        """Those of some findings that nobody of a sex and age has, by id.

        Raises:
            StoreError: the store failed.
        """
        if sex is None and age is None:
            return {}
        things = list(things)
        superclasses = self.lookup.of(each.id for each in things)
        misfits = ((each.id, self.misfit(each, superclasses, sex, age)) for each in things)
        return {id_: misfit for id_, misfit in misfits if misfit}

    def of_one_sex(self, things: Sequence[Named]) -> frozenset[str]:
        """Those of some findings that only one sex has, by id.

        Raises:
            StoreError: the store failed.
        """
        superclasses = self.lookup.of(each.id for each in things)
        return frozenset(each.id for each in things if self._sex(each, superclasses))

    def bearers_of(self, diseases: Sequence[Named]) -> dict[str, Bearers]:
        """Whom some diseases befall, by id: as the graph says, the sex else by the name.

        Raises:
            StoreError: the store failed.
        """
        ids = [each.id for each in diseases]
        rows = self._store.query("disease.patients", diseases=ids).dicts() if ids else []
        row_of = {str(row["disease_id"]): row for row in rows}
        no_row = {"onset": None, "sex": None}
        return {
            each.id: Bearers(
                onset if isinstance(onset := row["onset"], float) else None,
                "female"
                if row["sex"] == "female"
                else "male"
                if row["sex"]
                else self.sex_of_name(each),
            )
            for each in diseases
            for row in (row_of.get(each.id, no_row),)
        }

    def assess(self, patient: Patient, limit: int) -> Assessment:
        """What a patient may have and what to ask next, without what the sex and age rule out.

        What only a test shows is no question to a patient, as long as there are others. An age below
        the onset of a disease counts against it and does not rule it out: onsets are stated for most
        patients, not for all.

        Args:
            patient: what is known.
            limit: diseases at most, of the 50 best.

        Raises:
            QuestionError: as for ``kg.differential.assess``.
            StoreError: the store failed.
        """
        assessment = self._scan(
            tuple(sorted(patient.present)),
            tuple(sorted(patient.absent)),
            patient.age,
            patient.sex,
        )
        assessment = replace(assessment, candidates=assessment.candidates[:limit])
        superclasses = self.lookup.of(each.id for each in assessment.questions)
        noticed = [each for each in assessment.questions if not self.is_test(each, superclasses)]
        assessment = Assessment(assessment.candidates, noticed or assessment.questions)
        if patient.sex is None and patient.age is None:
            return assessment
        bearers = self.bearers_of(assessment.candidates)
        fitting = [
            each
            for each in assessment.candidates
            if patient.sex is None or bearers[each.id].sex in (None, patient.sex)
        ]
        lost_chance = sum(each.chance for each in assessment.candidates) - sum(
            each.chance for each in fitting
        )
        # chances are rounded, and may come to more
        scale = 1 / (1 - lost_chance) if lost_chance < 1 else 1.0
        misfits = self.misfits(assessment.questions, patient.sex, patient.age)
        return Assessment(
            [replace(each, chance=round(min(each.chance * scale, 1.0), 4)) for each in fitting],
            [each for each in assessment.questions if each.id not in misfits],
        )

    def _assess(
        self,
        present: tuple[str, ...],
        absent: tuple[str, ...],
        age: float | None,
        sex: Sex | None,
    ) -> Assessment:
        """The scan of the graph, one for all who see the same patient at the same moment."""
        patient = Patient(present, absent, age, sex)
        return assess(self._store, patient, _CANDIDATES, _QUESTIONS)

    def _sex(self, thing: Named, superclasses: Superclasses) -> Sex | None:
        """The one sex that has a finding."""
        sexes = [
            sex for sex, terms in self.sexes.items() if superclasses.is_any_of(thing.id, terms)
        ]
        return sexes[0] if len(sexes) == 1 else self.sex_of_name(thing)

    def sex_of_name(self, thing: Named) -> Sex | None:
        """The sex that a name says has it; None: neither, or both."""
        name = _joined_names(thing)
        sexes = [sex for sex, words in self._sex_patterns.items() if words.search(name)]
        return sexes[0] if len(sexes) == 1 else None


def stated_details(words: str) -> StatedDetails:
    """What somebody says of the patient's age and sex."""
    patient = patient_of(words)
    ages = [a for a in patient.ages if a <= _OLDEST] if _STATES_AGE.search(words) else ()
    return StatedDetails(ages[0] if len(ages) == 1 else None, patient.sex)


def _joined_names(thing: Named) -> str:
    return f"{thing.name} {thing.name_zh or ''}"


def id_of(term: str) -> str:
    """The id of "HP:0001945 Fever"."""
    return term.partition(" ")[0]


def ids(terms: Any) -> frozenset[str]:  # noqa: ANN401 - as the file has it
    """The ids of such terms."""
    return frozenset(map(id_of, terms))
