"""What commands share: options, and how one runs another."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., object])

graph_option = click.option(
    "--graph",
    metavar="URI",
    help="The graph: bolt:// or neo4j:// address, or a .lbug file. "
    "Without it NEO4J_URI, else the embedded store in .medkg/.",
)
"""Passes ``graph: str | None``, as ``kg.connect`` takes it."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""Passes ``as_json: bool``."""

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
    """Run another command line in this process; a failure ends this one with its exit code."""
    root = ctx.find_root()
    debug = ["--debug"] if root.params.get("debug") else []
    code = root.command.main([*debug, *arguments], "medkg", standalone_mode=False)
    if code:  # what a command returns is dropped by click, so this is an exit code
        ctx.exit(code)


def comma_list(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> tuple[str, ...] | None:
    """A click callback: words separated by commas."""
    if value is None:
        return None
    items = tuple(item.strip() for item in value.split(",") if item.strip())
    if not items:
        raise click.BadParameter("empty; write one or more items, separated by commas", ctx, param)
    return items


def pairs_of(texts: Iterable[str]) -> dict[str, str]:
    """The parameters that a command line gives as ``KEY=VALUE``.

    Raises:
        UsageError: one is no such text, or a key comes twice.
    """
    values: dict[str, str] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise click.UsageError(f"{text!r} is no parameter; write KEY=VALUE")
        if key in values:
            raise click.UsageError(f"{key} is given twice; separate a list's items by commas")
        values[key] = value
    return values
