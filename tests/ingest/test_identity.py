import re
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ingest.identity import (
    Candidate,
    CloseMatch,
    Coded,
    Identity,
    Match,
    Merged,
    Refused,
    Rule,
    mint,
    same_nodes,
)
from ingest.known_names import BRIDGED, EXACT, LAY, PREFERRED, Name
from kg.linking.symbols import is_symbol
from kg.text import normalise

SOURCES = ("first", "second")


def candidate(
    id_: str, *names: str, kind: str = "Disease", language: str = "en", at: int = 0
) -> Candidate:
    return Candidate(id_, kind, tuple(called(name, language, at) for name in names))


def called(name: str, language: str = "en", at: int = 0, level: int = PREFERRED) -> Name:
    return Name(level, language, normalise(name), at, level == PREFERRED, is_symbol(name))


def match(head: str, tail: str, *, exact: bool = True, at: int = 0) -> Match:
    rule: Rule = "exact match" if exact else "mutual cross-reference"
    return Match(head, rule, tail, at, f"{head} = {tail} (f, row 1)")


def mapped(*ids: str) -> list[Candidate]:
    return [candidate(id_) for id_ in ids]


def merges(identity: Identity) -> list[tuple[str, str, str]]:
    return [(each.id, each.node, each.rule) for each in identity.merged]


# --- ids of names ------------------------------------------------------------------------------


def test_minted_id_depends_on_type_and_normalised_name_alone() -> None:
    assert mint("Disease", "Gouty Arthritis") == mint("Disease", "gouty-arthritis")
    assert mint("Disease", "gout") != mint("Symptom", "gout")


def test_minted_id_is_an_ascii_curie() -> None:
    assert re.fullmatch(r"MEDKG:Disease\.[0-9a-f]{16}", str(mint("Disease", "痛风")))


def test_name_of_marks_alone_mints_nothing() -> None:
    assert mint("Disease", " -- ") is None


# --- names -------------------------------------------------------------------------------------


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


# --- what sources say --------------------------------------------------------------------------


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


# --- concept and name --------------------------------------------------------------------------

MINTED = "MEDKG:Disease.1"


def coded(id_: str, *names: str, cui: str = "C1", language: str = "en") -> Coded:
    return Coded(id_, cui, 0, {(language, name) for name in names})


def test_name_and_concept_join_what_is_known_by_name_alone() -> None:
    nodes = [candidate("MONDO:1", "gout"), candidate(MINTED, "podagra")]
    having = [coded("MONDO:1", "gout", "Podagra"), coded(MINTED, "podagra")]
    assert same_nodes(nodes, SOURCES, [], having).merged == [
        Merged(MINTED, "MONDO:1", "concept and name", "UMLS:C1 podagra", ("first",))
    ]


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


# --- in general --------------------------------------------------------------------------------

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


# --- names that came alone ----------------------------------------------------------------------

FEVER = Candidate(
    "HP:0001945",
    "Symptom",
    (
        called("Fever"),
        called("发热", "zh"),
        called("发烧", "zh", level=LAY),
        called("Pyrexia", level=EXACT),
    ),
)


def alone(name: str, *more: Name, kind: str = "Symptom", language: str = "zh") -> Candidate:
    id_ = mint(kind, name)
    assert id_ is not None
    return Candidate(id_, kind, (called(name, language, 1), *more))


def test_name_alone_joins_the_node_that_goes_by_it_with_how_it_does() -> None:
    names = [alone("发热"), alone("发烧"), alone("pyrexia", language="en")]
    identity = same_nodes([FEVER, *names], SOURCES)
    assert {(each.node, each.rule, each.evidence) for each in identity.merged} == {
        ("HP:0001945", "name", "发热"),
        ("HP:0001945", "layperson's synonym", "发烧"),
        ("HP:0001945", "exact synonym", "pyrexia"),
    }


def test_what_a_list_has_for_a_disease_may_be_a_finding_and_has_its_type_then() -> None:
    listed = alone("发热", kind="Disease")
    identity = same_nodes([FEVER, listed], SOURCES)
    assert identity.nodes == {listed.id: "HP:0001945"}
    assert identity.retyped == {listed.id: "Symptom"}


