"""Where names stand in a small graph, and what became one node."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ingest.assertions import Assertion
from ingest.home import identities_file
from ingest.merge import MergeConfig, merge
from kg.errors import BuildError
from kg.progress import Silent
from tests.experiments.bridges.page import Measured, page
from tests.experiments.bridges.standing import (
    BuiltGraph,
    Namesake,
    OneNode,
    Reading,
    Standing,
    readings,
)
from tests.ingest.rows import fact, said, write_assertions


def _built(home: Path, **sources: list[Assertion]) -> BuiltGraph:
    paths = {
        name: write_assertions(home / "assertions" / name / "assertions.parquet", name, rows)
        for name, rows in sources.items()
    }
    merge(MergeConfig(assertions=paths, made_by="a test"), home, Silent())
    return BuiltGraph(home)


def _term(id_: str, en: str, zh: str | None = None) -> list[Assertion]:
    kind = "Symptom" if id_.startswith("HP:") else "Disease"
    names = [said(id_, "HAS_NAME", en, head_type=kind, language="en")]
    if zh:
        names.append(said(id_, "HAS_NAME", zh, head_type=kind, language="zh"))
    return names


def _symptom(name: str) -> Assertion:
    return fact(None, "HAS_SYMPTOM", None, head_name="某病", tail_name=name, language="zh")


def _reading(name: str, *counterparts: str) -> Reading:
    return Reading(rank=1, edges=1, name=name, part="goal", counterparts=counterparts)


def test_name_stands_where_most_of_its_rows_went(tmp_path: Path) -> None:
    graph = _built(
        tmp_path,
        hpo=[*_term("HP:1", "Cough", "咳嗽"), *_term("HP:2", "Numbness", "麻木")],
        zh=[_symptom("咳嗽"), _symptom("麻木"), _symptom("上火")],
    )
    read = {
        _reading("咳嗽", "HP:1"): Standing.ON_IT,
        _reading("麻木", "HP:1"): Standing.OTHER,
        _reading("上火"): Standing.ALONE,
        _reading("发烧", "HP:3"): Standing.NOWHERE,
    }
    assert graph.standings(read, "symptom") == read


def test_either_of_two_counterparts_will_do(tmp_path: Path) -> None:
    graph = _built(tmp_path, hpo=_term("HP:1", "Oliguria", "少尿"), zh=[_symptom("少尿")])
    oliguria = _reading("少尿", "HP:2", "HP:1")
    assert graph.standings([oliguria], "symptom") == {oliguria: Standing.ON_IT}


def test_disease_beside_its_finding_is_a_close_match(tmp_path: Path) -> None:
    _built(
        tmp_path,
        terms=[*_term("MONDO:1", "pneumonia", "肺炎"), *_term("HP:1", "Pneumonia")],
        zh=[
            fact(
                None,
                "HAS_SYMPTOM",
                None,
                tail_type="Disease",
                head_name="某病",
                tail_name="肺炎",
                language="zh",
            )
        ],
    )
    edges = tmp_path / "tables" / "edges" / "CLOSE_MATCH.parquet"
    pq.write_table(pa.table({"head": ["MONDO:1"], "tail": ["HP:1"]}), edges)
    pneumonia = _reading("肺炎", "HP:1")
    assert BuiltGraph(tmp_path).standings([pneumonia], "symptom") == {pneumonia: Standing.CLOSE}


def test_name_of_a_disease_that_is_only_a_symptom_there_is_nowhere(tmp_path: Path) -> None:
    graph = _built(tmp_path, zh=[_symptom("上火")])
    heat = _reading("上火")
    assert graph.standings([heat], "disease") == {heat: Standing.NOWHERE}


def test_only_edges_of_chinese_sources_are_counted(tmp_path: Path) -> None:
    graph = _built(
        tmp_path,
        hpo=[*_term("HP:1", "Cough", "咳嗽"), fact("MONDO:1", "HAS_SYMPTOM", "HP:1")],
        **{"zh-disease-csv": [_symptom("咳嗽"), _symptom("上火")]},
    )
    assert graph.symptom_edges() == (1, 2)


def test_english_namesake_of_a_finding_is_told(tmp_path: Path) -> None:
    graph = _built(
        tmp_path,
        hpo=[*_term("HP:1", "Nausea"), fact("MONDO:1", "HAS_SYMPTOM", "HP:1")],
        list=[
            fact("MONDO:2", "COMPLICATED_BY", None, tail_type="Disease", tail_name="nausea"),
            fact("MONDO:2", "COMPLICATED_BY", None, tail_type="Disease", tail_name="梦魇"),
        ],
    )
    alone = [each for each in graph.english_namesakes() if each.name == "nausea"]
    assert alone in ([], [Namesake("nausea", "HP:1", is_preferred=True, edges=1)])


def test_kind_that_became_one_with_its_kind_is_told_as_different(tmp_path: Path) -> None:
    graph = _built(
        tmp_path,
        doid=[
            *_term("DOID:1", "flu"),
            said("DOID:1", "HAS_EXACT_MATCH", "MONDO:1"),
            fact("DOID:1", "IS_A", "MONDO:1", tail_type="Disease"),
            fact("DOID:1", "COMPLICATED_BY", "MONDO:1", tail_type="Disease"),
        ],
        mondo=_term("MONDO:1", "influenza"),
    )
    assert (graph.joined_though_different(), graph.joined_though_related()) == (
        [OneNode("IS_A", "DOID:1", "MONDO:1", "MONDO:1")],
        [OneNode("COMPLICATED_BY", "DOID:1", "MONDO:1", "MONDO:1")],
    )


def test_two_terms_that_a_mapping_gives_different_ids_are_told_if_they_are_one(
    tmp_path: Path,
) -> None:
    _built(
        tmp_path,
        mapping=[
            *(each for id_ in ("DOID:1", "DOID:2", "DOID:3") for each in _term(id_, id_)),
            *(said(f"DOID:{each}", "HAS_EXACT_MATCH", f"MESH:{each}") for each in (1, 2, 3)),
        ],
    )
    became = pq.read_table(identities_file(tmp_path)).to_pylist()
    one = [row | {"node": "DOID:1"} if row["id"] == "DOID:2" else row for row in became]
    pq.write_table(pa.Table.from_pylist(one), identities_file(tmp_path))
    assert BuiltGraph(tmp_path).joined_though_different() == [
        OneNode("HAS_EXACT_MATCH", "DOID:1", "DOID:2", "DOID:1")
    ]


def test_folder_without_a_build_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match=rf"{tmp_path}: no build .* run 'medkg build'"):
        BuiltGraph(tmp_path)


def test_page_of_a_graph_without_chinese_names_says_so() -> None:
    nothing = Measured({}, {}, (0, 0), [], [], [])
    text = page(nothing, None)
    assert "| symptoms | commonest | 0 | 0 | 0 | 0 | 0 | 0 | 0 | none | none |" in text
    assert "0 are one node." in text


def test_page_shows_what_it_was_before() -> None:
    fever = _reading("发烧", "HP:1")
    before = Measured(
        {fever: Standing.ALONE}, {}, (1, 4), [], [OneNode("IS_A", "a", "b", "a")], []
    )
    now = Measured({fever: Standing.ON_IT}, {}, (3, 4), [], [], [])
    text = page(now, before)
    assert "| symptoms | commonest | 1 | 1 | 0 | 1 | 0 | 0 | 0 | 0 | 100.0%" in text
    assert "3 of 4 (75.0%)" in text
    assert "(before: 1 of 4 (25.0%))" in text
    assert "0 are one node (before: 1)." in text


def test_every_commonest_name_was_read_once() -> None:
    ranks = {
        what: [each.rank for each in readings(what) if each.part == "goal"]
        for what in ("symptoms", "diseases")
    }
    assert ranks == {"symptoms": [*range(1, 301)], "diseases": [*range(1, 201)]}
