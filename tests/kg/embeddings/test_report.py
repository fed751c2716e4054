import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from matplotlib.image import imread

from kg.commands.table import show
from kg.embeddings.figures import TITLE, draw
from kg.embeddings.metrics import interval
from kg.embeddings.report import (
    EvaluationReport,
    Leak,
    Measured,
    as_markdown,
    leak_sentence,
    overall_table,
    relation_table,
    type_table,
    verdict,
)
from kg.errors import StoreError
from tests.kg.embeddings.evaluations import ranks_like, report_of, split_of

RELATIONS = ("CAUSED_BY", "HAS_SYMPTOM", "TREATED_BY")


def without_history(report: EvaluationReport) -> EvaluationReport:
    runs = tuple(run.model_copy(update={"history": ()}) for run in report.runs)
    return report.model_copy(update={"runs": runs})


def test_report_comes_back_from_its_json() -> None:
    report = report_of(RELATIONS)
    text = report.model_dump_json()
    assert EvaluationReport.model_validate_json(text) == report
    assert json.loads(text)["leak"]["removed"] == 1234


def test_json_has_the_interval_of_each_measure_over_seeds() -> None:
    report = report_of(RELATIONS)
    found = json.loads(report.model_dump_json())["intervals"]
    for name in ("mrr", "hits_at_10", "adjusted_mean_rank_index"):
        values = [getattr(run.measured.overall.both, name) for run in report.runs]
        expected = interval(values)
        assert expected is not None
        assert found[name] == pytest.approx(expected.model_dump())
    assert "count" not in found


def test_one_seed_has_no_intervals() -> None:
    report = report_of(RELATIONS, seeds=(4,))
    assert set(report.intervals.values()) == {None}
    first = overall_table(report).rows[0]
    assert first[3:5] == (None, None)


def test_report_without_a_seed_is_refused() -> None:
    whole = report_of(RELATIONS).model_dump()
    with pytest.raises(ValueError, match="at least 1 item"):
        EvaluationReport.model_validate(whole | {"runs": ()})


def test_overall_has_the_mean_of_both_ends_and_each_then_seeds_and_baselines() -> None:
    report = report_of(RELATIONS)
    table = overall_table(report)
    assert [row[:2] for row in table.rows] == [
        ("complex", "both"),
        ("complex", "head"),
        ("complex", "tail"),
        ("complex, seed 1", "both"),
        ("complex, seed 2", "both"),
        ("complex, seed 3", "both"),
        ("random", "both"),
        ("degree", "both"),
    ]
    mrr = [run.measured.overall.both.mrr for run in report.runs]
    assert dict(zip(table.columns, table.rows[0], strict=True))["MRR"] == round(sum(mrr) / 3, 4)
    assert table.rows[3][2] == round(mrr[0], 4)


def test_relations_have_their_triples_and_each_baselines_mrr() -> None:
    report = report_of(RELATIONS)
    table = relation_table(report)
    assert [row[:2] for row in table.rows] == [
        ("CAUSED_BY", 202),
        ("HAS_SYMPTOM", 162),
        ("TREATED_BY", 130),
    ]
    assert table.columns[-2:] == ("random", "degree")
    degree = report.baselines["degree"].relations["TREATED_BY"].both.mrr
    assert table.rows[2][-1] == round(degree, 4)


def test_the_verdict_says_in_words_whether_and_where_a_baseline_won() -> None:
    report = report_of(RELATIONS)
    own, degree = (
        report.mean(lambda measured: measured.overall.both).mrr,
        report.baselines["degree"].overall.both.mrr,
    )
    assert verdict(report) == (
        f"complex ranks better than every baseline: MRR {own:.4f}, the best of them, 'degree', "
        f"has {degree:.4f}."
    )
    lost = report.model_copy(
        update={
            "runs": tuple(
                run.model_copy(update={"measured": report.baselines["random"]})
                for run in report.runs
            )
        }
    )
    said = verdict(lost)
    assert said.startswith("complex is no better than the baseline 'degree', which learns nothing")
    assert [name for name in RELATIONS if f"{name} (" in said] == list(RELATIONS)
    assert as_markdown(lost).split("\n\n")[1] == said
    assert verdict(report.model_copy(update={"baselines": {}})) == ""


def test_types_count_both_ends_of_every_test_triple() -> None:
    report = report_of(RELATIONS)
    rows = type_table(report).rows
    assert {row[0] for row in rows} == {"Disease", "Drug", "Gene"}
    counts = [int(row[1] or 0) for row in rows]
    assert counts == sorted(counts, reverse=True)
    assert sum(counts) == 2 * report.data.test


def test_intervals_shown_stay_between_0_and_1() -> None:
    table = relation_table(report_of(tuple(f"R{at:02}" for at in range(30))))
    low, high = table.columns.index("low"), table.columns.index("high")
    shares = [row[at] for row in table.rows for at in (low, high)]
    assert all(isinstance(share, float) and 0 <= share <= 1 for share in shares)
    assert 1.0 in shares  # of a relation with two test triples


