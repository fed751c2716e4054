"""The director: makes the patient, filters and orders findings, and says what may be answered.

Section 4 of MedKGEval. A finding of the disease that this patient does not have is left out for one
of ``Reason``; what is left is drawn by how often it is seen, each by itself, seeded. What the patient
tells first is what most patients have; then come the findings that tell the disease best from
others. What is asked for is answered by the graph: whoever has a kind of a finding has it. Where
the graph is silent the answer is harmless, and marked as filler.
"""

import re
from collections.abc import Collection, Sequence
from functools import cached_property
from random import Random
from typing import Final, Literal

from evalsim.agents.manners import Manners
from evalsim.agents.patient import population_of
from evalsim.agents.personas import Personas, names_of
from evalsim.briefs import GuideBrief, PersonaBrief, ScreenBrief
from evalsim.case import Attribute, DiagnosisCase, Fact, Finding, MedicationCase, Thing
from evalsim.cases.pool import MIN_NOTICED
from evalsim.dialogue import PACE, Guidance, Reading, Supply, Topic
from evalsim.plan import Conduct, LeftOut, Manner, Persona, Plan, Screening
from evalsim.reading.naming import TargetNames
from evalsim.reading.paraphrases import Secret
from evalsim.reading.patients import Patients, id_of, ids
from evalsim.reading.replies import Reader
from evalsim.reading.superclasses import Superclasses
from ingest.identity import MINTED_PREFIX
from kg.linking.linker import Linker
from kg.shipped import shipped_table
from kg.stores.store import Store

Reason = Literal[
    "doubted by a rule",
    "denied by a source",
    "the disease itself",
    "names the disease",
    "not of this sex",
    "not of this age",
    "cannot be told",
    "never with the disease",
    "not in this patient",
    "opposite of another finding",
    "implied by another finding",
]
"""Why a finding of the disease is not one of this patient's; there is no other reason."""

MOST_TOLD: Final = 8
"""Findings that a patient tells unasked, at most."""
_FEWEST: Final = 4
"""Findings that a patient has at least, where the disease has so many."""
_USUAL: Final = 0.6
"""How often a finding is drawn of which no source says how often it is seen."""
_MOST_ANSWERED: Final = 8
"""Things asked for in one reply that are answered."""
_ATTRIBUTES: Final[tuple[Attribute, ...]] = (
    "indication",
    "contraindication",
    "precaution",
    "interaction",
)
_AND_OF: Final = re.compile(r" and .*\b(?:of|in|on)\b")
"""Behind "and": the name is of one thing."""
_HYPERSENSITIVITY: Final = re.compile(r"hypersensitiv|allerg|过敏", re.IGNORECASE)