def test_type_of_the_relation_goes_before_the_other() -> None:
    disease = Candidate(
        "MONDO:1", "Disease", (called("pneumonia"), called("肺炎", "zh", level=EXACT))
    )
    finding = Candidate("HP:1", "Symptom", (called("Pneumonia"), called("肺炎", "zh")))
    of_disease, of_finding = alone("肺炎", kind="Disease"), alone("肺炎")
    identity = same_nodes([disease, finding, of_disease, of_finding], SOURCES)
    assert identity.nodes == {of_disease.id: "MONDO:1", of_finding.id: "HP:1"}


def test_preferred_name_goes_before_synonym_and_two_of_one_kind_are_refused() -> None:
    sure = Candidate("HP:1", "Symptom", (called("Ache"), called("疼", "zh")))
    less = Candidate("HP:2", "Symptom", (called("Soreness"), called("疼", "zh", level=EXACT)))
    other = Candidate("HP:3", "Symptom", (called("Pain"), called("疼", "zh", level=EXACT)))
    name = alone("疼", kind="Disease")
    assert same_nodes([sure, less, name], SOURCES).nodes == {name.id: "HP:1"}
    refused = same_nodes([less, other, name], SOURCES)
    assert refused.nodes == {}
    assert [(each.reason, each.ids) for each in refused.refused] == [
        ("several nodes", ("HP:2", "HP:3", name.id))
    ]


def test_abbreviation_alone_joins_nothing_and_is_listed() -> None:
    disease = Candidate(
        "MONDO:1", "Disease", (called("acute lung injury"), called("ALI", level=EXACT))
    )
    name = alone("ALI", kind="Disease", language="en")
    identity = same_nodes([disease, name], SOURCES)
    assert (identity.nodes, [each.reason for each in identity.refused]) == (
        {},
        ["an abbreviation"],
    )


def test_names_alone_are_one_where_a_source_lists_one_as_alias_of_the_other() -> None:
    first = alone("痔疮", called("痔核", "zh", level=EXACT), kind="Disease")
    second = alone("痔核", kind="Disease")
    identity = same_nodes([first, second], SOURCES)
    assert [(each.rule, each.evidence) for each in identity.merged] == [("alias", "痔核")]


def test_alias_of_two_things_joins_neither() -> None:
    things = [
        alone(name, called("痔核", "zh", level=EXACT), kind="Disease") for name in ("痔疮", "痔病")
    ]
    identity = same_nodes([*things, alone("痔核", kind="Disease")], SOURCES)
    assert (identity.nodes, [each.reason for each in identity.refused]) == ({}, ["several nodes"])


def concept(cui: str, name: str) -> Candidate:
    return candidate(f"UMLS:{cui}", name, kind="Concept")


def test_synonym_that_is_another_concept_of_umls_joins_nothing_unless_only_spelt_otherwise() -> (
    None
):
    mania = Candidate(
        "HP:1",
        "Symptom",
        (called("Mania"), called("Hypomania", level=EXACT), called("Elation", level=EXACT)),
        concepts=frozenset({"C1"}),
    )
    edema = Candidate(
        "HP:2",
        "Symptom",
        (called("Generalized edema"), called("Generalised oedema", level=EXACT)),
        concepts=frozenset({"C2"}),
    )
    names = [alone(each, language="en") for each in ("Hypomania", "Generalised oedema")]
    others = [concept("C3", "Hypomania"), concept("C4", "Generalised oedema")]
    identity = same_nodes([mania, edema, *names, *others], SOURCES)
    assert identity.nodes == {names[1].id: "HP:2"}


def test_synonym_that_a_finding_has_as_its_own_name_means_the_finding() -> None:
    lesion = Candidate(
        "MONDO:1", "Disease", (called("lytic metastasis"), called("Osteolysis", level=EXACT))
    )
    finding = candidate("HP:1", "Osteolysis", kind="Symptom")
    name = alone("osteolysis", kind="Disease", language="en")
    assert same_nodes([lesion, finding, name], SOURCES).nodes == {name.id: "HP:1"}


def test_english_synonym_that_says_more_than_the_preferred_name_joins_nothing() -> None:
    disease = Candidate(
        "MONDO:1",
        "Disease",
        (
            called("newborn coagulation disease"),
            called("postpartum coagulation defect", level=EXACT),
            called("neonatal coagulation defect", level=EXACT),
        ),
    )
    names = [
        alone(each, kind="Disease", language="en")
        for each in ("postpartum coagulation defect", "neonatal coagulation defect")
    ]
    assert same_nodes([disease, *names], SOURCES).nodes == {names[1].id: "MONDO:1"}


