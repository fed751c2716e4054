"""Options that commands share."""

import click

graph_option = click.option(
    "--graph",
    metavar="URI",
    help="The graph: bolt:// or neo4j:// address, or a .lbug file. "
    "Without it NEO4J_URI, else the embedded store in .medkg/.",
)
"""Passes ``graph: str | None``, as ``kg.connect`` takes it."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
"""Passes ``as_json: bool``."""

csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV.")
"""Passes ``as_csv: bool``."""


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
