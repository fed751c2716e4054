"""The drugs of a graph that a consultation can be about.

A drug can be if it has an indication and a contraindication that is a condition or a population
(section 5 of MedKGEval). All else is counted with its reason.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from evalsim.case import Attribute, Fact, Language
from evalsim.cases.areas import Areas, Place
from evalsim.cases.pool import (
    Omission,
    Pool,
    Target,
    named_targets,
    named_things,
    own_name,
    texts_of,
    thing_of,
)
from evalsim.cases.wording import Names, fault
from kg.stores.store import Store, Value

_AGREEING: Final = 2
"""Sources that agree on an indication; more are surer."""

_ATTRIBUTES: Final[Mapping[str, Attribute]] = {
    "INDICATED_FOR": "indication",
    "CONTRAINDICATED_FOR": "contraindication",
    "HAS_PRECAUTION": "precaution",
}
_BEFALLING: Final = ("Disease", "Symptom", "Population")
"""Types of what forbids a drug to somebody."""


def drugs(store: Store, language: Language, sources: Collection[str] = ()) -> Pool:
    """The drugs that a consultation can be about.

    Args:
        store: the graph.
        language: of the conversation.
        sources: only what one of these states; none: whatever the graph has.

    Raises:
        StoreError: the store failed.
    """
    pool, areas = Pool(), Areas.of_store(store)
    rows_by_drug: defaultdict[str, list[dict[str, Value]]] = defaultdict(list)
    for row in store.query("evaluation.facts_of_drugs").dicts():
        rows_by_drug[str(row["drug_id"])].append(row)
    interaction_rows = _interaction_rows(store)
    reactions_by_drug: defaultdict[str, set[str]] = defaultdict(set)
    for drug, reaction in store.query("evaluation.adverse_indications").rows:
        reactions_by_drug[str(drug)].add(str(reaction))
    for thing, synonyms in named_targets(store, "evaluation.drugs"):
        if reason := fault(own_name(thing, language), language):
            pool.left_out[reason] += 1
            continue
        names = Names.of(thing, synonyms)
        rows_of_drug = [*rows_by_drug[thing.id], *interaction_rows.get(thing.id, ())]
        facts = _facts(
            rows_of_drug,
            language,
            names,
            pool,
            sources=sources,
            adverse=reactions_by_drug[thing.id],
        )
        attributes = {fact.attribute for fact in facts}
        if "contraindication" not in attributes:
            pool.left_out["no contraindication that is a condition or a population"] += 1
        elif "indication" not in attributes:
            pool.left_out["no indication"] += 1
        else:
            kind, area = _place(areas, facts)
            pool.targets.append(Target(thing, synonyms, kind, area, facts=facts))
    return pool


def _facts(
    rows: Sequence[Mapping[str, Value]],
    language: Language,
    names: Names,
    pool: Pool,
    *,
    sources: Collection[str],
    adverse: Collection[str],
) -> tuple[Fact, ...]:
    ids = {
        relation: {str(r["entity_id"]) for r in rows if r["relation"] == relation}
        for relation in _ATTRIBUTES
    }
    contradictory_ids = ids["INDICATED_FOR"] & ids["CONTRAINDICATED_FOR"]
    facts = []
    for row in rows:
        thing, stating_sources = thing_of(row), texts_of(row["sources"])
        attribute = _ATTRIBUTES.get(str(row["relation"]), "interaction")
        omission: Omission | None = None
        if sources and not {*sources} & {*stating_sources}:
            omission = "of another source"
        elif reason := fault(own_name(thing, language), language):
            omission = reason
        elif thing.id in contradictory_ids:
            omission = "indicated and contraindicated"
        elif attribute != "interaction" and names.within(thing.name, thing.name_zh):
            omission = "names the target"
        elif attribute == "contraindication" and thing.type not in _BEFALLING:
            omission = "forbids no condition or population"
        if omission:
            pool.omitted[omission] += 1
        else:
            facts.append(Fact(**thing.model_dump(), attribute=attribute, sources=stating_sources))
    return _in_order(_surest(facts, adverse, pool))


def _surest(facts: Sequence[Fact], adverse: Collection[str], pool: Pool) -> list[Fact]:
    """The facts without the indications that fewer sources state than agree on others.

    One that is a reaction to the drug too, or that a source alone states which says nothing of what
    forbids the drug, and so is none of labels, is none.
    """
    label_sources = {s for f in facts if f.attribute == "contraindication" for s in f.sources}
    indications = [f for f in facts if f.attribute == "indication"]
    agreed = [
        f
        for f in indications
        if len(f.sources) > _AGREEING
        or (f.id not in adverse and (len(f.sources) == _AGREEING or label_sources & {*f.sources}))
    ]
    needed = min(_AGREEING + 1, max((len(f.sources) for f in agreed), default=0))
    surest = [f for f in agreed if len(f.sources) >= needed]
    pool.omitted["an indication that too few sources state"] += len(indications) - len(surest)
    return [f for f in facts if f.attribute != "indication"] + surest


def _in_order(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    order = [*_ATTRIBUTES.values(), "interaction"]
    return tuple(sorted(facts, key=lambda f: (order.index(f.attribute), -len(f.sources), f.id)))


def _interaction_rows(store: Store) -> dict[str, list[dict[str, Value]]]:
    """By drug, what it must not be taken with, in the columns of ``evaluation.facts_of_drugs``."""
    pairs = store.query("evaluation.interactions").dicts()
    things = named_things(
        store, (str(row[end]) for row in pairs for end in ("head_id", "tail_id"))
    )
    rows_by_drug: defaultdict[str, dict[str, dict[str, Value]]] = defaultdict(dict)
    for row in pairs:
        for own_end, other_end in (("head_id", "tail_id"), ("tail_id", "head_id")):
            thing = things[str(row[other_end])]
            rows_by_drug[str(row[own_end])][thing.id] = {
                "relation": "INTERACTS_WITH",
                "entity_id": thing.id,
                "entity_type": thing.type,
                "name": thing.name,
                "name_zh": thing.name_zh,
                "sources": row["sources"],
            }
    return {drug: list(rows_by_thing.values()) for drug, rows_by_thing in rows_by_drug.items()}


def _place(areas: Areas, facts: Sequence[Fact]) -> Place:
    """Kind and area of what a drug is for, as most of its indications have it."""
    places = [areas.place(fact.id) for fact in facts if fact.attribute == "indication"]
    return Place(
        _most_common(place.kind for place in places if place.kind),
        _most_common(place.area for place in places if place.area),
    )


def _most_common(names: Iterable[str]) -> str:
    counts = Counter(names)
    return min(counts, key=lambda name: (-counts[name], name), default="")
