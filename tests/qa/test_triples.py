"""Triples with one part missing, answered by a graph and by a model of it."""

import pytest

from kg.embeddings.artifact import Artifact
from kg.embeddings.prediction import Predictor
from kg.errors import EmbeddingError, QuestionError
from kg.linking import Linker
from kg.stores.store import Store
from qa.question import Part, Reading, Triple
from qa.questions import read
from qa.triples import Completed, Entry, answer_by_embedding, answer_by_graph


@pytest.fixture(scope="module")
def predictor(triple_model: Artifact) -> Predictor:
    return Predictor(triple_model)


def part(text: str, linker: Linker) -> Part:
    [only] = read(text, linker).parts
    return only


def asking(*readings: Reading) -> Part:
    return Part("?", (), readings, "other")


def names(answer: Completed) -> list[str]:
    return [entry.name for entry in answer.entries]


def test_missing_tail_is_found_the_most_frequent_first(
    triple_store: Store, triple_linker: Linker
) -> None:
    answer = answer_by_graph(triple_store, part("symptoms of gout", triple_linker))
    asked = Triple("MONDO:1", "HAS_SYMPTOM", None)
    assert answer.entries == (
        Entry("HP:9", "Fever", "Symptom", asked, ("s",)),
        Entry("HP:1", "Arthritis", "Symptom", asked, ("s",)),
    )


def test_missing_head_is_found(triple_store: Store, triple_linker: Linker) -> None:
    answer = answer_by_graph(triple_store, part("which diseases cause fever", triple_linker))
    assert names(answer) == ["gout", "asthma"]


def test_missing_relation_is_found_whichever_thing_is_named_first(
    triple_store: Store, triple_linker: Linker
) -> None:
    for text in ("how are smoking and lung cancer related", "lung cancer and smoking"):
        answer = answer_by_graph(triple_store, part(text, triple_linker))
        assert names(answer) == ["CAUSED_BY", "HAS_RISK_FACTOR"]
        assert {str(e.triple) for e in answer.entries} == {"<MONDO:5, ?, MEDKG:e>"}


def test_what_is_said_from_either_end_is_one_answer(
    triple_store: Store, triple_linker: Linker
) -> None:
    answer = answer_by_graph(triple_store, part("how is gout treated", triple_linker))
    assert sorted(names(answer)) == ["Allopurinol", "Colchicine", "Icing"]


def test_question_for_drugs_is_answered_by_drugs_alone(
    triple_store: Store, triple_linker: Linker, predictor: Predictor
) -> None:
    form = part("Which drugs help in gout?", triple_linker)
    assert sorted(names(answer_by_graph(triple_store, form))) == ["Allopurinol", "Colchicine"]
    assert {e.type for e in answer_by_embedding(predictor, form).entries} == {"Drug"}


def test_missing_fact_is_no_answer(triple_store: Store, triple_linker: Linker) -> None:
    assert answer_by_graph(triple_store, part("causes of asthma", triple_linker)).entries == ()


def test_model_recalls_tail_and_head_that_it_learned(
    predictor: Predictor, triple_linker: Linker
) -> None:
    causes = answer_by_embedding(predictor, part("What causes gout?", triple_linker))
    assert causes.entries[0].name == "Hyperuricemia"
    assert causes.entries[0].known
    fever = answer_by_embedding(predictor, part("which diseases cause fever", triple_linker))
    assert set(names(fever)[:2]) == {"gout", "asthma"}


def test_model_recalls_the_relation_in_its_direction(
    predictor: Predictor, triple_linker: Linker
) -> None:
    answer = answer_by_embedding(predictor, part("smoking and lung cancer", triple_linker))
    assert set(names(answer)[:2]) == {"CAUSED_BY", "HAS_RISK_FACTOR"}
    assert {str(e.triple) for e in answer.entries[:2]} == {"<MONDO:5, ?, MEDKG:e>"}


def test_relation_that_cannot_connect_these_types_is_not_proposed(
    predictor: Predictor, triple_linker: Linker
) -> None:
    answer = answer_by_embedding(predictor, part("smoking and lung cancer", triple_linker))
    assert "INDICATED_FOR" not in names(answer)
    assert "ASSOCIATED_WITH" not in names(answer)


def test_no_thing_answers_what_is_asked_of_it(predictor: Predictor) -> None:
    asked = Triple("MONDO:5", "CAUSED_BY", None)
    answer = answer_by_embedding(predictor, asking(Reading("causes", (), (asked,))))
    assert "lung cancer" not in names(answer)
    assert "Smoking" in names(answer)


def test_limit_is_of_all_the_entries(predictor: Predictor, triple_linker: Linker) -> None:
    form = part("how is gout treated", triple_linker)
    assert len(answer_by_embedding(predictor, form, limit=2).entries) == 2


def test_what_the_model_does_not_know_is_said(predictor: Predictor) -> None:
    for question in (
        Triple("X:1", "HAS_SYMPTOM", None),
        Triple("MONDO:1", "PREVENTED_BY", None),
    ):
        form = asking(Reading("things", (), (question,)))
        with pytest.raises(EmbeddingError, match="the model knows no"):
            answer_by_embedding(predictor, form)


def test_reading_that_the_model_does_not_know_gives_way_to_the_next(predictor: Predictor) -> None:
    readings = tuple(
        Reading("things", (), (Triple(head, "CAUSED_BY", None),)) for head in ("X:1", "MONDO:1")
    )
    assert answer_by_embedding(predictor, asking(*readings)).reading == readings[1]


def test_what_kinds_have_answers_too_those_of_the_most_kinds_first(
    triple_store: Store, triple_linker: Linker
) -> None:
    symptoms = answer_by_graph(triple_store, part("symptoms of arthropathy", triple_linker))
    assert [(e.name, e.subclasses) for e in symptoms.entries] == [
        ("Swelling", None),
        ("Arthritis", 2),
        ("Fever", 1),
    ]
    drugs = answer_by_graph(triple_store, part("which drugs treat arthropathy", triple_linker))
    assert {(e.name, e.subclasses) for e in drugs.entries} == {
        ("Allopurinol", 1),
        ("Colchicine", 1),
    }


def test_kinds_are_those_of_the_thing_and_not_of_its_kinds(
    triple_store: Store, triple_linker: Linker
) -> None:
    answer = answer_by_graph(triple_store, part("kinds of arthropathy", triple_linker))
    assert names(answer) == ["gout", "septic arthritis"]
    assert answer_by_graph(triple_store, part("kinds of gout", triple_linker)).entries == ()


@pytest.mark.parametrize("question", ["Tell me about gout", "Describe gout beside asthma"])
def test_what_no_triple_says_is_refused(
    triple_store: Store, triple_linker: Linker, question: str
) -> None:
    with pytest.raises(
        QuestionError, match=r"no single triple states; 'medkg query disease.profile"
    ):
        answer_by_graph(triple_store, part(question, triple_linker))


def test_part_that_could_not_be_read_says_why(triple_store: Store, triple_linker: Linker) -> None:
    with pytest.raises(QuestionError, match="names nothing that this graph knows"):
        answer_by_graph(triple_store, part("symptoms of zzz", triple_linker))
