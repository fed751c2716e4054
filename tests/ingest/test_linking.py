"""Text-born names: three rows of names, and the linker as it is."""

from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.assertions import Assertion
from ingest.build import build
from ingest.configuration import read_config
from ingest.identity import mint
from ingest.linking import resolved
from ingest.merge import MergeResult
from ingest.report import page, read_report
from kg import connect
from kg.configuration import Settings
from kg.errors import ConfigurationError
from kg.linking.linker import Linker, LinkOptions
from kg.linking.names import Names
from kg.progress import Silent
from kg.tables import GraphTables
from tests.conftest import CommandLine
from tests.ingest.conftest import MergeRows
from tests.ingest.rows import edges_of, fact, nodes_of, rows_of, said

TEXT = frozenset({"text"})
FEVER = fact("MONDO:1", "HAS_SYMPTOM", "HP:1", head_name="influenza", tail_name="Fever")
COUGH = fact("MONDO:1", "HAS_SYMPTOM", "HP:2", tail_name="Cough")


def has(name: str, **other: str | None) -> Assertion:
    """A text that says influenza has this symptom."""
    return fact("MONDO:1", "HAS_SYMPTOM", None, tail_name=name, **other)


def links(result: MergeResult) -> list[tuple[str, str, str | None, str | None]]:
    return [(link.name, link.outcome, link.method, link.id) for link in result.links]


def names(result: MergeResult, node: str) -> tuple[str, ...]:
    """All names of a node, the one it goes by first."""
    columns = ("id", "name", "synonyms", "name_zh", "synonyms_zh")
    [row] = [row for row in nodes_of(result, *columns) if row[0] == node]
    _, name, en, name_zh, zh = row
    return (name, *en, *([name_zh] if name_zh else []), *zh)


# --- a name that is linked -------------------------------------------------------------------


def test_misspelt_name_is_the_node_and_no_name_of_it(merge_rows: MergeRows) -> None:
    result = merge_rows(TEXT, known=[FEVER, COUGH], text=[has("feverr")])
    assert links(result) == [("feverr", "linked", "spelling", "HP:1")]
    assert edges_of(result, "HAS_SYMPTOM", "tail", "sources") == [
        ("HP:1", ["known", "text"]),
        ("HP:2", ["known"]),
    ]
    assert names(result, "HP:1") == ("Fever",)


def test_link_tells_the_name_it_matched_and_how_well(merge_rows: MergeRows) -> None:
    [link] = merge_rows(TEXT, known=[FEVER, COUGH], text=[has("feverr")]).links
    assert (link.source, link.type, link.matched) == ("text", "Symptom", "Fever")
    assert link.score == pytest.approx(10 / 11)


def test_exact_name_in_another_form_becomes_a_synonym(merge_rows: MergeRows) -> None:
    result = merge_rows(TEXT, known=[FEVER, COUGH], text=[has("Coughs")])
    assert links(result) == [("Coughs", "linked", "exact", "HP:2")]
    assert names(result, "HP:2") == ("Cough", "Coughs")


def test_synonym_links_too(merge_rows: MergeRows) -> None:
    pyrexia = said("HP:1", "HAS_SYNONYM", "Pyrexia", head_type="Symptom")
    result = merge_rows(TEXT, known=[FEVER, pyrexia], text=[has("pyrexia")])
    assert links(result) == [("pyrexia", "linked", "exact", "HP:1")]


def test_traditional_chinese_is_the_simplified_name(merge_rows: MergeRows) -> None:
    zh = said("HP:1", "HAS_NAME", "发热", head_type="Symptom", language="zh")
    result = merge_rows(TEXT, known=[FEVER, zh], text=[has("發熱", language="zh")])
    assert links(result) == [("發熱", "linked", "exact", "HP:1")]
    assert names(result, "HP:1") == ("Fever", "发热", "發熱")


def test_words_in_another_order_are_linked_but_no_synonym(merge_rows: MergeRows) -> None:
    pain = fact("MONDO:1", "HAS_SYMPTOM", "HP:3", tail_name="Abdominal pain")
    result = merge_rows(TEXT, known=[FEVER, pain], text=[has("pain abdominal")])
    assert links(result) == [("pain abdominal", "linked", "word order", "HP:3")]
    assert names(result, "HP:3") == ("Abdominal pain",)


