"""KGX of others, written by the published specification: what a record says, and what it cannot."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from ingest.sources import KgxSource
from ingest.sources.kgx.categories import Categories
from ingest.sources.kgx.meanings import Meaning, Meanings
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from tests.ingest.biolink_model import biolink_model
from tests.ingest.sources.conftest import Left, Read

Record = dict[str, Any]

GOUT = {"id": "MONDO:0005393", "category": ["biolink:Disease"], "name": "gout"}
FEVER = {"id": "HP:0001945", "category": ["biolink:PhenotypicFeature"], "name": "Fever"}
ALLOPURINOL = {"id": "DRUGBANK:DB00437", "category": ["biolink:Drug"], "name": "Allopurinol"}
NODES = [GOUT, FEVER, ALLOPURINOL]
TREATS = {
    "subject": "DRUGBANK:DB00437",
    "predicate": "biolink:treats",
    "object": "MONDO:0005393",
}
HAS_FEVER = {
    "subject": "MONDO:0005393",
    "predicate": "biolink:has_phenotype",
    "object": "HP:0001945",
}


def graph(
    folder: Path,
    nodes: Sequence[Record] = NODES,
    edges: Sequence[Record] = (),
    ending: str = "jsonl",
    **settings: object,
) -> KgxSource:
    """A source of two files with these records."""
    paths = {}
    for name, records in (("nodes", nodes), ("edges", edges)):
        required = ("id", "category") if name == "nodes" else ("subject", "predicate", "object")
        text = _json_lines(records) if "jsonl" in ending else _table(records, required)
        paths[name] = folder / f"{name}.{ending}"
        data = text.encode()
        paths[name].write_bytes(gzip.compress(data) if ending.endswith("gz") else data)
    return KgxSource.model_validate({"kind": "kgx", **paths, **settings})


def _json_lines(records: Sequence[Record]) -> str:
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records) or "\n"


def _table(records: Sequence[Record], required: Sequence[str]) -> str:
    columns = list(dict.fromkeys([*required, *(name for record in records for name in record)]))
    lines = [columns, *([_cell(record.get(name)) for name in columns] for record in records)]
    return "".join("\t".join(line) + "\n" for line in lines)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return "|".join(value) if isinstance(value, list) else str(value)


def said(left: Left) -> set[tuple[Any, ...]]:
    """What the edges' file says."""
    return {
        (a["head"], a["relation"], a["tail"] or a["value"])
        for a in left.assertions
        if a["file"].startswith("edges")
    }


@pytest.mark.parametrize("ending", ["tsv", "jsonl", "tsv.gz", "jsonl.gz"])
def test_both_formats_say_the_same(tmp_path: Path, read: Read, ending: str) -> None:
    node = {
        **GOUT,
        "synonym": ["podagra", "gouty arthritis"],
        "description": "Crystals of urate in joints.",
        "xref": ["DOID:13189"],
        "same_as": ["MONDO:0005393", "UMLS:C0018099"],
        "provided_by": ["elsewhere"],
    }
    left = read(
        graph(
            tmp_path, [node, FEVER], [{**HAS_FEVER, "publications": ["PMID:1", "PMID:2"]}], ending
        )
    )
    assert set(left.facts()) == {
        ("MONDO:0005393", "HAS_NAME", "gout"),
        ("MONDO:0005393", "HAS_SYNONYM", "podagra"),
        ("MONDO:0005393", "HAS_SYNONYM", "gouty arthritis"),
        ("MONDO:0005393", "HAS_DEFINITION", "Crystals of urate in joints."),
        ("MONDO:0005393", "HAS_XREF", "DOID:13189"),
        ("MONDO:0005393", "HAS_EXACT_MATCH", "UMLS:C0018099"),
        ("HP:0001945", "HAS_NAME", "Fever"),
        ("MONDO:0005393", "HAS_SYMPTOM", "HP:0001945"),
    }
    (edge,) = (a for a in left.assertions if a["relation"] == "HAS_SYMPTOM")
    assert (edge["head_type"], edge["tail_type"]) == ("Disease", "Symptom")
    assert (edge["publications"], edge["original_relation"]) == ("PMID:1|PMID:2", "has_phenotype")
    assert left.rows == {"biolink:Disease": 1, "biolink:PhenotypicFeature": 1, "has_phenotype": 1}


