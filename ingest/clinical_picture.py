"""How much of the clinical picture of common diseases and drugs a graph holds.

Two lists beside this module are looked up in a loaded graph: ``common_diseases.tsv`` (200, written)
and ``common_drugs.tsv`` (500, by rank). Each disease should have five symptoms, a
cause, a test and a treatment, each drug an indication, a contraindication, a precaution and an
adverse reaction.

A fact counts for a language if its other end has a name in it, whichever source states it: a user
who asks in that language gets it. A second count is of facts from sources in the language. Facts of
a finding count for the disease that it closely matches, and the other way round.
"""

import csv
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final, NamedTuple

import duckdb
from pydantic import BaseModel, TypeAdapter

from cypher.translation import translate
from kg.stores.store import Store
from kg.text import normalise
from kg.text.phrases import is_chinese
from kg.vocabulary import LANGUAGES


class _Aspect(NamedTuple):
    """Something that should be known, and the relations that state it."""

    name: str
    relations: frozenset[str]
    """Read from the disease or drug to what it has."""
    inverse: frozenset[str] = frozenset()
    """Read the other way."""
    needed: int = 1
    """So many different facts."""


_ASPECTS: Final = {
    "Disease": (
        _Aspect("5 symptoms", frozenset({"HAS_SYMPTOM"}), needed=5),
        _Aspect("cause", frozenset({"CAUSED_BY"})),
        _Aspect("test", frozenset({"DIAGNOSED_BY"})),
        _Aspect("treatment", frozenset({"TREATED_BY"}), frozenset({"INDICATED_FOR"})),
    ),
    "Drug": (
        _Aspect("indication", frozenset({"INDICATED_FOR"}), frozenset({"TREATED_BY"})),
        # of two drugs that must not be given together the label of one may say it
        _Aspect(
            "contraindication",
            frozenset({"CONTRAINDICATED_FOR"}),
            frozenset({"CONTRAINDICATED_FOR"}),
        ),
        _Aspect("precaution", frozenset({"HAS_PRECAUTION"})),
        _Aspect("adverse reaction", frozenset({"HAS_ADVERSE_REACTION"})),
    ),
}
_COMBINED: Final = {
    "Disease": {"all four": 4},
    "Drug": {"indication and contraindication": 2, "all four": 4},
}
"""So many of the first aspects at once."""

_CLOSE_MATCH: Final = "CLOSE_MATCH"
_TYPES: Final = {"Disease": ("Disease", "Symptom"), "Drug": ("Drug",)}
"""Node types that a listed disease or drug may have."""


class Coverage(BaseModel, frozen=True, extra="forbid"):
    """How many of the listed diseases or drugs have an aspect."""

    aspect: str
    known: int
    """Of those in the graph, in any language."""
    named: dict[str, int]
    """By language: those with enough facts whose other end has a name in it."""
    stated: dict[str, int]
    """By language: those with enough facts from sources that write it."""


class Gap(BaseModel, frozen=True, extra="forbid"):
    """What one listed disease or drug lacks."""

    id: str
    name: str
    name_zh: str
    in_graph: bool
    lacks: dict[str, tuple[str, ...]]
    """Aspects by language."""


class ClinicalPicture(BaseModel, frozen=True, extra="forbid"):
    """What the graph holds of a list."""

    type: str
    """``Disease`` or ``Drug``."""
    listed: int
    found: int
    """Of the listed ones, how many the graph has."""
    coverage: tuple[Coverage, ...]
    gaps: tuple[Gap, ...]
    """Of those that lack something, in the order of the list."""

    def summary(self) -> str:
        """One sentence on how much of the list the graph has, in the language that is spoken."""
        node_type = self.type.lower()
        if not self.found:
            none = f"The graph has none of the {{listed}} commonest {node_type}s."
            return translate(none, listed=self.listed)
        some = f"The graph has {{found}} of the {{listed}} commonest {node_type}s."
        return translate(some, found=self.found, listed=self.listed)


class Listed(NamedTuple):
    """A line of a list."""

    id: str
    name: str
    name_zh: str


class _Fact(NamedTuple):
    """A row of ``entity.facts_of`` or ``entity.facts_about``."""

    owner: str
    """The listed node."""
    relation: str
    other: str
    name: str | None
    name_zh: str | None
    sources: tuple[str, ...]


class _Match(NamedTuple):
    """A row of ``entity.named``."""

    id: str
    type: str
    name: str | None
    name_zh: str | None
    normal_names: tuple[str, ...]
    sources: tuple[str, ...]


