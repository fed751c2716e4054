import gzip
from importlib.resources import files
from pathlib import Path

import opencc
import pytest

from ingest.sources import Icd10CmSource
from ingest.sources.icd10cm.source import COLUMNS
from ingest.sources.icd10cm.taiwan import Taiwan, reviewed_words
from ingest.sources.icd10cm.titles import Names, names_of
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read

PNEUMONIA = "J18.9\tPneumonia, unspecified organism\t肺炎"


def table(folder: Path, *rows: str) -> Icd10CmSource:
    path = folder / "codes.tsv"
    path.write_text("\n".join(["\t".join(COLUMNS), *rows]) + "\n", encoding="utf-8")
    return Icd10CmSource(kind="icd10cm", file=path)


def test_title_in_both_languages_gives_names_of_the_code(tmp_path: Path, read: Read) -> None:
    english, chinese = read(table(tmp_path, PNEUMONIA)).assertions
    assert {name: value for name, value in english.items() if value is not None} == {
        "source": "icd10cm",
        "file": "codes.tsv",
        "row": 1,
        "original_relation": "title",
        "head": "ICD10CM:J18.9",
        "head_type": "Disease",
        "relation": "HAS_BRIDGED_NAME",
        "value": "Pneumonia",
        "language": "en",
    }
    assert chinese == english | {"value": "肺炎", "language": "zh"}


def test_symptoms_and_signs_are_symptoms(tmp_path: Path, read: Read) -> None:
    left = read(table(tmp_path, "R50.9\tFever, unspecified\t發燒", PNEUMONIA))
    assert {(a["head_type"], a["value"]) for a in left.assertions} == {
        ("Symptom", "Fever"),
        ("Symptom", "发烧"),
        ("Symptom", "发热"),
        ("Disease", "Pneumonia"),
        ("Disease", "肺炎"),
    }


def test_codes_of_one_title_are_one_thing_under_the_first(tmp_path: Path, read: Read) -> None:
    rows = ["A00\tCholera\t霍亂", "A00.9\tCholera, unspecified\t霍亂病"]
    assert read(table(tmp_path, *rows)).facts() == [
        ("ICD10CM:A00", "HAS_BRIDGED_NAME", "Cholera"),
        ("ICD10CM:A00", "HAS_BRIDGED_NAME", "霍乱"),
        ("ICD10CM:A00", "HAS_BRIDGED_NAME", "Cholera"),
        ("ICD10CM:A00", "HAS_BRIDGED_NAME", "霍乱病"),
    ]


def test_chinese_title_of_two_english_ones_is_quarantined(tmp_path: Path, read: Read) -> None:
    rows = ["A46\tHepatic sclerosis\t肝硬化", "A47\tCirrhosis of liver\t肝硬化"]
    assert read(table(tmp_path, *rows)).reasons() == {
        1: "the Chinese title is also that of 'Cirrhosis of liver'",
        2: "the Chinese title is also that of 'Hepatic sclerosis'",
    }


def test_chinese_title_stays_with_the_english_one_that_says_least(
    tmp_path: Path, read: Read
) -> None:
    rows = ["N80\tEndometriosis\t子宮異位", "N80.0\tEndometriosis of the uterus\t子宮異位"]
    left = read(table(tmp_path, *rows))
    assert [value for _, _, value in left.facts()] == ["Endometriosis", "子宫异位"]
    assert left.reasons() == {2: "the Chinese title is also that of 'Endometriosis'"}


