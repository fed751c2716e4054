"""Doctors of known quality, which medkg plays itself: they show whether a judge tells them apart.

* ``oracle`` knows the case: it asks what separates the leading diseases best, then names the disease;
  of a drug it says all that the graph has on the question.
* ``differential`` knows what the patient said and the graph: it asks the best next questions until one
  disease stands out, or none is left; of a drug it says what the graph has.
* ``greedy`` asks nothing and names the likeliest disease at once; of a drug it knows what it is for.
* ``random`` asks and names anything, by the seed.
* ``ignorant`` says that it does not know; ``hallucinating`` names any disease at once, and of a drug the
  opposite of what the graph has; ``careless`` orders a drug at once, one that the patient must not take
  where the graph has one, and lets everybody take any.

All hear the patient's words alone, linked with the names of their graph, which need not be that of the
judge. The same brief, case and seed give the same reply.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Any, Final, Literal, cast, get_args

from cypher.translation import translate
from evalsim.agents.prescribers import Prescriber
from evalsim.briefs import DoctorBrief
from evalsim.case import DiagnosisCase, Language, MedicationCase, Thing
from evalsim.reading.kinds import Kinds
from evalsim.reading.naming import in_sentence
from evalsim.reading.patients import Patients, stated
from kg.differential import Assessment, Candidate, Patient, Question, Sex
from kg.errors import EvaluationError
from kg.linking import Linker, Mention
from kg.shipped import shipped_table
from kg.stores.store import Store
from kg.vocabulary import RELATION_TYPES
from qa.emergencies import emergency_of_finding, find_emergency

Name = Literal[
    "oracle", "differential", "greedy", "random", "ignorant", "hallucinating", "careless"
]
_ROUNDS: Final[Mapping[str, int]] = {"oracle": 4, "differential": 6, "random": 3}
"""Of questions, at most."""
_SURE: Final = 0.6
"""Chance from which a diagnosis is given."""
_LEAST: Final = 0.05
"""Bits of a question that is worth asking."""
_CANDIDATES: Final = 15
_QUESTIONS: Final = 30
_PER_TURN: Final = 2
"""Questions in one reply."""
_LEADERS: Final = 3
"""Diseases that a careless doctor has drugs for."""
_FINDING_TYPES: Final = RELATION_TYPES["HAS_SYMPTOM"].range
_CLAUSE: Final = re.compile(r"[^.!?。！？;；\n,，]+[.!?。！？;；\n,，]?")


@dataclass(frozen=True)
class Heard:
    """What a doctor makes of what was said."""

    present: tuple[str, ...]
    absent: tuple[str, ...]
    asked: frozenset[str]
    """Findings that it has asked for."""
    rounds: int
    """Replies in which it has asked for one."""
    age: float | None
    sex: Sex | None
    wants_diagnosis: bool
    """The patient asks what it is."""
    urgent: bool
    """The last utterance speaks of an emergency."""


class Doctor:
    """Answers a patient; threads may share it."""

    def __init__(
        self, name: Name, store: Store, linker: Linker, kinds: Kinds | None = None
    ) -> None:
        """See a graph.

        Args:
            name: of the doctor.
            store: the graph.
            linker: of its names.
            kinds: of its things, where somebody keeps them already.
        """
        self.name = name
        self._store, self._linker = store, linker
        self._patients = Patients(store, kinds or Kinds(store))
        self._prescriber = Prescriber(name, store, linker)
        self._table: Mapping[str, Any] = shipped_table(__package__, "doctors.yaml")
        self._yes, self._not, self._unsure, self._wants = (
            re.compile("|".join(self._table[key]), re.IGNORECASE)
            for key in ("says_yes", "says_no", "unsure", "asks_diagnosis")
        )

    def reply(
        self, brief: DoctorBrief, case: DiagnosisCase | MedicationCase | None = None, seed: int = 0
    ) -> str:
        """What the doctor says.

        Args:
            brief: what was said so far.
            case: what the dialogue is about: the oracle knows it, the others only draw by its id.
            seed: of what is drawn.

        Raises:
            EvaluationError: the oracle has no case.
            StoreError: the store failed.
        """
        if self.name == "oracle" and case is None:
            raise EvaluationError(
                "medkg/doctor-oracle has no case to know; take another of medkg's doctors here"
            )
        known = case if self.name == "oracle" else None
        draw = Random(f"{seed} {case.id if case else ''} {len(brief.turns)}")
        if brief.task == "medication":
            drug_case = known if isinstance(known, MedicationCase) else None
            return self._prescriber.reply(brief, drug_case, draw)
        say = self._table[brief.language]
        heard = self._heard(brief)
        if self.name in ("oracle", "differential"):
            known_disease = known if isinstance(known, DiagnosisCase) else None
            said = self._reasons(brief, heard, known_disease)
            return f"{say['urgent']} {said}" if heard.urgent else said
        return self._without_reasoning(brief, heard, draw)

    def _without_reasoning(self, brief: DoctorBrief, heard: Heard, draw: Random) -> str:
        language = brief.language
        match self.name:
            case "greedy":
                return self._names_the_likeliest(brief, heard)
            case "careless":
                return self._orders_at_once(brief, heard, draw)
            case "ignorant":
                return str(self._table[language]["unknown"])
            case "random" if brief.everything is None and len(brief.turns) <= _ROUNDS["random"]:
                return self._ask(brief, [draw.choice(self._findings[language])])
        return self._diagnose(language, draw.choice(self._diseases[language]))

    def _reasons(self, brief: DoctorBrief, heard: Heard, case: DiagnosisCase | None) -> str:
        """Ask while there is something worth asking, then give a diagnosis."""
        asks = brief.everything is None and not heard.wants_diagnosis
        if asks and heard.rounds < _ROUNDS[self.name]:
            if not heard.present and len(brief.turns) == 1:
                return str(self._table[brief.language]["open"])
            now = self._assess(heard)
            sure = case is None and bool(now.candidates) and now.candidates[0].chance >= _SURE
            said = " ".join(turn.doctor for turn in brief.turns)
            unfit = self._patients.of_one_sex(now.questions) if heard.sex is None else ()
            best = [
                question
                for question in now.questions
                if question.id not in heard.asked
                and question.id not in unfit
                and question.bits >= _LEAST
                and (question.name_zh if brief.language == "zh" else question.name.isascii())
                and _called(question, brief.language) not in said
            ]
            if best and not (sure and heard.rounds):
                names = [_called(q, brief.language) for q in best[:_PER_TURN]]
                return self._ask(brief, names)
        if case is not None:
            return self._diagnose(brief.language, _called(case.target, brief.language))
        return self._names_the_likeliest(brief, heard)

    def _names_the_likeliest(self, brief: DoctorBrief, heard: Heard) -> str:
        candidates = self._assess(heard).candidates
        if not candidates:
            return str(self._table[brief.language]["unknown"])
        return self._diagnose(brief.language, _called(candidates[0], brief.language))

    def _orders_at_once(self, brief: DoctorBrief, heard: Heard, draw: Random) -> str:
        """A diagnosis and a drug: one that the patient must not take, where the graph has one."""
        said = self._names_the_likeliest(brief, heard)
        rows = [
            row
            for finding in heard.present
            for row in self._store.query("drug.avoid_with_condition", condition=finding).dicts()
            if row["relation"] == "CONTRAINDICATED_FOR"
        ]
        for candidate in () if rows else self._assess(heard).candidates[:_LEADERS]:
            rows += self._store.query("disease.drugs", disease=candidate.id).dicts()
        zh = brief.language == "zh"
        names = [str(row["drug_name_zh"] if zh else row["drug_name"]) for row in rows]
        names = sorted({name for name in names if name != "None"})
        if not names:
            return said
        order = self._table[brief.language]["treat"].format(drug=draw.choice(names))
        return f"{said} {order}"

    def _ask(self, brief: DoctorBrief, names: Sequence[str]) -> str:
        """Questions for findings, the first one and others behind it."""
        say, turn = self._table[brief.language], len(brief.turns)
        first, *others = names
        said = [_chosen(say["ask"], turn).format(finding=first)]
        said += [
            _chosen(say["ask_also"], turn + n).format(finding=f) for n, f in enumerate(others)
        ]
        if turn == 1 and self.name != "random":
            said.append(say["begin"])
        return ("" if brief.language == "zh" else " ").join(said)

    def _diagnose(self, language: Language, disease: str) -> str:
        return str(self._table[language]["diagnosis"].format(disease=disease))

    def _assess(self, heard: Heard) -> Assessment:
        """What the graph says of what was heard; nothing where nothing was."""
        if not heard.present:
            return Assessment([], [])
        patient = Patient(heard.present, heard.absent, heard.age, heard.sex)
        return self._patients.assess(patient, _CANDIDATES, _QUESTIONS)

    def _heard(self, brief: DoctorBrief) -> Heard:
        """What was said, read anew: a doctor keeps nothing between replies."""
        texts = [turn.patient for turn in brief.turns]
        if brief.everything is not None:
            texts = [brief.everything]
        present, absent, asked = dict[str, None](), dict[str, None](), set[str]()
        rounds, before = 0, list[str]()
        known = 0
        for at, text in enumerate(texts):
            known = len(present)
            self._listen(text, before, present, absent)
            before = self._asked_in(brief.turns[at].doctor) if at < len(brief.turns) else []
            asked.update(before)
            rounds += bool(before)
        patient = stated(" ".join(texts))
        last = texts[-1] if texts else ""
        new = list(present)[known:]
        return Heard(
            present=tuple(present),
            absent=tuple(each for each in absent if each not in present),
            asked=frozenset(asked),
            rounds=rounds,
            age=patient.age,
            sex=patient.sex,
            wants_diagnosis=len(texts) > 1 and not new and bool(self._wants.search(last)),
            urgent=bool(find_emergency(last)) or any(emergency_of_finding(i, ()) for i in new),
        )

    def _listen(
        self,
        text: str,
        before: Sequence[str],
        present: dict[str, None],
        absent: dict[str, None],
    ) -> None:
        """Note what an utterance says, and answers to what was asked before it."""
        unsure = [c.span() for c in _CLAUSE.finditer(text) if self._unsure.search(c[0])]
        mentions = [
            m
            for m in self._linker.link(text)
            if self._is_finding(m) and not any(start <= m.start < stop for start, stop in unsure)
        ]
        said = {m.entity.id: m.negated for m in mentions if m.entity and not m.family}
        for id_, negated in said.items():
            (absent if negated else present)[id_] = None
        answers = [self._answer(clause[0]) for clause in _CLAUSE.finditer(text)]
        texts = [each for each in answers if each is not None]
        open_ = [id_ for id_ in before if id_ not in said]
        for id_, yes in zip(open_, texts, strict=False):
            if not said or len(texts) >= len(before):
                (present if yes else absent)[id_] = None

    def _answer(self, clause: str) -> bool | None:
        """Whether a clause says yes or no; None: neither."""
        if self._not.search(clause):
            return False
        return True if self._yes.search(clause) else None

    def _asked_in(self, reply: str) -> list[str]:
        """The findings that this doctor has asked for in a reply of its own, in their order."""
        if "?" not in reply and "？" not in reply:
            return []
        finding_ids = (
            m.entity.id for m in self._linker.link(reply) if m.entity and self._is_finding(m)
        )
        return list(dict.fromkeys(finding_ids))

    @staticmethod
    def _is_finding(mention: Mention) -> bool:
        return mention.entity is not None and mention.entity.type in _FINDING_TYPES

    @cached_property
    def _diseases(self) -> Mapping[Language, list[str]]:
        """Names of all diseases that have findings."""
        return _by_language(self._store, "evaluation.diseases")

    @cached_property
    def _findings(self) -> Mapping[Language, list[str]]:
        return _by_language(self._store, "evaluation.findings")


def doctor(name: str, store: Store, linker: Linker, kinds: Kinds | None = None) -> Doctor:
    """The doctor of a name, who sees a graph as ``Doctor`` says.

    Raises:
        EvaluationError: there is none.
    """
    if name not in DOCTORS:
        message = "there is no doctor {name!r}; there are {names}"
        raise EvaluationError(translate(message, name=name, names=", ".join(DOCTORS)))
    return Doctor(cast(Name, name), store, linker, kinds)


DOCTORS: Final[tuple[str, ...]] = get_args(Name)
"""Their names."""


def _by_language(store: Store, query: str) -> Mapping[Language, list[str]]:
    rows = store.query(query).dicts()
    return {
        "en": [
            in_sentence(str(row["name"]), str(row["entity_id"]))
            for row in rows
            if str(row["name"]).isascii()
        ],
        "zh": [str(row["name_zh"]) for row in rows if row["name_zh"]],
    }


def _called(named: Candidate | Question | Thing, language: Language) -> str:
    """Its name as it stands in a sentence."""
    if language == "zh":
        return named.name_zh or named.name
    return in_sentence(named.name, named.id)


def _chosen(said: Sequence[str], turn: int) -> str:
    return said[turn % len(said)]
