"""Answers our own questions, and counts the grades that a reader gave to the answers.

``python -m tests.experiments.answers.grading answers HOME dev`` prints an answer a paragraph, as a
reader grades it; ``... table GRADES ...`` prints the tables of docs/answers-gold.md.
"""

import csv
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

import click

import kg
from cypher.translation import CHINESE, language_of, speaking, spoken
from kg.configuration import Settings
from kg.errors import MedKGError
from kg.linking import Linker
from qa.answer_json import answer_json
from qa.assembly import AnswerOptions, assemble
from qa.questions import read as read_question
from tests.experiments.answers.gold import FILE, LATER_FILES, Asked, Part, of_part, read

GRADES: Final = ("right", "partly", "wrong", "refused rightly", "refused wrongly")
_ROWS: Final = 10
"""Facts of an answer that a reader is shown: a right one is among these (docs/answers-gold.md)."""


class Graded(NamedTuple):
    """A line of a file of grades."""

    id: str
    grade: str
    """One of ``GRADES``."""
    flag: str
    """emergency missed, false alarm, part dropped, not in the graph; or empty."""
    remark: str
    """Why, in a few words."""


def read_grades(file: Path, questions: Iterable[Asked]) -> list[Graded]:
    """The grades of a file.

    Raises:
        ValueError: a line has no known grade, or the questions graded are not all of one part.
    """
    with file.open(encoding="utf-8", newline="") as lines:
        rows = [Graded._make(row) for row in csv.reader(lines, delimiter="\t")][1:]
    if odd := [row.id for row in rows if row.grade not in GRADES]:
        raise ValueError(f"{file.name}: {', '.join(odd)}: the grades are {', '.join(GRADES)}")
    parts: dict[str, list[str]] = {}
    for each in questions:
        parts.setdefault(each.part, []).append(each.id)
    if [row.id for row in rows] not in parts.values():
        raise ValueError(f"{file.name}: grade each question of one part once, in their order")
    return rows


def shown(answer: Mapping[str, Any]) -> str:
    """An answer, as ``answer_json`` has it, in the lines that a person reads of it."""
    if answer["emergency"]:
        return f"!! {answer['emergency']['advice']}"
    if answer.get("greeting"):
        return f"GREETING {answer['greeting']}"
    return "\n".join(line for part in answer["parts"] for line in _lines(part))


def _lines(part: Mapping[str, Any]) -> Iterator[str]:
    about = ", ".join(f"{one['name']} ({one['id']})" for one in part["entities"])
    yield f"# {part['part']} => {part['heading']}: {about}"
    yield from (f"  note: {note}" for note in (*part["notes"], part.get("note")) if note)
    if part["answer"]:
        titles = {s["passage"]["title"] for s in part["answer"] if s["passage"]}
        yield f"  says {titles or ''}: " + " ".join(one["text"] for one in part["answer"])
    if "rows" in part:
        rows = [_row(row) for row in part["rows"][:_ROWS]]
        yield f"  {part['total']} facts by {part['query']}: " + "; ".join(rows)
    if "problem" in part:
        yield f"  NOT: {part['problem']}"


def _row(row: Mapping[str, Any]) -> str:
    """The names in a row, in the language that is spoken where it has one, and what stands beside."""
    told = []
    chinese = spoken().code == CHINESE
    for key, value in row.items():
        own = key.removesuffix("_name")
        if not value or key.endswith(("_id", "_zh", "sources", "publications", "_type")):
            continue
        told.append(
            str((chinese and row.get(f"{own}_name_zh")) or value)
            if key.endswith("_name")
            else f"{value}"
        )
    return " ".join(told)[:160]


def table(graded: Sequence[Graded], questions: Iterable[Asked]) -> str:
    """Grades by language, then by kind, as Markdown."""
    by_id = {each.id: each for each in questions}
    groups: dict[str, list[Graded]] = {}
    for each in graded:
        asked = by_id[each.id]
        for group in (asked.language, "all", asked.kind):
            groups.setdefault(group, []).append(each)
    order = ["en", "zh", "all", *(kind for kind in groups if kind not in ("en", "zh", "all"))]
    flags = ("part dropped", "not in the graph", "false alarm", "emergency missed")
    lines = [
        "| | " + " | ".join(("questions", *GRADES, "right or refused rightly", *flags)) + " |",
        "|---|" + "--:|" * (len(GRADES) + len(flags) + 2),
    ]
    for group in filter(groups.__contains__, order):
        rows = groups[group]
        counted = Counter(row.grade for row in rows)
        flagged = Counter(row.flag for row in rows)
        good = (counted["right"] + counted["refused rightly"]) / len(rows)
        cells = [len(rows), *(counted[g] for g in GRADES), f"{good:.0%}"]
        cells += [flagged[f] for f in flags]
        lines.append(f"| {group} | " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


@click.group()
def grading() -> None:
    """Answers our own questions, and counts the grades of the answers."""


@grading.command("answers")
@click.argument("home", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("part", type=click.Choice(get_args(Part)))
@click.argument("ids", nargs=-1)
def answers_command(home: Path, part: Part, ids: tuple[str, ...]) -> None:
    """Answer the questions of PART (or those of the IDS) from the graph and the texts in HOME."""
    settings = Settings(home=home)
    with kg.connect(None, settings) as store:
        linker = Linker.of_store(store, settings.linking)
        answerer = assemble(store, linker, AnswerOptions(), settings, click.echo)
        for each in of_part(part):
            if ids and each.id not in ids:
                continue
            before = read_question(each.before, linker) if each.before else None
            with speaking(language_of(each.question)):
                try:
                    answer = answerer.answer(each.question, before)
                    told = shown(answer_json(answer, answerer.index))
                except MedKGError as e:
                    told = f"NOT: {e}"
            asked = f"[{each.before}] {each.question}" if each.before else each.question
            click.echo(f"{each.id} {each.kind}: {asked}\n  MUST {each.expected}: {each.must_say}")
            click.echo(f"{told}\n")


@grading.command("table")
@click.argument("files", nargs=-1, type=click.Path(exists=True, dir_okay=False, path_type=Path))
def table_command(files: tuple[Path, ...]) -> None:
    """Print the tables of the grades in FILES."""
    questions = [each for file in (FILE, *LATER_FILES.values()) for each in read(file)]
    for file in files:
        click.echo(f"{file.name}\n\n{table(read_grades(file, questions), questions)}\n")


if __name__ == "__main__":
    grading()