def test_graph_without_types_has_no_types() -> None:
    split = split_of(RELATIONS)
    untyped = replace(split, entities=replace(split.entities, types=None))
    assert Measured.of(ranks_like(split.test, 1, 0), untyped).types == {}


def test_leak_says_how_much_mrr_it_would_add() -> None:
    leak = report_of(RELATIONS).leak
    assert leak is not None
    assert leak.without is not None
    assert leak.with_them is not None
    assert leak.added == leak.with_them.both.mrr - leak.without.both.mrr > 0
    assert f"change the MRR by +{leak.added:.4f}, from {leak.without.both.mrr:.4f}" in (
        leak_sentence(leak)
    )


def test_leak_that_was_not_measured_is_only_counted() -> None:
    leak = Leak(removed=1234)
    assert leak.added is None
    assert leak_sentence(leak).endswith("leak other triples: 1,234 triples.")


def test_markdown_has_every_row_with_as_many_cells_as_columns() -> None:
    report = report_of(("A|B", "C"))
    text = as_markdown(report)
    blocks = [block.splitlines() for block in text.split("\n\n") if block.startswith("|")]
    assert len(blocks) == 3
    for block in blocks:
        cells = [line.replace("\\|", "").count("|") for line in block]
        assert len(set(cells)) == 1
    assert [len(block) - 2 for block in blocks] == [8, 2, 3]
    assert "| A\\|B | 202 |" in text
    assert "mean of trainings with seeds 1, 2, 3 on one split" in text
    assert "1,234 triples" in text


def test_tables_are_shown_as_the_commands_show_rows(capsys: pytest.CaptureFixture[str]) -> None:
    table = overall_table(report_of(RELATIONS))
    show(table)
    assert "complex, seed 2" in capsys.readouterr().out
    show(table, as_json=True)
    assert json.loads(capsys.readouterr().out)[0]["end"] == "both"


@pytest.mark.parametrize("form", ["png", "svg"])
def test_pictures_are_drawn_into_a_new_folder(tmp_path: Path, form: str) -> None:
    folder = tmp_path / "new" / "pictures"
    files = draw(report_of(RELATIONS), folder, form)  # type: ignore[arg-type]
    assert [file.name for file in files] == [f"loss.{form}", f"mrr.{form}", f"relations.{form}"]
    assert sorted(folder.iterdir()) == sorted(files)
    if form == "png":
        assert all(imread(file)[..., :3].std() > 0.01 for file in files)


def test_same_report_gives_the_same_svg(tmp_path: Path) -> None:
    report = report_of(RELATIONS)
    one, other = (draw(report, tmp_path / name, "svg") for name in ("one", "other"))
    assert [file.read_bytes() for file in one] == [file.read_bytes() for file in other]


def test_relations_picture_names_counts_and_the_best_baseline(tmp_path: Path) -> None:
    *_, path = draw(report_of(("CAUSED_BY", "cost in $x$")), tmp_path, "svg")
    svg = path.read_text()
    for words in ("CAUSED_BY  (202)", "cost in $x$  (162)", "degree (baseline)", "95% interval"):
        assert f"<!-- {words}" in svg
    assert "random" not in svg


def test_of_very_many_relations_those_with_most_triples_are_drawn(tmp_path: Path) -> None:
    many = tuple(f"relation with a very long name, {at:03}, to be cut" for at in range(100))
    *_, path = draw(report_of(many, seeds=(1,)), tmp_path, "svg")
    svg = path.read_text()
    assert "MRR of the 40 of 100 relations" in svg
    assert svg.count("<!-- relation with") == 40
    assert "relation with a very … name, 000, to be cut  (202)" in svg
    assert "interval" not in svg


def test_a_long_name_of_the_data_is_cut_in_titles(tmp_path: Path) -> None:
    report = report_of(RELATIONS)
    names = {"name": f"a graph, relations {', '.join(f'RELATION_{at}' for at in range(30))}"}
    changed = report.model_copy(update={"data": report.data.model_copy(update=names)})
    drawn = draw(changed, tmp_path, "svg")
    assert drawn
    for path in drawn:
        titles = re.findall(r"<!-- (.*: complex on .*) -->", path.read_text())
        assert [len(title) <= TITLE and title.endswith(" …") for title in titles] == [True]


def test_without_history_only_relations_are_drawn(tmp_path: Path) -> None:
    files = draw(without_history(report_of(RELATIONS)), tmp_path)
    assert [file.name for file in files] == ["relations.png"]


def test_folder_that_is_a_file_is_refused_by_name(tmp_path: Path) -> None:
    taken = tmp_path / "taken"
    taken.write_text("")
    with pytest.raises(StoreError, match=r"taken: cannot be .* check the path"):
        draw(report_of(RELATIONS), taken)
