"""The mapped table: what a row says by its mapping."""

import gzip
import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from ingest.sources import TableSource
from ingest.sources.curies import OwnPrefix, with_own_prefixes
from ingest.sources.formats.tabular import TableFile
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read
from tests.ingest.sources.tables import GOUT, HEADER, mapped, write


def test_row_becomes_an_edge_with_its_frequency(tmp_path: Path, read: Read) -> None:
    left = read(mapped(write(tmp_path, HEADER + GOUT)))
    (fact,) = left.assertions
    assert {name: value for name, value in fact.items() if value is not None} == {
        "source": "clinic",
        "file": "table.csv",
        "row": 1,
        "original_relation": "shows",
        "head": "MONDO:0005393",
        "head_type": "Disease",
        "head_name": "gout",
        "relation": "HAS_SYMPTOM",
        "tail": "HP:0001369",
        "tail_type": "Symptom",
        "tail_name": "Arthritis",
        "language": "en",
        "frequency": 0.85,
        "frequency_text": "85",
    }
    assert left.rows == {"shows": 1}


@pytest.mark.parametrize(
    ("name", "delimiter", "changes"),
    [
        ("t.csv", ",", {}),
        ("t.tsv", "\t", {}),
        ("t.txt", ";", {"format": "csv", "delimiter": ";"}),
        ("t.csv.gz", ",", {}),
        ("t.jsonl", "", {}),
        ("t.jsonl.gz", "", {}),
        ("t.parquet", "", {}),
    ],
)
def test_every_format_says_the_same(
    tmp_path: Path, read: Read, name: str, delimiter: str, changes: dict[str, Any]
) -> None:
    names, values = HEADER.strip().split(","), GOUT.strip().split(",")
    path = tmp_path / name
    if name.endswith("parquet"):
        pq.write_table(pa.table({n: [v] for n, v in zip(names, values, strict=True)}), path)
    else:
        text = json.dumps(dict(zip(names, values, strict=True))) + "\n"
        if delimiter:
            text = (HEADER + GOUT).replace(",", delimiter)
        data = text.encode()
        path.write_bytes(gzip.compress(data) if name.endswith("gz") else data)
    left = read(mapped(path, **changes))
    assert left.facts() == [("MONDO:0005393", "HAS_SYMPTOM", "HP:0001369")]
    assert left.assertions[0]["frequency"] == 0.85


def test_attribute_takes_its_value_and_language(tmp_path: Path, read: Read) -> None:
    path = write(tmp_path, "id,zh,lang\nMONDO:0005393,痛风,zh\n")
    source = TableSource.model_validate(
        {
            "kind": "table",
            "name": "names",
            "file": path,
            "head": {"id": "id", "type": "Disease"},
            "relation": "HAS_NAME",
            "value": "zh",
            "language": {"column": "lang"},
        }
    )
    (fact,) = read(source).assertions
    assert (fact["value"], fact["language"], fact["tail"]) == ("痛风", "zh", None)


def test_edges_and_attributes_may_share_a_table(tmp_path: Path, read: Read) -> None:
    path = write(tmp_path, "d,r,s,v\nMONDO:1,HAS_SYMPTOM,HP:0000002,\nMONDO:1,HAS_NAME,,gout\n")
    source = mapped(
        path,
        head={"id": "d", "type": "Disease"},
        relation={"column": "r"},
        tail={"id": "s", "type": "Symptom"},
        value="v",
        frequency=None,
    )
    assert read(source).facts() == [
        ("MONDO:1", "HAS_SYMPTOM", "HP:0000002"),
        ("MONDO:1", "HAS_NAME", "gout"),
    ]


def test_publications_are_split_and_prefixed(tmp_path: Path, read: Read) -> None:
    path = write(tmp_path, 'd,s,p\nMONDO:1,HP:0000002,"12; PMID:34;"\n')
    source = mapped(
        path,
        head={"id": "d", "type": "Disease"},
        relation="HAS_SYMPTOM",
        tail={"id": "s", "type": "Symptom"},
        frequency=None,
        publications={"column": "p", "prefix": "PMID"},
        evidence="TAS",
        weight="d",
    )
    left = read(source)
    (fact,) = left.assertions
    assert (fact["publications"], fact["evidence"]) == ("PMID:12|PMID:34", "TAS")
    assert (fact["weight"], fact["weight_text"], fact["problem"]) == (None, None, None)
    assert left.reasons() == {1: "'MONDO:1' in column d is no weight"}


