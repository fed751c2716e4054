"""Linking of mentions and running text with a small table of names."""

import random
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import kg
from ingest.merge import MergeConfig, merge
from kg.errors import ConfigurationError, LinkingError
from kg.linking import Linker, LinkOptions, Names
from kg.linking.mention import Mention
from kg.linking.names import SCHEMA
from kg.progress import Silent
from tests.ingest.rows import said, write_assertions
from tests.kg.linking.names_table import names

XES = (
    ("MONDO:20", "Disease", "Ehlers syndrome", "en", True, None),
    ("MONDO:20", "Disease", "XES", "en", False, None),
    ("MONDO:21", "Disease", "XES I", "en", True, None),
)
WIDE = "FEVER".translate({at: at + 0xFEE0 for at in range(0x21, 0x7F)})
"""In full-width letters."""


@pytest.fixture(scope="module")
def linker() -> Linker:
    return Linker.of_names(names())


def told(mentions: list[Mention]) -> list[tuple[str, str | None, str | None]]:
    return [(m.text, m.entity.id if m.entity else None, m.method) for m in mentions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Heart attacks", [("Heart attacks", "MONDO:1", "exact")]),
        ("type II diabetes mellitus", [("type II diabetes mellitus", "MONDO:2", "exact")]),
        ("noninsulin dependent diabetes", []),
        ("diabetes mellitus. Fever", [("diabetes mellitus", "MONDO:3", "exact"),
                                      ("Fever", "HP:1", "exact")]),
        ("他有二型糖尿病和头痛", [("二型糖尿病", "MONDO:2", "exact"), ("头痛", "HP:3", "exact")]),
        ("發熱、頭痛", [("發熱", "HP:1", "exact"), ("頭痛", "HP:3", "exact")]),
        (f"{WIDE} and mixed 发热", [(WIDE, "HP:1", "exact"), ("发热", "HP:1", "exact")]),
        ("还有点头痛", [("头痛", "HP:3", "exact")]),
        ("all was well", []),
        ("relapsed ALL", []),
        ("relapsing fever A and fever", [("fever", "HP:1", "exact")]),
        ("非糖尿病，糖尿病药", []),
        ("chest\npain, pain\nin my chest", [("chest\npain", "HP:2", "exact"),
                                              ("pain\nin my chest", "HP:2", "description")]),
        ("copd", [("copd", "MONDO:6", "exact")]),
        ("a terrible haedache", [("haedache", "HP:3", "spelling")]),
        ("pain in my chest", [("pain in my chest", "HP:2", "word order")]),
    ],
)  # fmt: skip
def test_names_in_running_text(
    linker: Linker, text: str, expected: list[tuple[str, str | None, str | None]]
) -> None:
    assert [item for item in told(linker.link(text)) if item[1]] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He has XES\nI told him.", [("XES", "MONDO:20")]),
        ("Headache\nPain in the evening", [("Headache", "HP:3"), ("Pain", "HP:4")]),
        ("known XES I, chest\npain", [("XES I", "MONDO:21"), ("chest\npain", "HP:2")]),
    ],
)
def test_mention_does_not_cross_a_line_that_ends(
    text: str, expected: list[tuple[str, str]]
) -> None:
    linker = Linker.of_names(names(*XES))
    assert [item[:2] for item in told(linker.link(text))] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("severe aeortic stenosis", ("aeortic stenosis", "MONDO:22", "spelling")),
        ("stenosis of the nose", ("stenosis", "HP:20", "exact")),
    ],
)
def test_misspelt_longer_name_goes_before_a_part_that_is_right(
    text: str, expected: tuple[str, str, str]
) -> None:
    more = (
        ("MONDO:22", "Disease", "aortic stenosis", "en", True, None),
        ("HP:20", "Symptom", "Stenosis", "en", True, None),
    )
    assert told(Linker.of_names(names(*more)).link(text)) == [expected]


