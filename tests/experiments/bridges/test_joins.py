from pathlib import Path

from tests.experiments.bridges.joins import Join, draw, figures


def found(rule: str, number: int) -> list[Join]:
    return [Join(f"MEDKG:{rule}{at}", "HP:1", rule, "fever", ("hpo",)) for at in range(number)]


def test_draw_has_thirty_of_each_rule_that_has_them_and_the_rest_in_proportion() -> None:
    joins = [*found("preferred name", 600), *found("alias", 40), *found("layperson's synonym", 2)]
    drawn = draw(joins, 100, seed=1)
    rules = [each.rule for each in drawn]
    assert {rule: rules.count(rule) for rule in rules} == {
        "preferred name": 68,
        "layperson's synonym": 2,
        "alias": 30,
    }
    assert drawn == draw(joins, 100, seed=1) != draw(joins, 100, seed=2)


def test_doubtful_join_counts_as_wrong(tmp_path: Path) -> None:
    read = tmp_path / "read.tsv"
    read.write_text("part\trule\tverdict\n1\talias\tright\n1\talias\tdoubtful\n", encoding="utf-8")
    assert figures(read).splitlines()[2:] == [
        "| 1 | alias | 2 | 1 | 0 | 1 | 0.500 (0.095 to 0.905) |",
        "| 1 | all | 2 | 1 | 0 | 1 | 0.500 (0.095 to 0.905) |",
    ]
