"""CMeKG: the forms that its triples are handed on in, and real files."""

import json
from pathlib import Path

import pytest

from ingest.identity import mint
from ingest.sources import CMeKgSource
from ingest.sources.cmekg.json_triples import NotATriple, Triple, triples
from ingest.sources.cmekg.names import read_name
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from tests.ingest.sources.cmekg_files import csv_of, edges, json_of
from tests.ingest.sources.conftest import Read

TEXT = "肺炎的症状:发热，咳嗽"


@pytest.mark.parametrize(
    "text",
    [
        "head,relation,tail\n肺炎,临床表现,发热\n",
        "subject,predicate,object\n肺炎,临床表现,发热\n",
        "关系,头实体,尾实体\n临床表现,肺炎,发热\n",
        "肺炎,临床表现,发热\n",
    ],
)
def test_table_is_read_with_any_usual_header_or_none(
    tmp_path: Path, read: Read, text: str
) -> None:
    (tmp_path / "a.csv").write_text(text, encoding="utf-8")
    left = read(CMeKgSource(kind="cmekg", file=tmp_path / "a.csv"))
    assert edges(left) == [("Disease", "肺炎", "HAS_SYMPTOM", "Symptom", "发热")]


def test_types_in_columns_go_before_what_words_tell(tmp_path: Path, read: Read) -> None:
    header = "head,relation,tail,head_type,tail_type"
    rows = ("咳嗽,检查,胸部X线,症状,检查", "肺炎,检查,x,动物,检查", "肺炎,发病率,高,疾病,流行病学")
    left = read(csv_of(tmp_path, *rows, header=header))
    assert edges(left)[0] == ("Symptom", "咳嗽", "DIAGNOSED_BY", "Test", "胸部X线")
    assert left.reasons() == {2: "the type '动物' is not known"}


def test_sentence_is_a_section_and_the_evidence_of_its_triples(tmp_path: Path, read: Read) -> None:
    said = {"text": TEXT, "spo_list": [["肺炎", "临床表现", "咳嗽"], ["肺炎", "临床表现", "胸痛"]]}
    left = read(json_of(tmp_path, [said]))
    section = mint("Section", f"cmekg {TEXT}")
    assert left.facts() == [
        ("肺炎", "HAS_SYMPTOM", "咳嗽"),
        ("肺炎", "HAS_SECTION", section),
        (section, "HAS_NAME", "原文"),
        (section, "HAS_TEXT", TEXT),
        ("肺炎", "HAS_SYMPTOM", "胸痛"),
    ]
    evidence = [a["evidence"] for a in left.assertions if a["relation"] == "HAS_SYMPTOM"]
    assert evidence == [f"{section}#char=9,11", section]
    assert TEXT[9:11] == "咳嗽"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (["肺炎", "临床表现", "发热"], [Triple("肺炎", "临床表现", "发热")]),
        ({"h": "肺炎", "r": "临床表现", "t": "发热"}, [Triple("肺炎", "临床表现", "发热")]),
        (
            {
                "text": TEXT,
                "spo_list": [
                    {
                        "subject": "肺炎",
                        "predicate": "临床表现",
                        "object": {"@value": "发热"},
                        "subject_type": "疾病",
                        "object_type": {"@value": "症状"},
                    }
                ],
            },
            [Triple("肺炎", "临床表现", "发热", "疾病", "症状", TEXT)],
        ),
        (
            {"text": TEXT, "triples": [["肺炎", "临床表现", "发热"]]},
            [Triple("肺炎", "临床表现", "发热", text=TEXT)],
        ),
        (
            {"名称": ["肺炎"], "临床表现": ["发热", "咳嗽"], "就诊科室": "呼吸内科"},
            [
                Triple("肺炎", "临床表现", "发热"),
                Triple("肺炎", "临床表现", "咳嗽"),
                Triple("肺炎", "就诊科室", "呼吸内科"),
            ],
        ),
        ({"疾病": [{"名称": "肺炎", "病因": "细菌"}]}, [Triple("肺炎", "病因", "细菌", "疾病")]),
        ({"text": TEXT, "spo_list": []}, [NotATriple("the text has no triples")]),
        ({"head": "肺炎"}, [NotATriple("no text for relation, tail is in it")]),
        (["肺炎", "临床表现"], [NotATriple("not a list of three texts")]),
        ({"名称": "肺炎"}, [NotATriple("the entity has no name, or no words")]),
        ({"疾病": [1]}, [NotATriple("the entity has no '名称'")]),
        ({"疾病": []}, [NotATriple("no list of entities stands under '疾病'")]),
        (
            {"名称": "肺炎", "病因": 1},
            [NotATriple("a value of the entity is no text")],
        ),
        (
            {"spo_list": [1]},
            [NotATriple("neither an object nor a list of three texts")],
        ),
        (1, [NotATriple("neither an object nor a list of three texts")]),
    ],
)
def test_triples_are_found_in_every_form_of_json(
    value: object, found: list[Triple | NotATriple]
) -> None:
    assert list(triples(value)) == found