def test_words_in_another_order_are_found_alike_in_few_texts_and_in_many() -> None:
    more = (
        ("HP:41", "Symptom", "pain of the left knee", "en", True, None),
        ("HP:42", "Symptom", "swelling of the knee", "en", True, None),
    )
    linker = Linker.of_names(names(*more))
    text = "left knee pain and knee swelling"
    first = told(linker.link(text))
    assert [(id_, how) for _, id_, how in first] == [
        ("HP:41", "word order"),
        ("HP:42", "word order"),
    ]
    for _ in range(50):
        assert told(linker.link(text)) == first


def test_ontology_and_what_has_a_concept_go_before_namesakes() -> None:
    more = (
        ("MEDKG:Disease.1", "Disease", "Fever", "en", True, "C1"),
        ("ICD9CM:780.6", "Disease", "Fever", "en", True, "C1"),
        ("MEDKG:Disease.2", "Disease", "ITCH", "en", True, None),
        ("MEDKG:Symptom.3", "Symptom", "itch", "en", True, "C2"),
        ("MEDKG:Disease.4", "Disease", "COPD", "zh", True, None),
    )
    assert told(Linker.of_names(names(*more)).link("fever, itch, COPD")) == [
        ("fever", "HP:1", "exact"),
        ("itch", "MEDKG:Symptom.3", "exact"),
        ("COPD", "MONDO:6", "exact"),
    ]


@pytest.mark.parametrize("text", ["nausea and vomiting", "恶心呕吐", "恶心和呕吐"])
def test_one_name_of_two_findings_is_both(text: str) -> None:
    more = (
        ("HP:30", "Symptom", "Nausea and vomiting", "en", True, None),
        ("HP:30", "Symptom", "恶心呕吐", "zh", True, None),
        ("HP:31", "Symptom", "Nausea", "en", True, None),
        ("HP:31", "Symptom", "恶心", "zh", True, None),
        ("HP:32", "Symptom", "Vomiting", "en", True, None),
        ("HP:32", "Symptom", "呕吐", "zh", True, None),
    )
    linked = told(Linker.of_names(names(*more)).link(text))
    assert [item[1] for item in linked] == ["HP:31", "HP:32"]


def test_fuzzy_matching_can_be_left_out() -> None:
    exact = Linker.of_names(names(), LinkOptions(fuzzy=False))
    assert told(exact.link("haedache, pain in my chest")) == [("pain", "HP:4", "exact")]


def test_punctuation_between_words_must_stand_in_the_name(linker: Linker) -> None:
    text = "diabetes mellitus, noninsulin-dependent; chest, pain"
    assert told(linker.link(text)) == [
        ("diabetes mellitus, noninsulin-dependent", "MONDO:2", "exact"),
        ("pain", "HP:4", "exact"),
    ]


def test_abbreviation_that_the_text_defines_is_its_long_form(linker: Linker) -> None:
    text = "Weak arm syndrome (WAS). WAS improved."
    assert told(linker.link(text)) == [
        ("Weak arm syndrome", "MONDO:9", "exact"),
        ("WAS", "MONDO:9", "abbreviation"),
        ("WAS", "MONDO:9", "abbreviation"),
    ]


def test_abbreviation_that_the_text_defines_as_something_unknown_is_left_alone(
    linker: Linker,
) -> None:
    assert told(linker.link("Wide area screening (WAS) began. The WAS ended.")) == []


def test_abbreviation_with_one_meaning_is_linked_and_one_with_several_is_not(
    linker: Linker,
) -> None:
    assert told(linker.link("Known CHF, sent to PT.")) == [("CHF", "MONDO:5", "abbreviation")]


def test_name_of_two_entities_is_not_linked_and_both_are_shown(linker: Linker) -> None:
    [mention] = linker.link("borreliosis")
    assert mention.entity is None
    assert {c.id for c in mention.candidates} == {"MONDO:7", "MONDO:8"}


def test_type_filter_leaves_out_others_and_their_order_breaks_ties() -> None:
    same = names(("HP:9", "Symptom", "COPD", "en", False, None))
    for first, id_ in (("Disease", "MONDO:6"), ("Symptom", "HP:9")):
        second = "Symptom" if first == "Disease" else "Disease"
        linker = Linker.of_names(same, LinkOptions(types=(first, second)))
        [mention] = linker.link("COPD")
        assert mention.entity
        assert mention.entity.id == id_
    only = Linker.of_names(same, LinkOptions(types=("Gene",)))
    assert only.link("COPD, fever, WAS gene")[0].text == "WAS"


