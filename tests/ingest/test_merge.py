import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.identity import mint
from ingest.merge import MergeResult
from tests.ingest.conftest import MergeRows
from tests.ingest.rows import edges_of, fact, nodes_of, rows_of, said


def accounts_of(result: MergeResult) -> dict[tuple[str, str], tuple[int, int, int, int]]:
    return {
        (a.source, a.relation): (a.assertions, a.loaded, a.merged, a.quarantined)
        for a in result.accounts
    }


def test_fact_from_two_sources_is_one_edge_with_both(merge_rows: MergeRows) -> None:
    one = fact("MONDO:1", "HAS_SYMPTOM", "HP:1")
    result = merge_rows(b=[one], a=[one])
    assert edges_of(result, "HAS_SYMPTOM", "head", "tail", "sources") == [
        ("MONDO:1", "HP:1", ["a", "b"])
    ]
    assert accounts_of(result) == {
        ("a", "HAS_SYMPTOM"): (1, 0, 1, 0),
        ("b", "HAS_SYMPTOM"): (1, 1, 0, 0),
    }


def test_distinct_evidence_is_kept_sorted_and_once(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[
            fact("MONDO:1", "HAS_SYMPTOM", "HP:1", publications="PMID:2|PMID:1", frequency=0.5),
            fact("MONDO:1", "HAS_SYMPTOM", "HP:1", publications="PMID:1", frequency=1.0),
            fact("MONDO:1", "HAS_SYMPTOM", "HP:1"),
        ]
    )
    assert edges_of(result, "HAS_SYMPTOM", "publications", "frequency") == [
        ("PMID:1|PMID:2", 0.75)
    ]


def test_symmetric_relation_is_stored_once(merge_rows: MergeRows) -> None:
    drugs = {"head_type": "Drug", "tail_type": "Drug"}
    result = merge_rows(
        a=[
            fact("DRUGBANK:2", "INTERACTS_WITH", "DRUGBANK:1", **drugs),
            fact("DRUGBANK:1", "INTERACTS_WITH", "DRUGBANK:2", **drugs),
        ]
    )
    assert edges_of(result, "INTERACTS_WITH", "head", "tail") == [("DRUGBANK:1", "DRUGBANK:2")]


def test_name_without_id_meets_the_id_of_that_name(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[fact("MONDO:1", "HAS_SYMPTOM", "HP:1", head_name="Gout", tail_name="Arthritis")],
        b=[fact(None, "HAS_SYMPTOM", None, head_name="gout", tail_name="arthritis")],
    )
    assert edges_of(result, "HAS_SYMPTOM", "head", "tail", "sources") == [
        ("MONDO:1", "HP:1", ["a", "b"])
    ]
    assert nodes_of(result, "id", "name", "synonyms", "xrefs") == [
        ("HP:1", "Arthritis", ["arthritis"], []),
        ("MONDO:1", "Gout", ["gout"], []),
    ]


def test_name_that_no_other_source_knows_gets_a_minted_id(merge_rows: MergeRows) -> None:
    result = merge_rows(a=[fact("MONDO:1", "HAS_SYMPTOM", None, tail_name="Tophus")])
    assert ("Tophus", mint("Symptom", "Tophus")) in nodes_of(result, "name", "id")


def test_merged_ids_stay_as_cross_references(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[
            fact("OMIM:7", "HAS_SYMPTOM", "HP:1", head_name="Gout"),
            fact("MONDO:1", "HAS_SYMPTOM", "HP:2", head_name="gout"),
        ]
    )
    assert nodes_of(result, "id", "xrefs")[2] == ("MONDO:1", ["OMIM:7"])


def test_names_of_both_languages_find_their_columns(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[
            said("MONDO:1", "HAS_NAME", "gout"),
            said("MONDO:1", "HAS_SYNONYM", "podagra"),
            said("MONDO:1", "HAS_NAME", "痛风", language="zh"),
            said("MONDO:1", "HAS_SYNONYM", "痛风病", language="zh"),
            said("MONDO:1", "HAS_DEFINITION", "A disease."),
        ]
    )
    columns = ("name", "synonyms", "name_zh", "synonyms_zh", "normal_names", "definition")
    assert nodes_of(result, *columns) == [
        (
            "gout",
            ["podagra"],
            "痛风",
            ["痛风病"],
            ["gout", "podagra", "痛风", "痛风病"],
            "A disease.",
        )
    ]


