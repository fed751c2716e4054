"""Which facts are told where enough are well stated: those of several sources, or of a publication."""

from collections.abc import Iterator

import pytest

from qa.ordering import BY_COMMONNESS, BY_PUBLICATION, BY_SOURCES
from tests.ingest.rows import fact, said
from tests.qa.small_graph import Graph, ask, graph_of

DRUG = {"head_type": "Drug"}
USE = {**DRUG, "tail_type": "Disease"}
TREATMENT = {"tail_type": "Procedure"}
NAMES = [
    said("DRUGBANK:3", "HAS_NAME", "Origine", **DRUG),
    said("DRUGBANK:4", "HAS_NAME", "Painaway", **DRUG),
    said("MONDO:7", "HAS_NAME", "overdose of Painaway"),
    said("MONDO:10", "HAS_NAME", "measled pox"),
    said("HP:9", "HAS_NAME", "Measled pox", head_type="Symptom"),
    said("MAXO:8", "HAS_NAME", "drug treatment", head_type="Procedure"),
    said("MAXO:9", "HAS_NAME", "pox vaccine", head_type="Procedure"),
    said("DRUGBANK:1", "HAS_NAME", "Examplin", **DRUG),
    said("DRUGBANK:2", "HAS_NAME", "Fewusin", **DRUG),
    said("MONDO:9", "HAS_NAME", "gout"),
    said("MONDO:8", "HAS_NAME", "scurvy"),
    *(said(f"MONDO:{n}", "HAS_NAME", f"illness {n}") for n in range(1, 7)),
    *(said(f"HP:{n}", "HAS_NAME", f"finding {n}", head_type="Symptom") for n in range(1, 9)),
    *(said(f"MAXO:{n}", "HAS_NAME", f"measure {n}", head_type="Procedure") for n in range(1, 8)),
]
REVIEWED = [
    *(fact("DRUGBANK:1", "INDICATED_FOR", f"MONDO:{n}", **USE) for n in (1, 2, 3, 4)),
    *(fact("DRUGBANK:2", "INDICATED_FOR", f"MONDO:{n}", **USE) for n in (1, 2, 3)),
    *(fact("MONDO:9", "HAS_SYMPTOM", f"HP:{n}", publications="PMID:1") for n in range(1, 5)),
    *(
        fact("MONDO:9", "TREATED_BY", f"MAXO:{n}", publications="PMID:1", **TREATMENT)
        for n in range(1, 6)
    ),
    *(fact("MONDO:8", "HAS_SYMPTOM", f"HP:{n}", publications="PMID:1") for n in range(1, 5)),
    *(
        fact("MONDO:9", "COMPLICATED_BY", f"MONDO:{n}", publications="PMID:1", tail_type="Disease")
        for n in (5, 6)
    ),
]
LISTED = {**USE, "original_relation": "indication"}
REVIEWED += [
    *(fact("DRUGBANK:3", "INDICATED_FOR", f"MONDO:{n}", **LISTED) for n in (1, 2, 4)),
    fact("DRUGBANK:3", "CONTRAINDICATED_FOR", "MONDO:4", **USE),
    *(fact("DRUGBANK:4", "INDICATED_FOR", f"MONDO:{n}", **LISTED) for n in (1, 7)),
    *(fact("MONDO:10", "HAS_SYMPTOM", f"HP:{n}") for n in (1, 2, 9)),
    *(fact("MONDO:10", "TREATED_BY", f"MAXO:{n}", **TREATMENT) for n in (1, 2, 8, 9)),
]
REVIEWED += [  # a list's drugs for beriberi
    *(said(f"DRUGBANK:{n}", "HAS_NAME", f"drug {n}", **DRUG) for n in (6, 7, 8)),
    said("MONDO:12", "HAS_NAME", "beriberi"),
    said("MONDO:11", "HAS_NAME", "wet illness"),
    fact("MONDO:11", "IS_A", "MONDO:12", tail_type="Disease"),
    *(fact(f"DRUGBANK:{n}", "INDICATED_FOR", "MONDO:12", **LISTED) for n in (6, 7, 8)),
    *(fact("DRUGBANK:6", "INDICATED_FOR", f"MONDO:{n}", **LISTED) for n in (1, 2)),
    *(fact("DRUGBANK:8", "INDICATED_FOR", f"MONDO:{n}", **LISTED) for n in (1, 11)),
]
READ = {"publications": "PMID:2", "evidence": "MEDKG:Section.1#char=5,9"}
LABELS = [
    *(
        fact("DRUGBANK:1", "INDICATED_FOR", f"MONDO:{n}", original_relation="text_mention", **USE)
        for n in (1, 2, 3, 5, 6)
    ),
    fact("DRUGBANK:2", "INDICATED_FOR", "MONDO:5", original_relation="text_mention", **USE),
    *(
        fact(
            "DRUGBANK:3", "INDICATED_FOR", f"MONDO:{n}", original_relation="NLP_indication", **USE
        )
        for n in (1, 2, 4, 5)
    ),
    *(fact("MONDO:9", "HAS_SYMPTOM", f"HP:{n}", **READ) for n in (5, 6)),
    fact("MONDO:9", "TREATED_BY", "MAXO:6", **READ, **TREATMENT),
    fact("MONDO:8", "HAS_SYMPTOM", "HP:5", **READ),
]
BILLS = [
    *(
        fact("DRUGBANK:1", "INDICATED_FOR", f"MONDO:{n}", original_relation="MEDI", **USE)
        for n in (5, 6)
    ),
    fact("DRUGBANK:1", "INDICATED_FOR", "MONDO:4", original_relation="MEDI", **USE),
    fact("DRUGBANK:3", "INDICATED_FOR", "MONDO:5", original_relation="medi_hps", **USE),
    fact("DRUGBANK:2", "INDICATED_FOR", "MONDO:5", original_relation="MEDI", **USE),
    fact("MONDO:9", "HAS_SYMPTOM", "HP:6"),
    fact("MONDO:9", "TREATED_BY", "MAXO:7", **TREATMENT),
    fact("MONDO:9", "COMPLICATED_BY", "MONDO:2", tail_type="Disease"),
]
BILLS += [
    fact(f"DRUGBANK:{drug}", "INDICATED_FOR", f"MONDO:{n}", original_relation="labeledin", **USE)
    for drug, n in ((6, 1), (6, 2), (8, 1), (8, 11))
]
CURE = {"tail_type": "Drug"}
REVIEWED += [
    said("DRUGBANK:9", "HAS_NAME", "Cureall", **DRUG),
    *(fact(f"MONDO:{n}", "TREATED_BY", "DRUGBANK:9", **CURE) for n in (1, 2, 3)),
]
BILLS += [fact(f"MONDO:{n}", "TREATED_BY", "DRUGBANK:9", **CURE) for n in (1, 2)]
WARNINGS = [fact("DRUGBANK:1", "CONTRAINDICATED_FOR", "MONDO:4", **USE)]


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Graph]:
    sources = {
        "reviewed": [*NAMES, *REVIEWED],
        "labels": LABELS,
        "bills": BILLS,
        "warnings": WARNINGS,
    }
    with graph_of(sources, tmp_path_factory.mktemp("support")) as built:
        yield built


