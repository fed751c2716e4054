"""How close the diagnosis that a doctor gives is to the disease of a case, 0 to 3.

The scale is "Disease correctness" of table 2 of MedKGEval, each step by facts of the graph:

3. The same disease: one node; a disease and the finding that it is (CLOSE_MATCH); or the words are
   a name of it. A UMLS concept in common is not enough: concepts are wider than diseases.
2. Related: one is a kind of the other, at most three steps away, or both are directly of one class
   (not through a class with so many kinds that it says little); one causes or complicates the
   other; or they have a cause, a gene or a pathway in common that few others have.
1. Clinically similar: what they have in common of findings outweighs a third of what the one with
   fewer has, each finding weighed by how few diseases have it, and says as much as one rare finding.
0. Nothing of that, or no diagnosis.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice
from typing import Final, NamedTuple

from cypher.translation import CHINESE, spoken, title, translate
from evalsim.case import Thing
from kg.differential import Candidate, Question
from kg.stores.store import Store, Value
from kg.text.normal import normalise

_STEPS: Final = 3
"""Between a disease and a kind of it, at most."""
_KINDS: Final = 150
"""That a class may have for its kinds to be related to it: lung disorder has more, breast cancer
fewer."""
_KINDS_OF_SIBLINGS: Final = 40
"""That a class may have for those directly below it to be related."""
_DISEASES_OF_A_CAUSE: Final = 5
"""That a cause or gene may have to do with to be a mechanism of its own."""
_GENES: Final = 10
"""That a disease may have for one of them to say how it comes about: surveys of whole genomes list
hundreds."""
_COMMON: Final = 1_024
"""A finding that so many diseases have, or more (seizures, fatigue, fever), makes none similar."""
_LEAST: Final = 1.0
"""Weight of a finding that counts as shared: at most half as many diseases have it."""
_TOGETHER: Final = 5.0
"""Weight of what they share, at least: of one finding that 32 diseases have. Coma and vertigo are less."""
_SIMILAR: Final = 1 / 3
"""Share of the findings' weight from which two diseases are similar."""
_FINDINGS: Final = 2
"""That similar diseases have in common, at least."""
_LEAST_LETTERS: Final = 6
_LEAST_HAN: Final = 2
"""Of a name that another one ends with: 遗尿 of 小儿遗尿."""
_OTHERWISE: Final = re.compile(
    r"(non|pseudo|anti|para|not|like|[类假非抗副无伪拟样]性?)$|\b(of|with|and|by|to|due)\b|[与和及伴并]"
)
"""Before the end of a name: it is another disease, or more than it."""
_HAN: Final = re.compile("[\u3400-\u9fff]")
_CAUSAL: Final = frozenset({"CAUSED_BY", "COMPLICATED_BY"})


@dataclass(frozen=True)
class Closeness:
    """What a diagnosis is worth, and why."""

    score: int
    """0 to 3."""
    reason: str
    """In the language that is spoken."""
    facts: tuple[str, ...] = ()
    """Of the graph, a sentence each."""


class _SharedFinding(NamedTuple):
    """A finding that two diseases have."""

    weight: float
    name: str


