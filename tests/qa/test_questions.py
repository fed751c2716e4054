"""Questions as triples with one part missing."""

import pytest

from kg.errors import QuestionError
from kg.linking import Linker
from kg.vocabulary import RELATION_TYPES
from qa.intent import Intent
from qa.intents import INTENTS, UNSAID
from qa.question import NoEntityError, NoRelationError, Part, Triple
from qa.questions import read
from qa.subjects import read_question
from tests.qa.small_graph import linker_of

GOUT, ASTHMA, FEVER = "MONDO:1", "MONDO:2", "HP:9"


def part(question: str, linker: Linker) -> Part:
    [only] = read(question, linker).parts
    return only


def first(question: str, linker: Linker) -> list[str]:
    return [str(one) for one in part(question, linker).readings[0].triples]


@pytest.mark.parametrize("parts", [("a", "R", "b"), (None, None, "b"), (None, None, None)])
def test_exactly_one_part_is_missing(parts: tuple[str | None, str | None, str | None]) -> None:
    with pytest.raises(ValueError, match="only one"):
        Triple(*parts)


@pytest.mark.parametrize(
    ("question", "triples"),
    [
        ("What are the symptoms of gout?", ["<MONDO:1, HAS_SYMPTOM, ?>"]),
        ("痛风有哪些症状？", ["<MONDO:1, HAS_SYMPTOM, ?>"]),
        ("What causes gout?", ["<MONDO:1, CAUSED_BY, ?>"]),
        ("Is gout inherited?", ["<MONDO:1, HAS_INHERITANCE, ?>"]),
        ("How do they check if you've got gout?", ["<MONDO:1, DIAGNOSED_BY, ?>"]),
        ("how is gout found", ["<MONDO:1, DIAGNOSED_BY, ?>"]),
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


@pytest.mark.parametrize("name", ["Dorvak fever", "Dorvak-Usk fever", "Dorvak-Usk Fever"])
def test_last_word_of_a_name_that_nobody_knows_is_not_asked_about(
    triple_linker: Linker, name: str
) -> None:
    assert part(f"how long are you contagious with {name}", triple_linker).subjects == ()
    assert part(f"What are the causes of {name}?", triple_linker).readings == ()


def test_fever_behind_a_known_word_is_asked_about(triple_linker: Linker) -> None:
    assert first("What are the causes of High fever?", triple_linker) == ["<HP:9, CAUSED_BY, ?>"]


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
    reading = part(question, triple_linker).readings[0]
    told = {(q.head, q.relation, q.tail) for q in reading.triples}
    assert told == {("MEDKG:e", None, "MONDO:5"), ("MONDO:5", None, "MEDKG:e")}


def test_thing_of_that_name_is_meant_before_one_that_also_goes_by_it(
    triple_linker: Linker,
) -> None:
    readings = part("smoking and lung cancer", triple_linker).readings
    assert [reading.subjects[0].name for reading in readings] == ["Smoking", "nicotine dependence"]


def test_word_that_asks_is_no_subject(triple_linker: Linker) -> None:
    [reading] = part("Which diseases have the symptom fever?", triple_linker).readings[:1]
    assert [subject.id for subject in reading.subjects] == ["HP:9"]


def test_word_within_a_name_asks_for_nothing(triple_linker: Linker) -> None:
    assert first("What causes hereditary ataxia?", triple_linker) == ["<MONDO:6, CAUSED_BY, ?>"]
    assert part("What is hereditary ataxia?", triple_linker).readings[0].heading == "facts"


def test_missing_fact_is_not_asked_for_by_another_relation(triple_linker: Linker) -> None:
    assert [r.heading for r in part("Is gout inherited?", triple_linker).readings] == [
        "modes of inheritance"
    ]


def test_other_words_between_two_things_are_not_passed_over(triple_linker: Linker) -> None:
    readings = part("Describe gout beside asthma", triple_linker).readings
    assert {reading.heading for reading in readings} == {"facts"}


@pytest.mark.parametrize("question", ["side effects of alopurinoll", "effects of alopurinol"])
def test_misspelt_name_is_read_as_the_nearest(triple_linker: Linker, question: str) -> None:
    assert [s.id for s in part(question, triple_linker).subjects] == ["DRUGBANK:1"]


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("tretment of ashtma", "treatment of asthma"),
        ("what couses lung cancer", "what causes lung cancer"),
        ("symptoms of Marlonk syndrome", "symptoms of Marlonk syndrome"),
        ("桶风怎么治疗", "痛风怎么治疗"),
        ("法热是什么病", "发热是什么病"),
        ("会议桶风大怎么去", "会议桶风大怎么去"),
    ],
)
def test_misspelt_words_are_put_right_and_unknown_ones_left(
    triple_linker: Linker, question: str, read: str
) -> None:
    assert read_question(question, triple_linker)[0] == read


