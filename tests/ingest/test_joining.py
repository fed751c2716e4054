from hypothesis import given
from hypothesis import strategies as st

from ingest.identity import (
    Candidate,
    Coded,
    Identity,
    Match,
    Merged,
    Refused,
)
from ingest.joining import same_nodes
from tests.ingest.ids import (
    SOURCES,
    called,
    candidate,
    mapped,
    match,
    merges,
)

# --- names ----------------------------------------------------------------------------------


def test_ids_of_different_ontologies_with_one_name_are_one_node() -> None:
    gouts = [candidate("OMIM:1", "Gout", at=1), candidate("MONDO:2", "gout")]
    assert same_nodes(gouts, SOURCES) == Identity(
        {"OMIM:1": "MONDO:2"},
        [Merged("OMIM:1", "MONDO:2", "name", "gout", ("first", "second"))],
        [],
    )


def test_one_name_in_two_types_stays_two_nodes() -> None:
    pair = [candidate("MONDO:1", "fever"), candidate("HP:1", "fever", kind="Symptom")]
    assert same_nodes(pair, SOURCES) == Identity({}, [], [])


def test_name_shared_by_two_ids_of_one_ontology_is_refused() -> None:
    pair = [candidate("OMIM:1", "X"), candidate("OMIM:2", "x")]
    assert same_nodes(pair, SOURCES).refused == [
        Refused(
            "name",
            "two ids of one ontology",
            "OMIM:1 and OMIM:2",
            ("OMIM:1", "OMIM:2"),
            "x",
            ("first",),
        )
    ]


def test_english_name_does_not_join_a_chinese_name_that_is_written_alike() -> None:
    pair = [candidate("MONDO:1", "SARS"), candidate("DOID:1", "SARS", language="zh")]
    assert same_nodes(pair, SOURCES) == Identity({}, [], [])


def test_chinese_name_joins_what_the_english_name_does_not() -> None:
    names = (called("gout"), called("痛风", "zh"))
    pair = [
        Candidate("MONDO:1", "Disease", names),
        candidate("MEDKG:Disease.1", "痛风", language="zh"),
    ]
    assert merges(same_nodes(pair, SOURCES)) == [("MEDKG:Disease.1", "MONDO:1", "name")]


def test_chain_of_names_never_joins_two_ids_of_one_ontology() -> None:
    both = (called("a"), called("b", "zh"))
    chain = [
        candidate("MONDO:1", "a"),
        Candidate("OMIM:1", "Disease", both),
        candidate("MONDO:2", "b", language="zh"),
    ]
    identity = same_nodes(chain, SOURCES)
    assert merges(identity) == [("OMIM:1", "MONDO:1", "name")]
    assert [each.evidence for each in identity.refused] == ["b"]


def test_titles_of_sections_do_not_identify() -> None:
    pair = [candidate(f"MEDKG:Section.{n}", "Overview", kind="Section") for n in (1, 2)]
    assert same_nodes(pair, SOURCES) == Identity({}, [], [])


# --- what sources say -----------------------------------------------------------------------


def test_exact_match_joins_and_tells_who_says_so() -> None:
    identity = same_nodes(mapped("DOID:1", "MONDO:1"), SOURCES, [match("MONDO:1", "DOID:1", at=1)])
    said = "MONDO:1 = DOID:1 (f, row 1)"
    assert identity.merged == [Merged("DOID:1", "MONDO:1", "exact match", said, ("second",))]


def test_cross_reference_joins_only_with_the_one_back() -> None:
    there, back = (
        match("MONDO:1", "EFO:1", exact=False),
        match("EFO:1", "MONDO:1", exact=False, at=1),
    )
    nodes = mapped("MONDO:1", "EFO:1")
    assert same_nodes(nodes, SOURCES, [there]) == Identity({}, [], [])
    assert same_nodes(nodes, SOURCES, [there, back]).merged == [
        Merged(
            "EFO:1",
            "MONDO:1",
            "mutual cross-reference",
            "EFO:1 = MONDO:1 (f, row 1); MONDO:1 = EFO:1 (f, row 1)",
            ("first", "second"),
        )
    ]