class Diseases:
    """Compares diseases of one graph; the classes of diseases are read once."""

    def __init__(self, store: Store, hierarchy: "Hierarchy | None" = None) -> None:
        """Compare by what a graph says; ``hierarchy`` is its own, where it is read already."""
        self._store = store
        self._hierarchy = hierarchy or Hierarchy(store)
        self._pair = lru_cache(maxsize=4096)(self._between)

    def compare(
        self, target: Thing, names: frozenset[str], diagnosis: Thing | None, words: str
    ) -> Closeness:
        """Compare a diagnosis with the disease of a case.

        Args:
            target: the disease of the case.
            names: all its names, as ``kg.text.normal.normalise`` leaves them.
            diagnosis: what the diagnosis is in the graph; None: the graph does not know it.
            words: those of the doctor for it.

        Raises:
            StoreError: the store failed.
        """
        if diagnosis is not None and diagnosis.id == target.id:
            return Closeness(
                3, translate("{said} is the disease of the case", said=name_of(diagnosis))
            )
        diagnosis_names = {
            normalise(words),
            *([normalise(diagnosis.name)] if diagnosis else []),
        } - {""}
        if diagnosis_names & names:
            reason = "{said} is another name of {target}"
            diagnosis_name = words or (name_of(diagnosis) if diagnosis else "")
            return Closeness(3, translate(reason, said=diagnosis_name, target=name_of(target)))
        if diagnosis is None:
            return Closeness(0, translate("the graph does not know '{words}'", words=words))
        return self._pair(target, diagnosis, spoken().code)

    def _between(self, target: Thing, diagnosis: Thing, language: str) -> Closeness:
        """Compare two nodes; what is said of them is kept for each language."""
        del language
        comparisons = (
            self._same_disease,
            self._by_class,
            self._by_name,
            self._by_mechanism,
            self._by_findings,
        )
        verdicts = (compare(target, diagnosis) for compare in comparisons)
        unrelated = (
            "{said} has nothing to do with {target} in the graph: no class, cause or findings"
        )
        nothing_shared = Closeness(
            0, translate(unrelated, said=name_of(diagnosis), target=name_of(target))
        )
        return next((each for each in verdicts if each), nothing_shared)

    def _same_disease(self, target: Thing, diagnosis: Thing) -> Closeness | None:
        if diagnosis.id not in self._hierarchy.same_ids(target.id):
            return None
        reason = "{said} is {target}: a disease, and the finding that it is"
        fact = _fact(target, "CLOSE_MATCH", diagnosis, [])
        return Closeness(
            3, translate(reason, said=name_of(diagnosis), target=name_of(target)), (fact,)
        )

    def _by_class(self, target: Thing, diagnosis: Thing) -> Closeness | None:
        values = {"said": name_of(diagnosis), "target": name_of(target)}
        hierarchy = self._hierarchy
        target_ids, diagnosis_ids = (
            sorted(hierarchy.same_ids(each.id)) for each in (target, diagnosis)
        )
        for target_id in target_ids:
            for diagnosis_id in diagnosis_ids:
                steps_up = hierarchy.superclasses(target_id, _STEPS).get(diagnosis_id)
                if steps_up and hierarchy.has_at_most_subclasses(diagnosis_id, _KINDS):
                    reason = "{target} is a kind of {said} (steps up: {steps})"
                    return Closeness(2, translate(reason, steps=steps_up, **values))
                steps_down = hierarchy.superclasses(diagnosis_id, _STEPS).get(target_id)
                if steps_down and hierarchy.has_at_most_subclasses(target_id, _KINDS):
                    reason = "{said} is a kind of {target}, {steps} steps down"
                    return Closeness(2, translate(reason, steps=steps_down, **values))
        parents = hierarchy.parents
        common = {
            each
            for target_id in target_ids
            for diagnosis_id in diagnosis_ids
            for each in parents.get(target_id, set()) & parents.get(diagnosis_id, set())
            if hierarchy.has_at_most_subclasses(each, _KINDS_OF_SIBLINGS)
        }
        if not common:
            return None
        closest = min(common, key=lambda each: (hierarchy.subclass_count(each), each))
        [row] = self._store.query("entity.labels", entities=[closest]).dicts()
        reason = "{said} and {target} are both directly {parent}"
        return Closeness(2, translate(reason, parent=row_name(row, "entity"), **values))

    def _by_name(self, target: Thing, diagnosis: Thing) -> Closeness | None:
        """Whether one name is the other with a word before it: chronic sinusitis is a sinusitis.

        Many diseases of Chinese sources stand in no class.
        """
        for narrower, broader, reason in (
            (target, diagnosis, "by its name {target} is a kind of {said}"),
            (diagnosis, target, "by its name {said} is a kind of {target}"),
        ):
            if _qualifies(narrower, broader) and self._hierarchy.has_at_most_subclasses(
                broader.id, _KINDS
            ):
                values = {"said": name_of(diagnosis), "target": name_of(target)}
                return Closeness(2, translate(reason, **values))
        return None

    def _by_mechanism(self, target: Thing, diagnosis: Thing) -> Closeness | None:
        values = {"said": name_of(diagnosis), "target": name_of(target)}
        for head, tail in ((target, diagnosis), (diagnosis, target)):
            rows = self._store.query("entity.statements_between", heads=[head.id], tails=[tail.id])
            for row in rows.dicts():
                if row["relation"] in _CAUSAL:
                    fact = _fact(head, str(row["relation"]), tail, row["sources"])
                    reason = "{said} and {target} are cause and consequence"
                    return Closeness(2, translate(reason, **values), (fact,))
        few_genes: bool | None = None
        for row in self._rows("evaluation.shared_causes", target, diagnosis):
            if _float(row["diseases"]) > _DISEASES_OF_A_CAUSE:
                break
            if row["relation"] == "ASSOCIATED_WITH":
                few_genes = self._few_genes(target, diagnosis) if few_genes is None else few_genes
                if not few_genes:
                    continue
            reason = "{said} and {target} have {via} in common, which few diseases have to do with"
            return Closeness(2, translate(reason, via=row_name(row, "via"), **values))
        if self._few_genes(target, diagnosis):
            for row in self._rows("evaluation.shared_pathways", target, diagnosis):
                reason = "genes of {said} and of {target} take part in {via}"
                return Closeness(2, translate(reason, via=row_name(row, "pathway"), **values))
        return None

    def _few_genes(self, *diseases: Thing) -> bool:
        """Whether each has genes, and few of them."""
        counts = (len(self._store.query("disease.genes", disease=each.id)) for each in diseases)
        return all(0 < count <= _GENES for count in counts)

    def _by_findings(self, target: Thing, diagnosis: Thing) -> Closeness | None:
        target_weight, diagnosis_weight, shared_weight, shared = (
            0.0,
            0.0,
            0.0,
            list[_SharedFinding](),
        )
        for row in self._rows("evaluation.shared_findings", target, diagnosis):
            weight = max(0.0, math.log2(_COMMON / max(1.0, _float(row["diseases"]))))
            target_weight += weight * _float(row["in_disease"])
            diagnosis_weight += weight * _float(row["in_other"])
            if row["in_disease"] and row["in_other"] and weight > _LEAST:
                shared_weight += weight
                shared.append(_SharedFinding(weight, row_name(row, "finding")))
        if len(shared) < _FINDINGS or shared_weight < max(
            _TOGETHER, _SIMILAR * min(target_weight, diagnosis_weight)
        ):
            return None
        shared.sort(key=lambda each: (-each.weight, each.name))
        reason = "{said} is similar to {target}: they share {count} findings, among them {names}"
        return Closeness(
            1,
            translate(
                reason,
                said=name_of(diagnosis),
                target=name_of(target),
                count=len(shared),
                names=translate(", ").join(each.name for each in shared[:3]),
            ),
        )

    def _rows(self, query: str, target: Thing, diagnosis: Thing) -> list[dict[str, Value]]:
        return self._store.query(query, disease=target.id, other=diagnosis.id).dicts()


