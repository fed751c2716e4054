import gzip
from pathlib import Path
from typing import Any

import duckdb
import pytest

from ingest import sources
from ingest.sources import BiomappingsSource, SssomSource
from ingest.sources.relations import RelationMap
from kg.errors import SourceError
from kg.progress import Silent
from tests.ingest.sources.conftest import Read

HEADER = """#curie_map:
#  MONDO: http://purl.obolibrary.org/obo/MONDO_
#  phenotype: http://purl.obolibrary.org/obo/HP_
#mapping_set_id: https://example.org/x.sssom.tsv
"""
COLUMNS = (
    *("subject_id", "predicate_modifier", "predicate_id", "object_id", "mapping_justification"),
    *("confidence", "object_type", "object_label"),
)


def row(subject: str, predicate: str, object_: str, **given: str) -> str:
    fields = dict.fromkeys(COLUMNS, "") | {
        "subject_id": subject,
        "predicate_id": predicate,
        "object_id": object_,
        "mapping_justification": "semapv:ManualMappingCuration",
    }
    return "\t".join((fields | given).values())


def mappings(
    folder: Path, *rows: str, header: str = HEADER, end: str = "\n", least: float = 0
) -> SssomSource:
    path = folder / "x.sssom.tsv"
    text = header + end.join(["\t".join(COLUMNS), *rows]) + end
    path.write_bytes(text.encode())
    return SssomSource(kind="sssom", name="test", file=path, least_confidence=least)


@pytest.mark.parametrize(
    ("mapping", "fact"),
    [
        (
            ("MONDO:0005148", "skos:exactMatch", "DOID:9352"),
            ("MONDO:0005148", "HAS_EXACT_MATCH", "DOID:9352"),
        ),
        (
            ("MONDO:0005148", "owl:equivalentClass", "mesh:D003924"),
            ("MONDO:0005148", "HAS_EXACT_MATCH", "MESH:D003924"),
        ),
        (
            ("mesh:D003924", "skos:exactMatch", "doid:9352"),
            ("DOID:9352", "HAS_EXACT_MATCH", "MESH:D003924"),
        ),
        (
            ("phenotype:0001250", "oboInOwl:hasDbXref", "SCTID:91175000"),
            ("HP:0001250", "HAS_XREF", "SNOMEDCT:91175000"),
        ),
        (
            (
                "http://purl.obolibrary.org/obo/MONDO_0005148",
                "http://www.w3.org/2004/02/skos/core#closeMatch",
                "EFO:0001360",
            ),
            ("MONDO:0005148", "HAS_XREF", "EFO:0001360"),
        ),
        (
            ("MONDO:0005148", "skos:closeMatch", "UMLS:C0011860"),
            ("MONDO:0005148", "HAS_XREF", "UMLS:C0011860"),
        ),
    ],
)
def test_match_is_an_attribute_of_the_end_that_has_a_type(
    tmp_path: Path, read: Read, mapping: tuple[str, str, str], fact: tuple[str, str, str]
) -> None:
    assert read(mappings(tmp_path, row(*mapping))).facts() == [fact]


@pytest.mark.parametrize("predicate", ["skos:exactMatch", "oboInOwl:hasDbXref"])
def test_match_with_umls_gives_the_concept_and_never_an_exact_match(
    tmp_path: Path, read: Read, predicate: str
) -> None:
    left = read(mappings(tmp_path, row("MONDO:0005148", predicate, "UMLS:C0011860")))
    assert left.facts() == [
        ("MONDO:0005148", "HAS_XREF", "UMLS:C0011860"),
        ("MONDO:0005148", "HAS_CUI", "UMLS:C0011860"),
    ]


def test_assertion_carries_what_the_row_says(tmp_path: Path, read: Read) -> None:
    label = "type 2 diabetes mellitus"
    line = row(
        "mesh:D003924", "skos:exactMatch", "DOID:9352", confidence="0.9", object_label=label
    )
    (match,) = read(mappings(tmp_path, line)).assertions
    assert {name: value for name, value in match.items() if value is not None} == {
        "source": "test",
        "file": "x.sssom.tsv",
        "row": 1,
        "original_relation": "skos:exactMatch",
        "head": "DOID:9352",
        "head_type": "Disease",
        "head_name": label,
        "relation": "HAS_EXACT_MATCH",
        "value": "MESH:D003924",
        "language": "en",
        "evidence": "semapv:ManualMappingCuration",
        "weight": 0.9,
    }


