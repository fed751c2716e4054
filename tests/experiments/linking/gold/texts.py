"""Case texts that were read by hand: where each stands in the public data, and its draw.

A text is named by source and id; the project keeps neither texts nor parts of them. How each
source's record becomes a text (``documents``) must not change: offsets count on it, and
``Text.sha256`` tells when it did.
"""

import argparse
import csv
import hashlib
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final, Literal

from kg.errors import MedKGError

TEXTS: Final = Path(__file__).parent / "texts.tsv"
_HEAD: Final = ("source", "id", "start", "end", "split", "language", "sha256")

Split = Literal["work", "held-out"]
Language = Literal["en", "zh"]


class GoldError(MedKGError):
    """The gold set and the data on this machine do not fit each other."""


@dataclass(frozen=True)
class Document:
    """A record of a source as plain text."""

    source: str
    id: str
    text: str
    language: Language
    stratum: str
    """What it is drawn among."""


@dataclass(frozen=True)
class Text:
    """The part of a document that was read."""

    source: str
    id: str
    start: int
    end: int
    """In code points of the document's text."""
    split: Split
    language: Language
    sha256: str
    """Of the part in UTF-8, its first 16 hexadecimal digits."""

    @property
    def key(self) -> str:
        """Names the text among all."""
        return f"{self.source}/{self.id}"


DRAWN: Final[Mapping[str, int]] = MappingProxyType(
    {
        "mediq": 28,
        "agentclinic": 25,
        "mts_dialog": 27,
        "mts_dialog, family and social history": 5,
        "aci_bench": 15,
        "dxy_dialog, self-reports": 28,
        "dxy_dialog, dialogues": 10,
        "cspt, patients": 14,
        "cspt, dialogues": 8,
    }
)
"""Texts drawn of each stratum."""

SEED: Final = 17
_LONGEST: Final[Mapping[Language, int]] = MappingProxyType({"en": 1000, "zh": 450})
"""Characters of a text; what is longer ends after the last sentence that fits."""

_SHORTEST: Final[Mapping[Language, int]] = MappingProxyType({"en": 80, "zh": 20})
_SENTENCE_END: Final = re.compile(r"[.?!](?=\s)|[。？！；\n]")
_MTS_SECTIONS: Final = ("GENHX", "CC", "ROS", "EXAM", "PASTMEDICALHX")
_HPI: Final = "HISTORY OF PRESENT ILLNESS"


def documents(data: Path) -> Iterator[Document]:
    """All documents of the sources, in the order of their files.

    Args:
        data: the folder of the public data.

    Raises:
        GoldError: a file is missing.
    """
    try:
        for read in (_mediq, _agentclinic, _mts_dialog, _aci_bench, _dxy, _cspt):
            yield from read(data)
    except FileNotFoundError as e:
        raise GoldError(f"{e.filename}: is not there; give the folder of the public data") from e


def texts(path: Path = TEXTS) -> list[Text]:
    """The texts that were drawn, in the order of the file."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Text(**{**row, "start": int(row["start"]), "end": int(row["end"])})  # type: ignore[arg-type]  # its columns are the fields
            for row in csv.DictReader(file, delimiter="\t")
        ]


def contents(of: Sequence[Text], data: Path) -> dict[str, str]:
    """What each text says, by its key.

    Raises:
        GoldError: a file or a document is missing, or says something else than what was read.
    """
    there = {f"{document.source}/{document.id}": document.text for document in documents(data)}
    said = {}
    for text in of:
        if text.key not in there:
            raise GoldError(f"{data}: has no {text.key}; take the release that SOURCE.txt names")
        said[text.key] = there[text.key][text.start : text.end]
        if checksum(said[text.key]) != text.sha256:
            raise GoldError(
                f"{data}: {text.key} is not the text that was read; take the release that "
                "SOURCE.txt names"
            )
    return said


def checksum(text: str) -> str:
    """The first 16 hexadecimal digits of SHA-256 of the text in UTF-8."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def draw(data: Path) -> list[Text]:
    """The texts of the gold set, by the seed, from documents that are long enough."""
    strata: dict[str, list[Text]] = {name: [] for name in DRAWN}
    for document in documents(data):
        start, end = _part(document)
        if end - start >= _SHORTEST[document.language]:
            strata[document.stratum].append(_text(document, start, end))
    return [
        text
        for name, some in strata.items()
        for text in sorted(
            Random(f"{SEED} {name}").sample(some, DRAWN[name]),  # noqa: S311 -- a seeded draw
            key=lambda text: text.key,
        )
    ]


def _part(document: Document) -> tuple[int, int]:
    start = 0
    if document.source == "aci_bench":
        start = document.text.index(_HPI) + len(_HPI) if _HPI in document.text else 0
    start += len(document.text[start:]) - len(document.text[start:].lstrip())
    longest = _LONGEST[document.language]
    if len(document.text) - start <= longest:
        return start, len(document.text)
    ends = [found.end() for found in _SENTENCE_END.finditer(document.text, start)]
    fitting = [end for end in ends if end <= start + longest]
    return start, (fitting[-1] if fitting else start + longest)