def test_node_that_has_a_concept_for_an_id_is_known_by_its_name(
    tmp_path: Path, read: Read
) -> None:
    gout = {"id": "UMLS:C0018099", "category": "biolink:Disease", "name": "gout"}
    nameless = {"id": "UMLS:C0015967", "category": "biolink:PhenotypicFeature"}
    edges = [{**HAS_FEVER, "subject": "UMLS:C0018099"}, {**HAS_FEVER, "object": "UMLS:C0015967"}]
    left = read(graph(tmp_path, [gout, FEVER, nameless, GOUT], edges))
    assert sorted(fact for fact in left.facts() if "gout" in fact) == [
        ("MONDO:0005393", "HAS_NAME", "gout"),
        ("gout", "HAS_CUI", "UMLS:C0018099"),
        ("gout", "HAS_NAME", "gout"),
        ("gout", "HAS_SYMPTOM", "HP:0001945"),
    ]
    assert sorted(q["reason"] for q in left.quarantine) == [
        "'UMLS:C0015967' is a UMLS concept and no id of a Symptom; the node needs a name beside it",
        "its object 'UMLS:C0015967' is no node that could be read",
    ]


def test_node_that_is_only_listed_says_its_type(tmp_path: Path, read: Read) -> None:
    nodes = [{"id": f"MONDO:{at}", "category": "biolink:Disease"} for at in (1, 2)]
    left = read(graph(tmp_path, [nodes[0], {**nodes[1], "xref": ["DOID:2"]}]))
    assert sorted(left.facts()) == [
        ("MONDO:1", "HAS_TYPE", "Disease"),
        ("MONDO:2", "HAS_TYPE", "Disease"),
        ("MONDO:2", "HAS_XREF", "DOID:2"),
    ]


def test_special_category_goes_before_those_above_it() -> None:
    categories = Categories.of_biolink({})
    above = ["biolink:NamedThing", "biolink:BiologicalEntity", "biolink:PhenotypicFeature"]
    assert categories.type(above) == "Symptom"
    assert categories.type(["biolink:AnatomicalEntity", "biolink:CellularComponent"]) == (
        "CellularComponent"
    )
    assert categories.type(["Gene", "biolink:GenomicEntity"]) == "Gene"


def test_type_that_a_user_states_goes_before_medkg_s(tmp_path: Path, read: Read) -> None:
    node = {**ALLOPURINOL, "category": ["biolink:SmallMolecule", "biolink:ChemicalEntity"]}
    refused = read(graph(tmp_path, [node]))
    assert refused.reasons()[1].startswith("a chemical is not always a drug; 'types: {Small")
    taken = read(graph(tmp_path, [node], types={"biolink:SmallMolecule": "Drug"}))
    assert [a["head_type"] for a in taken.assertions] == ["Drug"]


def test_type_that_the_graph_lacks_is_told() -> None:
    with pytest.raises(ValidationError, match="'Medicine' is no node type; take one of Disease"):
        KgxSource.model_validate(
            {"kind": "kgx", "nodes": "n", "edges": "e", "types": {"Drug": "Medicine"}}
        )


def test_unusable_nodes_are_quarantined_with_the_reason(tmp_path: Path, read: Read) -> None:
    nodes: list[Record] = [
        {"category": ["biolink:Disease"], "name": "no id"},
        {"id": "MONDO:1"},
        {"id": "MONDO:2", "category": ["biolink:NamedThing"]},
        {"id": "MONDO:3", "category": ["biolink:Spaceship"]},
        {"id": "MONDO:4", "category": ["biolink:Disease"], "deprecated": True},
        {"id": "MONDO:5", "category": ["biolink:Disease"], "medkg_layer": "umls"},
    ]
    assert read(graph(tmp_path, nodes)).reasons() == {
        1: "the node has no id",
        2: "the node has no category",
        3: "too general: the class does not say what the node is",
        4: "the graph has no type for 'Spaceship'; say in 'types' what it is",
        5: "the node is deprecated",
        6: "no source says so: layer umls added it; apply the layer instead",
    }


def test_ids_that_are_no_curies_are_a_problem_of_what_they_say(tmp_path: Path, read: Read) -> None:
    nodes = [{**GOUT, "id": "gout"}, {**FEVER, "same_as": ["NOWHERE:1"]}]
    edges = [{**HAS_FEVER, "subject": "gout"}]
    problems = {
        a["relation"]: a["problem"] for a in read(graph(tmp_path, nodes, edges)).assertions
    }
    assert problems == {
        "HAS_NAME": None,
        "HAS_EXACT_MATCH": "Bioregistry has no prefix 'NOWHERE'; write one that it has, e.g. MONDO:0005148, or list your own under 'prefixes' in the configuration",
        "HAS_SYMPTOM": "'gout' is not a CURIE; write PREFIX:ID, e.g. HP:0001945",
    }


