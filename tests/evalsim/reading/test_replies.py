"""What a doctor's reply is read as; the words of other graphs are in docs/patients.md's measurements."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import kg
from evalsim.dialogue import Reading
from evalsim.reading.replies import Reader
from kg.linking import Linker, Names

GOUT, ASTHMA, FEVER, COUGH = "MONDO:0005393", "MONDO:0004979", "HP:0001945", "HP:0012735"


@pytest.fixture(scope="module")
def reader(clinic: Path) -> Iterator[Reader]:
    with kg.connect(str(clinic)) as store:
        yield Reader(store, Linker.of_store(store))


def asked(reading: Reading) -> list[str]:
    return [thing.id for thing in reading.asked]


def named(reading: Reading) -> list[str]:
    return [thing.id for thing in reading.diagnoses]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("Do you have a fever or a cough?", [FEVER, COUGH]),
        ("Since you have a fever, do you also have a cough?", [COUGH]),
        ("Besides the fever, any cough?", [COUGH]),
        ("How long have you had the fever?", []),
        ("You have a fever.", []),
        ("Does anyone in your family have asthma?", []),
        ("Please tell me:\n- **Fever**: have you had any?\n- Cough?", [FEVER, COUGH]),
        ("请问有没有发热、咳嗽？", [FEVER, COUGH]),
        ("除了发热外，还有咳嗽吗？", [COUGH]),
        ("发热多久了？", []),
        ("关节炎的具体部位在哪里？", []),
        ("您好，do you have 咳嗽?", [COUGH]),
    ],
)
def test_finding_asked_for_is_one_that_a_question_does_not_take_for_granted(
    reader: Reader, text: str, ids: list[str]
) -> None:
    assert asked(reader.read(text)) == ids


@pytest.mark.parametrize(
    ("text", "ids", "final"),
    [
        ("This is most likely gout.", [GOUT], True),
        ("It could be gout or asthma.", [GOUT, ASTHMA], False),
        ("Most likely gout, but asthma is possible.", [GOUT, ASTHMA], True),
        ("Most likely gout. Do you have a fever?", [GOUT], False),
        ("Most likely gout. Let me know if your symptoms get worse.", [GOUT], True),
        ("Most likely gout, and let me know how you get on.", [GOUT], True),
        ("最可能是痛风。如有加重请告诉我。", [GOUT], True),
        ("Thank you for telling me that you have asthma.", [], False),
        ("I see that you have asthma. That is important to know.", [], False),
        ("**Final diagnosis: Gout**\n\nDo you have a fever?", [GOUT], True),
        ("Asthma vs gout.", [ASTHMA, GOUT], False),
        ("Your symptoms fit.\n\n**Gout**", [GOUT], True),
        (
            '```json\n{"diagnosis": "gout", "differential": ["asthma"]}\n```',
            [GOUT, ASTHMA],
            True,
        ),
        ("It is not gout. Asthma is the most likely diagnosis.", [ASTHMA], True),
        ("If you had gout, I would ask for more.", [], False),
        ("Gout is a disease of the joints.", [], False),
        ("You have a fever.", [], False),
        ("Most likely gout. Let me know if you have any questions.", [GOUT], True),
        ("您好！可能有以下几种情况：\n1. **痛风**：很痛。\n2. 哮喘", [GOUT, ASTHMA], False),
        ("考虑痛风，不像哮喘。", [GOUT], True),
        ("诊断为痛风。", [GOUT], True),
        ("痛风的可能性大。", [GOUT], True),
        ("是不是痛风？", [], False),
        ("可能是痛风，也可能是哮喘，还有发热吗？", [], False),
    ],
)
def test_diagnosis_is_a_name_that_the_reply_commits_to_or_thinks_of(
    reader: Reader, text: str, ids: list[str], *, final: bool
) -> None:
    reading = reader.read(text)
    assert (named(reading), reading.final) == (ids, final)


def test_diagnosis_that_the_graph_does_not_know_keeps_its_words(reader: Reader) -> None:
    reading = reader.read("My diagnosis is blorptitis of the knee.")
    assert (reading.said_diagnosis, reading.diagnoses, reading.final) == (
        "blorptitis of the knee",
        (),
        True,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        (" \n ", {}),
        ("Anything else?", {"open": True}),
        ("还有什么不舒服吗？", {"open": True}),
        ("Tell me more about it.", {"vague": True}),
        ("能具体说说吗？", {"vague": True}),
        ("How old are you?", {"topics": ("age",)}),
        ("Do you have a pill-rolling habit?", {}),
        ("多大年纪，家里有人得过吗？", {"topics": ("age", "family")}),
        ("I don't know what it is.", {"unknown": True}),
        ("目前无法确定是什么病。", {"unknown": True}),
        ("I'm sorry, I can't provide medical advice.", {"refused": True}),
        ("抱歉，作为AI，我无法提供医疗诊断。", {"refused": True}),
        ("Go to the emergency room now.", {"urgent": True}),
        ("If it gets worse, go to the emergency room.", {}),
        ("请立即就医。", {"urgent": True}),
        ("如果加重，请立即就医。", {}),
        ("Does that make sense?", {}),
        ("您应当立即就医。", {"urgent": True}),
        ("请立即到当地医院急诊。", {"urgent": True}),
        ("同时，请立即就医。", {"urgent": True}),
        (
            "Please go to the emergency room now, and call me when you arrive.",
            {"urgent": True},
        ),
        ("No need to wait for me: go to the emergency room now.", {"urgent": True}),
        ("There is no need to go to the emergency room.", {}),
        ("当出现加重时，请立即就医。", {}),
        ("I am sorry you feel this bad; I will do my best to help you with this.", {}),
        ("I'm sorry to hear about it; I can give you clear advice on this.", {}),
    ],
)
def test_reply_is_read_as_what_else_it_does(
    reader: Reader, text: str, expected: dict[str, object]
) -> None:
    assert reader.read(text) == Reading.model_validate(expected)


@pytest.mark.parametrize(
    ("text", "advised", "against"),
    [
        ("Take ibuprofen three times a day.", ["DRUGBANK:DB01050"], []),
        ("Do not take ibuprofen.", [], ["DRUGBANK:DB01050"]),
        ("Ibuprofen should be avoided.", [], ["DRUGBANK:DB01050"]),
        ("You said that you take ibuprofen.", [], []),
        ("Do you take ibuprofen?", [], []),
        (
            "Ibuprofen will not help with this; you should avoid it.",
            [],
            [],
        ),
        ("建议口服布洛芬。", ["DRUGBANK:DB01050"], []),
        ("禁用布洛芬。", [], ["DRUGBANK:DB01050"]),
        ("避免使用布洛芬。", [], ["DRUGBANK:DB01050"]),
        ("Avoid taking ibuprofen.", [], ["DRUGBANK:DB01050"]),
    ],
)
def test_drug_is_advised_or_advised_against(
    reader: Reader, text: str, advised: list[str], against: list[str]
) -> None:
    reading = reader.read(text)
    assert [t.id for t in reading.treatments] == advised
    assert [t.id for t in reading.advised_against] == against


def test_reply_without_end_is_read_in_part(reader: Reader) -> None:
    text = "Do you have a fever? " + "as if it were " * 20_000 + "Do you have a cough?"
    assert asked(reader.read(text)) == [FEVER]


@pytest.mark.parametrize(
    "text", ["[" * 5_000, "**" * 5_000, "most likely " * 800, "，" * 9_000, "\x00? "]
)
def test_hostile_reply_is_read_as_nothing(reader: Reader, text: str) -> None:
    assert not reader.read(text).diagnoses


@pytest.mark.parametrize(
    ("text", "topics"),
    [
        ("Do you have exercise intolerance?", ()),
        ("Do you have exercise intolerance, and do you exercise?", ("lifestyle",)),
        ("您有运动不耐受吗？", ()),
        ("您平时运动吗？", ("lifestyle",)),
    ],
)
def test_word_in_the_name_of_a_finding_is_no_topic_of_its_own(
    clinic: Path, tmp_path: Path, text: str, topics: tuple[str, ...]
) -> None:
    names = tmp_path / "names.csv"
    names.write_text(
        "id,type,name,language\n"
        "HP:0003546,Symptom,Exercise intolerance,en\n"
        "HP:0003546,Symptom,运动不耐受,zh\n",
        encoding="utf-8",
    )
    with kg.connect(str(clinic)) as store:
        reading = Reader(store, Linker.of_names(Names.read(names))).read(text)
    assert reading.topics == topics
