"""Findings in other words than their names, on sentences of our own."""

from importlib.resources import files

import pytest
import yaml

from kg.linking import Linker
from kg.linking.described import find_descriptions
from kg.linking.running_text import ReadText
from tests.kg.linking.names_table import names


def found(text: str) -> list[tuple[str, str]]:
    read = ReadText.of(text)
    words = read.canonical
    return [
        (" ".join(words[each.start : each.end]), each.label)
        for each in find_descriptions(words, read.gaps())
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("His leg is swollen", [("leg is swollen", "Pedal edema")]),
        ("pain in his left great toe and ring finger", [
            ("pain in his left great toe", "Toe pain"), ("ring finger", "Finger pain")]),
        ("swelling in the child's legs", [("swelling in the child leg", "Pedal edema")]),
        ("swelling observed around the knee", [("swelling observed around the knee",
                                                "Joint swelling")]),
        ("pain on the right side of my abdomen", [("pain on the right side of my abdomen",
                                                   "Abdominal pain")]),
        ("pain during sexual intercourse", [("pain during sexual intercourse", "Dyspareunia")]),
        ("右上腹阵发性绞痛", [("右 上 腹 阵 发 性 绞 痛", "Abdominal pain")]),
        ("收缩期杂音，动作缓慢，差点晕倒", [
            ("收 缩 期 杂 音", "Systolic heart murmur"), ("动 作 缓 慢", "Bradykinesia"),
            ("差 点 晕 倒", "Presyncope")]),
        ("both knees are very painful", [("knee are very painful", "Knee pain")]),
        ("pain in the right knee", [("pain in the right knee", "Knee pain")]),
        ("swelling and redness of the knee", [("swelling", "Joint swelling"),
                                              ("redness of the knee", "Erythema")]),
        ("neck and shoulder stiffness and pain", [
            ("neck", "Stiff neck"), ("shoulder stiffness", "Stiff shoulders"),
            ("pain", "Shoulder pain")]),
        ("a swollen, painful left knee; no swelling of his hands", [
            ("swollen", "Joint swelling"), ("painful left knee", "Knee pain"),
            ("swelling of his hand", "Edema")]),
        ("knee pain without any swelling", [("knee pain", "Knee pain"),
                                            ("swelling", "Joint swelling")]),
        ("膝盖又红又肿，手脚没劲", [("膝 盖 又 红", "Erythema"), ("肿", "Joint swelling"),
                                    ("手 脚 没 劲", "Muscle weakness")]),
        ("my back hurts", [("back hurt", "Back pain")]),
        ("pain in the lower back", [("pain in the lower back", "Low back pain")]),
        ("weakness of his right upper extremity", [
            ("weakness of his right upper extremity", "Upper limb muscle weakness")]),
        ("right knee: tender, mild effusion", [("effusion", "Knee joint effusion")]),
        ("lung scan: a nodule; a nodule on her leg", [
            ("nodule", "Pulmonary nodule"), ("nodule on her leg", "Skin nodule")]),
        ("his elbow is in a cast and he is sore", []),
        ("嘴里看了，有几处溃疡", [("溃 疡", "Oral ulcer")]),
        ("左侧胸痛不适", [("胸 痛", "Chest pain")]),
        ("Denies chest pain or tightness", [("chest pain", "Chest pain"),
                                            ("tightness", "Chest tightness")]),
        ("her knee was seen; swelling of the cheek", [("swelling of the cheek", "Facial edema")]),
        ("her knee was seen; swelling over the styloid", [("swelling", "Edema")]),
        ("oral antibiotics, then an ulcer", []),
        ("精神不太好，睡得不好，嗓子也有点沙哑，嘴唇干，口干净", [
            ("精 神 不 太 好", "Fatigue"), ("睡 得 不 好", "Insomnia"),
            ("嗓 子 也 有 点 沙 哑", "Hoarse voice"), ("嘴 唇 干", "Chapped lip"),
            ("口 干 净", "")]),
        ("昨天拉了一次，今天拉了三次", [("拉 了 一 次", ""), ("拉 了 三 次", "Diarrhea")]),
        ("my knees crack", [("knee crack", "Joint crepitus")]),
        ("膝盖咔咔响", [("膝 盖 咔 咔 响", "Joint crepitus")]),
        ("why is my left knee so swollen", [("knee so swollen", "Joint swelling")]),
        ("ankle swollen on one side", [("ankle swollen", "Ankle swelling")]),
        ("dry eye drops", [("dry eye drop", "")]),
        ("dizzy when I stand up, can't empty my bladder", [
            ("dizzy when i stand up", "Orthostatic hypotension"),
            ("can t empty my bladder", "Urinary retention")]),
        ("knuckles are stiff, she wets the bed", [
            ("knuckle are stiff", "Joint stiffness"), ("wets the bed", "Enuresis nocturna")]),
        ("起身就眼前发黑，尿不净，嘴角裂了", [("尿 不 净", "Urinary retention"),
                                              ("嘴 角 裂", "Angular cheilitis")]),
        ("he gained 10 pounds", [("gained 10 pound", "Increased body weight")]),
        ("lost about fifteen pounds", [("lost about fifteen pound", "Weight loss")]),
        ("lethargic, pale and diaphoretic", [("lethargic", "Lethargy"), ("pale", "Pallor"),
                                             ("diaphoretic", "Hyperhidrosis")]),
        ("She vomited and threw up", [("vomited", "Vomiting"), ("threw up", "Vomiting")]),
        ("burning when I urinate, it hurts when he pees", [
            ("burning when i urinate", "Dysuria"), ("hurt when he pees", "Dysuria")]),
        ("腿肿了", [("腿 肿", "Pedal edema")]),
        ("拉肚子三天，吃不下", [("拉 肚 子", "Diarrhea"), ("吃 不 下", "Poor appetite")]),
        ("头有点晕，膝盖特别疼", [("头 有 点 晕", "Vertigo"), ("膝 盖 特 别 疼", "Knee pain")]),
        ("吃了止咳药，退烧了", [("止 咳", ""), ("退 烧", "")]),
        ("the knee of the boy was in pain", []),
        ("gained 10 friends; a stiff drink; back to work", []),
        ("腿不疼", [("不 疼", "Pain")]),
        ("felt his heart flutter", [("heart flutter", "Palpitations")]),
        ("二尖瓣轻度反流，喉咙发红，萌牙 8 月", [
            ("二 尖 瓣 轻 度 反 流", "Mitral regurgitation"), ("喉 咙 发 红", "Pharyngitis"),
            ("萌 牙 8", "")]),
    ],
)  # fmt: skip
def test_described_finding_is_the_term_that_it_means(
    text: str, expected: list[tuple[str, str]]
) -> None:
    assert found(text) == expected


