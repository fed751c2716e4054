"""What else may answer for a thing: what it also is, its kinds and parents, and what is said of these."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from cypher.translation import spoken, translate
from kg.stores.store import Rows, Store, Value
from qa.ordering import listed
from qa.question import Reading, Triple
from qa.subjects import Subject

KIN_ASKED: Final = 500
"""Kinds of a thing that are asked, the nearest."""
MOST: Final = 50
"""Rows of what kinds and parents have."""
_STEPS: Final = 1
"""How far above a thing its parents are asked: what is said of a wider group need not hold of it."""
_NAMED: Final = 3
"""Kinds or parents that a row names."""


def all_names_of(store: Store, id_: str) -> set[str]:
    """All that the graph calls a thing, in both languages; none where it does not have it.

    Raises:
        StoreError: the store failed.
    """
    return {
        name
        for row in store.query("entity.by_id", entity=id_).dicts()
        for name in (
            *(str(row[key]) for key in ("entity_name", "entity_name_zh") if row[key]),
            *listed(row["synonyms"]),
            *listed(row["synonyms_zh"]),
        )
    }


def others_of(store: Store, subject: Subject) -> list[Subject]:
    """What a thing is as a finding or as a disease."""
    return renamed(subject, store.query("entity.close_matches", entity=subject.id))


def renamed(subject: Subject, others: Rows) -> list[Subject]:
    """What the rows name, where a subject stands; their columns are of ``other``."""
    found = []
    for row in others.dicts():
        id_, type_, name = (str(row[f"other_{part}"]) for part in ("id", "type", "name"))
        found.append(replace(subject, id=id_, type=type_, name=name))
    return found


def ends_of(triple: Triple) -> tuple[str, str, str]:
    """The query for the open end of a triple, its parameter, and the query for several things."""
    if triple.sought == "tail":
        return "entity.tails", "head", "entity.facts_of"
    return "entity.heads", "tail", "entity.facts_about"


def kin_of(store: Store, subject: Subject, *, parents: bool) -> list[str]:
    """Ids of the kinds of a thing, the nearest first, or of its parents; and of what they also are."""
    query, column = ("entity.ancestors", "ancestor_id") if parents else DESCENDANTS
    steps: dict[str, int] = {}
    for one in (subject, *others_of(store, subject)):
        for row in store.query(query, entity=one.id, limit=KIN_ASKED).dicts():
            step = row["steps"]
            if isinstance(step, int) and not (parents and step > _STEPS):
                steps.setdefault(str(row[column]), step)
    nearest = sorted(steps, key=lambda id_: (steps[id_], id_))
    given: dict[str, Value] = {"entities": nearest, "relations": ["CLOSE_MATCH"]}
    asked = (("entity.facts_of", "tail_id"), ("entity.facts_about", "head_id"))
    others = [str(r[end]) for name, end in asked for r in store.query(name, **given).dicts()]
    own = {subject.id}
    return [id_ for id_ in dict.fromkeys([*nearest, *others]) if id_ not in own]


DESCENDANTS: Final = ("entity.descendants", "descendant_id")
COLUMNS: Final = (
    "relation",
    "entity_id",
    "entity_name",
    "entity_name_zh",
    "stated_of",
    "sources",
)
"""Columns of what is said of kinds or parents; ``stated_of`` names some of these."""


def said_of(store: Store, reading: Reading, kin: list[str]) -> tuple[Rows, int]:
    """What the triples of a reading find for any of several things, and how many rows there are.

    What is said of most of them comes first; of as many, what is said of the nearest. That one of them
    has another (kidney tumours nephroblastoma) answers nothing.
    """
    said: dict[tuple[str, str], list[dict[str, Value]]] = {}
    place = {id_: at for at, id_ in enumerate(kin)}
    for triple in reading.triples if kin else ():
        _, own, query = ends_of(triple)
        given: dict[str, Value] = {"entities": kin, "relations": [str(triple.relation)]}
        for row in store.query(query, **given).dicts():
            cells = {name.replace(triple.sought, "entity"): cell for name, cell in row.items()}
            key = (str(cells["relation"]), str(cells["entity_id"]))
            said.setdefault(key, []).append(cells | {"of": row[f"{own}_id"]})
    kept = _of_types(store, said, reading.answer_types)
    kept = [
        key
        for key in kept
        if key[1] not in place and "susceptib" not in str(said[key][0]["entity_name"]).lower()
    ]
    ordered = sorted(
        kept,
        key=lambda key: (-len(said[key]), min(place[str(row["of"])] for row in said[key]), key),
    )
    shown = ordered[:MOST]
    of = {
        key: sorted({str(row["of"]) for row in said[key]}, key=place.__getitem__) for key in shown
    }
    called_so = names_of(store, [id_ for ids in of.values() for id_ in ids[:_NAMED]])
    rows = []
    for key in shown:
        first = said[key][0]
        names = [called_so[id_] for id_ in of[key][:_NAMED]]
        more = len(of[key]) - len(names)
        names += [translate("and {count} more", count=more)] if more else []
        sources = sorted({s for row in said[key] for s in listed(row["sources"])})
        rows.append(
            (key[0], key[1], first["entity_name"], first["entity_name_zh"], names, sources)
        )
    return Rows(COLUMNS, tuple(rows)), len(ordered)


def _of_types(
    store: Store, said: Iterable[tuple[str, str]], types: Sequence[str]
) -> list[tuple[str, str]]:
    """Those whose entity is of one of some node types; all, if none is asked for."""
    keys = list(said)
    if not types:
        return keys
    rows = store.query("entity.labels", entities=sorted({id_ for _, id_ in keys})).dicts()
    wanted = {row["entity_id"] for row in rows if row["entity_type"] in types}
    return [key for key in keys if key[1] in wanted]


def names_of(store: Store, ids: Iterable[str]) -> dict[str, str]:
    """What things are called in the language that is spoken."""
    rows = store.query("entity.labels", entities=sorted(set(ids))).dicts()
    own = f"entity_name_{spoken().code}"
    return {str(row["entity_id"]): str(row.get(own) or row["entity_name"]) for row in rows}
