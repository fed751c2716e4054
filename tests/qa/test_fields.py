"""Short sections of a disease that say what is asked, and what is asked of all cases."""

from collections.abc import Iterator

import pytest

from cypher.translation import CHINESE, speaking
from qa.answer import Answerer
from qa.question import Part
from qa.verdicts import asks_of_all
from tests.ingest.rows import fact, said
from tests.qa.small_graph import Graph, graph_of

SECTION = {"head_type": "Section"}
FIELDS = {
    "S:1": ("传染性", "有传染性"),
    "S:2": ("传播途径", "虫媒传播"),
    "S:3": ("治疗周期", "1-2周"),
    "S:4": ("易感人群", "无特定人群"),
    "S:5": ("传染性", "经过很长的一段文字说明" * 10),
}
ROWS = [
    said("MONDO:1", "HAS_NAME", "dengue disease"),
    said("MONDO:1", "HAS_NAME", "登革热", language="zh"),
    *(
        row
        for id_, (name, text) in FIELDS.items()
        for row in (
            said(id_, "HAS_NAME", name, language="zh", **SECTION),
            said(id_, "HAS_TEXT", text, language="zh", **SECTION),
            fact("MONDO:1", "HAS_SECTION", id_, tail_type="Section"),
        )
    ),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    with graph_of({"table": ROWS}, tmp_path_factory.mktemp("fields")) as built:
        yield built


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("登革热怎么传染的", ["登革热：传播途径：虫媒传播。"]),
        ("登革热多久能好", ["登革热：治疗周期：1-2周。"]),
        ("登革热严重吗", []),
        ("哪些人容易得登革热", []),
    ],
)
def test_a_field_answers_that_is_called_by_words_of_what_is_asked(
    graph: Graph, question: str, told: list[str]
) -> None:
    with speaking(CHINESE):
        (part,) = Answerer(*graph).answer(question).parts
    fields = {f"登革热：{name}" for name, _ in FIELDS.values()}
    assert [s.text for s in part.prose if any(s.text.startswith(f) for f in fields)] == told


@pytest.mark.parametrize(
    ("question", "of_all"),
    [
        ("贫血都要补铁吗", True),
        ("哮喘都会遗传吗", True),
        ("痛风和糖尿病都会遗传吗", False),
        ("这两种药都能治痛风吗", False),
        ("糖尿病都有哪些症状", False),
        ("我都吃了三天阿司匹林了，会胃痛吗", False),
    ],
)
def test_a_word_that_sums_up_several_things_or_time_asks_of_no_case_whether_all(
    question: str, of_all: bool
) -> None:
    assert asks_of_all(Part(question, (), (), "other")) == of_all