def test_aliases_of_which_each_means_another_thing_join_nothing_however_sure_one_is() -> None:
    sure = Candidate("MONDO:1", "Disease", (called("x"), called("甲病", "zh")))
    less = Candidate("MONDO:2", "Disease", (called("y"), called("乙病", "zh", level=EXACT)))
    aliases = called("甲病", "zh", level=EXACT), called("乙病", "zh", level=EXACT)
    thing = alone("丙症", *aliases, kind="Disease")
    identity = same_nodes([sure, less, thing], SOURCES)
    assert (identity.nodes, [each.reason for each in identity.refused]) == ({}, ["several nodes"])
    assert same_nodes([sure, thing], SOURCES).nodes == {thing.id: "MONDO:1"}


def test_english_alias_of_a_page_joins_nothing() -> None:
    fracture = candidate("MONDO:1", "skull fractures")
    page = alone(
        "Head Injuries",
        called("Skull fractures", level=EXACT, at=1),
        kind="Disease",
        language="en",
    )
    assert same_nodes([fracture, page], SOURCES).nodes == {}


def test_list_of_translations_joins_what_is_called_so_in_the_other_language() -> None:
    code = Candidate(
        "ICD10CM:R50.9",
        "Symptom",
        tuple(
            Name(EXACT, language, name, 0, is_own=True)
            for language, name in (("en", "fever"), ("zh", "发烧"))
        ),
        mentioned=False,
    )
    fever = Candidate("HP:0001945", "Symptom", (called("Fever"),))
    name = alone("发烧")
    identity = same_nodes([fever, code, name], SOURCES)
    assert identity.nodes == {code.id: "HP:0001945", name.id: "HP:0001945"}


def test_list_of_translations_alone_makes_no_node() -> None:
    code = Candidate(
        "ICD10CM:R50.9", "Symptom", (Name(EXACT, "en", "fever", 0, is_own=True),), mentioned=False
    )
    assert same_nodes([code], SOURCES) == Identity({}, [], [])


@given(
    st.permutations(
        [
            FEVER,
            alone("发热", kind="Disease"),
            alone("发烧"),
            alone("发热症", called("发烧", "zh", level=EXACT)),
        ]
    )
)
def test_names_alone_join_whatever_the_order(given: list[Candidate]) -> None:
    identity = same_nodes(given, SOURCES)
    assert set(identity.nodes.values()) == {"HP:0001945"}
    assert len(identity.nodes) == 3


# --- a disease that is a finding ------------------------------------------------------------------


def of_concept(id_: str, kind: str, *names: Name, concept: str = "C0032285") -> Candidate:
    return Candidate(id_, kind, names, concepts=frozenset({concept}))


def test_cross_reference_between_a_disease_and_a_finding_is_a_close_match() -> None:
    pair = [candidate("MONDO:1", "pneumonia"), candidate("HP:1", "Pneumonia", kind="Symptom")]
    said = match("MONDO:1", "HP:1", exact=False, at=1)
    assert same_nodes(pair, SOURCES, crossed=[said]) == Identity(
        {}, [], [], [CloseMatch("MONDO:1", "HP:1", "cross-reference", said.said, (1,))]
    )


def test_concept_and_preferred_name_are_a_close_match_and_neither_alone_is() -> None:
    disease = of_concept("MONDO:1", "Disease", called("pneumonia"))
    finding = of_concept("HP:1", "Symptom", called("Pneumonia", at=1))
    assert same_nodes([disease, finding], SOURCES).close == [
        CloseMatch("MONDO:1", "HP:1", "concept and name", "UMLS:C0032285 pneumonia", (0, 1))
    ]
    other = of_concept("HP:2", "Symptom", called("Pneumonia"), concept="C0000001")
    named = of_concept("HP:3", "Symptom", called("Lung infection"))
    assert same_nodes([disease, other, named], SOURCES).close == []


