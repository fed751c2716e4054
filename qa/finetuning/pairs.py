"""Pairs of a question and the passage that answers it, from which an encoder learns."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic import BaseModel, Field, ValidationError

from kg.errors import RetrievalError
from kg.stores.disk import disk_errors, publish
from kg.text import normalise

_MADE_BY: Final = b"medkg"
"""Key of the metadata of a Parquet file that says what made the pairs."""


class Pair(BaseModel, frozen=True, extra="forbid"):
    """A question and a passage that answers it."""

    question: str = Field(min_length=1)
    passage: str = Field(min_length=1)
    disease: str = ""
    """What the passage is about, an id or a name; pairs of one disease are never parted by a
    split. Empty: unknown, and the passage stands for it."""
    origin: str = ""
    """What made the question, such as ``template`` or the name of a query generator."""

    @property
    def group(self) -> str:
        """What a split keeps together."""
        return normalise(self.disease) or self.passage


def checksum(pairs: Iterable[Pair]) -> str:
    """SHA-256 of the questions, passages and diseases in their order."""
    total = hashlib.sha256()
    for pair in pairs:
        for text in (pair.question, pair.passage, pair.disease):
            encoded = text.encode("utf-8", "surrogatepass")
            total.update(len(encoded).to_bytes(8, "big") + encoded)
    return total.hexdigest()


def deduplicated(pairs: Iterable[Pair]) -> list[Pair]:
    """The first of those pairs whose question and passage read alike."""
    first_pairs: dict[tuple[str, str], Pair] = {}
    for pair in pairs:
        first_pairs.setdefault((normalise(pair.question), pair.passage), pair)
    return list(first_pairs.values())


def split(pairs: Sequence[Pair], test: float, seed: int) -> tuple[list[Pair], list[Pair]]:
    """Pairs to train on and to test on, with no disease in both.

    A disease is drawn by a checksum of its name and the seed, so it stays on its side when other
    pairs come or go.

    Args:
        pairs: in any order.
        test: share of the diseases to test on, in [0, 1).
        seed: of the draw.
    """
    sides: tuple[list[Pair], list[Pair]] = ([], [])
    for pair in pairs:
        sides[draw(pair.group, seed) < test].append(pair)
    return sides


def draw(group: str, seed: int) -> float:
    """A number in [0, 1) that depends on a name and a seed alone."""
    digest = hashlib.sha256(f"{seed} {group}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def write_pairs(path: Path, pairs: Sequence[Pair], made_by: Mapping[str, Any]) -> None:
    """Write a Parquet file of pairs, with what made them in its metadata.

    Raises:
        StoreError: it cannot be written.
    """
    table = pa.table(
        {
            name: pa.array([getattr(pair, name) for pair in pairs], pa.string())
            for name in Pair.model_fields
        }
    )
    counts = dict(sorted(Counter(pair.origin for pair in pairs).items()))
    about = {**made_by, "pairs": len(pairs), "origins": counts, "checksum": checksum(pairs)}
    text = json.dumps(about, ensure_ascii=False, sort_keys=True)
    partial = path.with_name(f".{path.name}.partial")
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(
            table.replace_schema_metadata({_MADE_BY: text}), partial, compression="zstd"
        )
        publish(partial, path)


def read_pairs(path: Path) -> tuple[list[Pair], dict[str, Any]]:
    """The pairs of a file, and what made them as far as the file says.

    Args:
        path: Parquet as ``write_pairs`` has it, or JSON lines of objects with ``question``,
            ``passage`` and, if known, ``disease`` and ``origin``.

    Raises:
        RetrievalError: it is neither, or a pair is not whole; the message names the row.
    """
    made_by: dict[str, Any] = {}
    try:
        if path.suffix == ".parquet":
            table = pq.read_table(path)
            made_by = json.loads((table.schema.metadata or {}).get(_MADE_BY, b"{}"))
            columns = [name for name in table.column_names if name in Pair.model_fields]
            rows: list[Any] = table.select(columns).to_pylist()
        else:
            lines = path.read_text("utf-8-sig").split("\n")
            rows = [json.loads(line) if line.strip() else None for line in lines]
    except FileNotFoundError as e:
        raise RetrievalError(
            f"{path}: there is no such file; make one with 'medkg qa pairs'"
        ) from e
    except (OSError, ValueError, pa.ArrowException, UnicodeDecodeError) as e:
        problem = " ".join(str(e).split())
        raise RetrievalError(
            f"{path}: is neither Parquet nor JSON lines of pairs ({problem}); make one with "
            "'medkg qa pairs'"
        ) from e
    pairs = []
    for number, row in enumerate(rows, 1):
        if row is None:
            continue
        try:
            pairs.append(Pair.model_validate(row))
        except ValidationError as e:
            error = e.errors()[0]
            field = ".".join(map(str, error["loc"])) or "row"
            raise RetrievalError(
                f"{path}, row {number}: {field}: {error['msg'].lower()}; give each pair a "
                "'question' and a 'passage'"
            ) from e
    if not pairs:
        raise RetrievalError(f"{path}: has no pairs; make some with 'medkg qa pairs'")
    return pairs, made_by