def test_head_is_linked_as_the_tail_is(merge_rows: MergeRows) -> None:
    other = fact(None, "HAS_SYMPTOM", "HP:2", head_name="influenzza")
    result = merge_rows(TEXT, known=[FEVER], text=[other])
    assert ("MONDO:1", "HP:2") in edges_of(result, "HAS_SYMPTOM", "head", "tail")


def test_what_a_text_says_of_a_linked_name_is_said_of_the_node(merge_rows: MergeRows) -> None:
    attributes = {"head_type": "Symptom", "head_name": "feverr"}
    text = [fact(None, "HAS_SYNONYM", None, value="pyrexia", tail_type=None, **attributes)]
    result = merge_rows(TEXT, known=[FEVER, COUGH], text=text)
    assert names(result, "HP:1") == ("Fever", "pyrexia")


def test_name_of_a_text_never_goes_before_that_of_the_others(merge_rows: MergeRows) -> None:
    result = merge_rows(TEXT, text=[has("fever"), has("coughs")], known=[FEVER, COUGH])
    assert names(result, "HP:1") == ("Fever", "fever")
    assert names(result, "HP:2") == ("Cough", "coughs")


# --- what the merge finds by itself goes first -----------------------------------------------


def test_name_that_another_source_mints_stays_one_with_it(merge_rows: MergeRows) -> None:
    known = [FEVER, fact("MONDO:1", "HAS_SYMPTOM", None, tail_name="Tophus")]
    result = merge_rows(TEXT, known=known, text=[has("Tophus"), has("tophus!")])
    tophus = mint("Symptom", "Tophus")
    assert edges_of(result, "HAS_SYMPTOM", "tail", "sources") == [
        ("HP:1", ["known"]),
        (tophus, ["known", "text"]),
    ]
    assert {node for _, _, _, node in links(result)} == {tophus}


def test_name_equal_to_one_of_two_like_names_is_that_one(merge_rows: MergeRows) -> None:
    known = [
        fact("MONDO:1", "HAS_SYMPTOM", "HP:4", tail_name="Type 2 rash"),
        fact("MONDO:1", "HAS_SYMPTOM", "HP:5", tail_name="Type II rash"),
    ]
    result = merge_rows(TEXT, known=known, text=[has("type II rash")])
    assert links(result) == [("type II rash", "linked", "exact", "HP:5")]


def test_name_that_has_an_id_is_not_linked(merge_rows: MergeRows) -> None:
    text = [fact("MONDO:1", "HAS_SYMPTOM", "HP:9", tail_name="feverr"), has("feverr")]
    result = merge_rows(TEXT, known=[FEVER], text=text)
    assert links(result) == [("feverr", "linked", "exact", "HP:9")]


# --- a name that is not linked ----------------------------------------------------------------


def test_unsure_name_is_minted_and_listed_with_the_likeliest(merge_rows: MergeRows) -> None:
    result = merge_rows(TEXT, known=[FEVER, COUGH], text=[has("fever and nonsense xyz")])
    assert links(result) == [("fever and nonsense xyz", "unsure", None, "HP:1")]
    minted = mint("Symptom", "fever and nonsense xyz")
    assert (minted, "fever and nonsense xyz") in nodes_of(result, "id", "name")


def test_word_two_letters_off_is_not_linked(merge_rows: MergeRows) -> None:
    drugs = {"head_type": "Drug", "tail_type": "Disease", "tail_name": "depression"}
    known = [
        fact("DRUGBANK:1", "INDICATED_FOR", "MONDO:2", **{**drugs, "head_name": "duloxetine"})
    ]
    text = [fact(None, "INDICATED_FOR", "MONDO:2", **{**drugs, "head_name": "fluoxetine"})]
    result = merge_rows(TEXT, known=known, text=text)
    assert links(result) == [("fluoxetine", "unsure", None, "DRUGBANK:1")]


def test_name_that_two_nodes_go_by_is_ambiguous(merge_rows: MergeRows) -> None:
    known = [FEVER, fact("MONDO:1", "HAS_SYMPTOM", "HP:8", tail_name="fever")]
    result = merge_rows(TEXT, known=known, text=[has("FEVER")])
    assert links(result) == [("FEVER", "ambiguous", None, "HP:1")]
    assert len(edges_of(result, "HAS_SYMPTOM", "tail")) == 3