def test_everyday_words_are_synonyms_and_lay_names(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[
            said("HP:1", "HAS_NAME", "Pyrexia"),
            said("HP:1", "HAS_SYNONYM", "hyperthermia"),
            said("HP:1", "HAS_LAY_SYNONYM", "high temperature"),
        ],
        b=[said("HP:1", "HAS_LAY_SYNONYM", "发烧", language="zh")],
    )
    assert nodes_of(result, "synonyms", "lay_names", "synonyms_zh", "lay_names_zh") == [
        (["high temperature", "hyperthermia"], ["high temperature"], [], ["发烧"])
    ]


def test_earlier_source_decides_type_and_name(merge_rows: MergeRows) -> None:
    result = merge_rows(
        first=[fact("MONDO:1", "COMPLICATED_BY", "HP:1", tail_name="Thrombosis")],
        second=[
            fact("MONDO:1", "COMPLICATED_BY", "HP:1", tail_name="thrombus", tail_type="Disease")
        ],
    )
    assert nodes_of(result, "id", "type", "name")[0] == ("HP:1", "Symptom", "Thrombosis")
    assert result.types_in_conflict == 1


def test_edge_between_wrong_types_is_quarantined_with_both_types(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[
            fact("HGNC:1", "HAS_SYMPTOM", "HP:2", head_type="Gene", row=7),
            fact("MONDO:1", "HAS_SYMPTOM", "HP:2", row=8),
        ]
    )
    assert rows_of(result.quarantine, "row", "stage", "reason") == [
        (7, "merge", "ends that the relation does not connect (Gene HAS_SYMPTOM Symptom)")
    ]
    assert [id_ for (id_,) in nodes_of(result, "id")] == ["HP:2", "MONDO:1"]
    assert accounts_of(result) == {("a", "HAS_SYMPTOM"): (2, 1, 0, 1)}


def test_hierarchy_does_not_cross_types(merge_rows: MergeRows) -> None:
    result = merge_rows(a=[fact("MONDO:1", "IS_A", "HP:2")])
    assert accounts_of(result) == {("a", "IS_A"): (1, 0, 0, 1)}


def test_problem_of_a_reader_ends_in_quarantine_with_the_assertion(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[
            fact("MONDO 1", "HAS_SYMPTOM", "HP:1", problem="the id has a space"),
            fact("MONDO:2", "HAS_SYMPTOM", "HP:1"),
        ]
    )
    [(reason, record)] = rows_of(result.quarantine, "reason", "record")
    assert reason == "the id has a space"
    assert json.loads(record)["head"] == "MONDO 1"


def test_end_without_id_and_name_is_quarantined(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[
            fact(None, "HAS_SYMPTOM", "HP:1", head_name="--"),
            fact("MONDO:1", "HAS_SYMPTOM", None),
            fact("MONDO:1", "HAS_SYMPTOM", "HP:1"),
        ]
    )
    assert sorted(reason for (reason,) in rows_of(result.quarantine, "reason")) == [
        "the head has neither an id nor a name",
        "the tail has neither an id nor a name",
    ]


@pytest.mark.parametrize("name", ["NaN", "nan", " N/A", "NULL", "None", "unknown", "未知", "无"])
def test_placeholder_is_no_name_of_an_end_without_id(merge_rows: MergeRows, name: str) -> None:
    result = merge_rows(
        a=[
            fact(None, "HAS_SYMPTOM", "HP:1", head_name=name),
            fact("MONDO:1", "HAS_SYMPTOM", None, tail_name=name),
        ]
    )
    assert sorted(reason for (reason,) in rows_of(result.quarantine, "reason")) == [
        f"the {end} has no id, and its name {name.strip()!r} stands where a source knows nothing"
        for end in ("head", "tail")
    ]


def test_placeholder_is_no_fault_beside_an_id_or_in_a_longer_name(merge_rows: MergeRows) -> None:
    names = ("NA", "unknown fever", "nanism")
    result = merge_rows(
        a=[
            fact("MONDO:1", "HAS_SYMPTOM", "HP:1", head_name="none", tail_name="unknown"),
            *(fact("MONDO:1", "HAS_SYMPTOM", None, tail_name=name) for name in names),
        ]
    )
    assert rows_of(result.quarantine, "reason") == []


def test_id_or_name_too_long_for_an_index_is_quarantined(merge_rows: MergeRows) -> None:
    long = "MONDO:" + "1" * 2_000
    result = merge_rows(
        a=[
            fact(long, "HAS_SYMPTOM", "HP:1"),
            fact("MONDO:1", "HAS_SYMPTOM", "HP:1", tail_name=long),
            said("MONDO:1", "HAS_SYNONYM", long),
            said("MONDO:1", "HAS_TEXT", long),
        ]
    )
    reasons = [reason for (reason,) in rows_of(result.quarantine, "reason")]
    assert reasons == ["an id or a name is longer than 2,000 characters"] * 3


