import gzip
import os
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import kg
from ingest.merge import MergeConfig, merge
from kg.errors import SourceError
from kg.progress import Silent
from kg.stores.store import Store
from qa.corpus import (
    Document,
    LeftOut,
    Passage,
    graph_documents,
    medquad_documents,
    page_documents,
    passages,
)
from tests.ingest.rows import fact, said, write_assertions
from tests.ingest.sources.test_medquad import PAIR, URL, corpus
from tests.ingest.sources.test_medquad import document as file_of_medquad

NO_ANSWER = (
    '<QAPair pid="2"><Question qid="2" qtype="causes">Why ?</Question><Answer> </Answer></QAPair>'
)


def text_of(text: str, title: str = "Gout", language: str = "en") -> Document:
    return Document("d", title, text, "s", language)


@pytest.fixture
def sections(tmp_path: Path) -> Store:
    def section(id: str, name: str, text: str, language: str = "en", head: str = "MONDO:1"):  # type: ignore[no-untyped-def] # noqa: A002, ANN202
        about = {"head_type": "Section", "language": language}
        return [
            fact(head, "HAS_SECTION", id, tail_type="Section", original_relation="symptoms",
                 publications="https://example.org/1"),
            said(id, "HAS_NAME", name, **about),
            said(id, "HAS_TEXT", text, **about),
        ]  # fmt: skip

    rows = [
        said("MONDO:1", "HAS_NAME", "gout"),
        said("MONDO:1", "HAS_NAME", "痛风", language="zh"),
        *section("MEDKG:Section.1", "What is gout ?", "Gout hurts.\nIt is a disease."),
        *section("MEDKG:Section.2", "治愈率", "96%", language="zh"),
    ]
    path = write_assertions(tmp_path / "s.parquet", "s", rows)
    out = tmp_path / "merged"
    out.mkdir()
    tables = merge(MergeConfig(assertions={"s": path}, made_by="a test"), out, Silent()).tables
    store = kg.connect(str(tmp_path / "g.lbug"))
    store.load(tables)
    return store


def test_sections_of_the_graph_are_documents_with_their_disease(sections: Store) -> None:
    known = {
        "corpus": "graph",
        "licence": "CC0",
        "disease": "MONDO:1",
        "category": "symptoms",
        "url": "https://example.org/1",
    }
    with sections:
        assert list(graph_documents(sections, {"s": "CC0"})) == [
            Document(
                "MEDKG:Section.1", "gout", "Gout hurts.\nIt is a disease.", "s", "en",
                {**known, "heading": "What is gout ?"},
            ),
            Document("MEDKG:Section.2", "痛风", "96%", "s", "zh", {**known, "heading": "治愈率"}),
        ]  # fmt: skip
        assert {each.metadata["licence"] for each in graph_documents(sections)} == {"not stated"}  # type: ignore[union-attr]


def test_medquad_answers_have_the_ids_of_their_sections_and_nothing_is_lost(
    tmp_path: Path,
) -> None:
    corpus(tmp_path, file_of_medquad(pairs=PAIR + NO_ANSWER), file_of_medquad(), "<html/>")
    [answer, none, again, broken] = medquad_documents(tmp_path)
    assert isinstance(answer, Document)
    assert answer == Document(
        answer.id,
        "Gout",
        "Colchicine eases an attack.\n- Allopurinol lowers uric acid.",
        "medquad",
        "en",
        {
            "corpus": "medquad",
            "licence": "CC BY 4.0",
            "heading": "How is gout treated ?",
            "category": "treatment",
            "url": URL,
        },
    )
    assert answer.id.startswith("MEDKG:Section.")
    assert (none, again, broken) == (
        LeftOut("medquad", "some_QA/1.xml, question 2", "the question has no answer"),
        LeftOut("medquad", "some_QA/2.xml, question 0000001-1", "the question is in the corpus already"),
        LeftOut("medquad", "some_QA/3.xml", "the root element is 'html', not 'Document'"),
    )  # fmt: skip


