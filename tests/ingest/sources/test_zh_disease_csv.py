import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ingest.identity import mint
from ingest.sources import ZhDiseaseCsvSource
from ingest.sources import read as read_source
from ingest.sources.relations import RelationMap
from ingest.sources.zh_disease_csv.source import COLUMNS, HEADINGS
from kg.errors import SourceError
from kg.progress import Silent
from tests.ingest.sources.conftest import Read

HEADER = (*COLUMNS, *[""] * 5)


def row(name: str, *overflow: str, **cells: str) -> tuple[str, ...]:
    given = {"name": name} | cells
    beyond = [*overflow, *[""] * (5 - len(overflow))]
    return (*(given.get(column, "") for column in COLUMNS), *beyond)


def table(
    folder: Path,
    *rows: Sequence[str],
    header: Sequence[str] = HEADER,
    encoding: str = "gb18030",
) -> ZhDiseaseCsvSource:
    text = io.StringIO()
    csv.writer(text).writerows([header, *rows])
    (folder / "disease.csv").write_bytes(text.getvalue().encode(encoding))
    return ZhDiseaseCsvSource(kind="zh-disease-csv", file=folder / "disease.csv")


@pytest.mark.parametrize(
    ("column", "cell", "said"),
    [
        ("part", "胃 肠", [("OCCURS_IN", "Anatomy", "胃"), ("OCCURS_IN", "Anatomy", "肠")]),
        (
            "department",
            "内科  消化内科",
            [("MANAGED_IN", "Department", "内科"), ("MANAGED_IN", "Department", "消化内科")],
        ),
        (
            "checklist",
            "胃镜 呼气试验 [详细]",
            [("DIAGNOSED_BY", "Test", "胃镜"), ("DIAGNOSED_BY", "Test", "呼气试验")],
        ),
        ("symptom", "上腹痛 [详细]", [("HAS_SYMPTOM", "Symptom", "上腹痛")]),
        ("complication", "消化道出血", [("COMPLICATED_BY", "Disease", "消化道出血")]),
        (
            "treatment",
            "药物治疗、手术治疗 [详细]",
            [("TREATED_BY", "Procedure", "药物治疗"), ("TREATED_BY", "Procedure", "手术治疗")],
        ),
        ("drug", "奥美拉唑", [("TREATED_BY", "Drug", "奥美拉唑")]),
        ("alias", "消化性溃疡等", [("HAS_SYNONYM", None, "消化性溃疡")]),
        ("alias", "胃、十二指肠溃疡", [("HAS_SYNONYM", None, "胃、十二指肠溃疡")]),
        (
            "alias",
            "胃疡、胃病",
            [("HAS_SYNONYM", None, "胃疡"), ("HAS_SYNONYM", None, "胃病")],
        ),
    ],
)
def test_cell_gives_what_its_column_says(
    tmp_path: Path,
    read: Read,
    column: str,
    cell: str,
    said: list[tuple[str, str | None, str]],
) -> None:
    left = read(table(tmp_path, row(" 胃溃疡", **{column: cell})))
    assert left.rows == {"name": 1, column: 1}
    found = [a for a in left.assertions if a["original_relation"] == column]
    assert {(a["head_type"], a["head_name"], a["language"]) for a in found} == {
        ("Disease", "胃溃疡", "zh")
    }
    ends = [(a["relation"], a["tail_type"], a["tail_name"] or a["value"]) for a in found]
    assert ends == said


def test_drug_in_a_form_treats_and_has_the_drug_in_it(tmp_path: Path, read: Read) -> None:
    left = read(table(tmp_path, row("胃溃疡", drug="奥美拉唑肠溶胶囊 三九胃泰胶囊 [详细]")))
    assert left.facts() == [
        ("胃溃疡", "HAS_NAME", "胃溃疡"),
        ("胃溃疡", "TREATED_BY", "奥美拉唑肠溶胶囊"),
        ("奥美拉唑肠溶胶囊", "HAS_INGREDIENT", "奥美拉唑"),
        ("胃溃疡", "TREATED_BY", "三九胃泰胶囊"),
    ]


def test_text_becomes_a_section(tmp_path: Path, read: Read) -> None:
    left = read(table(tmp_path, row("胃溃疡", rate="80%(规范治疗)")))
    section = mint("Section", "zh-disease-csv 胃溃疡 治愈率")
    assert left.facts() == [
        ("胃溃疡", "HAS_NAME", "胃溃疡"),
        ("胃溃疡", "HAS_SECTION", section),
        (section, "HAS_NAME", "治愈率"),
        (section, "HAS_TEXT", "80%(规范治疗)"),
    ]


