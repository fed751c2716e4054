"""What medkg's own doctors answer when they are asked about a drug."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from cypher.translation import speaking
from evalsim.briefs import DoctorBrief
from evalsim.case import BY_DANGER, MedicationCase, Thing
from evalsim.judging.advice import stands_in
from evalsim.judging.closeness import name_of, row_thing
from evalsim.judging.medication import DrugFact, distinct, facts_of_drug
from evalsim.reading.naming import in_sentence
from kg.linking import Linker
from kg.shipped import shipped_table
from kg.stores.store import Store
from kg.text.normal import normalise
from kg.text.spelling import simplified_text

_FURTHER: Final = 2
"""Facts beside the answer."""
_INSTRUCTIONS: Final = 4
"""In one answer."""
_STEM: Final = 6
"""Letters that two words of one stem begin with: pregnant, pregnancy."""
_WORD: Final = re.compile(r"[a-z]{4,}")
_HAN: Final = re.compile("[\u3400-\u9fff]{2,}")
_OF_PEOPLE: Final = re.compile("患者|病人|妇女|女性|人群|的人|者|期$")
_GROUPS: Final = tuple(
    re.compile(each, re.IGNORECASE)
    for each in (
        r"allerg|hypersensitiv|过敏",
        r"pregnan|expecting|怀孕|孕妇|妊娠",
        r"breast-?feed|nursing|lactat|哺乳|喂奶",
        r"\bchild|infant|\bson\b|daughter|baby|儿童|小孩|孩子|小儿|婴",
        r"elderly|geriatric|\bolder\b|\baged\b|over (?:sixty|seventy|eighty|ninety|[6-9]\d)\b|老年|老人|高龄|[六七八九]十多",
    )
)
"""What patients and graphs call some groups of people in several ways."""
_FOR_IT: Final = re.compile(
    r"\bfor (it|this|that)\b|suitable|\btreat|能治|治疗|可以用.{1,20}吗", re.IGNORECASE
)
_WATCH: Final = re.compile(r"watch out|keep in mind|take care|注意|留意|小心", re.IGNORECASE)


class Prescriber:
    """Answers questions about drugs as the doctor of a name would."""

    def __init__(self, name: str, store: Store, linker: Linker) -> None:
        """See this graph; ``linker`` is of its names."""
        self._name, self._store, self._linker = name, store, linker
        self._table: Mapping[str, Any] = shipped_table(__package__, "prescribers.yaml")

    def reply(self, brief: DoctorBrief, case: MedicationCase | None, draw: Random) -> str:
        """What the doctor says.

        Args:
            brief: what was said so far; the last utterance asks.
            case: that the oracle knows; None: only what is heard is known.
            draw: of what is drawn.

        Raises:
            StoreError: the store failed.
        """
        lines = self._table[brief.language]
        with speaking(brief.language):
            drug = case.target if case else self._drug(brief)
            drug_name = name_of(drug) if drug else lines["it"]
            match self._name:
                case "ignorant":
                    return str(lines["unknown"].format(drug=drug_name))
                case "careless":
                    return str(lines["any"]["may"].format(drug=drug_name))
                case "random":
                    return str(
                        lines["any"][draw.choice(["may", "must_not"])].format(drug=drug_name)
                    )
            if drug is None:
                return str(lines["unknown"].format(drug=drug_name))
            known_case = case or MedicationCase(
                id="", language=brief.language, target=drug, facts=()
            )
            facts = facts_of_drug(self._store, known_case)
            if brief.language == "zh":  # what has no Chinese name is said last
                facts = tuple(sorted(facts, key=lambda each: not each.thing.name_zh))
            return self._answer(brief.turns[-1].patient, drug_name, facts, lines)

    def _answer(
        self, question: str, drug: str, facts: Sequence[DrugFact], lines: Mapping[str, Any]
    ) -> str:
        """The answer to a question by facts, as the doctor is."""
        if self._name == "greedy":
            facts = [each for each in facts if each.attribute == "indication"]
        facts_asked = self._facts_asked(question, facts)
        if not facts_asked and self._name == "oracle":  # what is not named is implied
            attribute = "indication" if _FOR_IT.search(question) else "contraindication"
            implied = [each for each in facts if each.attribute == attribute]
            facts_asked = (
                [max(implied, key=lambda each: _shared_words(each.thing, question))]
                if implied
                else []
            )
        if not facts_asked:
            return str(lines["unknown"].format(drug=drug))
        key_fact = min(facts_asked, key=lambda each: BY_DANGER.index(each.attribute))
        stance = "denied" if self._name == "hallucinating" else "affirmed"
        if key_fact.thing.type == "Precaution":
            things = lines["also"].join(
                _name_in_sentence(f.thing) for f in facts_asked[:_INSTRUCTIONS]
            )
            text = lines["instruction"][stance].format(drug=drug, things=things)
        else:
            with_other_drug = (
                key_fact.attribute == "contraindication" and key_fact.thing.type == "Drug"
            )
            templates = lines["drug" if with_other_drug else key_fact.attribute]
            text = templates[stance].format(drug=drug, thing=_name_in_sentence(key_fact.thing))
        if self._name in ("greedy", "hallucinating"):
            return str(text)
        return "".join([text, *self._further(key_fact, facts, lines)])

    def _further(
        self, key_fact: DrugFact, facts: Sequence[DrugFact], lines: Mapping[str, Any]
    ) -> list[str]:
        """What else must be known before the drug is taken."""
        other_facts = [
            f
            for f in distinct(facts)
            if f.attribute != "indication"
            and f.thing.type != "Precaution"
            and f.thing.id != key_fact.thing.id
        ]
        other_facts.sort(
            key=lambda each: (
                each.attribute != key_fact.attribute,
                BY_DANGER.index(each.attribute),
            )
        )
        sentences = list[str]()
        for attribute in BY_DANGER:
            things = [
                _name_in_sentence(f.thing)
                for f in other_facts[:_FURTHER]
                if f.attribute == attribute
            ]
            if things:
                joined = lines["and"].join(dict.fromkeys(things))
                separator = "" if lines["and"] == "、" else " "
                sentences.append(separator + lines["further"][attribute].format(things=joined))
        return sentences

    def _drug(self, brief: DoctorBrief) -> Thing | None:
        """The drug that is named in most utterances; ties go to the one named last."""
        counts, last_place = Counter[str](), dict[str, int]()
        for turn in brief.turns:
            mentions = self._linker.link(turn.patient)
            counts.update({m.entity.id for m in mentions if m.entity and m.entity.type == "Drug"})
            last_place = {m.entity.id: n for n, m in enumerate(mentions) if m.entity}
        if not counts:
            return None
        id_ = max(counts, key=lambda each: (counts[each], last_place.get(each, -1)))
        [row] = self._store.query("entity.labels", entities=[id_]).dicts()
        return row_thing(row, "entity")

    def _facts_asked(self, question: str, facts: Sequence[DrugFact]) -> list[DrugFact]:
        """Facts of what a question speaks of: by its entities, else by the words of its names."""
        entities = {m.entity.id for m in self._linker.link(question) if m.entity}
        if of_entities := [each for each in facts if each.thing.id in entities]:
            return of_entities
        normal_question = normalise(simplified_text(question))
        facts_named = [
            each
            for each in facts
            if any(stands_in(normalise(name), normal_question) for name in each.thing.names)
        ]
        stems = {word[:_STEM] for word in _WORD.findall(normal_question)}
        for group in () if facts_named else _GROUPS:
            if group.search(question):
                facts_named += [
                    f for f in facts if group.search(f"{f.thing.name} {f.thing.name_zh}")
                ]
        facts_named = facts_named or [
            each for each in facts if _speaks_of(each.thing, normal_question, stems)
        ]
        if not facts_named and _WATCH.search(question):
            return [each for each in facts if each.thing.type == "Precaution"]
        return facts_named


def _name_in_sentence(thing: Thing) -> str:
    """A thing's name as it stands in a sentence."""
    return in_sentence(name_of(thing), thing.id)


def _shared_words(thing: Thing, question: str) -> int:
    """How many words of a name have their stem in a question."""
    stems = {word[:_STEM] for word in _WORD.findall(normalise(question))}
    return sum(word[:_STEM] in stems for word in _WORD.findall(normalise(thing.name)))


def _speaks_of(thing: Thing, normal_question: str, stems: set[str]) -> bool:
    """Whether all words of a name have their stem in a question: pregnant women, "I am pregnant"."""
    words = [
        w for w in _WORD.findall(normalise(thing.name)) if w not in ("women", "people", "with")
    ]
    if words and all(word[:_STEM] in stems for word in words):
        return True
    han = _OF_PEOPLE.sub("", thing.name_zh or "")
    return bool(_HAN.fullmatch(han)) and han in normal_question
