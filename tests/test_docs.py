"""Every medkg command line in the documents is one that the command takes."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import pytest

from kg.commands import main

REPOSITORY = Path(__file__).resolve().parent.parent
PAGES = [REPOSITORY / "README.md", REPOSITORY / "CONTRIBUTING.md"]
PAGES += sorted((REPOSITORY / "docs").glob("*.md"))
FENCED = re.compile(r"^```\w*\n(.*?)^```", re.MULTILINE | re.DOTALL)
IN_TEXT = re.compile(r"`(medkg [^`]+)`")


class Line(NamedTuple):
    """A command line and the page that has it."""

    page: str
    text: str


def command_lines(page: Path) -> Iterator[str]:
    """What a page shows to type, comments and pipes left away; a line may go on behind a backslash."""
    text = page.read_text("utf-8")
    blocks = "\n".join(FENCED.findall(text)).replace("\\\n", " ")
    for line in blocks.splitlines():
        yield from re.findall(r"(?:^|\$ |\| |&& |run --rm )(medkg [a-z].*)", line.strip())
    yield from IN_TEXT.findall(FENCED.sub("", text))


LINES = [Line(page.name, line) for page in PAGES for line in command_lines(page)]


def fault(text: str) -> str | None:
    """Why a command line is not one that medkg takes; None if it is."""
    words = shlex.split(re.split(r" [|>] ?| && |  #| #\s", text)[0], comments=False)[1:]
    command: click.Command = main
    context = click.Context(main)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        name = words.pop(0)
        found = command.get_command(context, name)
        if found is None:
            return f"no command {name}"
        command = found
    options = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    options |= {"--help"}
    if unknown := [w for w in words if w.startswith("--") and w.partition("=")[0] not in options]:
        return f"no option {unknown[0]}"
    return None


def options_of(command: click.Command, context: click.Context) -> set[str]:
    """The options of a command and of all below it."""
    own = {name for each in command.params for name in (*each.opts, *each.secondary_opts)}
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            own |= options_of(below, context) if below else set()
    return own | {"--help"}


def test_every_option_that_a_text_names_is_one_of_a_command() -> None:
    options = options_of(main, click.Context(main))
    named = {
        (page.name, name)
        for page in PAGES
        for name in re.findall(r"`(--[a-z][\w-]*)", FENCED.sub("", page.read_text("utf-8")))
    }
    assert len(named) > 10
    assert sorted(each for each in named if each[1] not in options) == []


def test_the_documents_show_command_lines() -> None:
    assert {"README.md", "pages.md", "sources.md"} <= {line.page for line in LINES}
    assert len(LINES) > 100


@pytest.mark.parametrize("line", LINES, ids=lambda line: f"{line.page}: {line.text}")
def test_a_command_line_of_the_documents_is_one_that_medkg_takes(line: Line) -> None:
    assert fault(line.text) is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("medkg build --config build.yaml", "no option --config"),
        ("medkg biuld", "no command biuld"),
        ("medkg db upp", "no command upp"),
        ("medkg build build.yaml --graph neo4j://localhost:7687  # again", None),
        ("medkg embed train --seeds=3 | tee log", None),
    ],
)
def test_what_medkg_does_not_take_is_found(text: str, why: str | None) -> None:
    assert fault(text) == why
