"""Who a patient is, consistent with the case: age, sex, history, and who speaks."""

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, Literal, NamedTuple, get_args

from evalsim.briefs import PersonaBrief
from evalsim.case import DiagnosisCase, MedicationCase, Sex, Thing
from evalsim.plan import Persona, Speaker, Style
from evalsim.reading.kinds import Broader, Kinds
from evalsim.reading.paraphrases import Secret
from kg.stores.store import Store

_STYLES: Final[tuple[Style, ...]] = ("plain", "plain", "terse", "talkative", "anxious")
_ADULT: Final = 18.0
_SPEAKS: Final = 12.0
"""Years from which a patient speaks for themselves."""
_OLDEST: Final = 88.0
_HISTORY: Final = 2


Reason = Literal["not of this sex", "not of this age"]
"""Why somebody has not a finding."""


class Years(NamedTuple):
    """The years of age in which a finding, a term of HPO, is had."""

    term: str
    first: float
    last: float


class _Whose(NamedTuple):
    """Whose disease one is, told by its name or by its class."""

    name: re.Pattern[str] | None
    term: str
    """Id of the class; empty, where the name tells."""
    first: float
    last: float
    sex: Sex | None
    pregnant: bool


class Personas:
    """Makes personas by the graph; threads may share it."""

    def __init__(self, store: Store, kinds: Kinds, table: Mapping[str, Any]) -> None:
        """Make them by a graph.

        Args:
            store: the graph.
            kinds: of the graph's things.
            table: ``director.yaml``.
        """
        self._store, self._kinds = store, kinds
        self.sexes: dict[Sex, frozenset[str]] = {
            "female": ids(table["sex"]["female"]),
            "male": ids(table["sex"]["male"]),
        }
        """Findings that only one sex has."""
        self.ages = [
            Years(id_of(row["term"]), float(row["from"]), float(row["to"]))
            for row in table["ages"]
        ]
        """Findings of an age."""
        self._speechless = ids(table["speechless"])
        self._sex_named: dict[str, re.Pattern[str]] = {
            sex: re.compile(words, re.IGNORECASE) for sex, words in table["sex_named"].items()
        }
        self._age_named = [
            (re.compile(row["name"], re.IGNORECASE), float(row["from"]), float(row["to"]))
            for row in table["age_named"]
        ]
        self._whose = [
            _Whose(
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
        kinds = self._kinds.of([case.target.id, *(f.id for f in case.findings)])
        whose = self._whose_disease(case.target, kinds)
        sex = case.sex or self._sex(case, whose, kinds, rng)
        age = case.age if case.age is not None else self._age(case, whose, kinds, rng)
        silent = any(
            kinds.is_any(f.id, self._speechless) and (f.frequency or 0.0) >= 1 / 2
            for f in case.findings
        )
        speaker: Speaker = "patient"
        if age < _SPEAKS:
            speaker = "father" if rng.random() < 1 / 4 else "mother"
        elif silent:
            speaker = "spouse" if age >= 30 and rng.random() < 1 / 2 else "relative"  # noqa: PLR2004
        history = self._history(case, age, sex, rng)
        pregnant = whose is not None and whose.pregnant and sex == "female"
        return Persona(
            age=age, sex=sex, speaker=speaker, style=style, history=history, pregnant=pregnant
        )

    def _sex(self, case: DiagnosisCase, whose: _Whose | None, kinds: Broader, rng: Random) -> Sex:
        """The sex of the disease's name, else the one of more of its findings, else either."""
        drawn: Sex = rng.choice(("female", "male"))
        if whose and whose.sex:
            return whose.sex
        if named := self._sex_of_name(case.target):
            return named
        of = {
            sex: sum(kinds.is_any(f.id, terms) for f in case.findings)
            for sex, terms in self.sexes.items()
        }
        if of["female"] == of["male"]:
            return drawn
        return "female" if of["female"] > of["male"] else "male"

    def _age(
        self, case: DiagnosisCase, whose: _Whose | None, kinds: Broader, rng: Random
    ) -> float:
        """Years: by the disease's name, onset or class, else an adult's; in which its findings are."""
        onset = case.onset
        if whose and (onset is None or whose.name or whose.first >= _ADULT):
            later = 0.0 if onset is None else onset
            first, last = max(whose.first, later), max(whose.last, later)
        elif onset is None:
            first, last = _ADULT, 75.0
        elif onset < _ADULT:
            first, last = max(onset, 0.2), max(onset, 0.2) + (14.0 if onset < 1 else 20.0)
        else:
            first, last = onset, min(onset + 35.0, _OLDEST)
        for years in self.ages:
            common = [
                f
                for f in case.findings
                if (f.frequency or 0.0) >= 1 / 2 and kinds.is_any(f.id, {years.term})
            ]
            if common and max(first, years.first) < min(last, years.last):
                first, last = max(first, years.first), min(last, years.last)
        return _drawn(rng, first, last)

    def unfit(self, thing: Thing, kinds: Broader, persona: Persona) -> Reason | None:
        """Why somebody of a sex and an age has not a finding; None: they may have it."""
        other: Sex = "male" if persona.sex == "female" else "female"
        if kinds.is_any(thing.id, self.sexes[other]) or self._sex_of_name(thing) == other:
            return "not of this sex"
        spans = [(y.first, y.last) for y in self.ages if kinds.is_kind(thing.id, y.term)]
        name = _names(thing)
        spans += [(first, last) for words, first, last in self._age_named if words.search(name)]
        if any(not first <= persona.age <= last for first, last in spans):
            return "not of this age"
        return None

    def _sex_of_name(self, thing: Thing) -> Sex | None:
        """The sex that a name says has it; None: neither, or both."""
        name = _names(thing)
        said = [sex for sex in get_args(Sex) if self._sex_named[sex].search(name)]
        sex: Sex | None = said[0] if len(said) == 1 else None
        return sex

    def _whose_disease(self, thing: Thing, kinds: Broader) -> _Whose | None:
        name = _names(thing)
        return next(
            (
                each
                for each in self._whose
                if (each.name.search(name) if each.name else kinds.is_kind(thing.id, each.term))
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
        known = {
            thing.id: thing
            for thing in (*case.comorbid, *risks)
            if thing.type == "Disease"
            and thing.id not in findings
            and not any(map(secret.is_told_by, names_of(thing)))
            and (case.language == "en" or thing.name_zh)
        }
        if not known:
            return ()
        whom, kinds = self.patients(list(known)), self._kinds.of(known)
        fit = []
        for id_, thing in known.items():
            onset, only = whom.get(id_, (None, None))
            whose = self._whose_disease(thing, kinds)
            least = whose.first if whose and onset is None else onset
            other = (only or (whose.sex if whose else None)) not in (None, sex)
            cannot = self.unfit(thing, kinds, Persona(age=age, sex=sex))
            if (_ADULT if least is None else least) <= age and not (other or cannot):
                fit.append(thing)
        many = rng.choice((0, 1, 1, _HISTORY))
        return tuple(rng.sample(fit, min(many, len(fit))))

    def patients(self, ids: Sequence[str]) -> dict[str, tuple[float | None, str | None]]:
        """The least age and the one sex that have conditions, by id."""
        rows = self._store.query("disease.patients", diseases=list(ids)).rows if ids else ()
        return {
            str(id_): (
                onset if isinstance(onset, float) else None,
                sex if isinstance(sex, str) else None,
            )
            for id_, onset, sex in rows
        }


def _names(thing: Thing) -> str:
    return f"{thing.name} {thing.name_zh or ''}"


def _drawn(rng: Random, first: float, last: float) -> float:
    """An age, in years; that of a baby in months."""
    age = rng.uniform(first, max(first, last))
    return round(age, 2) if age < 2 else float(max(int(age), first))  # noqa: PLR2004


def names_of(thing: Thing) -> set[str]:
    """All names and words of a thing, as they are compared."""
    return {name.casefold() for name in (thing.name, thing.name_zh, *thing.words) if name}


def id_of(term: str) -> str:
    """The id of "HP:0001945 Fever"."""
    return term.partition(" ")[0]


def ids(terms: Any) -> frozenset[str]:  # noqa: ANN401 - as the file has it
    """The ids of such terms."""
    return frozenset(map(id_of, terms))
