"""A hospital's own tables, with ids, words and mistakes of its own."""

import json
from pathlib import Path

import duckdb
import pytest

from cypher.translation import speaking
from ingest.configuration import read_config
from ingest.quarantine import local_reason
from kg.errors import ConfigurationError
from tests.conftest import CommandLine

PREFIXES = """
prefixes:
  HOSP: {title: our diagnoses, pattern: 'D\\d{3}', uri: https://kis.example/diagnoses/}
  LOCAL: {title: our pharmacy}
"""
SOURCES = """
sources:
- kind: table
  name: wards
  file: diseases.csv
  id_prefix: HOSP
  language: zh
  head: {id: 编号, name: 疾病, type: Disease}
  relation: HAS_SYMPTOM
  tail: {name: 症状, type: Symptom}
  frequency: {column: 频率, unit: percent}
- kind: table
  name: pharmacy
  file: drugs.csv
  language: zh
  head: {id: id, name: drug, type: Drug}
  relation: HAS_ADVERSE_REACTION
  tail: {name: reaction, type: Symptom}
  frequency: {column: often}
"""
FILES = {
    "diseases.csv": "编号,疾病,症状,频率\nD001,痛风,关节痛,常见\nD002,肺炎,发热,140 %\n",
    "drugs.csv": "id,drug,reaction,often\nLOCAL:1,阿司匹林,胃出血,偶见\n",
}


def configure(folder: Path, prefixes: str = PREFIXES, sources: str = SOURCES) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in FILES.items():
        (folder / name).write_text(text, encoding="utf-8")
    config = folder / "medkg.yaml"
    config.write_text(prefixes + sources, encoding="utf-8")
    return config


def edges(home: Path, relation: str) -> list[tuple[object, ...]]:
    with duckdb.connect() as con:
        table = con.read_parquet(str(home / "tables" / "edges" / f"{relation}.parquet"))
        return table.project("head, frequency, frequency_text").order("head").fetchall()


def test_tables_with_ids_of_ones_own_get_in_and_bad_cells_are_listed(
    tmp_path: Path, cli: CommandLine
) -> None:
    told = cli("build", configure(tmp_path / "hospital"))
    assert (told.code, "gave no" in told.err) == (0, False), told.err
    home = tmp_path / ".medkg"
    assert edges(home, "HAS_SYMPTOM") == [
        ("HOSP:D001", 0.545, "常见 (30-79 %)"),
        ("HOSP:D002", None, None),
    ]
    assert edges(home, "HAS_ADVERSE_REACTION") == [("LOCAL:1", 0.0055, "偶见 (≥0.1 %, <1 %)")]
    assert "1 cells could not be read" in told.out
    report = json.loads((home / "report.json").read_text())
    assert [reason | {"reason": ""} for reason in report["reasons"]] == [
        {
            "source": "wards",
            "stage": "cell",
            "reason": "",
            "count": 1,
            "example": "'140 %' in column 频率 is no frequency in percent and no word of HPO",
        }
    ]
    assert report["prefixes"]["HOSP"]["title"] == "our diagnoses"
    assert "https://kis.example/diagnoses/" in (home / "report.html").read_text()
    explained = cli("explain", "HOSP:D001")
    assert explained.code == 0
    assert "痛风" in explained.out


def test_the_quarantine_is_listed_with_file_row_and_reason_in_either_language(
    tmp_path: Path, cli: CommandLine
) -> None:
    config = configure(tmp_path, "", SOURCES.replace("  id_prefix: HOSP\n", ""))
    assert cli("build", config, "--no-check").code == 3
    listed = json.loads(cli("report", "--quarantine", "--json").out)
    assert [(row["source"], row["file"], row["row"]) for row in listed["rows"]] == [
        ("pharmacy", "drugs.csv", 1),
        ("wards", "diseases.csv", 1),
        ("wards", "diseases.csv", 2),  # a cell of it, too
        ("wards", "diseases.csv", 2),
    ]
    assert (listed["total"], listed["truncated"]) == (4, False)
    told = cli("report", "--quarantine", "wards", "--limit", "1", "--lang", "zh")
    assert (
        "'D001' 不是 CURIE；请写成 PREFIX:ID 的形式，例如 HP:0001945，或设置 'id_prefix'"
        in told.out
    )
    assert "'D002'" not in told.out
    assert "仅显示前 1 行，共 3 行" in told.err
    wrong = cli("report", "--quarantine", "ward")
    assert (wrong.code, "no source 'ward'; it has wards, pharmacy" in wrong.err) == (1, True)


@pytest.mark.parametrize(
    ("reason", "said"),
    [
        (
            "'140 %' in column 频率 is no frequency in percent and no word of HPO",
            "频率 列的 '140 %' 不是以 percent 为单位的频率，也不是 HPO 的用词",
        ),
        (
            "'uncommon' in column f is not mapped; add it to 'relation.values'",
            "f 列的 'uncommon' 没有对应关系；请把它加入 'relation.values'",
        ),
        ("… is not a term in use", "… 不是现行术语"),
        (
            "HP:1 is not a term in use: the root of all terms is above every node type",
            "HP:1 不是现行术语：全部术语的根节点，不属于任何节点类型",
        ),
        ("what nobody has translated", "what nobody has translated"),
    ],
)
def test_a_reason_is_told_in_the_language_that_is_spoken(reason: str, said: str) -> None:
    with speaking("zh"):
        assert local_reason(reason) == said
    assert local_reason(reason) == reason


