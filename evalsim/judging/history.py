"""What a doctor's questions are worth at the moment they are asked, 0 to 2.

The scale is "Disease history-taking" of table 2 of MedKGEval. What the patient has told so far
gives the diseases that it may be (``kg.differential``), and each finding that could be asked for
has bits: what its answer tells, on average, on which of the 15 leading diseases it is.

2. A question separates the leading diseases: at least half as well as the best one would, or it
   asks for a finding that tells the disease of the case from others.
1. What is asked is of use and does not do that: other findings of the disease or of the leading
   ones, the history, an invitation to say more.
0. Nothing is asked, or nothing that could support a diagnosis: what was told already, "tell me
   more", or findings that none of the leading diseases has.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from cypher.translation import translate
from evalsim.case import DiagnosisCase, Sex, Thing
from evalsim.dialogue import Reading, Turn
from evalsim.judging.closeness import Hierarchy, localised, name_of
from evalsim.plan import Persona
from kg.differential import Assessment, Patient, Question, assess
from kg.stores.store import Store
from kg.vocabulary import RELATION_TYPES

_GOOD: Final = 0.5
"""Share of the best question's bits from which a question separates."""
_LEAST: Final = 0.05
"""Bits that a question has at least that separates: where the best have fewer, it is known what it is."""
_TELLING: Final = 3
"""Findings of a case, those of the highest discriminative score, that tell its disease from others."""
_LEADING: Final = 15
_QUESTIONS: Final = 30
"""The best ones; what is not among them separates little."""
_STEPS: Final = 2
"""Between what is asked for and what could best be asked for, up or down IS_A."""


@dataclass(frozen=True)
class Known:
    """What a doctor may know of a patient before a reply."""

    present: tuple[str, ...]
    """Ids, sorted."""
    absent: tuple[str, ...]
    age: float | None = None
    sex: Sex | None = None


def known_before(turns: Sequence[Turn], persona: Persona | None = None) -> Known:
    """What the patient was let to say up to the last reply, which is not of it.

    Args:
        turns: the dialogue.
        persona: age and sex count where the doctor has asked for them.
    """
    present: set[str] = set()
    absent: set[str] = set()
    topics: set[str] = set()
    for turn in turns:
        topics |= set(turn.instruction.topics)
        present |= {thing.id for thing in turn.instruction.tell}
        for supply in turn.instruction.supplies:
            if supply.answer == "yes":
                present |= {supply.about.id, supply.releases or supply.about.id}
            elif supply.answer == "no":
                absent.add(supply.about.id)
    return Known(
        tuple(sorted(present)),
        tuple(sorted(absent - present)),
        persona.age if persona and "age" in topics else None,
        persona.sex if persona and "sex" in topics else None,
    )


@dataclass(frozen=True)
class Worth:
    """What the questions of a reply are worth, and why."""

    score: int
    """0 to 2."""
    reason: str
    """In the language that is spoken."""
    facts: tuple[str, ...] = ()


class Moments:
    """What the graph says at a moment of a dialogue; the same moment is asked once."""

    def __init__(self, store: Store, hierarchy: Hierarchy | None = None) -> None:
        """Ask this graph; ``hierarchy`` is its own, where it is read already."""
        self._store = store
        self.hierarchy = hierarchy or Hierarchy(store)
        self.at = lru_cache(maxsize=512)(self._at)

    def _at(self, known: Known) -> Assessment:
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
        return assess(self._store, patient, _LEADING, _QUESTIONS)

    def worth(self, case: DiagnosisCase, known: Known, reading: Reading) -> Worth:
        """What the questions of a reply are worth.

        Args:
            case: that the dialogue is about.
            known: before the reply.
            reading: of the reply.

        Raises:
            StoreError: the store failed.
        """
        told = {*known.present, *known.absent}
        asked = [each for each in reading.asked if not told & self.hierarchy.same(each.id)]
        if not asked:
            return _without_findings(reading)
        best = self.at(known).questions
        judged = [(self._bits(each, best), each) for each in asked]
        bits, question = max(judged, key=lambda each: each[0])
        most = best[0].bits if best else 0.0
        facts = _facts(judged, best[:3])
        if bits >= max(_LEAST, _GOOD * most):
            reason = "{asked} separates the leading diseases: {bits} of {most} bits"
            said = translate(reason, asked=name_of(question), bits=bits, most=most)
            return Worth(2, said, facts)
        telling = _telling(case)
        for each in asked:
            if telling & self.hierarchy.around(each.id, 1):
                reason = "{asked} tells {target} from other diseases"
                said = translate(reason, asked=name_of(each), target=name_of(case.target))
                return Worth(2, said, facts)
        return self._of_little(case, known, judged, facts)

    def _of_little(
        self,
        case: DiagnosisCase,
        known: Known,
        judged: Sequence[tuple[float, Thing]],
        facts: tuple[str, ...],
    ) -> Worth:
        """Of questions that do not separate: of use, or irrelevant."""
        own = {finding.id for finding in case.findings}
        for bits, each in judged:
            if bits > 0 or not known.present or own & self.hierarchy.around(each.id, _STEPS):
                reason = "{asked} is to the point, and does not separate the leading diseases"
                return Worth(1, translate(reason, asked=name_of(each)), facts)
        names = translate(", ").join(name_of(each) for _, each in judged)
        return Worth(0, translate("none of the leading diseases has {asked}", asked=names), facts)

    def _bits(self, asked: Thing, best: Sequence[Question]) -> float:
        """Of what is asked for, or of the best question about it or a kind of it."""
        if not best:
            return 0.0
        near = self.hierarchy.around(asked.id, 1)
        return max((each.bits for each in best if each.id in near), default=0.0)


def _without_findings(reading: Reading) -> Worth:
    """Of a reply that asks for no finding that is not known yet."""
    if reading.topics:
        topics = translate(", ").join(translate(topic) for topic in reading.topics)
        return Worth(1, translate("asks for {topics}, and for no finding", topics=topics))
    if reading.open:
        return Worth(1, translate("invites further complaints, and asks for no finding"))
    if reading.asked:
        return Worth(0, translate("asks only for what the patient has told already"))
    vague = "asks, and nothing says for what" if reading.vague else "asks nothing"
    return Worth(0, translate(vague))


def _telling(case: DiagnosisCase) -> frozenset[str]:
    """The findings of a case that tell its disease best from others."""
    scored = [each for each in case.findings if each.discrimination]
    scored.sort(key=lambda each: (-(each.discrimination or 0.0), each.id))
    return frozenset(each.id for each in scored[:_TELLING])


def _facts(judged: Sequence[tuple[float, Thing]], best: Sequence[Question]) -> tuple[str, ...]:
    said = "the answer on {asked} tells {bits} bits"
    of_asked = [translate(said, asked=name_of(each), bits=bits) for bits, each in judged]
    said = "the best question is {asked}: {bits} bits"
    of_best = [translate(said, asked=localised(each), bits=each.bits) for each in best]
    return (*of_asked, *of_best)
