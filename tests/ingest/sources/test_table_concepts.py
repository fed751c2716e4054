"""Tables whose things are known by UMLS concepts: the name makes the node, and has the concept."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

import kg
from ingest.build import build
from ingest.configuration import BuildConfig
from ingest.sources import TableSource
from kg.configuration import Settings
from kg.progress import Silent
from tests.ingest.sources.conftest import Read
from tests.ingest.sources.tables import write

HEADER = "disease,code,finding\n"


def table(file: Path, **head: object) -> TableSource:
    return TableSource.model_validate(
        {
            "kind": "table",
            "name": "clinic",
            "file": file,
            "head": {"name": "disease", "type": "Disease", **head},
            "relation": "HAS_SYMPTOM",
            "tail": {"name": "finding", "type": "Symptom"},
        }
    )


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ({"cui": "code"}, "C0018099"),
        ({"cui": "code"}, " umls:c0018099"),
        ({"id": "code"}, "UMLS:C0018099"),
        ({"id": "code"}, " UMLS:C0018099 "),
        ({"id": "code", "prefix": "UMLS"}, "C0018099"),
        ({"id": "code", "prefix": "UMLS"}, " C0018099 "),
    ],
)
def test_name_is_the_node_and_has_the_concept(
    tmp_path: Path, read: Read, head: dict[str, str], code: str
) -> None:
    left = read(table(write(tmp_path, f"{HEADER}gout,{code},pain\ngout,{code},fever\n"), **head))
    assert sorted(left.facts()) == [
        ("gout", "HAS_CUI", "UMLS:C0018099"),
        ("gout", "HAS_SYMPTOM", "fever"),
        ("gout", "HAS_SYMPTOM", "pain"),
    ]
    (concept,) = (a for a in left.assertions if a["relation"] == "HAS_CUI")
    assert (concept["row"], concept["head_type"], concept["tail_type"]) == (
        1,
        "Disease",
        "Concept",
    )
    assert left.rows == {"HAS_SYMPTOM": 2}


def test_only_those_ids_that_are_concepts_give_way_to_the_name(tmp_path: Path, read: Read) -> None:
    text = f"{HEADER}gout,MONDO:0005393,pain\nflu,UMLS:C0021400,cough\n,UMLS:C0026780,fever\n"
    left = read(table(write(tmp_path, text), id="code"))
    assert sorted(left.facts()) == [
        ("MONDO:0005393", "HAS_SYMPTOM", "pain"),
        ("flu", "HAS_CUI", "UMLS:C0021400"),
        ("flu", "HAS_SYMPTOM", "cough"),
    ]
    assert left.reasons() == {
        3: "'UMLS:C0026780' is a UMLS concept and no id of a Disease; "
        "the head needs a name beside it"
    }


def test_what_is_no_concept_is_a_problem_and_the_fact_stands(tmp_path: Path, read: Read) -> None:
    left = read(table(write(tmp_path, f"{HEADER}gout,C12,pain\n"), cui="code"))
    assert sorted((a["relation"], a["problem"]) for a in left.assertions) == [
        ("HAS_CUI", "'C12' is no UMLS concept; write C0018099"),
        ("HAS_SYMPTOM", None),
    ]


def test_concept_alone_makes_no_node() -> None:
    with pytest.raises(ValidationError, match="name the column of its 'id', its 'name', or both"):
        table(Path("t.csv"), name=None, cui="code")


def test_concepts_join_and_part_nothing_by_themselves(tmp_path: Path) -> None:
    text = (
        f"{HEADER}gout,C0018099,pain\ngout,C0003868,fever\n"
        "podagra,C0018099,swelling\ngouty attack,C0018099,redness\n"
    )
    clinic = table(write(tmp_path, text), cui="code")
    known = TableSource.model_validate(
        {
            "kind": "table",
            "name": "known",
            "file": write(tmp_path, "id,text,code\nMONDO:0005393,podagra,C0018099\n", "known.csv"),
            "head": {"id": "id", "type": "Disease", "cui": "code"},
            "relation": "HAS_SYNONYM",
            "value": "text",
        }
    )
    home = tmp_path / "home"
    with kg.connect(None, Settings(home=home)) as store:
        build(BuildConfig(sources=(known, clinic)), home, store, Silent())
    edges: list[dict[str, Any]] = pq.read_table(home / "tables/edges/HAS_CUI.parquet").to_pylist()
    names = {n["id"]: n["name"] for n in pq.read_table(home / "tables/nodes.parquet").to_pylist()}
    having = sorted((names[edge["head"]], edge["tail"]) for edge in edges)
    # two concepts of one name: one node, which has both; one concept of two names: two nodes,
    # unless a source has the name for the node of an ontology (podagra)
    assert having == [
        ("gout", "UMLS:C0003868"),
        ("gout", "UMLS:C0018099"),
        ("gouty attack", "UMLS:C0018099"),
        ("podagra", "UMLS:C0018099"),
    ]
    merged = pq.read_table(home / "merges.parquet").to_pylist()
    assert [(m["node"], m["rule"], m["evidence"]) for m in merged] == [
        ("MONDO:0005393", "concept and name", "UMLS:C0018099 podagra"),
        ("MONDO:0005393", "spelling", "podagra"),
    ]
