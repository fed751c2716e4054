"""The examples of docs/sources.md, read as they stand there."""

import csv
import re
from pathlib import Path

import openpyxl
import pytest
import yaml

from ingest.configuration import BuildConfig, read_config
from tests.ingest.sources.conftest import Read

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "sources.md").read_text(encoding="utf-8")
EXAMPLES = {
    part.split("\n", 1)[0]: re.findall(r"```\w*\n(.*?)```", part.split("\n#", 1)[0], re.DOTALL)
    for part in PAGE.split("### Example: ")[1:]
}
"""Table, configuration and what is read, by title."""


def written(path: Path, table: str) -> None:
    """The table of an example, in the format of the file that the example names."""
    if path.suffix == ".csv":
        path.write_text(table, encoding="utf-8")
    elif path.suffix == ".tsv":
        path.write_text(table.replace(",", "\t"), encoding="utf-8")
    else:
        book = openpyxl.Workbook()
        for row in csv.reader(table.splitlines()):
            book.active.append([int(cell) if cell.isdecimal() else cell or None for cell in row])
        book.save(path)


def test_page_has_four_examples() -> None:
    assert [len(blocks) for blocks in EXAMPLES.values()] == [3, 3, 3, 3]


@pytest.mark.parametrize("title", EXAMPLES)
def test_example_gives_what_the_page_shows(tmp_path: Path, read: Read, title: str) -> None:
    table, configuration, shown = EXAMPLES[title]
    (tmp_path / "medkg.yaml").write_text(f"sources:\n{configuration}", encoding="utf-8")
    (source,) = read_config(tmp_path / "medkg.yaml").sources
    (path,) = (value for _, value in source if isinstance(value, Path))
    written(path, table)
    left = read(source)
    assert all(a["problem"] is None for a in left.assertions)
    said = sorted(" ".join(fact) for fact in left.facts())
    refused = [f"row {row}: {reason}" for row, reason in sorted(left.reasons().items())]
    assert [*said, *refused] == shown.splitlines()


def test_every_configuration_on_the_page_can_be_read() -> None:
    blocks = re.findall(r"```yaml\n(- kind.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 5
    known = {"kind": "hpo"}
    for block in blocks:
        BuildConfig.model_validate({"sources": [known, *yaml.safe_load(block)]})
