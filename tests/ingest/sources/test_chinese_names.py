import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.sources.formats.chinese.conditions import Conditions
from ingest.sources.formats.chinese.names import (
    clean,
    denies,
    split,
    unusable,
    unusable_text,
    words,
)


@pytest.mark.parametrize(
    ("written", "name"),
    [
        (" 肥气", "肥气"),
        ("\u3000百日咳\u00a0", "百日咳"),
        ("骨折 [详细]", "骨折"),
        ("膝后肿胀疼痛，", "膝后肿胀疼痛"),
        ("Ｘ线检查", "X线检查"),
        ("肺活量（VC）", "肺活量（VC）"),
        ("高脂蛋白血症Ⅰ型", "高脂蛋白血症Ⅰ型"),
        ("地中海貧血", "地中海貧血"),
        (" [详细]", ""),
    ],
)
def test_name_loses_what_stands_around_it_and_nothing_else(written: str, name: str) -> None:
    assert clean(written) == name


@given(st.text(alphabet="肺炎 ,，、[]详细\uff21\uff11ab\n\u3000", max_size=12))
def test_clean_name_stays_as_it_is(text: str) -> None:
    assert clean(clean(text)) == clean(text)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("枸橼酸西地那非...", "the name is cut off: '枸橼酸西地那非...'"),
        ("枸橼酸西地那非…", "the name is cut off: '枸橼酸西地那非…'"),
        ("暂无相关资料", "the source has nothing on this: '暂无相关资料'"),
        ("盐酸地尔硫\ue006片", "a letter of the name was lost: '盐酸地尔硫\\ue006片'"),
        ("盐酸地尔硫?片", "a letter of the name was lost: '盐酸地尔硫?片'"),
        ("（）", "no letter is in '（）'"),
        ("", "nothing is written there"),
        ("病" * 61, "too long for a name (61 characters)"),
        ("肺炎", None),
        ("癌", None),
    ],
)
def test_what_names_nothing_is_told(name: str, reason: str | None) -> None:
    assert unusable(name) == reason


def test_text_may_be_long_but_not_damaged() -> None:
    assert unusable_text("病" * 5000) is None
    assert unusable_text("约\ue029元") == "letters of the text were lost"
    assert unusable_text("暂无") == "the source has nothing on this: '暂无'"


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("耳、鼻、咽拭子细菌培养,血常规", ["耳、鼻、咽拭子细菌培养", "血常规"]),
        ("骨蚀、股骨头无菌性坏死", ["骨蚀", "股骨头无菌性坏死"]),
        ("羊癫疯，羊角风 ，", ["羊癫疯", "羊角风"]),
        ("猪肉(肥、瘦),鸡蛋", ["猪肉(肥、瘦)", "鸡蛋"]),
        ("辣椒(青、尖)", ["辣椒(青、尖)"]),
        ("Costen综合征", ["Costen综合征"]),
        ("a;b；c", ["a", "b", "c"]),
        ("", []),
    ],
)
def test_list_is_split_at_its_strongest_mark(text: str, items: list[str]) -> None:
    assert split(text) == items


def test_blanks_separate_where_a_list_has_no_marks() -> None:
    assert words("内科  呼吸内科") == ["内科", "呼吸内科"]
    assert words("MRI 脑电图 [详细]") == ["MRI", "脑电图"]


@pytest.mark.parametrize(
    ("treatment", "denied"),
    [
        ("无特效治疗", True),
        ("一般不需要治疗", True),
        ("尚无治愈方法", True),
        ("无水乙醇介入治疗", False),
        ("非手术治疗", False),
        ("不接触过敏药物", False),
    ],
)
def test_denied_treatment_is_seen(treatment: str, denied: bool) -> None:
    assert denies(treatment) is denied


def test_condition_has_one_type_wherever_it_is_named() -> None:
    conditions = Conditions(diseases=["高血压", "Graves病"], symptoms=["高血压", "头痛"])
    assert conditions.type_of("高血压", "Symptom") == "Disease"
    assert conditions.type_of("graves 病", "Symptom") == "Symptom"
    assert conditions.type_of("GRAVES病", "Symptom") == "Disease"
    assert conditions.type_of("头痛", "Disease") == "Symptom"
    assert conditions.type_of("胸膜炎", "Disease") == "Disease"