def test_synonym_of_two_nodes_is_ambiguous(merge_rows: MergeRows) -> None:
    hot = [said(id_, "HAS_SYNONYM", "Hot", head_type="Symptom") for id_ in ("HP:1", "HP:2")]
    result = merge_rows(TEXT, known=[FEVER, COUGH, *hot], text=[has("hot")])
    assert links(result) == [("hot", "ambiguous", None, "HP:1")]


def test_name_like_none_is_unknown(merge_rows: MergeRows) -> None:
    result = merge_rows(TEXT, known=[FEVER], text=[has("痛风")])
    assert links(result) == [("痛风", "unknown", None, None)]


def test_name_is_linked_only_with_its_own_type(merge_rows: MergeRows) -> None:
    result = merge_rows(TEXT, known=[FEVER], text=[has("influenza")])
    assert [outcome for _, outcome, _, _ in links(result)] != ["linked"]
    assert mint("Symptom", "influenza") in [id_ for (id_,) in nodes_of(result, "id")]


@pytest.mark.parametrize("says", ["no {}", "denies {}", "mother had {}", "without {}"])
def test_name_that_denies_is_not_linked_however_like(merge_rows: MergeRows, says: str) -> None:
    long = "progressive bilateral sensorineural hearing impairment of the high frequencies " * 3
    known = [fact("MONDO:1", "HAS_SYMPTOM", "HP:6", tail_name=long.strip())]
    result = merge_rows(TEXT, known=known, text=[has(says.format(long.strip()))])
    assert [outcome for _, outcome, _, _ in links(result)] == ["unsure"]


def test_titles_of_sections_are_not_linked(merge_rows: MergeRows) -> None:
    def section(title: str) -> Assertion:
        return fact("MONDO:1", "HAS_SECTION", None, tail_name=title, tail_type="Section")

    result = merge_rows(TEXT, known=[FEVER, section("Overview")], text=[section("Overwiew")])
    assert result.links == []
    assert mint("Section", "Overwiew") in [id_ for (id_,) in nodes_of(result, "id")]


def test_without_any_known_name_all_are_minted(merge_rows: MergeRows) -> None:
    bare = fact("MONDO:1", "HAS_SYMPTOM", "HP:1")
    result = merge_rows(TEXT, known=[bare], text=[has("fever")])
    assert links(result) == [("fever", "unknown", None, None)]


def test_names_that_are_no_names_are_no_obstacle(merge_rows: MergeRows) -> None:
    known = [FEVER, said("HP:1", "HAS_SYNONYM", " "), said("HP:1", "HAS_SYNONYM", "--")]
    odd = ["x" * 2_000, "\u0301a", "🤒 fever 🤒", "fever\x00", "1", "&"]
    result = merge_rows(TEXT, known=known, text=[has(name) for name in odd])
    assert [link.name for link in result.links] == sorted(odd[:-1])
    assert all(account.closes() for account in result.accounts)


def test_ids_of_links_are_those_of_the_merged_nodes(merge_rows: MergeRows) -> None:
    text = [has("feverr"), fact("MONDO:1", "HAS_SYMPTOM", "OMIM:3", tail_name="Fever")]
    minted = fact("MONDO:1", "HAS_SYMPTOM", "OMIM:3", tail_name="fever")
    result = merge_rows(TEXT, known=[minted], text=text, later=[FEVER])
    assert links(result) == [("feverr", "linked", "spelling", "HP:1")]


def test_name_of_two_texts_is_listed_for_each(merge_rows: MergeRows) -> None:
    both = frozenset({"a", "b"})
    result = merge_rows(both, known=[FEVER], a=[has("feverr")], b=[has("feverr"), has("fever")])
    assert [(link.source, link.name) for link in result.links] == [
        ("a", "feverr"),
        ("b", "fever"),
        ("b", "feverr"),
    ]


def test_a_merge_without_text_asks_nobody(merge_rows: MergeRows) -> None:
    result = merge_rows(known=[FEVER], text=[has("feverr")])
    assert result.links == []
    assert not result.quarantine.with_name("links.parquet").exists()


