"""What cases can be made of, and the diseases of a graph that a conversation can be about.

A disease can be if it has a name in the language, is one disease and no group, and has MIN_FINDINGS
findings: MIN_NOTICED of them have everyday words, or are known by a name alone, so that somebody may
notice them without a test; MIN_TELLING tell it from others (a discriminative score of
TELLING). All else is counted with its reason.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Literal

from evalsim.case import Fact, Finding, Language, Sex, Thing
from evalsim.cases.areas import Areas
from evalsim.cases.wording import Fault, Names, everyday, fault, is_group, series
from ingest.identity import MINTED_PREFIX
from kg.discrimination.graph import ancestors, parents_of
from kg.stores.store import Store, Value
from kg.text import normalise

MIN_FINDINGS: Final = 4
MIN_NOTICED: Final = 3
MIN_TELLING: Final = 2
TELLING: Final = 0.1
MAX_KINDS: Final = 500
"""A finding of more kinds says nothing."""
KNOWN: Final = 3
"""Findings by which a graph can tell a disease."""
_MIN_SERIES: Final = 3
"""Diseases that differ in a number only, from so many on."""
_PHRASE: Final = 4
"""Characters from which a Chinese name is more than a word."""
_MIN_DISEASES: Final = 3
"""That have a finding which no ontology has; one of fewer is a phrase of one text."""
_NEOPLASMS: Final = frozenset({"MONDO:0005070", "MONDO:0045024"})
"""Neoplasm, and cancer or benign tumor."""
_NEOPLASM: Final = "HP:0002664"
"""The finding that all tumours are kinds of."""
Reason = Literal[
    Fault,
    "one number of a series",
    "of traditional Chinese medicine",
    "not known to the other graph",
    "too few findings",
    "too few findings that somebody notices",
    "too few findings that tell it from others",
    "no indication",
    "no contraindication that is a condition or a population",
]
"""Why a disease or a drug is not drawn."""

Omission = Literal[
    Fault,
    "names the target",
    "the tumour itself",
    "never seen",
    "in no ontology, and of too few diseases",
    "of another source",
    "indicated and contraindicated",
    "an indication that too few sources state",
    "forbids no condition or population",
]
"""Why a finding or a fact is in no case."""


@dataclass(frozen=True)
class Target:
    """A disease or a drug, with what can be told of it."""

    thing: Thing
    synonyms: tuple[str, ...]
    kind: str
    area: str
    sex: Sex | None = None
    findings: tuple[Finding, ...] = ()
    """Of a disease, the most frequent first, then the most telling."""
    facts: tuple[Fact, ...] = ()
    """Of a drug, by attribute, then what more sources state."""


@dataclass
class Pool:
    """What cases can be drawn from."""

    targets: list[Target] = field(default_factory=list)
    """By id."""
    left_out: Counter[Reason] = field(default_factory=Counter)
    """Diseases or drugs by why they can be no target."""
    omitted: Counter[Omission] = field(default_factory=Counter)
    """Findings or facts of all diseases or drugs by why they are in no case."""


def diseases(store: Store, language: Language, sources: Collection[str] = ()) -> Pool:
    """The diseases that a diagnosis can be about.

    Args:
        store: the graph.
        language: of the conversation.
        sources: only what one of these states; none: whatever the graph has.

    Raises:
        StoreError: the store failed.
    """
    pool, areas = Pool(), Areas.of_store(store)
    rows_of: defaultdict[str, list[dict[str, Value]]] = defaultdict(list)
    for row in store.query("evaluation.findings_of_diseases").dicts():
        rows_of[str(row["disease_id"])].append(row)
    findings = _Findings.of_store(store, language, rows_of)
    targets = named_targets(store, "evaluation.diseases")
    kinds_beneath = areas.kinds_beneath()
    in_series = Counter(series(thing.name) for thing, _ in targets)
    for thing, synonyms in targets:
        base = series(thing.name)
        if fault_of_name := fault(own_name(thing, language), language):
            pool.left_out[fault_of_name] += 1
        elif is_group(thing.name, kinds_beneath.get(thing.id, 0)):
            pool.left_out["a group"] += 1
        elif base and in_series[base] >= _MIN_SERIES:
            pool.left_out["one number of a series"] += 1
        elif areas.is_traditional(thing.id):
            pool.left_out["of traditional Chinese medicine"] += 1
        else:
            kind, area = areas.place(thing.id)
            target = Target(thing, synonyms, kind, area, areas.sex(thing.id))
            usable_findings = findings.of(
                target, rows_of[thing.id], areas.above(thing.id), sources, pool
            )
            if reason := findings.too_few(usable_findings):
                pool.left_out[reason] += 1
            else:
                pool.targets.append(replace(target, findings=usable_findings))
    return pool


def leave_out_unknown(pool: Pool, other: Store) -> None:
    """Leave out the diseases of which another graph has fewer findings than ``KNOWN``.

    A disease is found there by its id, or where that is another one by any of its names.

    Args:
        pool: of diseases; it is changed.
        other: the graph that doctors see.

    Raises:
        StoreError: the other store failed.
    """
    rows = other.query("evaluation.findings_of_diseases").dicts()
    findings = Counter(str(row["disease_id"]) for row in rows)
    known_names = set[str]()
    for thing, synonyms in named_targets(other, "evaluation.diseases"):
        if findings[thing.id] >= KNOWN:
            known_names |= {thing.id, *_normal_names(thing, synonyms)}
    known_targets = [
        target
        for target in pool.targets
        if not known_names.isdisjoint(
            {target.thing.id, *_normal_names(target.thing, target.synonyms)}
        )
    ]
    pool.left_out["not known to the other graph"] = len(pool.targets) - len(known_targets)
    pool.targets = known_targets


def _normal_names(thing: Thing, synonyms: Iterable[str]) -> set[str]:
    names = (thing.name, thing.name_zh, *synonyms)
    return {normalise(name) for name in names if name}


def named_things(store: Store, ids: Iterable[str]) -> dict[str, Thing]:
    """Types and names by id; what the graph has not got is missing.

    Raises:
        StoreError: the store failed.
    """
    rows = store.query("entity.labels", entities=sorted({*ids})).dicts()
    return {
        str(row["entity_id"]): Thing(
            id=str(row["entity_id"]),
            type=str(row["entity_type"]),
            name=str(row["entity_name"]),
            name_zh=_text(row["entity_name_zh"]),
        )
        for row in rows
    }


@dataclass(frozen=True)
class EverydayWords:
    """Everyday words for things."""

    rows: Mapping[str, Mapping[str, Value]]
    """Of ``entity.lay_names``, by id."""
    language: Language

    @classmethod
    def of_store(cls, store: Store, ids: Iterable[str], language: Language) -> "EverydayWords":
        """Ask the graph for those of some things.

        Raises:
            StoreError: the store failed.
        """
        rows = store.query("entity.lay_names", entities=sorted({*ids})).dicts()
        return cls({str(row["entity_id"]): row for row in rows}, language)

    def of(self, thing: Thing, names: Names) -> tuple[str, ...]:
        """Those for a thing in the language, without any that has one of the names."""
        column = "lay_names_zh" if self.language == "zh" else "lay_names"
        lay_names = texts_of(self.rows[thing.id][column]) if thing.id in self.rows else ()
        return tuple(word for word in everyday(lay_names) if not names.within(word))


def named_targets(store: Store, query: str) -> list[tuple[Thing, tuple[str, ...]]]:
    """The things that a query names, each with its other names, by id.

    Raises:
        StoreError: the store failed.
    """
    return [
        (thing_of(row), (*texts_of(row["synonyms"]), *texts_of(row["synonyms_zh"])))
        for row in store.query(query).dicts()
    ]


@dataclass(frozen=True)
class _Findings:
    """What of the findings of diseases can be told."""

    usable: Mapping[str, Thing | Omission]
    """By id, the finding, or why it cannot be told."""
    normal: Mapping[str, str]
    """By id, its name in the language as ``kg.text.normalise`` leaves it."""
    phrases: Mapping[str, Names]
    """By id, that name, where it is a phrase or a disease's, to be found in names of targets."""
    everyday: Collection[str]
    """Ids of those that have everyday words, in any language."""
    diseases: Mapping[str, set[str]]
    """By id, the diseases that are the finding too."""
    tumours: Collection[str]
    language: Language

    @classmethod
    def of_store(
        cls, store: Store, language: Language, rows_of: Mapping[str, list[dict[str, Value]]]
    ) -> "_Findings":
        parents = parents_of(store, "Symptom")
        kind_counts = Counter(
            ancestor for child in parents for ancestor in ancestors(child, parents)
        )
        counts = Counter(str(row["symptom_id"]) for rows in rows_of.values() for row in rows)
        things = [thing_of(row) for row in store.query("evaluation.findings").dicts()]
        usable: dict[str, Thing | Omission] = {}
        for thing in things:
            omission: Omission | None = fault(own_name(thing, language), language)
            if kind_counts[thing.id] > MAX_KINDS:
                omission = omission or "a group"
            if _is_minted(thing.id) and counts[thing.id] < _MIN_DISEASES:
                omission = omission or "in no ontology, and of too few diseases"
            usable[thing.id] = omission or thing
        diseases_of: defaultdict[str, set[str]] = defaultdict(set)
        for disease, symptom in store.query("evaluation.same_as_findings").rows:
            diseases_of[str(symptom)].add(str(disease))
        tumours = {child for child in parents if _NEOPLASM in ancestors(child, parents)}
        words = EverydayWords.of_store(store, usable, language).rows.keys()
        normal = {thing.id: normalise(own_name(thing, language) or "") for thing in things}
        phrases = {
            thing.id: Names([thing.called(language)])
            for thing in things
            if _is_phrase(thing, language) or thing.type == "Disease" or thing.id in diseases_of
        }
        tumours.add(_NEOPLASM)
        return cls(usable, normal, phrases, words, diseases_of, tumours, language)

    def of(
        self,
        target: Target,
        rows: Iterable[Mapping[str, Value]],
        above: Collection[str],
        sources: Collection[str],
        pool: Pool,
    ) -> tuple[Finding, ...]:
        """The findings of a disease that can be told, the most frequent first; others are counted."""
        target_name = normalise(target.thing.called(self.language))
        names = Names.of(target.thing, target.synonyms)
        findings = []
        for row in rows:
            finding, stating_sources = (
                self.usable[str(row["symptom_id"])],
                texts_of(row["sources"]),
            )
            omission: Omission | None = None
            if sources and not {*sources} & {*stating_sources}:
                omission = "of another source"
            elif not isinstance(finding, Thing):
                omission = finding
            elif row["frequency"] == 0:
                omission = "never seen"
            elif _NEOPLASMS & {*above} and finding.id in self.tumours:
                omission = "the tumour itself"
            elif self._gives_away(finding, target_name, names, above):
                omission = "names the target"
            if omission:
                pool.omitted[omission] += 1
            elif isinstance(finding, Thing):
                findings.append(
                    Finding(
                        **finding.model_dump(),
                        frequency=_number(row["frequency"]),
                        discrimination=_number(row["discrimination"]),
                        sources=stating_sources,
                        flags=tuple(filter(None, (_text(row["flags"]) or "").split("|"))),
                    )
                )
        return tuple(
            sorted(findings, key=lambda f: (-(f.frequency or 0), -(f.discrimination or 0), f.id))
        )

    def too_few(self, findings: Sequence[Finding]) -> Reason | None:
        """Why no conversation can be about a disease with these findings; None: one can."""
        if len(findings) < MIN_FINDINGS:
            return "too few findings"
        noticed = [f for f in findings if f.id in self.everyday or _is_minted(f.id)]
        if len(noticed) < MIN_NOTICED:
            return "too few findings that somebody notices"
        telling = [f for f in findings if (f.discrimination or 0) >= TELLING]
        is_too_few = len(telling) < MIN_TELLING
        return "too few findings that tell it from others" if is_too_few else None

    def _gives_away(
        self, finding: Thing, target_name: str, names: Names, above: Collection[str]
    ) -> bool:
        """Whether it is the target, what that is a kind of, or a disease or phrase in its name."""
        if finding.id in above or self.diseases.get(finding.id, set()) & {*above}:
            return True
        if names.within_normal(self.normal[finding.id]):
            return True
        phrase = self.phrases.get(finding.id)
        return phrase is not None and phrase.within_normal(target_name)


def _is_phrase(thing: Thing, language: Language) -> bool:
    return " " in thing.name if language == "en" else len(thing.called("zh")) >= _PHRASE


def _is_minted(id_: str) -> bool:
    return id_.startswith(f"{MINTED_PREFIX}:")


def own_name(thing: Thing, language: Language) -> str | None:
    """The name in a language; None: it has none."""
    return thing.name_zh if language == "zh" else thing.name


def thing_of(row: Mapping[str, Value]) -> Thing:
    """The thing of a row that has its id, type and names."""
    return Thing(
        id=str(row["entity_id"]),
        type=str(row["entity_type"]),
        name=str(row["name"]),
        name_zh=_text(row["name_zh"]),
    )


def texts_of(cell: Value) -> tuple[str, ...]:
    """The texts of a cell that is a list; none of another."""
    return tuple(map(str, cell)) if isinstance(cell, list) else ()


def _text(cell: Value) -> str | None:
    return cell if isinstance(cell, str) else None


def _number(cell: Value) -> float | None:
    return float(cell) if isinstance(cell, int | float) else None
