from collections import Counter
from pathlib import Path

import pytest
from pydantic import ValidationError

from ingest.sources import ZhDictionarySource
from ingest.sources.relations import RelationMap
from ingest.sources.zh_dictionary.source import TYPES
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read

_DISEASES = """肺泡蛋白质沉积症
成人呼吸窘迫综合征
喘息样支气管炎
大叶性肺炎
百日咳
先天性甲状腺功能减退症
慢性阻塞性肺疾病
急性胰腺炎
缺铁性贫血
子宫内膜异位症
"""


def folder_of(folder: Path, **texts: str) -> ZhDictionarySource:
    for name, text in texts.items():
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    return ZhDictionarySource(kind="zh-dictionary", folder=folder)


@pytest.mark.parametrize(
    ("file", "node_type"),
    [
        ("disease", "Disease"),
        ("疾病", "Disease"),
        ("alias_vocab", "Disease"),
        ("complications_vocab", "Disease"),
        ("symptom", "Symptom"),
        ("疾病症状", "Symptom"),
        ("check", "Test"),
        ("检查项目", "Test"),
        ("department", "Department"),
        ("科目", "Department"),
        ("drug", "Drug"),
        ("药品", "Drug"),
        ("food", "Food"),
        ("食物", "Food"),
        ("治疗方法", "Procedure"),
    ],
)
def test_file_tells_the_type_of_its_names(
    tmp_path: Path, read: Read, file: str, node_type: str
) -> None:
    left = read(folder_of(tmp_path, **{file: "\ufeff 某名，\r\n\r\n"}))
    assert left.rows == {file: 1}
    (named,) = left.assertions
    assert {name: value for name, value in named.items() if value is not None} == {
        "source": "zh-dictionary",
        "file": f"{file}.txt",
        "row": 1,
        "original_relation": file,
        "head_type": node_type,
        "head_name": "某名",
        "relation": "HAS_NAME",
        "value": "某名",
        "language": "zh",
    }


def test_condition_of_a_list_of_diseases_is_a_disease_in_every_list(
    tmp_path: Path, read: Read
) -> None:
    lists = {"disease": "贫血\n", "symptom": "贫血\n乏力\n", "complications_vocab": "乏力\n休克\n"}
    left = read(folder_of(tmp_path, **lists))
    assert {(a["original_relation"], a["value"]): a["head_type"] for a in left.assertions} == {
        ("disease", "贫血"): "Disease",
        ("symptom", "贫血"): "Disease",
        ("symptom", "乏力"): "Symptom",
        ("complications_vocab", "乏力"): "Symptom",
        ("complications_vocab", "休克"): "Disease",
    }


@pytest.mark.parametrize(
    ("file", "line", "reason"),
    [
        ("deny", "没有", "words of denial, by which a question is understood"),
        ("药品商", "某药业", "makers and brands are no medical facts"),
        (
            "SOURCE",
            "from the web",
            "the type of what SOURCE.txt names is not known; give it in 'types'",
        ),
        ("symptom", "长期使用糖皮质...", "the name is cut off: '长期使用糖皮质...'"),
    ],
)
def test_line_that_gives_no_node_is_quarantined(
    tmp_path: Path, read: Read, file: str, line: str, reason: str
) -> None:
    left = read(folder_of(tmp_path, **{file: f"\n{line}\n"}))
    assert (left.rows, left.reasons()) == ({file: 1}, {2: reason})


def test_settings_can_give_the_type_of_a_file(tmp_path: Path, read: Read) -> None:
    given = folder_of(tmp_path, 中药="黄芪\n")
    left = read(given.model_copy(update={"types": {"中药": "Drug"}}))
    assert left.facts() == [("黄芪", "HAS_NAME", "黄芪")]
    with pytest.raises(ValidationError, match="'Herb' is no node type; take one of Disease, "):
        ZhDictionarySource(kind="zh-dictionary", folder=tmp_path, types={"中药": "Herb"})


def test_file_in_another_encoding_is_told(tmp_path: Path, read: Read) -> None:
    given = folder_of(tmp_path)
    (tmp_path / "disease.txt").write_bytes(_DISEASES.encode("gb18030"))
    with pytest.raises(SourceError, match=r"disease.txt: not UTF-8 text, it looks like gb18030"):
        read(given)
    assert read(given.model_copy(update={"encoding": "gb18030"})).rows == {"disease": 10}


def test_drug_that_is_called_after_another_and_its_form_has_that_in_it(
    tmp_path: Path, read: Read
) -> None:
    left = read(folder_of(tmp_path, drug="阿莫西林胶囊\n阿莫西林\n", food="维生素C片\n"))
    assert left.facts() == [
        ("阿莫西林胶囊", "HAS_NAME", "阿莫西林胶囊"),
        ("阿莫西林胶囊", "HAS_INGREDIENT", "阿莫西林"),
        ("阿莫西林", "HAS_NAME", "阿莫西林"),
        ("维生素C片", "HAS_NAME", "维生素C片"),
    ]


def test_folder_without_dictionaries_and_empty_file_are_told(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match=r"no .txt file is in it; correct the source's folder"):
        read(folder_of(tmp_path))
    with pytest.raises(SourceError, match=r"drug.txt: the file is empty; download it again"):
        read(folder_of(tmp_path, drug=""))


def test_every_file_that_is_named_has_a_type() -> None:
    assert set(RelationMap.of("ingest.sources.zh_dictionary").attributes) == set(TYPES)


@pytest.mark.parametrize(
    ("folder", "rows", "names"),
    [
        ("zh_qasystem_dict", 44_149, 26_555),
        ("zh_ragqna", 49_279, 42_236),
        ("zh_disease_csv", 27_900, 27_894),
    ],
)
def test_real_folders_are_accounted_for(
    shared_data: Path, read: Read, folder: str, rows: int, names: int
) -> None:
    left = read(ZhDictionarySource(kind="zh-dictionary", folder=shared_data / folder))
    assert sum(left.rows.values()) == rows
    named = [a for a in left.assertions if a["relation"] != "HAS_INGREDIENT"]
    assert Counter((a["relation"], a["problem"]) for a in named) == {("HAS_NAME", None): names}
    assert len(left.quarantine) == rows - names
