"""What a doctor's questions are worth at the moment they are asked, 0 to 2.

The scale is "Disease history-taking" of table 2 of MedKGEval. What the patient has told so far
gives the diseases that it may be (``kg.differential``), and each finding that could be asked for
has bits: what its answer tells, on average, on which of the 15 leading diseases it is.

2. A question separates the leading diseases: at least half as well as the best one would, or it
   asks for a finding that tells the disease of the case from others.
1. What is asked is of use and does not do that: other findings of the disease or of the 50 that it
   may be, the history, an invitation to say more.
0. Nothing is asked, or nothing that could support a diagnosis: what was told already, "tell me
   more", findings that none of these diseases has, or that nobody of the patient's sex has.

What is had at other ages than the patient's separates nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from cypher.translation import translate
from evalsim.case import DiagnosisCase, Sex, Thing
from evalsim.dialogue import Reading, Topic, Turn
from evalsim.judging.closeness import Hierarchy, localised, name_of
from evalsim.plan import Persona
from evalsim.reading.patients import Misfit, Patients, stated_details
from kg.differential import Assessment, Patient, Question
from kg.stores.store import Store
from kg.text.normal import normalise
from kg.vocabulary import RELATION_TYPES

_GOOD: Final = 0.5
"""Share of the best question's bits from which a question separates."""
_LEAST: Final = 0.05
"""Bits that a question has at least that separates: where the best have fewer, it is known what it is."""
_AIMED: Final = 1 / 3
"""Share of the findings that a reply asks for which separate, from which they are not merely recited."""
_TELLING: Final = 3
"""Findings of a case, those of the highest discriminative score, that tell its disease from others."""
_THOUGHT_OF: Final = 50
"""Diseases that it may be at a moment; the questions are the best 30 of the first 15."""
_ONCE: Final[frozenset[Topic]] = frozenset(
    {
        *("age", "sex", "history", "past", "pregnancy", "duration", "family"),
        *("medicines", "allergies", "smoking", "alcohol", "occupation"),
    }
)
"""Topics on which one answer is all there is."""
_STEPS: Final = 1
"""Between what is asked for and what could be asked for, up or down IS_A: above stand classes of much."""
_KINDS: Final = 4
"""Steps up from what a patient has told to what is no news: fever, of who has a persistent one."""


@dataclass(frozen=True)
class Known:
    """What a doctor may know of a patient before a reply."""

    present: tuple[str, ...]
    """Ids, sorted."""
    absent: tuple[str, ...]
    age: float | None = None
    sex: Sex | None = None
    topics: frozenset[Topic] = field(default=frozenset(), compare=False)
    """That the patient has answered; the diseases that it may be do not depend on them."""
    words: frozenset[str] = field(default=frozenset(), compare=False)
    """Names of what is present or absent, normalised; nor on these."""


def known_before(turns: Sequence[Turn], persona: Persona | None = None) -> Known:
    """What the patient was let to say up to the last reply, which is not of it.

    Args:
        turns: the dialogue.
        persona: age and sex count where the doctor has asked for them, or somebody states them.
    """
    present: set[str] = set()
    absent: set[str] = set()
    things: list[Thing] = []
    topics: set[Topic] = set()
    for turn in turns:
        topics |= set(turn.instruction.topics)
        told_now = (*turn.instruction.tell, *turn.instruction.fabricated)
        present |= {thing.id for thing in told_now}
        things += told_now
        things += [supply.about for supply in turn.instruction.supplies]
        for supply in turn.instruction.supplies:
            if supply.answer == "yes":
                present |= {supply.about.id, supply.releases or supply.about.id}
            elif supply.answer == "no":
                absent.add(supply.about.id)
    present.discard("")  # what a language model supplies that the graph has not
    absent.discard("")
    details = stated_details(" ".join(turn.patient for turn in turns))
    return Known(
        tuple(sorted(present)),
        tuple(sorted(absent - present)),
        persona.age if persona and ("age" in topics or details.age is not None) else None,
        persona.sex if persona and ("sex" in topics or details.sex) else None,
        frozenset(topics),
        frozenset(word for thing in things for word in _normal_names(thing)),
    )


def _normal_names(thing: Thing) -> frozenset[str]:
    """What a thing is called, normalised."""
    return frozenset(map(normalise, thing.names)) - {""}


