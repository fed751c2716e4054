from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from ingest.identity import (
    Candidate,
    Coded,
    Identity,
)
from ingest.joining import same_nodes
from ingest.names import EXACT, LAY, TRANSLATED, Name
from tests.ingest.ids import (
    SOURCES,
    alone,
    called,
    candidate,
    code,
    match,
    merges,
    of_concept,
)

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


def test_name_onejoins_the_node_that_goes_by_it_with_how_it_does() -> None:
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


def test_finding_of_an_ontology_goes_before_a_disease_that_is_a_mere_code() -> None:
    translated = Name(TRANSLATED, "zh", "关节痛", 0, is_main=True)
    coded = Candidate("ICD9CM:719.4", "Disease", (called("Pain in joint"), translated))
    finding = Candidate(
        "HP:0002829", "Symptom", (called("Arthralgia"), called("关节痛", "zh", level=EXACT))
    )
    listed = alone("关节痛", kind="Disease")
    assert same_nodes([coded, finding, listed], SOURCES).nodes[listed.id] == "HP:0002829"


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


def test_abbreviation_onejoins_nothing_and_is_listed() -> None:
    disease = Candidate(
        "MONDO:1", "Disease", (called("acute lung injury"), called("ALI", level=EXACT))
    )
    name = alone("ALI", kind="Disease", language="en")
    identity = same_nodes([disease, name], SOURCES)
    assert (identity.nodes, [each.reason for each in identity.refused]) == (
        {},
        ["an abbreviation"],
    )


def test_names_oneare_one_where_a_source_lists_one_as_alias_of_the_other() -> None:
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
            Name(EXACT, language, name, 0, is_main=True)
            for language, name in (("en", "fever"), ("zh", "发烧"))
        ),
        mentioned=False,
    )
    fever = Candidate("HP:0001945", "Symptom", (called("Fever"),))
    name = alone("发烧")
    identity = same_nodes([fever, code, name], SOURCES)
    assert identity.nodes == {code.id: "HP:0001945", name.id: "HP:0001945"}


