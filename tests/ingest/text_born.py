"""Text-born names for tests: what a text says, and what became of its names."""

from ingest.assertions import Assertion
from ingest.merge import MergeResult
from tests.ingest.rows import fact, nodes_of

TEXT = frozenset({"text"})
FEVER = fact("MONDO:1", "HAS_SYMPTOM", "HP:1", head_name="influenza", tail_name="Fever")
COUGH = fact("MONDO:1", "HAS_SYMPTOM", "HP:2", tail_name="Cough")


def has(name: str, **other: str | None) -> Assertion:
    """A text that says influenza has this symptom."""
    return fact("MONDO:1", "HAS_SYMPTOM", None, tail_name=name, **other)


def links(result: MergeResult) -> list[tuple[str, str, str | None, str | None]]:
    return [(link.name, link.outcome, link.method, link.id) for link in result.links]


def names(result: MergeResult, node: str) -> tuple[str, ...]:
    """All names of a node, the one it goes by first."""
    columns = ("id", "name", "synonyms", "name_zh", "synonyms_zh")
    [row] = [row for row in nodes_of(result, *columns) if row[0] == node]
    _, name, en, name_zh, zh = row
    return (name, *en, *([name_zh] if name_zh else []), *zh)
