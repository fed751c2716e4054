"""The drugs of a graph that a consultation can be about.

A drug can be if it has an indication and a contraindication that is a condition or a population
(section 5 of MedKGEval). All else is counted with its reason.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from evalsim.case import Attribute, Fact, Language
from evalsim.cases.areas import Areas
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
    rows: defaultdict[str, list[dict[str, Value]]] = defaultdict(list)
    for row in store.query("evaluation.facts_of_drugs").dicts():
        rows[str(row["drug_id"])].append(row)
    together = _together(store)
    adverse: defaultdict[str, set[str]] = defaultdict(set)
    for drug, reaction in store.query("evaluation.adverse_indications").rows:
        adverse[str(drug)].add(str(reaction))
    for thing, synonyms in named_targets(store, "evaluation.drugs"):
        if reason := fault(own_name(thing, language), language):
            pool.left_out[reason] += 1
            continue
        names = Names.of(thing, synonyms)
        stated = [*rows[thing.id], *together.get(thing.id, ())]
        facts = _facts(stated, language, names, pool, sources=sources, adverse=adverse[thing.id])
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
    both = ids["INDICATED_FOR"] & ids["CONTRAINDICATED_FOR"]
    facts = []
    for row in rows:
        thing, stated = thing_of(row), texts_of(row["sources"])
        attribute = _ATTRIBUTES.get(str(row["relation"]), "interaction")
        omission: Omission | None = None
        if sources and not {*sources} & {*stated}:
            omission = "of another source"
        elif reason := fault(own_name(thing, language), language):
            omission = reason
        elif thing.id in both:
            omission = "indicated and contraindicated"
        elif attribute != "interaction" and names.within(thing.name, thing.name_zh):
            omission = "names the target"
        elif attribute == "contraindication" and thing.type not in _BEFALLING:
            omission = "forbids no condition or population"
        if omission:
            pool.omitted[omission] += 1
        else:
            facts.append(Fact(**thing.model_dump(), attribute=attribute, sources=stated))
    return _in_order(_surest(facts, adverse, pool))


def _surest(facts: Sequence[Fact], adverse: Collection[str], pool: Pool) -> list[Fact]:
    """The facts without the indications that fewer sources state than agree on others.

    One that is a reaction to the drug too, or that a source alone states which says nothing of what
    forbids the drug, and so is none of labels, is none.
    """
    of_labels = {s for f in facts if f.attribute == "contraindication" for s in f.sources}
    indications = [f for f in facts if f.attribute == "indication"]
    sure = [
        f
        for f in indications
        if len(f.sources) > _AGREEING
        or (f.id not in adverse and (len(f.sources) == _AGREEING or of_labels & {*f.sources}))
    ]
    most = min(_AGREEING + 1, max((len(f.sources) for f in sure), default=0))
    kept = [f for f in sure if len(f.sources) >= most]
    pool.omitted["an indication that too few sources state"] += len(indications) - len(kept)
    return [f for f in facts if f.attribute != "indication"] + kept


def _in_order(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    order = [*_ATTRIBUTES.values(), "interaction"]
    return tuple(sorted(facts, key=lambda f: (order.index(f.attribute), -len(f.sources), f.id)))


def _together(store: Store) -> dict[str, list[dict[str, Value]]]:
    """By drug, what it must not be taken with, in the columns of ``evaluation.facts_of_drugs``."""
    pairs = store.query("evaluation.interactions").dicts()
    things = named_things(
        store, (str(row[end]) for row in pairs for end in ("head_id", "tail_id"))
    )
    rows_by_drug: defaultdict[str, dict[str, dict[str, Value]]] = defaultdict(dict)
    for row in pairs:
        for one, other in (("head_id", "tail_id"), ("tail_id", "head_id")):
            thing = things[str(row[other])]
            rows_by_drug[str(row[one])][thing.id] = {
                "relation": "INTERACTS_WITH",
                "entity_id": thing.id,
                "entity_type": thing.type,
                "name": thing.name,
                "name_zh": thing.name_zh,
                "sources": row["sources"],
            }
    return {drug: list(others.values()) for drug, others in rows_by_drug.items()}


def _place(areas: Areas, facts: Sequence[Fact]) -> tuple[str, str]:
    """Kind and area of what a drug is for, as most of its indications have it."""
    places = [areas.place(fact.id) for fact in facts if fact.attribute == "indication"]
    return _most(kind for kind, _ in places if kind), _most(area for _, area in places if area)


def _most(names: Iterable[str]) -> str:
    counts = Counter(names)
    return min(counts, key=lambda name: (-counts[name], name), default="")
