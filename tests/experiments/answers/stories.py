"""Measures how stories are read: ``python -m tests.experiments.answers.stories HOME``.

``stories.tsv`` has what laymen tell without naming anything: 100 conditions, 60 emergencies, 60 mild
matters in words that emergencies have too, and 60 questions for knowledge. It was written by somebody
who knew neither the code nor any story of the package. ``what`` has the names of a condition that are as right.
"""

import csv
from collections import Counter
from pathlib import Path
from typing import Final

import click

import kg
from kg.configuration import Settings
from kg.linking import Linker
from qa.emergencies import find_emergency
from qa.questions import read

_FILE: Final = Path(__file__).parent / "stories.tsv"


def table(linker: Linker) -> str:
    """For each kind and language: sent for help, by signs alone too, and read as a condition."""
    asked, help_first, by_signs, described, right = (Counter[tuple[str, str]]() for _ in range(5))
    with _FILE.open(encoding="utf-8", newline="") as lines:
        rows = [*csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)]
    for row in rows:
        of = row["kind"], row["language"]
        question = read(row["text"], linker)
        typical = [s for p in question.parts if p.is_described for s in p.subjects]
        known = {
            each.id
            for name in row["what"].split("|")
            for each in linker.called(name, ("Disease", "Symptom"))
        }
        asked[of] += 1
        help_first[of] += question.emergency is not None
        by_signs[of] += find_emergency(row["text"], stories=False) is not None
        described[of] += bool(typical)
        right[of] += any(subject.id in known for subject in typical)
    head = "| | | texts | sent for help | by signs alone | read as a condition | as the right one, by name |"
    return "\n".join(
        [head, "|---|---|--:|--:|--:|--:|--:|"]
        + [
            f"| {kind} | {language} | {asked[kind, language]} | {help_first[kind, language]} "
            f"| {by_signs[kind, language]} | {described[kind, language]} | {right[kind, language]} |"
            for kind, language in asked
        ]
    )


@click.command()
@click.argument("home", type=click.Path(path_type=Path, exists=True, file_okay=False))
def stories(home: Path) -> None:
    """Say how stories are read by the graph of a home."""
    settings = Settings(home=home)
    with kg.connect(None, settings) as store:
        click.echo(table(Linker.of_store(store, settings.linking)))


if __name__ == "__main__":
    stories()