def test_candidate_carries_names_and_cuis(linker: Linker) -> None:
    [mention] = linker.link("糖尿病")
    assert mention.entity
    assert (mention.entity.name, mention.entity.matched) == ("diabetes mellitus", "糖尿病")
    assert mention.entity.cuis == ("C0011847", "C0011849")
    assert mention.entity.score == 1.0


def test_whole_mention_meets_the_most_similar_name_or_abstains() -> None:
    linker = Linker.of_names(names(), LinkOptions(threshold=0.8))
    typo = linker.resolve("myocardal infarction")
    assert typo.entity
    assert (typo.entity.id, typo.method) == ("MONDO:1", "spelling")
    similar = linker.resolve("myocardial infarction old")
    assert similar.entity
    assert (similar.entity.id, similar.method) == ("MONDO:1", "similarity")
    nothing = linker.resolve("broken kitchen tap")
    assert nothing.entity is None
    assert linker.resolve("").candidates == ()
    assert linker.resolve("…").method is None


def test_given_spans_are_linked_where_they_are(linker: Linker) -> None:
    text = "no fever but heart attack"
    fever, attack = linker.link(text, [(3, 8), (13, 25)])
    assert (fever.text, fever.negated) == ("fever", True)
    assert (attack.start, attack.end, attack.negated) == (13, 25, False)
    with pytest.raises(LinkingError, match="the span 3 to 99 is not in the text of 25"):
        linker.link(text, [(3, 99)])


def test_negation_and_family_are_flagged(linker: Linker) -> None:
    flags = {m.text: (m.negated, m.family) for m in linker.link("No fever. Mother had COPD.")}
    assert flags == {"fever": (True, False), "COPD": (False, True)}
    [mention] = linker.link("没有发热")
    assert mention.negated


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("COPD ruled out, fever persists.", {"COPD": True, "fever": False}),
        ("Fever denied, headache; w/o COPD", {"Fever": True, "headache": False, "COPD": True}),
    ],
)
def test_denial_behind_a_mention_is_of_that_mention(
    linker: Linker, text: str, denied: dict[str, bool]
) -> None:
    assert {m.text: m.negated for m in linker.link(text)} == denied


def test_saved_index_links_alike(linker: Linker, tmp_path: Path) -> None:
    linker.save(tmp_path / "index")
    loaded = Linker.load(tmp_path / "index")
    text = "relapsed ALL with haedache, 发热 and CHF"
    assert loaded.link(text) == linker.link(text)
    assert loaded.candidates("hart atack") == linker.candidates("hart atack")
    assert {p.suffix for p in (tmp_path / "index").rglob("*") if p.is_file()} <= {
        ".arrow", ".json", ".npy",
    }  # fmt: skip


def test_writers_of_one_index_leave_a_whole_one(linker: Linker, tmp_path: Path) -> None:
    def save(_: int) -> bool:
        with suppress(OSError):
            linker.save(tmp_path / "index")
        return True

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(save, range(40)))
    assert Linker.load(tmp_path / "index").link("fever")
    assert [path.name for path in tmp_path.iterdir()] == ["index"]