def test_build_that_lost_every_row_of_a_source_says_why_and_exits_with_3(
    tmp_path: Path, cli: CommandLine
) -> None:
    told = cli("build", configure(tmp_path, "", SOURCES.replace("  id_prefix: HOSP\n", "")))
    assert told.code == 3
    assert (
        "Source wards gave no statement (2 rows, 2 in quarantine); check its kind, its files and "
        "its settings (2 of them: 'D001' is not a CURIE; write PREFIX:ID, e.g. HP:0001945, or set "
        "'id_prefix')."
    ) in told.err
    assert (
        "Source pharmacy gave no statement (1 rows, 1 in quarantine); check its kind, its files "
        "and its settings (1 of them: Bioregistry has no prefix 'LOCAL'"
    ) in told.err


def test_source_whose_edges_are_all_lost_is_told_though_its_names_got_in(
    tmp_path: Path, cli: CommandLine
) -> None:
    mapped = """
sources:
- kind: table
  name: wards
  file: diseases.csv
  id_prefix: HOSP
  language: zh
  head: {id: 编号, name: 疾病, type: Disease}
  mappings:
  - {relation: HAS_NAME, value: 疾病}
  - {relation: HAS_SYMPTOM, tail: {id: 症状, prefix: KIS, type: Symptom}}
"""
    own = PREFIXES + "  KIS: {title: our findings, pattern: 'F[0-9]+'}\n"
    told = cli("build", configure(tmp_path, own, mapped))
    assert told.code == 0
    assert (
        "Source wards gave names and no fact: all its edges are in quarantine; check its settings "
        "(2 of them: 'KIS:关节痛' is not as 'prefixes' has ids of KIS, KIS:F[0-9]+)."
    ) in told.err


def test_every_missing_file_is_told_before_anything_is_read(
    tmp_path: Path, cli: CommandLine
) -> None:
    config = configure(tmp_path)
    more = SOURCES.partition("- kind")[2].replace("name: wards", "name: a")
    more = more.replace("diseases.csv", "none.csv").replace("drugs.csv", "gone.csv")
    config.write_text(PREFIXES + SOURCES + "- kind" + more.replace("name: pharmacy", "name: b"))
    told = cli("build", config)
    assert told.code == 1
    assert (
        f"{tmp_path}/none.csv: No such file or directory; correct the path of source 'a' in the "
        f"configuration; {tmp_path}/gone.csv: No such file or directory; correct the path of "
        "source 'b' in the configuration"
    ) in told.err
    assert not (tmp_path / ".medkg" / "assertions").exists()


@pytest.mark.parametrize(
    ("prefixes", "message"),
    [
        ("", "source 'wards' puts 'HOSP' before its ids, a prefix that Bioregistry has not; list"),
        (PREFIXES.replace("HOSP", "hosp"), "source 'wards' puts 'HOSP' .* write 'hosp'"),
        (PREFIXES + "  MONDO: {title: ours}\n", "'MONDO' is taken: ids of MONDO are others'"),
        (PREFIXES + "  orphanet: {title: ours}\n", "'orphanet' is taken: ids of ORPHA are"),
        (PREFIXES + "  MEDKG: {title: ours}\n", "'MEDKG' is taken: ids of MEDKG are others'"),
        (PREFIXES + "  local: {title: ours}\n", "LOCAL, local differ in case alone; keep one"),
        (PREFIXES + "  'A B': {title: ours}\n", r"prefixes\.A B.*should match pattern"),
        (PREFIXES + "  KIS: {title: ' '}\n", r"prefixes\.KIS\.title: String should match"),
        (PREFIXES + "  KIS: {title: ours, pattern: '('}\n", "'[(]' is no regular expression"),
        (PREFIXES + "  KIS: {title: ours, pattern: '(?=a)a'}\n", "is no regular expression that"),
        (PREFIXES + "  KIS: {title: ours, uri: kis}\n", r"prefixes\.KIS\.uri: String should"),
    ],
)
def test_prefix_that_cannot_be_is_told_before_anything_is_read(
    tmp_path: Path, prefixes: str, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message):
        read_config(configure(tmp_path, prefixes))


def test_unknown_prefix_is_told_in_the_language_that_is_spoken(tmp_path: Path) -> None:
    with (
        speaking("zh"),
        pytest.raises(ConfigurationError, match="来源“wards”的编码前缀 HOSP 不在 Bioregistry 中"),
    ):
        read_config(configure(tmp_path, ""))


def test_changed_pattern_reads_the_sources_again(tmp_path: Path, cli: CommandLine) -> None:
    config = configure(tmp_path)
    assert cli("build", config).code == 0
    config.write_text((PREFIXES + SOURCES).replace("title: our d", "title: all d"))
    assert "Nothing has changed" in cli("build", config).err
    config.write_text((PREFIXES + SOURCES).replace("D\\d{3}", "X\\d{3}"))
    told = cli("build", config, "--allow-shrink")
    assert told.code == 3
    assert "'HOSP:D001' is not as 'prefixes' has ids of HOSP" in told.err