class Hierarchy:
    """What is a kind of what, of all diseases and findings; read from the graph once."""

    def __init__(self, store: Store) -> None:
        """Read it from this graph, when it is first asked."""
        self._store = store

    def superclasses(self, id_: str, steps: int) -> Mapping[str, int]:
        """What a thing is a kind of, and how many steps away, up to so many."""
        return dict(_reached(self.parents, id_, steps))

    def same_ids(self, id_: str) -> frozenset[str]:
        """A thing, and the disease or finding that it is too (CLOSE_MATCH)."""
        return frozenset({id_, *self._matches.get(id_, ())})

    def neighbourhood(self, id_: str, steps: int) -> frozenset[str]:
        """A thing, what it is a kind of and its kinds, up to so many steps away; and what each is."""
        ids = set(self.same_ids(id_))
        for same_id in self.same_ids(id_):
            for edges in (self.parents, self._children):
                for reached, _ in _reached(edges, same_id, steps):
                    ids |= self.same_ids(reached)
        return frozenset(ids)

    def has_at_most_subclasses(self, id_: str, most: int) -> bool:
        """Whether a thing has at most so many kinds."""
        return sum(1 for _ in islice(_reached(self._children, id_), most + 1)) <= most

    def subclass_count(self, id_: str) -> int:
        """How many things are directly a kind of it."""
        return len(self._children.get(id_, ()))

    @cached_property
    def parents(self) -> Mapping[str, set[str]]:
        """What each thing is directly a kind of."""
        parents: dict[str, set[str]] = {}
        for entity_type in ("Disease", "Symptom"):
            rows = self._store.query("graph.hierarchy", entity_type=entity_type)
            for child, parent in rows.rows:
                if child != parent:
                    parents.setdefault(str(child), set()).add(str(parent))
        return parents

    @cached_property
    def _matches(self) -> Mapping[str, set[str]]:
        """What each disease is as a finding, and each finding as a disease."""
        matches: dict[str, set[str]] = {}
        for disease, finding in self._store.query("evaluation.same_as_findings").rows:
            matches.setdefault(str(disease), set()).add(str(finding))
            matches.setdefault(str(finding), set()).add(str(disease))
        return matches

    @cached_property
    def _children(self) -> Mapping[str, set[str]]:
        children: dict[str, set[str]] = {}
        for child, parents in self.parents.items():
            for parent in parents:
                children.setdefault(parent, set()).add(child)
        return children


