"""Classes of drugs: what a row states, what is refused, and the list that medkg brings."""

from collections import Counter
from pathlib import Path

import pytest

from ingest.sources import DrugClassesSource
from kg.errors import SourceError
from tests.ingest.sources.conftest import Left, Read

THINGS = """
things:
  allergy: {type: Symptom, en: Hypersensitivity to penicillins, zh: 对青霉素类过敏}
  heart: {type: Disease, id: "MONDO:0005252", en: heart failure, zh: 心力衰竭}
"""


def source(folder: Path, text: str) -> DrugClassesSource:
    path = folder / "classes.yaml"
    path.write_text(text, encoding="utf-8")
    return DrugClassesSource(kind="drug-classes", file=path)


def edges(left: Left) -> list[tuple[str | None, str, str, str | None, str]]:
    return [
        (a["head"], a["head_name"], a["relation"], a["tail"], a["tail_name"])
        for a in left.assertions
        if a["tail_name"]
    ]


def test_thing_of_a_class_is_an_edge_from_each_of_its_drugs(tmp_path: Path, read: Read) -> None:
    text = f"{THINGS}classes:\n  penicillins: {{drugs: [Amoxicillin, Newcillin], label: Amoxicillin, contraindicated: [allergy]}}"
    left = read(source(tmp_path, text))
    assert edges(left) == [
        ("DRUGBANK:DB01060", "Amoxicillin", "CONTRAINDICATED_FOR", None, "Hypersensitivity to penicillins"),
        (None, "Newcillin", "CONTRAINDICATED_FOR", None, "Hypersensitivity to penicillins"),
    ]  # fmt: skip
    told = "class: penicillins|one reader's knowledge, no label was opened|compare the label of Amoxicillin"
    assert {(a["publications"], a["evidence"]) for a in left.assertions if a["tail_name"]} == {
        (None, told)
    }
    chinese = [
        (a["head_name"], a["value"]) for a in left.assertions if a["relation"] == "HAS_NAME"
    ]
    assert chinese == [("Hypersensitivity to penicillins", "对青霉素类过敏")]


def test_each_thing_of_each_class_is_a_row(tmp_path: Path, read: Read) -> None:
    text = f"{THINGS}classes:\n  a: {{drugs: [X], label: X, contraindicated: [allergy], precautions: [heart, pain]}}"
    left = read(source(tmp_path, text))
    assert Counter((a["row"], a["relation"]) for a in left.assertions) == {
        (1, "CONTRAINDICATED_FOR"): 1, (1, "HAS_NAME"): 1,
        (2, "HAS_PRECAUTION"): 1, (2, "HAS_NAME"): 1,
    }  # fmt: skip
    assert [(q["row"], q["reason"]) for q in left.quarantine] == [
        (3, "'pain' is none of the things of the file")
    ]


def test_thing_that_the_relation_does_not_take_is_quarantined(tmp_path: Path, read: Read) -> None:
    text = (
        "things: {kit: {type: Gene, en: KIT, zh: KIT}}\n"
        "classes: {a: {drugs: [X], label: X, precautions: [kit]}}"
    )
    left = read(source(tmp_path, text))
    assert [q["reason"] for q in left.quarantine] == ["HAS_PRECAUTION takes no Gene"]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("classes: [", "not a YAML file"),
        ("[" * 100_000, "it is nested too deeply"),
        ("- 1", "the whole: Input should be a valid dictionary"),
        ("things: {}\nclasses: {a: {drugs: [], label: X}}", "classes.a.drugs: Tuple should have"),
        ("things: {}\nclasses: {a: {drugs: [X]}}", "classes.a.label: Field required"),
    ],
)
def test_file_that_is_no_such_list_is_an_error(
    tmp_path: Path, read: Read, text: str, error: str
) -> None:
    with pytest.raises(SourceError, match=f"classes.yaml: {error}.*; correct the file"):
        read(source(tmp_path, text))


def test_list_that_medkg_brings_is_taken_whole_and_names_common_drugs(read: Read) -> None:
    left = read(DrugClassesSource(kind="drug-classes"))
    assert left.quarantine == []
    assert [name for id_, name, *_ in edges(left) if id_ is None] == []
    drugs = {
        relation: {h for h, _, r, *_ in edges(left) if r == relation}
        for relation in ("CONTRAINDICATED_FOR", "HAS_PRECAUTION")
    }
    assert (len(drugs["CONTRAINDICATED_FOR"]), len(drugs["HAS_PRECAUTION"])) == (150, 315)
    facts = [(h, tail) for h, _, r, _, tail in edges(left) if r == "CONTRAINDICATED_FOR"]
    cautions = {(h, tail) for h, _, r, _, tail in edges(left) if r == "HAS_PRECAUTION"}
    assert not cautions.intersection(facts)