def test_synonym_that_a_narrower_disease_has_makes_no_close_match_beside_the_right_one() -> None:
    finding = of_concept("HP:1", "Symptom", called("Ulcerative colitis"))
    right = of_concept("MONDO:1", "Disease", called("ulcerative colitis"))
    kind = of_concept(
        "MONDO:2", "Disease", called("IBD 1"), called("ulcerative colitis", level=EXACT)
    )
    close = same_nodes([finding, right, kind], SOURCES).close
    assert [(each.disease, each.finding) for each in close] == [("MONDO:1", "HP:1")]


def test_disease_is_found_by_the_name_of_the_finding_that_it_is() -> None:
    disease = of_concept("MONDO:1", "Disease", called("carbuncle"))
    finding = of_concept("HP:1", "Symptom", called("Carbuncle"), called("痈", "zh"))
    listed, symptom = alone("痈", kind="Disease"), alone("痈")
    identity = same_nodes([disease, finding, listed, symptom], SOURCES)
    assert identity.nodes == {listed.id: "MONDO:1", symptom.id: "HP:1"}


def code(id_: str, *names: tuple[str, str]) -> Candidate:
    own = tuple(Name(BRIDGED, language, name, 0, is_own=True) for language, name in names)
    return Candidate(id_, "Disease", own, mentioned=False)


def test_code_of_a_list_of_translations_joins_by_its_english_names_alone() -> None:
    aplasia = Candidate("HP:1", "Symptom", (called("Aplasia"), called("发育不全", "zh")))
    translated = code("ICD10CM:Q1", ("en", "hypoplasia"), ("zh", "发育不全"))
    assert same_nodes([aplasia, translated], SOURCES).nodes == {}


def test_codes_that_mean_one_node_by_its_synonyms_are_all_refused() -> None:
    node = Candidate(
        "MONDO:1",
        "Disease",
        (called("epicondylitis"), called("elbow a", level=EXACT), called("elbow b", level=EXACT)),
    )
    codes = [code("ICD10CM:M1", ("en", "elbow a")), code("ICD10CM:M2", ("en", "elbow b"))]
    identity = same_nodes([node, *codes], SOURCES)
    assert identity.nodes == {}
    assert [each.reason for each in identity.refused] == ["several codes"] * 2
    assert same_nodes([node, codes[0]], SOURCES).nodes == {"ICD10CM:M1": "MONDO:1"}


def test_list_of_translations_says_which_of_two_nodes_with_a_name_is_meant() -> None:
    first = Candidate("HP:1", "Symptom", (called("Hematochezia"), called("便血", "zh")))
    listed = Name(BRIDGED, "zh", "便血", 0, is_own=True)
    second = Candidate("HP:2", "Symptom", (called("Melena"), called("便血", "zh"), listed))
    name = alone("便血")
    identity = same_nodes([first, second, name], SOURCES)
    assert merges(identity) == [(name.id, "HP:2", "translated name")]


def test_alias_stays_one_when_the_thing_that_has_it_joined_a_node() -> None:
    node = Candidate(
        "MONDO:1", "Disease", (called("ulcerative colitis"), called("溃疡性肠炎", "zh"))
    )
    site = alone("溃疡性肠炎", called("结肠炎", "zh", level=EXACT), kind="Disease")
    identity = same_nodes([node, site, alone("结肠炎", kind="Disease")], SOURCES)
    assert [each.rule for each in identity.merged] == ["name"]


def test_name_alone_joins_no_node_that_has_only_other_concepts() -> None:
    node = of_concept("HP:1", "Symptom", called("Fever"), concept="C0015967")
    name = alone("fever", kind="Disease", language="en")
    other = replace(name, concepts=frozenset({"C9999999"}))
    assert same_nodes([node, name], SOURCES).nodes == {name.id: "HP:1"}
    identity = same_nodes([node, other], SOURCES)
    assert (identity.nodes, [each.reason for each in identity.refused]) == ({}, ["other concepts"])


def test_name_of_a_close_match_that_is_a_kind_of_it_joins_nothing() -> None:
    disease = of_concept("MONDO:1", "Disease", called("congenital nystagmus"))
    finding = of_concept("HP:1", "Symptom", called("Nystagmus"), called("眼球震颤", "zh"))
    said = match("MONDO:1", "HP:1", exact=False)
    listed = alone("眼球震颤", kind="Disease")
    identity = same_nodes([disease, finding, listed], SOURCES, crossed=[said])
    assert identity.nodes == {listed.id: "HP:1"}
