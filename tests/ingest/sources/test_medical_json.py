import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.identity import mint
from ingest.sources import MedicalJsonSource
from ingest.sources.medical_json.products import Product, product
from ingest.sources.medical_json.source import HEADINGS
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read

GOUT = {"name": "痛风"}
_ID = {"_id": {"$oid": "5bb578b6831b973a137e3ee6"}}


def source(folder: Path, *entries: dict[str, Any], text: str | None = None) -> MedicalJsonSource:
    path = folder / "medical.json"
    lines = (json.dumps(entry, ensure_ascii=False) for entry in entries)
    path.write_text("\n".join(lines) if text is None else text, encoding="utf-8")
    return MedicalJsonSource(kind="medical-json", file=path)


@pytest.mark.parametrize(
    ("field", "name", "meaning"),
    [
        ("symptom", "关节肿痛", ("HAS_SYMPTOM", "Symptom")),
        ("acompany", "肾结石", ("COMPLICATED_BY", "Disease")),
        ("category", "风湿免疫科", ("MANAGED_IN", "Department")),
        ("cure_department", "内科", ("MANAGED_IN", "Department")),
        ("cure_way", "药物治疗", ("TREATED_BY", "Procedure")),
        ("check", "血尿酸", ("DIAGNOSED_BY", "Test")),
        ("common_drug", "秋水仙碱", ("TREATED_BY", "Drug")),
        ("recommand_drug", "别嘌醇", ("TREATED_BY", "Drug")),
        ("do_eat", "牛奶", ("RECOMMENDED_FOOD", "Food")),
        ("recommand_eat", "白菜汤", ("RECOMMENDED_FOOD", "Food")),
        ("not_eat", "啤酒", ("AVOIDED_FOOD", "Food")),
    ],
)
def test_field_with_names_gives_an_edge_for_each(
    tmp_path: Path, read: Read, field: str, name: str, meaning: tuple[str, str]
) -> None:
    left = read(source(tmp_path, GOUT | {field: [name]}))
    (edge,) = [a for a in left.assertions if a["original_relation"] == field]
    assert {column: given for column, given in edge.items() if given is not None} == {
        "source": "medical-json",
        "file": "medical.json",
        "row": 1,
        "original_relation": field,
        "head_type": "Disease",
        "head_name": "痛风",
        "relation": meaning[0],
        "tail_type": meaning[1],
        "tail_name": name,
        "language": "zh",
    }


def test_text_becomes_a_section_and_the_description_a_definition(
    tmp_path: Path, read: Read
) -> None:
    left = read(source(tmp_path, GOUT | {"desc": "嘌呤代谢紊乱。", "cause": "血尿酸增高。\n"}))
    section = mint("Section", "medical-json 痛风 病因")
    said = [
        (a["head"], a["head_name"], a["relation"], a["tail"], a["value"]) for a in left.assertions
    ]
    assert said == [
        (None, "痛风", "HAS_NAME", None, "痛风"),
        (None, "痛风", "HAS_DEFINITION", None, "嘌呤代谢紊乱。"),
        (None, "痛风", "HAS_SECTION", section, None),
        (section, "病因", "HAS_NAME", None, "病因"),
        (section, "病因", "HAS_TEXT", None, "血尿酸增高。"),
    ]


def test_second_entry_on_a_disease_has_sections_of_its_own(tmp_path: Path, read: Read) -> None:
    left = read(source(tmp_path, GOUT | {"cause": "甲"}, GOUT | {"cause": "乙"}))
    sections = [a["tail"] for a in left.assertions if a["relation"] == "HAS_SECTION"]
    assert sections == [
        mint("Section", "medical-json 痛风 病因"),
        mint("Section", "medical-json 痛风 2 病因"),
    ]


def test_condition_with_an_entry_is_a_disease_everywhere(tmp_path: Path, read: Read) -> None:
    entries = (
        GOUT | {"symptom": ["关节炎", "发热"], "acompany": ["发热"]},
        {"name": "关节炎", "check": ["痛风"]},
    )
    left = read(source(tmp_path, *entries))
    ends = [
        (a["tail_type"], a["tail_name"], a["problem"]) for a in left.assertions if a["tail_name"]
    ]
    assert ends == [
        ("Disease", "关节炎", None),
        ("Symptom", "发热", None),
        ("Symptom", "发热", None),
        ("Test", "痛风", "'痛风' has an entry of its own as a disease"),
    ]


def test_text_with_commas_is_a_list_but_an_item_of_a_list_is_not(
    tmp_path: Path, read: Read
) -> None:
    as_text = GOUT | {"check": "血尿酸，关节液检查", "cure_way": ["药物治疗、手术治疗"]}
    as_list = {"name": "百日咳", "check": ["耳、鼻、咽拭子细菌培养"]}
    left = read(source(tmp_path, as_text, as_list))
    assert [(a["row"], a["tail_name"]) for a in left.assertions if a["tail_name"]] == [
        (1, "血尿酸"),
        (1, "关节液检查"),
        (1, "药物治疗"),
        (1, "手术治疗"),
        (2, "耳、鼻、咽拭子细菌培养"),
    ]


