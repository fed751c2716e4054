"""Counts false rows among the first ten of answers about common diseases and drugs.

``python -m tests.experiments.answers.rows HOME mended`` asks the diseases and drugs of
``rows-asked.tsv`` that the rules were mended by, ``... unseen`` those that they were not. A row is
false that stands in ``rows-false.tsv``, which has what one reader, no physician, found plainly false
before and after the rules; what was doubtful is not in it. A new row has to be read and put there.
"""

import csv
import sys
from collections import Counter
from pathlib import Path
from typing import Final

import click

import kg
from cypher.translation import CHINESE, speaking
from kg.configuration import Settings
from kg.linking import Linker
from qa.facts import NoFactError, facts_of
from qa.questions import read

_HERE: Final = Path(__file__).parent
_SHOWN: Final = 10
_QUESTIONS: Final = {
    "disease": {
        "symptoms": ("What are the symptoms of {}?", "{}有什么症状"),
        "causes": ("What causes {}?", "{}是什么原因引起的"),
        "drugs": ("Which drugs treat {}?", "{}吃什么药"),
        "treatments": ("How is {} treated?", "{}怎么治疗"),
        "complications": ("What are the complications of {}?", "{}有什么并发症"),
    },
    "drug": {
        "side effects": ("What are the side effects of {}?", "{}有什么副作用"),
        "uses": ("What is {} used for?", "{}治什么病"),
        "contraindications": ("What are the contraindications of {}?", "{}的禁忌症有哪些"),
    },
}


def table(name: str) -> list[dict[str, str]]:
    """The rows of a table beside this module."""
    with (_HERE / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def main(home: Path, asked: str) -> None:
    """Print how many rows of each question are false, and which."""
    false = {(row["about"], row["question"], row["row"]) for row in table("rows-false.tsv")}
    settings = Settings(home=home)
    shown: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    lists: Counter[bool] = Counter()
    with kg.connect(settings=settings) as store:
        linker = Linker.of_store(store, settings.linking)
        for thing in (row for row in table("rows-asked.tsv") if row["set"] == asked):
            about, language = thing["about"], thing["language"]
            for question, wordings in _QUESTIONS[thing["type"]].items():
                text = wordings[language == CHINESE].format(about)
                with speaking(language):
                    try:
                        facts = facts_of(store, read(text, linker).parts[0], linker)
                    except NoFactError:
                        continue
                    at = next(n for n, c in enumerate(facts.rows.columns) if c.endswith("_id"))
                    ids = [str(row[at]) for row in facts.rows.rows[:_SHOWN]]
                    names = [facts.called({id_}).get(id_, id_) for id_ in ids]
                found = [name for name in names if (about, question, name) in false]
                shown[question] += len(names)
                wrong[question] += len(found)
                lists[bool(found)] += 1
                if found:
                    click.echo(f"{about}, {question}: {', '.join(found)}")
    for question, number in shown.items():
        click.echo(f"{question}: {wrong[question]} of {number}")
    rows = shown.total()
    click.echo(f"{wrong.total()} of {rows} rows, {10 * wrong.total() / rows:.2f} of ten")
    click.echo(f"{lists[True]} of {lists.total()} lists have one")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