def test_id_that_only_mappings_have_connects_and_is_no_node() -> None:
    matches = [match("MONDO:1", "DOID:1"), match("MONDO:1", "OMIM:1")]
    nodes = [*mapped("DOID:1", "OMIM:1"), Candidate("MONDO:1", "Disease", mentioned=False)]
    identity = same_nodes(nodes, SOURCES, matches)
    assert identity.nodes == {"MONDO:1": "DOID:1", "OMIM:1": "DOID:1"}
    assert merges(identity) == [
        ("MONDO:1", "DOID:1", "exact match"),
        ("OMIM:1", "DOID:1", "exact match"),
    ]


def test_mapping_to_what_nobody_has_is_no_merge() -> None:
    identity = same_nodes(mapped("MONDO:1"), SOURCES, [match("MONDO:1", "ICD10CM:M10")])
    assert identity == Identity({"ICD10CM:M10": "MONDO:1"}, [], [])


def test_mappings_among_what_nobody_has_make_no_node() -> None:
    alone = [Candidate("MONDO:1", "Disease", mentioned=False)]
    assert same_nodes(alone, SOURCES, [match("MONDO:1", "DOID:1")]) == Identity({}, [], [])


def test_former_id_stands_for_the_one_in_use_of_its_own_ontology() -> None:
    said = Match("MONDO:2", "former id", "MONDO:1", 0, "MONDO:2 replaces MONDO:1 (f, row 1)")
    candidates = [Candidate("MONDO:1", "Disease"), Candidate("MONDO:2", "Disease")]
    assert same_nodes(candidates, ["a"], [said]).refused == []
    identity = same_nodes([*candidates, Candidate("DOID:1", "Disease")], ["a"], [
        said, match("DOID:1", "MONDO:1"),
    ])  # fmt: skip
    assert identity.nodes == {"DOID:1": "MONDO:2", "MONDO:1": "MONDO:2"}


def test_exact_match_of_two_types_is_refused() -> None:
    nodes = [candidate("MONDO:1"), candidate("HP:1", kind="Symptom")]
    [refused] = same_nodes(nodes, SOURCES, [match("MONDO:1", "HP:1")]).refused
    assert (refused.reason, refused.conflict) == ("two types", "Disease and Symptom")
    assert refused.evidence == "MONDO:1 = HP:1 (f, row 1)"


def test_two_diseases_do_not_become_one_by_a_concept_that_both_are_said_to_equal() -> None:
    matches = [match("MONDO:1", "UMLS:C1"), match("DOID:1", "UMLS:C1")]
    identity = same_nodes(mapped("MONDO:1", "DOID:1"), SOURCES, matches)
    assert identity.nodes == {}
    assert [each.reason for each in identity.refused] == ["two types"] * 2


def test_earlier_source_goes_first() -> None:
    nodes = mapped("MONDO:1", "MONDO:2", "DOID:1")
    matches = [match("MONDO:1", "DOID:1", at=1), match("MONDO:2", "DOID:1", at=0)]
    identity = same_nodes(nodes, SOURCES, matches)
    assert identity.nodes == {"DOID:1": "MONDO:2"}
    assert [each.conflict for each in identity.refused] == ["MONDO:1 and MONDO:2"]


def test_statement_goes_before_a_name_of_the_same_source() -> None:
    nodes = [candidate("MONDO:1", "gout"), candidate("DOID:1", "gout"), candidate("MONDO:2")]
    identity = same_nodes(nodes, SOURCES, [match("MONDO:2", "DOID:1")])
    assert identity.nodes == {"DOID:1": "MONDO:2"}
    assert [each.rule for each in identity.refused] == ["name"]


def test_every_merged_id_has_the_reason_that_leads_to_its_node() -> None:
    matches = [match("DOID:1", "OMIM:1"), match("MONDO:1", "DOID:1", at=1)]
    identity = same_nodes(mapped("MONDO:1", "DOID:1", "OMIM:1"), SOURCES, matches)
    assert [(each.id, each.evidence.split(" (")[0]) for each in identity.merged] == [
        ("DOID:1", "MONDO:1 = DOID:1"),
        ("OMIM:1", "DOID:1 = OMIM:1"),
    ]


# --- concept and name -----------------------------------------------------------------------

MINTED = "MEDKG:Disease.1"