@pytest.mark.parametrize(
    ("unit", "written", "fraction"),
    [
        ("fraction", "0.5", 0.5),
        ("percent", "50 %", 0.5),
        ("per-1000", "5", 0.005),
        ("hpo", "1/4", 0.25),
        ("hpo", "HP:0040280", 1.0),
        ("fraction", "17 %", 0.17),
    ],
)
def test_frequency_is_read_in_its_unit(
    tmp_path: Path, read: Read, unit: str, written: str, fraction: float
) -> None:
    path = write(tmp_path, HEADER + GOUT.replace("85", written))
    left = read(mapped(path, frequency={"column": "often", "unit": unit}))
    (fact,) = left.assertions
    assert (fact["frequency"], fact["frequency_text"]) == (fraction, written)
    assert left.quarantine == []


@pytest.mark.parametrize(
    ("unit", "written"),
    [("percent", "140 %"), ("percent", "often"), ("fraction", "nan"), ("hpo", "50")],
)
def test_cell_that_is_no_frequency_is_lost_and_listed_but_not_the_fact(
    tmp_path: Path, read: Read, unit: str, written: str
) -> None:
    path = write(tmp_path, HEADER + GOUT.replace("85", written) + GOUT)
    left = read(mapped(path, frequency={"column": "often", "unit": unit}))
    first, _ = left.assertions
    assert (first["frequency"], first["frequency_text"], first["problem"]) == (None, None, None)
    listed = left.quarantine[0]
    in_unit = "" if unit == "hpo" else f" in {unit}"
    assert (listed["row"], listed["stage"], listed["original_relation"]) == (1, "cell", "shows")
    assert listed["reason"] == (
        f"'{written}' in column often is no frequency{in_unit} and no word of HPO"
    )
    assert json.loads(listed["record"])["often"] == written
    assert left.rows == {"shows": 2}


def test_word_has_the_range_of_leaflets_for_adverse_reactions_and_of_hpo_for_findings(
    tmp_path: Path, read: Read
) -> None:
    rows = [
        "MONDO:1,shows,HP:1,常见",
        "DRUGBANK:1,brings,HP:1,常见",
        "MONDO:1,shows,HP:2,uncommon",
    ]
    source = mapped(
        write(tmp_path, "\n".join(("a,r,b,f", *rows, ""))),
        head={
            "id": "a",
            "type": {"column": "r", "values": {"shows": "Disease", "brings": "Drug"}},
        },
        relation={
            "column": "r",
            "values": {"shows": "HAS_SYMPTOM", "brings": "HAS_ADVERSE_REACTION"},
        },
        tail={"id": "b", "type": "Symptom"},
        frequency={"column": "f"},
    )
    left = read(source)
    assert [(fact["frequency"], fact["frequency_text"]) for fact in left.assertions] == [
        (0.545, "常见 (30-79 %)"),
        (0.055, "常见 (≥1 %, <10 %)"),
        (None, None),
    ]
    assert left.reasons() == {3: "'uncommon' in column f is no frequency and no word of HPO"}


def test_setting_says_whose_ranges_words_have(tmp_path: Path, read: Read) -> None:
    path = write(tmp_path, HEADER + GOUT.replace("85", "rare"))
    frequency = {"column": "often", "unit": "percent", "words": "cioms"}
    (fact,) = read(mapped(path, frequency=frequency)).assertions
    assert (fact["frequency"], fact["frequency_text"]) == (0.00055, "rare (≥0.01 %, <0.1 %)")


def test_sex_that_is_none_and_onset_that_is_not_mapped_are_lost_and_listed(
    tmp_path: Path, read: Read
) -> None:
    text = "d,s,sex,onset\nMONDO:1,HP:1,female,old\nMONDO:1,HP:2,女,old age\nMONDO:1,HP:3,,\n"
    source = mapped(
        write(tmp_path, text),
        head={"id": "d", "type": "Disease"},
        relation="HAS_SYMPTOM",
        tail={"id": "s", "type": "Symptom"},
        frequency=None,
        sex={"column": "sex"},
        onset={"column": "onset", "values": {"old": "HP:0003584"}},
    )
    left = read(source)
    assert [(fact["sex"], fact["onset"]) for fact in left.assertions] == [
        ("FEMALE", "HP:0003584"),
        (None, None),
        (None, None),
    ]
    assert sorted((cell["row"], cell["reason"]) for cell in left.quarantine) == [
        (2, "'old age' in column onset is not mapped; add it to 'onset.values'"),
        (2, "'女' in column sex is not mapped to MALE or FEMALE; add it to 'sex.values'"),
    ]


