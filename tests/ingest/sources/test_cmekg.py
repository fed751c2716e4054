"""CMeKG: what its words say of which types, and its names."""

from pathlib import Path

import pytest

from ingest.identity import mint
from ingest.sources.cmekg.names import read_name
from ingest.sources.relations import RelationMap
from tests.ingest.sources.cmekg_files import csv_of, edges
from tests.ingest.sources.conftest import Read

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
    found = read_name(written)
    assert (found.name, found.is_text, found.kind, found.problem) == (name, is_text, kind, None)


@pytest.mark.parametrize("words", [CMEIE, SITE])
def test_every_word_of_the_schemas_is_known(words: tuple[str, ...]) -> None:
    assert set(words) <= set(RelationMap.of("ingest.sources.cmekg").words())