def test_json_that_holds_no_triple_is_quarantined(tmp_path: Path, read: Read) -> None:
    left = read(json_of(tmp_path, [["肺炎", "临床表现", "发热"], {"a": 1}]))
    assert left.rows == {"临床表现": 1, "unreadable row": 1}
    assert left.reasons() == {2: "no text for head, relation, tail is in it"}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.csv",
            "name,value\n肺炎,发热\n",
            r"a.csv: the header lacks 'head', 'relation', 'tail'",
        ),
        ("a.csv", "", r"a.csv: the file is empty; download it again"),
        ("a.json", '[["肺炎" "临床"]]', r"a.json: not JSON at character 2 "),
        ("a.owl", "x", r"a.owl: the ending tells no format; set 'format' to csv, tsv or json"),
    ],
)
def test_file_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, read: Read, name: str, text: str, message: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(SourceError, match=message):
        read(CMeKgSource(kind="cmekg", file=tmp_path / name))


@pytest.mark.parametrize("name", ["a.tsv", "a.txt"])
def test_encoding_is_told_and_can_be_set(tmp_path: Path, read: Read, name: str) -> None:
    rows = "".join(
        f"高血压\t临床表现\t{s}\n" for s in ("头痛", "头晕", "心悸", "耳鸣", "视物模糊")
    )
    (tmp_path / name).write_bytes(rows.encode("gb18030"))
    given = CMeKgSource(kind="cmekg", file=tmp_path / name)
    with pytest.raises(SourceError, match=r"not UTF-8 text, it looks like gb18030"):
        read(given)
    assert read(given.model_copy(update={"encoding": "gb18030"})).rows == {"临床表现": 5}


def test_every_word_of_the_tools_is_known(shared_data: Path) -> None:
    counts = json.loads(
        (shared_data / "cmekg_samples" / "predicate.json").read_text(encoding="utf-8")
    )
    assert set(counts) <= set(RelationMap.of("ingest.sources.cmekg").words())


def test_real_training_data_says_what_it_says(shared_data: Path, read: Read) -> None:
    file = shared_data / "cmekg_samples" / "train_example.json"
    left = read(CMeKgSource(kind="cmekg", file=file))
    assert (sum(left.rows.values()), left.quarantine) == (64, [])
    assert {
        ("慢性肾炎", "DIAGNOSED_BY", "12小时尿沉渣计数"),
        ("血尿", "DIAGNOSED_BY", "12小时尿沉渣计数"),
        ("13-三体综合征", "HAS_SYMPTOM", "特殊面容"),
        ("18种氨基酸葡萄糖注射液", "HAS_ADVERSE_REACTION", "发热"),
        ("18种氨基酸葡萄糖注射液", "CONTRAINDICATED_FOR", "严重肾衰竭或尿毒症的病人"),
        ("18种氨基酸葡萄糖注射液", "HAS_INGREDIENT", "甘氨酸"),
    } <= set(left.facts())
    texts = {a["head"]: a["value"] for a in left.assertions if a["relation"] == "HAS_TEXT"}
    placed = [
        (texts[section][slice(*map(int, place.split(",")))], a)
        for a in left.assertions
        if a["evidence"] and "#" in a["evidence"]
        for section, place in [a["evidence"].split("#char=")]
    ]
    assert len(placed) > 40
    assert all(read_name(phrase).name in (a["tail_name"], a["head_name"]) for phrase, a in placed)