def test_cell_that_several_mappings_read_is_listed_once(tmp_path: Path, read: Read) -> None:
    path = write(tmp_path, "d,s,t,f\nMONDO:1,HP:1,HP:2,140 %\n")
    source = TableSource.model_validate(
        {
            "kind": "table",
            "name": "clinic",
            "file": path,
            "head": {"id": "d", "type": "Disease"},
            "relation": "HAS_SYMPTOM",
            "frequency": {"column": "f", "unit": "percent"},
            "mappings": [{"tail": {"id": c, "type": "Symptom"}} for c in ("s", "t")],
        }
    )
    left = read(source)
    assert [tail for _, _, tail in left.facts()] == ["HP:1", "HP:2"]
    assert left.reasons() == {
        1: "'140 %' in column f is no frequency in percent and no word of HPO"
    }
    assert len(left.quarantine) == 1


OWN = {
    "HOSP": OwnPrefix(title="our diagnoses", pattern=r"D\d{3}", uri="https://kis.example/d/"),
    "LOCAL": OwnPrefix(title="our pharmacy"),
}


def test_ids_of_ones_own_get_in_under_their_prefixes(tmp_path: Path, read: Read) -> None:
    text = "d,s\n D001 ,HP:1\nhttps://kis.example/d/D002,HP:2\nLOCAL:1,HP:3\n"
    source = mapped(
        write(tmp_path, text),
        id_prefix="HOSP",
        head={"id": "d", "type": "Disease"},
        relation="HAS_SYMPTOM",
        tail={"id": "s", "type": "Symptom"},
        frequency=None,
    )
    with with_own_prefixes(OWN):
        left = read(source)
    assert left.facts() == [
        ("HOSP:D001", "HAS_SYMPTOM", "HP:1"),
        ("HOSP:D002", "HAS_SYMPTOM", "HP:2"),
        ("LOCAL:1", "HAS_SYMPTOM", "HP:3"),
    ]


@pytest.mark.parametrize(
    ("written", "problem"),
    [
        ("HOSP:D1", r"'HOSP:D1' is not as 'prefixes' has ids of HOSP, HOSP:D\d{3}"),
        ("hosp:D001", "the prefix 'hosp' is written HOSP here; write HOSP:ID"),
        ("D001", "'D001' is not a CURIE; write PREFIX:ID, e.g. HP:0001945, or set 'id_prefix'"),
        ("HOSP:", "'HOSP:' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"),
        (
            "KIS:1",
            "Bioregistry has no prefix 'KIS'; write one that it has, e.g. MONDO:0005148, or list your own under 'prefixes' in the configuration",
        ),
    ],
)
def test_id_that_fits_no_prefix_says_what_to_do(
    tmp_path: Path, read: Read, written: str, problem: str
) -> None:
    path = write(tmp_path, HEADER + GOUT.replace("MONDO:0005393", written))
    with with_own_prefixes(OWN):
        (fact,) = read(mapped(path)).assertions
    assert fact["problem"] == problem


def test_own_prefix_of_one_end_stands_before_that_of_the_source(
    tmp_path: Path, read: Read
) -> None:
    source = mapped(
        write(tmp_path, "d,s\nD001,0000002\n"),
        id_prefix="HOSP",
        head={"id": "d", "type": "Disease"},
        relation="HAS_SYMPTOM",
        tail={"id": "s", "prefix": "HP", "type": "Symptom"},
        frequency=None,
    )
    with with_own_prefixes(OWN):
        assert read(source).facts() == [("HOSP:D001", "HAS_SYMPTOM", "HP:0000002")]


def test_frequency_of_zero_is_no_symptom(tmp_path: Path, read: Read) -> None:
    path = write(tmp_path, HEADER + GOUT.replace("85", "0"))
    assert read(mapped(path)).reasons() == {
        1: "a frequency of zero says that it is not so; map such rows apart"
    }
    lacking = {"column": "relation", "values": {"shows": "LACKS_SYMPTOM"}}
    assert read(mapped(path, relation=lacking)).facts() == [
        ("MONDO:0005393", "LACKS_SYMPTOM", "HP:0001369")
    ]


