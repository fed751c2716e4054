"""What commands share: options, and how one runs another."""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import redirect_stdout
from io import StringIO
from itertools import takewhile, zip_longest
from typing import Any, Final, TypeVar

import click

from cypher.translation import (
    known_language,
    language_of,
    language_of_environment,
    languages,
    speaking,
    translate,
)

Command = TypeVar("Command", bound=Callable[..., object])

graph_option = click.option(
    "--graph",
    metavar="URI",
    help="The graph: bolt:// or neo4j:// address, or a .lbug file. "
    "Without it NEO4J_URI, else the embedded store in .medkg/.",
)
"""Passes ``graph: str | None``, as ``kg.connect`` takes it."""

_AS_JSON: Final = "medkg.json"
"""Whether ``--json`` was given before the command's name, among what contexts share."""
_LANGUAGE: Final = "medkg.language"
"""The code that ``--lang`` gave, among what contexts share."""


def _json(ctx: click.Context, param: click.Parameter, value: bool) -> bool:
    """A click callback: a group remembers the flag for the commands below it."""
    del param
    ctx.meta[_AS_JSON] = value or ctx.meta.get(_AS_JSON, False)
    return bool(ctx.meta[_AS_JSON])


def _lang(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
    """A click callback: the language must be known; ``language_given`` has read it already."""
    if value is not None and known_language(value) is None:
        known = ", ".join(languages())
        message = "there is no language {name!r}; choose one of {known}"
        raise click.BadParameter(translate(message, name=value, known=known), ctx, param)


def language_given(arguments: Iterable[str]) -> str | None:
    """The code that ``--lang`` gives in a command line, wherever it stands there.

    It is read before click reads the line, for what is wrong with the line is said in it, too.
    None: no language that is known is given.
    """
    before = [*takewhile(lambda argument: argument != "--", arguments)]
    languages = []
    for argument, following in zip_longest(before, before[1:], fillvalue=""):
        option, equals, value = argument.partition("=")
        if option == "--lang":
            languages.append(value if equals else following)
    return known_language(languages[-1]) if languages else None


def remember_language(ctx: click.Context, arguments: Iterable[str]) -> None:
    """Have all commands below a context speak the language that a command line gives."""
    if code := language_given(arguments):
        ctx.meta[_LANGUAGE] = code


def speak(text: str | None = None) -> None:
    """Speak the language of a text, or of the environment, unless ``--lang`` says which.

    It is spoken until the program's end, for an error is told last.

    Args:
        text: what somebody asks; None: nothing is asked.

    Raises:
        MedKGError: the file of the language is malformed.
    """
    ctx = click.get_current_context()
    of_text = language_of_environment() if text is None else language_of(text)
    ctx.find_root().with_resource(speaking(ctx.meta.get(_LANGUAGE, of_text)))


json_option = click.option("--json", "as_json", is_flag=True, callback=_json, help="Print JSON.")
"""Passes ``as_json: bool``."""

group_json_option = click.option(
    "--json", is_flag=True, expose_value=False, callback=_json, help="Print JSON."
)
"""Of a group: what its commands get as ``as_json``."""

lang_option = click.option(
    "--lang",
    metavar="LANGUAGE",
    expose_value=False,
    is_eager=True,
    callback=_lang,
    help="Language of titles and messages, e.g. en or zh.  [default: that of the question, else "
    "of LANG]",
)
"""Passes nothing: the language is spoken, as ``speak`` says it."""

_csv_option = click.option("--csv", "as_csv", flag_value="plain", help="Print CSV.")
_safe_csv_option = click.option(
    "--csv-safe",
    "as_csv",
    flag_value="safe",
    help="Print CSV for a spreadsheet: a text that begins as a formula does gets a ' before it.",
)


timeout_option = click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop the query after SECONDS.  [default: MEDKG_QUERY_TIMEOUT, else 60]",
)
"""Passes ``timeout: float | None``."""


def csv_option(command: Command) -> Command:
    """A decorator of commands that passes ``as_csv``, as ``show`` takes it."""
    return _csv_option(_safe_csv_option(command))


def run_command(ctx: click.Context, arguments: Sequence[str]) -> None:
    """Run another command line in this process, in the language that ``--lang`` gave.

    A failure ends this one with its exit code.
    """
    root = ctx.find_root()
    before = ["--debug"] if root.params.get("debug") else []
    if language := ctx.meta.get(_LANGUAGE):
        before += ["--lang", language]
    code = root.command.main([*before, *arguments], "medkg", standalone_mode=False)
    if code:  # what a command returns is dropped by click, so this is an exit code
        ctx.exit(code)


def answer_of(ctx: click.Context, arguments: Sequence[str]) -> Any:  # noqa: ANN401 - any JSON
    """What another command line gives as JSON; a failure ends this one with its exit code."""
    printed = StringIO()
    with redirect_stdout(printed):
        run_command(ctx, [*arguments, "--json"])
    return json.loads(printed.getvalue())


def comma_list(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    """A click callback: words separated by commas."""
    if value is None:
        return None
    items = tuple(item.strip() for item in value.split(",") if item.strip())
    if not items:
        message = translate("empty; write one or more items, separated by commas")
        raise click.BadParameter(message, ctx, param)
    return items


def pairs_of(texts: Iterable[str], only: str | None = None) -> dict[str, str]:
    """The parameters that a command line gives as ``KEY=VALUE``.

    Args:
        texts: of the command line.
        only: the parameter that a text without a key is for, if one alone is wanted.

    Raises:
        UsageError: one is no such text, or a key comes twice.
    """
    values: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            message = translate("{text!r} is no parameter; write KEY=VALUE", text=text)
            if only and not equals:
                meant = "{text!r} is no parameter; write {name}={text}"
                message = translate(meant, text=text, name=only)
            raise click.UsageError(message)
        if key in values:
            twice = translate("{key} is given twice; separate a list's items by commas", key=key)
            raise click.UsageError(twice)
        values[key] = value
    return values
