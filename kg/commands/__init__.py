"""The root of the command line.

Command groups are found through the entry points ``medkg.commands``, so this
package imports none of them, and another distribution can add its own. Their
modules import nothing heavy at the top: ``medkg --help`` loads them all.
"""

import gc
import json
import sys
from collections.abc import Sequence
from functools import cached_property
from gettext import gettext, ngettext
from importlib.metadata import EntryPoint, entry_points, version
from io import StringIO
from itertools import takewhile
from typing import Any, Final

import click

from cypher.errors import MedKGError
from cypher.translation import (
    CHINESE,
    language_of,
    language_of_environment,
    speaking,
    spoken,
    translate,
)
from kg.commands.help import in_language, measure_in_cells, translated
from kg.commands.lines import say
from kg.commands.options import (
    comma_list,
    csv_option,
    graph_option,
    group_json_option,
    json_option,
    lang_option,
    language_given,
    pairs_of,
    remember_language,
    speak,
    timeout_option,
)
from kg.commands.progress import Bars
from kg.commands.table import (
    AnswerForm,
    CsvForm,
    hint_if_empty,
    show,
    show_answer,
    show_json,
)
from kg.printing import harmless, harmless_json

__all__ = [
    "AnswerForm",
    "Bars",
    "CsvForm",
    "Root",
    "comma_list",
    "csv_option",
    "graph_option",
    "group_json_option",
    "harmless",
    "hint_if_empty",
    "json_option",
    "lang_option",
    "main",
    "pairs_of",
    "say",
    "show",
    "show_answer",
    "show_json",
    "speak",
    "timeout_option",
]

GROUP = "medkg.commands"
"""The entry points that are commands."""

_JSON_ERRORS = "medkg.json_errors"
"""Whether ``--json`` is among the arguments, among what contexts share."""

INTERRUPTED = 130
"""Exit code after Ctrl-C, as shells have it."""


COLLECTING: Final = (50_000, 10, 10)
"""Thresholds of Python's garbage collector: the expressions of a build are small objects by the
million, most of which live, and walking them after every 700 new ones takes a tenth of its time."""

_OF_A_LANGUAGE = frozenset({"question", "text"})
"""Arguments that say which language a command answers in, so that its errors are in it, too."""


class Root(click.Group):
    """Loads a command when it is asked for, and prints errors as one line."""

    def main(self, args: Sequence[str] | None = None, *more: Any, **options: Any) -> Any:  # noqa: ANN401 - click's own
        """Run a command line; whatever is wrong with it is said in its language.

        Raises:
            MedKGError: the file of the language is malformed.
        """
        gc.set_threshold(*COLLECTING)
        code = language_given(sys.argv[1:] if args is None else args)
        with speaking(code or language_of_environment()):
            return super().main(args, *more, **options)

    @cached_property
    def _entries(self) -> dict[str, EntryPoint]:
        """By name; read once, for that looks at every distribution there is."""
        return {entry.name: entry for entry in entry_points(group=GROUP)}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all commands."""
        del ctx
        return sorted(self._entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name; it and those below it take ``--lang``.

        One that another distribution broke is shown as broken, and stops no other.
        """
        del ctx
        entry = self._entries.get(cmd_name)
        if entry is None:
            return None
        try:
            command = entry.load()
        except (ImportError, AttributeError) as e:
            return _broken(entry, e)
        if not isinstance(command, click.Command):
            return _broken(entry, TypeError(f"{entry.value} is no click command"))
        _take_language(command)
        return in_language(command)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what medkg is, in the language that is spoken."""
        del ctx
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(translated(self.help or ""))

    def get_params(self, ctx: click.Context) -> list[click.Parameter]:
        """The options before a command, with their help in the language that is spoken."""
        given = click.Group(self.name, params=super().get_params(ctx), add_help_option=False)
        return in_language(given).params

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Remember which language is spoken, and if JSON is wanted: errors are then JSON, too."""
        ctx.meta[_JSON_ERRORS] = "--json" in takewhile(lambda argument: argument != "--", args)
        remember_language(ctx, args)
        try:
            return super().parse_args(ctx, args)
        except click.exceptions.NoArgsIsHelpError:
            raise
        except click.UsageError as e:
            self._print_error(ctx, e)
            ctx.exit(e.exit_code)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names; an error names those that are spelt alike."""
        try:
            name, command, rest = super().resolve_command(ctx, args)
        except click.NoSuchCommand as e:
            raise click.NoSuchCommand(e.command_name, None, self._entries, ctx) from None
        text = " ".join(rest)
        asks = command and any(parameter.name in _OF_A_LANGUAGE for parameter in command.params)
        runs = click.get_current_context(silent=True) is not None
        if runs and asks and language_of(text) == CHINESE:
            speak(text)
        return name, command, rest

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; an error of the user's input is one line and exit code 1."""
        speak()
        try:
            return super().invoke(ctx)
        except click.ClickException as e:
            self._print_error(
                ctx, e
            )  # here, for behind this the language of a question is not spoken
            ctx.exit(e.exit_code)
        except (click.Abort, click.exceptions.Exit, BrokenPipeError):
            raise
        except KeyboardInterrupt:
            say(translate("Stopped."), err=True)
            ctx.exit(INTERRUPTED)
        except Exception as e:
            if ctx.params.get("debug"):
                raise
            if ctx.meta[_JSON_ERRORS]:
                _show_error(e, _sentence(e))
            else:
                message = harmless(_sentence(e))
                say(translate("Error: {message}", message=message), err=True)
            ctx.exit(1)

    def _print_error(self, ctx: click.Context, error: click.ClickException) -> None:
        if ctx.meta[_JSON_ERRORS]:
            _show_error(error, error.format_message())
        else:
            told = StringIO()
            error.show(told)
            say(told.getvalue().rstrip("\n"), err=True)