@pytest.mark.parametrize(
    ("english", "chinese", "names"),
    [
        ("Lordosis, unspecified, site unspecified", "未明示部位脊椎前彎症", ("Lordosis",)),
        ("Unspecified personality disorder", "非特定的人格障礙症", ("Personality disorder",)),
        ("Bronchitis, not specified as acute or chronic", "支氣管炎", ("Bronchitis",)),
        ("Mumps", "流行性腮腺炎", ("Mumps",)),
        ("Rubella [German measles]", "德國麻疹", ("Rubella", "German measles")),
        ("Inclusion body myositis [IBM]", "內含體肌病變", ("Inclusion body myositis",)),
        ("Relapsing panniculitis [Weber-Christian]", "脂層炎", ("Relapsing panniculitis",)),
        (
            "Third [oculomotor] nerve palsy",
            "第三對腦神經麻痺",
            ("Third nerve palsy", "oculomotor nerve palsy"),
        ),
        ("Chronic systolic (congestive) heart failure", "慢性心衰", ("Chronic systolic heart failure",)),
        ("Burn of lip(s)", "唇燒傷", ("Burn of lip", "lip burn")),
        ("Cleft lip, midline", "中線唇裂", ("Cleft lip, midline", "midline cleft lip")),
        ("Serous conjunctivitis, except viral", "結膜炎", ("Serous conjunctivitis, except viral",)),
        ("Disorder of ligament, hand", "手韌帶疾患", ("Disorder of ligament, hand",)),
        ("Turner's syndrome", "Turner氏症候群", ("Turner's syndrome", "Turner syndrome")),
        (
            "Multiple endocrine neoplasia [MEN] type IIA",
            "多發性內分泌腫瘤，第IIA型",
            ("Multiple endocrine neoplasia type IIA", "Multiple endocrine neoplasia type 2A"),
        ),
        ("Vitamin K deficiency", "維生素K缺乏", ("Vitamin K deficiency",)),
        ("Hand, foot and mouth disease", "手足口病", ("Hand, foot and mouth disease",)),
        ("Hypertrophy of adenoids", "腺樣體肥大", ("Hypertrophy of adenoids", "adenoid hypertrophy")),
        ("Cyst of pancreas", "胰臟囊腫", ("Cyst of pancreas", "pancreas cyst")),
        (
            "Disorder of the thyroid, unspecified",
            "甲狀腺疾患",
            ("Disorder of the thyroid", "thyroid disorder", "thyroid disease"),
        ),
        ("Malignant neoplasm of lip", "唇惡性腫瘤", ("Malignant neoplasm of lip", "lip cancer")),
        ("Myelodysplastic syndromes", "症候群", ("Myelodysplastic syndromes", "Myelodysplastic syndrome")),
        ("Fracture of shaft of femur", "股骨幹骨折", ("Fracture of shaft of femur",)),
        ("Abscess of lung and mediastinum", "膿瘍", ("Abscess of lung and mediastinum",)),
    ],
)  # fmt: skip
def test_title_is_called_as_people_say_it(
    english: str, chinese: str, names: tuple[str, ...]
) -> None:
    found = names_of("K00", english, chinese)
    assert isinstance(found, Names), found
    assert found.english == names


@pytest.mark.parametrize(
    ("english", "chinese", "names"),
    [
        ("Cardiomyopathy, unspecified", "未明示的心肌病變", ("心肌病變",)),
        ("Peptic ulcer, site unspecified", "消化性潰瘍，部位未明示者", ("消化性潰瘍",)),
        ("Pneumonia, unspecified organism", "未明示病原體肺炎", ("肺炎",)),
        ("Skeletal fluorosis", "骨骼氟中毒(症)", ("骨骼氟中毒", "骨骼氟中毒症")),
        ("Caisson disease [decompression sickness]", "潛水夫病[減壓症]", ("潛水夫病", "減壓症")),
        ("Systolic (congestive) heart failure", "收縮性(充血性)心衰", ("收縮性心衰",)),
        ("Nonspecific urethritis", "非特定性的尿道炎", ("非特定性的尿道炎",)),
        ("Chronic COPD", "慢性阻\uf96c性肺病", ("慢性阻塞性肺病",)),
        ("B-cell lymphoma", "Ｂ細胞淋巴瘤（瀰漫性）", None),
        ("Nail dystrophy", "指(趾)甲失養", None),
    ],
)
def test_titles_are_stripped_alike_or_give_no_name(
    english: str, chinese: str, names: tuple[str, ...] | None
) -> None:
    found = names_of("K00", english, chinese)
    if names is None:
        assert found == "only one of the two titles has something in brackets"
    else:
        assert isinstance(found, Names), found
        assert found.chinese == names


