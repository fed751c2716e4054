"""Draws cases from a graph: evenly over sorts of diseases and areas of medicine, by a seed.

How difficult a disease is, the graph's own differential says (``kg.differential``), once it is told
the BEGINNING findings that most patients have, of equally common ones the least telling: ``easy``
where it ranks the disease first, ``medium`` where among the first FIRST_FEW, else ``hard``. (Told
all findings it ranks nearly every disease first.)
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import Final

from pydantic import BaseModel, Field

from cypher.translation import translate
from evalsim.case import (
    DiagnosisCase,
    Difficulty,
    Language,
    MedicationCase,
    Sex,
    Task,
    Thing,
)
from evalsim.cases.areas import Areas, Place
from evalsim.cases.drug_pool import drugs
from evalsim.cases.pool import (
    EverydayWords,
    Pool,
    Target,
    diseases,
    leave_out_unknown,
    named_things,
)
from evalsim.cases.wording import Names, fault
from kg.differential import Patient, differential
from kg.errors import EvaluationError
from kg.progress import Progress, Silent
from kg.stores.store import Store

BEGINNING: Final = 3
FIRST_FEW: Final = 5
_LOOKED_AT: Final = 2
"""How many diseases, for each case, are looked at to have all difficulties alike."""
_COMMON: Final = 10
_USUAL: Final = 60
_MOST_COMORBID: Final = 12
"""Conditions that a case has beside its disease."""


class DrawOptions(BaseModel, frozen=True, extra="forbid"):
    """What to draw."""

    task: Task
    language: Language
    n: int = Field(default=500, ge=1)
    """Cases at most; 500 a task and language in section 5 of MedKGEval."""
    seed: int = 0
    sources: tuple[str, ...] = ()
    """Only findings and facts that one of these states; none: whatever the graph has."""


class Stratum(BaseModel, frozen=True):
    """Targets of one kind and area."""

    kind: str
    area: str
    pool: int
    drawn: int


class DrawReport(BaseModel, frozen=True):
    """What was drawn, and what was not and why."""

    options: DrawOptions
    graph: str
    """Checksum of the graph and its layers."""
    pool: int
    """Targets that cases could be made of."""
    drawn: int
    strata: tuple[Stratum, ...]
    """By kind and area, the largest kinds first."""
    difficulty: dict[str, int]
    """Cases by difficulty; empty for drugs."""
    left_out: dict[str, int]
    """Diseases or drugs of the graph that can be no target, by reason."""
    omitted: dict[str, int]
    """Findings or facts that are in no case, by reason."""


class Drawn(BaseModel, frozen=True):
    """Cases, and how they were drawn."""

    cases: tuple[DiagnosisCase | MedicationCase, ...]
    """By kind and area in turn."""
    report: DrawReport


def draw(
    store: Store,
    options: DrawOptions,
    progress: Progress | None = None,
    known_to: Store | None = None,
) -> Drawn:
    """Draw cases; the same graph and options give the same ones.

    Args:
        store: the graph; discriminative scores come from its layer ``check``.
        options: what to draw.
        progress: told how far it is.
        known_to: another graph that must have findings of the diseases too, such as that of doctors
            from which a source is withheld; None: no other is asked. Of drugs it is not asked.

    Raises:
        EvaluationError: the graph has nothing to draw from, or is unfinished.
        StoreError: the store failed.
    """
    progress = progress or Silent()
    checksum = graph_checksum(store)
    with progress.step("what cases can be made of"):
        find_pool = diseases if options.task == "diagnosis" else drugs
        pool = find_pool(store, options.language, options.sources)
        if known_to is not None and options.task == "diagnosis":
            leave_out_unknown(pool, known_to)
    if not pool.targets:
        raise EvaluationError(_nothing_to_draw(store, options, pool))
    ordered = _in_turn(pool.targets, options)
    difficulties: dict[str, Difficulty] = {}
    if options.task == "diagnosis":
        with progress.step("how difficult they are") as advance:
            for target in ordered[: options.n * _LOOKED_AT]:
                difficulties[target.thing.id] = difficulty(store, target)
                advance(1)
    targets = _balanced(ordered, difficulties, options.n)
    with progress.step("cases"):
        make = _diagnoses if options.task == "diagnosis" else _medications
        cases = make(store, targets, difficulties, options.language, checksum)
    return Drawn(cases=cases, report=_report(options, checksum, pool, targets, difficulties))


def graph_checksum(store: Store) -> str:
    """Tells what a graph knows from any other; runs that are laid over it make no difference.

    Raises:
        EvaluationError: the graph is empty or unfinished.
        StoreError: the store failed.
    """
    stamp = store.stamp()
    if stamp is None:
        message = "{graph}: holds no finished graph; make one with 'medkg build'"
        raise EvaluationError(translate(message, graph=store.uri))
    return "+".join([stamp.checksum, *(checksum for _, checksum in stamp.knowledge.layers)])


def difficulty(store: Store, target: Target) -> Difficulty:
    """How difficult a disease is, by the rank that the differential gives it.

    Raises:
        StoreError: the store failed.
    """
    beginning = sorted(
        target.findings, key=lambda f: (-(f.frequency or 0), f.discrimination or 0, f.id)
    )[:BEGINNING]
    patient = Patient([finding.id for finding in beginning])
    leading_ids = [each.id for each in differential(store, patient, FIRST_FEW)]
    if leading_ids[:1] == [target.thing.id]:
        return "easy"
    return "medium" if target.thing.id in leading_ids else "hard"


def _in_turn(targets: Sequence[Target], options: DrawOptions) -> list[Target]:
    """All targets: each kind in turn, and within it each area in turn, by chance within both."""
    chance = random.Random(f"{options.seed} {options.task} {options.language}")
    targets_by_kind: defaultdict[str, defaultdict[str, list[Target]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for target in targets:
        targets_by_kind[target.kind][target.area].append(target)
    queues = []
    for kind in sorted(targets_by_kind):
        areas = [targets_by_kind[kind][area] for area in sorted(targets_by_kind[kind])]
        for area in areas:
            chance.shuffle(area)
        chance.shuffle(areas)
        queues.append([*_alternating(areas)])
    return [*_alternating(queues)]


def _alternating(queues: Sequence[Sequence[Target]]) -> Iterator[Target]:
    """The first of each, then the second of each, and so on."""
    for row in zip_longest(*queues):
        yield from (target for target in row if target is not None)


def _balanced(
    ordered: Sequence[Target], difficulties: dict[str, Difficulty], n: int
) -> list[Target]:
    """The first n, with as many of each difficulty as there are."""
    if not difficulties:
        return [*ordered[:n]]
    most_of_level = -(-n // 3)
    counts: Counter[Difficulty] = Counter()
    taken: list[Target] = []
    spare_targets: list[Target] = []
    for target in ordered:
        level = difficulties.get(target.thing.id)
        if level is None:
            break
        if counts[level] < most_of_level and len(taken) < n:
            counts[level] += 1
            taken.append(target)
        else:
            spare_targets.append(target)
    taken_ids = {target.thing.id for target in (*taken, *spare_targets[: n - len(taken)])}
    return [target for target in ordered if target.thing.id in taken_ids]


def _diagnoses(
    store: Store,
    targets: Sequence[Target],
    difficulties: dict[str, Difficulty],
    language: Language,
    checksum: str,
) -> tuple[DiagnosisCase, ...]:
    ids = [target.thing.id for target in targets]
    patients = {
        str(row["disease_id"]): row
        for row in store.query("disease.patients", diseases=ids).dicts()
    }
    cuis = _cuis(store, ids)
    absent_ids_of = {id_: _absent_ids(store, id_) for id_ in ids}
    comorbid_ids_of = _comorbid(store, Areas.of_store(store), {*ids})
    things = named_things(
        store,
        (
            i
            for ids_of_disease in (*absent_ids_of.values(), *comorbid_ids_of.values())
            for i in ids_of_disease
        ),
    )
    ids_told = {finding.id for target in targets for finding in target.findings}
    words = EverydayWords.of_store(store, ids_told, language)
    cases = []
    for target in targets:
        id_ = target.thing.id
        names = Names.of(target.thing, target.synonyms)
        finding_ids = {finding.id for finding in target.findings}
        row = patients[id_]
        cases.append(
            DiagnosisCase(
                id=f"diagnosis-{language}-{id_}",
                language=language,
                target=target.thing,
                synonyms=target.synonyms,
                cuis=cuis[id_],
                area=target.area,
                kind=target.kind,
                difficulty=difficulties.get(id_),
                graph=checksum,
                findings=tuple(
                    finding.model_copy(update={"words": words.of(finding, names)})
                    for finding in target.findings
                ),
                absent=_sayable(things, absent_ids_of[id_], language, names, finding_ids),
                comorbid=_sayable(things, comorbid_ids_of[id_], language, names, finding_ids)[
                    :_MOST_COMORBID
                ],
                onset=row["onset"] if isinstance(row["onset"], float) else None,
                sex=_sex(row["sex"]) or target.sex,
            )
        )
    return tuple(cases)


def _medications(
    store: Store,
    targets: Sequence[Target],
    difficulties: dict[str, Difficulty],
    language: Language,
    checksum: str,
) -> tuple[MedicationCase, ...]:
    del difficulties
    ids = {fact.id for target in targets for fact in target.facts}
    words = EverydayWords.of_store(store, ids, language)
    cuis = _cuis(store, [target.thing.id for target in targets])
    return tuple(
        MedicationCase(
            id=f"medication-{language}-{target.thing.id}",
            language=language,
            target=target.thing,
            synonyms=target.synonyms,
            cuis=cuis[target.thing.id],
            area=target.area,
            kind=target.kind,
            graph=checksum,
            facts=tuple(
                fact.model_copy(update={"words": words.of(fact, Names(()))})
                for fact in target.facts
            ),
        )
        for target in targets
    )


def _cuis(store: Store, ids: list[str]) -> defaultdict[str, tuple[str, ...]]:
    cuis: defaultdict[str, tuple[str, ...]] = defaultdict(tuple)
    for id_, cui in store.query("evaluation.cuis", entities=ids).rows:
        cuis[str(id_)] += (str(cui),)
    return cuis


def _absent_ids(store: Store, disease: str) -> list[str]:
    rows = store.query("disease.excluded_symptoms", disease=disease).dicts()
    return [str(row["symptom_id"]) for row in rows]


def _comorbid(store: Store, areas: Areas, diseases: set[str]) -> defaultdict[str, list[str]]:
    """By disease, what goes with it; what most diseases have, and sources agree on, first.

    What one text names beside a disease need not go with it: that counts only where it goes with
    _USUAL diseases, or with _COMMON and is of the same area of medicine.
    """
    shared_sources: defaultdict[str, dict[str, int]] = defaultdict(dict)
    for head, _, tail, sources in store.query("evaluation.comorbid").rows:
        for one, other in ((str(head), str(tail)), (str(tail), str(head))):
            count = len(sources) if isinstance(sources, list) else 0
            shared_sources[one][other] = max(count, shared_sources[one].get(other, 0))
    ids_by_disease: defaultdict[str, list[str]] = defaultdict(list)
    for disease in diseases & shared_sources.keys():
        sources_of, (_, area) = shared_sources[disease], areas.place(disease)
        usual = [
            other
            for other, sources in sources_of.items()
            if other not in areas.above(disease)
            and (
                sources > 1
                or len(shared_sources[other]) >= _USUAL
                or (
                    len(shared_sources[other]) >= _COMMON
                    and area
                    and areas.place(other).area == area
                )
            )
        ]
        ids_by_disease[disease] = sorted(
            usual, key=lambda id_: (-sources_of[id_], -len(shared_sources[id_]), id_)
        )
    return ids_by_disease


def _sayable(
    things: dict[str, Thing],
    ids: Sequence[str],
    language: Language,
    names: Names,
    finding_ids: set[str],
) -> tuple[Thing, ...]:
    """What has a name in the language that does not name the target, and is no finding of it."""
    return tuple(
        things[id_]
        for id_ in ids
        if id_ in things
        and id_ not in finding_ids
        and not fault(things[id_].name_zh if language == "zh" else things[id_].name, language)
        and not names.within(things[id_].name, things[id_].name_zh)
    )


def _sex(cell: object) -> Sex | None:
    return "male" if cell == "male" else "female" if cell == "female" else None


def _report(
    options: DrawOptions,
    checksum: str,
    pool: Pool,
    targets: Sequence[Target],
    difficulties: dict[str, Difficulty],
) -> DrawReport:
    pool_counts = Counter(Place(target.kind, target.area) for target in pool.targets)
    drawn_counts = Counter(Place(target.kind, target.area) for target in targets)
    kind_counts = Counter(target.kind for target in pool.targets)
    levels = Counter(difficulties[t.thing.id] for t in targets if t.thing.id in difficulties)
    order = sorted(
        pool_counts,
        key=lambda place: (-kind_counts[place.kind], place.kind, -pool_counts[place], place.area),
    )
    return DrawReport(
        options=options,
        graph=checksum,
        pool=len(pool.targets),
        drawn=len(targets),
        strata=tuple(
            Stratum(
                kind=place.kind,
                area=place.area,
                pool=pool_counts[place],
                drawn=drawn_counts[place],
            )
            for place in order
        ),
        difficulty={level: levels[level] for level in ("easy", "medium", "hard") if levels},
        left_out=dict(sorted(pool.left_out.items())),
        omitted=dict(sorted(pool.omitted.items())),
    )


def _nothing_to_draw(store: Store, options: DrawOptions, pool: Pool) -> str:
    reasons = ", ".join(
        f"{translate(reason)}: {count}" for reason, count in pool.left_out.most_common()
    )
    return translate(
        "{graph}: has nothing that a case can be made of ({why}); take a larger graph, or "
        "other sources than {sources}",
        graph=store.uri,
        why=reasons or "-",
        sources=", ".join(options.sources) or "-",
    )