def _take_language(command: click.Command) -> None:
    """Add ``--lang`` to a command and all below it, where it is not yet."""
    if not any("--lang" in parameter.opts for parameter in command.params):
        lang_option(command)
    if isinstance(command, click.Group):
        for below in command.commands.values():
            _take_language(below)


def _speak_for_click() -> None:
    """Have click say its own texts, of usage errors and around help, in the language spoken.

    It takes them from gettext, whose catalogues are compiled files; ours are read.
    """

    def one(text: str) -> str:
        return spoken().texts.get(text) or gettext(text)

    def one_or_more(singular: str, plural: str, number: int) -> str:
        translated = spoken().texts.get(singular if number == 1 else plural)
        return translated or ngettext(singular, plural, number)

    for name, module in sys.modules.items():
        if name.startswith("click."):
            for function, ours in (("_", one), ("ngettext", one_or_more)):
                if hasattr(module, function):
                    setattr(module, function, ours)


_speak_for_click()
measure_in_cells()


def _broken(entry: EntryPoint, error: Exception) -> click.Command:
    reason = translate(
        "{module} cannot be loaded ({why}); install medkg again", module=entry.value, why=error
    )

    def fail() -> None:
        raise MedKGError(
            translate("the command {name}: {reason}", name=entry.name, reason=reason)
        ) from error

    return click.Command(entry.name, callback=fail, short_help="(cannot be loaded)")


def _show_error(error: Exception, message: str) -> None:
    """One line of JSON on stderr: the error's type, its sentence, and what else it tells."""
    about = {"type": type(error).__name__, "message": message, **getattr(error, "details", {})}
    text = json.dumps({"error": about}, ensure_ascii=False)
    click.echo(harmless_json(text), err=True)


def _sentence(error: Exception) -> str:
    """One line for a person: what, where, what to do."""
    if isinstance(error, MedKGError):
        return " ".join(str(error).split())
    if isinstance(error, OSError) and error.strerror:
        where = f"{error.filename}: " if error.filename is not None else ""
        return f"{where}{translate(error.strerror)}"
    return translate(
        "{error}: {message} (a mistake in medkg; 'medkg --debug …' shows where)",
        error=type(error).__name__,
        message=" ".join(str(error).split()),
    )


@click.group(cls=Root, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version("medkg"), prog_name="medkg")
@click.option("--debug", is_flag=True, help="Show where an error arose.")
@group_json_option
@lang_option
def main(debug: bool) -> None:
    """Medical knowledge from many sources as one graph, asked by Cypher."""
    del debug  # read by Root.invoke
