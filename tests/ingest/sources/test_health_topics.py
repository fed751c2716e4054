"""Health topics: what an entry states, what is refused, and the topics that medkg brings."""

from collections import Counter
from pathlib import Path

import pytest

from ingest.sources import HealthTopicsSource
from ingest.sources.health_topics.source import HEADINGS
from kg.errors import SourceError
from tests.ingest.sources.conftest import Left, Read

PAGE = "https://example.org/typhoid"
TYPHOID = f"""
- type: Disease
  id: MONDO:0005619
  en: typhoid fever
  zh: 伤寒
  also: {{en: [enteric fever]}}
  read: [{PAGE}]
"""


def source(folder: Path, text: str) -> HealthTopicsSource:
    path = folder / "topics.yaml"
    path.write_text(text, encoding="utf-8")
    return HealthTopicsSource(kind="health-topics", file=path)


def facts(left: Left) -> list[tuple[str, str, str, str, str]]:
    return [
        (a["head"], a["relation"], a["tail_type"], a["tail_name"], a["evidence"])
        for a in left.assertions
        if a["tail_name"] and a["tail_type"] != "Section"
    ]


def test_items_are_facts_in_the_order_in_which_they_are_typical(
    tmp_path: Path, read: Read
) -> None:
    text = f"""{TYPHOID}
  symptoms: [fever | 发热, "Disease: anemia | 贫血"]
  causes: [Organism: Salmonella Typhi | 伤寒沙门菌]
"""
    left = read(source(tmp_path, text.replace('"', "")))
    head = "MONDO:0005619"
    assert facts(left) == [
        (head, "HAS_SYMPTOM", "Symptom", "fever", "rank 1"),
        (head, "HAS_SYMPTOM", "Disease", "anemia", "rank 2"),
        (head, "CAUSED_BY", "Organism", "Salmonella Typhi", "rank 1"),
    ]
    assert {a["publications"] for a in left.assertions if a["evidence"]} == {PAGE}
    assert left.quarantine == []


def test_things_have_their_names_in_both_languages(tmp_path: Path, read: Read) -> None:
    left = read(source(tmp_path, f"{TYPHOID}  symptoms: [fever | 发热]\n"))
    names = [
        (a["head_name"], a["relation"], a["language"], a["value"])
        for a in left.assertions
        if a["relation"] in {"HAS_NAME", "HAS_LAY_SYNONYM"}
    ]
    assert names == [
        ("typhoid fever", "HAS_NAME", "zh", "伤寒"),
        ("typhoid fever", "HAS_LAY_SYNONYM", "en", "enteric fever"),
        ("fever", "HAS_NAME", "zh", "发热"),
    ]


def test_text_is_a_section_in_each_language(tmp_path: Path, read: Read) -> None:
    text = (
        f"{TYPHOID}  texts: {{spread: {{en: Typhoid fever is contagious., zh: 伤寒会传染。}}}}\n"
    )
    left = read(source(tmp_path, text))
    told = [
        (a["head_name"], a["language"], a["value"])
        for a in left.assertions
        if a["relation"] == "HAS_TEXT"
    ]
    english, chinese = HEADINGS["spread"]
    assert told == [
        (english, "en", "Typhoid fever is contagious."),
        (chinese, "zh", "伤寒会传染。"),
    ]
    sections = {a["tail"] for a in left.assertions if a["relation"] == "HAS_SECTION"}
    assert len(sections) == 2
    assert sections == {a["head"] for a in left.assertions if a["relation"] == "HAS_TEXT"}


def test_question_is_a_section_called_by_its_wordings(tmp_path: Path, read: Read) -> None:
    text = f"""{TYPHOID}
  questions:
    - ask: {{en: [Can typhoid fever come back, does it return], zh: [伤寒会复发吗, 会不会又得, 还会来吗]}}
      say: {{en: "Yes, typhoid fever can.", zh: 会，伤寒可能复发。}}
"""
    left = read(source(tmp_path, text))
    assert left.quarantine == []
    said = [
        (a["relation"], a["language"], a["value"])
        for a in left.assertions
        if a["head_type"] == "Section"
    ]
    assert said == [
        ("HAS_NAME", "en", "Can typhoid fever come back"),
        ("HAS_SYNONYM", "en", "does it return"),
        ("HAS_TEXT", "en", "Yes, typhoid fever can."),
        ("HAS_NAME", "zh", "伤寒会复发吗"),
        ("HAS_SYNONYM", "zh", "会不会又得"),
        ("HAS_SYNONYM", "zh", "还会来吗"),
        ("HAS_TEXT", "zh", "会，伤寒可能复发。"),
    ]
    sections = {a["tail"] for a in left.assertions if a["relation"] == "HAS_SECTION"}
    assert sections == {a["head"] for a in left.assertions if a["head_type"] == "Section"}


