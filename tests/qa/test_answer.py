"""Answers from passages and facts together, on the small graph."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from cypher.translation import speaking
from kg.linking import Linker
from kg.stores.store import Store
from qa.answer import Answer, Answerer, Statement
from qa.corpus import Document
from qa.generation.candidates import Candidate, Documents, Sentence
from qa.index import Hit, Index
from qa.index.building import Change, change_index
from tests.ingest.rows import fact, said
from tests.qa.small_graph import graph_of

TEXTS = {
    "gout-1": ("Gout", "Gout is common. Its symptoms are joint pain and redness.", "en"),
    "gout-2": ("Gout", "The symptoms of gout are fever and arthritis. It hurts at night.", "en"),
    "gout-3": ("Gout", "Gout is treated with allopurinol.", "en"),
    "gout-4": ("Gout", "The outlook of gout is good.", "en"),
    "ataxia": ("Ataxia", "The symptoms of ataxia are unlike those of gout.", "en"),
    "asthma": ("Asthma", "Asthma has wheezing as its main symptom.", "en"),
    "哮喘": ("哮喘", "哮喘的症状是喘息。", "zh"),
}
DOCUMENTS = [
    Document(id_, title, text, "a source", language)
    for id_, (title, text, language) in TEXTS.items()
]
SYMPTOMS = "What are the symptoms of gout?"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("texts")
    change_index(folder, Change(documents=DOCUMENTS))
    return Index.open(folder)


@pytest.fixture
def answerer(triple_store: Store, triple_linker: Linker, index: Index) -> Answerer:
    return Answerer(triple_store, triple_linker, index)


def _said(answer: Answer) -> list[str]:
    return [" ".join(each.text for each in part.prose) for part in answer.parts]


def test_candidate_that_the_graph_supports_is_the_answer_with_its_facts(
    answerer: Answerer,
) -> None:
    answer = answerer.answer(SYMPTOMS)
    (part,) = answer.parts
    assert _said(answer) == [TEXTS["gout-2"][1]]
    assert part.selection is not None
    assert part.selection.reason == "highest score"
    assert {each.hit.record.metadata["document"] for each in part.candidates} == {
        "gout-1",
        "gout-2",
    }
    assert part.facts is not None
    assert [row["symptom_name"] for row in part.facts.rows.dicts()] == ["Fever", "Arthritis"]


def test_every_sentence_names_the_passage_that_it_is(answerer: Answerer) -> None:
    answer = answerer.answer(SYMPTOMS)
    assert answer.unsupported == ()
    for statement in answer.parts[0].prose:
        assert statement.passage is not None
        text = TEXTS[str(statement.passage.document)][1]
        assert text[statement.passage.start : statement.passage.end] == statement.text


def test_text_under_a_heading_that_asks_something_else_is_not_quoted(
    triple_store: Store, triple_linker: Linker, tmp_path: Path
) -> None:
    text = "Gout can come with fever and arthritis, symptoms that treatment lessens."
    headings = {"1": "Gout: Treatment", "2": "Gout: Symptoms", "3": "Gout: Overview", "4": "Gout"}
    change_index(
        tmp_path / "texts",
        Change(
            documents=[
                Document(id_, "Gout", text, "a source", "en", {"heading": heading})
                for id_, heading in headings.items()
            ]
        ),
    )

    def quoted(question: str) -> list[str]:
        answerer = Answerer(triple_store, triple_linker, Index.open(tmp_path / "texts"))
        (part,) = answerer.answer(question).parts
        return [each.hit.record.metadata["document"] for each in part.candidates]

    assert quoted(SYMPTOMS) == ["2"]
    assert quoted("What is gout?") == ["3"]
    assert quoted("What causes gout?") == []


def test_list_that_only_a_kind_has_is_not_hidden_by_a_text_on_something_else(
    tmp_path: Path,
) -> None:
    rows = [
        said("MONDO:20", "HAS_NAME", "anemia"),
        said("MONDO:21", "HAS_NAME", "iron deficiency anemia"),
        said("MEDKG:Food.1", "HAS_NAME", "liver", head_type="Food"),
        fact("MONDO:21", "IS_A", "MONDO:20"),
        fact("MONDO:21", "RECOMMENDED_FOOD", "MEDKG:Food.1", tail_type="Food"),
    ]
    text = "Anemia may come from a diet without iron. It makes people tired."
    known = {"heading": "What is anemia?"}
    document = Document("1", "anemia", text, "a source", "en", known)
    change_index(tmp_path / "texts", Change(documents=[document]))
    with graph_of({"rows": rows}, tmp_path) as (store, linker):
        answerer = Answerer(store, linker, Index.open(tmp_path / "texts"))
        (part,) = answerer.answer("What foods are good for anemia?").parts
    assert part.candidates
    assert part.prose == ()
    assert part.facts is not None
    assert part.facts.note
    assert [row["entity_name"] for row in part.facts.rows.dicts()] == ["liver"]


def test_parts_are_answered_one_by_one(answerer: Answerer) -> None:
    answer = answerer.answer("What are the symptoms and treatments of gout?")
    assert _said(answer) == [TEXTS["gout-2"][1], TEXTS["gout-3"][1]]


def test_where_no_text_is_about_it_the_facts_are_said(
    triple_store: Store, triple_linker: Linker
) -> None:
    (part,) = Answerer(triple_store, triple_linker).answer(SYMPTOMS).parts
    (statement,) = part.prose
    assert statement.text == "gout: symptoms: Fever, Arthritis."
    assert [(edge.relation, edge.tail) for edge in statement.edges] == [
        ("HAS_SYMPTOM", "HP:9"),
        ("HAS_SYMPTOM", "HP:1"),
    ]
    assert statement.is_supported


def test_sentence_of_facts_says_how_many_names_it_leaves_out(
    triple_store: Store, triple_linker: Linker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("qa.answer.LISTED", 1)
    (part,) = Answerer(triple_store, triple_linker).answer(SYMPTOMS).parts
    assert [each.text for each in part.prose] == ["gout: symptoms: Fever, and 1 more."]
    with speaking("zh"):
        (part,) = Answerer(triple_store, triple_linker).answer("痛风有什么症状").parts
    assert [each.text for each in part.prose] == ["痛风的症状：发热等，另有 1 个。"]


def test_whether_something_is_so_is_said_by_the_graph_alone(answerer: Answerer) -> None:
    (part,) = answerer.answer("Can smoking cause lung cancer?").parts
    assert part.candidates == ()
    assert [each.text for each in part.prose] == [
        "Yes.",
        "lung cancer: caused by: Smoking.",
        "lung cancer: has risk factor: Smoking.",
    ]


def test_what_one_sentence_has_of_two_things_is_quoted_where_the_graph_states_nothing(
    triple_store: Store, triple_linker: Linker, tmp_path: Path
) -> None:
    text = "Gout hurts. Some people have asthma and gout at once. It is common."
    change_index(
        tmp_path / "texts", Change(documents=[Document("gout", "Gout", text, "a source", "en")])
    )
    answerer = Answerer(triple_store, triple_linker, Index.open(tmp_path / "texts"))
    (part,) = answerer.answer("Does gout cause asthma?").parts
    assert [each.text for each in part.prose] == ["Some people have asthma and gout at once."]
    assert part.facts is None
    assert part.notes == ("whether it is so the graph does not say; a text has of both:",)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which drugs treat gout?", ["gout: drugs: Allopurinol, Colchicine."]),
        ("Which genes do gout and asthma share?", [""]),
        ("What are the symptoms of arthropathy?", ["arthropathy: symptoms: Swelling."]),
        ("What are the symptoms of hereditary ataxia?", [""]),
    ],
)
def test_sentence_of_facts_says_what_was_asked_of_the_thing_itself(
    triple_store: Store, triple_linker: Linker, question: str, said: list[str]
) -> None:
    assert _said(Answerer(triple_store, triple_linker).answer(question)) == said


def test_text_of_another_thing_or_on_something_else_is_not_quoted(answerer: Answerer) -> None:
    ataxia = answerer.answer("What are the symptoms of ataxia?")
    assert all("ataxia" in text or not text for text in _said(ataxia))
    causes = answerer.answer("What causes gout?")
    assert _said(causes) == ["gout: causes: Hyperuricemia."]


def test_misspelt_name_is_searched_by_the_name_that_is_meant(answerer: Answerer) -> None:
    assert _said(answerer.answer("symptoms of astma")) == [TEXTS["asthma"][1]]


def test_chinese_question_gets_facts_in_chinese_before_a_text_that_is_english(
    answerer: Answerer,
) -> None:
    with speaking("zh"):
        (part,) = answerer.answer("痛风有什么症状").parts
    assert [each.text for each in part.prose] == [
        "痛风的症状：发热、Arthritis。",
        "The symptoms of gout are fever and arthritis.",
        "It hurts at night.",
    ]
    assert [len(each.edges) for each in part.prose] == [2, 0, 0]
    assert part.notes == ("没有与此相关的中文文本，以下内容引自英文：",)
    assert part.chosen is not None
    assert part.chosen.text == TEXTS["gout-2"][1]


def test_chinese_facts_are_said_in_chinese(triple_store: Store, triple_linker: Linker) -> None:
    with speaking("zh"):
        (part,) = Answerer(triple_store, triple_linker).answer("痛风有什么症状").parts
    assert [each.text for each in part.prose] == ["痛风的症状：发热、Arthritis。"]


@pytest.mark.parametrize(
    ("question", "language", "said"),
    [
        (
            "What is gout?",
            "en",
            [
                "gout: is a: arthropathy.",
                "gout: has symptom: Fever, Arthritis.",
                "gout: caused by: Hyperuricemia.",
                "gout: treated by: Allopurinol, Icing.",
            ],
        ),
        (
            "什么是痛风",
            "zh",
            [
                "痛风：属于：arthropathy。",
                "痛风：症状：发热、Arthritis。",
                "痛风：病因：Hyperuricemia。",
                "痛风：治疗：Allopurinol、Icing。",
            ],
        ),
    ],
)
def test_where_no_relation_is_asked_each_one_of_the_clinical_picture_is_a_sentence(
    triple_store: Store, triple_linker: Linker, question: str, language: str, said: list[str]
) -> None:
    with speaking(language):
        (part,) = Answerer(triple_store, triple_linker).answer(question).parts
    assert [each.text for each in part.prose] == said
    assert [len(each.edges) for each in part.prose] == [1, 2, 1, 2]


def test_what_the_graph_does_not_know_is_not_answered(answerer: Answerer) -> None:
    (part,) = answerer.answer("What are the symptoms of zorblax?").parts
    assert (part.prose, part.candidates, part.facts) == ((), (), None)
    assert "zorblax" in str(part.problem)


def test_what_no_relation_says_is_answered_by_texts(answerer: Answerer) -> None:
    (part,) = answerer.answer("What is the outlook for gout?").parts
    assert [each.text for each in part.prose] == ["The outlook of gout is good."]
    assert (part.facts, part.subgraph) == (None, None)
    assert "no relation of this graph says" in str(part.problem)


def test_question_that_names_nothing_is_about_what_the_one_before_named(
    answerer: Answerer,
) -> None:
    before = answerer.answer(SYMPTOMS).question
    assert _said(answerer.answer("and how is it treated?", before)) == [TEXTS["gout-3"][1]]


@pytest.mark.parametrize("question", ["I have crushing chest pain and cannot breathe", "你好"])
def test_emergency_and_greeting_have_no_parts(answerer: Answerer, question: str) -> None:
    answer = answerer.answer(question)
    assert answer.parts == ()
    assert (answer.question.emergency is not None) == (question != "你好")
    assert answer.question.greeting == (question == "你好")


def test_how_much_to_take_is_answered_by_no_text(answerer: Answerer) -> None:
    (part,) = answerer.answer("What is the dose of allopurinol?").parts
    assert part.prose == ()


class _Inventor:
    """A generator that says what no text says."""

    def candidates(
        self, question: str, hits: Sequence[Hit], documents: Documents
    ) -> list[Candidate]:
        del question, documents
        said = (Sentence("Gout is a gift.", None),)
        return [Candidate("Gout is a gift.", hit, said) for hit in hits]


def test_sentence_that_rests_on_nothing_is_counted(answerer: Answerer) -> None:
    answer = replace(answerer, generator=_Inventor()).answer(SYMPTOMS)
    assert answer.unsupported == (Statement("Gout is a gift.", Sentence("Gout is a gift.", None)),)


def test_generator_that_makes_nothing_leaves_the_facts(answerer: Answerer) -> None:
    class Silent:
        def candidates(
            self, question: str, hits: Sequence[Hit], documents: Documents
        ) -> list[Candidate]:
            del question, hits, documents
            return []

    answer = replace(answerer, generator=Silent()).answer(SYMPTOMS)
    assert _said(answer) == ["gout: symptoms: Fever, Arthritis."]


def test_what_is_asked_in_unknown_words_is_answered_by_the_text_on_the_thing_that_has_most_of_them(
    answerer: Answerer,
) -> None:
    (part,) = answerer.answer("Which joint does gout choose?").parts
    assert part.part.is_general
    assert [each.hit.record.metadata["document"] for each in part.candidates] == ["gout-1"]