def test_description_is_linked_where_the_table_has_the_term_and_with_its_polarity() -> None:
    more = (
        ("HP:0010741", "Symptom", "Pedal edema", "en", True, None),
        ("HP:0002013", "Symptom", "Vomiting", "en", True, None),
    )
    linker = Linker.of_names(names(*more))
    mentions = linker.link(
        "Leg is not swollen. She vomited, no dizzy spells; his leg was swollen."
    )
    assert [(m.text, m.entity and m.entity.id, m.method, m.negated) for m in mentions] == [
        ("swollen", "HP:0010741", "description", True),
        ("vomited", "HP:0002013", "description", False),
        ("leg was swollen", "HP:0010741", "description", False),
    ]


@pytest.mark.parametrize(
    "text", ["没有吐泡泡", "鼻子里有干鼻涕", "喉咙里有红点", "体重增长较慢", "吃平喘药", "寻麻疹"]
)
def test_description_within_another_word_is_none(text: str) -> None:
    more = (
        ("HP:0002013", "Symptom", "Vomiting", "en", True, None),
        ("HP:0033521", "Symptom", "Nasal dryness", "en", True, None),
        ("HP:0025439", "Symptom", "Pharyngitis", "en", True, None),
        ("HP:0004324", "Symptom", "Increased body weight", "en", True, None),
        ("HP:0002094", "Symptom", "Dyspnea", "en", True, None),
        ("MONDO:0004619", "Disease", "麻疹", "zh", True, None),
    )
    assert [m for m in Linker.of_names(names(*more)).link(text) if m.linked] == []


def test_each_place_of_what_is_denied_is_denied() -> None:
    more = (
        ("HP:0000282", "Symptom", "Facial edema", "en", True, None),
        ("HP:0031244", "Symptom", "Swollen lip", "en", True, None),
    )
    mentions = Linker.of_names(names(*more)).link("Her face and lips are not swollen.")
    assert [(m.text, m.negated) for m in mentions] == [("face", True), ("swollen", True)]


def test_name_of_an_ontology_goes_before_a_description_of_the_same_words() -> None:
    more = (
        ("HP:0001288", "Symptom", "Gait disturbance", "en", True, None),
        ("HP:0002317", "Symptom", "Unsteady gait", "en", True, None),
    )
    mentions = Linker.of_names(names(*more)).link("An unsteady gait, and limping.")
    assert [(m.text, m.entity and m.entity.id) for m in mentions] == [
        ("unsteady gait", "HP:0002317"),
        ("limping", "HP:0001288"),
    ]