@pytest.mark.parametrize(
    ("code", "english", "chinese", "reason"),
    [
        ("V01.0", "Pedestrian injured", "行人", "a cause from outside (chapter 20) is no disease"),
        ("Z00", "General examination", "檢查", "a reason to see a doctor (chapter 21)"),
        ("S52.501A", "Fracture, initial", "骨折", "the seventh character tells an encounter"),
        ("E03", "Other hypothyroidism", "其他低下", "'other' names a remainder"),
        (
            "R16",
            "Hepatomegaly, not elsewhere classified",
            "肝腫大",
            "what is classified elsewhere",
        ),
        ("I69.3", "Sequelae of cerebral infarction", "後遺症", "what another disease leaves"),
        ("T40.1", "Poisoning by heroin, accidental", "中毒", "the title tells how a drug"),
        ("O22", "Varicose veins, second trimester", "妊娠", "the title tells of a pregnancy"),
        ("L02", "Abscess of back [any part, except buttock]", "背膿瘍", "the title counts sites"),
        ("H10.1", "Conjunctivitis, left eye", "左側", "the title names one side of the body"),
        ("H10.2", "Conjunctivitis, bilateral", "雙側", "the title names one side of the body"),
        (
            "H10.3",
            "Conjunctivitis, unspecified eye",
            "眼",
            "the title leaves something unspecified",
        ),
        ("K29", "Gastritis, unspecified, without bleeding", "胃炎", "the title leaves something"),
        ("K30", "Unspecified", "未明示", "the title leaves something unspecified"),
        ("K31", "Gastritis, unspecified", "，未明示", "nothing is left of a title"),
        ("K32", "[Gastritis]", "[胃炎]", "nothing is left of a title"),
        ("J12", "Pneumonia", "未明示病原體肺炎", "the Chinese title leaves something unspecified"),
        ("B26.9", "Mumps", "其他流行性腮腺炎", "the Chinese title names a remainder"),
        ("K35", "Acute appendicitis", "闌尾炎", "only one of the two titles says 'acute'"),
        ("K36", "Appendicitis", "慢性闌尾炎", "only one of the two titles says 'chronic'"),
        (
            "Q26",
            "Malformation of vein",
            "先天性靜脈畸形",
            "only one of the two titles says 'congen",
        ),
    ],
)
def test_code_that_names_no_one_thing_gives_no_name(
    code: str, english: str, chinese: str, reason: str
) -> None:
    found = names_of(code, english, chinese)
    assert isinstance(found, str)
    assert found.startswith(reason)


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Double outlet right ventricle", "右心室雙重出口"),
        ("Right lower quadrant pain", "右下四分之一腹痛"),
        ("Left-sided heart failure", "左心衰竭"),
        ("Right fascicular block", "右束支傳導阻滯"),
        ("Foreign body left during a procedure", "處置中異物遺留"),
        ("Urgency of urination", "尿急"),
        ("Kwashiorkor", "小兒惡性營養不良症"),
        ("Lichen simplex chronicus", "慢性單純苔癬"),
        ("Type 2 diabetes mellitus", "第二型糖尿病"),
    ],
)
def test_words_that_only_look_like_a_side_or_a_difference_stay(english: str, chinese: str) -> None:
    found = names_of("K00", english, chinese)
    assert isinstance(found, Names), found
    assert (found.english[0], found.chinese) == (english, (chinese,))


def test_rows_that_are_no_codes_are_quarantined(tmp_path: Path, read: Read) -> None:
    rows = [
        "J189\tPneumonia\t肺炎",
        "\tPneumonia\t肺炎",
        PNEUMONIA,
        PNEUMONIA,
        "J19\t\t肺炎",
        "J20\tBronchitis\tBronchitis",
        "J21\t肺炎\t肺炎",
        "J22\tBronchitis",
    ]
    told = "is no code of ICD-10-CM; write it with its dot, e.g. J18.9"
    assert read(table(tmp_path, *rows)).reasons() == {
        1: f"'J189' {told}",
        2: f"'' {told}",
        4: "the code stands in row 3 already",
        5: "the row has no English title",
        6: "the row has no Chinese title",
        7: "the row has no English title",
        8: "the row has fewer fields than the header",
    }