@pytest.mark.parametrize(
    ("field", "item", "names"),
    [
        ("symptom", "关节肿痛、发热", ["关节肿痛", "发热"]),
        ("alias", "白虎历节，历节风、痛风性关节炎", ["白虎历节", "历节风", "痛风性关节炎"]),
        ("common_drug", "秋水仙碱、别嘌醇", ["秋水仙碱", "别嘌醇"]),
        # between parentheses, or half a name
        ("not_eat", "辣椒(红、尖、干)", ["辣椒(红、尖、干)"]),
        ("symptom", "手、足关节痛", ["手、足关节痛"]),
        ("check", "甲状腺、肾上腺超声检查", ["甲状腺、肾上腺超声检查"]),
    ],
)
def test_item_is_parted_at_ideographic_commas_where_its_parts_are_names(
    tmp_path: Path, read: Read, field: str, item: str, names: list[str]
) -> None:
    left = read(source(tmp_path, GOUT | {field: [item]}))
    said = [a for a in left.assertions if a["original_relation"] == field]
    assert [a["tail_name"] or a["value"] for a in said] == names


def test_array_of_entries_is_read_like_lines(tmp_path: Path, read: Read) -> None:
    entries = (GOUT | {"symptom": ["关节肿痛"]}, {"name": "百日咳"})
    lines = read(source(tmp_path, *entries))
    array = json.dumps(entries, ensure_ascii=False, indent=1)
    assert read(source(tmp_path, text=array)) == lines


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("惠普森穿心莲内酯片(穿心莲内酯片)", ("惠普森穿心莲内酯片", "穿心莲内酯片")),
        # cut after 13 characters, within the generic drug
        (
            "白云山天心地塞米松磷酸钠注(地塞米松磷酸钠注射液)",
            ("白云山天心地塞米松磷酸钠注射液", "地塞米松磷酸钠注射液"),
        ),
        ("希舒美(阿奇霉素片)", ("希舒美(阿奇霉素片)", "阿奇霉素片")),
        ("绿十字(中国)生物制品人血(人血白蛋白)", ("绿十字(中国)生物制品人血白蛋白", "人血白蛋白")),
        (
            "绿安(复方氨基酸注射液(18AA))",
            ("绿安(复方氨基酸注射液(18AA))", "复方氨基酸注射液(18AA)"),
        ),
        ("穿心莲内酯片", None),
        ("(穿心莲内酯片)", None),
    ],
)
def test_product_is_told_from_its_generic_drug(
    written: str, expected: tuple[str, str] | None
) -> None:
    assert product(written) == (Product(*expected) if expected else None)


def test_product_treats_the_disease_and_is_its_generic_drug(tmp_path: Path, read: Read) -> None:
    details = ["希舒美(阿奇霉素片)", "阿奇霉素片(阿奇霉素片)", "阿奇霉素"]
    left = read(source(tmp_path, GOUT | {"drug_detail": details}))
    said = [
        (a["head_name"], a["relation"], a["tail_name"] or a["value"], a["problem"])
        for a in left.assertions
        if a["original_relation"] == "drug_detail"
    ]
    assert said == [
        ("希舒美(阿奇霉素片)", "IS_A", "阿奇霉素片", None),
        ("痛风", "TREATED_BY", "希舒美(阿奇霉素片)", None),
        ("阿奇霉素片", "HAS_INGREDIENT", "阿奇霉素", None),
        ("阿奇霉素片", "HAS_NAME", "阿奇霉素片", None),
        ("痛风", "TREATED_BY", "阿奇霉素片", None),
        ("阿奇霉素片", "HAS_INGREDIENT", "阿奇霉素", None),
        ("阿奇霉素", "HAS_NAME", "阿奇霉素", "not written as product(generic drug): '阿奇霉素'"),
    ]


@pytest.mark.parametrize(
    ("field", "item", "problem"),
    [
        ("category", "疾病百科", "the site's root above all diseases is no department"),
        ("cure_department", "其他综合", "'other' is no department"),
        ("symptom", "发热伴咳嗽、咯...", "the name is cut off: '发热伴咳嗽、咯...'"),
        ("cure_way", "无特效治疗", "it denies a treatment: '无特效治疗'"),
        ("common_drug", "片", "one character alone may be a piece of a name: '片'"),
        ("cured_prob", "暂无", "the source has nothing on this: '暂无'"),
    ],
)
def test_item_that_says_nothing_is_a_problem_of_its_own(
    tmp_path: Path, read: Read, field: str, item: str, problem: str
) -> None:
    left = read(source(tmp_path, GOUT | {field: [item]}))
    assert [a["problem"] for a in left.assertions if a["original_relation"] == field] == [problem]


