"""Findings that textbooks call pathognomonic, and where they stand among those of their disease."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import yaml

from kg.discrimination import Scores
from kg.linking import Names
from kg.stores.store import Store

LIST: Final = Path(__file__).with_name("pathognomonic.yaml")

TOP: Final = 3


@dataclass(frozen=True)
class Standing:
    """Where a pathognomonic finding stands among the findings of its disease."""

    disease: str
    finding: str
    """Names as the list has them."""
    rank: int | None
    """From 1 by score, then by id; None: the graph does not have the pair."""
    findings: int
    """How many the disease has."""


def pairs() -> list[tuple[list[str], list[str]]]:
    """The names of each disease and of its finding."""
    return [(diseases, findings) for diseases, findings in yaml.safe_load(LIST.read_text("utf-8"))]


def standings(store: Store, scores: Scores) -> Iterator[Standing]:
    """Where each finding of the list stands.

    A disease is the one thing of its names that has most findings; a finding is anything that
    has one of its names, the best of them where the disease has several.
    """
    ids = _ids(store)
    found: dict[str, dict[str, float]] = {}
    for head, tail, value in zip(scores.heads, scores.tails, scores.values, strict=True):
        found.setdefault(head, {})[tail] = float(value)
    for diseases, findings in pairs():
        of_name = {id_ for name in diseases for id_ in ids.get(name.casefold(), ())}
        disease = min(of_name, key=lambda id_: (-len(found.get(id_, ())), id_), default="")
        told = found.get(disease, {})
        wanted = {id_ for name in findings for id_ in ids.get(name.casefold(), ())}
        ranked = sorted(told, key=lambda id_: (-round(told[id_], 6), id_))
        rank = next((at for at, id_ in enumerate(ranked, 1) if id_ in wanted), None)
        yield Standing(diseases[0], findings[0], rank, len(told))


def in_top(standing: Sequence[Standing], most: int = TOP) -> int:
    """How many stand among the first."""
    return sum(each.rank is not None and each.rank <= most for each in standing)


def _ids(store: Store) -> Mapping[str, set[str]]:
    table = Names.of_store(store).table.select(["id", "type", "name"])
    ids: dict[str, set[str]] = {}
    for id_, type_, name in zip(*table.to_pydict().values(), strict=True):
        if type_ in {"Disease", "Symptom"}:
            ids.setdefault(name.casefold(), set()).add(id_)
    return ids
