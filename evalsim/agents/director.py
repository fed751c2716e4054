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
from evalsim.reading.kinds import Broader, Kinds
from evalsim.reading.naming import TargetNames
from evalsim.reading.paraphrases import Secret
from evalsim.reading.patients import Patients, id_of, ids
from evalsim.reading.replies import Reader
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
_OF: Final = re.compile(r" and .*\b(?:of|in|on)\b")
"""Behind "and": the name is of one thing."""
_HYPERSENSITIVITY: Final = re.compile(r"hypersensitiv|allerg|过敏", re.IGNORECASE)


class Director:
    """Directs dialogues by the graph; threads may share it."""

    def __init__(self, store: Store, linker: Linker, kinds: Kinds | None = None) -> None:
        """Direct by a graph.

        Args:
            store: the graph.
            linker: of its names.
            kinds: of its things, where somebody keeps them already.
        """
        self._store = store
        self._reader, self._kinds = Reader(store, linker), kinds or Kinds(store)
        self._patients = Patients(store, self._kinds)
        table = shipped_table("evalsim.agents", "director.yaml")
        self._personas = Personas(store, self._kinds, self._patients, table)
        self._speechless, self._untold = (ids(table[key]) for key in ("speechless", "untold"))
        self._manners = Manners(store, self._kinds, table)
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
        itself, secret = self._itself(case), Secret.of_case(case)
        anybody = case.model_copy(update={"origin": "graph"})

        def fits(finding: Finding, kinds: Broader) -> bool:
            reason = self._unfit(anybody, finding, plan.persona, kinds, itself, secret)
            return reason is None and not self._patients.is_test(finding, kinds)

        return self._manners.conduct(case, plan, manner, seed, fits)

    def guide(self, brief: GuideBrief) -> Guidance:
        """What the doctor's reply asks for, how the patient may answer, and what to tell next."""
        reading = self._reader.read(brief.turns[-1].doctor)
        if isinstance(brief.case, MedicationCase):
            return Guidance(reading=reading)
        lies = [t.id for turn in brief.turns for t in turn.instruction.fabricated]
        supplies = self._supplies(brief.case, brief.plan, reading, lies)
        more, topics = self._on_topics(brief.case, brief.plan, reading, supplies)
        supplies = (*supplies, *more)
        told = {id_ for turn in brief.turns for id_ in turn.instruction.released}
        news = {s.releases for s in supplies if s.releases and s.releases not in told}
        left = [id_ for id_ in brief.unreleased if id_ not in news]
        asked_back = brief.turns[-1].instruction.intent == "ask back"
        return Guidance(
            reading=reading,
            supplies=supplies,
            tell=tuple(left[: _pace(reading, len(news), asked_back=asked_back)]),
            topics=topics,
        )

    def _on_topics(
        self, case: DiagnosisCase, plan: Plan, reading: Reading, supplies: Sequence[Supply]
    ) -> tuple[list[Supply], tuple[Topic, ...]]:
        """What the patient has of the topics that are asked about, and the topics of which nothing."""
        has = (*plan.told, *plan.further)
        kinds = self._kinds.of(has)
        said = {s.releases for s in supplies}
        more, left = list[Supply](), list[Topic]()
        for topic in reading.topics:
            terms = self._topics.get(topic, frozenset())
            own = plan.tested if topic == "tests" else [i for i in has if kinds.is_any(i, terms)]
            new = [f for f in case.findings if f.id in own and f.id not in said][:PACE]
            more += [
                Supply(about=f.bare(), answer="yes", source="graph", releases=f.id) for f in new
            ]
            said |= {f.id for f in new}
            left += [] if own else [topic]
        return more, tuple(left)

    def _screened(self, case: DiagnosisCase, persona: Persona, seed: int) -> Screening:
        kinds = self._kinds.of(f.id for f in case.findings)
        left: dict[str, Reason] = {}
        itself = self._itself(case)
        secret = Secret.of_case(case)
        for finding in case.findings:
            if reason := self._unfit(case, finding, persona, kinds, itself, secret):
                left[finding.id] = reason
        fit = [f for f in case.findings if f.id not in left]
        has = fit if case.origin != "graph" else _drawn_findings(case, fit, seed)
        left |= {f.id: "not in this patient" for f in fit if f not in has}
        has = self._without_opposites(has, kinds, left)
        for finding in has:
            if any(o.id != finding.id and kinds.is_kind(o.id, finding.id) for o in has):
                left[finding.id] = "implied by another finding"
        has = [f for f in has if f.id not in left]
        tested = tuple(f.id for f in has if self._patients.is_test(f, kinds))
        noticed = self._noticed(case, [f for f in has if f.id not in tested]) or has
        ordered = noticed if case.origin != "graph" else _ordered(noticed)
        told = tuple(f.id for f in ordered[:MOST_TOLD])
        return Screening(
            told=told,
            further=tuple(f.id for f in has if f.id not in told),
            tested=tested,
            left_out=tuple(
                LeftOut(id=f.id, reason=left[f.id]) for f in case.findings if f.id in left
            ),
        )

    def _noticed(self, case: DiagnosisCase, felt: Sequence[Finding]) -> Sequence[Finding]:
        """What somebody complains of: of what is felt, that for which people have words, if it is much."""
        rows = self._store.query("entity.lay_names", entities=[f.id for f in felt]).rows
        worded = {str(row[0]) for row in rows}
        common = [f for f in felt if f.id in worded or f.id.startswith(MINTED_PREFIX)]
        return common if case.origin == "graph" and len(common) >= MIN_NOTICED else felt

    def _unfit(  # noqa: PLR0911, PLR0917 - one reason after the other
        self,
        case: DiagnosisCase,
        finding: Finding,
        persona: Persona,
        kinds: Broader,
        itself: Collection[str],
        secret: Secret,
    ) -> Reason | None:
        """Why nobody with this persona tells a finding."""
        if finding.id in itself or kinds.is_kind(finding.id, case.target.id):
            return "the disease itself"
        if secret.is_told_with(finding):
            return "names the disease"
        if case.origin != "graph":  # the text of a case is about one patient
            return None
        if finding.flags:
            return "doubted by a rule"
        if any(kinds.is_kind(finding.id, a.id) for a in case.absent):
            return "denied by a source"
        if misfit := self._patients.misfit(finding, kinds, persona.sex, persona.age):
            return misfit
        if kinds.is_any(finding.id, self._untold) or (
            persona.speaker == "patient" and kinds.is_any(finding.id, self._speechless)
        ):
            return "cannot be told"
        return "never with the disease" if finding.frequency == 0 else None

    def _without_opposites(
        self,
        has: Sequence[Finding],
        kinds: Broader,
        left: dict[str, Reason],
    ) -> list[Finding]:
        """Of two opposites, what is seen more often stays."""
        for pair in self._opposites:
            sides = [
                [f for f in has if f.id not in left and kinds.is_any(f.id, {term})]
                for term in pair
            ]
            if all(sides):
                weaker = min(sides, key=lambda side: max(_usual(f) for f in side))
                left |= {f.id: "opposite of another finding" for f in weaker}
        return [f for f in has if f.id not in left]

    def _questions(self, case: MedicationCase, persona: Persona, seed: int) -> Screening:
        """One fact of each attribute that fits the persona."""
        rng = Random(f"{seed}:{case.id}:questions")
        own = [fact for fact in case.facts if not population_of(fact.name)]
        whose = self._patients.of(own)  # of others one may ask for a relative
        names = TargetNames.of_case(case)
        left: dict[str, Reason] = {}
        questions = []
        for attribute in _ATTRIBUTES:
            fits: list[Fact] = []
            for fact in case.of(attribute):
                if fact in own and whose[fact.id].sex not in (None, persona.sex):
                    left[fact.id] = "not of this sex"
                elif names.find(fact.name) or names.find(fact.name_zh or ""):
                    left[fact.id] = "names the disease"
                else:
                    fits.append(fact)
            usual = [f for f in fits if not _HYPERSENSITIVITY.search(f.name)] or fits
            if usual:
                worded = [f for f in usual if f.words] or usual
                questions.append((attribute, rng.choice(worded).id))
        return Screening(
            questions=tuple(questions),
            left_out=tuple(LeftOut(id=id_, reason=reason) for id_, reason in left.items()),
        )

    def _supplies(
        self, case: DiagnosisCase, plan: Plan, reading: Reading, lies: Sequence[str]
    ) -> tuple[Supply, ...]:
        asked = [thing for thing in reading.asked if not self._is_topic(thing, reading)]
        asked = asked[:_MOST_ANSWERED]
        if not asked:
            return ()
        secret = Secret.of_case(case)
        has = (*plan.told, *plan.further)
        history = (thing.id for thing in plan.persona.history)
        untold = (out.id for out in plan.left_out if out.reason == "cannot be told")
        kinds = self._kinds.of([*has, *history, *lies, *untold, *(thing.id for thing in asked)])
        return tuple(
            _undiagnosed(thing)
            if thing.id == case.target.id or secret.is_told_with(thing)
            else self._supply(case, plan, thing, lies, kinds)
            for thing in asked
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
        kinds: Broader,
    ) -> Supply:
        is_kind, has = kinds.is_kind, (*plan.told, *plan.further)
        findings = {f.id: f for f in case.findings}
        names = names_of(thing)
        yes = next(
            (
                id_
                for id_ in has
                if is_kind(id_, thing.id) or not names.isdisjoint(_names_within(findings[id_]))
            ),
            None,
        )
        if yes:
            return Supply(about=findings[yes].bare(), answer="yes", source="graph", releases=yes)
        if any(is_kind(known.id, thing.id) for known in plan.persona.history):
            return Supply(about=thing, answer="yes", source="graph")
        if any(is_kind(lie, thing.id) for lie in lies):
            return Supply(about=thing, answer="yes", source="filler")
        unsaid: tuple[Reason, ...] = ("the disease itself", "names the disease", "cannot be told")
        left = [out.id for out in plan.left_out if out.reason not in unsaid]
        lacks = (*(a.id for a in case.absent), *left)
        closer = any(is_kind(thing.id, id_) for id_ in has)
        if not closer and any(is_kind(thing.id, id_) for id_ in lacks):
            return Supply(about=thing, answer="no", source="graph")
        unknown = (
            closer
            or any(thing.id == out.id for out in plan.left_out)
            or any(
                is_kind(out.id, thing.id)
                for out in plan.left_out
                if out.reason == "cannot be told"
            )
            or self._patients.is_test(thing, kinds)
        )
        if thing.type == "Disease" or thing.id in self._diseases_found:
            return _undiagnosed(thing)  # as of the target: nothing tells it from other diseases
        return Supply(about=thing, answer="not known" if unknown else "no", source="filler")

    @cached_property
    def _diseases_found(self) -> frozenset[str]:
        """Ids of the findings that are a disease too."""
        rows = self._store.query("evaluation.same_as_findings").rows
        return frozenset(str(finding) for _, finding in rows)

    def _itself(self, case: DiagnosisCase) -> set[str]:
        rows = self._store.query("entity.close_matches", entity=case.target.id).rows
        return {case.target.id, *(str(row[0]) for row in rows)}