@pytest.mark.parametrize(
    ("entry", "word", "reason"),
    [
        (GOUT | {"father": ["a"]}, "father", "the graph has no relation for 'father'"),
        (
            GOUT | {"symptom": [{"a": 1}]},
            "symptom",
            "the field is neither a text nor a list of them",
        ),
        (GOUT | {"symptom": [" "]}, "symptom", "nothing but blanks is in the field"),
        ({"symptom": ["发热"]}, "name", "no disease: nothing is written there"),
        ({"name": ["痛风"]}, "name", "no disease: its name is a list, not a text"),
        ({"name": {"n": 1}}, "name", "no disease: its name is an object, not a text"),
        ({"name": 5}, "name", "no disease: its name is a number, not a text"),
        ({"name": True}, "name", "no disease: its name is true or false, not a text"),
        (
            GOUT | {"symptom": ["发热", True]},
            "symptom",
            "the field is neither a text nor a list of them",
        ),
        (GOUT | {"symptom": 5}, "symptom", "the field is neither a text nor a list of them"),
        (
            GOUT | _ID,
            "_id",
            "the number of a record in a database names nothing outside it",
        ),
        (
            {"name": "获得性免疫缺..."},
            "name",
            "no disease: the name is cut off: '获得性免疫缺...'",
        ),
    ],
)
def test_field_or_entry_that_does_not_fit_is_quarantined(
    tmp_path: Path, read: Read, entry: dict[str, Any], word: str, reason: str
) -> None:
    (refused,) = read(source(tmp_path, entry)).quarantine
    assert (refused["row"], refused["original_relation"], refused["reason"]) == (1, word, reason)


def test_line_that_is_no_entry_is_quarantined(tmp_path: Path, read: Read) -> None:
    text = '{"name": "痛风"}\n{"name": "百日\n["a"]\n'
    left = read(source(tmp_path, text=text))
    assert left.rows == {"name": 1, "unreadable record": 2}
    assert left.reasons()[3] == "the record is no JSON object"
    assert left.reasons()[2].startswith("not JSON: ")


def test_file_in_another_encoding_is_told(tmp_path: Path, read: Read) -> None:
    text = json.dumps(GOUT | {"desc": "痛风是嘌呤代谢紊乱引起的疾病"}, ensure_ascii=False)
    (tmp_path / "medical.json").write_bytes(text.encode("gb18030"))
    given = MedicalJsonSource(kind="medical-json", file=tmp_path / "medical.json")
    with pytest.raises(SourceError, match=r"medical.json: not UTF-8 text, it looks like gb18030"):
        read(given)
    assert read(given.model_copy(update={"encoding": "gb18030"})).rows == {"name": 1, "desc": 1}


def test_every_field_that_is_a_section_has_a_heading() -> None:
    relations = RelationMap.of("ingest.sources.medical_json").relations
    sections = {word for word, (first, *_) in relations.items() if first.relation == "HAS_SECTION"}
    assert sections == set(HEADINGS)


def test_real_rows_say_what_the_site_says(shared_data: Path, read: Read) -> None:
    file = shared_data / "zh_medical_json" / "medical2.json"
    left = read(MedicalJsonSource(kind="medical-json", file=file))
    assert sum(left.rows.values()) == 429 + 20
    assert Counter(q["original_relation"] for q in left.quarantine) == {"_id": 20}
    stated = [a for a in left.assertions if a["relation"] != "HAS_INGREDIENT"]
    assert Counter(a["problem"] is None for a in stated) == {True: 1989, False: 32}
    assert {
        ("百日咳", "HAS_SYMPTOM", "痉挛性咳嗽"),
        ("百日咳", "MANAGED_IN", "小儿内科"),
        ("百日咳", "TREATED_BY", "红霉素肠溶片"),
        ("百日咳", "AVOIDED_FOOD", "螃蟹"),
        ("百日咳", "COMPLICATED_BY", "肺不张"),
        ("肺泡蛋白质沉积症", "DIAGNOSED_BY", "支气管镜检查"),
        ("希舒美(阿奇霉素片)", "IS_A", "阿奇霉素片"),
        ("百日咳", "TREATED_BY", "利君沙(琥乙红霉素颗粒)"),
    } <= set(left.facts())


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from(["name", "symptom", "drug_detail", "cause", "other", "_id"]),
            st.recursive(
                st.none() | st.integers() | st.text("肺炎(),、 .?"),
                lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab"), inner),
                max_leaves=4,
            ),
        ),
        min_size=1,
        max_size=5,
    )
)
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_an_entry_holds_is_accounted_for(
    tmp_path: Path, read: Read, entries: list[dict[str, Any]]
) -> None:
    left = read(source(tmp_path, *entries))  # compares the accounts
    assert sum(left.rows.values()) >= len(entries)


def test_name_of_a_whole_page_is_no_name(tmp_path: Path, read: Read) -> None:
    left = read(source(tmp_path, {"name": "痛" * 1_000_000}, GOUT | {"check": ["尿" * 1_000_000]}))
    assert left.reasons() == {1: "no disease: too long for a name (1000000 characters)"}
    problems = [a["problem"] for a in left.assertions]
    assert problems == [None, "too long for a name (1000000 characters)"]
