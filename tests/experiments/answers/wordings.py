"""Measures how well words are read: by the patterns of ``qa.intents``, by examples, and by both.

``python -m tests.experiments.answers.wordings``: on ``intents.tsv``, the questions of the parts dev,
fresh, blind and unseen whose disease, finding or drug is named, each part of one by itself, with X
for the name and the headings that read it rightly; and each tenth of the examples by the other nine.
"""

import csv
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple, cast

import click

from kg.shipped import shipped_table
from qa.examples import Examples, Likeness
from qa.intents import INTENTS, UNSAID
from qa.subjects import Subject, fits
from qa.wordings import LEAST_MARGIN, SLOT, About, features_of, worded

_FILE: Final = Path(__file__).parent / "intents.tsv"
_FOLDS: Final = 10
_PARTS: Final = {"f": "fresh", "g": "blind", "h": "unseen"}
_AS: Final = {
    "triggers": "causes",
    "germs that cause it": "causes",
    "drugs to avoid": "contraindications",
    "what it is a kind of": "facts",
}
"""Headings of intents that there are no examples of, and those that answer as much."""


class Labelled(NamedTuple):
    """A part of a question and what it asks."""

    id: str
    about: About
    question: str
    asks: str
    """Headings that read it rightly, with ``|`` between them."""

    @property
    def part(self) -> str:
        return _PARTS.get(self.id[3], "dev")

    def reads(self, heading: str | None) -> bool:
        return heading in self.asks.split("|")


def labelled() -> list[Labelled]:
    """All lines of the file, in its order."""
    with _FILE.open(encoding="utf-8", newline="") as lines:
        _, *rows = csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    return [Labelled(row[0], cast("About", row[1]), *row[2:]) for row in rows]


def by_patterns(each: Labelled) -> str | None:
    """The heading of the first intent whose pattern fits; None where none does."""
    words = each.question.replace(SLOT, "xxxxx")
    kind = "Disease" if each.about == "condition" else "Drug"
    places = [at for at in range(len(words)) if words.startswith("xxxxx", at)]
    subjects = [Subject(at, at + 5, str(at), kind, "") for at in places]
    said = [fit for fit in fits(words, subjects, INTENTS) if fit.intent.words.pattern]
    found = next(iter(said or fits(words, subjects, UNSAID)), None)
    return _AS.get(found.intent.heading, found.intent.heading) if found else None


def by_examples(each: Labelled) -> str | None:
    """The heading that examples give; None where none is near enough."""
    found = worded(each.question, each.about)
    return found.group if found else None


def by_both(each: Labelled) -> str:
    """By patterns, by examples where none fits or these are sure, else what the thing is."""
    by_pattern = by_patterns(each)
    found = worded(each.question, each.about, by_pattern)
    return found.group if found else by_pattern or "facts"


def table(questions: Sequence[Labelled]) -> str:
    """For each part and way: read rightly, and of those that the way reads, rightly."""
    ways: dict[str, Callable[[Labelled], str | None]]
    ways = {"patterns": by_patterns, "examples": by_examples, "both": by_both}
    lines = ["| | questions | way | reads | rightly | of all |", "|---|--:|---|--:|--:|--:|"]
    for part in ("dev", "fresh", "blind", "unseen", "all"):
        some = [each for each in questions if part in (each.part, "all")]
        for name, way in ways.items():
            read = [each for each in some if way(each)]
            right = sum(each.reads(way(each)) for each in read)
            of_read, of_all = right / len(read), right / len(some)
            share = f"{len(read) / len(some):.0%} | {of_read:.1%} | {of_all:.1%}"
            lines.append(f"| {part} | {len(some)} | {name} | {share} |")
    return "\n".join(lines)


def held_out() -> str:
    """Of examples read by others than themselves: how many are read, and how many rightly."""
    tables = shipped_table("qa", "wordings.yaml")
    lines = ["| about | language | examples | read | rightly |", "|---|---|--:|--:|--:|"]
    for about in ("condition", "drug"):
        for language in ("en", "zh"):
            both = {**tables[about], **tables["nothing"]}
            examples = {h: both[h][language].splitlines() for h in both}
            found = [*_folds(examples)]
            near = [(heading, one) for heading, one in found if one.margin >= LEAST_MARGIN]
            right = sum(heading == one.group for heading, one in near) / len(near)
            read = len(near) / len(found)
            lines.append(f"| {about} | {language} | {len(found)} | {read:.0%} | {right:.1%} |")
    return "\n".join(lines)


def _folds(examples: dict[str, list[str]]) -> Iterable[tuple[str, Likeness]]:
    for fold in range(_FOLDS):
        rest = {
            heading: [line for at, line in enumerate(lines) if at % _FOLDS != fold]
            for heading, lines in examples.items()
        }
        others = Examples(rest, features_of)
        for heading, lines in examples.items():
            yield from ((heading, others.nearest(line)) for line in lines[fold::_FOLDS])


@click.command()
def wordings() -> None:
    """Say how well words are read."""
    click.echo(f"{table(labelled())}\n\n{held_out()}")


if __name__ == "__main__":
    wordings()