def _names_within(finding: Thing) -> set[str]:
    """Its names, and of nausea and vomiting those of both."""
    names = names_of(finding)
    return names | {part for name in names if not _OF.search(name) for part in name.split(" and ")}


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


def _drawn_findings(case: DiagnosisCase, fit: Sequence[Finding], seed: int) -> list[Finding]:
    """The findings of one patient: each by its frequency, and some at least."""
    drawn = {
        f.id: Random(f"{seed}:{case.id}:{f.id}").random()
        < (_USUAL if f.frequency is None else f.frequency)
        for f in fit
    }
    likely = sorted(fit, key=lambda f: (-_usual(f), -(f.discrimination or 0.0), f.id))
    for finding in likely:
        if sum(drawn.values()) >= _FEWEST:
            break
        drawn[finding.id] = True
    return [f for f in fit if drawn[f.id]]


def _ordered(findings: Sequence[Finding]) -> list[Finding]:
    """What most patients have first, then what tells the disease best from others."""
    if not findings:
        return []
    first = min(findings, key=lambda f: (-_usual(f), f.discrimination or 0.0, f.id))
    rest = sorted(
        (f for f in findings if f is not first),
        key=lambda f: (-(f.discrimination or 0.0), -_usual(f), f.id),
    )
    return [first, *rest]


def _usual(finding: Finding) -> float:
    return 0.3 if finding.frequency is None else finding.frequency
