"""What is no answer: kinds and symptoms of a disease, and classes of reactions to a drug."""

from collections.abc import Iterator

import pytest

from qa.answer import Answerer
from qa.facts import NoFactError
from tests.ingest.rows import fact, said
from tests.qa.small_graph import Graph, ask, graph_of

SYMPTOM = {"head_type": "Symptom"}
DRUG = {"head_type": "Drug"}
DISEASE = {"tail_type": "Disease"}
NAMES = [
    said("MONDO:1", "HAS_NAME", "appendicitis"),
    said("MONDO:1", "HAS_NAME", "阑尾炎", language="zh"),
    said("MONDO:2", "HAS_NAME", "acute appendicitis"),
    said("MONDO:3", "HAS_NAME", "gangrenous inflammation"),
    said("MONDO:3", "HAS_NAME", "小儿急性阑尾炎", language="zh"),
    said("MONDO:4", "HAS_NAME", "peritonitis"),
    said("MONDO:5", "HAS_NAME", "chronic appendicitis"),
    said("MONDO:6", "HAS_NAME", "intestinal illness"),
    said("MONDO:7", "HAS_NAME", "colitis"),
    said("MONDO:8", "HAS_NAME", "scabies"),
    said("HP:1", "HAS_NAME", "Pain", **SYMPTOM),
    said("HP:2", "HAS_NAME", "Abdominal pain", **SYMPTOM),
    said("HP:3", "HAS_NAME", "Nausea", **SYMPTOM),
    said("HP:4", "HAS_NAME", "Dull abdominal pain", **SYMPTOM),
    said("HP:5", "HAS_NAME", "Lateral colitis", **SYMPTOM),
    said("HP:6", "HAS_NAME", "Itch", **SYMPTOM),
    fact("HP:2", "IS_A", "HP:1", **SYMPTOM),
    fact("HP:4", "IS_A", "HP:2", **SYMPTOM),
    fact("HP:5", "IS_A", "MONDO:7", **SYMPTOM, **DISEASE),
    fact("MONDO:1", "IS_A", "MONDO:6", **DISEASE),
]
KINDS = [
    said("MONDO:21", "HAS_NAME", "kidney tumour"),
    said("MONDO:22", "HAS_NAME", "clear kidney tumour"),
    said("HP:22", "HAS_NAME", "Clear-celled growth", **SYMPTOM),
    said("HP:23", "HAS_NAME", "Blood in urine", **SYMPTOM),
    fact("MONDO:22", "IS_A", "MONDO:21", **DISEASE),
    fact("MONDO:22", "CLOSE_MATCH", "HP:22"),
    *(fact("MONDO:22", "HAS_SYMPTOM", f"HP:{n}") for n in (22, 23)),
]
PAGE = [
    *(fact("MONDO:1", "COMPLICATED_BY", f"MONDO:{n}", **DISEASE) for n in (2, 3, 4, 5)),
    *(fact("MONDO:1", "COMPLICATED_BY", f"HP:{n}") for n in (1, 2, 4)),
    fact("MONDO:1", "HAS_SYMPTOM", "HP:2"),
    fact("MONDO:1", "HAS_SYMPTOM", "MONDO:4", **DISEASE),
    fact("MONDO:6", "COMPLICATED_BY", "MONDO:7", **DISEASE),
    *(fact("MONDO:7", "HAS_SYMPTOM", f"HP:{n}") for n in (2, 5)),
    fact("MONDO:8", "HAS_SYMPTOM", "HP:6"),
    fact("MONDO:8", "COMPLICATED_BY", "HP:6"),
    fact("MONDO:8", "IS_A", "MONDO:6", **DISEASE),
]
BOOK = [fact("MONDO:1", "COMPLICATED_BY", "MONDO:5", publications="PMID:1", **DISEASE)]
REACTIONS = [
    said("DRUGBANK:1", "HAS_NAME", "Examplin", **DRUG),
    said("HP:11", "HAS_NAME", "Skin disorder", **SYMPTOM),
    said("HP:12", "HAS_NAME", "Cough", **SYMPTOM),
    said("HP:13", "HAS_NAME", "Gastric ulcer", **SYMPTOM),
    said("HP:14", "HAS_NAME", "Gout with fever", **SYMPTOM),
    said("HP:15", "HAS_NAME", "Tongue disorder", **SYMPTOM),
    said("MONDO:11", "HAS_NAME", "gastric ulcer disease"),
    said("MONDO:12", "HAS_NAME", "gout"),
    fact("MONDO:11", "CLOSE_MATCH", "HP:13"),
    *(
        fact("DRUGBANK:1", "INDICATED_FOR", f"MONDO:{n}", publications="PMID:1", **DRUG, **DISEASE)
        for n in (11, 12)
    ),
    *(
        fact("DRUGBANK:1", "HAS_ADVERSE_REACTION", f"HP:{n}", frequency=1 / n, **DRUG)
        for n in range(11, 16)
    ),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    sources = {"names": [*NAMES, *KINDS], "page": PAGE, "book": BOOK, "labels": REACTIONS}
    with graph_of(sources, tmp_path_factory.mktemp("rows")) as built:
        yield built


def ids(question: str, graph: Graph) -> list[str]:
    return [str(row[0]) for row in ask(question, graph).rows.rows]


def test_what_is_called_as_a_disease_with_a_word_before_is_no_complication_unless_published(
    graph: Graph,
) -> None:
    told = ids("What are the complications of appendicitis?", graph)
    assert not {"MONDO:2", "MONDO:3"} & {*told}
    assert {"MONDO:4", "MONDO:5"} <= {*told}


def test_a_finding_that_is_a_symptom_or_just_wider_or_narrower_is_no_complication(
    graph: Graph,
) -> None:
    assert not {"HP:1", "HP:2", "HP:4"} & {
        *ids("What are the complications of appendicitis?", graph)
    }


def test_what_is_left_out_as_no_answer_is_said_in_no_sentence_either(graph: Graph) -> None:
    (part,) = Answerer(*graph).answer("What are the complications of scabies?").parts
    assert part.prose == ()
    assert str(part.problem).startswith(
        "what the graph states of that are kinds or symptoms of it"
    )


def test_a_kind_of_a_disease_is_no_symptom_of_it(graph: Graph) -> None:
    assert ids("What are the symptoms of colitis?", graph) == ["HP:2"]


def test_a_kind_is_no_symptom_of_the_kinds_of_a_disease(graph: Graph) -> None:
    facts = ask("What are the symptoms of kidney tumour?", graph)
    assert [row["entity_id"] for row in facts.rows.dicts()] == ["HP:23"]


def test_what_a_wider_disease_leads_to_is_no_complication(graph: Graph) -> None:
    with pytest.raises(NoFactError, match="the graph has no complications of scabies"):
        ask("What are the complications of scabies?", graph)


def test_single_reactions_come_before_classes_of_them_and_uses_of_the_drug(graph: Graph) -> None:
    assert ids("What are the side effects of Examplin?", graph) == [
        *("HP:12", "HP:15"),
        *("HP:11", "HP:13", "HP:14"),
    ]
