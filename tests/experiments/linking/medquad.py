"""MedQuAD: what each page of a health site is about, with its UMLS concepts."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.etree import ElementTree as ET

from kg.text import normalise
from tests.experiments.linking.experiment import Experiment, Line, whole
from tests.experiments.linking.vocabularies import Entity, hpo, mondo, names_table

Foci = Mapping[str, tuple[frozenset[str], str]]
"""By focus: its CUIs and its first semantic type."""


def medquad_foci(data: Path, seed: int) -> Iterator[Experiment]:
    """Focus → CUI, against MONDO and HPO.

    The gold sets: *raw*, foci with a CUI that the table has, as MedQuAD gives it;
    *inexact*, those of them that are nobody's name to the letter; *mended*, where the
    entities that go by exactly the focus are right too, and foci without a CUI of the
    table that are a name are not left out; *all*, with the foci that have neither, where
    abstaining is right.
    """
    del seed
    entities = [*mondo(data), *hpo(data)]
    foci = read_foci(data)
    known = {cui for e in entities for cui in e.cuis}
    bearers = exact_bearers(entities)
    golds: dict[str, list[Line]] = {"raw": [], "inexact": [], "mended": [], "absent": []}
    for focus, (cuis, _) in foci.items():
        named = {e.id for e in bearers.get(normalise(focus), ())}
        if cuis & known:
            golds["raw"].append(whole(focus, cuis & known, "Disease"))
        if cuis & known and not named:
            golds["inexact"].append(whole(focus, cuis & known, "Disease"))
        if cuis & known or named:
            golds["mended"].append(whole(focus, cuis & known | named, "Disease"))
        elif cuis:
            golds["absent"].append(whole(focus, (), "Disease"))
    golds["all"] = golds["mended"] + golds.pop("absent")
    differing = sum(1 for _ in differing_hits(foci, entities))
    lacking = sum(1 for f, (c, _) in foci.items() if not c & known and normalise(f) in bearers)
    yield Experiment(
        "MedQuAD focus → CUI",
        names_table(entities),
        golds,
        (
            f"{len(foci):,} foci, {len(golds['raw']):,} with a CUI that the table has",
            f"{differing:,} of those are to the letter the name of an entity with another CUI",
            f"{lacking:,} have no CUI that the table has and are a name to the letter",
        ),
    )


def read_foci(data: Path) -> Foci:
    """Every focus once; CUIs of pages with the same focus joined."""
    cuis: dict[str, set[str]] = defaultdict(set)
    types: dict[str, str] = {}
    for path in sorted((data / "medquad").glob("*/*.xml")):
        page = ET.parse(path).getroot()  # noqa: S314 -- the data set's own files
        focus = (page.findtext("Focus") or "").strip()
        if focus:
            cuis[focus] |= {(cui.text or "").strip() for cui in page.iter("CUI")} - {""}
            types.setdefault(focus, (page.findtext(".//SemanticType") or "").strip())
    return {focus: (frozenset(cuis[focus]), types[focus]) for focus in sorted(cuis)}


def exact_bearers(entities: list[Entity]) -> dict[str, list[Entity]]:
    """The entities that go by each normalised name."""
    bearers: dict[str, list[Entity]] = defaultdict(list)
    for e in entities:
        for name in {normalise(name) for name in e.names}:
            bearers[name].append(e)
    return dict(bearers)


def differing_hits(foci: Foci, entities: list[Entity]) -> Iterator[tuple[str, Entity]]:
    """Foci with a CUI of the table that are an exact name, but only of entities without it."""
    known = {cui for e in entities for cui in e.cuis}
    bearers = exact_bearers(entities)
    for focus, (cuis, _) in foci.items():
        hits = bearers.get(normalise(focus), [])
        if hits and cuis & known and not any(e.cuis & cuis for e in hits):
            yield focus, hits[0]