class Director:
    """Directs dialogues by the graph; threads may share it."""

    def __init__(self, store: Store, linker: Linker, patients: Patients | None = None) -> None:
        """Direct by a graph.

        Args:
            store: the graph.
            linker: of its names.
            patients: what the graph knows of patients, where it is known already.
        """
        self._store = store
        self._reader = Reader(store, linker)
        self._patients = patients or Patients(store)
        self._lookup = self._patients.lookup
        table = shipped_table("evalsim.agents", "director.yaml")
        self._personas = Personas(store, self._patients, table)
        self._speechless, self._cannot_be_told = (
            ids(table[key]) for key in ("speechless", "untold")
        )
        self._manners = Manners(store, self._lookup, table)
        self._topics = {topic: ids(terms) for topic, terms in table["topics"].items()}
        self._topics_named = {
            topic: re.compile(words, re.IGNORECASE)
            for topic, words in table["topics_named"].items()
        }
        self._opposites = [(id_of(one), id_of(other)) for one, other in table["opposites"]]

    def persona(self, brief: PersonaBrief) -> Persona:
        """Who the patient is: of an age and sex that have the disease, who can speak or is spoken for."""
        return self._personas.persona(brief)

    def screen(self, brief: ScreenBrief) -> Screening:
        """What the patient has and tells, in order; or the questions about a drug, one a round."""
        if isinstance(brief.case, MedicationCase):
            return self._questions(brief.case, brief.persona, brief.seed)
        return self._screened(brief.case, brief.persona, brief.seed)

    def conduct(
        self, case: DiagnosisCase, plan: Plan, manner: Sequence[Manner], seed: int
    ) -> Conduct:
        """What the patient of a plan does on purpose, as its manner is."""
        own_ids, secret = self._own_ids(case), Secret.of_case(case)
        anybody = case.model_copy(update={"origin": "graph"})

        def fits(finding: Finding, superclasses: Superclasses) -> bool:
            reason = self._unfit(anybody, finding, plan.persona, superclasses, own_ids, secret)
            return reason is None and not self._patients.is_test(finding, superclasses)

        return self._manners.conduct(case, plan, manner, seed, fits)

    def guide(self, brief: GuideBrief) -> Guidance:
        """What the doctor's reply asks for, how the patient may answer, and what to tell next."""
        reading = self._reader.read(brief.turns[-1].doctor)
        if isinstance(brief.case, MedicationCase):
            return Guidance(reading=reading)
        lies = [t.id for turn in brief.turns for t in turn.instruction.fabricated]
        supplies = self._supplies(brief.case, brief.plan, reading, lies)
        on_topics, topics = self._on_topics(brief.case, brief.plan, reading, supplies)
        supplies = (*supplies, *on_topics)
        released = {id_ for turn in brief.turns for id_ in turn.instruction.released}
        news = {s.releases for s in supplies if s.releases and s.releases not in released}
        unreleased = [id_ for id_ in brief.unreleased if id_ not in news]
        asked_back = brief.turns[-1].instruction.intent == "ask back"
        return Guidance(
            reading=reading,
            supplies=supplies,
            tell=tuple(unreleased[: _pace(reading, len(news), asked_back=asked_back)]),
            topics=topics,
        )

    def _on_topics(
        self, case: DiagnosisCase, plan: Plan, reading: Reading, supplies: Sequence[Supply]
    ) -> tuple[list[Supply], tuple[Topic, ...]]:
        """What the patient has of the topics that are asked about, and the topics of which nothing."""
        finding_ids = (*plan.told, *plan.further)
        superclasses = self._lookup.of(finding_ids)
        released = {s.releases for s in supplies}
        supplies_on_topics, unanswered = list[Supply](), list[Topic]()
        for topic in reading.topics:
            terms = self._topics.get(topic, frozenset())
            ids_of_topic = (
                plan.tested
                if topic == "tests"
                else [i for i in finding_ids if superclasses.is_any_of(i, terms)]
            )
            new_findings = [
                f for f in case.findings if f.id in ids_of_topic and f.id not in released
            ][:PACE]
            supplies_on_topics += [
                Supply(about=f.bare(), answer="yes", source="graph", releases=f.id)
                for f in new_findings
            ]
            released |= {f.id for f in new_findings}
            unanswered += [] if ids_of_topic else [topic]
        return supplies_on_topics, tuple(unanswered)

    def _screened(self, case: DiagnosisCase, persona: Persona, seed: int) -> Screening:
        superclasses = self._lookup.of(f.id for f in case.findings)
        left_out: dict[str, Reason] = {}
        own_ids = self._own_ids(case)
        secret = Secret.of_case(case)
        for finding in case.findings:
            if reason := self._unfit(case, finding, persona, superclasses, own_ids, secret):
                left_out[finding.id] = reason
        fitting = [f for f in case.findings if f.id not in left_out]
        findings = fitting if case.origin != "graph" else _drawn_findings(case, fitting, seed)
        left_out |= {f.id: "not in this patient" for f in fitting if f not in findings}
        findings = self._without_opposites(findings, superclasses, left_out)
        for finding in findings:
            if any(
                other.id != finding.id and superclasses.is_a(other.id, finding.id)
                for other in findings
            ):
                left_out[finding.id] = "implied by another finding"
        findings = [f for f in findings if f.id not in left_out]
        tested = tuple(f.id for f in findings if self._patients.is_test(f, superclasses))
        noticed = self._noticed(case, [f for f in findings if f.id not in tested]) or findings
        ordered = noticed if case.origin != "graph" else _ordered(noticed)
        told_ids = tuple(f.id for f in ordered[:MOST_TOLD])
        return Screening(
            told=told_ids,
            further=tuple(f.id for f in findings if f.id not in told_ids),
            tested=tested,
            left_out=tuple(
                LeftOut(id=f.id, reason=left_out[f.id]) for f in case.findings if f.id in left_out
            ),
        )

    def _noticed(self, case: DiagnosisCase, felt_findings: Sequence[Finding]) -> Sequence[Finding]:
        """What somebody complains of: the felt findings for which people have words, if they are enough."""
        rows = self._store.query("entity.lay_names", entities=[f.id for f in felt_findings])
        ids_with_words = {str(row["entity_id"]) for row in rows.dicts()}
        with_words = [
            f for f in felt_findings if f.id in ids_with_words or f.id.startswith(MINTED_PREFIX)
        ]
        return (
            with_words
            if case.origin == "graph" and len(with_words) >= MIN_NOTICED
            else felt_findings
        )

    def _unfit(  # noqa: PLR0911, PLR0917 - one reason after the other
        self,
        case: DiagnosisCase,
        finding: Finding,
        persona: Persona,
        superclasses: Superclasses,
        own_ids: Collection[str],
        secret: Secret,
    ) -> Reason | None:
        """Why nobody with this persona tells a finding."""
        if finding.id in own_ids or superclasses.is_a(finding.id, case.target.id):
            return "the disease itself"
        if secret.is_told_with(finding):
            return "names the disease"
        if case.origin != "graph":  # the text of a case is about one patient
            return None
        if finding.flags:
            return "doubted by a rule"
        if any(superclasses.is_a(finding.id, absent.id) for absent in case.absent):
            return "denied by a source"
        if misfit := self._patients.misfit(finding, superclasses, persona.sex, persona.age):
            return misfit
        if superclasses.is_any_of(finding.id, self._cannot_be_told) or (
            persona.speaker == "patient" and superclasses.is_any_of(finding.id, self._speechless)
        ):
            return "cannot be told"
        return "never with the disease" if finding.frequency == 0 else None

    def _without_opposites(
        self,
        findings: Sequence[Finding],
        superclasses: Superclasses,
        left_out: dict[str, Reason],
    ) -> list[Finding]:
        """The findings without the rarer one of each two opposites."""
        for pair in self._opposites:
            sides = [
                [
                    f
                    for f in findings
                    if f.id not in left_out and superclasses.is_any_of(f.id, {term})
                ]
                for term in pair
            ]
            if all(sides):
                weaker = min(sides, key=lambda side: max(_usual(f) for f in side))
                left_out |= {f.id: "opposite of another finding" for f in weaker}
        return [f for f in findings if f.id not in left_out]

    def _questions(self, case: MedicationCase, persona: Persona, seed: int) -> Screening:
        """One fact of each attribute that fits the persona."""
        rng = Random(f"{seed}:{case.id}:questions")
        own_facts = [fact for fact in case.facts if not population_of(fact.name)]
        sex_limits = self._patients.bearers_of(own_facts)  # of others one may ask for a relative
        names = TargetNames.of_case(case)
        left_out: dict[str, Reason] = {}
        questions = []
        for attribute in _ATTRIBUTES:
            fitting: list[Fact] = []
            for fact in case.of(attribute):
                if fact in own_facts and sex_limits[fact.id].sex not in (None, persona.sex):
                    left_out[fact.id] = "not of this sex"
                elif names.find(fact.name) or names.find(fact.name_zh or ""):
                    left_out[fact.id] = "names the disease"
                else:
                    fitting.append(fact)
            usual_facts = [f for f in fitting if not _HYPERSENSITIVITY.search(f.name)] or fitting
            if usual_facts:
                worded = [f for f in usual_facts if f.words] or usual_facts
                questions.append((attribute, rng.choice(worded).id))
        return Screening(
            questions=tuple(questions),
            left_out=tuple(LeftOut(id=id_, reason=reason) for id_, reason in left_out.items()),
        )

    def _supplies(
        self, case: DiagnosisCase, plan: Plan, reading: Reading, lies: Sequence[str]
    ) -> tuple[Supply, ...]:
        things_asked = [thing for thing in reading.asked if not self._is_topic(thing, reading)]
        things_asked = things_asked[:_MOST_ANSWERED]
        if not things_asked:
            return ()
        secret = Secret.of_case(case)
        finding_ids = (*plan.told, *plan.further)
        history = (thing.id for thing in plan.persona.history)
        untold = (out.id for out in plan.left_out if out.reason == "cannot be told")
        superclasses = self._lookup.of(
            [*finding_ids, *history, *lies, *untold, *(thing.id for thing in things_asked)]
        )
        return tuple(
            _undiagnosed(thing)
            if thing.id == case.target.id or secret.is_told_with(thing)
            else self._supply(case, plan, thing, lies, superclasses)
            for thing in things_asked
        )

    def _is_topic(self, thing: Thing, reading: Reading) -> bool:
        """Whether a thing that is asked for is what a topic of the question is about."""
        return any(
            topic in self._topics_named and self._topics_named[topic].fullmatch(name)
            for topic in reading.topics
            for name in names_of(thing)
        )

    def _supply(
        self,
        case: DiagnosisCase,
        plan: Plan,
        thing: Thing,
        lies: Sequence[str],
        superclasses: Superclasses,
    ) -> Supply:
        is_a, finding_ids = superclasses.is_a, (*plan.told, *plan.further)
        findings = {f.id: f for f in case.findings}
        names = names_of(thing)
        id_had = next(
            (
                id_
                for id_ in finding_ids
                if is_a(id_, thing.id) or not names.isdisjoint(_names_and_parts(findings[id_]))
            ),
            None,
        )
        if id_had:
            return Supply(
                about=findings[id_had].bare(), answer="yes", source="graph", releases=id_had
            )
        if any(is_a(condition.id, thing.id) for condition in plan.persona.history):
            return Supply(about=thing, answer="yes", source="graph")
        if any(is_a(lie, thing.id) for lie in lies):
            return Supply(about=thing, answer="yes", source="filler")
        unsaid: tuple[Reason, ...] = ("the disease itself", "names the disease", "cannot be told")
        ids_left_out = [out.id for out in plan.left_out if out.reason not in unsaid]
        absent_ids = (*(a.id for a in case.absent), *ids_left_out)
        is_specific = any(is_a(thing.id, id_) for id_ in finding_ids)
        if not is_specific and any(is_a(thing.id, id_) for id_ in absent_ids):
            return Supply(about=thing, answer="no", source="graph")
        unknown = (
            is_specific
            or any(thing.id == out.id for out in plan.left_out)
            or any(
                is_a(out.id, thing.id) for out in plan.left_out if out.reason == "cannot be told"
            )
            or self._patients.is_test(thing, superclasses)
        )
        if thing.type == "Disease" or thing.id in self._diseases_found:
            return _undiagnosed(thing)  # as of the target: nothing tells it from other diseases
        return Supply(about=thing, answer="not known" if unknown else "no", source="filler")

    @cached_property
    def _diseases_found(self) -> frozenset[str]:
        """Ids of the findings that are a disease too."""
        rows = self._store.query("evaluation.same_as_findings").rows
        return frozenset(str(finding) for _, finding in rows)

    def _own_ids(self, case: DiagnosisCase) -> set[str]:
        rows = self._store.query("entity.close_matches", entity=case.target.id).dicts()
        return {case.target.id, *(str(row["other_id"]) for row in rows)}


