"""A graph of MONDO's diseases and HPO's symptoms, and a release that hides some of what is known.

By its id, a term with a CUI is one of:

* stated (60 %): the graph states its CUI;
* named (20 %): the graph does not, and the term's names are in the release;
* renamed (15 %): nor are the term's names in the release, only what others call the concept;
* absent (5 %): its concept is not in the release at all.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kg.tables import GraphTables
from kg.text.canonical import canonical
from tests.kg.linking.umls.conftest import write_graph
from tests.kg.linking.umls.mrconso import Names, Term, real_names, terms, write

GROUPS: Final = (("stated", 60), ("named", 80), ("renamed", 95), ("absent", 100))
"""With the percentile at which each ends."""

_TYPES: Final = (("mondo", "Disease"), ("hp", "Symptom"))


@dataclass(frozen=True)
class Truth:
    """What is known of an entity and may be hidden."""

    group: str
    type: str
    cuis: frozenset[str]
    """Right ones that are in the release; none: it is right to leave the entity alone."""
    namesakes: frozenset[str]
    """Others that public data calls as the entity is called: twins, which UMLS would merge."""


@dataclass(frozen=True)
class Hidden:
    """A graph, a release and the truth."""

    tables: GraphTables
    release: Path
    rows: int
    """Of MRCONSO.RRF."""
    truth: dict[str, Truth]


def hide(data: Path, folder: Path, rows: int | None) -> Hidden:
    """Write the graph into ``folder/tables`` and the release into ``folder/META``."""
    known = [(term, type_) for ontology, type_ in _TYPES for term in terms(data, ontology)]
    names = real_names(data)
    called = _by_name(names)
    for term, _ in known:
        _take_out(term, names)
    written = write(folder / "META", names, rows)
    inside = frozenset(_first_cells(folder / "META" / "MRSTY.RRF"))
    truth = {
        term.id: Truth(
            _group(term),
            type_,
            term.cuis & inside,
            called.get(canonical(term.names[0]), frozenset()) - term.cuis,
        )
        for term, type_ in known
        if term.cuis and term.names
    }
    stated = [(t.id, cui) for t, _ in known if _group(t) == "stated" for cui in t.cuis]
    nodes = [(term.id, type_, term.names) for term, type_ in known if term.names]
    return Hidden(write_graph(folder / "tables", nodes, stated), folder / "META", written, truth)


def _group(term: Term) -> str:
    place = int.from_bytes(hashlib.blake2b(term.id.encode(), digest_size=4).digest(), "big") % 100
    return next(group for group, end in GROUPS if place < end)


def _take_out(term: Term, names: Names) -> None:
    """Take out of the names what the term's group hides."""
    group = _group(term)
    own = set(map(canonical, term.names))
    for cui in term.cuis:
        if group == "absent":
            names.english.pop(cui, None)
        elif group == "renamed" and cui in names.english:
            others = {n: v for n, v in names.english[cui].items() if canonical(n) not in own}
            names.english[cui] = others
        if group in ("absent", "renamed"):
            names.chinese.pop(cui, None)
            if not names.english.get(cui):
                names.english.pop(cui, None)


def _by_name(names: Names) -> dict[str, frozenset[str]]:
    """The concepts that go by each key."""
    found: dict[str, set[str]] = {}
    for cui, own in names.english.items():
        for name in own:
            found.setdefault(canonical(name), set()).add(cui)
    return {key: frozenset(cuis) for key, cuis in found.items()}


def _first_cells(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield line.partition("|")[0]
