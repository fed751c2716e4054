"""What the tests of ``medkg link`` share: a table of names, and how a run is read."""

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from kg.commands import main

ROWS = """\
id,type,name,language,cui
MONDO:0005068,Disease,myocardial infarction,en,C0027051
MONDO:0005068,Disease,heart attack,en,C0027051
MONDO:0005068,Disease,心肌梗死,zh,C0027051
MONDO:0005812,Disease,influenza,en,C0021400
MONDO:0005812,Disease,flu,en,C0021400
HP:0001945,Symptom,fever,en,C0015967
HP:0001945,Symptom,发热,zh,C0015967
HP:0012735,Symptom,cough,en,C0010200
MONDO:1,Disease,lyme disease,en,
MONDO:1,Disease,borreliosis,en,
MONDO:2,Disease,tick-borne illness,en,
MONDO:2,Disease,borreliosis,en,
"""
"""A table of names, one of which two entities also go by."""

PYSBD = "ignore:invalid escape sequence"
"""Of a package that scispaCy brings."""


def medkg(*arguments: str | Path, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), input=stdin)


def write_names(folder: Path) -> Path:
    """The table as a file."""
    file = folder / "names.csv"
    file.write_text(ROWS, encoding="utf-8")
    return file


def lines(result: Result) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout_bytes.splitlines()]


def ids(line: dict[str, Any]) -> list[str | None]:
    return [each["entity"] and each["entity"]["id"] for each in line["mentions"]]
