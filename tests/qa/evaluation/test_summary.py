"""Figures of a measurement, and their page."""

import json
from pathlib import Path

import pytest
from matplotlib.image import imread

from qa.evaluation import page as pages
from qa.evaluation.figures import draw
from qa.evaluation.run import DocumentRanks, Row
from qa.evaluation.scoring import Scores
from qa.evaluation.statistics import holm
from qa.evaluation.summary import json_of, ranks, short_rows, summarise
from qa.evaluation.systems import FIRST, FULL, ORACLE, OURS, Reply, Role
from qa.question import Category

ROLES: dict[str, Role] = {FIRST: "baseline", FULL: "system", OURS: "system", ORACLE: "control"}


def row(
    name: str, category: Category = "symptom", edges: int = 1, words: int = 50, **rouge: float
) -> Row:
    """A question whose answers have these ROUGE-L."""
    given = {each: rouge.get(key, 0.0) for key, each in
             {"first": FIRST, "full": FULL, "ours": OURS, "oracle": ORACLE}.items()}  # fmt: skip
    return Row(
        name, f"{name}?", name, category, None, edges, words, 50.0 + len(name),
        tuple(Reply(each, ROLES[each], f"{name} {value}", "t") for each, value in given.items()),
        {each: Scores(0.0, 0.0, value, None, None, 60.0 + 10 * value, 8.0, words, None, None, value > 0.2,
                      None)
         for each, value in given.items()},
    )  # fmt: skip


ROWS = [
    row("a", first=0.1, full=0.2, ours=0.3, oracle=0.5),
    row("bb", first=0.2, full=0.2, ours=0.2, oracle=0.3, category="cause", words=200),
    row("ccc", first=0.3, full=0.2, ours=0.4, oracle=0.4, edges=0),
]


def test_summary_has_means_by_category_and_the_share_of_the_way_to_the_oracle() -> None:
    found = summarise(ROWS, seed=1)
    systems = {each.name: each for each in found.systems}
    assert (found.questions, found.with_subgraph, found.chosen_otherwise) == (3, 2 / 3, 0.5)
    spread = systems[OURS].scores["rouge_l"]
    assert (spread.count, spread.min, spread.max, spread.median) == (3, 0.2, 0.4, 0.3)
    assert (spread.mean, spread.sd) == pytest.approx((0.3, 0.1))
    assert systems[FULL].categories["rouge_l"]["symptom"].mean == pytest.approx(0.2)
    assert systems[FULL].categories["rouge_l"]["cause"].sd is None
    assert "treatment" not in systems[FULL].categories["rouge_l"]
    assert systems[OURS].about == pytest.approx(2 / 3)
    assert found.closed == pytest.approx({FIRST: 0, FULL: 0, OURS: 0.5, ORACLE: 1})
    assert found.overlap.keys() == {FIRST, OURS, ORACLE}  # of one value there is no density


def test_comparisons_are_paired_and_adjusted_by_list() -> None:
    found = summarise(ROWS, seed=1)
    [pair] = [c for c in found.compared if (c.one, c.other, c.category) == (OURS, FULL, None)]
    assert pair.count == 3
    assert pair.interval.mean == pytest.approx(0.1)
    assert pair.interval.low <= 0.1 <= pair.interval.high
    whole = [each for each in found.compared if each.category is None]
    assert [each.holm for each in whole] == holm([each.wilcoxon.p for each in whole])
    by_category = [each for each in found.compared if each.category]
    assert {(each.category, each.count) for each in by_category} == {("symptom", 2)}
    assert summarise(ROWS[:1], seed=1).compared == ()


def test_short_ones_have_short_gold_answers_and_short_answers() -> None:
    assert short_rows(ROWS) == [ROWS[0], ROWS[2]]
    long = Row(**{**vars(ROWS[0]), "scores": {OURS: ROWS[1].scores[OURS]}})
    assert short_rows([long], [OURS]) == []
    assert short_rows([long]) == [long]


def test_figures_are_strict_json_with_names() -> None:
    summary = summarise([ROWS[0], ROWS[0]], seed=1)  # equal differences have no t-test
    told = json_of(summary)
    text = json.dumps(told, allow_nan=False)
    [pair] = [c for c in json.loads(text)["compared"]
              if (c["one"], c["other"], c["category"]) == (OURS, FULL, None)]  # fmt: skip
    assert pair["t"] == {"statistic": None, "p": None}
    assert pair["interval"].keys() == {"mean", "low", "high"}
    assert told["systems"][0]["scores"]["rouge_l"]["count"] == 2


def test_ranks_are_recall_and_reciprocal_rank() -> None:
    found = ranks(
        [DocumentRanks("a", 1, 1), DocumentRanks("b", None, 4), DocumentRanks("c", 20, 2)]
    )
    assert found.own == pytest.approx(
        {"recall@1": 1 / 3, "recall@5": 1 / 3, "recall@10": 1 / 3, "MRR@10": 1 / 3}
    )
    assert found.equivalent["MRR@10"] == pytest.approx((1 + 1 / 4 + 1 / 2) / 3)


def test_page_has_every_system_and_says_whether_joint_reasoning_helps() -> None:
    summary = summarise(ROWS, seed=1)
    text = pages.page(ROWS, summary, [("ChatGPT", "baseline-1")])
    assert "| our own selection | 3 | .300 | .000 | .000 | .300 |" in text
    assert "| oracle of the candidates (control) |" in text
    assert "| ChatGPT | baseline-1 | not run: no model |" in text
    assert "Joint reasoning neither helps nor hurts measurably: ROUGE-L" in text
    assert "2 questions, whose gold answers have no more words." in text
    assert "| +50% |" in text
    better = [row(name, first=0.1, full=0.3 + at / 10) for at, name in enumerate("abc")]
    assert "Joint reasoning helps" in pages.verdict(summarise(better, seed=1))
    assert "No question has so short" in pages.page(ROWS[1:2], summarise(ROWS[1:2], seed=1), [])


def test_table_leaves_out_empty_columns_and_keeps_bars() -> None:
    assert (
        pages.table(["a", "b", "c"], [["x|y", "", "1"]])
        == "| a | c |\n| --- | --- |\n| x\\|y | 1 |"
    )


def test_picture_is_drawn_also_where_all_scores_are_the_same(tmp_path: Path) -> None:
    draw(ROWS, tmp_path / "new" / "a.png")
    draw(ROWS[:1], tmp_path / "b.png")
    assert imread(tmp_path / "new" / "a.png").shape[:2] == imread(tmp_path / "b.png").shape[:2]
