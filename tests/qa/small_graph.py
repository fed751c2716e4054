"""A graph of a few assertions, and what answers a question from it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa

import kg
from cypher.translation import language_of, speaking
from ingest.assertions import Assertion
from ingest.merge import MergeConfig, merge
from kg.linking import Linker, Names
from kg.progress import Silent
from qa.facts import Facts, facts_of
from qa.questions import read
from tests.ingest.rows import write_assertions

Graph = tuple[kg.Store, Linker]


@contextmanager
def graph_of(sources: Mapping[str, Sequence[Assertion]], folder: Path) -> Iterator[Graph]:
    """The store of what some sources assert, by their names, and the linker of its names."""
    files = {
        name: write_assertions(folder / f"{name}.parquet", name, rows)
        for name, rows in sources.items()
    }
    result = merge(MergeConfig(assertions=files, made_by="a test"), folder / "m", Silent())
    with kg.connect(str(folder / "g.lbug")) as empty:
        empty.load(result.tables)
    with kg.connect(str(folder / "g.lbug")) as store:
        yield store, Linker.of_store(store, folder / "linking")


def linker_of(names: Sequence[tuple[str, str, str, str]]) -> Linker:
    """The linker of a few names: id, type, name and language of each."""
    columns = ("id", "type", "name", "language")
    table = pa.table({c: [row[at] for row in names] for at, c in enumerate(columns)})
    return Linker.of_names(Names.of_table(table))


def ask(question: str, graph: Graph) -> Facts:
    """The facts that answer a question of one part, in its language."""
    with speaking(language_of(question)):
        (part,) = read(question, graph[1]).parts
        return facts_of(graph[0], part, graph[1])
