"""Triples with one part missing, answered by a graph and by a model of it."""

import pytest

from kg.embeddings.artifact import Artifact
from kg.embeddings.prediction import Predictor
from kg.errors import EmbeddingError
from kg.linking import Linker
from kg.stores.store import Store
from qa.answering import Entry, FormAnswer, answer_by_embedding, answer_by_graph
from qa.questions import Form, Question, Reading, parse


@pytest.fixture(scope="module")
def predictor(triple_model: Artifact) -> Predictor:
    return Predictor(triple_model)


def names(answer: FormAnswer) -> list[str]:
    return [entry.name for entry in answer.entries]


def test_missing_tail_is_found_the_most_frequent_first(
    triple_store: Store, triple_linker: Linker
) -> None:
    answer = answer_by_graph(triple_store, parse("symptoms of gout", triple_linker))
    asked = Question("MONDO:1", "HAS_SYMPTOM", None)
    assert answer.entries == (
        Entry("HP:9", "Fever", "Symptom", asked, ("s",)),
        Entry("HP:1", "Arthritis", "Symptom", asked, ("s",)),
    )


def test_missing_head_is_found(triple_store: Store, triple_linker: Linker) -> None:
    answer = answer_by_graph(triple_store, parse("which diseases cause fever", triple_linker))
    assert names(answer) == ["gout", "asthma"]


def test_missing_relation_is_found_whichever_thing_is_named_first(
    triple_store: Store, triple_linker: Linker
) -> None:
    for text in ("how are smoking and lung cancer related", "lung cancer and smoking"):
        answer = answer_by_graph(triple_store, parse(text, triple_linker))
        assert names(answer) == ["CAUSED_BY", "HAS_RISK_FACTOR"]
        assert {str(e.question) for e in answer.entries} == {"<MONDO:5, ?, MEDKG:e>"}


def test_what_is_said_from_either_end_is_one_answer(
    triple_store: Store, triple_linker: Linker
) -> None:
    answer = answer_by_graph(triple_store, parse("how is gout treated", triple_linker))
    assert sorted(names(answer)) == ["Allopurinol", "Colchicine", "Icing"]


def test_question_for_drugs_is_answered_by_drugs_alone(
    triple_store: Store, triple_linker: Linker, predictor: Predictor
) -> None:
    form = parse("Which drugs help in gout?", triple_linker)
    assert sorted(names(answer_by_graph(triple_store, form))) == ["Allopurinol", "Colchicine"]
    assert {e.type for e in answer_by_embedding(predictor, form).entries} == {"Drug"}


def test_missing_fact_is_no_answer(triple_store: Store, triple_linker: Linker) -> None:
    assert answer_by_graph(triple_store, parse("causes of asthma", triple_linker)).entries == ()


def test_model_recalls_tail_and_head_that_it_learned(
    predictor: Predictor, triple_linker: Linker
) -> None:
    causes = answer_by_embedding(predictor, parse("What causes gout?", triple_linker))
    assert causes.entries[0].name == "Hyperuricemia"
    assert causes.entries[0].known
    fever = answer_by_embedding(predictor, parse("which diseases cause fever", triple_linker))
    assert set(names(fever)[:2]) == {"gout", "asthma"}


def test_model_recalls_the_relation_in_its_direction(
    predictor: Predictor, triple_linker: Linker
) -> None:
    answer = answer_by_embedding(predictor, parse("smoking and lung cancer", triple_linker))
    assert set(names(answer)[:2]) == {"CAUSED_BY", "HAS_RISK_FACTOR"}
    assert {str(e.question) for e in answer.entries[:2]} == {"<MONDO:5, ?, MEDKG:e>"}


def test_relation_that_cannot_connect_these_types_is_not_proposed(
    predictor: Predictor, triple_linker: Linker
) -> None:
    answer = answer_by_embedding(predictor, parse("smoking and lung cancer", triple_linker))
    assert "INDICATED_FOR" not in names(answer)
    assert "ASSOCIATED_WITH" not in names(answer)


def test_no_thing_answers_what_is_asked_of_it(predictor: Predictor) -> None:
    asked = Question("MONDO:5", "CAUSED_BY", None)
    answer = answer_by_embedding(predictor, Form("?", (Reading("causes", (), (asked,)),)))
    assert "lung cancer" not in names(answer)
    assert "Smoking" in names(answer)


def test_limit_is_of_all_the_entries(predictor: Predictor, triple_linker: Linker) -> None:
    form = parse("how is gout treated", triple_linker)
    assert len(answer_by_embedding(predictor, form, limit=2).entries) == 2


def test_what_the_model_does_not_know_is_said(predictor: Predictor) -> None:
    for question in (
        Question("X:1", "HAS_SYMPTOM", None),
        Question("MONDO:1", "PREVENTED_BY", None),
    ):
        form = Form("?", (Reading("things", (), (question,)),))
        with pytest.raises(EmbeddingError, match="the model knows no"):
            answer_by_embedding(predictor, form)


def test_reading_that_the_model_does_not_know_gives_way_to_the_next(predictor: Predictor) -> None:
    readings = tuple(
        Reading("things", (), (Question(head, "CAUSED_BY", None),)) for head in ("X:1", "MONDO:1")
    )
    assert answer_by_embedding(predictor, Form("?", readings)).reading == readings[1]


def test_what_kinds_have_answers_too_those_of_the_most_kinds_first(
    triple_store: Store, triple_linker: Linker
) -> None:
    symptoms = answer_by_graph(triple_store, parse("symptoms of arthropathy", triple_linker))
    assert [(e.name, e.subclasses) for e in symptoms.entries] == [
        ("Swelling", None),
        ("Arthritis", 2),
        ("Fever", 1),
    ]
    drugs = answer_by_graph(triple_store, parse("which drugs treat arthropathy", triple_linker))
    assert {(e.name, e.subclasses) for e in drugs.entries} == {
        ("Allopurinol", 1),
        ("Colchicine", 1),
    }


def test_kinds_are_those_of_the_thing_and_not_of_its_kinds(
    triple_store: Store, triple_linker: Linker
) -> None:
    answer = answer_by_graph(triple_store, parse("kinds of arthropathy", triple_linker))
    assert names(answer) == ["gout", "septic arthritis"]
    assert answer_by_graph(triple_store, parse("kinds of gout", triple_linker)).entries == ()