def _names_and_parts(finding: Thing) -> set[str]:
    """Its names, and of nausea and vomiting those of both."""
    names = names_of(finding)
    return names | {
        part for name in names if not _AND_OF.search(name) for part in name.split(" and ")
    }


def _undiagnosed(disease: Thing) -> Supply:
    """Nobody who does not know what it is says whether it is a disease that the doctor names."""
    about = disease.model_copy(update={"type": "Disease"})
    return Supply(about=about, answer="not known", source="filler")


def _pace(reading: Reading, news: int, *, asked_back: bool) -> int:
    """How many findings are told unasked, when answers tell of ``news`` already."""
    if reading.open:
        return max(PACE - news, 0)
    if reading.vague and not asked_back:
        return 0
    return 0 if news else 1


def _drawn_findings(case: DiagnosisCase, fitting: Sequence[Finding], seed: int) -> list[Finding]:
    """The findings of one patient: each by its frequency, and some at least."""
    is_drawn = {
        f.id: Random(f"{seed}:{case.id}:{f.id}").random()
        < (_USUAL if f.frequency is None else f.frequency)
        for f in fitting
    }
    likely = sorted(fitting, key=lambda f: (-_usual(f), -(f.discrimination or 0.0), f.id))
    for finding in likely:
        if sum(is_drawn.values()) >= _FEWEST:
            break
        is_drawn[finding.id] = True
    return [f for f in fitting if is_drawn[f.id]]


def _ordered(findings: Sequence[Finding]) -> list[Finding]:
    """What most patients have first, then what tells the disease best from others."""
    if not findings:
        return []
    first = min(findings, key=lambda f: (-_usual(f), f.discrimination or 0.0, f.id))
    later = sorted(
        (f for f in findings if f is not first),
        key=lambda f: (-(f.discrimination or 0.0), -_usual(f), f.id),
    )
    return [first, *later]


def _usual(finding: Finding) -> float:
    return 0.3 if finding.frequency is None else finding.frequency
