import json
from pathlib import Path
from typing import Any

import pytest

from ingest.identity import mint
from ingest.sources import CMeKgSource
from ingest.sources.cmekg.json_triples import NoTriple, Triple, triples
from ingest.sources.cmekg.names import told
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from tests.ingest.sources.conftest import Left, Read

CMEIE = (
    *("预防", "阶段", "就诊科室", "同义词", "辅助治疗", "化疗", "放射治疗", "手术治疗"),
    *("实验室检查", "影像学检查", "辅助检查", "组织学检查", "内窥镜检查", "筛查", "多发群体"),
    *("发病率", "发病年龄", "多发地区", "发病性别倾向", "死亡率", "多发季节", "传播途径"),
    *("并发症", "病理分型", "相关（导致）", "鉴别诊断", "相关（转化）", "相关（症状）"),
    *("临床表现", "治疗后症状", "侵及周围组织转移的症状", "病因", "高危因素", "风险评估因素"),
    *("病史", "遗传因素", "发病机制", "病理生理", "药物治疗", "发病部位", "转移部位"),
    *("外侵部位", "预后状况", "预后生存率"),
)
SITE = (
    *("并发症", "ICD-10", "临床症状及体征", "预后状况", "发病率", "药物治疗", "辅助治疗"),
    *("手术治疗", "同义词", "发病机制", "病理分型", "鉴别诊断", "病理生理", "实验室检查"),
    *("发病部位", "所属科室", "组织学检查", "多发群体", "病因", "预后生存时间", "影像学检查"),
    *("高危因素", "治疗方案", "相关疾病", "相关症状", "检查", "传染性", "相关导致", "辅助检查"),
    *("阶段", "预防", "传播途径", "成份", "OTC类型", "不良反应", "适应症", "分类", "注意事项"),
    *("禁忌证", "所属科目", "检查科目"),
)


def csv_of(folder: Path, *rows: str, header: str = "head,relation,tail") -> CMeKgSource:
    path = folder / "cmekg.csv"
    path.write_text("\n".join(filter(None, [header, *rows])) + "\n", encoding="utf-8")
    return CMeKgSource(kind="cmekg", file=path)


def json_of(folder: Path, value: object) -> CMeKgSource:
    path = folder / "cmekg.json"
    path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
    return CMeKgSource(kind="cmekg", file=path)


def edges(left: Left) -> list[tuple[Any, ...]]:
    names = ("head_type", "head_name", "relation", "tail_type", "tail_name")
    found = [a for a in left.assertions if a["tail_type"]]
    return [tuple(a[name] for name in names) for a in found]


@pytest.mark.parametrize(
    ("row", "edge"),
    [
        ("高血压,临床表现,头痛", ("Disease", "高血压", "HAS_SYMPTOM", "Symptom", "头痛")),
        ("高血压,并发症,脑卒中", ("Disease", "高血压", "COMPLICATED_BY", "Disease", "脑卒中")),
        ("高血压,药物治疗,硝苯地平", ("Disease", "高血压", "TREATED_BY", "Drug", "硝苯地平")),
        (
            "阑尾炎,手术治疗,阑尾切除术",
            ("Disease", "阑尾炎", "TREATED_BY", "Procedure", "阑尾切除术"),
        ),
        ("肺炎,影像学检查,胸部X线", ("Disease", "肺炎", "DIAGNOSED_BY", "Test", "胸部X线")),
        ("肺炎,鉴别诊断,肺结核", ("Disease", "肺炎", "DIFFERENTIATED_FROM", "Disease", "肺结核")),
        ("肺炎,发病部位,肺", ("Disease", "肺炎", "OCCURS_IN", "Anatomy", "肺")),
        ("肺炎,就诊科室,呼吸内科", ("Disease", "肺炎", "MANAGED_IN", "Department", "呼吸内科")),
        ("肺炎,多发群体,老年人", ("Disease", "肺炎", "HAS_RISK_FACTOR", "Population", "老年人")),
        ("破伤风,预防,接种疫苗", ("Disease", "破伤风", "PREVENTED_BY", "Precaution", "接种疫苗")),
        ("破伤风,病因,破伤风梭菌", ("Disease", "破伤风", "CAUSED_BY", "Organism", "破伤风梭菌")),
        ("胃溃疡,相关（导致）,胃穿孔", ("Disease", "胃穿孔", "CAUSED_BY", "Disease", "胃溃疡")),
        (
            "阿司匹林,适应症,类风湿关节炎",
            ("Drug", "阿司匹林", "INDICATED_FOR", "Disease", "类风湿关节炎"),
        ),
        (
            "阿司匹林,不良反应,恶心",
            ("Drug", "阿司匹林", "HAS_ADVERSE_REACTION", "Symptom", "恶心"),
        ),
        (
            "利巴韦林,禁忌证,孕妇",
            ("Drug", "利巴韦林", "CONTRAINDICATED_FOR", "Population", "孕妇"),
        ),
        (
            "阿司匹林,注意事项,饭后服用",
            ("Drug", "阿司匹林", "HAS_PRECAUTION", "Precaution", "饭后服用"),
        ),
        ("葡萄糖注射液,成份,葡萄糖", ("Drug", "葡萄糖注射液", "HAS_INGREDIENT", "Drug", "葡萄糖")),
        (
            "14C呼气试验,相关疾病,胃溃疡",
            ("Disease", "胃溃疡", "DIAGNOSED_BY", "Test", "14C呼气试验"),
        ),
    ],
)
def test_word_says_what_its_map_says(
    tmp_path: Path, read: Read, row: str, edge: tuple[str, ...]
) -> None:
    left = read(csv_of(tmp_path, row))
    assert edges(left) == [edge]
    assert left.rows == {row.split(",")[1]: 1}
    assert {a["language"] for a in left.assertions} == {"zh"}