def test_links_are_written_as_they_are_listed(merge_rows: MergeRows) -> None:
    result = merge_rows(TEXT, known=[FEVER], text=[has("feverr"), has("chills")])
    path = result.quarantine.with_name("links.parquet")
    columns = ("source", "type", "name", "outcome", "method", "id", "matched", "score")
    assert rows_of(path, *columns) == [
        tuple(getattr(link, column) for column in columns) for link in result.links
    ]


# --- a name that comes with a concept -----------------------------------------------------------


def with_concept(name: str | None, cui: str, id_: str | None = None) -> Assertion:
    """A source that says which concept a symptom has."""
    of = {"head_type": "Symptom", "tail_type": "Concept", "head_name": name}
    return fact(id_, "HAS_CUI", f"UMLS:{cui}", **of)


@pytest.mark.parametrize("order", [("known", "text"), ("text", "known")])
@pytest.mark.parametrize("name", ["fever", "feverr"])
def test_name_whose_concept_its_node_has_not_is_refused_and_a_node_of_its_own(
    merge_rows: MergeRows, name: str, order: tuple[str, str]
) -> None:
    rows = {
        "known": [FEVER, with_concept("Fever", "C0015967", "HP:1")],
        "text": [has(name), with_concept(name, "C9999999")],
    }
    result = merge_rows(TEXT, **{source: rows[source] for source in order})
    assert links(result) == [(name, "contradicted", None, "HP:1")]
    own = mint("Symptom", name)
    assert sorted(edges_of(result, "HAS_CUI", "head", "tail")) == [
        ("HP:1", "UMLS:C0015967"),
        (own, "UMLS:C9999999"),
    ]
    assert (names(result, "HP:1"), names(result, str(own))) == (("Fever",), (name,))
    assert all(account.closes() for account in result.accounts)


@pytest.mark.parametrize(
    ("known", "concepts", "outcome"),
    [
        ([], ["C0015967"], "linked"),
        ([], ["C0015967", "C1"], "linked"),
        (["C0015967", "C1"], ["C0015967"], "linked"),
        (["C0015967"], ["C0015967", "C1"], "contradicted"),
    ],
)
def test_name_is_linked_where_its_node_has_its_concepts_or_none(
    merge_rows: MergeRows, known: list[str], concepts: list[str], outcome: str
) -> None:
    had = [with_concept("Fever", cui, "HP:1") for cui in known]
    text = [has("feverr"), *(with_concept("feverr", cui) for cui in concepts)]
    result = merge_rows(TEXT, known=[FEVER, *had], text=text)
    assert [link.outcome for link in result.links] == [outcome]


@pytest.mark.parametrize("order", [("a", "b"), ("b", "a")])
def test_of_two_names_with_two_concepts_only_the_surer_is_linked(
    merge_rows: MergeRows, order: tuple[str, str]
) -> None:
    rows = {
        "a": [has("feverr"), with_concept("feverr", "C1")],
        "b": [has("fever"), with_concept("fever", "C2")],
    }
    texts = {source: rows[source] for source in order}
    result = merge_rows(frozenset(order), **texts, known=[FEVER])
    assert sorted(links(result)) == [
        ("fever", "linked", "exact", "HP:1"),
        ("feverr", "contradicted", None, "HP:1"),
    ]


def test_name_that_others_give_without_an_id_has_its_concept_too(merge_rows: MergeRows) -> None:
    known = [FEVER, fact("MONDO:1", "HAS_SYMPTOM", None, tail_name="Tophus")]
    known.append(with_concept("Tophus", "C1"))
    text = [has("tophuss"), with_concept("tophuss", "C2")]
    assert links(merge_rows(TEXT, known=known, text=text)) == [
        ("tophuss", "contradicted", None, mint("Symptom", "Tophus"))
    ]


def test_names_without_a_concept_are_linked_whatever_their_node_has(merge_rows: MergeRows) -> None:
    known = [FEVER, with_concept("Fever", "C0015967", "HP:1")]
    result = merge_rows(TEXT, known=known, text=[has("feverr")])
    assert links(result) == [("feverr", "linked", "spelling", "HP:1")]


# --- real terms that are near another ------------------------------------------------------------


def linker_of(kind: str, name: str) -> Linker:
    """That knows one name."""
    language = "en" if name.isascii() else "zh"
    row = {"id": "X:1", "type": kind, "name": name, "language": language}
    table = pa.table({column: [value] for column, value in row.items()})
    return Linker.of_names(Names.of_table(table), LinkOptions(types=(kind,)))