def test_unknown_relation_is_quarantined(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[fact("MONDO:1", "CURES", "HP:1"), fact("MONDO:1", "HAS_SYMPTOM", "HP:1")]
    )
    assert accounts_of(result)["a", "CURES"] == (1, 0, 0, 1)


def test_summary_counts_what_the_tables_hold(merge_rows: MergeRows) -> None:
    result = merge_rows(a=[fact("MONDO:1", "HAS_SYMPTOM", "HP:1")])
    assert result.tables.summary() == result.summary
    assert result.summary.nodes == {"Disease": 1, "Symptom": 1}
    assert result.summary.edges == {"HAS_SYMPTOM": 1}


# --- ids that are one thing --------------------------------------------------------------------


def test_exact_match_makes_one_node_of_two_and_is_written_down(merge_rows: MergeRows) -> None:
    result = merge_rows(
        facts=[
            fact("DOID:1", "HAS_SYMPTOM", "HP:1"),
            fact("MONDO:1", "HAS_SYMPTOM", "HP:2"),
        ],
        mappings=[
            said("MONDO:1", "HAS_EXACT_MATCH", "DOID:1", original_relation="skos:exactMatch")
        ],
    )
    assert edges_of(result, "HAS_SYMPTOM", "head", "tail") == [
        ("MONDO:1", "HP:1"),
        ("MONDO:1", "HP:2"),
    ]
    assert nodes_of(result, "id", "xrefs", "sources")[2] == (
        "MONDO:1",
        ["DOID:1"],
        ["facts", "mappings"],
    )
    columns = ("id", "node", "rule", "evidence", "sources")
    assert rows_of(result.quarantine.with_name("merges.parquet"), *columns) == [
        (
            "DOID:1",
            "MONDO:1",
            "exact match",
            "MONDO:1 skos:exactMatch DOID:1 (f, row 1)",
            ["mappings"],
        )
    ]


def test_refused_match_is_written_down_and_stays_a_cross_reference(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[
            fact("MONDO:1", "HAS_SYMPTOM", "HP:1"),
            fact("MONDO:2", "HAS_SYMPTOM", "HP:1"),
            said("MONDO:1", "HAS_EXACT_MATCH", "MONDO:2"),
        ]
    )
    assert nodes_of(result, "id", "xrefs")[1:] == [("MONDO:1", ["MONDO:2"]), ("MONDO:2", [])]
    columns = ("rule", "reason", "conflict", "ids", "evidence", "sources")
    assert rows_of(result.quarantine.with_name("refusals.parquet"), *columns) == [
        (
            "exact match",
            "two ids of one ontology",
            "MONDO:1 and MONDO:2",
            ["MONDO:1", "MONDO:2"],
            "MONDO:1 HAS_EXACT_MATCH MONDO:2 (f, row 1)",
            ["a"],
        )
    ]


def test_mapping_of_an_id_that_no_source_names_is_quarantined(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[
            fact("MONDO:1", "HAS_SYMPTOM", "HP:1"),
            said("MONDO:7", "HAS_EXACT_MATCH", "DOID:7", row=7),
            said("MONDO:8", "HAS_XREF", "MESH:D8", row=8),
            said("MONDO:9", "HAS_EXACT_MATCH", "DOID:9", row=9),
            said("DOID:9", "HAS_NAME", "gout"),
        ]
    )
    assert nodes_of(result, "id", "xrefs") == [
        ("DOID:9", ["MONDO:9"]),
        ("HP:1", []),
        ("MONDO:1", []),
    ]
    unnamed = "about an id that no source names"
    assert rows_of(result.quarantine, "row", "reason") == [(7, unnamed), (8, unnamed)]
    assert accounts_of(result)["a", "HAS_EXACT_MATCH"] == (2, 1, 0, 1)
    assert accounts_of(result)["a", "HAS_XREF"] == (1, 0, 0, 1)


def test_node_with_nothing_but_a_mapping_and_a_quarantined_edge_is_none(
    merge_rows: MergeRows,
) -> None:
    result = merge_rows(
        a=[
            fact("MONDO:1", "HAS_SYMPTOM", "HP:2"),
            fact("HGNC:1", "HAS_SYMPTOM", "HP:2", head_type="Gene", row=2),
            said("HGNC:1", "HAS_XREF", "MESH:D1", head_type="Gene", row=3),
        ]
    )
    assert [id_ for (id_,) in nodes_of(result, "id")] == ["HP:2", "MONDO:1"]
    assert [row for (row,) in rows_of(result.quarantine, "row")] == [2, 3]
    assert all(account.closes() for account in result.accounts)


