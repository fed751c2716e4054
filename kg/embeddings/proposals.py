"""Proposed edges as a table that people review: a CSV file with a column for their verdict."""

import csv
import math
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Final

from kg.embeddings.completion import Proposed
from kg.errors import EmbeddingError
from kg.stores.disk import disk_errors

ACCEPT: Final = "accept"
"""Column of the verdict."""

_FIELDS: Final = tuple(field.name for field in fields(Proposed))

COLUMNS: Final = (*_FIELDS, ACCEPT)
"""Of the table."""

_VERDICTS: Final = (
    {"": False}
    | dict.fromkeys(("yes", "y", "1", "true"), True)
    | dict.fromkeys(("no", "n", "0", "false"), False)
)


def cells(proposed: Proposed) -> tuple[str | int | float | None, ...]:
    """A row of the table, the verdict open."""
    values = (getattr(proposed, name) for name in _FIELDS)
    return (*(round(v, 4) if isinstance(v, float) else v for v in values), "")


def write_proposals(proposed: Iterable[Proposed], path: Path) -> None:
    """Write the table; a file that is there is replaced.

    Raises:
        StoreError: it cannot be written.
    """
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(COLUMNS)
            writer.writerows(map(cells, proposed))


def read_accepted(path: Path) -> list[Proposed]:
    """The rows that were accepted.

    Raises:
        EmbeddingError: the file is no such table, a cell is not what it must be, or no row
            was accepted.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            missing = set(COLUMNS) - set(rows.fieldnames or ())
            if missing:
                raise EmbeddingError(
                    f"{path}: has no column {', '.join(sorted(missing))}; give the table that "
                    "'medkg embed complete --out' wrote"
                )
            found = [_read(row, path, rows.line_num) for row in rows]
    except (OSError, UnicodeDecodeError, csv.Error) as e:
        raise EmbeddingError(f"{path}: cannot be read ({e}); give a CSV file in UTF-8") from e
    accepted = [one for one in found if one is not None]
    if not accepted:
        raise EmbeddingError(
            f"{path}: no row is accepted; write 'yes' into the column {ACCEPT} of those that are"
        )
    return accepted


def _read(row: dict[str, str], path: Path, line: int) -> Proposed | None:
    """A row that was accepted; None for one that was not."""
    if None in row or None in row.values():
        raise EmbeddingError(
            f"{path}:{line}: has not as many cells as there are columns; restore the row"
        )
    verdict = _VERDICTS.get(row[ACCEPT].strip().lower())
    if verdict is None:
        raise EmbeddingError(f"{path}:{line}: {ACCEPT} is {row[ACCEPT]!r}; write yes or no")
    if not verdict:
        return None
    for column in ("head", "relation", "tail"):
        if not row[column]:
            raise EmbeddingError(f"{path}:{line}: {column} is empty; restore the row")
    score, probability, rank = _numbers(row, path, line)
    return Proposed(
        row["head"],
        row["head_name"] or None,
        row["relation"],
        row["tail"],
        row["tail_name"] or None,
        score,
        probability,
        rank,
    )


def _numbers(row: dict[str, str], path: Path, line: int) -> tuple[float, float, int]:
    """Score, probability and rank of a row."""
    try:
        score, probability, rank = float(row["score"]), float(row["probability"]), int(row["rank"])
    except (TypeError, ValueError):
        score = probability = math.nan
        rank = 0
    if not (math.isfinite(score) and math.isfinite(probability)):
        raise EmbeddingError(
            f"{path}:{line}: score, probability or rank is no number; restore the row"
        )
    if not 0 <= probability <= 1:
        raise EmbeddingError(f"{path}:{line}: probability is {probability:g}; restore the row")
    return score, probability, rank
