"""Many callers at once: the stores, and their engines without them."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import ladybug
import neo4j

from cypher import load_catalogue, rewrite
from kg.server.layout import USER
from kg.stores.embedded import EmbeddedStore
from kg.stores.graph_file import MEMORY
from kg.stores.store import Engine, Store, Value
from kg.vocabulary import NODE_TYPES
from tests.benchmarks.neo4j_server import opened

CALLERS: Final = (1, 8, 32)

_OF_A_DISEASE: Final = (
    *("entity.by_id", "disease.symptoms", "disease.genes"),
    *("entity.neighbours", "disease.drugs", "entity.ancestors"),
)
"""What is asked, one after the other, of one disease after the other."""
_ROUNDS: Final = 7

Question = tuple[str, dict[str, Value]]
Rates = dict[str, list[float]]
"""Questions a second by who asks ("store", "tasks", "engine"), for each number of CALLERS."""
Ask = Callable[[Question], object]
Connected = Callable[[], AbstractContextManager[Ask]]
"""Gives one caller what it asks with."""


def ask_embedded(graph: str, diseases: list[str], each: int) -> Rates:
    """The embedded store, and one connection a caller of the engine without it."""
    database = ladybug.Database(graph, read_only=True, buffer_pool_size=MEMORY)
    texts = _texts("embedded")

    @contextmanager
    def connected() -> Iterator[Ask]:
        with closing(ladybug.Connection(database)) as connection:
            yield lambda q: connection.execute(texts[q[0]], q[1]).get_all()

    with closing(database), EmbeddedStore(Path(graph)) as store:
        return _rates(store, connected, _questions("embedded", diseases, each))


def ask_neo4j(uri: str, password: str, diseases: list[str], each: int) -> Rates:
    """The Neo4j store, and a driver without it that all callers share."""
    texts = _texts("neo4j")
    with (
        neo4j.GraphDatabase.driver(
            uri,
            auth=(USER, password),
            notifications_min_severity=neo4j.NotificationMinimumSeverity.OFF,
        ) as driver,
        opened(uri, password) as store,
    ):

        def ask(question: Question) -> object:
            name, arguments = question
            with driver.session(database=USER, default_access_mode=neo4j.READ_ACCESS) as session:
                return session.execute_read(lambda t: list(t.run(texts[name], arguments)))

        @contextmanager
        def connected() -> Iterator[Ask]:
            yield ask

        return _rates(store, connected, _questions("neo4j", diseases, each))


def _texts(engine: Engine) -> dict[str, str]:
    catalogue = load_catalogue()
    return {name: rewrite(catalogue.find(name, engine).text, NODE_TYPES) for name in _OF_A_DISEASE}


def _questions(engine: Engine, diseases: Sequence[str], count: int) -> list[Question]:
    """So many questions, with all their arguments."""
    catalogue = load_catalogue()
    found: list[Question] = []
    for at in range(count):
        query = catalogue.find(_OF_A_DISEASE[at % len(_OF_A_DISEASE)], engine)
        disease = diseases[at // len(_OF_A_DISEASE) % len(diseases)]
        key = "disease" if query.name.startswith("disease.") else "entity"
        found.append((query.name, dict(query.arguments({key: disease}))))
    return found


def _rates(store: Store, connected: Connected, questions: list[Question]) -> Rates:
    """Medians over rounds in which each asks the same in turn, after one to warm up."""
    ways: dict[str, Callable[[int], float]] = {
        "store": lambda callers: _by_threads(_of(store), callers, questions),
        "tasks": lambda callers: asyncio.run(_by_tasks(store, callers, questions)),
        "engine": lambda callers: _by_threads(connected, callers, questions),
    }
    rates: Rates = {way: [] for way in ways}
    for callers in CALLERS:
        taken: Rates = {way: [] for way in ways}
        for _ in range(_ROUNDS + 1):
            for way, seconds in ways.items():
                taken[way].append(len(questions) / seconds(callers))
        for way, found in taken.items():
            rates[way].append(median(found[1:]))
    return rates


def _of(store: Store) -> Connected:
    @contextmanager
    def connected() -> Iterator[Ask]:
        yield lambda question: store.query(question[0], **question[1])

    return connected


def _by_threads(connected: Connected, callers: int, questions: list[Question]) -> float:
    """Seconds until all are answered; threads and their connections are there before."""
    begin, end = threading.Barrier(callers + 1), threading.Barrier(callers + 1)

    def work(number: int) -> None:
        with connected() as ask:
            ask(questions[number])
            begin.wait()
            for question in questions[number::callers]:
                ask(question)
            end.wait()

    threads = [threading.Thread(target=work, args=(number,)) for number in range(callers)]
    for thread in threads:
        thread.start()
    begin.wait()
    begun = perf_counter()
    end.wait()
    seconds = perf_counter() - begun
    for thread in threads:
        thread.join()
    return seconds


async def _by_tasks(store: Store, callers: int, questions: list[Question]) -> float:
    async def work(number: int) -> None:
        for name, arguments in questions[number::callers]:
            await store.aquery(name, **arguments)

    begun = perf_counter()
    await asyncio.gather(*map(work, range(callers)))
    return perf_counter() - begun
