"""Help in the language that is spoken: click has it in English, and measures it in characters."""

import inspect
from collections.abc import Callable
from copy import copy
from typing import Final

import click
import click.formatting

from cypher.translation import ENGLISH, spoken, translate

_AS_IT_IS: Final = "\b"
"""Begins a paragraph that click does not wrap."""
_EXAMPLE: Final = "For example: "


def in_language(command: click.Command) -> click.Command:
    """A command with all below it whose help is in the language that is spoken.

    It is a copy, for another call may speak another language; in English it is the command itself.
    """
    if spoken().code == ENGLISH:
        return command
    told = copy(command)
    told.help = translated(command.help or "")
    first, _, _ = told.help.partition("\n\n")
    told.short_help = command.short_help or first.rstrip("。")
    told.params = [*map(_parameter, command.params)]
    if isinstance(told, click.Group):
        told.commands = {name: in_language(each) for name, each in told.commands.items()}
    return told


def translated(text: str) -> str:
    """A help text, paragraph by paragraph; one that is not translated stays as it is."""
    paragraphs = inspect.cleandoc(text).partition("\f")[0].split("\n\n")
    return "\n\n".join(map(_paragraph, paragraphs))


def paragraphs_of(command: click.Command) -> set[str]:
    """The texts of the help of a command and its options that a language has to have."""
    options = (each.help for each in command.params if isinstance(each, click.Option))
    texts = filter(None, (command.help, *options))
    paragraphs = {each for text in texts for each in inspect.cleandoc(text).split("\n\n")}
    wrapped = {" ".join(each.split()) for each in paragraphs if not each.startswith(_AS_IT_IS)}
    return {each for each in wrapped if not each.startswith(_EXAMPLE)}


def _paragraph(text: str) -> str:
    if text.startswith(_AS_IT_IS):
        return text
    text = " ".join(text.split())
    if text.startswith(_EXAMPLE):
        command = text.removeprefix(_EXAMPLE)
        return translate("For example: {command}", command=command)
    return translate(text)


def _parameter(parameter: click.Parameter) -> click.Parameter:
    if not isinstance(parameter, click.Option) or not parameter.help:
        return parameter
    told = copy(parameter)
    told.help = translated(parameter.help)
    return told


def measure_in_cells() -> None:
    """Have click lay out help by the cells that characters take, and break Chinese between them."""
    wrap: Callable[..., str] = click.formatting.wrap_text
    length: Callable[[str], int] = vars(click.formatting)["term_len"]

    def term_len(text: str) -> int:
        if text.isascii():
            return length(text)
        from rich.cells import cell_len

        return cell_len(click.unstyle(text))

    def wrap_text(
        text: str,
        width: int = 78,
        initial_indent: str = "",
        subsequent_indent: str = "",
        preserve_paragraphs: bool = False,
    ) -> str:
        if text.isascii():
            return wrap(text, width, initial_indent, subsequent_indent, preserve_paragraphs)
        from kg.commands.lines import lines

        told = []
        for paragraph in text.split("\n\n") if preserve_paragraphs else [text]:
            if paragraph.startswith(_AS_IT_IS):
                of_paragraph = paragraph.splitlines()[1:]
            else:
                of_paragraph = lines(" ".join(paragraph.split()), width - len(subsequent_indent))
            told.append("\n".join(subsequent_indent + line for line in of_paragraph))
        return initial_indent + "\n\n".join(told).removeprefix(subsequent_indent)

    vars(click.formatting).update(term_len=term_len, wrap_text=wrap_text)