def test_list_of_translations_onemakes_no_node() -> None:
    code = Candidate(
        "ICD10CM:R50.9", "Symptom", (Name(EXACT, "en", "fever", 0, is_main=True),), mentioned=False
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
def test_names_onejoin_whatever_the_order(given: list[Candidate]) -> None:
    identity = same_nodes(given, SOURCES)
    assert set(identity.nodes.values()) == {"HP:0001945"}
    assert len(identity.nodes) == 3


def test_disease_is_found_by_the_name_of_the_finding_that_it_is() -> None:
    disease = of_concept("MONDO:1", "Disease", called("carbuncle"))
    finding = of_concept("HP:1", "Symptom", called("Carbuncle"), called("痈", "zh"))
    listed, symptom = alone("痈", kind="Disease"), alone("痈")
    identity = same_nodes([disease, finding, listed, symptom], SOURCES)
    assert identity.nodes == {listed.id: "MONDO:1", symptom.id: "HP:1"}


def test_code_of_a_list_of_translations_joins_by_its_english_names_alone() -> None:
    aplasia = Candidate("HP:1", "Symptom", (called("Aplasia"), called("发育不全", "zh")))
    translated = code("ICD10CM:Q1", ("en", "hypoplasia"), ("zh", "发育不全"))
    assert same_nodes([aplasia, translated], SOURCES).nodes == {}


def test_codes_that_mean_one_node_by_its_synonyms_are_all_refused() -> None:
    node = Candidate(
        "MONDO:1",
        "Disease",
        (
            called("elbow epicondylitis"),
            called("elbow strain", level=EXACT),
            called("elbow pain", level=EXACT),
        ),
    )
    same = replace(node, id="DOID:1")
    codes = [code("ICD10CM:M1", ("en", "elbow strain")), code("ICD10CM:M2", ("en", "elbow pain"))]
    identity = same_nodes([node, same, *codes], SOURCES)
    assert identity.nodes == {"DOID:1": "MONDO:1"}
    assert [each.reason for each in identity.refused] == ["several codes"] * 2
    one = same_nodes([node, same, codes[0]], SOURCES)
    assert one.nodes == {"DOID:1": "MONDO:1", "ICD10CM:M1": "MONDO:1"}


def test_list_of_translations_says_which_of_two_nodes_with_a_name_is_meant() -> None:
    first = Candidate("HP:1", "Symptom", (called("Hematochezia"), called("便血", "zh")))
    listed = Name(TRANSLATED, "zh", "便血", 0, is_main=True)
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


def test_name_onejoins_no_node_that_has_only_other_concepts() -> None:
    node = of_concept("HP:1", "Symptom", called("Fever"), concept="C0015967")
    name = alone("fever", kind="Disease", language="en")
    other = replace(name, concepts=frozenset({"C9999999"}))
    assert same_nodes([node, name], SOURCES).nodes == {name.id: "HP:1"}
    identity = same_nodes([node, other], SOURCES)
    assert (identity.nodes, [each.reason for each in identity.refused]) == ({}, ["other concepts"])


def test_code_joins_by_a_synonym_that_two_ontologies_have_and_not_by_that_of_one() -> None:
    mondo = Candidate(
        "MONDO:1", "Disease", (called("elbow disease"), called("sore elbow", level=EXACT))
    )
    doid = replace(mondo, id="DOID:1")
    translated = code("ICD10CM:M1", ("en", "sore elbow"))
    assert same_nodes([mondo, translated], SOURCES).nodes == {}
    assert same_nodes([mondo, doid, translated], SOURCES).nodes == {
        "DOID:1": "MONDO:1",
        translated.id: "MONDO:1",
    }


def test_english_synonym_that_says_more_or_less_by_a_telling_word_joins_nothing() -> None:
    hernia = Candidate(
        "MONDO:1",
        "Disease",
        (
            called("congenital diaphragmatic hernia"),
            called("diaphragmatic hernia", level=EXACT),
            called("congenital hernias of the diaphragm", level=EXACT),
        ),
    )
    diabetes = Candidate(
        "MONDO:2", "Disease", (called("diabetes mellitus"), called("diabetes", level=EXACT))
    )
    names = [
        alone(each, kind="Disease", language="en")
        for each in ("diaphragmatic hernia", "congenital hernias of the diaphragm", "diabetes")
    ]
    assert same_nodes([hernia, diabetes, *names], SOURCES).nodes == {
        names[1].id: "MONDO:1",
        names[2].id: "MONDO:2",
    }


def test_thing_of_a_numbered_series_is_not_called_by_a_name_without_a_number() -> None:
    locus = Candidate(
        "MONDO:1",
        "Disease",
        (
            called("osteoarthritis susceptibility 2"),
            called("Heberden nodes", level=EXACT),
            called("nodal osteoarthritis 2", level=EXACT),
            called("Heberden syndrome", level=EXACT),
        ),
    )
    names = [
        alone(each, kind="Disease", language="en")
        for each in ("Heberden nodes", "nodal osteoarthritis 2", "Heberden syndrome")
    ]
    assert same_nodes([locus, *names], SOURCES).nodes == {
        names[1].id: "MONDO:1",
        names[2].id: "MONDO:1",
    }


def test_chinese_synonym_with_a_word_that_makes_it_narrower_joins_nothing() -> None:
    liver = Candidate(
        "MONDO:1",
        "Disease",
        (
            called("hepatitis"),
            called("肝炎", "zh"),
            called("慢性肝炎", "zh", level=EXACT),
            called("肝脏炎", "zh", level=EXACT),
        ),
    )
    names = [alone(each, kind="Disease") for each in ("慢性肝炎", "肝脏炎")]
    assert same_nodes([liver, *names], SOURCES).nodes == {names[1].id: "MONDO:1"}


def test_laypersons_word_in_english_joins_nothing() -> None:
    finding = Candidate("HP:1", "Symptom", (called("Restlessness"), called("Spasms", level=LAY)))
    name = alone("spasms", language="en")
    assert same_nodes([finding, name], SOURCES).nodes == {}


def test_what_a_list_translates_decides_before_a_finding_of_that_name_is_taken() -> None:
    rabies = candidate("MONDO:1", "rabies")
    fear = Candidate("HP:1", "Symptom", (called("Hydrophobia"), called("狂犬病", "zh")))
    translated = code("ICD10CM:A82", ("en", "rabies"), ("zh", "狂犬病"))
    name = alone("狂犬病", kind="Disease")
    assert same_nodes([rabies, fear, translated, name], SOURCES).nodes == {
        translated.id: "MONDO:1",
        name.id: "MONDO:1",
    }


def test_finding_that_is_never_called_as_the_disease_gives_it_no_name() -> None:
    cancer = of_concept(
        "MONDO:1", "Disease", called("liver cancer"), called("tumour", level=EXACT)
    )
    neoplasm = of_concept("HP:1", "Symptom", called("Tumour"), called("肝脏肿瘤", "zh"))
    listed = alone("肝脏肿瘤", kind="Disease")
    identity = same_nodes([cancer, neoplasm, listed], SOURCES)
    assert identity.nodes == {listed.id: "HP:1"}


def test_name_of_a_member_that_says_another_kind_than_the_node_joins_nothing() -> None:
    node = candidate("MONDO:1", "hereditary hemochromatosis")
    member = Candidate(
        "DOID:1", "Disease", (called("hemochromatosis"), called("haemochromatosis", level=EXACT))
    )
    names = [alone(each.normal, language="en") for each in member.names]
    identity = same_nodes([node, member, *names], SOURCES, [match("MONDO:1", "DOID:1")])
    assert identity.nodes == {"DOID:1": "MONDO:1"}
    assert same_nodes([member, *names], SOURCES).nodes == {each.id: "DOID:1" for each in names}


def test_name_of_a_member_without_the_number_of_the_node_joins_nothing() -> None:
    node = candidate("MONDO:1", "periodontitis, aggressive 1")
    member = candidate("DOID:1", "aggressive periodontitis")
    name = alone("Aggressive periodontitis", language="en")
    identity = same_nodes([node, member, name], SOURCES, [match("MONDO:1", "DOID:1")])
    assert identity.nodes == {"DOID:1": "MONDO:1"}


def test_name_of_a_thing_that_joined_a_node_is_measured_by_the_name_of_the_node() -> None:
    wrinkling = Candidate(
        "HP:1",
        "Symptom",
        (called("Premature skin wrinkling"), called("Skin wrinkling", level=EXACT)),
        concepts=frozenset({"C1"}),
    )
    effect = replace(alone("Skin wrinkling", language="en"), concepts=frozenset({"C1"}))
    listed = alone("Skin wrinkling", kind="Disease", language="en")
    by_concept = [Coded(each, "C1", 0, [("en", "skin wrinkling")]) for each in ("HP:1", effect.id)]
    identity = same_nodes([wrinkling, effect, listed], SOURCES, coded=by_concept)
    assert identity.nodes == {effect.id: "HP:1"}


def test_loose_name_is_listed_with_the_name_of_the_node_unless_another_one_joined() -> None:
    hepatitis = Candidate(
        "MONDO:1", "Disease", (called("hepatitis"), called("chronic hepatitis", level=EXACT))
    )
    name = alone("chronic hepatitis", kind="Disease", language="en")
    (refused,) = same_nodes([hepatitis, name], SOURCES).refused
    assert (refused.rule, refused.reason, refused.conflict, refused.ids) == (
        "exact synonym",
        "a loose name",
        "hepatitis",
        (name.id, "MONDO:1"),
    )
    right = candidate("HP:1", "Chronic hepatitis", kind="Symptom")
    identity = same_nodes([hepatitis, right, name], SOURCES)
    assert (identity.nodes, identity.refused) == ({name.id: "HP:1"}, [])