@pytest.mark.parametrize(
    ("kind", "name", "near"),
    [
        ("Symptom", "aphagia", "Aphasia"),
        ("Disease", "moody", "MODY"),
        ("Symptom", "homelessness", "Hopelessness"),
        ("Symptom", "Hyperkalemia", "Hypokalemia"),
        ("Symptom", "dysphasia", "Dysphagia"),
        ("Symptom", "Asteatosis", "Steatosis"),
        ("Symptom", "Chromatopsia", "Achromatopsia"),
        ("Symptom", "symmetric tonic seizures", "asymmetric tonic seizures"),
        ("Symptom", "hypertropic scar", "hypertrophic scar"),
        ("Symptom", "myotonic jerks", "myoclonic jerks"),
        ("Symptom", "peroneal pain", "perineal pain"),
        ("Disease", "pyelitis", "myelitis"),
        ("Disease", "urethritis", "ureteritis"),
        ("Disease", "nephroma", "neuroma"),
        ("Disease", "myeloma", "myoma"),
        ("Disease", "angiomyoma", "angiomyxoma"),
        ("Disease", "tendinosis", "tendinitis"),
        ("Disease", "hepatoma", "hematoma"),
        ("Disease", "Ander syndrome", "Andre syndrome"),
        ("Disease", "FANCC", "FANCS"),
        ("Disease", "NEDMISBA", "NEDMIBA"),
        ("Disease", "MOTA syndrome", "MOBA syndrome"),
        ("Disease", "SGCA limb-girdle muscular dystrophy", "SGCG limb-girdle muscular dystrophy"),
        (
            "Disease",
            "congenital disorder of glycosylation In",
            "congenital disorder of glycosylation",
        ),
        ("Disease", "infection of male organs", "infection of female organs"),
        ("Disease", "anepia", "anemia"),
        ("Symptom", "内脏出血", "内出血"),
        ("Anatomy", "ilium", "ileum"),
        ("Anatomy", "urethra", "ureter"),
        ("Procedure", "thoracostomy", "thoracotomy"),
        ("Procedure", "colostomy", "colectomy"),
        ("Procedure", "gastroscope", "gastroscopy"),
        ("Procedure", "phytotherapy", "phototherapy"),
        ("Drug", "ethionine", "methionine"),
        ("Drug", "taurine", "tacrine"),
        ("Drug", "chlorpromazide", "chlorpromazine"),
        ("Drug", "diclofenamide", "diclofenamine"),
        ("Disease", "急性胃溃疡出血", "慢性胃溃疡出血"),
        ("Disease", "左侧肢体偏瘫症", "右侧肢体偏瘫症"),
        ("Symptom", "高结合胆红素血症", "高非结合胆红素血症"),
        ("Disease", "妊娠合并肝硬化", "妊娠合并肾硬化"),
        ("Disease", "一型糖尿病肾病", "二型糖尿病肾病"),
        ("Disease", "先天性手指骨畸形", "先天性手趾骨畸形"),
        ("Disease", "子宮非炎性疾患", "子宮頸非炎性疾患"),
    ],
)
def test_real_term_is_never_linked_with_one_near(kind: str, name: str, near: str) -> None:
    assert not resolved(linker_of(kind, near), kind, name).linked


@pytest.mark.parametrize(
    ("kind", "name", "meant"),
    [
        ("Symptom", "hedache", "Headache"),
        ("Symptom", "HEDACHE", "Headache"),
        ("Symptom", "abdomnial pain", "Abdominal pain"),
        ("Symptom", "diarrheaa", "Diarrhea"),
        ("Symptom", "hyperglycmia", "Hyperglycemia"),
        ("Disease", "pnemonia", "pneumonia"),
        ("Disease", "asthmma", "asthma"),
        ("Disease", "myocardial infarctoin", "myocardial infarction"),
        ("Disease", "tubercolosis", "tuberculosis"),
        ("Procedure", "colectmoy", "colectomy"),
        ("Drug", "amoxycilllin", "amoxycillin"),
        ("Drug", "fluoxteine", "fluoxetine"),
        ("Disease", "先天性心赃病", "先天性心脏病"),
        ("Disease", "血小板减少", "血小板减少症"),
    ],
)
def test_slip_is_linked(kind: str, name: str, meant: str) -> None:
    mention = resolved(linker_of(kind, meant), kind, name)
    assert (mention.linked, mention.method) == (True, "spelling")