def test_unknown_relation_is_quarantined_with_row_and_record(tmp_path: Path, read: Read) -> None:
    odd = "MONDO:0005393,gout,dances with,HP:0001369,Arthritis,1\n"
    left = read(mapped(write(tmp_path, HEADER + GOUT + odd)))
    (refused,) = left.quarantine
    assert refused["row"] == 2
    assert refused["original_relation"] == "dances with"
    assert refused["reason"] == (
        "'dances with' in column relation is not mapped; add it to 'relation.values'"
    )
    assert json.loads(refused["record"])["label"] == "Arthritis"
    assert left.rows == {"shows": 1, "dances with": 1}


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl", "t.parquet"])
def test_record_of_a_refused_row_has_the_columns_that_no_mapping_names(
    tmp_path: Path, read: Read, name: str
) -> None:
    names = [*HEADER.strip().split(","), "ward", "note"]
    values = [*GOUT.replace("shows", "is").strip().split(","), "B 3", '痛, "bad"']
    row, path = dict(zip(names, values, strict=True)), tmp_path / name
    if name.endswith("csv"):
        quoted = ",".join('"' + value.replace('"', '""') + '"' for value in values)
        path.write_text(f"{','.join(names)}\n{quoted}\n", encoding="utf-8")
    elif name.endswith("jsonl"):
        path.write_text(f"  {json.dumps(row)}\n", encoding="utf-8")
    else:
        pq.write_table(pa.Table.from_pylist([row]), path)
    (refused,) = read(mapped(path)).quarantine
    assert json.loads(refused["record"]) == row


def test_record_keeps_lists_objects_and_missing_numbers(tmp_path: Path, read: Read) -> None:
    names, values = HEADER.strip().split(","), GOUT.strip().split(",")
    row: dict[str, Any] = dict(zip(names, values, strict=True))
    row |= {"relation": "is", "codes": ["a", "b"], "seen": {"by": "x", "times": 2}}
    pq.write_table(pa.Table.from_pylist([row | {"dose": math.nan}]), tmp_path / "t.parquet")
    (refused,) = read(mapped(tmp_path / "t.parquet")).quarantine
    assert json.loads(refused["record"]) == row | {"dose": "nan"}


@pytest.mark.parametrize("name", ["t.jsonl", "t.parquet"])
def test_column_with_a_name_of_ours_is_told(tmp_path: Path, read: Read, name: str) -> None:
    row = dict(zip(HEADER.strip().split(","), GOUT.strip().split(","), strict=True))
    row["@record"] = "x"
    path = write(tmp_path, json.dumps(row), name)
    if name.endswith("parquet"):
        pq.write_table(pa.Table.from_pylist([row]), path)
    with pytest.raises(SourceError, match=r"no column may be named '@record'; rename it"):
        read(mapped(path, weight="@record"))


def test_row_without_head_or_tail_is_quarantined(tmp_path: Path, read: Read) -> None:
    left = read(mapped(write(tmp_path, f"{HEADER},,shows,HP:0000002,,1\nMONDO:1,,shows,,,1\n")))
    assert left.reasons() == {1: "the row names no head", 2: "the row names no tail"}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"relation": "CURES"}, "'CURES' is no relation; take one of HAS_SYMPTOM"),
        (
            {"relation": "HAS_SYMPTON"},
            r"'HAS_SYMPTON' is no relation; did you mean HAS_SYMPTOM\? ",
        ),
        ({"head": {"id": "d", "type": "Illness"}}, "'Illness' is no node type"),
        ({"head": {"type": "Disease"}}, "name the column of its 'id', its 'name', or both"),
        ({"tail": None}, "an edge needs a 'tail'"),
        ({"relation": "HAS_NAME"}, "an attribute needs a 'value'"),
        ({"relation": "TARGETS"}, "TARGETS takes no Disease for head; it takes Drug"),
        ({"relation": "CAUSED_BY", "head": {"id": "d", "type": "Drug"}}, "takes no Drug for head"),
        ({"language": "fr"}, "'fr' is no language"),
        ({"frequency": {"column": "often", "unit": "dozen"}}, "Input should be 'fraction'"),
        ({"frequency": {"column": "often", "words": "us"}}, "Input should be 'hpo' or 'cioms'"),
        ({"sex": "女"}, "'女' is no sex; take one of MALE, FEMALE"),
        ({"id_prefix": "a:b"}, "String should match pattern"),
        ({"colour": "red"}, "Extra inputs are not permitted"),
        ({"name": "My table"}, "String should match pattern"),
    ],
)
def test_mapping_that_cannot_work_is_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        mapped(Path("table.csv"), **changes)