def test_row_that_runs_on_is_shifted_and_quarantined(tmp_path: Path, read: Read) -> None:
    shifted = row("3个月", " 橄榄体脑桥小脑萎缩", symptom="CT检查")
    left = read(table(tmp_path, shifted, row(" 胃溃疡")))
    assert left.rows == {"name": 1, "shifted row": 1}
    assert left.reasons() == {
        1: "its values stand in wrong columns, and which is which can not be told for certain"
    }
    assert "橄榄体脑桥小脑萎缩" in left.quarantine[0]["record"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("获得性免疫缺...", "no disease: the name is cut off: '获得性免疫缺...'"),
        ("", "no disease: nothing is written there"),
        ("腹膜后?疝", "no disease: a letter of the name was lost: '腹膜后?疝'"),
    ],
)
def test_row_without_a_disease_is_quarantined_whole(
    tmp_path: Path, read: Read, name: str, reason: str
) -> None:
    left = read(table(tmp_path, row(name, symptom="头痛")))
    assert (left.assertions, left.rows, left.reasons()) == ([], {"name": 1}, {1: reason})


@pytest.mark.parametrize(
    ("column", "cell", "problem"),
    [
        (
            "drug",
            ">> 应该如何用药？用什么药？ [详细]",
            "the site's link to its advice on drugs, not a drug",
        ),
        ("drug", "枸橼酸西地那非...", "the name is cut off: '枸橼酸西地那非...'"),
        ("part", "心理", "the mind is no part of the body"),
        ("checklist", "暂无相关资料", "the source has nothing on this: '暂无相关资料'"),
        ("treatment", "无特效治疗", "it denies a treatment: '无特效治疗'"),
        ("treatment", "胃溃疡", "'胃溃疡' has an entry of its own as a disease"),
        ("checklist", " [详细]", "nothing is written there"),
        ("rate", "暂无相关资料", "the source has nothing on this: '暂无相关资料'"),
    ],
)
def test_cell_that_says_nothing_is_a_problem(
    tmp_path: Path, read: Read, column: str, cell: str, problem: str
) -> None:
    left = read(table(tmp_path, row("胃溃疡", **{column: cell})))
    assert [a["problem"] for a in left.assertions if a["original_relation"] == column] == [problem]


@pytest.mark.parametrize("cell", ["德戈斯病,德", "德、德戈斯病、德戈斯综合征"])
def test_alias_of_one_letter_is_a_problem(tmp_path: Path, read: Read, cell: str) -> None:
    left = read(table(tmp_path, row("恶性萎缩性丘疹病", alias=cell)))
    problems = {a["value"]: a["problem"] for a in left.assertions}
    assert problems.pop("德") == "one character alone may be a piece of a name: '德'"
    assert set(problems.values()) == {None}


def test_condition_with_a_row_is_a_disease_everywhere(tmp_path: Path, read: Read) -> None:
    rows = (row("胃溃疡", symptom="贫血 乏力", complication="乏力"), row(" 贫血"))
    ends = [
        (a["tail_type"], a["tail_name"])
        for a in read(table(tmp_path, *rows)).assertions
        if a["tail_name"]
    ]
    assert ends == [("Disease", "贫血"), ("Symptom", "乏力"), ("Symptom", "乏力")]


def test_names_that_stand_together_under_any_disease_are_filling(
    tmp_path: Path, read: Read
) -> None:
    rows = [row(f"病{n}", complication=f"脑虫病 侏儒症 并发症{n}") for n in range(20)]
    rows += [row("鼻炎", complication="侏儒症"), row("感冒", complication="肺炎 发热")]
    left = read(table(tmp_path, *rows))
    refused = [a for a in left.assertions if a["problem"]]
    assert {a["tail_name"] for a in refused} == {"脑虫病", "侏儒症"}
    assert {a["problem"] for a in refused} == {
        "with the others of its set it fills lists of any disease"
    }
    kept = [a for a in left.assertions if a["relation"] == "COMPLICATED_BY" and not a["problem"]]
    assert {"侏儒症", "肺炎", "并发症3"} <= {a["tail_name"] for a in kept}
    assert left.rows["complication"] == 22


def test_row_that_cannot_be_split_is_quarantined(tmp_path: Path, read: Read) -> None:
    left = read(table(tmp_path, ("胃溃疡", "x"), row("贫血")))
    assert left.rows == {"name": 1, "unreadable row": 1}
    assert left.reasons() == {1: "the row has fewer fields than the header"}