def test_term_near_another_becomes_a_node_and_is_listed_with_it(merge_rows: MergeRows) -> None:
    known = [fact("MONDO:1", "HAS_SYMPTOM", "HP:7", tail_name="Aphasia")]
    result = merge_rows(TEXT, known=known, text=[has("aphagia")])
    assert links(result) == [("aphagia", "unsure", None, "HP:7")]
    assert (mint("Symptom", "aphagia"), "aphagia") in nodes_of(result, "id", "name")


spelt = st.sampled_from(["fever", "feverr", "fevers", "Cough", "no fever", "gout", "--", None])
text_rows = st.builds(
    fact,
    st.sampled_from(["MONDO:1", None]),
    st.sampled_from(["HAS_SYMPTOM", "COMPLICATED_BY", "IS_A"]),
    st.sampled_from(["HP:1", None]),
    head_name=spelt,
    tail_name=spelt,
    head_type=st.sampled_from(["Disease", "Symptom"]),
)


@settings(
    max_examples=3, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=st.lists(text_rows, min_size=4, max_size=12))
def test_linking_loses_nothing_and_gives_the_same_again(
    merge_rows: MergeRows, rows: list[Assertion]
) -> None:
    result = merge_rows(TEXT, text=rows, known=[FEVER, COUGH])
    assert all(account.closes() for account in result.accounts)
    assert sum(account.assertions for account in result.accounts) == len(rows) + 2
    again = merge_rows(TEXT, text=rows, known=[FEVER, COUGH])
    assert (again.links, again.summary) == (result.links, result.summary)
    nodes = {id_ for (id_,) in nodes_of(result, "id")}
    linked = {link.id for link in result.links if link.outcome == "linked"}
    assert linked <= nodes or any(account.quarantined for account in result.accounts)


# --- through a build ---------------------------------------------------------------------------

KNOWN = """
- kind: table
  name: known
  file: known.csv
  head: {id: disease_id, name: disease, type: Disease}
  relation: HAS_SYMPTOM
  tail: {id: symptom_id, name: symptom, type: Symptom}
"""
CLINIC = """
- kind: table
  name: clinic
  file: clinic.csv
  link: true
  head: {name: disease, type: Disease}
  relation: HAS_SYMPTOM
  tail: {name: finding, type: Symptom}
  language: {column: language}
"""


def configure(folder: Path, sources: str = KNOWN + CLINIC) -> Path:
    (folder / "known.csv").write_text(
        "disease_id,disease,symptom_id,symptom\n"
        "MONDO:0005812,influenza,HP:0001945,Fever\n"
        "MONDO:0005812,influenza,HP:0012735,Cough\n"
    )
    (folder / "clinic.csv").write_text(
        "disease,finding,language\n"
        "heart attack,feverr,en\n"
        "heart attack,發熱,zh\n"
        "heart attack,abdominal pain and nonsense xyz,en\n"
        "heart attack,?!,en\n"
        "heart atack,feverr,en\n",
        encoding="utf-8",
    )
    config = folder / "medkg.yaml"
    config.write_text(f"sources:{sources}")
    return config


def build_here(config: Path, home: Path) -> bool:
    """Build; whether anything changed."""
    with connect(None, Settings(home=home)) as store:
        return build(read_config(config), home, store, Silent()).changed


def test_findings_of_a_clinic_reach_the_sample(tmp_path: Path, cli: CommandLine) -> None:
    config = configure(tmp_path, "\n- kind: sample" + CLINIC)
    run = cli("build", config)
    assert run.code == 0, run.err
    assert "feverr → Fever" in run.out
    found = rows_of(tmp_path / ".medkg" / "links.parquet", "name", "outcome", "method", "id")
    infarction = "MONDO:0005068"
    assert {row[0]: row[1:] for row in found if row[1] == "linked"} == {
        "heart attack": ("linked", "exact", infarction),
        "feverr": ("linked", "spelling", "HP:0001945"),
        "發熱": ("linked", "exact", "HP:0001945"),
        "heart atack": ("linked", "spelling", infarction),
    }
    nonsense = "abdominal pain and nonsense xyz"
    assert [row[:3] for row in found if row[1] != "linked"] == [(nonsense, "unsure", None)]
    tables = GraphTables(tmp_path / ".medkg" / "tables")
    said = rows_of(tables.edges("HAS_SYMPTOM"), "head", "tail", "sources")
    assert [row[1] for row in said if row[0] == infarction and "clinic" in row[2]] == [
        "HP:0001945",
        mint("Symptom", nonsense),
    ]


