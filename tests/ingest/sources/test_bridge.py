from pathlib import Path

import openpyxl
import pytest
from pydantic import ValidationError

from ingest.configuration import read_config
from ingest.sources import BridgeSource
from ingest.sources.bridge.source import LISTS
from kg.errors import ConfigurationError, SourceError
from tests.ingest.sources.conftest import Read

HEADER = "type\tid\tname_en\tname_zh\tkind\treader"


def table(folder: Path, *rows: str, header: str = HEADER, **settings: object) -> BridgeSource:
    path = folder / "names.tsv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return BridgeSource.model_validate({"kind": "bridge", "file": path, **settings})


def test_names_beside_an_id_are_names_of_it(tmp_path: Path, read: Read) -> None:
    row = "Drug\tDRUGBANK:DB00316\tAcetaminophen|Paracetamol\t对乙酰氨基酚\tINN\tone reader"
    first, second, chinese = read(table(tmp_path, row)).assertions
    assert {name: value for name, value in first.items() if value is not None} == {
        "source": "bridge",
        "file": "names.tsv",
        "row": 1,
        "original_relation": "name",
        "head": "DRUGBANK:DB00316",
        "head_type": "Drug",
        "relation": "HAS_BRIDGED_NAME",
        "value": "Acetaminophen",
        "language": "en",
        "evidence": "INN|one reader",
    }
    assert second == first | {"relation": "HAS_BRIDGED_SYNONYM", "value": "Paracetamol"}
    assert chinese == first | {"value": "对乙酰氨基酚", "language": "zh"}


def test_row_without_an_id_is_known_by_its_first_english_name(tmp_path: Path, read: Read) -> None:
    left = read(table(tmp_path, "Symptom\t\tVomiting; Emesis\t呕吐；吐\t\t"))
    assert [(a["head"], a["head_name"], a["language"], a["value"]) for a in left.assertions] == [
        (None, "Vomiting", "en", "Vomiting"),
        (None, "Vomiting", "en", "Emesis"),
        (None, "Vomiting", "zh", "呕吐"),
        (None, "Vomiting", "zh", "吐"),
    ]


def test_an_id_needs_names_in_one_language_only(tmp_path: Path, read: Read) -> None:
    rows = ["Drug\tDRUGBANK:DB00519\tMavik\t\tbrand\t", "Drug\tDRUGBANK:DB01220\t\t昔服申\t\t"]
    assert [value for *_, value in read(table(tmp_path, *rows)).facts()] == ["Mavik", "昔服申"]


def test_rows_that_bridge_nothing_are_quarantined(tmp_path: Path, read: Read) -> None:
    rows = [
        "Illness\t\tGout\t痛风\t\t",
        "\t\tGout\t痛风\t\t",
        "Disease\tgout\tGout\t痛风\t\t",
        "Disease\tNOSUCH:1\tGout\t痛风\t\t",
        "Disease\tUMLS:C0018099\tGout\t痛风\t\t",
        "Disease\tMONDO:0005393\t|\t ; \t\t",
        "Disease\t\tGout\t\t\t",
        "Disease\t\t\t痛风\t\t",
        "Disease\tMONDO:0005393\tGout",
    ]
    kinds = "write one of medkg's, e.g. Disease, Symptom, Drug"
    assert read(table(tmp_path, *rows)).reasons() == {
        1: f"'Illness' in column type is no node type; {kinds}",
        2: f"'' in column type is no node type; {kinds}",
        3: "id: 'gout' is not a CURIE; write PREFIX:ID, e.g. HP:0001945",
        4: "id: Bioregistry has no prefix 'NOSUCH'; write one that it has, e.g. MONDO:0005148, or list your own under 'prefixes' in the configuration",
        5: "id: 'UMLS:C0018099' is a UMLS concept and names no one thing; take an id of an "
        "ontology, or none",
        6: "the row has no name",
        7: "the row has no id, and no Chinese name",
        8: "the row has no id, and no English name",
        9: "the row has fewer fields than the header",
    }


def test_name_that_is_none_of_its_language_is_quarantined_alone(
    tmp_path: Path, read: Read
) -> None:
    left = read(table(tmp_path, "Disease\tMONDO:0005393\tGout|痛风|?\t痛风|gout\t\t"))
    assert [value for *_, value in left.facts()] == ["Gout", "痛风"]
    assert [a["problem"] for a in left.assertions if a["problem"]] == [
        "the English name '痛风' has Chinese characters",
        "'?' is no name",
        "the Chinese name 'gout' has no Chinese character",
    ]


