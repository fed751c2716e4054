"""Text-born names: three rows of names, and the linker as it is."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest.assertions import Assertion
from ingest.build import build
from ingest.configuration import read_config
from ingest.identity import mint
from ingest.report import page, read_report
from kg import connect
from kg.configuration import Settings
from kg.errors import ConfigurationError
from kg.progress import Silent
from kg.tables import GraphTables
from tests.conftest import CommandLine
from tests.ingest.conftest import MergeRows
from tests.ingest.rows import edges_of, fact, nodes_of, rows_of, said
from tests.ingest.text_born import COUGH, FEVER, TEXT, has, links, names

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
    result = merge_rows(TEXT, known=[FEVER], text=[has("infleunza")])
    assert [outcome for _, outcome, _, _ in links(result)] != ["linked"]
    assert mint("Symptom", "infleunza") in [id_ for (id_,) in nodes_of(result, "id")]


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
