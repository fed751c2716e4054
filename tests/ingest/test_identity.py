import re

from hypothesis import given
from hypothesis import strategies as st

from ingest.identity import Candidate, Merged, Refused, mint, prefix, same_nodes


def test_minted_id_depends_on_type_and_normalised_name_alone() -> None:
    assert mint("Disease", "Gouty Arthritis") == mint("Disease", "gouty-arthritis")
    assert mint("Disease", "gout") != mint("Symptom", "gout")


def test_minted_id_is_an_ascii_curie() -> None:
    assert re.fullmatch(r"MEDKG:Disease\.[0-9a-f]{16}", str(mint("Disease", "痛风")))


def test_name_of_marks_alone_mints_nothing() -> None:
    assert mint("Disease", " -- ") is None


def test_ids_of_different_ontologies_with_one_name_are_one_node() -> None:
    gouts = [Candidate("OMIM:1", "Disease", ("Gout",)), Candidate("MONDO:2", "Disease", ("gout",))]
    assert same_nodes(gouts) == ([Merged("OMIM:1", "MONDO:2", "gout")], [])


def test_one_name_in_two_types_stays_two_nodes() -> None:
    pair = [Candidate("MONDO:1", "Disease", ("fever",)), Candidate("HP:1", "Symptom", ("fever",))]
    assert same_nodes(pair) == ([], [])


def test_name_shared_by_two_ids_of_one_ontology_is_refused() -> None:
    pair = [Candidate("OMIM:1", "Disease", ("X",)), Candidate("OMIM:2", "Disease", ("x",))]
    assert same_nodes(pair) == ([], [Refused("Disease", "x", ("OMIM:1", "OMIM:2"))])


def test_chinese_name_joins_what_the_english_name_does_not() -> None:
    pair = [
        Candidate("MONDO:1", "Disease", ("gout", "痛风")),
        Candidate("MEDKG:Disease.1", "Disease", ("痛风",)),
    ]
    assert same_nodes(pair)[0] == [Merged("MEDKG:Disease.1", "MONDO:1", "痛风")]


def test_chain_of_names_never_joins_two_ids_of_one_ontology() -> None:
    chain = [
        Candidate("MONDO:1", "Disease", ("a",)),
        Candidate("OMIM:1", "Disease", ("a", "b")),
        Candidate("MONDO:2", "Disease", ("b",)),
    ]
    merged, refused = same_nodes(chain)
    assert merged == [Merged("OMIM:1", "MONDO:1", "a")]
    assert [r.name for r in refused] == ["b"]


def test_titles_of_sections_do_not_identify() -> None:
    pair = [Candidate(f"MEDKG:Section.{n}", "Section", ("Overview",)) for n in (1, 2)]
    assert same_nodes(pair) == ([], [])


@given(
    st.lists(
        st.builds(
            Candidate,
            st.builds("{}:{}".format, st.sampled_from(["MONDO", "OMIM"]), st.integers(0, 9)),
            st.just("Disease"),
            st.tuples(st.sampled_from("abc"), st.sampled_from("abc")),
        ),
        unique_by=lambda c: c.id,
    )
)
def test_no_node_ever_holds_two_ids_of_one_ontology(candidates: list[Candidate]) -> None:
    merged, _ = same_nodes(candidates)
    nodes: dict[str, list[str]] = {}
    for one in merged:
        nodes.setdefault(one.node, [one.node]).append(one.id)
    for members in nodes.values():
        assert len({prefix(member) for member in members}) == len(members)
    assert (merged, _) == same_nodes(reversed(candidates))