def test_settings_name_columns_type_and_prefix(tmp_path: Path, read: Read) -> None:
    source = table(
        tmp_path,
        "0005393\tGout/Podagra\t痛风",
        header="mondo\tenglish\tchinese",
        type="Disease",
        id="mondo",
        prefix="MONDO",
        name_en="english",
        name_zh="chinese",
        separators=["/"],
    )
    assert read(source).facts() == [
        ("MONDO:0005393", "HAS_BRIDGED_NAME", "Gout"),
        ("MONDO:0005393", "HAS_BRIDGED_SYNONYM", "Podagra"),
        ("MONDO:0005393", "HAS_BRIDGED_NAME", "痛风"),
    ]


def test_words_for_types_are_mapped(tmp_path: Path, read: Read) -> None:
    kinds = {"column": "类别", "values": {"疾病": "Disease"}}
    rows = ["疾病\tGout\t痛风", "药\tAspirin\t阿司匹林"]
    left = read(table(tmp_path, *rows, header="类别\tname_en\tname_zh", type=kinds))
    assert [a["head_type"] for a in left.assertions] == ["Disease", "Disease"]
    assert left.reasons() == {
        2: "'药' in column 类别 is no node type; add it to 'type.values'",
    }


def test_workbook_and_csv_are_read_alike(tmp_path: Path, read: Read) -> None:
    book = openpyxl.Workbook()
    for row in (["name_en", "name_zh"], ["Gout", "痛风"]):
        book.active.append(row)
    book.save(tmp_path / "names.xlsx")
    (tmp_path / "names.csv").write_text('name_en,name_zh\n"Gout",痛风\n', encoding="utf-8")
    facts = [
        read(BridgeSource(kind="bridge", file=tmp_path / name, type="Disease")).facts()
        for name in ("names.xlsx", "names.csv")
    ]
    assert facts[0] == facts[1] == [
        ("Gout", "HAS_BRIDGED_NAME", "Gout"),
        ("Gout", "HAS_BRIDGED_NAME", "痛风"),
    ]  # fmt: skip


def test_missing_columns_are_told(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match="lacks 'type'"):
        read(table(tmp_path, "Gout\t痛风", header="name_en\tname_zh"))
    with pytest.raises(SourceError, match="lacks 'name_zh'"):
        read(table(tmp_path, "Disease\tGout", header="type\tname_en"))
    with pytest.raises(SourceError, match="lacks 'mondo'"):
        read(table(tmp_path, "Disease\tGout\t痛风", header="type\tname_en\tname_zh", id="mondo"))


def test_unknown_type_or_list_is_told_by_the_configuration(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="'Illness' is no node type; take one of Disease"):
        table(tmp_path, type="Illness")
    path = tmp_path / "medkg.yaml"
    path.write_text("sources:\n- {kind: bridge, list: herbs}", encoding="utf-8")
    with pytest.raises(ConfigurationError, match=r"list: .*'diseases', 'drugs', 'findings'"):
        read_config(path)
    path.write_text("sources:\n- {kind: bridge, list: drugs, file: x.tsv}", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="a 'file' or a 'list', not both"):
        read_config(path)
    path.write_text("sources:\n- {kind: bridge}", encoding="utf-8")
    with pytest.raises(ConfigurationError, match="give the 'file' with the names, or a 'list'"):
        read_config(path)


def test_a_list_of_medkg_is_a_file_of_the_package(tmp_path: Path) -> None:
    path = tmp_path / "medkg.yaml"
    path.write_text("sources:\n- {kind: bridge, list: drugs}", encoding="utf-8")
    (source,) = read_config(path).sources
    assert isinstance(source, BridgeSource)
    assert source.file == LISTS / "drugs.tsv"


@pytest.mark.parametrize("name", ["diseases", "drugs", "findings"])
def test_lists_of_medkg_have_no_bad_row(name: str, read: Read) -> None:
    if not (LISTS / f"{name}.tsv").exists():
        pytest.skip(f"medkg brings no list of {name} yet")
    left = read(BridgeSource.model_validate({"kind": "bridge", "list": name}))
    assert left.reasons() == {}
    assert {a["problem"] for a in left.assertions} == {None}
