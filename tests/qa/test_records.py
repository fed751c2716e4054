"""Findings that no source gives a disease for: what goes along with them in records of patients."""

from collections.abc import Iterator

import pytest

from tests.ingest.rows import fact, said
from tests.qa.small_graph import Graph, ask, graph_of

ROWS = [
    said("HP:1", "HAS_NAME", "Plugged feeling in ear", head_type="Symptom"),
    said("MONDO:1", "HAS_NAME", "common cold"),
    fact("MONDO:1", "COOCCURS_WITH", "HP:1"),
]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    with graph_of({"records": ROWS}, tmp_path_factory.mktemp("records")) as built:
        yield built


@pytest.mark.parametrize("question", ["My ears feel blocked", "Why are my ears all plugged up?"])
def test_a_finding_without_diseases_has_what_goes_along_with_it_in_records(
    graph: Graph, question: str
) -> None:
    facts = ask(question, graph)
    assert [row["entity_id"] for row in facts.rows.dicts()] == ["MONDO:1"]
    assert "these go along with it in records of patients" in facts.note
