"""Who a patient is, consistent with the case: age, sex, history, and who speaks."""

import re
from collections.abc import Mapping
from random import Random
from typing import Any, Final, NamedTuple

from evalsim.briefs import PersonaBrief
from evalsim.case import DiagnosisCase, MedicationCase, Sex, Thing
from evalsim.plan import Persona, Speaker, Style
from evalsim.reading.paraphrases import Secret
from evalsim.reading.patients import Patients, id_of, ids
from evalsim.reading.superclasses import Superclasses
from kg.stores.store import Store

_STYLES: Final[tuple[Style, ...]] = ("plain", "plain", "terse", "talkative", "anxious")
_ADULT: Final = 18.0
_SPEAKS: Final = 12.0
"""Years from which a patient speaks for themselves."""
_OLDEST: Final = 88.0
_HISTORY: Final = 2


class _Bearers(NamedTuple):
    """Who has a disease: an age range and a sex, by the name of the disease or by its class."""

    name: re.Pattern[str] | None
    term: str
    """Id of the class; empty, where the name tells."""
    first: float
    last: float
    sex: Sex | None
    pregnant: bool


class Personas:
    """Makes personas by the graph; threads may share it."""

    def __init__(self, store: Store, patients: Patients, table: Mapping[str, Any]) -> None:
        """Make them by a graph.

        Args:
            store: the graph.
            patients: of the same graph.
            table: ``director.yaml``.
        """
        self._store, self._lookup, self._patients = store, patients.lookup, patients
        self._speechless = ids(table["speechless"])
        self._mostly_male = re.compile(table["mostly_male"], re.IGNORECASE)
        self._bearers = [
            _Bearers(
                re.compile(row["name"], re.IGNORECASE) if "name" in row else None,
                id_of(row.get("term", "")),
                float(row["from"]),
                float(row["to"]),
                row.get("sex"),
                row.get("pregnant", False),
            )
            for row in table["diseases"]
        ]

    def persona(self, brief: PersonaBrief) -> Persona:
        """Who the patient is: of an age and sex that have the disease, who can speak or is spoken for."""
        case, rng = brief.case, Random(f"{brief.seed}:{brief.case.id}:persona")
        style = rng.choice(_STYLES)
        if isinstance(case, MedicationCase):
            sex: Sex = rng.choice(("female", "male"))
            return Persona(age=_drawn(rng, 25, 70), sex=sex, style=style)
        superclasses = self._lookup.of([case.target.id, *(f.id for f in case.findings)])
        bearers = self._bearers_of(case.target, superclasses)
        sex = case.sex or self._sex(case, bearers, superclasses, rng)
        age = case.age if case.age is not None else self._age(case, bearers, superclasses, rng)
        silent = superclasses.is_any_of(case.target.id, self._speechless) or any(
            superclasses.is_any_of(f.id, self._speechless) and (f.frequency or 0.0) >= 1 / 2
            for f in case.findings
        )
        speaker: Speaker = "patient"
        if age < _SPEAKS:
            speaker = "father" if rng.random() < 1 / 4 else "mother"
        elif silent:
            speaker = "spouse" if age >= 30 and rng.random() < 1 / 2 else "relative"  # noqa: PLR2004
        history = self._history(case, age, sex, rng)
        pregnant = bearers is not None and bearers.pregnant and sex == "female"
        return Persona(
            age=age, sex=sex, speaker=speaker, style=style, history=history, pregnant=pregnant
        )

    def _sex(
        self,
        case: DiagnosisCase,
        bearers: _Bearers | None,
        superclasses: Superclasses,
        rng: Random,
    ) -> Sex:
        """The sex of the disease's name, else the one of more of its findings, else either."""
        drawn: Sex = rng.choice(("female", "male"))
        if bearers and bearers.sex:
            return bearers.sex
        if sex_of_name := self._patients.sex_of_name(case.target):
            return sex_of_name
        if self._mostly_male.search(_joined_names(case.target)):
            return "male"
        counts = {
            sex: sum(superclasses.is_any_of(f.id, terms) for f in case.findings)
            for sex, terms in self._patients.sexes.items()
        }
        if counts["female"] == counts["male"]:
            return drawn
        return "female" if counts["female"] > counts["male"] else "male"

    def _age(
        self,
        case: DiagnosisCase,
        bearers: _Bearers | None,
        superclasses: Superclasses,
        rng: Random,
    ) -> float:
        """Years: by the disease's name, onset or class, else an adult's; in which its findings are."""
        onset = case.onset
        if bearers and (onset is None or bearers.name or bearers.first >= _ADULT):
            later = 0.0 if onset is None else onset
            first, last = max(bearers.first, later), max(bearers.last, later)
        elif onset is None:
            first, last = _ADULT, 75.0
        elif onset < _ADULT:
            first, last = max(onset, 0.2), max(onset, 0.2) + (14.0 if onset < 1 else 20.0)
        else:
            first, last = onset, min(onset + 35.0, _OLDEST)
        for years in self._patients.ages:
            common = [
                f
                for f in case.findings
                if (f.frequency or 0.0) >= 1 / 2 and superclasses.is_any_of(f.id, {years.term})
            ]
            if common and max(first, years.first) < min(last, years.last):
                first, last = max(first, years.first), min(last, years.last)
        return _drawn(rng, first, last)

    def _bearers_of(self, thing: Thing, superclasses: Superclasses) -> _Bearers | None:
        name = _joined_names(thing)
        return next(
            (
                each
                for each in self._bearers
                if (
                    each.name.search(name) if each.name else superclasses.is_a(thing.id, each.term)
                )
            ),
            None,
        )

    def _history(
        self, case: DiagnosisCase, age: float, sex: Sex, rng: Random
    ) -> tuple[Thing, ...]:
        """Conditions that go with the disease or lead to it, that the patient may have."""
        factors = self._store.query("disease.risk_factors", disease=case.target.id).dicts()
        risks = [
            Thing(
                id=str(row["factor_id"]),
                type=str(row["factor_type"]),
                name=str(row["factor_name"]),
                name_zh=str(row["factor_name_zh"]) if row["factor_name_zh"] else None,
            )
            for row in factors
            if row["factor_type"] == "Disease"
        ]
        findings = {f.id for f in case.findings} | {case.target.id}
        secret = Secret.of_case(case)
        conditions = {
            thing.id: thing
            for thing in (*case.comorbid, *risks)
            if thing.type == "Disease"
            and thing.id not in findings
            and not secret.is_told_with(thing)
            and (case.language == "en" or thing.name_zh)
        }
        if not conditions:
            return ()
        limits_of, superclasses = (
            self._patients.bearers_of(list(conditions.values())),
            self._lookup.of(conditions),
        )
        fit = []
        for id_, thing in conditions.items():
            onset, only_sex = limits_of[id_]
            bearers = self._bearers_of(thing, superclasses)
            first_age = bearers.first if bearers and onset is None else onset
            other_sex = (only_sex or (bearers.sex if bearers else None)) not in (None, sex)
            misfit = self._patients.misfit(thing, superclasses, sex, age)
            if (_ADULT if first_age is None else first_age) <= age and not (other_sex or misfit):
                fit.append(thing)
        count = rng.choice((0, 1, 1, _HISTORY))
        return tuple(rng.sample(fit, min(count, len(fit))))


def _joined_names(thing: Thing) -> str:
    return f"{thing.name} {thing.name_zh or ''}"


def _drawn(rng: Random, first: float, last: float) -> float:
    """An age, in years; that of a baby in months."""
    age = rng.uniform(first, max(first, last))
    return round(age, 2) if age < 2 else float(max(int(age), first))  # noqa: PLR2004


def names_of(thing: Thing) -> set[str]:
    """All names and words of a thing, as they are compared."""
    return {name.casefold() for name in thing.names}