def _reached(
    edges: Mapping[str, set[str]], start: str, steps: int = 30
) -> Iterator[tuple[str, int]]:
    """What can be reached from a node in so many steps, the nearest first, with the steps to it."""
    reached, level = {start}, {start}
    for step in range(1, steps + 1):
        level = {each for node in level for each in edges.get(node, set())} - reached
        reached |= level
        yield from ((each, step) for each in sorted(level))
        if not level:
            return


def _qualifies(narrower: Thing, broader: Thing) -> bool:
    """Whether a name of one thing ends with that of another, and only qualifies it."""
    for long_name, short_name in (
        (narrower.name, broader.name),
        (narrower.name_zh, broader.name_zh),
    ):
        if not long_name or not short_name:
            continue
        name, ending = normalise(long_name), normalise(short_name)
        if _HAN.search(ending):
            name, ending = name.removesuffix("症"), ending.removesuffix("症")
            least, qualifier = _LEAST_HAN, name.removesuffix(ending)
        else:
            least, qualifier = _LEAST_LETTERS, name.removesuffix(f" {ending}")
        if qualifier != name and len(ending) >= least and not _OTHERWISE.search(qualifier):
            return True
    return False


def _fact(head: Thing, relation: str, tail: Thing, sources: Value) -> str:
    """A fact of the graph, with who says so."""
    return sentence(name_of(head), relation, name_of(tail), sources)


def sentence(head: str, relation: str, tail: str, sources: Value) -> str:
    """A fact of the graph as a sentence, with who says so."""
    relation_name = title("relations", relation, relation.replace("_", " ").lower())
    source_names = (
        translate(", ").join(map(str, sources)) if isinstance(sources, (list, tuple)) else ""
    )
    text = translate("{head}: {relation}: {tail}.", head=head, relation=relation_name, tail=tail)
    return f"{text} [{source_names}]" if source_names else text


def name_of(thing: Thing) -> str:
    """What a thing is called in the language that is spoken."""
    return thing.called("zh" if spoken().code == CHINESE else "en")


def localised(entry: Candidate | Question) -> str:
    """What a candidate or question of a differential is called in the language that is spoken."""
    return (entry.name_zh if spoken().code == CHINESE else None) or entry.name


def row_thing(row: Mapping[str, Value], prefix: str) -> Thing:
    """The thing of a row whose columns begin with ``what``."""
    name_zh = row[f"{prefix}_name_zh"]
    return Thing(
        id=str(row[f"{prefix}_id"]),
        type=str(row[f"{prefix}_type"]),
        name=str(row[f"{prefix}_name"]),
        name_zh=None if name_zh is None else str(name_zh),
    )


def row_name(row: Mapping[str, Value], prefix: str) -> str:
    """What a thing of a row is called in the language that is spoken; its columns begin with ``what``."""
    name, name_zh = row[f"{prefix}_name"], row[f"{prefix}_name_zh"]
    return str(name_zh if name_zh and spoken().code == CHINESE else name)


def _float(value: Value) -> float:
    return float(value) if isinstance(value, (int, float)) else 0.0