@pytest.mark.parametrize(
    "question",
    ["Which diseases cause fever together with arthritis?", "I have arthritis and a fever"],
)
def test_several_findings_are_asked_about_together(triple_linker: Linker, question: str) -> None:
    [reading] = part(question, triple_linker).readings
    assert reading.query == "symptom.differential"
    assert {s.id for s in reading.subjects} == {"HP:1", FEVER}


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("When must colchicine not be given?", ("contraindications", "DRUGBANK:3")),
        ("what is colchicine prescribed for", ("indications", "DRUGBANK:3")),
        ("what raises the risk of lung cancer", ("risk factors", "MONDO:5")),
        ("how do u get gout", ("causes", GOUT)),
        ("gout: which types are there", ("kinds of it", GOUT)),
        ("what is safe to take for gout", ("drugs", GOUT)),
        ("what is the best thing for gout", ("treatments", GOUT)),
        ("痛风是怎么回事", ("causes", GOUT)),
        ("痛风有哪些体征", ("symptoms", GOUT)),
        ("痛风怎么护理", ("treatments", GOUT)),
        ("痛风是遗传性疾病吗", ("modes of inheritance", GOUT)),
    ],
)
def test_the_same_is_asked_in_other_words(
    triple_linker: Linker, question: str, read: tuple[str, str]
) -> None:
    assert headings(question, triple_linker) == [read]


def test_chinese_question_goes_on_after_a_comma(triple_linker: Linker) -> None:
    asked = "痛风不能吃什么，发作的时候用什么药"
    assert headings(asked, triple_linker) == [("foods to avoid", GOUT), ("drugs", GOUT)]


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("symptoms of zorblax fever", "names nothing that this graph knows; use a name"),
        ("who won the world cup", "names nothing that this graph knows; use a name"),
        ("今天天气怎么样", "names nothing that this graph knows; use a name"),
        ("symptoms of alloprtnl", "the nearest are Allopurinol (DRUGBANK:1)"),
        ("and its treatment?", "does not say about what; name the disease"),
        ("那怎么治疗", "does not say about what; name the disease"),
    ],
)
def test_what_names_nothing_of_the_graph_is_said_to(
    triple_linker: Linker, question: str, message: str
) -> None:
    asked = read(question, triple_linker)
    assert (asked.fit, len(asked.parts), asked.parts[0].readings) == (0.0, 1, ())
    assert isinstance(asked.parts[0].problem, NoEntityError)
    assert message in str(asked.parts[0].problem)


def test_what_is_mostly_about_something_else_is_told_what_the_graph_knows_of_it(
    triple_linker: Linker,
) -> None:
    text = "does my landlord with gout have to repair the broken kitchen window"
    (part,) = read(text, triple_linker).parts
    assert "this graph knows only gout (Disease, MONDO:1); ask about that alone" in str(
        part.problem
    )
    assert part.readings == ()


