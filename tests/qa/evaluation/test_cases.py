"""What is found for a question, the right answers taken out."""

from pathlib import Path

import pytest

from kg.linking import Linker
from kg.stores.store import Store
from qa.corpus import Document, medquad_documents
from qa.evaluation.cases import Finder, Said
from qa.evaluation.questions import GoldQuestion, gold_questions
from qa.generation.extractive import EXTRACTIVE, Extractive
from qa.index import Index, Passages
from qa.index.building import Change, change_index
from qa.subgraph import Fact
from tests.qa.evaluation.asked import ANSWERS, medquad, question


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[GoldQuestion], Index]:
    folder = tmp_path_factory.mktemp("medquad")
    documents = [each for each in medquad_documents(medquad(folder)) if isinstance(each, Document)]
    change = Change(documents, collate=Passages(heading=False), corpora={"medquad": "m"})
    change_index(folder / "texts", change)
    return gold_questions(documents), Index.open(folder / "texts")


def test_case_has_neither_the_gold_text_nor_the_facts_of_its_sources(
    asked: tuple[list[GoldQuestion], Index], triple_store: Store, triple_linker: Linker
) -> None:
    questions, index = asked
    symptoms = next(each for each in questions if each.text == "What are the symptoms of gout ?")
    finder = Finder(triple_store, triple_linker, index, {EXTRACTIVE: Extractive()})
    found = finder.case(symptoms)
    texts = [each.text for each in found.options[EXTRACTIVE]]
    assert ANSWERS["gout"]["symptoms"] not in texts
    assert {ANSWERS["gout"]["treatment"], ANSWERS["gout"]["causes"]} <= {*texts}
    assert (found.asked.kind, found.edges, found.subgraph, found.stated) == (
        "symptom",
        2,
        "gout Fever Arthritis",
        "gout: symptoms: Fever, Arthritis.",
    )
    assert found.asked.facts == (Fact(("Fever", "发热"), 0.1), Fact(("Arthritis",), 0.1))
    assert found.asked.things == ("gout",)
    assert found.said.keys() == {"weighted", "rouge-l", "rank"}
    for said in found.said.values():
        assert said.text
        assert ANSWERS["gout"]["symptoms"] not in said.text
    silent = Finder(triple_store, triple_linker, index, finder.generators, without=["s"])
    excluded = silent.case(symptoms)
    assert (excluded.edges, excluded.subgraph, excluded.asked.facts) == (0, "", ())
    titles = {said.title for said in excluded.said.values()}
    assert (excluded.stated, titles <= {None, "gout"}) == ("", True)


@pytest.mark.parametrize("text", ["???", "What are the symptoms of flumpitis ?", "x" * 3000])
def test_question_that_cannot_be_read_has_candidates_and_no_subgraph(
    asked: tuple[list[GoldQuestion], Index], triple_store: Store, triple_linker: Linker, text: str
) -> None:
    finder = Finder(triple_store, triple_linker, asked[1], {EXTRACTIVE: Extractive()})
    found = finder.case(question(text))
    assert (found.edges, found.subgraph, found.stated, found.asked.facts) == (0, "", "", ())
    assert {*found.said.values()} == {Said("", None)}


def test_model_without_texts_is_asked_the_question_alone(
    asked: tuple[list[GoldQuestion], Index], triple_store: Store, triple_linker: Linker,
    tmp_path: Path,
) -> None:  # fmt: skip
    from qa.generation.seq2seq import Seq2Seq  # noqa: PLC0415
    from tests.qa.tiny_models import save_bart  # noqa: PLC0415

    model = Seq2Seq(str(save_bart(tmp_path)))
    finder = Finder(
        triple_store, triple_linker, asked[1], {EXTRACTIVE: Extractive(), "tiny": model}, ["tiny"]
    )
    found = finder.case(question("What are the symptoms of gout ?"))
    assert set(found.options) == {EXTRACTIVE, "tiny"}
    assert set(found.unaided) == {"tiny"}
    assert found.unaided["tiny"].endswith((".", "?"))
    assert all(each.text for each in found.options["tiny"])