@dataclass(frozen=True)
class Worth:
    """What the questions of a reply are worth, and why."""

    score: int
    """0 to 2."""
    reason: str
    """In the language that is spoken."""
    facts: tuple[str, ...] = ()


class _Weighed(NamedTuple):
    """What a reply asks for, and what its answer tells."""

    bits: float
    finding: Thing


class Moments:
    """What the graph says at a moment of a dialogue; the same moment is asked once."""

    def __init__(
        self,
        store: Store,
        hierarchy: Hierarchy | None = None,
        patients: Patients | None = None,
    ) -> None:
        """Ask this graph; ``hierarchy`` and ``patients`` are its own, where there are some already."""
        self._store = store
        self._patients = patients or Patients(store)
        self.hierarchy = hierarchy or Hierarchy(store)
        self.assessment = lru_cache(maxsize=512)(self._assess)

    def _assess(self, known: Known) -> Assessment:
        """The diseases that it may be and the best questions; both empty where nothing is known.

        Raises:
            StoreError: the store failed.
        """
        ids = [*known.present, *known.absent]
        if not known.present:
            return Assessment([], [])
        allowed = RELATION_TYPES["HAS_SYMPTOM"].range
        rows = self._store.query("entity.labels", entities=ids).dicts()
        findings = {row["entity_id"] for row in rows if row["entity_type"] in allowed}
        present = [id_ for id_ in known.present if id_ in findings]
        if not present:
            return Assessment([], [])
        absent = [id_ for id_ in known.absent if id_ in findings]
        patient = Patient(present, absent, known.age, known.sex)
        return self._patients.assess(patient, _THOUGHT_OF)

    def best(self, known: Known, persona: Persona | None) -> list[Question]:
        """The best questions for a patient, whose sex and age the doctor may not know yet.

        Raises:
            StoreError: the store failed.
        """
        questions = self.assessment(known).questions
        unfit = self._misfits(questions, persona)
        return [each for each in questions if each.id not in unfit]

    def _misfits(
        self, things: Sequence[Thing | Question], persona: Persona | None
    ) -> dict[str, Misfit]:
        """What nobody of a persona's sex and age has, by id."""
        if persona is None:
            return {}
        return self._patients.misfits(things, persona.sex, persona.age)

    def worth(
        self,
        case: DiagnosisCase,
        known: Known,
        reading: Reading,
        persona: Persona | None = None,
    ) -> Worth:
        """What the questions of a reply are worth.

        Args:
            case: that the dialogue is about.
            known: before the reply.
            reading: of the reply.
            persona: who the patient is; None: not told.

        Raises:
            StoreError: the store failed.
        """
        findings = [each for each in reading.asked if not self._is_known(each, known)]
        if not findings:
            return _without_findings(reading, known)
        worth = self._of_findings(case, known, findings, persona)
        if worth.score == 0 and (_new_topics(reading, known) or reading.open):
            return _without_findings(reading, known)
        return worth

    def _is_known(self, finding: Thing, known: Known) -> bool:
        """Whether the patient has answered on a finding: on itself, in these words, or on a subclass."""
        same_ids = self.hierarchy.same_ids(finding.id)
        if same_ids & {*known.present, *known.absent} or known.words & _normal_names(finding):
            return True
        return any(
            same_ids & self.hierarchy.superclasses(each, _KINDS).keys() for each in known.present
        )

    def _of_findings(
        self, case: DiagnosisCase, known: Known, findings: Sequence[Thing], persona: Persona | None
    ) -> Worth:
        """What questions for findings are worth that are not known yet."""
        unfit = self._misfits([*findings, *case.findings], persona)
        fit = [each for each in findings if unfit.get(each.id) != "not of this sex"]
        if not fit:
            names = translate(", ").join(name_of(each) for each in findings)
            return Worth(0, translate("nobody of the patient's sex has {asked}", asked=names))
        findings = fit
        best = self.best(known, persona)
        weighed = [_Weighed(self._bits(each, best), each) for each in findings]
        bits, question = max(weighed, key=lambda each: each.bits)
        best_bits = best[0].bits if best else 0.0
        facts = _facts(weighed, best[:3])
        telling_ids = _telling_ids(case, unfit)
        telling_findings = [
            e for e in findings if telling_ids & self.hierarchy.neighbourhood(e.id, _STEPS)
        ]
        threshold = max(_LEAST, _GOOD * best_bits)
        separating = {each.finding.id for each in weighed if each.bits >= threshold}
        separating |= {each.id for each in telling_findings}
        if not separating:
            return self._of_little(case, known, weighed, facts)
        if len(separating) < _AIMED * len(weighed):
            reason = "recites {count} findings, of which {good} separate the leading diseases"
            return Worth(1, translate(reason, count=len(weighed), good=len(separating)), facts)
        if bits >= threshold:
            reason = "{asked} separates the leading diseases: {bits} of {most} bits"
            text = translate(reason, asked=name_of(question), bits=bits, most=best_bits)
            return Worth(2, text, facts)
        reason = "{asked} tells {target} from other diseases"
        text = translate(reason, asked=name_of(telling_findings[0]), target=name_of(case.target))
        return Worth(2, text, facts)

    def _of_little(
        self,
        case: DiagnosisCase,
        known: Known,
        weighed: Sequence[_Weighed],
        facts: tuple[str, ...],
    ) -> Worth:
        """What questions are worth that do not separate: they are of use, or irrelevant."""
        case_findings = {finding.id for finding in case.findings}
        for bits, finding in weighed:
            neighbours = self.hierarchy.neighbourhood(finding.id, _STEPS)
            if (
                bits > 0
                or not known.present
                or case_findings & neighbours
                or self._is_thought_of(known, neighbours)
            ):
                reason = "{asked} is to the point, and does not separate the leading diseases"
                return Worth(1, translate(reason, asked=name_of(finding)), facts)
        names = translate(", ").join(name_of(finding) for _, finding in weighed)
        return Worth(
            0, translate("none of the diseases that it may be has {asked}", asked=names), facts
        )

    def _is_thought_of(self, known: Known, findings: Collection[str]) -> bool:
        """Whether one of the diseases that it may be has one of some findings."""
        rows = self._store.query(
            "entity.statements_between",
            heads=[each.id for each in self.assessment(known).candidates],
            tails=sorted(findings),
        )
        return any(row["relation"] == "HAS_SYMPTOM" for row in rows.dicts())

    def _bits(self, finding: Thing, best: Sequence[Question]) -> float:
        """The bits of the best question about a finding, or about a subclass or superclass of it."""
        if not best:
            return 0.0
        neighbours = self.hierarchy.neighbourhood(finding.id, _STEPS)
        return max((each.bits for each in best if each.id in neighbours), default=0.0)