def test_name_and_concept_find_the_node_that_has_the_synonym(merge_rows: MergeRows) -> None:
    concept = {"tail_type": "Concept"}
    result = merge_rows(
        ontology=[
            said("MONDO:1", "HAS_NAME", "gout"),
            said("MONDO:1", "HAS_SYNONYM", "podagra"),
            fact("MONDO:1", "HAS_CUI", "UMLS:C0018099", **concept),
        ],
        clinic=[
            fact(None, "HAS_SYMPTOM", "HP:1", head_name="Podagra"),
            fact(None, "HAS_CUI", "UMLS:C0018099", head_name="Podagra", **concept),
        ],
    )
    assert edges_of(result, "HAS_SYMPTOM", "head", "tail") == [("MONDO:1", "HP:1")]
    assert [(each.rule, each.evidence) for each in result.merged] == [
        ("concept and name", "UMLS:C0018099 podagra"),
        ("spelling", "podagra"),
    ]


def test_concept_is_no_id_of_a_disease(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[
            fact("UMLS:C0018099", "HAS_SYMPTOM", "HP:1", head_name="gout", row=1),
            fact("MONDO:1", "HAS_SYMPTOM", "UMLS:C0003862", row=2),
            fact("MONDO:1", "HAS_CUI", "UMLS:C0018099", tail_type="Concept", row=3),
        ]
    )
    to_do = "; give the thing's name, and the concept by HAS_CUI"
    assert rows_of(result.quarantine, "row", "reason") == [
        (1, f"'UMLS:C0018099' is a concept and no id of a Disease{to_do}"),
        (2, f"'UMLS:C0003862' is a concept and no id of a Symptom{to_do}"),
    ]
    assert [id_ for (id_,) in nodes_of(result, "id")] == ["MONDO:1", "UMLS:C0018099"]


def test_match_with_what_is_no_id_is_quarantined(merge_rows: MergeRows) -> None:
    result = merge_rows(
        a=[
            fact("MONDO:1", "HAS_SYMPTOM", "HP:1"),
            said("MONDO:1", "HAS_EXACT_MATCH", "gout, chronic"),
        ]
    )
    assert rows_of(result.quarantine, "reason") == [("the id of an exact match is not a CURIE",)]


names = st.sampled_from(["gout", "Gout", "痛风", "x", "--", None])
ids = st.sampled_from(["MONDO:1", "MONDO:2", "OMIM:1", None])
facts = st.builds(
    fact,
    ids,
    st.sampled_from(["HAS_SYMPTOM", "COMPLICATED_BY", "IS_A", "CURES"]),
    ids,
    head_name=names,
    tail_name=names,
    head_type=st.sampled_from(["Disease", "Symptom"]),
    tail_type=st.sampled_from(["Disease", "Symptom", "Gene"]),
    publications=st.sampled_from([None, "PMID:1", "PMID:2|PMID:1"]),
    problem=st.sampled_from([None, None, "bad"]),
)


@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(a=st.lists(facts, min_size=4, max_size=16), b=st.lists(facts, max_size=16))
def test_every_assertion_is_accounted_for(
    merge_rows: MergeRows, a: list[object], b: list[object]
) -> None:
    result = merge_rows(a=a, b=b)
    assert all(account.closes() for account in result.accounts)
    assert sum(account.assertions for account in result.accounts) == len(a) + len(b)
    assert sum(account.loaded for account in result.accounts) == sum(result.summary.edges.values())


def test_alias_that_is_what_another_thing_is_called_is_quarantined(merge_rows: MergeRows) -> None:
    chinese = {"language": "zh"}
    result = merge_rows(
        site=[
            said(None, "HAS_NAME", "缺血性心肌病", head_name="缺血性心肌病", **chinese),
            said(None, "HAS_SYNONYM", "冠心病", head_name="缺血性心肌病", row=2, **chinese),
            said(None, "HAS_NAME", "冠心病", head_name="冠心病", row=3, **chinese),
        ]
    )
    assert rows_of(result.quarantine, "row", "reason") == [
        (2, "what another thing is called, by a surer name")
    ]
    assert sorted(nodes_of(result, "name", "synonyms_zh")) == [
        ("冠心病", []),
        ("缺血性心肌病", []),
    ]
    assert all(account.closes() for account in result.accounts)
