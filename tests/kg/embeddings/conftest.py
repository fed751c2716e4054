"""Small graphs, written as texts."""

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

from kg.embeddings.triples import Entities, IntArray, Triples

Fact = tuple[str, str, str]
"""Head, relation, tail."""


def facts_of(texts: Iterable[str]) -> list[Fact]:
    """From ``a likes b`` to its three words."""
    return [(head, relation, tail) for head, relation, tail in map(str.split, texts)]


def make_triples(*texts: str) -> Triples:
    """Triples of facts such as ``a likes b``."""
    facts = sorted(set(facts_of(texts)))
    ids = sorted({end for head, _, tail in facts for end in (head, tail)})
    relations = sorted({relation for _, relation, _ in facts})
    rows = [(ids.index(h), relations.index(r), ids.index(t)) for h, r, t in facts]
    return Triples(
        Entities(tuple(ids)), tuple(relations), np.array(rows, dtype=np.int64).reshape(-1, 3)
    )


def as_texts(triples: Triples, rows: IntArray | None = None) -> list[str]:
    """The facts, or some of their rows, as they are written for ``make_triples``."""
    ids, relations = triples.entities.ids, triples.relations
    chosen = triples.rows if rows is None else rows
    return [f"{ids[h]} {relations[r]} {ids[t]}" for h, r, t in chosen]


WriteFile = Callable[[str, str | bytes], Path]


@pytest.fixture
def write(tmp_path: Path) -> WriteFile:
    """Writes a file of that name; bytes as they are."""

    def written(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return written