def test_unusable_files_are_told(tmp_path: Path, read: Read) -> None:
    source = table(tmp_path)
    source.file.write_text("code\tname_en\n", encoding="utf-8")
    with pytest.raises(SourceError, match="lacks 'name_zh_hant'"):
        read(source)
    source.file.write_bytes(b"")
    with pytest.raises(SourceError, match=r"codes.tsv: the file is empty"):
        read(source)


def test_packed_table_is_read_alike(tmp_path: Path, read: Read) -> None:
    source = table(tmp_path, PNEUMONIA)
    packed = tmp_path / "codes.tsv.gz"
    packed.write_bytes(gzip.compress(source.file.read_bytes()))
    assert read(Icd10CmSource(kind="icd10cm", file=packed)).facts() == read(source).facts()


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("霍亂", ("霍乱",)),
        ("慢性攝護腺炎", ("慢性摄护腺炎", "慢性前列腺炎")),
        ("巴金森氏症", ("巴金森氏症", "帕金森病")),
        ("脊椎狹窄症", ("脊椎狭窄症", "椎管狭窄")),
        ("Turner氏症候群", ("Turner氏症候群", "Turner综合征")),
        ("股骨遠端骨折", ("股骨远端骨折",)),
        ("氣喘", ("哮喘",)),
        ("異位性皮膚炎", ("异位性皮肤炎", "特应性皮炎")),
        (
            "異位性腎上腺皮質促素症候群",
            ("异位性肾上腺皮质促素症候群", "异位性肾上腺皮质促素综合征"),
        ),
    ],
)
def test_name_is_said_in_words_of_taiwan_and_of_the_mainland(
    written: str, names: tuple[str, ...]
) -> None:
    assert Taiwan().names(written) == names


def test_reviewed_words_are_traditional_to_simplified_each_once() -> None:
    text = (files("ingest.sources.icd10cm") / "taiwan.tsv").read_text(encoding="utf-8")
    _, *rows = [line.split("\t") for line in text.splitlines()]
    words = reviewed_words()
    assert len(rows) == len(words)
    assert {len(row) for row in rows} == {4}
    simplify = opencc.OpenCC("t2s").convert
    assert {
        word.mainland for word in words.values() if simplify(word.mainland) != word.mainland
    } == set()


def test_reviewed_words_stand_in_titles_of_their_codes(shared_data: Path) -> None:
    path = shared_data / "icd10cm_zh" / "icd10cm_2023_en_zh.tsv"
    codes = {line.split("\t", 1)[0] for line in path.read_text(encoding="utf-8").splitlines()}
    text = (files("ingest.sources.icd10cm") / "taiwan.tsv").read_text(encoding="utf-8")
    examples = {line.split("\t")[2] for line in text.splitlines()[1:]}
    assert examples <= codes


def test_every_code_gives_names_or_a_reason(shared_data: Path, read: Read) -> None:
    path = shared_data / "icd10cm_zh" / "icd10cm_2023_en_zh.tsv"
    left = read(Icd10CmSource(kind="icd10cm", file=path))
    assert left.rows == {"title": 96_802}
    assert len(left.quarantine) + len({a["row"] for a in left.assertions}) == 96_802
    assert {a["problem"] for a in left.assertions} == {None}
    named = {(a["language"], a["value"]): a["head"] for a in left.assertions}
    assert named["zh", "哮喘"] == named["en", "Asthma"] == "ICD10CM:J45"
    assert named["zh", "银屑病"] == named["en", "Psoriasis"] == "ICD10CM:L40"
    assert ("zh", "气喘") not in named
    assert not [v for language, v in named if language == "zh" and ("其他" in v or "未明示" in v)]
    assert not [v for language, v in named if language == "en" and "unspecified" in v.lower()]
