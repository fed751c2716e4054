"""Cases from published sets: AgentClinic, MediQ and DXY, as their authors publish the files.

* ``agentclinic``: agentclinic_medqa.jsonl or agentclinic_nejm.jsonl (Schmidgall et al. 2024);
  the patient says the primary symptom first.
* ``mediq``: all_craft_md.jsonl (Li et al. 2024); the first sentence of the context comes first.
* ``dxy``: dialogs_train.jsonl (Xu et al. 2019), in Chinese; the patient's own report comes first,
  and the findings are the words of its slots.

The diagnosis is linked with the graph by its name, findings by their words, which stay in ``words``.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel

from evalsim.case import DiagnosisCase, Finding, Language
from evalsim.cases.areas import Areas
from evalsim.cases.drawing import graph_checksum
from evalsim.cases.pool import MAX_KINDS, named_things
from evalsim.cases.sets import Origin, Row, read_rows
from evalsim.cases.wording import Names, fault
from kg.linking import Candidate, Linker, Mention
from kg.progress import Progress, Silent
from kg.stores.store import Store

LANGUAGES: Final[Mapping[Origin, Language]] = {"agentclinic": "en", "mediq": "en", "dxy": "zh"}

TYPES: Final = ("Symptom", "Disease")
"""What is linked in their texts."""

Reason = Literal["the graph has no disease of this name", "the graph has no finding of its words"]
"""Why a row of a set is no case."""

_SENTENCE: Final = re.compile(r"(?<=[。！？!?\n])|(?<=\.)\s")
_BRACKETS: Final = re.compile(r"\s*\([^()]*\)\s*$")
_ABBREVIATION: Final = re.compile("[A-Z][A-Z0-9]{1,5}")


class Leak(BaseModel, frozen=True):
    """A row whose text names the diagnosis."""

    row: str
    """Its id, which that of its case is."""
    is_case: bool
    name: str
    """The diagnosis, in the words of the set."""
    found: str
    """The sentence that does."""
    opening: bool
    """What the patient says first does so already."""


class ImportReport(BaseModel, frozen=True):
    """What became of the rows of a set."""

    origin: Origin
    graph: str
    """Checksum of the graph and its layers."""
    read: int
    cases: int
    left_out: dict[str, int]
    """Rows that are no case, by reason."""
    unknown: tuple[str, ...]
    """Diagnoses that the graph has under no name, sorted."""
    findings: int
    """Mentions that were linked, and are findings of a case."""
    unlinked: int
    """Mentions that are no finding of the graph, or may be several."""
    leaks: tuple[Leak, ...]


class Imported(BaseModel, frozen=True):
    """Cases of a set, and what became of its rows."""

    cases: tuple[DiagnosisCase, ...]
    """In the order of the file."""
    report: ImportReport


def read_set(
    store: Store,
    linker: Linker,
    origin: Origin,
    file: Path,
    progress: Progress | None = None,
) -> Imported:
    """Read the cases of a set.

    Args:
        store: the graph.
        linker: of the names of the graph, limited to TYPES.
        origin: which set it is.
        file: as its authors publish it.
        progress: told how far it is.

    Raises:
        EvaluationError: the file cannot be read, or a line is no row of that set.
        StoreError: the store failed.
    """
    return _Reader(store, linker, origin).read(file, progress or Silent())


class _Reader:
    def __init__(self, store: Store, linker: Linker, origin: Origin) -> None:
        self._store, self._linker, self._origin = store, linker, origin
        self._areas = Areas.of_store(store)
        self._checksum = graph_checksum(store)
        self._unlinked = 0
        self._resolved: dict[str, Mention] = {}
        self._findings = self._usable(LANGUAGES[origin])

    def read(self, file: Path, progress: Progress) -> Imported:
        left_out: Counter[Reason] = Counter()
        unknown: set[str] = set()
        leaks: list[Leak] = []
        cases: list[DiagnosisCase] = []
        rows = [*read_rows(self._origin, file)]
        with progress.step("cases", len(rows)) as advance:
            for row in rows:
                advance(1)
                target = self._target(row)
                case = self._case(row, target) if target else None
                if target is None:
                    left_out["the graph has no disease of this name"] += 1
                    unknown.add(row.diagnosis)
                elif case is None:
                    left_out["the graph has no finding of its words"] += 1
                else:
                    cases.append(case)
                leaks += _leaks(row, case)
        return Imported(
            cases=tuple(cases),
            report=ImportReport(
                origin=self._origin,
                graph=self._checksum,
                read=len(rows),
                cases=len(cases),
                left_out=dict(sorted(left_out.items())),
                unknown=tuple(sorted(unknown)),
                findings=sum(len(case.findings) + len(case.absent) for case in cases),
                unlinked=self._unlinked,
                leaks=tuple(leaks),
            ),
        )

    def _usable(self, language: Language) -> set[str]:
        """Ids of what diseases have as findings, and that a text of a patient can mean."""
        kind_counts = self._areas.kinds_beneath()
        rows = self._store.query("evaluation.findings").dicts()
        name_of = {str(r["entity_id"]): r["name_zh" if language == "zh" else "name"] for r in rows}
        return {
            id_
            for id_, name in name_of.items()
            if not fault(name if isinstance(name, str) else None, language)
            and kind_counts.get(id_, 0) <= MAX_KINDS
        }

    def _target(self, row: Row) -> str | None:
        """The disease of this name; of several the one that an ontology has.

        A name may have another one behind it in brackets, and a Chinese one lack its last 病.
        """
        name = row.diagnosis.strip()
        without_brackets = _BRACKETS.sub("", name)
        for each in dict.fromkeys(
            (name, without_brackets, f"{name}病" if row.language == "zh" else name)
        ):
            candidates = _best(self._linker.resolve(each, types=("Disease",)))
            if candidates:
                return min((candidate.id for candidate in candidates), key=_preference)
        return None

    def _case(self, row: Row, target: str) -> DiagnosisCase | None:
        target_row = self._store.query("entity.by_id", entity=target).dicts()[0]
        matches = self._store.query("entity.close_matches", entity=target).dicts()
        given_away = {target, *(str(each["other_id"]) for each in matches)}
        things = named_things(self._store, [target])
        names = Names.of(
            things[target], (*_texts(target_row["synonyms"]), *_texts(target_row["synonyms_zh"]))
        )
        present, absent = self._findings_of(row, given_away, names)
        if not present:
            return None
        things |= named_things(self._store, [*present, *absent])
        edges = {
            str(r["symptom_id"]): r
            for r in self._store.query("disease.symptoms", disease=target).dicts()
        }
        findings = []
        for id_, words in present.items():
            edge = edges.get(id_, {})
            findings.append(
                Finding(
                    **{**things[id_].model_dump(), "words": self._telling_words(id_, words)},
                    frequency=_number(edge.get("frequency")),
                    discrimination=_number(edge.get("discrimination")),
                    sources=_texts(edge.get("sources")),
                )
            )
        kind, area = self._areas.place(target)
        cuis = self._store.query("evaluation.cuis", entities=[target]).rows
        return DiagnosisCase(
            id=row.id,
            language=row.language,
            target=things[target],
            synonyms=(*_texts(target_row["synonyms"]), *_texts(target_row["synonyms_zh"])),
            cuis=tuple(str(cui) for _, cui in cuis),
            area=area,
            kind=kind,
            origin=self._origin,
            graph=self._checksum,
            findings=tuple(findings),
            absent=tuple(
                things[id_].model_copy(update={"words": self._telling_words(id_, words)})
                for id_, words in absent.items()
            ),
            sex=row.sex,
            age=row.age,
            opening=row.opening,
            everything=row.everything,
        )

    def _findings_of(
        self, row: Row, given_away: set[str], names: Names
    ) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
        """By id, the words of the findings that the patient has, and of those that it has not."""
        told_present: dict[str, list[str]] = {}
        told_absent: dict[str, list[str]] = {}
        for mention, is_had in self._mentions(row):
            candidates = [each for each in _best(mention) if each.id in self._findings]
            if not candidates:
                self._unlinked += 1
                continue
            id_ = min((each.id for each in candidates), key=_preference)
            superclasses = self._areas.above(id_)
            if not (
                given_away & superclasses or names.within(*(each.name for each in candidates))
            ):
                words = (told_present if is_had else told_absent).setdefault(id_, [])
                if mention.text not in words:
                    words.append(mention.text)
        absent = {id_: words for id_, words in told_absent.items() if id_ not in told_present}
        opening = row.opening.casefold()
        opening_ids = {
            id_
            for id_, words in told_present.items()
            if any(word.casefold() in opening for word in words)
        }
        if row.said is not None:
            return told_present, absent
        # what the patient says first is told first, wherever else the text has it
        ids = sorted(told_present, key=lambda id_: id_ not in opening_ids)
        return {id_: told_present[id_] for id_ in ids}, absent

    def _telling_words(self, id_: str, words: Iterable[str]) -> tuple[str, ...]:
        """The words that mean a finding by themselves, as somebody would say them.

        In "pain and swelling in the right knee", "pain" is knee pain, and alone it is not; what a
        field of a record has ("Heart Rate: 130 bpm") nobody says.
        """
        return tuple(
            word
            for word in words
            if ":" not in word and id_ in {each.id for each in _best(self._resolve(word))}
        )

    def _resolve(self, word: str) -> Mention:
        if word not in self._resolved:
            self._resolved[word] = self._linker.resolve(word)
        return self._resolved[word]

    def _mentions(self, row: Row) -> Iterator[tuple[Mention, bool]]:
        if row.said is not None:
            for word, is_had in row.said.items():
                yield self._resolve(word), is_had
            return
        for mention in self._linker.link(row.everything):
            if not mention.family:
                yield mention, not mention.negated


def sentences(text: str) -> list[str]:
    """A text by its sentences and lines."""
    return [each.strip() for each in _SENTENCE.split(text)]


def naming(diagnosis: str, case: DiagnosisCase | None) -> Callable[[str], bool]:
    """Whether a text names a diagnosis.

    By the name that its set gives, with and without what stands behind it in brackets, by this alone, by a
    name that the graph has, or by an abbreviation of these as it is written.

    Args:
        diagnosis: as the set has it.
        case: made of the row, if one is.
    """
    texts = [diagnosis, _BRACKETS.sub("", diagnosis)]
    if bracket := _BRACKETS.search(diagnosis):
        texts.append(bracket[0].strip(" ()"))
    if case is not None:
        texts += [case.target.name, case.target.name_zh or "", *case.synonyms]
    names = Names(texts)
    abbreviations = [name for name in texts if _ABBREVIATION.fullmatch(name)]
    pattern = re.compile(rf"\b(?:{'|'.join(abbreviations)})\b") if abbreviations else None
    return lambda text: names.within(text) or bool(pattern and pattern.search(text))


def _leaks(row: Row, case: DiagnosisCase | None) -> list[Leak]:
    """The leak of a row, if it has one."""
    names_it = naming(row.diagnosis, case)
    opening = names_it(row.opening)
    leaks = [
        Leak(
            row=row.id,
            is_case=case is not None,
            name=row.diagnosis,
            found=sentence,
            opening=opening,
        )
        for sentence in sentences(f"{row.opening}\n{row.everything}")
        if names_it(sentence)
    ]
    return leaks[:1]


def _best(mention: Mention) -> list[Candidate]:
    """What it is linked with, or all that go by its very name."""
    best_score = mention.candidates[0].score if mention.candidates else 0.0
    is_sure = mention.linked or best_score == 1.0
    return [each for each in mention.candidates if each.score == best_score] if is_sure else []


def _preference(id_: str) -> tuple[int, str]:
    """By HPO most diseases are described, in MONDO most are; what no ontology has comes last."""
    order = ("HP:", "MONDO:")
    places = (place for place, prefix in enumerate(order) if id_.startswith(prefix))
    return next(places, 3 if id_.startswith("MEDKG:") else 2), id_


def _texts(cell: object) -> tuple[str, ...]:
    return tuple(map(str, cell)) if isinstance(cell, list) else ()


def _number(cell: object) -> float | None:
    return float(cell) if isinstance(cell, int | float) else None