def test_a_finding_that_a_clause_asks_about_is_read_whatever_is_told_beside_it() -> None:
    linker = linker_of((("HP:1", "Symptom", "bloating", "en"),))
    beside = "I'm blown up like a balloon after every single dinner at grandma's"
    (part,) = read(f"what's good for bloating? {beside}", linker).parts
    assert part.readings[0].heading == "treatments"
    text = "does my landlord with bloating have to repair the broken kitchen window"
    (part,) = read(text, linker).parts
    assert "this graph knows only bloating" in str(part.problem)


@pytest.mark.parametrize("question", ["", "  ", "???", "\x00", "🤒", "gout " * 10_000])
def test_question_without_words_or_with_too_many_is_refused_in_one_sentence(
    triple_linker: Linker, question: str
) -> None:
    with pytest.raises(QuestionError) as caught:
        read(question, triple_linker)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    "question",
    [
        "x'}) DETACH DELETE (n) //",
        "'; DROP TABLE users; --",
        "<script>alert(1)</script>",
        "MATCH (n) RETURN n",
        "\u202e\u0000 %s {0} {name}",
    ],
)
def test_code_in_a_question_is_only_text(triple_linker: Linker, question: str) -> None:
    assert [p.readings for p in read(question, triple_linker).parts] == [()]


def headings(
    question: str, linker: Linker, previous: str | None = None
) -> list[tuple[str, ...] | str]:
    before = read(previous, linker) if previous else None
    return [
        (p.readings[0].heading, *(s.id for s in p.readings[0].subjects)) if p.readings else p.text
        for p in read(question, linker, before).parts
    ]


@pytest.mark.parametrize(
    ("question", "read"),
    [
        ("symptoms and treatment of gout", [("symptoms", GOUT), ("treatments", GOUT)]),
        ("causes, symptoms of gout", [("causes", GOUT), ("symptoms", GOUT)]),
        ("What causes gout and how is it treated?", [("causes", GOUT), ("treatments", GOUT)]),
        ("痛风有什么症状，怎么治疗", [("symptoms", GOUT), ("treatments", GOUT)]),
        ("痛风的症状和原因", [("symptoms", GOUT), ("causes", GOUT)]),
        ("痛风怎么治疗？发热是什么病？", [("treatments", GOUT), ("diseases", FEVER)]),
        ("symptoms of gout and asthma", [("symptoms", GOUT), ("symptoms", ASTHMA)]),
        ("I have asthma. What should I do?", [("treatments", ASTHMA)]),
        ("signs and symptoms of gout", [("symptoms", GOUT)]),
        ("What is gout? How does it feel?", [("facts", GOUT), ("symptoms", GOUT)]),
        (
            "What are the symptoms of gout and how do I pay for it?",
            [("symptoms", GOUT), "how do I pay for it"],
        ),
        (
            "What are the symptoms of gout and how long does it last?",
            [("symptoms", GOUT), "how long does it last"],
        ),
        ("How is gout treated and is zorblax fever deadly?", ["?", ("treatments", GOUT)]),
    ],
)
def test_each_part_of_a_question_is_read(
    triple_linker: Linker, question: str, read: list[object]
) -> None:
    found = headings(question, triple_linker)
    assert [one if isinstance(one, tuple) else "?" for one in found] == [
        one if isinstance(one, tuple) else "?" for one in read
    ]


def test_what_helps_does_not_answer_for_what_to_avoid(triple_linker: Linker) -> None:
    question = "Which drugs and foods should be avoided in gout?"
    assert headings(question, triple_linker) == [("foods to avoid", GOUT)]


