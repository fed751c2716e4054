"""Questions whose answers are known."""

from qa.evaluation.questions import CATEGORIES, CATEGORY_OF, GoldQuestion, gold_questions
from tests.qa.evaluation.asked import answer


def test_documents_of_one_question_thing_and_type_or_text_are_equivalent() -> None:
    found = gold_questions(
        [
            answer("a", "What  causes gout ?", "Uric acid.", category="causes"),
            answer("b", "what causes GOUT ?", "Crystals.", title="Podagra", category="research"),
            answer("c", "Why gout ?", "Purines.", title="gout", category="causes"),
            answer("d", "What causes asthma ?", "uric  ACID.", title="Asthma", category="causes"),
            answer("e", "What is gout ?", "A disease.", category="information"),
            answer("f", " ", "No question.", category="information"),
        ]
    )
    assert found[0] == GoldQuestion(
        "a", "What causes gout ?", "Uric acid.", "Gout", "cause", ("a", "b", "c", "d")
    )
    assert {each.id: each.equivalents for each in found[1:]} == {
        "b": ("a", "b"),
        "c": ("c", "a"),
        "d": ("d", "a"),
        "e": ("e",),
    }


def test_types_of_medquad_are_the_papers_categories_and_the_rest_is_other() -> None:
    assert {*CATEGORY_OF.values(), "other"} == {*CATEGORIES}
    types = ("information", "susceptibility", "inheritance")
    found = gold_questions([answer(each, each, each, category=each) for each in types])
    assert [each.category for each in found] == ["about disease", "at risk", "other"]


def test_chronic_disease_is_known_by_its_whole_name() -> None:
    titles = ("Alzheimer's Disease", "Heart Failure", "Nephrogenic diabetes insipidus", "Gout")
    found = gold_questions([answer(each, each, each, title=each) for each in titles])
    assert [each.chronic for each in found] == [
        "Alzheimer's disease",
        "cardiac issues",
        None,
        None,
    ]
