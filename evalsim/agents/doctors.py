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
from evalsim.reading.naming import in_sentence
from evalsim.reading.patients import Patients, stated_details
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
_PER_TURN: Final = 2
"""Questions in one reply."""
_LEADERS: Final = 3
"""Diseases that a careless doctor has drugs for."""
_FINDING_TYPES: Final = RELATION_TYPES["HAS_SYMPTOM"].range
_CLAUSE: Final = re.compile(r"[^.!?。！？;；\n,，]+[.!?。！？;；\n,，]?")


@dataclass(frozen=True)
class Notes:
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
        self, name: Name, store: Store, linker: Linker, patients: Patients | None = None
    ) -> None:
        """See a graph.

        Args:
            name: of the doctor.
            store: the graph.
            linker: of its names.
            patients: what the graph knows of patients, where it is known already.
        """
        self.name = name
        self._store, self._linker = store, linker
        self._patients = patients or Patients(store)
        self._prescriber = Prescriber(name, store, linker)
        self._table: Mapping[str, Any] = shipped_table(__package__, "doctors.yaml")
        self._says_yes, self._says_no, self._is_unsure, self._asks_diagnosis = (
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
        own_case = case if self.name == "oracle" else None
        draw = Random(f"{seed} {case.id if case else ''} {len(brief.turns)}")
        if brief.task == "medication":
            drug_case = own_case if isinstance(own_case, MedicationCase) else None
            return self._prescriber.reply(brief, drug_case, draw)
        lines = self._table[brief.language]
        notes = self._notes(brief)
        if self.name in ("oracle", "differential"):
            known_disease = own_case if isinstance(own_case, DiagnosisCase) else None
            text = self._ask_or_diagnose(brief, notes, known_disease)
            return f"{lines['urgent']} {text}" if notes.urgent else text
        return self._without_reasoning(brief, notes, draw)

    def _without_reasoning(self, brief: DoctorBrief, notes: Notes, draw: Random) -> str:
        language = brief.language
        match self.name:
            case "greedy":
                return self._diagnose_likeliest(brief, notes)
            case "careless":
                return self._order_at_once(brief, notes, draw)
            case "ignorant":
                return str(self._table[language]["unknown"])
            case "random" if brief.everything is None and len(brief.turns) <= _ROUNDS["random"]:
                return self._ask(brief, [draw.choice(self._findings[language])])
        return self._diagnose(language, draw.choice(self._diseases[language]))

    def _ask_or_diagnose(
        self, brief: DoctorBrief, notes: Notes, case: DiagnosisCase | None
    ) -> str:
        """Ask while there is something worth asking, then give a diagnosis."""
        may_ask = brief.everything is None and not notes.wants_diagnosis
        if may_ask and notes.rounds < _ROUNDS[self.name]:
            if not notes.present and len(brief.turns) == 1:
                return str(self._table[brief.language]["open"])
            assessment = self._assess(notes)
            is_sure = (
                case is None
                and bool(assessment.candidates)
                and assessment.candidates[0].chance >= _SURE
            )
            asked_text = " ".join(turn.doctor for turn in brief.turns)
            unfit = self._patients.of_one_sex(assessment.questions) if notes.sex is None else ()
            questions = [
                question
                for question in assessment.questions
                if question.id not in notes.asked
                and question.id not in unfit
                and question.bits >= _LEAST
                and (question.name_zh if brief.language == "zh" else question.name.isascii())
                and _name_in_sentence(question, brief.language) not in asked_text
            ]
            if questions and not (is_sure and notes.rounds):
                names = [_name_in_sentence(q, brief.language) for q in questions[:_PER_TURN]]
                return self._ask(brief, names)
        if case is not None:
            return self._diagnose(brief.language, _name_in_sentence(case.target, brief.language))
        return self._diagnose_likeliest(brief, notes)

    def _diagnose_likeliest(self, brief: DoctorBrief, notes: Notes) -> str:
        candidates = self._assess(notes).candidates
        if not candidates:
            return str(self._table[brief.language]["unknown"])
        return self._diagnose(brief.language, _name_in_sentence(candidates[0], brief.language))

    def _order_at_once(self, brief: DoctorBrief, notes: Notes, draw: Random) -> str:
        """A diagnosis and a drug: one that the patient must not take, where the graph has one."""
        diagnosis = self._diagnose_likeliest(brief, notes)
        rows = [
            row
            for finding in notes.present
            for row in self._store.query("drug.avoid_with_condition", condition=finding).dicts()
            if row["relation"] == "CONTRAINDICATED_FOR"
        ]
        for candidate in () if rows else self._assess(notes).candidates[:_LEADERS]:
            rows += self._store.query("disease.drugs", disease=candidate.id).dicts()
        zh = brief.language == "zh"
        names = [str(row["drug_name_zh"] if zh else row["drug_name"]) for row in rows]
        names = sorted({name for name in names if name != "None"})
        if not names:
            return diagnosis
        order = self._table[brief.language]["treat"].format(drug=draw.choice(names))
        return f"{diagnosis} {order}"

    def _ask(self, brief: DoctorBrief, names: Sequence[str]) -> str:
        """Questions for findings, the first one and others behind it."""
        lines, turn = self._table[brief.language], len(brief.turns)
        first_name, *other_names = names
        sentences = [_line_of_turn(lines["ask"], turn).format(finding=first_name)]
        sentences += [
            _line_of_turn(lines["ask_also"], turn + n).format(finding=name)
            for n, name in enumerate(other_names)
        ]
        if turn == 1 and self.name != "random":
            sentences.append(lines["begin"])
        return ("" if brief.language == "zh" else " ").join(sentences)

    def _diagnose(self, language: Language, disease: str) -> str:
        return str(self._table[language]["diagnosis"].format(disease=disease))

    def _assess(self, notes: Notes) -> Assessment:
        """What the graph says of what was heard; nothing where nothing was."""
        if not notes.present:
            return Assessment([], [])
        patient = Patient(notes.present, notes.absent, notes.age, notes.sex)
        return self._patients.assess(patient, _CANDIDATES)

    def _notes(self, brief: DoctorBrief) -> Notes:
        """What was said, read anew: a doctor keeps nothing between replies."""
        texts = [turn.patient for turn in brief.turns]
        if brief.everything is not None:
            texts = [brief.everything]
        present, absent, asked_ids = dict[str, None](), dict[str, None](), set[str]()
        rounds, asked_before = 0, list[str]()
        known_count = 0
        for number, text in enumerate(texts):
            known_count = len(present)
            self._listen(text, asked_before, present, absent)
            asked_before = (
                self._asked_in(brief.turns[number].doctor) if number < len(brief.turns) else []
            )
            asked_ids.update(asked_before)
            rounds += bool(asked_before)
        details = stated_details(" ".join(texts))
        last_text = texts[-1] if texts else ""
        new_findings = list(present)[known_count:]
        return Notes(
            present=tuple(present),
            absent=tuple(each for each in absent if each not in present),
            asked=frozenset(asked_ids),
            rounds=rounds,
            age=details.age,
            sex=details.sex,
            wants_diagnosis=len(texts) > 1
            and not new_findings
            and bool(self._asks_diagnosis.search(last_text)),
            urgent=bool(find_emergency(last_text, stories=False))
            or any(emergency_of_finding(i, ()) for i in new_findings),
        )

    def _listen(
        self,
        text: str,
        asked_before: Sequence[str],
        present: dict[str, None],
        absent: dict[str, None],
    ) -> None:
        """Note what an utterance says, and answers to what was asked before it."""
        unsure = [c.span() for c in _CLAUSE.finditer(text) if self._is_unsure.search(c[0])]
        mentions = [
            m
            for m in self._linker.link(text)
            if self._is_finding(m) and not any(start <= m.start < stop for start, stop in unsure)
        ]
        negated_of = {m.entity.id: m.negated for m in mentions if m.entity and not m.family}
        for id_, negated in negated_of.items():
            (absent if negated else present)[id_] = None
        answers = [self._answer(clause[0]) for clause in _CLAUSE.finditer(text)]
        clear_answers = [each for each in answers if each is not None]
        unanswered = [id_ for id_ in asked_before if id_ not in negated_of]
        for id_, is_yes in zip(unanswered, clear_answers, strict=False):
            if not negated_of or len(clear_answers) >= len(asked_before):
                (present if is_yes else absent)[id_] = None

    def _answer(self, clause: str) -> bool | None:
        """Whether a clause says yes or no; None: neither."""
        if self._says_no.search(clause):
            return False
        return True if self._says_yes.search(clause) else None

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


def doctor(name: str, store: Store, linker: Linker, patients: Patients | None = None) -> Doctor:
    """The doctor of a name, who sees a graph as ``Doctor`` says.

    Raises:
        EvaluationError: there is none.
    """
    if name not in DOCTORS:
        message = "there is no doctor {name!r}; there are {names}"
        raise EvaluationError(translate(message, name=name, names=", ".join(DOCTORS)))
    return Doctor(cast(Name, name), store, linker, patients)


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


def _name_in_sentence(thing: Candidate | Question | Thing, language: Language) -> str:
    """Its name as it stands in a sentence."""
    if language == "zh":
        return thing.name_zh or thing.name
    return in_sentence(thing.name, thing.id)


def _line_of_turn(lines: Sequence[str], turn: int) -> str:
    return lines[turn % len(lines)]