@pytest.mark.parametrize(
    ("line", "word", "reason"),
    [
        (
            row("MONDO:1", "skos:exactMatch", "DOID:1", predicate_modifier="Not"),
            "Not skos:exactMatch",
            "the mapping says that the two do not match so",
        ),
        (
            row("MONDO:1", "skos:broadMatch", "DOID:1"),
            "skos:broadMatch",
            "a broader thing is not the same thing",
        ),
        (
            row("MONDO:1", "x:likes", "DOID:1"),
            "x:likes",
            "the graph has no relation for 'x:likes'",
        ),
        (row("MONDO:1", "", "DOID:1"), "no predicate", "the row has no predicate"),
        (row("", "skos:exactMatch", "DOID:1"), "skos:exactMatch", "the row has no subject"),
        (row("MONDO:1", "skos:exactMatch", ""), "skos:exactMatch", "the row has no object"),
        (
            row("MONDO:1", "skos:exactMatch", "sssom:NoTermFound"),
            "skos:exactMatch",
            "the mapping says that the other ontology has no such term",
        ),
        (
            row("MONDO:1", "skos:exactMatch", "x", object_type="rdfs literal"),
            "skos:exactMatch",
            "the object is a text and not an id",
        ),
        (
            row("mesh:D1", "skos:exactMatch", "ncit:C1"),
            "skos:exactMatch",
            "no node type for the prefix MESH or NCIT; add one to 'types'",
        ),
        (
            row("mesh:D1", "oboInOwl:hasDbXref", "MONDO:1"),
            "oboInOwl:hasDbXref",
            "no node type for the prefix MESH; add one to 'types'",
        ),
        (
            row("MONDO:1", "skos:exactMatch", "DOID:1", confidence="0.4"),
            "skos:exactMatch",
            "the confidence is below 0.5",
        ),
        ("MONDO:1\tskos:exactMatch", "unreadable row", "the row has fewer fields than the header"),
        (
            row("MONDO:1", "skos:exactMatch", "DOID:1") + "\t",
            "unreadable row",
            "the row has more fields than the header",
        ),
        (
            '"MONDO:1' + row("", "skos:exactMatch", "DOID:1"),
            "unreadable row",
            "the line can not be taken apart: unexpected end of data",
        ),
        (
            '"' + "x" * 200_000 + '"' + row("", "skos:exactMatch", "DOID:1"),
            "unreadable row",
            "the line can not be taken apart: field larger than field limit (131072)",
        ),
    ],
)
def test_mapping_that_says_nothing_usable_is_quarantined(
    tmp_path: Path, read: Read, line: str, word: str, reason: str
) -> None:
    following = row("MONDO:0005148", "skos:exactMatch", "DOID:9352")
    left = read(mappings(tmp_path, line, "", following, least=0.5))
    refused = [(q["row"], q["original_relation"], q["reason"]) for q in left.quarantine]
    assert refused == [(1, word, reason)]
    assert [a["row"] for a in left.assertions] == [2]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        (
            row("MONDO:1", "skos:exactMatch", "no curie"),
            "'no curie' is not a CURIE; write PREFIX:ID, e.g. HP:0001945",
        ),
        (
            row("MONDO:1", "skos:exactMatch", "nowhere:1"),
            "Bioregistry has no prefix 'nowhere'; write one that it has, e.g. MONDO:0005148, or list your own under 'prefixes' in the configuration",
        ),
        (row("MONDO:1", "skos:exactMatch", "mondo:1"), "the id is mapped to itself"),
        (
            row("MONDO:1", "skos:exactMatch", "DOID:1", confidence="high"),
            "'high' is no confidence between 0 and 1",
        ),
    ],
)
def test_mapping_with_an_odd_value_has_a_problem(
    tmp_path: Path, read: Read, line: str, problem: str
) -> None:
    assert [a["problem"] for a in read(mappings(tmp_path, line)).assertions] == [problem]


def test_lines_may_end_in_other_ways_than_the_header(tmp_path: Path, read: Read) -> None:
    lines = [row("MONDO:1", "skos:exactMatch", f"DOID:{n}") for n in range(3)]
    assert len(read(mappings(tmp_path, *lines, end="\r\n")).facts()) == 3


def test_type_of_the_header_holds_for_every_row(tmp_path: Path, read: Read) -> None:
    line = row("diabetes", "skos:exactMatch", "DOID:9351")
    left = read(mappings(tmp_path, line, header="# subject_type: rdfs literal\n"))
    assert left.reasons() == {1: "the subject is a text and not an id"}


