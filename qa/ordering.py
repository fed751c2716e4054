"""The order of facts: what is likeliest to be meant comes first, and what is common."""

import math
from collections.abc import Collection, Sequence
from typing import Final

from cypher.translation import CHINESE, spoken
from kg.stores.store import Rows, Store, Value
from kg.text.phrases import is_chinese

BY_SOURCES: Final = "number of sources (highest first)"
BY_RANK: Final = "how typical it is (most typical first)"
BY_PUBLICATION: Final = "whether a publication is named"
BY_COMMONNESS: Final = "how common it is (highest first)"
"""Keys of ``ordered``, in words."""
BY_FREQUENCY: Final = "frequency (highest first)"
BY_FIT: Final = "how well it fits and how many treatments it has (highest first)"
BY_DRUGS: Final = "number of drugs that have it (highest first)"
LAST: Final = "single reactions before classes of them and uses of the drug"
"""Keys of ``reactions``, in words."""


def ordered(
    store: Store,
    columns: Sequence[str],
    facts: Sequence[tuple[Value, ...]],
    *,
    common: bool = True,
    published: bool = False,
) -> list[tuple[Value, ...]]:
    """Rows by what is likeliest to be meant.

    Things without a name in the language come last, before them genes by which one is more prone;
    of the others what most sources state comes first, by whatever relation.

    Args:
        store: the graph.
        columns: of the rows.
        facts: the rows, in the order that those keep which nothing tells apart.
        common: of as many sources the commonest things come first.
        published: before these, of as many sources, what names a publication.
    """
    id_, name = (column(columns, ending) for ending in ("_id", "_name"))
    own = column(columns, "_name_zh") if spoken().code == CHINESE else name
    said: dict[Value, set[str]] = {}
    if "sources" in columns:
        for row in facts:
            said.setdefault(row[id_], set()).update(listed(row[columns.index("sources")]))
    named = columns.index("publications") if published else None
    known = commonness(store, [str(row[id_]) for row in facts]) if common else {}
    return sorted(
        facts,
        key=lambda row: (
            not is_spoken(str(row[own] or row[name])),
            "susceptib" in str(row[name]).lower(),
            -len(said.get(row[id_], ())),
            named is not None and row[named] is None,
            -sum(known.get(str(row[id_]), ())),
        ),
    )


def reactions(
    store: Store,
    columns: Sequence[str],
    facts: Sequence[tuple[Value, ...]],
    last: Collection[str],
) -> list[tuple[Value, ...]]:
    """Adverse reactions to a drug, the usual ones first.

    Those with a frequency keep their order and come first; of the others those that most drugs have.

    Args:
        store: the graph.
        columns: of the rows.
        facts: the rows of ``drug.adverse_reactions``, in its order.
        last: ids of those that come after all others.
    """
    frequency, id_ = columns.index("frequency"), column(columns, "_id")
    unknown = [str(row[id_]) for row in facts if row[frequency] is None]
    counts = store.query("drug.reaction_counts", entities=unknown).dicts() if unknown else []
    drugs = {row["entity_id"]: number(row["drugs"]) for row in counts}
    return sorted(
        facts,
        key=lambda row: (row[id_] in last, row[frequency] is None, -drugs.get(row[id_], 0)),
    )


def any_spoken(rows: Rows) -> bool:
    """Whether an English answer has something to name."""
    if spoken().code == CHINESE or not any(c.endswith("_name") for c in rows.columns):
        return True
    name = column(rows.columns, "_name")
    return any(is_spoken(str(row[name])) for row in rows.rows)


def column(columns: Sequence[str], ending: str) -> int:
    """The place of the first column whose name ends so."""
    return next(at for at, column in enumerate(columns) if column.endswith(ending))


def is_spoken(name: str) -> bool:
    """Whether a name is in the language that is spoken."""
    return (not name.isascii() and is_chinese(name)) == (spoken().code == CHINESE)


def commonness(store: Store, ids: Sequence[str]) -> dict[str, tuple[float, float]]:
    """How common things are, in bits: by the sources that name one, and by its treatments.

    Two for each doubling of the sources, as the prior of ``symptom.differential`` has it, and one
    for each doubling of the treatments: medicine has many for what is common.
    """
    return {
        str(row["entity_id"]): (
            2 * math.log2(max(1, number(row["named_by"]))),
            math.log2(1 + number(row["treatments"])),
        )
        for row in store.query("entity.common", entities=list(ids)).dicts()
    }


def number(cell: Value) -> int:
    """A cell that holds a number; 0 of one that holds none."""
    return cell if isinstance(cell, int) else 0


def listed(cell: Value) -> list[str]:
    """A cell that holds a list; an empty one of a cell that holds none."""
    return [str(each) for each in cell] if isinstance(cell, list) else []