def test_what_a_test_is_is_a_question_too_by_each_of_its_names(tmp_path: Path, read: Read) -> None:
    text = """
- type: Test
  en: gastroscopy
  zh: 胃镜检查
  also: {en: [stomach scope], zh: [胃镜]}
  read: [https://example.org/gastroscopy]
  texts:
    about: {en: A tube with a camera., zh: 带摄像头的管子。}
"""
    left = read(source(tmp_path, text))
    assert left.quarantine == []
    called = {
        a["value"]: a["head"] for a in left.assertions if a["original_relation"] == "questions"
    }
    assert called["What is gastroscopy?"] == called["What is stomach scope?"]
    assert called["胃镜检查是什么"] == called["胃镜是什么"]
    assert "A tube with a camera." in called


def test_topic_that_was_compared_with_no_page_counts_only_if_asked_for(
    tmp_path: Path, read: Read
) -> None:
    text = "- {type: Disease, en: gout, zh: 痛风, read: [], symptoms: [joint pain | 关节痛]}"
    left = read(source(tmp_path, text))
    assert [(q["original_relation"], q["reason"]) for q in left.quarantine] == [
        ("topic", "it was compared with no page; 'uncompared: true' takes it")
    ]
    taken = read(source(tmp_path, text).model_copy(update={"uncompared": True}))
    assert [(name, evidence) for *_, name, evidence in facts(taken)] == [("joint pain", "rank 1")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("symptoms: [fever]", "an item is 'English | Chinese', with one type before it or none"),
        ("symptoms: [a | b | c]", "an item is 'English | Chinese', with one type before it or none"),
        ("causes: [germ | 菌]", "an item of causes needs a type before it"),
        ("causes: [Anatomy: heart | 心]", "CAUSED_BY takes no Anatomy"),
        ("uses: [fever | 发热]", "a Disease has no uses"),
        ("cures: [rest | 休息]", "a topic has no list 'cures'"),
        ("texts: {price: {en: It is cheap., zh: 便宜。}}", "there is no heading for 'price'"),
    ],
)  # fmt: skip
def test_item_that_states_nothing_is_quarantined(
    tmp_path: Path, read: Read, line: str, reason: str
) -> None:
    left = read(source(tmp_path, f"{TYPHOID}  {line}\n  tests: [blood culture | 血培养]\n"))
    assert [q["reason"] for q in left.quarantine] == [reason]
    assert [name for *_, name, _ in facts(left)] == ["blood culture"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("- [", "not a YAML file"),
        ("[" * 100_000, "it is nested too deeply"),
        ("a: 1", "the whole: Input should be a valid list"),
        ("- {type: Disease, en: x, zh: y}", "0.read: Field required"),
        ("- {type: Gene, en: x, zh: y, read: []}", "0.type: Input should be"),
        ("- {type: Drug, en: x, zh: y, read: [], questions: [{ask: {en: [], zh: [a]}, say: {en: b, zh: c}}]}", "0.questions.0.ask.en: List should have at least 1 item"),
        ("- {type: Drug, en: x, zh: y, read: [], uses: gout}", "0.uses: Input should be a valid"),
    ],
)  # fmt: skip
def test_file_that_has_no_topics_is_an_error(
    tmp_path: Path, read: Read, text: str, error: str
) -> None:
    with pytest.raises(SourceError, match=f"topics.yaml: {error}.*; correct the file"):
        read(source(tmp_path, text))


def test_folder_without_topics_is_an_error(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match=r"no \.yaml file is in it"):
        read(HealthTopicsSource(kind="health-topics", file=tmp_path))


def test_topics_that_medkg_brings_are_whole_and_each_is_there_once(read: Read) -> None:
    left = read(HealthTopicsSource(kind="health-topics"))
    assert left.quarantine == []  # each was compared with pages
    assert [a for a in left.assertions if a["problem"]] == []
    named = Counter(
        (a["head_type"], a["head_name"]) for a in left.assertions if a["original_relation"] == "zh"
    )
    assert (len(named), max(named.values())) == (1396, 1)
    cited = {a["head_name"] for a in left.assertions if a["publications"]}
    assert cited == {name for _, name in named}
    ids = {a["head_name"]: a["head"] for a in left.assertions if a["original_relation"] == "zh"}
    given = [id_ for id_ in ids.values() if id_]
    assert len(given) == len(set(given)) > 900