class _Facts:
    """Different other ends by aspect, and which of them a language has."""

    def __init__(self) -> None:
        self.ends: dict[str, set[str]] = defaultdict(set)
        """By aspect; by aspect and language for the names; by those and ``!`` for the sources."""

    def add(self, aspect: str, fact: _Fact, languages: Iterable[str]) -> None:
        """A fact, and the languages that its sources write."""
        names = filter(None, (fact.name, fact.name_zh))
        self.ends[aspect].add(fact.other)
        for language in {"zh" if is_chinese(name) else "en" for name in names}:
            self.ends[f"{aspect} {language}"].add(fact.other)
        for language in languages:
            self.ends[f"{aspect} {language}!"].add(fact.other)

    def enough(self, aspect: _Aspect, suffix: str = "") -> bool:
        return len(self.ends[aspect.name + suffix]) >= aspect.needed


def common_diseases() -> tuple[Listed, ...]:
    """The 200 diseases, by name."""
    return _listed("common_diseases.tsv")


def common_drugs() -> tuple[Listed, ...]:
    """The 500 drugs, the commonest first."""
    return _listed("common_drugs.tsv")


def _listed(name: str) -> tuple[Listed, ...]:
    text = (files("ingest") / name).read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return tuple(Listed(row["id"], row["name"], row["name_zh"]) for row in rows)


def written_languages(assertions: Mapping[str, Path]) -> dict[str, str]:
    """The language in which each source states most of its facts, by its name.

    Args:
        assertions: ``assertions.parquet`` of each source, by the source's name.
    """
    query = """
        SELECT language FROM read_parquet(?) WHERE value IS NULL
        GROUP BY language ORDER BY count(*) DESC, language LIMIT 1
    """
    with duckdb.connect() as con:
        rows = {name: con.execute(query, [str(at)]).fetchone() for name, at in assertions.items()}
    return {name: row[0] for name, row in rows.items() if row}


def clinical_pictures(store: Store, languages: Mapping[str, str]) -> tuple[ClinicalPicture, ...]:
    """Look both lists up in a loaded graph.

    Args:
        store: holds the graph.
        languages: of sources, by their names; a source that is missing counts for none.

    Raises:
        StoreError: the store failed.
    """
    lists = {"Disease": common_diseases(), "Drug": common_drugs()}
    return tuple(clinical_picture(store, *list_, languages) for list_ in lists.items())


def clinical_picture(
    store: Store, node_type: str, listed: Collection[Listed], languages: Mapping[str, str]
) -> ClinicalPicture:
    """Look one list up in a loaded graph.

    Args:
        store: holds the graph.
        node_type: ``Disease`` or ``Drug``.
        listed: the list.
        languages: of sources, by their names.

    Raises:
        StoreError: the store failed.
    """
    nodes = _nodes(store, node_type, listed)
    facts = _facts(store, node_type, nodes, languages)
    aspects = _ASPECTS[node_type]
    groups: dict[str, tuple[_Aspect, ...]] = {aspect.name: (aspect,) for aspect in aspects}
    groups |= {name: aspects[:count] for name, count in _COMBINED[node_type].items()}
    return ClinicalPicture(
        type=node_type,
        listed=len(listed),
        found=len(nodes),
        coverage=tuple(_coverage(name, parts, facts.values()) for name, parts in groups.items()),
        gaps=tuple(filter(None, (_gap(entry, facts.get(entry.id), aspects) for entry in listed))),
    )


def _nodes(store: Store, node_type: str, listed: Iterable[Listed]) -> dict[str, str]:
    """The node of each listed id; found by name if the id was merged into another."""
    ids = [entry.id for entry in listed]
    types = {str(row[0]): row[1] for row in store.query("entity.labels", entities=ids).rows}
    nodes = {id_: id_ for id_ in ids if types.get(id_) in _TYPES[node_type]}
    names = {
        entry.id: {normalise(entry.name), normalise(entry.name_zh)} - {""}
        for entry in listed
        if entry.id not in types
    }
    matches = _named(store, node_type, sorted(set().union(*names.values())))
    for id_, names_of_entry in names.items():
        equal = {node for node, node_names in matches if names_of_entry & node_names}
        if len(equal) == 1:
            nodes[id_] = equal.pop()
    return nodes


def _named(store: Store, node_type: str, names: list[str]) -> list[tuple[str, set[str]]]:
    """Nodes of a type that have one of some names, with all their normalised names."""
    if not names:
        return []
    rows = TypeAdapter(list[_Match]).validate_python(store.query("entity.named", names=names).rows)
    return [(row.id, set(row.normal_names)) for row in rows if row.type == node_type]