def test_second_build_with_links_changes_nothing(tmp_path: Path) -> None:
    config, home = configure(tmp_path), tmp_path / "home"
    assert build_here(config, home)
    before = (home / "links.parquet").read_bytes()
    assert not build_here(config, home)
    assert (home / "links.parquet").read_bytes() == before


def test_links_go_with_the_source_that_had_them(tmp_path: Path) -> None:
    config, home = configure(tmp_path), tmp_path / "home"
    build_here(config, home)
    assert read_report(home).links
    build_here(configure(tmp_path, KNOWN), home)
    assert not (home / "links.parquet").exists()
    assert read_report(home).links == ()


def test_report_counts_links_by_method_with_examples(tmp_path: Path) -> None:
    build_here(configure(tmp_path), tmp_path / "home")
    report = read_report(tmp_path / "home")
    counts = {(c.outcome, c.method): (c.names, c.examples) for c in report.links}
    assert counts["linked", "spelling"] == (1, (("feverr", "Fever"),))
    assert sum(names for names, _ in counts.values()) == 5
    assert "feverr → Fever" in page(report)


def test_report_is_quiet_where_no_source_is_text_born(tmp_path: Path, cli: CommandLine) -> None:
    run = cli("build", configure(tmp_path, KNOWN))
    assert "Text-born" not in run.out
    assert "Text-born" not in page(read_report(tmp_path / ".medkg"))


# --- configurations ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        (CLINIC, "sources: every source says 'link: true', so none has names.*add a source"),
        (KNOWN + CLINIC.replace("true", "often"), r"sources\.1\.table\.link: Input should be"),
        ("\n- {kind: sample, link: true}", r"sources\.0\.sample\.link: is no setting here"),
        (
            KNOWN + CLINIC.replace("{name:", "{id:"),
            "'link' is for names, and neither 'head' nor 'tail' has a 'name'",
        ),
    ],
)
def test_link_that_does_not_fit_is_one_sentence(
    tmp_path: Path, sources: str, message: str
) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        read_config(configure(tmp_path, sources))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "known"),
    [
        ("Rh -", "Rh"),
        ("Rh（ - ）", "Rh"),
        ("WBC↑", "WBC"),
        ("血压↓", "血压"),
        ("T值-2.5", "T值 2.5"),
        ("♀ infertility", "infertility"),
        ("Gram -ve sepsis", "Gram +ve sepsis"),
        ("fever without pain", "pain without fever"),
        ("costalgia", "cystalgia"),
    ],
)
def test_name_with_another_sign_or_meaning_is_not_linked(
    merge_rows: MergeRows, name: str, known: str
) -> None:
    result = merge_rows(TEXT, known=[fact("MONDO:1", "HAS_SYMPTOM", "HP:1", tail_name=known)],
                        text=[has(name)])  # fmt: skip
    assert [link.outcome for link in result.links] != ["linked"]


def test_name_that_brings_one_concept_more_is_contradicted_in_all_its_spellings(
    merge_rows: MergeRows,
) -> None:
    concept = {"head_type": "Symptom", "tail_type": "Concept"}
    result = merge_rows(
        TEXT,
        known=[FEVER, fact("HP:1", "HAS_CUI", "UMLS:C0015967", **concept)],
        text=[
            has("feverr"),
            has("Feverr"),
            fact(None, "HAS_CUI", "UMLS:C0015967", head_name="feverr", **concept),
            fact(None, "HAS_CUI", "UMLS:C9999999", head_name="feverr", **concept),
        ],
    )
    assert {link.outcome for link in result.links} == {"contradicted"}
    cuis = edges_of(result, "HAS_CUI", "head", "tail")
    assert [tail for head, tail in cuis if head == "HP:1"] == ["UMLS:C0015967"]