@pytest.mark.parametrize(
    ("word", "subject", "object_", "relation", "turned"),
    [
        ("has_phenotype", "Disease", "Symptom", "HAS_SYMPTOM", False),
        ("has_phenotype", "Gene", "Symptom", "ASSOCIATED_WITH", False),
        ("not has_phenotype", "Disease", "Symptom", "LACKS_SYMPTOM", False),
        ("phenotype_of", "Symptom", "Disease", "HAS_SYMPTOM", True),
        ("causes", "Organism", "Disease", "CAUSED_BY", True),
        ("treats", "Drug", "Disease", "INDICATED_FOR", False),
        ("treats", "Procedure", "Disease", "TREATED_BY", True),
        ("treated_by", "Disease", "Drug", "INDICATED_FOR", True),
        ("has_manifestation", "Disease", "Disease", "COMPLICATED_BY", False),
        ("affects expression upregulated", "Drug", "Gene", "UPREGULATES", False),
        ("directly_physically_interacts_with", "Gene", "Drug", "BINDS", True),
        ("not expressed_in", "Gene", "Anatomy", "NOT_EXPRESSED_IN", False),
        ("located_in", "Gene", "CellularComponent", "FOUND_IN", False),
        ("subclass_of", "Disease", "Disease", "IS_A", False),
    ],
)
def test_predicate_says_a_relation_by_the_types_of_its_ends(
    word: str, subject: str, object_: str, relation: str, turned: bool
) -> None:
    meanings = Meanings(RelationMap.of("ingest.sources.kgx"))
    assert meanings.of(word, subject, object_) == Meaning(relation, turned)


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("treats", "'treats' says nothing between Gene and Gene"),
        ("affects", "the predicate does not say how one affects the other"),
        ("not treats", "the graph has no relation for 'not treats'"),
        ("of the subject decreased causes", "the graph has no relation for 'of the subject decr"),
        ("subclass_of", "'subclass_of' says nothing between Gene and Disease"),
    ],
)
def test_predicate_that_says_nothing_has_a_reason(word: str, reason: str) -> None:
    object_ = "Disease" if word == "subclass_of" else "Gene"
    meaning = Meanings(RelationMap.of("ingest.sources.kgx")).of(word, "Gene", object_)
    assert (meaning.relation, meaning.attribute) == (None, None)
    assert str(meaning.why_not).startswith(reason)


def test_every_predicate_of_biolink_is_mapped_or_refused_on_purpose() -> None:
    words = set(RelationMap.of("ingest.sources.kgx").words())
    assert biolink_model().predicates() - words == set()


def test_every_class_of_the_table_is_biolink_s() -> None:
    categories = Categories.of_biolink({})
    classes = {*categories.types, *categories.quarantined}
    assert classes - biolink_model().classes_of_things() == set()


@pytest.mark.parametrize("ending", ["tsv", "jsonl"])
def test_edges_say_what_their_columns_say(tmp_path: Path, read: Read, ending: str) -> None:
    edges = [
        TREATS,
        {**HAS_FEVER, "negated": "true"},
        {**HAS_FEVER, "predicate": "biolink:causes", "object": "MONDO:0005393"},
        {**HAS_FEVER, "predicate": "biolink:same_as"},
    ]
    assert said(read(graph(tmp_path, NODES, edges, ending))) == {
        ("DRUGBANK:DB00437", "INDICATED_FOR", "MONDO:0005393"),
        ("MONDO:0005393", "LACKS_SYMPTOM", "HP:0001945"),
        ("MONDO:0005393", "CAUSED_BY", "MONDO:0005393"),
        ("MONDO:0005393", "HAS_EXACT_MATCH", "HP:0001945"),
    }