def coded(id_: str, *names: str, cui: str = "C1", language: str = "en") -> Coded:
    return Coded(id_, cui, 0, {(language, name) for name in names})


def test_name_and_concept_join_what_is_known_by_name_alone() -> None:
    nodes = [candidate("MONDO:1", "gout"), candidate(MINTED, "podagra")]
    having = [coded("MONDO:1", "gout", "Podagra"), coded(MINTED, "podagra")]
    assert same_nodes(nodes, SOURCES, [], having).merged == [
        Merged(MINTED, "MONDO:1", "concept and name", "UMLS:C1 podagra", ("first",))
    ]


def test_abbreviation_with_a_concept_joins_only_what_is_written_alike() -> None:
    nodes = [candidate("MONDO:1", "oculomotor apraxia"), candidate(MINTED, "coma")]
    having = [coded("MONDO:1", "oculomotor apraxia", "COMA"), coded(MINTED, "Coma")]
    assert same_nodes(nodes, SOURCES, [], having).merged == []
    having = [coded("MONDO:1", "oculomotor apraxia", "COMA"), coded(MINTED, "COMA")]
    assert [each.node for each in same_nodes(nodes, SOURCES, [], having).merged] == ["MONDO:1"]


def test_concept_alone_joins_nothing() -> None:
    nodes = [candidate("MONDO:1", "gout"), candidate(MINTED, "podagra")]
    having = [coded("MONDO:1", "gout"), coded(MINTED, "podagra")]
    assert same_nodes(nodes, SOURCES, [], having) == Identity({}, [], [])


def test_concept_and_name_do_not_join_two_that_have_ids() -> None:
    nodes = [candidate("MONDO:1", "gout"), candidate("DOID:1", "podagra")]
    having = [coded("MONDO:1", "gout", "podagra"), coded("DOID:1", "podagra")]
    assert same_nodes(nodes, SOURCES, [], having) == Identity({}, [], [])


def test_concept_and_name_of_several_nodes_are_refused() -> None:
    nodes = [candidate("MONDO:1", "a"), candidate("MONDO:2", "b"), candidate(MINTED, "c")]
    having = [coded("MONDO:1", "a", "c"), coded("MONDO:2", "b", "c"), coded(MINTED, "c")]
    identity = same_nodes(nodes, SOURCES, [], having)
    assert identity.nodes == {}
    [refused] = identity.refused
    assert (refused.reason, refused.ids) == ("several nodes", (MINTED, "MONDO:1", "MONDO:2"))


def test_concept_and_name_do_not_cross_types_or_languages() -> None:
    nodes = [
        candidate("HP:1", "a", kind="Symptom"),
        candidate("MONDO:1", "b"),
        candidate(MINTED, "c"),
    ]
    having = [
        coded("HP:1", "a", "c"),
        coded("MONDO:1", "c", language="zh"),
        coded(MINTED, "c"),
    ]
    assert same_nodes(nodes, SOURCES, [], having) == Identity({}, [], [])


# --- in general -----------------------------------------------------------------------------

ids = st.builds("{}:{}".format, st.sampled_from(["MONDO", "OMIM", "MEDKG"]), st.integers(0, 5))


@given(
    st.lists(
        st.builds(
            candidate,
            ids,
            st.sampled_from("abc"),
            language=st.sampled_from(["en", "zh"]),
            at=st.integers(0, 1),
        ),
        unique_by=lambda c: c.id,
        max_size=8,
    ),
    st.lists(st.builds(match, ids, ids, exact=st.booleans(), at=st.integers(0, 1)), max_size=8),
)
def test_no_node_ever_holds_two_ids_of_one_ontology(
    candidates: list[Candidate], matches: list[Match]
) -> None:
    identity = same_nodes(candidates, SOURCES, matches)
    nodes: dict[str, set[str]] = {}
    for id_, node in identity.nodes.items():
        nodes.setdefault(node, {node}).add(id_)
    for members in nodes.values():
        named = [id_.partition(":")[0] for id_ in members if not id_.startswith("MEDKG:")]
        assert len(set(named)) == len(named)
    assert {each.id for each in identity.merged} >= identity.nodes.keys() & {
        each.id for each in candidates
    }
    assert identity == same_nodes(candidates[::-1], SOURCES, matches[::-1])