@pytest.mark.parametrize("file", ["starts.npy", "words.arrow", "index.json", "names.arrow"])
def test_damaged_index_of_a_graph_is_made_again(tmp_path: Path, file: str) -> None:
    rows = [said("MONDO:1", "HAS_NAME", "gout"), said("MONDO:2", "HAS_NAME", "asthma")]
    path = write_assertions(tmp_path / "s.parquet", "s", rows)
    (tmp_path / "out").mkdir()
    config = MergeConfig(assertions={"s": path}, made_by="test")
    with kg.connect(str(tmp_path / "g.lbug")) as store:
        store.load(merge(config, tmp_path / "out", Silent()).tables)
        Linker.of_store(store, tmp_path / "linking")
        [damaged] = (tmp_path / "linking").glob(f"*/{file}")
        damaged.write_bytes(damaged.read_bytes()[: damaged.stat().st_size // 2])
        [mention] = Linker.of_store(store, tmp_path / "linking").link("gout")
    assert mention.entity


def test_index_that_is_not_whole_says_so(linker: Linker, tmp_path: Path) -> None:
    folder = tmp_path / "index"
    with pytest.raises(LinkingError, match="there is no index of names here"):
        Linker.load(folder)
    linker.save(folder)
    (folder / "names.arrow").write_bytes(b"ARROW1")
    with pytest.raises(LinkingError, match="the index is not whole"):
        Linker.load(folder)
    (folder / "index.json").write_text("{}", encoding="utf-8")
    with pytest.raises(LinkingError, match="not the summary of an index; delete the folder"):
        Linker.load(folder)


def test_empty_table_and_unknown_scorer_are_refused(linker: Linker) -> None:
    with pytest.raises(LinkingError, match="there is no name to index"):
        Linker.of_names(Names.of_table(SCHEMA.empty_table()))
    with pytest.raises(ConfigurationError, match="WRatio"):
        Linker(linker.index, LinkOptions(scorer="best"))


def test_threads_share_a_linker(linker: Linker) -> None:
    texts = ["haedache and fever", "pain in my chest", "heart attack", "no 发热", "hedache"] * 20
    random.Random(1).shuffle(texts)  # noqa: S311
    fresh = Linker(linker.index)
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(fresh.link, texts)) == [linker.link(text) for text in texts]


ANY_TEXT = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cs", "Cc", "So", "Mn"]),
        st.sampled_from(
            "fever heart attack 发热头痛糖尿病 ALL COPD (CHF).,\n\u0301\uff21\uff22\uff12型"
        ),
    )
)


@given(ANY_TEXT)
@example("")
@example("\ud800 fever \udfff")
@example("\x00fever\x00")
@example("🤒fever🤒发热")
def test_offsets_are_those_of_the_text(linker: Linker, text: str) -> None:
    mentions = linker.link(text)
    assert all(text[m.start : m.end] == m.text for m in mentions)
    assert all(a.end <= b.start for a, b in pairwise(mentions))
    assert linker.resolve(text).text == text