def test_pages_of_all_forms_are_documents(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    (folder / "more").mkdir(parents=True)
    (folder / "a.html").write_text(
        "<html><title>Gout - X</title><h1>Gout</h1><p>It hurts.</p><h2>Causes</h2><p>Uric acid.</p>"
    )
    (folder / "b.md").write_text("# Asthma\n\n## Symptoms\n\nWheezing.\n")
    (folder / "more" / "痛风.txt").write_text("痛风是一种疾病。\n", "utf-8")
    with gzip.open(folder / "c.txt.gz", "wt") as file:
        file.write("Plain words.")
    (folder / "picture.png").write_bytes(b"\x89PNG")
    found = [each for each in page_documents(folder, "site") if isinstance(each, Document)]
    assert [(d.id, d.title, d.metadata.get("heading"), d.text, d.language) for d in found] == [
        ("site:a.html#1", "Gout", "Overview", "It hurts.", "en"),
        ("site:a.html#2", "Gout", "Causes", "Uric acid.", "en"),
        ("site:b.md#1", "Asthma", "Symptoms", "Wheezing.", "en"),
        ("site:c.txt.gz#1", "c", None, "Plain words.", "en"),
        ("site:more/痛风.txt#1", "痛风", None, "痛风是一种疾病。", "zh"),
    ]
    assert all("most publishers allow reading" in d.metadata["licence"] for d in found)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("a.txt", b"\xff\xfe\x00", "not utf-8|not UTF-8"),
        ("a.txt", b"", "the file is empty"),
        ("a.json", b"{", "not JSON"),
        ("a.png", b"x", r"no page is there \(\.html, \.md, \.txt"),
    ],
)
def test_page_that_cannot_be_read_is_one_sentence(
    tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SourceError, match=said):
        list(page_documents(tmp_path, "x"))


def test_folder_that_is_called_as_a_page_is_none(tmp_path: Path) -> None:
    (tmp_path / "site.html").mkdir()
    with pytest.raises(SourceError, match="no page is there"):
        list(page_documents(tmp_path, "site"))


def test_page_whose_name_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    with (tmp_path / os.fsdecode(b"\xff.txt")).open("w") as file:
        file.write("Gout hurts.")
    with pytest.raises(SourceError, match=r"\\udcff\.txt': the file's name is not UTF-8; rename"):
        list(page_documents(tmp_path, "site"))


def test_sentences_are_cut_from_the_original_and_rewritten() -> None:
    document = text_of("Gout is due to uric acid (UA). It may come at night.\nUA crystals hurt.")
    cut = passages(document, "sentence")
    assert cut == [
        Passage("d", 0, 30, "Gout is due to uric acid (UA)."),
        Passage("d", 31, 52, "Gout may come at night."),
        Passage("d", 53, 70, "uric acid crystals hurt."),
    ]
    assert [each.text for each in passages(document, "sentence", rewrite=False)] == [
        document.text[each.start : each.end] for each in cut
    ]


def test_passages_are_whole_sentences_of_about_one_length() -> None:
    document = text_of(" ".join(f"Sentence number {n} has these six words." for n in range(10)))
    cut = passages(document, "passage", 30)
    assert [each.text.count(".") for each in cut] == [3, 4, 3]


def test_sentence_longer_than_a_passage_is_one() -> None:
    document = text_of(f"Short one. {'word ' * 50}end. Short two.")
    assert [len(each.text.split()) for each in passages(document, words=20)] == [2, 51, 2]


def test_two_chinese_characters_count_as_a_word() -> None:
    document = text_of("痛风引起关节剧烈疼痛。" * 10, "痛风", "zh")
    assert [len(each.text) for each in passages(document, words=26)] == [55, 55]


@pytest.mark.parametrize("text", ["", " \n ", "\u3000"])
def test_blank_text_has_no_passage(text: str) -> None:
    assert passages(text_of(text)) == []


@given(st.text(max_size=300), st.sampled_from(["sentence", "passage"]), st.integers(1, 20))
def test_passages_of_any_text_are_stretches_of_it_in_order(
    text: str, unit: str, words: int
) -> None:
    document = text_of(text)
    cut = passages(document, unit, words, rewrite=False)  # type: ignore[arg-type]
    assert [each.text for each in cut] == [text[each.start : each.end] for each in cut]
    assert all(a.end <= b.start for a, b in pairwise(cut))
    between = "".join(
        text[a:b]
        for a, b in zip(
            [0, *(each.end for each in cut)],
            [*(each.start for each in cut), len(text)],
            strict=True,
        )
    )
    assert not between.strip()
    assert [each.start for each in passages(document, unit, words)] == [e.start for e in cut]  # type: ignore[arg-type]


def test_all_of_medquad_is_read(shared_data: Path) -> None:
    found = list(medquad_documents(shared_data / "medquad"))
    documents = [each for each in found if isinstance(each, Document)]
    assert len(documents) > 15_000
    assert len({each.id for each in documents}) == len(documents)
    for document in documents[::101]:
        for each in passages(document, rewrite=False):
            assert document.text[each.start : each.end] == each.text
