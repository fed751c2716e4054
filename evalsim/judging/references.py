"""Facts of the graph that a judge needs for one turn, a sentence each, with who says so.

They stand in the prompts of judges that are language models, and in reports. Those of a diagnosis are
what the disease has and is, those of a history what would separate the leading diseases at that moment,
those of a drug what the graph says on the patient's question, then what else must be known of it.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Final

from cypher.translation import speaking, title, translate
from evalsim.briefs import Metric
from evalsim.case import BY_DANGER, DiagnosisCase, MedicationCase
from evalsim.dialogue import Turn
from evalsim.judging.closeness import localised, name_of, row_name, sentence
from evalsim.judging.history import Known, Moments, known_before
from evalsim.judging.medication import distinct, facts_of_drug
from evalsim.plan import Persona
from kg.stores.store import Store

_FINDINGS: Final = 12
_CLASSES: Final = 5
_LEADING: Final = 5
_QUESTIONS: Final = 5
_OF_DRUG: Final = 12


def references(
    store: Store,
    case: DiagnosisCase | MedicationCase,
    metric: Metric,
    turns: Sequence[Turn] = (),
    *,
    persona: Persona | None = None,
    moments: Moments | None = None,
) -> tuple[str, ...]:
    """The facts for one metric, the most important first, in the language of the case.

    Args:
        store: the graph.
        case: that the dialogue is about.
        metric: that is judged.
        turns: of the dialogue; the last one has the reply that is judged.
        persona: who the patient is.
        moments: of the same graph, so that the differential is not asked for twice.

    Raises:
        StoreError: the store failed.
    """
    with speaking(case.language):
        if isinstance(case, MedicationCase):
            return _of_drug(store, case, turns)
        if metric == "history_taking":
            known = known_before(turns, persona)
            of_moment = _of_moment(moments or Moments(store), known, persona)
            return (*of_moment, *_findings(case))
        return (*_of_disease(store, case), *_findings(case))


def _of_drug(store: Store, case: MedicationCase, turns: Sequence[Turn]) -> tuple[str, ...]:
    subject = turns[-1].instruction.fact if turns else None
    facts = facts_of_drug(store, case)
    on_subject = [each.sentence for each in facts if subject and each.thing.id == subject.id]
    attribute = turns[-1].instruction.attribute if turns else None
    ranked = sorted(
        facts, key=lambda each: (each.attribute != attribute, BY_DANGER.index(each.attribute))
    )
    sentences = [*on_subject, *(each.sentence for each in distinct(ranked))]
    return tuple(islice(dict.fromkeys(sentences), _OF_DRUG))


def _findings(case: DiagnosisCase) -> tuple[str, ...]:
    """What the disease has, those that tell it from others first."""
    ranked = sorted(
        case.findings,
        key=lambda each: (-(each.discrimination or 0.0), -(each.frequency or 0.0), each.id),
    )
    target = name_of(case.target)
    return tuple(
        sentence(target, "HAS_SYMPTOM", name_of(each), list(each.sources))
        for each in ranked[:_FINDINGS]
    )


def _of_disease(store: Store, case: DiagnosisCase) -> tuple[str, ...]:
    """What the disease is: other nodes that it is too, and what it is a kind of."""
    target, sentences = name_of(case.target), list[str]()
    for row in store.query("entity.close_matches", entity=case.target.id).dicts():
        sentences.append(sentence(target, "CLOSE_MATCH", row_name(row, "other"), row["sources"]))
    rows = store.query("entity.ancestors", entity=case.target.id, limit=_CLASSES).dicts()
    is_a = title("relations", "IS_A", "is a")
    for row in rows:
        name = row_name(row, "ancestor")
        sentences.append(
            translate("{head}: {relation}: {tail}.", head=target, relation=is_a, tail=name)
        )
    return tuple(sentences)


def _of_moment(moments: Moments, known: Known, persona: Persona | None) -> tuple[str, ...]:
    """What it may be at the moment, and the questions that tell most."""
    may_be = "may be {name}: {chance} % of the leading diseases"
    leading = [
        translate(may_be, name=localised(each), chance=round(100 * each.chance))
        for each in moments.assessment(known).candidates[:_LEADING]
    ]
    best_question = "the best question is {asked}: {bits} bits"
    questions = [
        translate(best_question, asked=localised(each), bits=each.bits)
        for each in moments.best(known, persona)[:_QUESTIONS]
    ]
    return (*leading, *questions)