def found(question: str, graph: Graph) -> tuple[list[str], int]:
    """Ids of what is told, and how many rows are not."""
    facts = ask(question, graph)
    return sorted(str(row[0]) for row in facts.rows.rows), facts.less_stated


def test_uses_that_programs_alone_found_are_left_out_though_two_did(graph: Graph) -> None:
    told, more = found("What is Examplin used for?", graph)
    assert (told, more) == (["MONDO:1", "MONDO:2", "MONDO:3"], 3)


def test_a_use_is_none_that_another_source_forbids(graph: Graph) -> None:
    assert "MONDO:4" not in found("What is Examplin used for?", graph)[0]


def test_of_few_well_stated_uses_those_are_told_that_people_state(graph: Graph) -> None:
    told, more = found("What is Fewusin used for?", graph)
    assert (told, more) == (["MONDO:1", "MONDO:2", "MONDO:3"], 1)


def test_findings_read_in_one_text_are_left_out_beside_five_of_publications_or_several_sources(
    graph: Graph,
) -> None:
    told, more = found("What are the symptoms of gout?", graph)
    assert (told, more) == (["HP:1", "HP:2", "HP:3", "HP:4", "HP:6"], 1)


def test_treatments_of_one_source_without_a_publication_are_left_out_beside_five(
    graph: Graph,
) -> None:
    told, more = found("How is gout treated?", graph)
    assert (told, more) == ([f"MAXO:{n}" for n in range(1, 6)], 2)


def test_complications_of_a_publication_come_first_and_none_is_left_out(graph: Graph) -> None:
    facts = ask("What are the complications of gout?", graph)
    assert [row[0] for row in facts.rows.rows][-1] == "MONDO:2"  # many drugs are for it
    assert len(facts.rows) == 3
    assert facts.order == (BY_SOURCES, BY_PUBLICATION, BY_COMMONNESS)


def test_where_few_are_well_stated_all_are_told(graph: Graph) -> None:
    told, more = found("What are the symptoms of scurvy?", graph)
    assert (told, more) == ([f"HP:{n}" for n in range(1, 6)], 0)


def test_sources_that_draw_on_each_other_are_one_origin(graph: Graph) -> None:
    told, _ = found("What is Origine used for?", graph)
    assert "MONDO:5" not in told  # MEDI's, which has SIDER's, and SIDER's
    assert {"MONDO:1", "MONDO:2"} <= {*told}  # a list's, and SIDER's


def test_a_list_that_forbids_a_use_is_no_origin_of_it(graph: Graph) -> None:
    assert "MONDO:4" not in found("What is Origine used for?", graph)[0]


def test_what_a_label_names_to_say_that_a_drug_is_not_for_it_is_no_use_by_one_list(
    graph: Graph,
) -> None:
    assert found("What is Painaway used for?", graph) == (["MONDO:1"], 1)


def test_a_drug_of_one_list_is_left_out_where_its_well_stated_uses_are_no_kind_of_the_disease(
    graph: Graph,
) -> None:
    assert found("Which drugs treat beriberi?", graph) == (["DRUGBANK:7", "DRUGBANK:8"], 1)


def test_of_what_diseases_alone_say_that_a_drug_treats_that_is_told_which_several_sources_state(
    graph: Graph,
) -> None:
    told, more = found("What is Cureall used for?", graph)
    assert (told, more) == (["TREATED_BY"] * 2, 1)


def test_a_finding_that_is_the_disease_by_its_name_is_none_of_it(graph: Graph) -> None:
    assert found("What are the symptoms of measled pox?", graph)[0] == ["HP:1", "HP:2"]


def test_treatments_in_particular_are_told_without_those_that_are_none_or_prevent(
    graph: Graph,
) -> None:
    assert found("How is measled pox treated?", graph)[0] == ["MAXO:1", "MAXO:2"]
