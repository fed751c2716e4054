"""Findings that were read in the case texts: their places, nodes, polarity, and kind."""

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from kg.linking.measures import Retrieval, Share
from tests.experiments.linking.gold.texts import GoldError, Text

FINDINGS: Final = Path(__file__).parent / "gold.tsv"
AGAIN: Final = Path(__file__).parent / "again.tsv"
"""Twenty of the texts, read a second time."""

NO_NODE: Final = "none"

Polarity = Literal["present", "absent", "family", "hypothetical"]
"""*family*: of a relative, there or denied. *hypothetical*: feared, suspected once, a risk, or
what a drug is for; it counts neither way."""

Kind = Literal["named", "described", "value"]
"""*named*: by a noun of the field or of everyday language ("fever", 拉肚子). *described*: by an
adjective, a verb or a sentence ("itchy", "lost 40 pounds", 吃不下). *value*: by a number."""

_ID: Final = re.compile(r"(HP|MONDO):\d{7}")


@dataclass(frozen=True)
class Finding:
    """A stretch of a text that says what a person has or has not."""

    start: int
    end: int
    """In code points of the text, which is the part of the document that was read."""
    ids: frozenset[str]
    """Any one of them is right; empty: neither HPO nor MONDO has the finding, or the words
    are too vague to tell ("illness", "lesion"). Such findings count neither way."""
    polarity: Polarity
    kind: Kind

    @property
    def counts(self) -> bool:
        """It is to be found; a link that meets another finding counts neither way."""
        return bool(self.ids) and self.polarity != "hypothetical"


def findings(texts: Iterable[Text], path: Path = FINDINGS) -> dict[str, list[Finding]]:
    """What was found in each text, by its key, in the order of the places.

    Raises:
        GoldError: a row is not as it must be.
    """
    of: dict[str, list[Finding]] = {text.key: [] for text in texts}
    length = {text.key: text.end - text.start for text in texts}
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.DictReader(file, delimiter="\t"), start=2):
            key = f"{row['source']}/{row['id']}"
            if key not in of:
                raise GoldError(f"{path.name}, row {number}: {key} is none of the texts; list it")
            finding = _finding(row, f"{path.name}, row {number}")
            if not 0 <= finding.start < finding.end <= length[key]:
                raise GoldError(
                    f"{path.name}, row {number}: {finding.start} to {finding.end} is not within "
                    f"the text of {length[key]} characters; count within what was read"
                )
            of[key].append(finding)
    return {key: sorted(some, key=lambda f: (f.start, f.end)) for key, some in of.items()}


def _finding(row: Mapping[str, str], where: str) -> Finding:
    ids = [] if row["ids"] == NO_NODE else row["ids"].split("|")
    for id_ in ids:
        if not _ID.fullmatch(id_):
            raise GoldError(f"{where}: {id_!r} is no id of HPO or MONDO; write HP:0001945")
    for column, known in (("polarity", get_args(Polarity)), ("kind", get_args(Kind))):
        if row[column] not in known:
            raise GoldError(f"{where}: {column} {row[column]!r}; write {', '.join(known)}")
    return Finding(
        int(row["start"]),
        int(row["end"]),
        frozenset(ids),
        row["polarity"],  # type: ignore[arg-type]  # checked above
        row["kind"],  # type: ignore[arg-type]  # checked above
    )


def overlap(one: Finding, start: int, end: int) -> bool:
    """They share a character."""
    return one.start < end and start < one.end


def agreement(
    first: Mapping[str, Sequence[Finding]], second: Mapping[str, Sequence[Finding]]
) -> tuple[Retrieval, Share]:
    """How far a second reading of texts agrees with the first.

    Findings are the same if their spans overlap and they have an id in common. Precision is
    of the second reading, recall of the first; then the polarity of those that are the same.
    """
    same = right = there = found = 0
    for key, again in second.items():
        ours, theirs = ([f for f in some if f.counts] for some in (first[key], again))
        there += len(ours)
        found += len(theirs)
        left = list(theirs)
        for one in ours:
            for other in left:
                if overlap(one, other.start, other.end) and one.ids & other.ids:
                    left.remove(other)
                    same += 1
                    right += one.polarity == other.polarity
                    break
    return Retrieval.of(same, found, there), Share(right=right, of=same)