@pytest.mark.parametrize(
    ("row", "heading", "text"),
    [
        ("肺炎,传播途径,飞沫传播", "传播途径", "飞沫传播"),
        ("肺癌,病理分型,鳞癌", "病理分型", "鳞癌"),
        ("肺炎,病因,免疫力低下", "病因", "免疫力低下"),
        ("阿司匹林,用法用量,口服，一日三次", "用法用量", "口服，一日三次"),
        ("阿司匹林,OTC类型,甲类OTC", "OTC类型", "甲类OTC"),
        ("阿司匹林,不良反应,恶心、呕吐", "不良反应", "恶心、呕吐"),
        ("肺炎,临床表现,起病急，伴有高热。", "临床表现", "起病急，伴有高热。"),
    ],
)
def test_text_becomes_a_section_under_its_word(
    tmp_path: Path, read: Read, row: str, heading: str, text: str
) -> None:
    name = row.split(",", maxsplit=1)[0]
    section = mint("Section", f"cmekg {name} {heading}")
    assert read(csv_of(tmp_path, row)).facts() == [
        (name, "HAS_SECTION", section),
        (section, "HAS_NAME", heading),
        (section, "HAS_TEXT", text),
    ]


def test_type_of_a_name_is_the_one_that_most_of_its_words_allow(
    tmp_path: Path, read: Read
) -> None:
    rows = (
        "咳嗽,检查,胸部X线",  # of a disease or a symptom
        "咳嗽,相关疾病,肺炎",  # of a test or a symptom
        "血常规,相关疾病,肺炎",
        "血常规,相关症状,发热",
    )
    assert set(edges(read(csv_of(tmp_path, *rows)))) == {
        ("Symptom", "咳嗽", "DIAGNOSED_BY", "Test", "胸部X线"),
        ("Disease", "肺炎", "HAS_SYMPTOM", "Symptom", "咳嗽"),
        ("Disease", "肺炎", "DIAGNOSED_BY", "Test", "血常规"),
        ("Symptom", "发热", "DIAGNOSED_BY", "Test", "血常规"),
    }


def test_name_with_words_of_its_own_has_one_type_at_both_ends(tmp_path: Path, read: Read) -> None:
    rows = (
        "高血压,药物治疗,硝苯地平",
        "肾炎,临床表现,高血压",
        "硝苯地平,不良反应,头痛",
        "牙龈增生,病因,硝苯地平",
    )
    assert set(edges(read(csv_of(tmp_path, *rows)))) == {
        ("Disease", "高血压", "TREATED_BY", "Drug", "硝苯地平"),
        ("Disease", "肾炎", "HAS_SYMPTOM", "Disease", "高血压"),
        ("Drug", "硝苯地平", "HAS_ADVERSE_REACTION", "Symptom", "头痛"),
        ("Disease", "牙龈增生", "CAUSED_BY", "Drug", "硝苯地平"),
    }


@pytest.mark.parametrize(
    ("rows", "at", "reason"),
    [
        (("肺炎,作者,张三",), 1, "the graph has no relation for '作者'"),
        (("阿司匹林,生产企业,某药厂",), 1, "who makes a drug is no medical fact"),
        (
            ("葡萄糖注射液,不良反应,静脉炎", "葡萄糖注射液,检查,酸度"),
            2,
            "'检查' says nothing of a Drug",
        ),
        (("肺炎,药物治疗,高血压", "高血压,临床表现,头痛"), 1, "'药物治疗' takes no Disease"),
        (("肺炎,同义词,肺部炎症",), 1, "no word tells the type of the head"),
        (("肺炎,临床表现,",), 1, "the triple has no tail"),
        ((",临床表现,发热",), 1, "the triple has no head"),
        (("肺炎,,发热",), 1, "the graph has no relation for 'no relation'"),
        (("肺炎,药物治疗,青霉素...",), 1, "tail: the name is cut off: '青霉素...'"),
        (("肺炎，又称肺部感染,临床表现,发热",), 1, "head: a text, not the name of one thing"),
        (("肺炎,临床表现,发热,多",), 1, "the row has more fields than the header"),
    ],
)
def test_triple_that_says_nothing_is_quarantined(
    tmp_path: Path, read: Read, rows: tuple[str, ...], at: int, reason: str
) -> None:
    assert read(csv_of(tmp_path, *rows)).reasons() == {at: reason}


