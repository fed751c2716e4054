"""What is in a drug: by the graph, else by a name that says so.

A box holds one drug or several. Where the graph does not say which (``HAS_INGREDIENT``), names of
RxNorm's form do: "hydrochlorothiazide 12.5 MG / lisinopril 20 MG Oral Tablet", "Oxycodone
Hydrochloride", 丙戊酸钠.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from kg.linking import Linker
from kg.stores.store import Rows, Store, Value
from qa.kin import COLUMNS
from qa.ordering import column, listed
from qa.question import Reading
from qa.subjects import Subject

DRUG: Final = ("Drug",)
_BETWEEN: Final = re.compile(r" ?/ ?|, (?:and )?| and | \+ |、")
"""What stands between the drugs of a combination."""
_STRENGTH: Final = re.compile(
    r"\b\d[\d.,]* ?(?:MG|MCG|G|ML|UNT|MEQ|HR|DAY|%)(?:/\w+)?\b", re.IGNORECASE
)
_FORM: Final = re.compile(
    r"\b(?:oral|topical|ophthalmic|otic|nasal|rectal|vaginal|injectable|transdermal|inhalation|sublingual|buccal"
    r"|mucosal|delayed|extended|chewable|pill|tablet|capsule|cream|ointment|gel|injection|prefilled|metered)\b.*",
    re.IGNORECASE,
)
"""How it is given, and all that follows."""
_SALT: Final = re.compile(
    r" (?:(?:di)?hydrochloride|hydrobromide|sul[fp]h?ate|(?:di)?sodium|(?:di)?potassium|calcium|magnesium|maleate"
    r"|mesylate|besylate|tosylate|(?:bi)?tartrate|succinate|fumarate|citrate|phosphate|acetate|gluconate|lactate"
    r"|malate|bromide|hyclate|(?:mono|di|tri)hydrate)\b.*"
    r"|^(?:盐酸|硫酸|氢溴酸|马来酸|富马酸|枸橼酸|酒石酸|磷酸|醋酸|苯磺酸|甲磺酸|琥珀酸|乳酸)|[钠钾钙镁]$",
    re.IGNORECASE,
)
"""Of a name: the acid or base, which does not make another drug of it."""


def ingredients(store: Store, drug: Subject, linker: Linker) -> list[Subject]:
    """The drugs that are in a drug, where its name stands; none where nothing says so.

    Args:
        store: the graph.
        drug: of the graph.
        linker: of the graph's names.

    Raises:
        StoreError: the store failed.
    """
    if drug.type not in DRUG:
        return []
    stated = store.query("entity.tails", head=drug.id, relations=["HAS_INGREDIENT"]).dicts()
    found = {str(r["tail_id"]): (str(r["tail_type"]), str(r["tail_name"])) for r in stated}
    if not found:
        for name in filter(None, _names(store, drug)):
            for one in _named(name, linker):
                if one.id != drug.id:
                    found.setdefault(one.id, (one.type, one.name))
            if found:
                break
    return [replace(drug, id=id_, type=t, name=name) for id_, (t, name) in found.items()]


def products(store: Store, drug: Subject) -> list[str]:
    """Ids of what a drug alone is in.

    Raises:
        StoreError: the store failed.
    """
    has = ["HAS_INGREDIENT"]
    found = [
        str(row["head_id"])
        for row in store.query("entity.heads", tail=drug.id, relations=has).dicts()
    ]
    rows = store.query("entity.facts_of", entities=found, relations=has).dicts() if found else []
    several = {str(row["head_id"]) for row in rows if row["tail_id"] != drug.id}
    return [id_ for id_ in dict.fromkeys(found) if id_ not in several]


def merged(found: Mapping[Subject, Rows], reading: Reading, linker: Linker) -> Rows:
    """Rows about several drugs as one table, each fact once, with those that it is said of.

    What is said of most of them comes first; of as many, the first of each.
    """
    names = linker.index.spoken_names([*found])
    rows: dict[str, tuple[int, tuple[Value, ...], list[str], set[str]]] = {}
    for drug, table in found.items():
        at, name = (column(table.columns, ending) for ending in ("_id", "_name"))
        for rank, (row, cells) in enumerate(zip(table.rows, table.dicts(), strict=True)):
            first = (str(reading.triples[0].relation), row[at], row[name], row[name + 1])
            _, _, of, sources = rows.setdefault(str(row[at]), (rank, first, [], set()))
            of.append(names[drug.id])
            sources.update(listed(cells.get("sources")))
    ranked = sorted(rows.values(), key=lambda each: (-len({*each[2]}), each[0]))
    return Rows(
        COLUMNS,
        tuple((*first, [*dict.fromkeys(of)], sorted(s)) for _, first, of, s in ranked),
    )


def _names(store: Store, drug: Subject) -> list[str]:
    """The main names of a drug, in each language."""
    [row] = store.query("entity.by_id", entity=drug.id).dicts() or [{}]
    return [str(row.get(key) or "") for key in ("entity_name", "entity_name_zh")]


def _named(name: str, linker: Linker) -> Iterator[Subject]:
    """The drugs that a name is put together from."""
    for part in _BETWEEN.split(name):
        bare = _FORM.sub("", _STRENGTH.sub(" ", part)).strip()
        without = _SALT.sub("", bare).strip()
        for each in dict.fromkeys((bare, without)):
            if each and each != name and (called := linker.called(each, DRUG)):
                yield Subject(-1, -1, called[0].id, called[0].type, called[0].name)
                break
