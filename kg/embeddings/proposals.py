"""Proposed edges as a table that people review: a CSV file with a column for their verdict."""

import csv
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Final

from kg.errors import EmbeddingError
from kg.stores.disk import disk_errors, publish
from kg.stores.store import Store, Value
from kg.vocabulary import RELATION_TYPES, read_backwards


@dataclass(frozen=True)
class Proposed:
    """A triple that no source states and that a model predicts."""

    head: str
    head_name: str | None
    relation: str
    tail: str
    tail_name: str | None
    score: float
    probability: float
    """As ``Predicted.probability``."""
    rank: int
    """Of the tail among all candidates for ``<h, r, ?>`` that are not known, from 1."""


@dataclass(frozen=True)
class Accepted(Proposed):
    """A row of the table that a reviewer accepted."""

    model: str
    """Name of the model that proposed it."""


ACCEPT: Final = "accept"
"""Column of the verdict."""

COLUMNS: Final = (*(field.name for field in fields(Accepted)), ACCEPT)
"""Of the table."""

_PROPOSED: Final = tuple(field.name for field in fields(Proposed))
"""Columns that a proposal itself fills."""

_VERDICTS: Final = (
    {"": False}
    | dict.fromkeys(("yes", "y", "1", "true"), True)
    | dict.fromkeys(("no", "n", "0", "false"), False)
)


def cells(proposed: Proposed, model: str) -> tuple[str | int | float | None, ...]:
    """A row of the table, its verdict empty."""
    values = (getattr(proposed, name) for name in _PROPOSED)
    return (*(round(v, 4) if isinstance(v, float) else v for v in values), model, "")


def write_proposals(proposed: Iterable[Proposed], path: Path, *, model: str) -> None:
    """Write the table, whole or not at all; it may replace one that nobody has reviewed.

    Args:
        proposed: in the order of the rows.
        path: of the table.
        model: name of the model that proposes.

    Raises:
        EmbeddingError: as ``check_replaceable`` says.
        StoreError: it cannot be written.
    """
    check_replaceable(path)
    partial = path.with_name(f".{path.name}.partial")
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with partial.open("w", encoding="utf-8", newline="") as file:
                writer = csv.writer(file, lineterminator="\n")
                writer.writerow(COLUMNS)
                writer.writerows(cells(proposal, model) for proposal in proposed)
            publish(partial, path)
        finally:
            partial.unlink(missing_ok=True)


def check_replaceable(path: Path) -> None:
    """Refuse a path to write a table to that holds anything but a table nobody has reviewed.

    Raises:
        EmbeddingError: the table has verdicts, or notes in columns of the reviewer's own; or it
            is no such table.
        StoreError: the path cannot be read.
    """
    with disk_errors(path):
        if not path.exists():
            return
    other_file = EmbeddingError(
        f"{path}: is no table of 'medkg embed complete', or a damaged one, and would be lost; "
        "name another file with --out"
    )
    if not path.is_file():  # reading a pipe or a terminal would wait
        raise other_file
    own = set(COLUMNS[:-1])
    try:
        reviewed = sum(
            any(row[name].strip() for name in row.keys() - own) for _, row in _rows(path)
        )
    except EmbeddingError as e:
        raise other_file from e
    if reviewed:
        raise EmbeddingError(
            f"{path}: has {reviewed} verdict{'s'[: reviewed != 1]}, which would be lost; name "
            "another file with --out, or move this one away"
        )


def read_accepted(paths: Sequence[Path]) -> list[Accepted]:
    """The rows of some tables that were accepted, table by table.

    Raises:
        EmbeddingError: a file is no such table, a cell is not what it must be, or no row
            of any was accepted.
    """
    read = (_read(row, path, line) for path in paths for line, row in _rows(path))
    accepted = [proposal for proposal in read if proposal is not None]
    if not accepted:
        raise EmbeddingError(
            f"{', '.join(map(str, paths))}: no row is accepted; write 'yes' into the column "
            f"{ACCEPT} of those that are"
        )
    return accepted


def without_facts(accepted: Sequence[Accepted], store: Store) -> list[Accepted]:
    """The accepted triples that the graph does not state by now, nor by an inverse relation.

    Raises:
        StoreError: the engine failed.
    """
    inverses = {
        relation: [other for other in RELATION_TYPES if read_backwards(other, relation)]
        for relation in {proposal.relation for proposal in accepted}
    }
    relations = sorted({*inverses, *(other for others in inverses.values() for other in others)})

    @cache
    def stated(head: str) -> set[tuple[Value, Value]]:
        rows = store.query("entity.tails", head=head, relations=relations).dicts()
        return {(row["relation"], row["tail_id"]) for row in rows}

    return [
        proposal
        for proposal in accepted
        if (proposal.relation, proposal.tail) not in stated(proposal.head)
        and not any(
            (by, proposal.head) in stated(proposal.tail) for by in inverses[proposal.relation]
        )
    ]


def _rows(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Each row with its line number.

    Raises:
        EmbeddingError: the file is no such table, or a row has more or fewer cells than columns.
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
            for row in rows:
                if None in row or None in row.values():
                    raise EmbeddingError(
                        f"{path}:{rows.line_num}: has not as many cells as there are columns; "
                        "restore the row"
                    )
                yield rows.line_num, row
    except (OSError, UnicodeDecodeError, csv.Error) as e:
        raise EmbeddingError(f"{path}: cannot be read ({e}); give a CSV file in UTF-8") from e


def _read(row: dict[str, str], path: Path, line: int) -> Accepted | None:
    """A row that was accepted; None for one that was not."""
    verdict = _VERDICTS.get(row[ACCEPT].strip().lower())
    if verdict is None:
        raise EmbeddingError(f"{path}:{line}: {ACCEPT} is {row[ACCEPT]!r}; write yes or no")
    if not verdict:
        return None
    for column in ("head", "relation", "tail", "model"):
        if not row[column]:
            raise EmbeddingError(f"{path}:{line}: {column} is empty; restore the row")
    score, probability, rank = _numbers(row, path, line)
    return Accepted(
        row["head"],
        row["head_name"] or None,
        row["relation"],
        row["tail"],
        row["tail_name"] or None,
        score,
        probability,
        rank,
        row["model"],
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