def test_unusable_edges_are_quarantined_with_the_reason(tmp_path: Path, read: Read) -> None:
    edges: list[Record] = [
        {**HAS_FEVER, "knowledge_level": "prediction"},
        {**HAS_FEVER, "object": "HP:0000001"},
        {**HAS_FEVER, "subject": None},
        {**HAS_FEVER, "predicate": "biolink:related_to"},
        {**HAS_FEVER, "predicate": "biolink:adores"},
        {**HAS_FEVER, "medkg_layer": "umls", "medkg_relation": "HAS_SYMPTOM"},
        {**TREATS, "predicate": "biolink:causes", "object_direction_qualifier": "decreased"},
        {**HAS_FEVER, "negated": "0"},
        {**TREATS, "has_percentage": 0},
    ]
    left = read(graph(tmp_path, NODES, edges))
    assert left.reasons() == {
        1: "a prediction is no fact",
        2: "its object 'HP:0000001' is no node that could be read",
        3: "the edge lacks its subject, its predicate or its object",
        4: "too general: the predicate does not say how they are related",
        5: "the graph has no relation for 'adores'",
        6: "no source says so: layer umls added it; apply the layer instead",
        7: "the graph has no relation for 'causes decreased'",
        8: "'0' in negated is neither true nor false",
        9: "the graph has no relation for 'not treats'",
    }
    assert json.loads(left.quarantine[0]["record"])["knowledge_level"] == "prediction"


@pytest.mark.parametrize(
    "seen", [{"has_quotient": 0.0}, {"has_percentage": 0}, {"frequency_qualifier": "HP:0040285"}]
)
def test_what_is_seen_in_nobody_is_lacked(tmp_path: Path, read: Read, seen: Record) -> None:
    assert said(read(graph(tmp_path, NODES, [{**HAS_FEVER, **seen}]))) == {
        ("MONDO:0005393", "LACKS_SYMPTOM", "HP:0001945")
    }


def test_what_qualifies_an_edge_is_taken_over(tmp_path: Path, read: Read) -> None:
    qualified = {
        **HAS_FEVER,
        "frequency_qualifier": "HP:0040283",
        "onset_qualifier": "HP:0003577",
        "sex_qualifier": "PATO:0000383",
        "has_evidence": ["ECO:0000304"],
        "has_confidence_score": 0.5,
    }
    edges: list[Record] = [
        qualified,
        {**HAS_FEVER, "has_percentage": 40},
        {**HAS_FEVER, "has_quotient": 0.3, "has_percentage": 40},
        {**HAS_FEVER, "has_quotient": "often"},
        {**HAS_FEVER, "has_percentage": 250},
    ]
    left = read(graph(tmp_path, NODES, edges))
    first, *others = [a for a in left.assertions if a["relation"] == "HAS_SYMPTOM"]
    names = ("frequency", "frequency_text", "onset", "sex", "evidence", "weight")
    assert [first[name] for name in names] == [
        *(0.17, "HP:0040283", "HP:0003577", "FEMALE", "ECO:0000304", 0.5)
    ]
    assert [a["frequency"] for a in others[:3]] == [0.4, 0.3, None]
    wrong = [None, None, "'often' is no number", "'250' is no share of 100"]
    assert [a["problem"] for a in others] == wrong


def test_only_what_the_named_source_provided_is_read(tmp_path: Path, read: Read) -> None:
    nodes = [{**GOUT, "provided_by": ["a", "b"]}, {**FEVER, "provided_by": ["b"]}]
    edges = [{**HAS_FEVER, "provided_by": ["b"]}, {**HAS_FEVER, "provided_by": ["a"]}]
    left = read(graph(tmp_path, nodes, edges, provided_by="a"))
    assert set(left.facts()) == {
        ("MONDO:0005393", "HAS_NAME", "gout"),
        ("MONDO:0005393", "HAS_SYMPTOM", "HP:0001945"),
    }
    assert left.rows == {"biolink:Disease": 1, "has_phenotype": 1}


def test_source_that_provided_nothing_is_told(tmp_path: Path, read: Read) -> None:
    source = graph(tmp_path, [{**GOUT, "provided_by": ["a"]}], provided_by="b")
    with pytest.raises(
        SourceError, match=r"nodes.jsonl: no record .* by 'b'; correct 'provided_by'"
    ):
        read(source)


def test_first_record_of_an_id_decides_its_type(tmp_path: Path, read: Read) -> None:
    again = {**FEVER, "category": ["biolink:Disease"]}
    left = read(graph(tmp_path, [GOUT, FEVER, again], [HAS_FEVER]))
    (edge,) = (a for a in left.assertions if a["relation"] == "HAS_SYMPTOM")
    assert edge["tail_type"] == "Symptom"