@pytest.mark.parametrize(
    "question",
    [
        "is colchicine contraindicated in asthma?",
        "Can I take colchicine if I have asthma?",
        "I have asthma. Can I take colchicine?",
        "asthma能吃colchicine吗",
        "我有asthma，能吃colchicine吗",
    ],
)
def test_whether_two_things_go_together_is_asked_of_the_two(
    triple_linker: Linker, question: str
) -> None:
    [reading] = part(question, triple_linker).readings
    assert {s.id for s in reading.subjects} == {ASTHMA, "DRUGBANK:3"}
    assert (reading.heading, reading.query) == ("direct statements", "entity.statements")
    assert "CONTRAINDICATED_FOR" in reading.relations


@pytest.mark.parametrize(
    ("question", "previous", "read"),
    [
        ("and its treatment?", "What is gout?", [("treatments", GOUT)]),
        ("那怎么治疗", "痛风有什么症状", [("treatments", GOUT)]),
        ("symptoms?", "What causes gout?", [("symptoms", GOUT)]),
        ("Can I take colchicine with it?", "asthma", [("direct statements", "a pair")]),
        ("symptoms of asthma", "What causes gout?", [("symptoms", ASTHMA)]),
    ],
)
def test_question_goes_on_from_the_one_before(
    triple_linker: Linker, question: str, previous: str, read: list[tuple[str, str]]
) -> None:
    found = headings(question, triple_linker, previous)
    assert [one if len(one) == 2 else (one[0], "a pair") for one in found] == read


def test_unknown_name_does_not_go_on_from_the_question_before(triple_linker: Linker) -> None:
    asked = read("symptoms of zorblax", triple_linker, read("What is gout?", triple_linker))
    assert [p.readings for p in asked.parts] == [()]


@pytest.mark.parametrize(
    "question", ["hi", "Hello!", "你好", "您好！", "thanks", "what can you do?"]
)
def test_greeting_is_no_question(triple_linker: Linker, question: str) -> None:
    asked = read(question, triple_linker)
    assert (asked.greeting, asked.parts, asked.fit) == (True, (), 0.0)


def test_emergency_is_not_read_any_further(triple_linker: Linker) -> None:
    asked = read("I have gout and I can't breathe", triple_linker)
    assert asked.parts == ()
    assert asked.emergency is not None
    assert asked.emergency.situation == "not breathing"


@pytest.mark.parametrize(
    ("question", "category"),
    [
        ("What is gout?", "about disease"),
        ("痛风是什么", "about disease"),
        ("Who is at risk for gout?", "at risk"),
        ("What causes gout?", "cause"),
        ("How is gout diagnosed?", "diagnosis and test"),
        ("What are the signs of gout?", "symptom"),
        ("痛风怎么治疗", "treatment"),
        ("How can gout be prevented?", "other"),
        ("What is the outlook for gout?", "other"),
        ("What are the treatments for zorblaxitis?", "treatment"),
    ],
)
def test_question_has_a_category_of_the_paper(
    triple_linker: Linker, question: str, category: str
) -> None:
    assert read(question, triple_linker).category == category


def test_fit_is_the_share_of_the_words_that_the_graph_names(triple_linker: Linker) -> None:
    assert read("What are the symptoms of gout?", triple_linker).fit == 1.0
    assert read("gout at sea", triple_linker).fit == pytest.approx(4 / (4 + 3 / 2))
    assert read("the sea", triple_linker).fit == 0.0


def test_question_that_is_mostly_about_something_else_is_not_answered(
    triple_linker: Linker,
) -> None:
    words = "yesterday we watched the television documentary concerning ancient emperors, gout"
    [only] = read(words, triple_linker).parts
    assert isinstance(only.problem, NoEntityError)


@pytest.mark.parametrize("intent", UNSAID, ids=lambda intent: intent.heading)
def test_what_no_relation_says_is_said_to_be_so(triple_linker: Linker, intent: Intent) -> None:
    assert intent.words.search(intent.example)
    assert not intent.words.search(str(intent.but_not))
    asked = f"{intent.example} gout"
    problems = [p.problem for p in read(asked, triple_linker).parts]
    assert any(isinstance(problem, NoRelationError) for problem in problems)


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