def test_another_encoding_is_told_and_can_be_set(tmp_path: Path, read: Read) -> None:
    given = table(tmp_path, row("胃溃疡"), encoding="utf-8")
    assert read(given.model_copy(update={"encoding": "utf-8"})).rows == {"name": 1}
    given = table(tmp_path, row("胃溃疡", symptom="上腹部疼痛 恶心 呕吐 反酸"))
    with pytest.raises(SourceError, match=r"disease.csv.*: not UTF-8 text, it looks like gb18030"):
        read(given.model_copy(update={"encoding": "utf-8"}))
    (tmp_path / "disease.csv").write_bytes(b"\x81\xff\xff name\n")
    with pytest.raises(SourceError, match=r"disease.csv: not gb18030 text; correct 'encoding'"):
        read(given)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        (HEADER[1:], r"disease.csv: the header lacks 'name'; it has 'alias'"),
        (("name", *HEADER[:19]), r"disease.csv: the header has 'name', 'name', which are one"),
    ],
)
def test_wrong_header_is_told(
    tmp_path: Path, read: Read, header: tuple[str, ...], message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        read(table(tmp_path, header=header))


def test_missing_and_empty_file_are_told(tmp_path: Path, read: Read) -> None:
    given = table(tmp_path)
    given.file.write_bytes(b"")
    with pytest.raises(SourceError, match=r"disease.csv: the file is empty; download it again"):
        read(given)
    given.file.unlink()
    with pytest.raises(SourceError, match=r"disease.csv: does not exist"):
        read(given)


def test_every_column_is_mapped_and_every_section_has_a_heading() -> None:
    relations = RelationMap.of("ingest.sources.zh_disease_csv")
    assert set(COLUMNS) <= set(relations.words())
    sections = {
        word
        for word, (first, *_) in relations.relations.items()
        if first.relation == "HAS_SECTION"
    }
    assert sections == set(HEADINGS)


@pytest.fixture(scope="module")
def real(shared_data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what reading the real table leaves, and the rows that it counted."""
    out = tmp_path_factory.mktemp("zh") / "out"
    file = shared_data / "zh_disease_csv" / "disease.csv"
    result = read_source(ZhDiseaseCsvSource(kind="zh-disease-csv", file=file), out, Silent())
    (out / "rows.json").write_text(json.dumps(result.rows), encoding="utf-8")
    return out


def ask(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as connection:
        for name in ("assertions", "quarantine"):
            connection.read_parquet(str(folder / f"{name}.parquet")).create_view(name)
        return connection.execute(query).fetchall()


def test_real_table_is_accounted_for_to_the_cell(real: Path) -> None:
    written = ask(
        real,
        "select original_relation, count(distinct (file, row)) from ("
        "select original_relation, file, row from assertions union all "
        "select original_relation, file, row from quarantine) group by 1",
    )
    rows = json.loads((real / "rows.json").read_text(encoding="utf-8"))
    assert dict(written) == rows
    assert rows["name"] + rows["shifted row"] == 14_336


def test_real_table_has_three_kinds_of_unusable_rows(real: Path) -> None:
    reasons = ask(
        real, "select split_part(reason, chr(39), 1), count(*) from quarantine group by 1"
    )
    assert dict(reasons) == {
        "its values stand in wrong columns, and which is which can not be told for certain": 11,
        "no disease: the name is cut off: ": 826,
        "no disease: a letter of the name was lost: ": 2,
    }


def test_real_table_has_two_sets_that_fill_complications(real: Path) -> None:
    filling = ask(
        real,
        "select tail_name, count(*) from assertions where problem like '%fills lists%' "
        "group by 1 order by 2 desc, 1",
    )
    assert filling == [
        *(("脑囊虫病", 210), ("发作性睡病", 187), ("脑血管瘤", 185), ("颅咽管瘤", 181)),
        *(("副鼻窦炎", 171), ("新生儿泪囊炎", 171), ("垂体性侏儒症", 167)),
        *(("人流后妇科病", 32), ("尿道癌", 32), ("女性尿道癌", 29), ("宫颈糜烂", 22)),
    ]


def test_real_names_are_without_blank_link_and_cut(real: Path) -> None:
    assert ask(
        real,
        "select count(*) from assertions where problem is null and relation <> 'HAS_TEXT' and "
        "regexp_matches(coalesce(tail_name, value), '^\\s|\\s$|详细|\\.\\.\\.')",
    ) == [(0,)]


@pytest.mark.parametrize(
    ("disease", "relation", "said"),
    [
        ("肥气", "HAS_NAME", "肥气"),
        ("癫痫", "HAS_SYNONYM", "羊角风"),
        ("婴幼儿腹泻", "OCCURS_IN", "胃"),
        ("动脉硬化", "COMPLICATED_BY", "心绞痛"),
    ],
)
def test_real_table_says_what_the_sites_say(
    real: Path, disease: str, relation: str, said: str
) -> None:
    assert ask(
        real,
        f"select count(*) > 0 from assertions where head_name = '{disease}' and "  # noqa: S608 -- a test's own text
        f"relation = '{relation}' and coalesce(tail_name, value) = '{said}' and problem is null",
    ) == [(True,)]