@pytest.mark.parametrize("letter", ["x", "病", "A1", "é", "🤒", "(", "no "])
def test_megabyte_without_a_break_is_linked_in_a_moment(linker: Linker, letter: str) -> None:
    text = letter * (1_000_000 // len(letter)) + " fever"
    assert linker.link(text)[-1].text == "fever"
    assert linker.resolve(text).text == text


URINE = tuple(
    (f"HP:{at}", "Symptom", name, "zh", True, None)
    for at, name in enumerate(("无尿", "尿频", "尿急", "没有尿"), 30)
)


@pytest.mark.parametrize("text", ["无尿频、尿急", "没有尿频，也没有尿急", "無尿頻、尿急"])
def test_denial_before_a_name_makes_no_other_name_of_its_first_half(text: str) -> None:
    mentions = Linker.of_names(names(*URINE)).link(text)
    assert [(m.entity.id, m.negated) for m in mentions if m.entity] == [
        ("HP:31", True),
        ("HP:32", True),
    ]


def test_name_that_begins_with_a_denial_is_found_where_nothing_longer_is_denied() -> None:
    mentions = Linker.of_names(names(*URINE)).link("昨日起无尿，今日仍没有尿。")
    assert [m.entity.id for m in mentions if m.entity] == ["HP:30", "HP:33"]


def test_name_of_a_disease_in_a_longer_word_is_none() -> None:
    rows = [
        (f"MONDO:{at}", "Disease", name, "zh", True, None)
        for at, name in enumerate(("性病", "抑郁症"), 30)
    ]
    linker = Linker.of_names(names(*rows))
    assert linker.link("占位性病变，有抑郁症状") == []
    assert [m.text for m in linker.link("有性病和抑郁症")] == ["性病", "抑郁症"]


def linked(text: str, *rows: tuple[str, str, str]) -> list[str]:
    """What is linked in a text with a table of ids, types and names."""
    more = ((*row, "zh" if row[2] > "z" else "en", True, None) for row in rows)
    return [m.text for m in Linker.of_names(names(*more)).link(text) if m.linked]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no flu-like symptoms, but a flu", ["flu"]),
        ("flu like symptoms during the flu outbreak", []),
        ("it felt like a flu; feels like the flu has come", ["flu"]),
        ("flu test and flu testing", []),
        ("大便像鼻涕一样，有鼻涕样的东西，流鼻涕", ["鼻涕"]),
        ("过敏咳喘口服液，过敏颗粒", []),
        ("头痛不痛？不痛", ["头痛", "不痛"]),
        ("暗红色斑疹，色斑", ["色斑"]),
        ("过敏史不详；过敏史：不详；无过敏史", ["过敏"]),
        ("查过敏原，对花粉过敏", ["过敏"]),
        ("传染病人密切接触史、传染病接触史、传染病史", ["传染病"]),
        ("电休克治疗后休克", ["休克"]),
        ("无羊水污染，无羊水。", ["无羊水"]),
        ("间断发热", ["发热"]),
        ("小儿感冒冲剂治感冒", ["感冒"]),
        ("吃感冒清热颗粒、感冒宁和感冒片，感冒康复了", ["感冒"]),
        ("打过麻疹、流脑等疫苗，得过麻疹", ["麻疹"]),
        ("有麻疹、打过疫苗", ["麻疹"]),
        ("最近视力差，有近视", ["近视"]),
        ("已经闭经，曾经闭经，经闭", ["经闭"]),
        ("嘴唇干裂发红，裂发", ["裂发"]),
        ("口水泡泡，手上水泡", ["水泡"]),
        ("鼻子有异物感，眼里有异物感", ["异物感"]),
        ("Doctor Flu has the flu", ["flu"]),
    ],
)
def test_finding_that_is_only_likened_unknown_or_part_of_a_word_is_none(
    text: str, expected: list[str]
) -> None:
    found = (
        "flu",
        "鼻涕",
        "过敏",
        "传染病",
        "休克",
        "无羊水",
        "断发",
        "感冒",
        "小儿感冒",
        "头痛",
        "不痛",
        "色斑",
        "麻疹",
        "流脑",
        "近视",
        "经闭",
        "裂发",
        "水泡",
        "异物感",
    )
    rows = [(f"MONDO:{at}", "Disease", name) for at, name in enumerate(found, 30)]
    assert linked(text, *rows) == expected


def test_family_history_of_a_disease_is_the_disease_of_relatives() -> None:
    more = (("HP:40", "Symptom", "Family history of heart attack", "en", True, None),)
    text = "A family history of heart attack. Heart attack history in the family."
    mentions = Linker.of_names(names(*more)).link(text)
    assert [(m.text.lower(), m.entity and m.entity.id, m.family) for m in mentions] == [
        ("heart attack", "MONDO:1", True),
        ("heart attack", "MONDO:1", True),
    ]


def test_words_in_another_order_end_before_a_heading() -> None:
    row = ("HP:41", "Symptom", "Musculoskeletal pain")
    assert linked("Reports pain Musculoskeletal: denies fever", row) == ["pain", "fever"]
    assert linked("Reports pain, musculoskeletal pain", row) == ["pain", "musculoskeletal pain"]


def test_name_of_no_ontology_is_read_without_its_degree() -> None:
    assert linked("an acute headache", ("MESH:1", "Disease", "Acute headache")) == ["headache"]
    assert linked("an acute headache", ("HP:42", "Symptom", "Acute headache")) == [
        "acute headache"
    ]


def test_abbreviation_that_is_spelled_letter_by_letter_is_the_abbreviation(linker: Linker) -> None:
    text = "I have C O P D and went to the E R and the W A S at 9 P M."
    mentions = linker.link(text)
    assert [(m.text, m.entity and m.entity.id) for m in mentions] == [("C O P D", "MONDO:6")]