def _new_topics(reading: Reading, known: Known) -> list[Topic]:
    """What a reply asks for beside findings, without what was answered once and for all."""
    return [topic for topic in reading.topics if topic not in known.topics & _ONCE]


def _without_findings(reading: Reading, known: Known) -> Worth:
    """What a reply is worth that asks for no finding that is not known yet."""
    if new_topics := _new_topics(reading, known):
        topics = translate(", ").join(translate(topic) for topic in new_topics)
        return Worth(1, translate("asks for {topics}, and for no finding", topics=topics))
    if reading.open:
        return Worth(1, translate("invites further complaints, and asks for no finding"))
    if reading.asked or reading.topics:
        return Worth(0, translate("asks only for what the patient has told already"))
    vague = "asks, and nothing says for what" if reading.vague else "asks nothing"
    return Worth(0, translate(vague))


def _telling_ids(case: DiagnosisCase, unfit: Collection[str]) -> frozenset[str]:
    """The findings of a case that tell its disease best from others, but for some."""
    scored = [each for each in case.findings if each.discrimination and each.id not in unfit]
    scored.sort(key=lambda each: (-(each.discrimination or 0.0), each.id))
    return frozenset(each.id for each in scored[:_TELLING])


def _facts(weighed: Sequence[_Weighed], best: Sequence[Question]) -> tuple[str, ...]:
    message = "the answer on {asked} tells {bits} bits"
    of_asked = [translate(message, asked=name_of(each), bits=bits) for bits, each in weighed]
    message = "the best question is {asked}: {bits} bits"
    of_best = [translate(message, asked=localised(each), bits=each.bits) for each in best]
    return (*of_asked, *of_best)
