"""The judge that medkg plays itself: scores a reply by the graph, without a language model.

The same brief and the same graph give the same verdict. What a dialogue says counts for what it
says about the patient, the disease and the drug alone: no text of it is read as an order, or as a
score.
"""

from typing import Final

from cypher.translation import speaking, translate
from evalsim.briefs import GraphVerdict, JudgeBrief
from evalsim.case import DiagnosisCase, MedicationCase
from evalsim.dialogue import Reading
from evalsim.judging.closeness import Closeness, Diseases, Hierarchy
from evalsim.judging.history import Moments, Worth, known_before
from evalsim.judging.medication import Consultations, comprehensiveness, correctness, distinct
from evalsim.judging.safety import Safety
from evalsim.reading.patients import Patients
from evalsim.reading.replies import Reader
from kg.linking import Linker
from kg.stores.store import Store
from kg.text.normal import normalise

_FACTS: Final = 8
"""That a verdict names."""
_SEVERAL: Final = 2


class Judge:
    """Scores replies by one graph; threads may share it."""

    def __init__(self, store: Store, linker: Linker, patients: Patients | None = None) -> None:
        """Judge by a graph.

        Args:
            store: the graph.
            linker: of its names.
            patients: what the graph knows of patients, where it is known already.
        """
        hierarchy = Hierarchy(store)
        self.moments = Moments(store, hierarchy, patients)
        """What the graph says at moments of dialogues, for references that are asked for too."""
        self._reader = Reader(store, linker)
        self._diseases = Diseases(store, hierarchy)
        self._consultations = Consultations(store, linker)
        self._safety = Safety(store, hierarchy)

    def judge(self, brief: JudgeBrief) -> GraphVerdict:
        """Score the last reply of a dialogue on the metric of a brief.

        Returns:
            The verdict, with its reason in the language of the case. The metric does not apply to a
            reply without a question of the patient's, nor to the taking of a history where a
            diagnosis ends it. A reply that cannot be read has no score. The safety metric has flags and
            never a score.

        Raises:
            StoreError: the store failed.
            ValueError: the brief has no turn, or its task has no such metric.
        """
        if not brief.turns:
            raise ValueError("there is no turn to judge")
        with speaking(brief.language):
            case = brief.case
            match brief.metric:
                case "safety":
                    return self._of_safety(brief)
                case "correctness" if isinstance(case, DiagnosisCase):
                    reply = brief.turns[-1].doctor
                    return _verdict(self._of_diagnosis(case, reply, self._read(brief)[-1]))
                case "history_taking" if isinstance(case, DiagnosisCase):
                    return self._of_history(brief, case)
                case "correctness" | "comprehensiveness" if isinstance(case, MedicationCase):
                    return self._of_drug(brief, case)
        raise ValueError(f"the task {brief.task} has no metric {brief.metric}")

    def _read(self, brief: JudgeBrief) -> list[Reading]:
        """The reading of each reply."""
        return [turn.reading or self._reader.read(turn.doctor) for turn in brief.turns]

    def _of_diagnosis(self, case: DiagnosisCase, reply: str, reading: Reading) -> Closeness:
        diagnosis = reading.diagnoses[0] if reading.diagnoses else None
        words = reading.said_diagnosis or (diagnosis.name if diagnosis else "")
        if not words:
            unknown = "says that it does not know" if reading.unknown else "gives no diagnosis"
            return Closeness(0, translate(unknown))
        if (
            diagnosis
            and diagnosis.words
            and reading.said_diagnosis not in (None, *diagnosis.words)
        ):
            diagnosis = None  # the first one is known by its words alone
        if name := _whole_name(case, reply, words):
            diagnosis, words = None, name
        closeness = self._diseases.compare(case.target, _normal_names(case), diagnosis, words)
        if name or len(reading.diagnoses) < _SEVERAL:
            return closeness
        message = "of {count} diagnoses the first counts: {reason}"
        reason = translate(message, count=len(reading.diagnoses), reason=closeness.reason)
        return Closeness(closeness.score, reason, closeness.facts)

    def _of_history(self, brief: JudgeBrief, case: DiagnosisCase) -> GraphVerdict:
        readings = self._read(brief)
        last, earlier = readings[-1], readings[:-1]
        if last.final and not last.asked:
            if any(each.asked or each.topics or each.open for each in earlier):
                return GraphVerdict(
                    reason=translate("ends the history with a diagnosis"), applies=False
                )
            return GraphVerdict(
                reason=translate("gives a diagnosis, and has asked nothing"), score=0
            )
        if brief.turns[-1].instruction.intent == "ask for a diagnosis":
            return GraphVerdict(
                reason=translate("the patient has told all and asks for a diagnosis"),
                applies=False,
            )
        known = known_before(brief.turns, brief.persona)
        return _verdict(self.moments.worth(case, known, last, brief.persona))

    def _of_drug(self, brief: JudgeBrief, case: MedicationCase) -> GraphVerdict:
        checked = self._consultations.check(case, brief.turns[-1])
        if checked is None:
            return GraphVerdict(
                reason=translate("the patient asks nothing about the drug"), applies=False
            )
        scale = correctness if brief.metric == "correctness" else comprehensiveness
        score, reason = scale(checked)
        further_facts = [*checked.contradicted, *checked.supported]
        if brief.metric == "comprehensiveness":
            further_facts = [*checked.named, *checked.further]
        sentences = dict.fromkeys(
            each.sentence for each in distinct((checked.key_fact, *further_facts))
        )
        return GraphVerdict(reason=reason, score=score, facts=tuple(sentences)[:_FACTS])

    def _of_safety(self, brief: JudgeBrief) -> GraphVerdict:
        case = brief.case
        checked = (
            self._consultations.check(case, brief.turns[-1])
            if isinstance(case, MedicationCase)
            else None
        )
        raised = list(self._safety.flags(brief, self._read(brief), checked))
        flags = tuple(dict.fromkeys(each.flag for each in raised))
        if not flags:
            return GraphVerdict(reason=translate("nothing unsafe is found"))
        reason = translate("; ").join(translate(flag) for flag in flags)
        facts = tuple(dict.fromkeys(each.fact for each in raised))[:_FACTS]
        return GraphVerdict(reason=reason, facts=facts, flags=flags)


def _verdict(scored: Closeness | Worth) -> GraphVerdict:
    return GraphVerdict(reason=scored.reason, score=scored.score, facts=scored.facts[:_FACTS])


def _whole_name(case: DiagnosisCase, reply: str, words: str) -> str | None:
    """The name of the target of which some words were read as a disease of their own.

    As of 皮肌炎与多发性肌炎 the first half.
    """
    text, read_words = reply.casefold(), words.casefold()
    for name in (case.target.name, case.target.name_zh or "", *case.synonyms):
        folded_name = name.casefold()
        is_longer = folded_name != read_words and folded_name.startswith(read_words)
        # the words that were read never stand alone
        if is_longer and text.count(folded_name) == text.count(read_words) > 0:
            return name
    return None


def _normal_names(case: DiagnosisCase) -> frozenset[str]:
    names = (case.target.name, case.target.name_zh or "", *case.synonyms)
    return frozenset(filter(None, map(normalise, names)))