@pytest.mark.parametrize(
    ("field", "written", "reason"),
    [
        ("label", '{"n": 1}', "the column 'label' holds an object where a text is expected"),
        ("label", "5", "the column 'label' holds a number where a text is expected"),
        ("label", "true", "the column 'label' holds true or false where a text is expected"),
        ("label", '["a", "b"]', "the column 'label' holds a list where a text is expected"),
        ("disease", "{}", "the column 'disease' holds an object, which is no value"),
        (
            "disease",
            '["MONDO:1", {"x": 1}]',
            "the column 'disease' holds an object in a list, which is no value",
        ),
        ("label", '"a", "Label": "b"', "the keys 'label' and 'Label' are one name"),
        ("label", '"a", "label": "b"', "the key 'label' is there twice in one object"),
    ],
)
def test_what_is_no_text_in_json_is_no_name(
    tmp_path: Path, read: Read, field: str, written: str, reason: str
) -> None:
    row = dict(zip(HEADER.strip().split(","), GOUT.strip().split(","), strict=True))
    good = json.dumps(row)
    bad = good.replace(json.dumps(row[field]), written, 1)
    left = read(mapped(write(tmp_path, f"{bad}\n{good}\n", "t.jsonl")))
    assert left.reasons() == {1: reason}
    assert [a["row"] for a in left.assertions] == [2]


def test_json_lines_cut_within_a_character_lose_their_end_alone(
    tmp_path: Path, read: Read
) -> None:
    row = dict(zip(HEADER.strip().split(","), GOUT.strip().split(","), strict=True))
    lines = "".join(
        json.dumps(row | {"name": name}, ensure_ascii=False) + "\n" for name in ("痛风", "痛风石")
    )
    path = tmp_path / "t.jsonl"
    path.write_bytes(lines.encode()[: lines.encode().rindex("石".encode()) + 1])
    left = read(mapped(path))
    assert [a["head_name"] for a in left.assertions] == ["痛风"]
    assert left.reasons()[2].endswith("the file ends within this record, so it is cut off here")


def test_whole_last_json_line_that_is_no_json_is_not_called_cut_off(
    tmp_path: Path, read: Read
) -> None:
    good = json.dumps(dict(zip(HEADER.strip().split(","), GOUT.strip().split(","), strict=True)))
    left = read(mapped(write(tmp_path, f"{good}\n{good[:-1]},}}", "t.jsonl")))
    (reason,) = left.reasons().values()
    assert reason.startswith("the line is not JSON: ")
    assert "cut off" not in reason


def test_column_whose_name_yaml_takes_for_a_number_is_read(tmp_path: Path, read: Read) -> None:
    path = write(tmp_path, "2023,2024\ngout,pain\n")
    source = TableSource.model_validate(
        {
            "kind": "table",
            "name": "t",
            "file": path,
            "relation": "HAS_SYMPTOM",
            "head": {"name": 2023, "type": "Disease"},
            "tail": {"name": 2024, "type": "Symptom"},
        }
    )
    assert read(source).facts() == [("gout", "HAS_SYMPTOM", "pain")]
    assert TableFile.model_validate({"file": "a.xlsx", "sheet": 2023}).sheet == "2023"


def test_keys_that_differ_in_case_in_different_lines_stop_nothing(
    tmp_path: Path, read: Read
) -> None:
    row = dict(zip(HEADER.strip().split(","), GOUT.strip().split(","), strict=True))
    lines = [json.dumps(row | {"Note": 1}), json.dumps(row | {"note": 1, "Label": "b"})]
    left = read(mapped(write(tmp_path, "\n".join(lines), "t.jsonl")))
    assert left.reasons() == {2: "the keys 'label' and 'Label' are one name"}
    assert [a["row"] for a in left.assertions] == [1]