def test_names_and_codes_are_attributes(tmp_path: Path, read: Read) -> None:
    rows = (
        "哮喘,临床表现,喘息",
        "哮喘,同义词,支气管哮喘",
        "哮喘,英文名,asthma",
        "哮喘,ICD-10,J45.901",
        "哮喘,ICD-10,第十章",
        "哮喘,定义,气道的慢性炎症，伴有气道高反应性。",
    )
    said = [
        (a["relation"], a["value"], a["language"], a["problem"])
        for a in read(csv_of(tmp_path, *rows)).assertions
        if a["value"]
    ]
    assert said == [
        ("HAS_SYNONYM", "支气管哮喘", "zh", None),
        ("HAS_SYNONYM", "asthma", "en", None),
        ("HAS_XREF", "ICD10:J45.901", "zh", None),
        ("HAS_XREF", "ICD10:第十章", "zh", "'第十章' is no code of ICD-10"),
        ("HAS_DEFINITION", "气道的慢性炎症，伴有气道高反应性。", "zh", None),
    ]


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


TEXT = "肺炎的症状:发热，咳嗽"


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
        ({"text": TEXT, "spo_list": []}, [NoTriple("the text has no triples")]),
        ({"head": "肺炎"}, [NoTriple("no text for relation, tail is in it")]),
        (["肺炎", "临床表现"], [NoTriple("not a list of three texts")]),
        ({"名称": "肺炎"}, [NoTriple("the entity has no name, or no words")]),
        ({"疾病": [1]}, [NoTriple("the entity has no '名称'")]),
        ({"疾病": []}, [NoTriple("no list of entities stands under '疾病'")]),
        (
            {"名称": "肺炎", "病因": 1},
            [NoTriple("a value of the entity is no text")],
        ),
        (
            {"spo_list": [1]},
            [NoTriple("neither an object nor a list of three texts")],
        ),
        (1, [NoTriple("neither an object nor a list of three texts")]),
    ],
)
def test_triples_are_found_in_every_form_of_json(
    value: object, found: list[Triple | NoTriple]
) -> None:
    assert list(triples(value)) == found


def test_json_that_holds_no_triple_is_quarantined(tmp_path: Path, read: Read) -> None:
    left = read(json_of(tmp_path, [["肺炎", "临床表现", "发热"], {"a": 1}]))
    assert left.rows == {"临床表现": 1, "unreadable row": 1}
    assert left.reasons() == {2: "no text for head, relation, tail is in it"}


@pytest.mark.parametrize(
    ("written", "name", "is_text", "kind"),
    [
        ("1\uff0e肝昏迷先兆的病人", "肝昏迷先兆的病人", False, "Population"),
        ("幽门螺杆菌", "幽门螺杆菌", False, "Organism"),
        ("幽门螺杆菌感染", "幽门螺杆菌感染", False, "Disease"),
        ("18-三体综合征", "18-三体综合征", False, "Disease"),
        ("1型糖尿病", "1型糖尿病", False, "Disease"),
        ("1.5%氨基酸", "1.5%氨基酸", False, None),
        ("恶心、呕吐", "恶心、呕吐", True, None),
        ("亦用于改善营养状况", "亦用于改善营养状况", True, None),
    ],
)
def test_name_is_told_from_text(
    written: str,
    name: str,
    is_text: bool,
    kind: str | None,
) -> None:
    found = told(written)
    assert (found.name, found.is_text, found.kind, found.problem) == (name, is_text, kind, None)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        (
            "a.csv",
            "name,value\n肺炎,发热\n",
            r"a.csv: the header lacks 'head', 'relation', 'tail'",
        ),
        ("a.csv", "", r"a.csv: the file is empty; download it again"),
        ("a.json", '[["肺炎", "临床', r"a.json, element 1: not JSON: "),
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


@pytest.mark.parametrize("words", [CMEIE, SITE])
def test_every_word_of_the_schemas_is_known(words: tuple[str, ...]) -> None:
    assert set(words) <= set(RelationMap.of("ingest.sources.cmekg").words())


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
    assert all(told(phrase).name in (a["tail_name"], a["head_name"]) for phrase, a in placed)
