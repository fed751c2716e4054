"""Questions as triples with one part missing."""

import pytest

from kg.errors import QuestionError
from kg.linking import Linker
from kg.vocabulary import RELATION_TYPES
from qa.intents import INTENTS
from qa.questions import NoEntityError, NoRelationError, Question, parse


def first(question: str, linker: Linker) -> list[str]:
    return [str(one) for one in parse(question, linker).readings[0].questions]


@pytest.mark.parametrize("parts", [("a", "R", "b"), (None, None, "b"), (None, None, None)])
def test_exactly_one_part_is_missing(parts: tuple[str | None, str | None, str | None]) -> None:
    with pytest.raises(ValueError, match="only one"):
        Question(*parts)


@pytest.mark.parametrize(
    ("question", "triples"),
    [
        ("What are the symptoms of gout?", ["<MONDO:1, HAS_SYMPTOM, ?>"]),
        ("痛风有哪些症状？", ["<MONDO:1, HAS_SYMPTOM, ?>"]),
        ("What causes gout?", ["<MONDO:1, CAUSED_BY, ?>"]),
        ("Is gout inherited?", ["<MONDO:1, HAS_INHERITANCE, ?>"]),
        ("痛风会遗传吗", ["<MONDO:1, HAS_INHERITANCE, ?>"]),
        ("What are the genetic changes related to gout ?", ["<?, ASSOCIATED_WITH, MONDO:1>"]),
        ("Which diseases cause fever?", ["<?, HAS_SYMPTOM, HP:9>"]),
        ("哪些病会发热", ["<?, HAS_SYMPTOM, HP:9>"]),
        ("Which diseases is WAS linked to?", ["<NCBIGene:9, ASSOCIATED_WITH, ?>"]),
        ("Which genes are associated with fever?", ["<?, ASSOCIATED_WITH, HP:9>"]),
        ("Who is at risk for lung cancer?", ["<MONDO:5, HAS_RISK_FACTOR, ?>"]),
        ("Who is at risk for fever?", ["<HP:9, HAS_RISK_FACTOR, ?>"]),
        ("What is smoking a risk factor for?", ["<?, HAS_RISK_FACTOR, MEDKG:e>"]),
        ("Which diseases is gout a risk factor for?", ["<?, HAS_RISK_FACTOR, MONDO:1>"]),
    ],
)
def test_words_give_relation_and_direction(
    triple_linker: Linker, question: str, triples: list[str]
) -> None:
    assert first(question, triple_linker) == triples


@pytest.mark.parametrize("question", ["What does smoking cause?", "Smoking会引起什么病"])
def test_what_a_thing_causes_is_not_what_causes_it(triple_linker: Linker, question: str) -> None:
    told = first(question, triple_linker)
    assert "<?, CAUSED_BY, MEDKG:e>" in told
    assert "<MEDKG:e, CAUSED_BY, ?>" not in told


@pytest.mark.parametrize(
    "question", ["What is treated by colchicine?", "What does colchicine treat?"]
)
def test_treatment_is_said_from_either_end(triple_linker: Linker, question: str) -> None:
    told = first(question, triple_linker)
    assert {"<DRUGBANK:3, INDICATED_FOR, ?>", "<?, TREATED_BY, DRUGBANK:3>"} <= set(told)


@pytest.mark.parametrize(
    "question",
    [
        "How are smoking and lung cancer related?",
        "smoking and lung cancer",
        "Does smoking cause lung cancer?",
        "What is the relationship between lung cancer and smoking?",
    ],
)
def test_two_things_are_asked_how_they_relate_in_both_directions(
    triple_linker: Linker, question: str
) -> None:
    reading = parse(question, triple_linker).readings[0]
    told = {(q.head, q.relation, q.tail) for q in reading.questions}
    assert told == {("MEDKG:e", None, "MONDO:5"), ("MONDO:5", None, "MEDKG:e")}


def test_thing_of_that_name_is_meant_before_one_that_also_goes_by_it(
    triple_linker: Linker,
) -> None:
    readings = parse("smoking and lung cancer", triple_linker).readings
    assert [reading.subjects[0].name for reading in readings] == ["Smoking", "nicotine dependence"]


def test_word_that_asks_is_no_subject(triple_linker: Linker) -> None:
    [reading] = parse("Which diseases have the symptom fever?", triple_linker).readings[:1]
    assert [subject.id for subject in reading.subjects] == ["HP:9"]


def test_word_within_a_name_asks_for_nothing(triple_linker: Linker) -> None:
    assert first("What causes hereditary ataxia?", triple_linker) == ["<MONDO:6, CAUSED_BY, ?>"]
    with pytest.raises(NoRelationError):
        parse("What is hereditary ataxia?", triple_linker)


def test_missing_fact_is_not_asked_for_by_another_relation(triple_linker: Linker) -> None:
    assert [r.heading for r in parse("Is gout inherited?", triple_linker).readings] == [
        "modes of inheritance"
    ]


def test_other_words_between_two_things_are_not_passed_over(triple_linker: Linker) -> None:
    with pytest.raises(NoRelationError):
        parse("Describe gout beside asthma", triple_linker)


def test_question_without_entity_tells_the_nearest(triple_linker: Linker) -> None:
    with pytest.raises(NoEntityError, match=r"names nothing .*nearest are .*Allopurinol"):
        parse("What are the side effects of alloprtnl?", triple_linker)


@pytest.mark.parametrize("question", ["", "???", "\x00", "🤒", "a" * 10_000])
def test_question_without_words_is_refused_in_one_sentence(
    triple_linker: Linker, question: str
) -> None:
    with pytest.raises(NoEntityError) as caught:
        parse(question, triple_linker)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


def test_question_without_relation_words_is_refused(triple_linker: Linker) -> None:
    with pytest.raises(NoRelationError, match=r"speaks of gout \(Disease, MONDO:1\), but has no"):
        parse("Tell me about gout", triple_linker)


@pytest.mark.parametrize(
    "question",
    ["What are the symptoms and causes of gout?", "痛风的症状和原因", "causes, symptoms of gout"],
)
def test_two_relations_at_once_are_refused(triple_linker: Linker, question: str) -> None:
    with pytest.raises(NoRelationError, match="one after the other"):
        parse(question, triple_linker)


def test_what_no_triple_says_is_refused(triple_linker: Linker) -> None:
    with pytest.raises(NoRelationError, match=r"'medkg query gene.shared' does"):
        parse("Which genes do gout and asthma share?", triple_linker)


def test_both_refusals_are_errors_of_questions() -> None:
    assert issubclass(NoEntityError, QuestionError)
    assert issubclass(NoRelationError, QuestionError)


def test_relations_of_the_intents_can_connect_their_subjects() -> None:
    for intent in INTENTS:
        for gap in intent.gaps:
            if gap.relation is None:
                assert len(intent.subjects) == 2
                continue
            relation = RELATION_TYPES[gap.relation]
            ends = relation.domain if gap.sought == "tail" else relation.range
            [types] = intent.subjects.values()
            assert ends & set(types), (intent.heading, gap)
