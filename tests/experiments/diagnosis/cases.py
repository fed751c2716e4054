"""Cases with a known disease: what the patient has and does not have, as ids of a graph."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import yaml

from kg.discrimination.graph import ancestors, parents_of
from kg.linking import Candidate, Linker, LinkOptions, Mention
from kg.stores.store import Store
from tests.experiments.linking.patients import SYMPTOMS

DXY_DISEASES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "上呼吸道感染": ("上呼吸道感染", "急性上呼吸道感染", "感冒"),
        "小儿手足口病": ("手足口病", "hand, foot and mouth disease"),
        "小儿腹泻": ("小儿腹泻病", "婴幼儿腹泻", "腹泻"),
        "肺炎": ("肺炎",),
        "过敏性鼻炎": ("过敏性鼻炎",),
    }
)
"""The five diseases of the dialogues, and the names that they go by: our own reading.

Acute infection of the upper airways in children is what is commonly called a cold (感冒); the
sources list either as the other's alias.
"""


MOST_KINDS: Final = 500
"""A finding of more kinds ("disease", "abnormality") is left out of cases."""

CHOSEN: Final = Path(__file__).with_name("chosen.yaml")


@dataclass(frozen=True)
class Case:
    """A patient."""

    source: str
    disease: str
    """As the data set has it."""
    golds: frozenset[str]
    """Diseases that go by that name; empty: none does."""
    present: tuple[str, ...]
    absent: tuple[str, ...]
    chosen: bool
    """It was looked at while the differential was chosen; the others are held out."""


class Reader:
    """Reads cases with the names of one graph."""

    def __init__(self, store: Store) -> None:
        self._linker = Linker.of_store(store, None, LinkOptions(("Symptom", "Disease"), limit=10))
        self._store = store
        chosen = yaml.safe_load(CHOSEN.read_text("utf-8"))
        self._chosen = {source: set(places) for source, places in chosen.items()}
        parents = parents_of(store, "Symptom", "Disease")
        edges = {(str(d), str(tail)) for d, tail, *_ in store.query("graph.symptom_edges").rows}
        tails = {tail for _, tail in edges}
        kinds = Counter(up for child in parents for up in ancestors(child, parents))
        known = tails | {up for tail in tails for up in ancestors(tail, parents)}
        having = {(d, up) for d, tail in edges for up in {tail, *ancestors(tail, parents)}}
        self._having = Counter(finding for _, finding in having)
        self._findings = {finding for finding in known if kinds[finding] <= MOST_KINDS}

    def cases(self, data: Path) -> Iterator[Case]:
        """All cases, in the order of their files."""
        place: Counter[str] = Counter()
        for case in self._every(data):
            here = case.source
            yield replace(case, chosen=place[here] in self._chosen[here])
            place[here] += 1

    def _every(self, data: Path) -> Iterator[Case]:
        yield from self._dxy(data / "dxy_dialog" / "train_goal_dict_dxy.txt")
        for row in _lines(data / "mediq" / "all_craft_md.jsonl"):
            yield self._of_text("mediq", row["answer"], ". ".join(row["context"]))
        for row in _lines(data / "agentclinic" / "agentclinic_medqa.jsonl"):
            exam = row["OSCE_Examination"]
            parts = ("Patient_Actor", "Physical_Examination_Findings", "Test_Results")
            text = ". ".join(_flat(exam[part]) for part in parts)
            yield self._of_text("agentclinic", exam["Correct_Diagnosis"], text)
        for row in _lines(data / "agentclinic" / "agentclinic_nejm.jsonl"):
            right = next(answer["text"] for answer in row["answers"] if answer["correct"])
            yield self._of_text("agentclinic, NEJM", right, row["question"])

    def _dxy(self, file: Path) -> Iterator[Case]:
        """A word of the dialogues means one finding, of those of our reading and of its name."""
        meant = {
            word: self._one([*(i for i in ids if i in self._findings), *self._named(word)])
            for word, ids in SYMPTOMS.items()
        }
        for goal in json.loads(file.read_text("utf-8")):
            told = {**goal["explicit_inform_slots"], **goal["implicit_inform_slots"]}
            names = DXY_DISEASES[goal["disease_tag"]]
            yield Case(
                "DXY",
                goal["disease_tag"],
                frozenset(id_ for name in names for id_ in self._diseases(name)),
                _each(id_ for word, said in told.items() if said is True for id_ in meant[word]),
                _each(id_ for word, said in told.items() if said is False for id_ in meant[word]),
                chosen=False,
            )

    def _of_text(self, source: str, disease: str, text: str) -> Case:
        golds = self._diseases(disease)
        given_away = {*golds, *self._as_findings(golds)}
        told: dict[bool, dict[str, None]] = {True: {}, False: {}}
        for mention in self._linker.link(text):
            meant = [
                c for c in _best(mention) if c.id in self._findings and c.id not in given_away
            ]
            if meant and not mention.family:
                # of one name HPO's finding, for most diseases are described by those
                first = min(meant, key=lambda c: (not c.id.startswith("HP:"), c.type, c.id))
                told[not mention.negated][first.id] = None
        absent = tuple(id_ for id_ in told[False] if id_ not in told[True])
        return Case(source, disease, frozenset(golds), tuple(told[True]), absent, chosen=False)

    def _as_findings(self, diseases: list[str]) -> Iterator[str]:
        """The findings that the diseases are too, which would give the answer away."""
        for disease in diseases:
            rows = self._store.query("entity.tails", head=disease, relations=["CLOSE_MATCH"])
            yield from (str(row["tail_id"]) for row in rows.dicts())

    def _diseases(self, name: str) -> list[str]:
        return [c.id for c in _best(self._linker.resolve(name, types=("Disease",)))]

    def _one(self, findings: list[str]) -> list[str]:
        """HPO's, by which most diseases are described, and of these what most diseases have."""
        most = sorted(findings, key=lambda i: (not i.startswith("HP:"), -self._having[i], i))
        return most[:1]

    def _named(self, word: str) -> list[str]:
        return [c.id for c in _best(self._linker.resolve(word)) if c.id in self._findings]


def _best(mention: Mention) -> list[Candidate]:
    """What it is linked with, or all that go by its very name."""
    first = mention.candidates[0].score if mention.candidates else 0.0
    sure = mention.linked or first == 1.0
    return [c for c in mention.candidates if c.score == first] if sure else []


def _each(ids: Iterator[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(ids))


def _lines(file: Path) -> Iterator[Any]:
    return map(json.loads, file.read_text("utf-8").splitlines())


def _flat(value: object) -> str:
    """The texts of a nested record, without the names of its fields."""
    if isinstance(value, Mapping):
        return ". ".join(map(_flat, value.values()))
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ". ".join(map(_flat, value))
    return str(value)
