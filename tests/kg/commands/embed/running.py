"""Runs ``medkg`` in this process, and reads what it left."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from kg.commands import main

QUICK = ("--dim", "16", "--epochs", "6", "--evaluate-every", "3", "--device", "cpu")
"""Options of a training that takes a moment."""


def medkg(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


def card(folder: Path) -> dict[str, Any]:
    return dict(json.loads((folder / "card.json").read_text()))
