"""The sample's files as plain data."""

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import yaml

FOLDERS = {"diseases": "Disease", "drugs": "Drug", "symptoms": "Symptom"}
SAMPLE = Path(__file__).parents[2] / "ingest" / "sample"


@dataclass(frozen=True)
class Concept:
    """What a file is about, or an item of it says."""

    where: str
    type: str
    id: str | None
    en: str
    zh: str


@dataclass(frozen=True)
class Thing:
    """One file of diseases/ or drugs/."""

    file: str
    type: str
    content: Mapping[str, Any]

    @cached_property
    def concept(self) -> Concept:
        """The thing itself."""
        name = self.content["name"]
        return Concept(self.file, self.type, self.content.get("id"), name["en"], name["zh"])

    @cached_property
    def items(self) -> tuple[tuple[str, Concept, tuple[str, ...]], ...]:
        """Relation, tail and names of references of every fact."""
        return tuple(
            (
                relation,
                Concept(
                    f"{self.file} {relation}", item["type"], item.get("id"), item["en"], item["zh"]
                ),
                tuple(item["ref"]),
            )
            for relation, items in self.content["facts"].items()
            for item in items
        )

    @property
    def concepts(self) -> Iterator[Concept]:
        """The thing and the tails of its facts."""
        yield self.concept
        for _, concept, _ in self.items:
            yield concept


@dataclass(frozen=True)
class Name:
    """A line of names/diseases.tsv, drugs.tsv or symptoms.tsv."""

    type: str
    id: str
    term: str
    kind: str
    language: str
    name: str
    reference: str

    @property
    def named(self) -> str:
        """What is named, by its id or, where it has none, its term."""
        return self.id or self.term


@dataclass(frozen=True)
class Unnamed:
    """A line of names/none.tsv: a thing that has fewer names of a kind than it should, and why."""

    id: str
    term: str
    kind: str
    language: str
    reason: str
    words: str
    """Names that were left out, or of what else they are, parted by semicolons."""
    reference: str

    @property
    def named(self) -> str:
        """What lacks names, by its id or, where it has none, its term."""
        return self.id or self.term


@dataclass(frozen=True)
class Page:
    """One file of pages/."""

    file: str
    disease: str
    urls: frozenset[str]
    sections: Mapping[str, str]


@cache
def things(folder: str, node_type: str) -> list[Thing]:
    """The files of diseases/ or drugs/, by name."""
    return [
        Thing(f"{folder}/{path.stem}", node_type, yaml.safe_load(path.read_text("utf-8")))
        for path in sorted((SAMPLE / folder).glob("*.yaml"))
    ]


def names() -> list[Name]:
    """The lines of the tables of names."""
    return [Name(type_, **row) for stem, type_ in FOLDERS.items() for row in _table(stem)]


def unnamed() -> list[Unnamed]:
    """The lines of names/none.tsv."""
    return [Unnamed(**row) for row in _table("none")]


def _table(stem: str) -> list[dict[str, str]]:
    with (SAMPLE / "names" / f"{stem}.tsv").open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True))


def page(path: Path) -> Page:
    """A file of pages/."""
    _, matter, text = path.read_text("utf-8").split("---\n", 2)
    front = yaml.safe_load(matter)
    urls = frozenset(source["url"] for source in front["sources"] if "url" in source)
    _, *parts = re.split(r"^## (.*)\n", text, flags=re.MULTILINE)
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    return Page(f"pages/{path.stem}", front["disease"], urls, sections)
