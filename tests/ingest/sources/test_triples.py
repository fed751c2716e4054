"""Tables of triples: what a row says, and why it says nothing."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from ingest.configuration import BuildConfig
from ingest.sources import TriplesSource
from kg.errors import SourceError
from tests.ingest.sources.conftest import Read
from tests.ingest.sources.tables import write

ROW = {
    "head_id": "DRUGBANK:DB00437",
    "head": "allopurinol",
    "relation": "INDICATED_FOR",
    "tail_id": "MONDO:0005393",
    "tail": "gout",
    "tail_type": "Disease",
    "confidence": "0.8",
    "question": "exam:7",
    "language": "en",
}


def triples(file: Path, **changes: object) -> TriplesSource:
    return TriplesSource.model_validate(
        {"kind": "triples", "name": "exam", "file": file, **changes}
    )


def tsv(folder: Path, *rows: dict[str, str]) -> Path:
    """Rows with the columns of the first."""
    lines = ["\t".join(rows[0]), *("\t".join(row[name] for name in rows[0]) for row in rows)]
    return write(folder, "\n".join(lines) + "\n", "triples.tsv")


def row(**changes: str) -> dict[str, str]:
    return ROW | changes


def test_row_becomes_an_edge_with_weight_and_evidence(tmp_path: Path, read: Read) -> None:
    left = read(triples(tsv(tmp_path, ROW)))
    (fact,) = left.assertions
    assert {name: value for name, value in fact.items() if value is not None} == {
        "source": "exam",
        "file": "triples.tsv",
        "row": 1,
        "original_relation": "INDICATED_FOR",
        "head": "DRUGBANK:DB00437",
        "head_type": "Drug",  # no other type has an indication
        "head_name": "allopurinol",
        "relation": "INDICATED_FOR",
        "tail": "MONDO:0005393",
        "tail_type": "Disease",
        "tail_name": "gout",
        "language": "en",
        "evidence": "exam:7",
        "weight": 0.8,
    }
    assert left.rows == {"INDICATED_FOR": 1}


@pytest.mark.parametrize("name", ["t.tsv", "t.csv", "t.jsonl", "t.parquet"])
def test_every_format_says_the_same(tmp_path: Path, read: Read, name: str) -> None:
    path = tmp_path / name
    if name.endswith("parquet"):
        pq.write_table(pa.Table.from_pylist([ROW | {"confidence": 0.8}]), path)
    elif name.endswith("jsonl"):
        path.write_text(json.dumps(ROW | {"confidence": 0.8}) + "\n", encoding="utf-8")
    else:
        between = "\t" if name.endswith("tsv") else ","
        path.write_text(f"{between.join(ROW)}\n{between.join(ROW.values())}\n", encoding="utf-8")
    (fact,) = read(triples(path)).assertions
    said = ("head", "relation", "tail", "weight", "evidence", "problem")
    assert tuple(fact[name] for name in said) == (
        *("DRUGBANK:DB00437", "INDICATED_FOR", "MONDO:0005393"),
        *(0.8, "exam:7", None),
    )


def test_three_columns_of_names_are_enough(tmp_path: Path, read: Read) -> None:
    path = write(tmp_path, "head,relation,tail\nprobenecid,TARGETS,SLC22A12\n")
    (fact,) = read(triples(path)).assertions
    assert (fact["head_name"], fact["head_type"]) == ("probenecid", "Drug")
    assert (fact["tail_name"], fact["tail_type"], fact["tail"]) == ("SLC22A12", "Gene", None)
    assert (fact["weight"], fact["evidence"], fact["language"]) == (None, None, "en")


def test_words_of_the_table_are_mapped_and_turned_round(tmp_path: Path, read: Read) -> None:
    path = write(tmp_path, "药,关系,病,分\n别嘌醇,治疗,痛风,0.9\n")
    source = triples(
        path,
        head="药",
        relation="关系",
        tail="病",
        confidence="分",
        default_language="zh",
        relations={
            "治疗": {"relation": "TREATED_BY", "head": "Disease", "tail": "Drug", "inverted": True}
        },
    )
    (fact,) = read(source).assertions
    ends = ("head_name", "head_type", "relation", "tail_name", "tail_type", "language", "weight")
    assert tuple(fact[name] for name in ends) == (
        *("痛风", "Disease", "TREATED_BY", "别嘌醇", "Drug", "zh", 0.9),
    )
    assert fact["original_relation"] == "治疗"


def test_words_for_types_are_mapped(tmp_path: Path, read: Read) -> None:
    path = tsv(tmp_path, row(tail_type="illness"), row(tail_type="mood"))
    left = read(triples(path, types={"illness": "Disease"}))
    assert [fact["tail_type"] for fact in left.assertions] == ["Disease"]
    assert left.reasons() == {2: "'mood' is no type of a tail; map it in 'types'"}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"relation": ""}, "the row names no relation"),
        ({"relation": "cures"}, "the graph has no relation for 'cures'; map it in 'relations'"),
        (  # what a model said, exported beside facts, is none when it is read again
            {"relation": "PREDICTED"},
            "the graph has no relation for 'PREDICTED'; map it in 'relations'",
        ),
        ({"head": "", "head_id": ""}, "no head is named"),
        ({"tail": " ", "tail_id": ""}, "no tail is named"),
        (
            {"tail_type": ""},
            "INDICATED_FOR takes several types for its tail, and the row tells none",
        ),
        ({"language": "fr"}, "'fr' is no language; write en or zh"),
    ],
)
def test_row_that_says_nothing_is_quarantined(
    tmp_path: Path, read: Read, changes: dict[str, str], reason: str
) -> None:
    left = read(triples(tsv(tmp_path, row(**changes), ROW)))
    assert left.reasons() == {1: reason}
    assert [fact["row"] for fact in left.assertions] == [2]
    assert json.loads(left.quarantine[0]["record"])["question"] == "exam:7"


def test_word_does_not_mean_a_prediction(tmp_path: Path) -> None:
    relations = {"guess": {"relation": "PREDICTED"}}
    with pytest.raises(ValidationError, match="PREDICTED is what models predict; no source"):
        triples(tsv(tmp_path, ROW), relations=relations)


@pytest.mark.parametrize("written", ["1.01", "-0.1", "sure", "nan", "inf"])
def test_confidence_that_is_none_is_lost_alone_unless_one_is_asked_for(
    tmp_path: Path, read: Read, written: str
) -> None:
    path = tsv(tmp_path, row(confidence=written))
    left = read(triples(path))
    (fact,) = left.assertions
    assert (fact["weight"], fact["problem"]) == (None, None)
    assert [cell["stage"] for cell in left.quarantine] == ["cell"]
    refused = read(triples(path, min_confidence=0.5))
    assert refused.assertions == []
    assert left.reasons() == refused.reasons() == {1: f"'{written}' is no confidence from 0 to 1"}


@pytest.mark.parametrize("written", ["0", "1", "1e-3", " 0.5 "])
def test_confidence_includes_its_bounds(tmp_path: Path, read: Read, written: str) -> None:
    (fact,) = read(triples(tsv(tmp_path, row(confidence=written)))).assertions
    assert (fact["weight"], fact["problem"]) == (float(written), None)


def test_unsure_triples_are_quarantined_and_counted(tmp_path: Path, read: Read) -> None:
    path = tsv(tmp_path, *(row(confidence=c) for c in ("0.49", "0.5", "", "0.9")))
    left = read(triples(path, min_confidence=0.5))
    assert [fact["row"] for fact in left.assertions] == [2, 4]
    assert left.reasons() == {
        1: "the confidence '0.49' is below 0.5",
        3: "the row has no confidence, and 0.5 is the least",
    }
    assert left.rows == {"INDICATED_FOR": 4}


def test_id_that_is_no_curie_is_a_problem(tmp_path: Path, read: Read) -> None:
    (fact,) = read(triples(tsv(tmp_path, row(tail_id="gout")))).assertions
    assert fact["problem"] == (
        "'gout' is not a CURIE; write PREFIX:ID, e.g. HP:0001945, or set 'id_prefix'"
    )


def test_row_that_cannot_be_split_is_quarantined(tmp_path: Path, read: Read) -> None:
    path = write(tmp_path, "head,relation,tail\nallopurinol,INDICATED_FOR\n")
    left = read(triples(path))
    assert left.reasons() == {1: "the row has fewer fields than the header"}
    assert left.rows == {"unreadable row": 1}


def test_column_that_the_settings_name_must_be_there(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match="the header lacks 'score'"):
        read(triples(tsv(tmp_path, ROW), confidence="score"))


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("t.tsv", b"", r"t\.tsv: the file is empty"),
        ("t.csv", "head,relation,tail\n痛风患者,A,b\n".encode("gb18030"), "not UTF-8 text"),
        ("t.txt", b"head\n", "the ending tells no format"),
        ("t.parquet", b"PAR1 no", "not a Parquet file"),
        ("t.csv", b"a,b\n1,2\n", "the header lacks 'head', 'relation', 'tail'"),
        ("t.jsonl", b'{"a": 1}\n', "the header lacks 'head', 'relation', 'tail'"),
    ],
)
def test_file_that_cannot_be_read_is_told(
    tmp_path: Path, read: Read, name: str, content: bytes, message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        read(triples(write(tmp_path, content, name)))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"relations": {"cures": "CURES"}}, "'CURES' is no relation type"),
        (
            {"relations": {"x": {"relation": "TARGETS", "head": "Disease"}}},
            "does not connect Disease",
        ),
        ({"types": {"illness": "Illness"}}, "'Illness' is no node type"),
        ({"min_confidence": 2}, "less than or equal to 1"),
        ({"default_language": "fr"}, "Input should be 'en' or 'zh'"),
    ],
)
def test_settings_that_cannot_work_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        triples(Path("t.tsv"), **changes)


def test_names_may_be_linked_with_those_of_other_sources() -> None:
    table = {"kind": "triples", "name": "exam", "file": "t.tsv", "link": True}
    config = BuildConfig.model_validate({"sources": [{"kind": "sample"}, table]})
    assert config.text_born == {"exam"}


def test_type_may_be_constant(tmp_path: Path, read: Read) -> None:
    path = tsv(tmp_path, {"head": "gout", "relation": "CAUSED_BY", "tail": "beer"})
    types = {"head_type": {"value": "Disease"}, "tail_type": {"value": "Food"}}
    (fact,) = read(triples(path, **types)).assertions
    assert (fact["head_type"], fact["tail_type"]) == ("Disease", "Food")
    assert read(triples(path, head_type={"value": "Disease"})).reasons() == {
        1: "CAUSED_BY takes several types for its tail, and the row tells none"
    }


def test_constant_that_is_no_type_is_refused() -> None:
    with pytest.raises(ValidationError, match="'Illness' is no node type"):
        triples(Path("t.tsv"), head_type={"value": "Illness"})


def test_end_with_a_concept_for_an_id_is_known_by_its_name(tmp_path: Path, read: Read) -> None:
    nameless = {"tail_id": "UMLS:C0015967", "tail": ""}
    path = tsv(tmp_path, row(tail_id="UMLS:C0018099"), row(**nameless))
    left = read(triples(path))
    assert sorted(left.facts()) == [
        ("DRUGBANK:DB00437", "INDICATED_FOR", "gout"),
        ("gout", "HAS_CUI", "UMLS:C0018099"),
    ]
    assert left.reasons() == {
        2: "'UMLS:C0015967' is a UMLS concept and no id of a Disease; the tail needs a name "
        "beside it"
    }
