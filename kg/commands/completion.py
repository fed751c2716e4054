"""``medkg completion``: Tab for commands, options, queries, parameters, kinds and layers."""

import os
from pathlib import Path
from typing import Final

import click
from click.shell_completion import CompletionItem, get_completion_class

from cypher.translation import translate
from kg.commands.lines import say
from kg.commands.options import json_option
from kg.commands.table import show_json
from kg.errors import MedKGError

_FILES: Final = {
    "bash": "bash-completion/completions/medkg",
    "fish": "fish/vendor_completions.d/medkg.fish",
    "zsh": "zsh/site-functions/_medkg",
}
"""Where each shell looks, below the user's folder of data (XDG_DATA_HOME)."""

_TIGHT: Final = {
    "bash": (
        "    return 0\n",
        "    [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n    return 0\n",
    ),
    "zsh": (
        "        _describe -V unsorted completions_with_descriptions -U\n",
        """\
        local -a tight
        [[ $key == *= ]] && tight=(-S '')
        _describe -V unsorted completions_with_descriptions -U "${tight[@]}"
""",
    ),
}
"""A line of click's script for a shell, and what it becomes so that no space follows ``KEY=``; fish
sets none there."""


@click.command("completion")
@click.argument("shell", required=False, type=click.Choice([*_FILES]))
@click.option("--print", "only_print", is_flag=True, help="Print the script; write no file.")
@json_option
@click.pass_context
def completion_command(
    ctx: click.Context, shell: str | None, only_print: bool, as_json: bool
) -> None:
    """Install completion by Tab for SHELL (default: the one that SHELL names).

    One file is written, into the user's folder of data; a new shell reads it.
    """
    shell = shell or Path(os.environ.get("SHELL", "")).name
    made = get_completion_class(shell) if shell in _FILES else None
    if made is None:
        raise MedKGError(
            translate(
                "completion for {shell} is not known; name one of {known}",
                shell=shell or translate("a shell that has no name"),
                known=", ".join(_FILES),
            )
        )
    script = made(ctx.find_root().command, {}, "medkg", "_MEDKG_COMPLETE").source()
    if shell in _TIGHT:
        script = script.replace(*_TIGHT[shell])
    if only_print:
        if as_json:
            show_json({"shell": shell, "script": script})
        else:
            click.echo(script)
        return
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    file = data / _FILES[shell]
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(script, encoding="utf-8")
    if as_json:
        show_json({"shell": shell, "file": str(file)})
        return
    say(translate("Wrote {file}; open a new shell.", file=file))
    if shell == "zsh":
        line = f"fpath+=({file.parent})"
        say(translate("In ~/.zshrc, before compinit: {line}", line=line))


def query_names(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Named queries, with what they answer."""
    from cypher import load_catalogue

    del ctx, param
    return [
        CompletionItem(query.name, help=query.title)
        for query in load_catalogue()
        if query.name.startswith(incomplete)
    ]


def query_parameters(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """``KEY=`` of the query that the line names, but for those that are given."""
    from cypher import QueryError, load_catalogue

    given_names = {pair.partition("=")[0] for pair in ctx.params.get(param.name or "") or ()}
    try:
        query = load_catalogue().find(ctx.params.get("name") or "")
    except QueryError:
        return []
    return [
        CompletionItem(f"{parameter.name}=", help=f"{parameter.type}: {parameter.about}")
        for parameter in query.parameters
        if parameter.name not in given_names and f"{parameter.name}=".startswith(incomplete)
    ]


def layer_names(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Layers whose tables are kept."""
    import kg

    del ctx, param
    folder = kg.Settings.read().layers
    names = sorted(path.name for path in folder.iterdir()) if folder.is_dir() else []
    return [CompletionItem(name) for name in names if name.startswith(incomplete)]