def _text(document: Document, start: int, end: int) -> Text:
    digit = hashlib.sha256(f"{document.source}/{document.id}".encode()).digest()[0]
    return Text(
        document.source,
        document.id,
        start,
        end,
        "held-out" if digit % 2 else "work",
        document.language,
        checksum(document.text[start:end]),
    )


def _mediq(data: Path) -> Iterator[Document]:
    """The sentences of ``context``, each with a full stop."""
    for row in _lines(data / "mediq" / "all_craft_md.jsonl"):
        said = " ".join(each if each[-1] in ".?!”" else f"{each}." for each in row["context"])
        yield Document("mediq", f"craft_md/{row['id']}", said, "en", "mediq")


def _agentclinic(data: Path) -> Iterator[Document]:
    """MedQA cases as lines "field: value", without what the patient is told to play; NEJM's
    questions as they are. The id is the row, from 0."""
    folder = data / "agentclinic"
    for at, row in enumerate(_lines(folder / "agentclinic_medqa.jsonl")):
        exam = row["OSCE_Examination"]
        patient = exam["Patient_Actor"]
        parts = {
            name: patient[name]
            for name in ("History", "Past_Medical_History", "Review_of_Systems")
            if name in patient
        }
        said = "\n".join(_fields(parts | exam["Physical_Examination_Findings"]))
        yield Document("agentclinic", f"medqa/{at}", said, "en", "agentclinic")
    for at, row in enumerate(_lines(folder / "agentclinic_nejm.jsonl")):
        yield Document("agentclinic", f"nejm/{at}", row["question"], "en", "agentclinic")


def _mts_dialog(data: Path) -> Iterator[Document]:
    """Of each encounter the note's section and the dialogue, of sections about findings."""
    for row in _table(data / "mts_dialog" / "MTS-Dialog-TrainingSet.csv"):
        family = row["section_header"] == "FAM/SOCHX"
        if row["section_header"] not in _MTS_SECTIONS and not family:
            continue
        stratum = "mts_dialog, family and social history" if family else "mts_dialog"
        for kind, column in (("note", "section_text"), ("dialogue", "dialogue")):
            yield Document("mts_dialog", f"train/{row['ID']}/{kind}", row[column], "en", stratum)


def _aci_bench(data: Path) -> Iterator[Document]:
    """The notes; what is read begins after the heading of the present illness."""
    for row in _table(data / "aci_bench" / "train.csv"):
        yield Document("aci_bench", f"train/{row['encounter_id']}", row["note"], "en", "aci_bench")


def _dxy(data: Path) -> Iterator[Document]:
    """A consultation's self-report, and what is said after it but for the doctor's last words,
    a turn a line. Of consultations with one id the first."""
    seen = set()
    for row in _lines(data / "dxy_dialog" / "dialogs_train.jsonl"):
        if (id_ := row["consult_id"]) in seen:
            continue
        seen.add(id_)
        kinds = {"self-reports": row["self_report"], "dialogues": "\n".join(row["dialog"][1:-1])}
        for kind, said in kinds.items():
            stratum = f"dxy_dialog, {kind}"
            yield Document("dxy_dialog", f"{kind[:-1]}/{id_}", said, "zh", stratum)


def _cspt(data: Path) -> Iterator[Document]:
    """The standardised patients as lines "field：value", and their dialogues, a turn a line."""
    folder = data / "cspt" / "script"
    if not folder.is_dir():
        raise FileNotFoundError(2, "", str(folder))
    for file in sorted(folder.glob("*/*/patient.json")):
        fields = json.loads(file.read_text("utf-8"))
        said = "\n".join(_fields(fields, "："))
        name = file.parent.relative_to(folder).as_posix()
        yield Document("cspt", f"{name}/patient", said, "zh", "cspt, patients")
        turns = json.loads((file.parent / "script.json").read_text("utf-8"))["messages"]
        said = "\n".join(f"{turn['sender_name']}：{turn['content']}" for turn in turns)
        yield Document("cspt", f"{name}/dialogue", said, "zh", "cspt, dialogues")


def _fields(value: object, colon: str = ": ", name: str = "") -> Iterator[str]:
    match value:
        case dict():
            for key, each in value.items():
                yield from _fields(each, colon, key.replace("_", " "))
        case list():
            yield f"{name}{colon}{', '.join(map(str, value))}"
        case _:
            yield f"{name}{colon}{value}"


def _lines(file: Path) -> Iterator[Any]:
    return map(json.loads, file.read_text("utf-8").splitlines())


def _table(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8-sig", newline="") as lines:
        yield from csv.DictReader(lines)


def write(drawn: Sequence[Text], path: Path) -> None:
    """Write the list of texts."""
    with path.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n")
        out.writerow(_HEAD)
        out.writerows([getattr(text, column) for column in _HEAD] for text in drawn)


def main(show: Callable[[str], object] = sys.stdout.write) -> None:
    """Draw the texts anew and write the list of them."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the public data")
    parser.add_argument("--write", type=Path, default=TEXTS, metavar="FILE")
    given = parser.parse_args()
    drawn = draw(given.data)
    write(drawn, given.write)
    show(f"{given.write}: {len(drawn)} texts\n")


if __name__ == "__main__":
    main()