def _facts(
    store: Store, node_type: str, nodes: Mapping[str, str], languages: Mapping[str, str]
) -> dict[str, _Facts]:
    """What the graph has of each listed id."""
    owners: dict[str, set[str]] = defaultdict(set)
    for id_, node in nodes.items():
        owners[node].add(id_)
    if node_type == "Disease":
        _share_close_matches(store, owners)
    facts = {id_: _Facts() for id_ in nodes}
    aspects = _ASPECTS[node_type]
    outgoing = {relation: a.name for a in aspects for relation in a.relations}
    incoming = {relation: a.name for a in aspects for relation in a.inverse}
    for query, names in (("entity.facts_of", outgoing), ("entity.facts_about", incoming)):
        for fact in _ask(store, query, owners, names):
            written = {languages[name] for name in fact.sources if name in languages}
            for id_ in owners[fact.owner]:
                facts[id_].add(names[fact.relation], fact, written)
    return facts


def _share_close_matches(store: Store, owners: dict[str, set[str]]) -> None:
    """A finding that a disease closely matches, and the disease, belong to whoever has one of them."""
    owners_before = {node: set(ids) for node, ids in owners.items()}
    for query in ("entity.facts_of", "entity.facts_about"):
        for fact in _ask(store, query, owners_before, (_CLOSE_MATCH,)):
            owners[fact.other] |= owners_before[fact.owner]


def _ask(
    store: Store, query: str, entities: Iterable[str], relations: Iterable[str]
) -> list[_Fact]:
    answer = store.query(query, entities=sorted(entities), relations=sorted(relations))
    return TypeAdapter(list[_Fact]).validate_python(answer.rows)


def _coverage(name: str, parts: tuple[_Aspect, ...], facts: Collection[_Facts]) -> Coverage:
    def count(suffix: str) -> int:
        return sum(all(each.enough(part, suffix) for part in parts) for each in facts)

    return Coverage(
        aspect=name,
        known=count(""),
        named={language: count(f" {language}") for language in LANGUAGES},
        stated={language: count(f" {language}!") for language in LANGUAGES},
    )


def _gap(listed: Listed, facts: _Facts | None, aspects: tuple[_Aspect, ...]) -> Gap | None:
    present = facts or _Facts()
    lacks = {
        language: tuple(a.name for a in aspects if not present.enough(a, f" {language}"))
        for language in LANGUAGES
    }
    if not any(lacks.values()):
        return None
    return Gap(**listed._asdict(), in_graph=facts is not None, lacks=lacks)


def page(pictures: Iterable[ClinicalPicture]) -> str:
    """The pictures in Markdown, with what each listed disease or drug lacks."""
    return _HEAD + "".join(_chapter(picture) for picture in pictures)


def coverage_rows(picture: ClinicalPicture) -> tuple[tuple[str, ...], list[tuple[str | int, ...]]]:
    """Columns and rows of the coverage of a list."""
    columns = (
        "",
        picture.type.lower() + "s",
        *(f"named in {language}" for language in LANGUAGES),
        *(f"stated in {language}" for language in LANGUAGES),
    )
    return columns, [
        (c.aspect, c.known, *c.named.values(), *c.stated.values()) for c in picture.coverage
    ]


_HEAD: Final = """\
# The clinical picture of common diseases and drugs

What a graph holds of 200 common diseases and 500 common drugs, as `medkg report --clinical-picture`
prints it; in medkg's documentation that of the graph of everything (docs/everything.md).

* *named*: a disease or drug counts where the other end of its facts has a name in that language. It
  is what somebody gets who asks in that language, whoever stated the fact.
* *stated*: it counts where a source that writes the language states the facts. A source writes the
  language of most of its assertions.

What is stated of a finding counts for the disease that it closely matches (`CLOSE_MATCH`).
docs/sources.md says how the lists were made.
"""


def _chapter(picture: ClinicalPicture) -> str:
    title = f"\n## {picture.type}s\n\n{picture.summary()}\n"
    if not picture.found:
        return title
    columns, rows = coverage_rows(picture)
    gaps = [
        (each.id, each.name, each.name_zh, *(
            ", ".join(each.lacks[language]) if each.in_graph else "not in the graph"
            for language in LANGUAGES
        ))
        for each in picture.gaps
    ]  # fmt: skip
    heads = ("id", "name", "name in zh", *(f"lacks in {language}" for language in LANGUAGES))
    tables = (title, _table(columns, rows), "### What is missing\n", _table(heads, gaps))
    return "\n".join(tables)


def _table(columns: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    heads = tuple(columns)
    lines = (heads, ("---",) * len(heads), *(tuple(map(str, row)) for row in rows))
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