def test_broken_lines_of_json_are_quarantined(tmp_path: Path, read: Read) -> None:
    source = graph(tmp_path)
    good = json.dumps(GOUT)
    source.nodes.write_text(f'{{"id": \n\n[1]\n{good}\n"text"\n', encoding="utf-8")
    left = read(source)
    assert left.reasons() == {
        1: "the line is not JSON",
        2: "the line is JSON, but not an object",
        4: "the line is JSON, but not an object",
    }
    assert left.rows == {"unreadable row": 3, "biolink:Disease": 1}


def test_whole_last_line_that_is_no_json_is_not_called_cut_off(tmp_path: Path, read: Read) -> None:
    source = graph(tmp_path)
    source.nodes.write_text(f'{json.dumps(GOUT)}\n{{"id" "MONDO:1"}}', encoding="utf-8")
    assert read(source).reasons() == {2: "the line is not JSON"}


def test_broken_rows_of_a_table_are_quarantined(tmp_path: Path, read: Read) -> None:
    source = graph(tmp_path, ending="tsv")
    text = source.nodes.read_text() + 'MONDO:1\n"MONDO:2" x\tbiolink:Disease\tname\n'
    source.nodes.write_text(text, encoding="utf-8")
    assert read(source).reasons() == {
        4: "the row has fewer fields than the header",
        5: "a quoted field is not closed, or text follows its closing quote",
    }


def test_quotation_mark_can_be_a_letter(tmp_path: Path, read: Read) -> None:
    nodes = [{**GOUT, "name": '"gout"'}]
    assert [a["value"] for a in read(graph(tmp_path, nodes, ending="tsv")).assertions] == ["gout"]
    left = read(graph(tmp_path, nodes, ending="tsv", quote=""))
    assert [a["value"] for a in left.assertions] == ['"gout"']


def test_exact_values_that_are_no_json_are_told(tmp_path: Path, read: Read) -> None:
    left = read(graph(tmp_path, [{**GOUT, "medkg_exact": "{no"}], ending="tsv"))
    assert left.reasons() == {1: "the column medkg_exact holds no JSON"}


@pytest.mark.parametrize(
    ("ending", "content", "message"),
    [
        ("tsv", b"", "the file is empty"),
        ("jsonl", b"", "the file is empty"),
        ("tsv", b"id\tname\nMONDO:1\tgout\n", "the header lacks 'category'; it has 'id', 'name'"),
        ("jsonl", b'{"id": "MONDO:1"}\n', "the header lacks 'category'; it has 'id'"),
        (
            "tsv",
            "id\tcategory\n痛风\t病\n".encode("gb18030") * 9,
            "not UTF-8 text, it looks like gb",
        ),
        (
            "jsonl",
            '{"id": "痛风的症状"}\n'.encode("gb18030") * 9,
            "not UTF-8 text, it looks like gb",
        ),
    ],
)
def test_file_that_is_no_kgx_is_one_sentence(
    tmp_path: Path, read: Read, ending: str, content: bytes, message: str
) -> None:
    source = graph(tmp_path, ending=ending)
    source.nodes.write_bytes(content)
    with pytest.raises(SourceError) as caught:
        read(source)
    assert str(caught.value).startswith(str(source.nodes))
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            '{"id": "MONDO:1", "category": ["biolink:Disease"], "name": {"n": 1}}',
            "the field 'name' holds an object where a text is expected",
        ),
        (
            '{"id": "MONDO:1", "category": ["biolink:Disease"], "name": 5}',
            "the field 'name' holds a number where a text is expected",
        ),
        (
            '{"id": "MONDO:1", "category": ["biolink:Disease"], "name": "a", "synonym": ["b", true]}',
            "the field 'synonym' holds true or false where a text is expected",
        ),
        (
            '{"id": "MONDO:1", "name": "a", "category": ["biolink:Disease"], "name": "b"}',
            "the key 'name' is there twice in one object",
        ),
    ],
)
def test_what_is_no_text_in_json_is_no_name(
    tmp_path: Path, read: Read, line: str, reason: str
) -> None:
    path = tmp_path / "nodes.jsonl"
    good = '{"id": "MONDO:0005393", "category": ["biolink:Disease"], "name": "gout"}'
    path.write_text(f"{line}\n{good}\n{good[:-9]}", encoding="utf-8")
    left = read(KgxSource(kind="kgx", nodes=path))
    assert left.reasons() == {
        1: reason,
        3: "the line is not JSON; the file ends within this record, so it is cut off here",
    }
    assert [(a["row"], a["value"]) for a in left.assertions] == [(2, "gout")]