def test_types_of_the_settings_go_before(tmp_path: Path, read: Read) -> None:
    source = mappings(tmp_path, row("EFO:0001360", "skos:exactMatch", "mesh:D003924"))
    assert read(source).facts() == []
    typed = source.model_copy(update={"types": {"EFO": "Disease"}})
    assert read(typed).facts() == [("EFO:0001360", "HAS_EXACT_MATCH", "MESH:D003924")]


def test_folder_gives_all_its_mapping_sets(tmp_path: Path, read: Read) -> None:
    text = "\t".join(COLUMNS) + "\n" + row("MONDO:1", "skos:exactMatch", "DOID:1") + "\n"
    (tmp_path / "b.sssom.tsv").write_text(text, encoding="utf-8")
    (tmp_path / "a.sssom.tsv.gz").write_bytes(gzip.compress(text.encode()))
    left = read(SssomSource(kind="sssom", name="test", file=tmp_path))
    assert [a["file"] for a in left.assertions] == ["a.sssom.tsv.gz", "b.sssom.tsv"]
    assert left.rows == {"skos:exactMatch": 2}


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "x.sssom.tsv: the file is empty; download it again"),
        (b"# license: CC0\n", "x.sssom.tsv: no header line with the column names"),
        (b"#a: [\nsubject_id\n", r"x.sssom.tsv: the header is not YAML \(.*correct it"),
        (b"#text\nsubject_id\n", r"the header is no SSSOM metadata \(the whole: .*correct it"),
        (b"#curie_map: x\nsubject_id\n", r"SSSOM metadata \(curie_map: .*correct it"),
        (b"subject_id\tobject_id\n", "x.sssom.tsv: the header lacks 'predicate_id'"),
        (b"subject_id,predicate_id,object_id\n", "the columns are separated by commas, not by"),
        (b"subject_id\tpredicate_id\tobject_id\tsubject_id\n", "the header has 'subject_id'"),
        ("subject_id\tprédicat\n".encode("cp1252") * 9, "x.sssom.tsv: not UTF-8 text"),
    ],
)
def test_file_that_is_no_mapping_set_is_told(
    tmp_path: Path, read: Read, data: bytes, message: str
) -> None:
    source = mappings(tmp_path)
    source.file.write_bytes(data)
    with pytest.raises(SourceError, match=message):
        read(source)


def test_missing_file_and_folder_without_mapping_sets_are_told(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match=r"no \*.sssom.tsv is in it; correct the source's file"):
        read(SssomSource(kind="sssom", name="test", file=tmp_path))
    with pytest.raises(SourceError, match=r"none.sssom.tsv: does not exist"):
        read(SssomSource(kind="sssom", name="test", file=tmp_path / "none.sssom.tsv"))


def test_map_is_of_the_vocabulary() -> None:
    assert RelationMap.of("ingest.sources.sssom").attributes["skos:exactMatch"]


def _counts(source: sources.Source, out: Path) -> dict[tuple[str, str], int]:
    """Assertions by relation and type of the head; the accounts are checked."""
    result = sources.read(source, out, Silent())
    with duckdb.connect() as connection:
        for name in ("assertions", "quarantine"):
            connection.read_parquet(str(out / f"{name}.parquet")).create_view(name)
        counted = connection.execute(
            "select original_relation, count(distinct (file, row)) from ("
            "select original_relation, file, row from assertions union all "
            "select original_relation, file, row from quarantine) group by 1"
        ).fetchall()
        said: list[Any] = connection.execute(
            "select relation, head_type, count(*) from assertions "
            "where problem is null group by all"
        ).fetchall()
    assert dict(counted) == result.rows
    return {(relation, kind): count for relation, kind, count in said}


def test_real_mappings_of_mondo_are_read_whole(shared_data: Path, out: Path) -> None:
    path = shared_data / "mondo" / "mondo_exactmatch_doid.sssom.tsv"
    with path.open(encoding="utf-8") as lines:
        rows = sum(not line.startswith("#") for line in lines) - 1
    counts = _counts(SssomSource(kind="sssom", name="mondo-doid", file=path), out)
    assert counts == {("HAS_EXACT_MATCH", "Disease"): rows}


def test_real_biomappings_are_read_whole(shared_data: Path, out: Path) -> None:
    path = shared_data / "biomappings" / "positive.sssom.tsv"
    counts = _counts(BiomappingsSource(kind="biomappings", file=path), out)
    assert {kind for _, kind in counts} >= {"Disease", "Symptom", "Drug", "Anatomy"}
    assert counts["HAS_CUI", "Disease"] > 100