def test_name_that_is_denied_goes_before_a_description_that_denies() -> None:
    more = (
        ("HP:0004396", "Symptom", "Poor appetite", "en", True, None),
        ("HP:0004396", "Symptom", "食欲减退", "zh", True, None),
    )
    mentions = Linker.of_names(names(*more)).link("没有食欲减退。我没有食欲。")
    assert [(m.text, m.negated) for m in mentions] == [("食欲减退", True), ("没有食欲", False)]


def test_longer_name_and_the_end_of_a_line_go_before_a_description() -> None:
    more = (
        ("HP:0002013", "Symptom", "Vomiting", "en", True, None),
        ("HP:41", "Symptom", "Projectile vomiting", "en", True, None),
        ("HP:0030839", "Symptom", "Knee pain", "en", True, None),
        ("HP:0200042", "Symptom", "Skin ulcer", "en", True, None),
        ("HP:42", "Symptom", "Pressure sore", "en", True, None),
    )
    linker = Linker.of_names(names(*more))
    mentions = linker.link(
        "Projectile vomiting. A note on the knee\nPainful days. A pressure sore on the hip."
    )
    assert [(m.text, m.entity and m.entity.id) for m in mentions] == [
        ("Projectile vomiting", "HP:41"),
        ("Painful", "HP:4"),
        ("pressure sore", "HP:42"),
    ]


def test_what_is_against_a_finding_is_none() -> None:
    more = (("HP:0012735", "Symptom", "Cough", "en", True, None),)
    mentions = Linker.of_names(names(*more)).link("cough syrup against a cough")
    assert [(m.start, m.text) for m in mentions] == [(22, "cough")]


TABLE = yaml.safe_load(
    (files("kg.linking") / "descriptions.yaml").read_text("utf-8")  # as the linker reads it
)
PHRASES = [
    (phrase, term.partition(" ")[2])
    for part in ("phrases", "denied")
    for term, said in TABLE[part].items()
    for phrases in said.values()
    for phrase in phrases
]
STANDING_FOR = {"~": " ", "#": " 3 ", "@mass": "kg", "@is": "is", "@who": "I", "@grade": "3/5"}


def test_every_phrase_of_the_table_is_found_whole_as_its_own_term() -> None:
    wrong = []
    for phrase, label in PHRASES:
        text = phrase
        for sign, words in STANDING_FOR.items():
            text = text.replace(sign, words)
        read = ReadText.of(text)
        told = [(each.start, each.end, each.label) for each in find_descriptions(read.canonical)]
        if told != [(0, len(read.canonical), label)]:
            wrong.append((phrase, label, told))
    assert wrong == []


@pytest.mark.parametrize(
    "text",
    [
        # words of the table in another sense, or beside what makes them another word
        "She is able to fall asleep", "pain medication and the pain clinic", "seizure precautions",
        "The nervous system is intact", "atherosclerotic plaque of the carotid", "a diabetic diet",
        "heel and toe walking is normal", "chest congestion", "sputum culture was sent",
        "body mass index of 22 and muscle mass", "cough syrup and cough drops", "dry eye drops",
        "arms and legs move freely", "hand in hand, a red car, a stiff drink", "back to school",
        "He lost his job and gained a friend", "her head of bed is raised", "pupils equal",
        "lifting weights helped build muscles", "no acute distress", "a rundown of his history", "他不会吐痰",
        "I will run down a list", "a soft-tissue depression", "hormonal imbalance", "breath out",
        "吃了退烧药和止咳糖浆", "开了肺力咳和平喘药", "严重影响生活", "你别紧张", "痰培养和痰涂片",
        "脾气急躁", "痰不易咳出", "伸舌居中", "舌头看不清楚是不是这样",
        "吸鼻涕器", "他吐舌头、吐泡泡", "颈软", "腹部平软", "头发很长", "手上拿着药", "脸上长了东西",
        "吃腹泻奶粉以前", "月经规律，大小便正常", "精神可，食欲可，睡眠尚可", "抽血化验", "喝酒吗",
    ],
)  # fmt: skip
def test_words_in_another_sense_describe_no_finding(text: str) -> None:
    assert [each for each in found(text) if each[1]] == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("afebrile and anicteric", [("Fever", True), ("Jaundice", True)]),
        ("体温正常，没再吐", [("Fever", True), ("Vomiting", True)]),
        ("painless papule", [("Pain", True)]),
        ("febrile", [("Fever", False)]),
    ],
)
def test_words_that_deny_by_themselves_are_denials(
    text: str, expected: list[tuple[str, bool]]
) -> None:
    read = ReadText.of(text)
    told = [(each.label, each.denied) for each in find_descriptions(read.canonical, read.gaps())]
    assert told == expected
