from kg.errors import EmbeddingError, QuestionError
from qa.question import NoEntityError, NoRelationError, Part, Reading, Triple
from qa.triples import Completed, Entry
from tests.experiments.kgqa.asked import FACTUAL, LONG, Asked, Gold
from tests.experiments.kgqa.grading import (
    FIRST,
    FIRST_LONG,
    NO_EDGE,
    NO_ENTITY,
    NO_RELATION,
    RIGHT,
    UNKNOWN,
    Graded,
    grade,
    mark_factual,
    mark_long,
)

A, B = Gold(frozenset("ax"), "A"), Gold(frozenset("b"), "B")
TRIPLE = Triple("h", "R", None)
PART = Part("?", (), (Reading("things", (), (TRIPLE,)),), "other")


def marked(asked: Asked, *ids: str) -> Graded:
    entries = tuple(Entry(id_, id_, "Disease", TRIPLE) for id_ in ids)
    return grade(asked, "graph", lambda: PART, lambda p: Completed(p, p.readings[0], entries))


def failed(error: Exception) -> str:
    def read() -> Part:
        raise error

    asked = Asked("1", FACTUAL, "g", "?", (A,))
    return grade(asked, "graph", read, lambda p: Completed(p, p.readings[0], ())).cause


def test_factual_is_right_if_all_right_answers_come_first_in_any_order() -> None:
    assert mark_factual(["b", "a", "q"], [A, B]) == 1.0
    assert mark_factual(["x", "a", "b"], [A, B]) == 1.0
    assert mark_factual(["a", "q", "b"], [A, B]) == 0.5
    assert mark_factual(["a"], [A, B]) == 0.5


def test_factual_is_wrong_after_the_first_ten() -> None:
    assert mark_factual([*"q" * (FIRST - 1), "a"], [A]) == 0.5
    assert mark_factual([*"q" * FIRST, "a"], [A]) == 0.0
    assert mark_factual([], [A]) == 0.0


def test_long_is_right_by_half_of_what_is_named() -> None:
    others = [Gold(frozenset([str(n)]), str(n)) for n in range(2)]
    assert mark_long(["q", "a", "b"], [A, B, *others]) == 1.0
    assert mark_long(["q", "a"], [A, B, *others]) == 0.5
    assert mark_long([*"q" * FIRST_LONG, "a"], [A]) == 0.0


def test_what_the_model_was_given_is_passed_over() -> None:
    asked = Asked("1", FACTUAL, "g", "?", (A,), frozenset("qa"))
    assert marked(asked, "q", "a").cause == RIGHT


def test_kind_of_question_says_which_rule() -> None:
    assert marked(Asked("1", LONG, "g", "?", (A, B)), "q", "b").grade == 1.0
    assert marked(Asked("1", FACTUAL, "g", "?", (A, B)), "q", "b").grade == 0.5


def test_failure_has_its_cause() -> None:
    assert failed(NoEntityError("?")) == NO_ENTITY
    assert failed(NoRelationError("?")) == NO_RELATION
    assert failed(EmbeddingError("?")) == UNKNOWN
    assert marked(Asked("1", FACTUAL, "g", "?", (A,))).cause == NO_EDGE
    assert issubclass(NoEntityError, QuestionError)
