"""Many callers of one store, on both engines: what they meet while the graph changes."""

import asyncio
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Final

import neo4j
import pytest

from cypher import Query, load_catalogue
from cypher.translation import speaking
from kg.errors import QueryTooLargeError, StoreError
from kg.stores.embedded import READERS, EmbeddedStore
from kg.stores.neo4j_session import SharedReading
from kg.stores.store import Rows, Store, Value
from kg.tables import GraphTables
from tests.kg.stores.conftest import MakeTables, apply, remove

TASKS: Final = 32
SYMPTOMS: Final = 40
ENDLESS: Final = (
    "UNWIND range(1, 1000000) AS a UNWIND range(1, 1000000) AS b WITH max(a + b) AS n "
)

Answers = dict[str, list[Rows]]
"""By query, what whole states of the graph answer."""


def before(work: str) -> Query:
    """The query of a node's name, after other work."""
    found = load_catalogue().find("entity.by_id")
    text = "MATCH (e:Entity {id: $entity}) RETURN e.id AS entity_id, e.name AS entity_name"
    return replace(found, text=work + text)


SLOW: Final = before(ENDLESS)


def state(make_tables: MakeTables, number: int, layer: bool = False) -> GraphTables:
    """A disease with symptoms that all bear one number; as a layer, more symptoms of it."""
    name = "more" if layer else "medkg"
    signs = [f"HP:{name}-{number}-{n:02}" for n in range(SYMPTOMS)]
    nodes = [(sign, "Symptom", f"sign of {name} {number}") for sign in signs]
    if not layer:
        nodes.append(("MONDO:1", "Disease", f"disease {number}"))
    edges = [("MONDO:1", "HAS_SYMPTOM", sign) for sign in signs]
    return make_tables(name, nodes, edges, checksum=f"{name} {number}")


ARGUMENTS: Final[dict[str, dict[str, Value]]] = {
    "entity.by_id": {"entity": "MONDO:1"},
    "disease.symptoms": {"disease": "MONDO:1"},
    "graph.node_counts": {},
    "entity.neighbours": {"entity": "MONDO:1", "limit": 1000},
}


def learn(store: Store, answers: Answers) -> None:
    for name in ARGUMENTS:
        answers.setdefault(name, []).append(store.query(name, **ARGUMENTS[name]))


def test_each_answer_is_of_one_state_while_32_tasks_ask_and_the_graph_changes(
    store: Store, make_tables: MakeTables
) -> None:
    old, new, layer = (state(make_tables, n, layer=n == 3) for n in (1, 2, 3))
    whole: Answers = {}
    store.load(old)
    learn(store, whole)

    def change() -> None:
        store.load(new)
        learn(store, whole)
        apply(store, layer)
        learn(store, whole)
        remove(store, "more")
        learn(store, whole)

    async def caller(number: int, changing: "asyncio.Task[None]") -> list[tuple[str, Rows]]:
        names = [*ARGUMENTS][number % len(ARGUMENTS) :] + [*ARGUMENTS][: number % len(ARGUMENTS)]
        answers = []
        while not changing.done():
            answers += [(name, await store.aquery(name, **ARGUMENTS[name])) for name in names]
        return answers

    async def together() -> list[list[tuple[str, Rows]]]:
        changing = asyncio.create_task(asyncio.to_thread(change))
        answers = await asyncio.gather(*(caller(number, changing) for number in range(TASKS)))
        await changing
        return answers

    given = [answer for answers in asyncio.run(together()) for answer in answers]
    assert len(given) >= TASKS
    assert [name for name, rows in given if rows not in whole[name]] == []
    assert len({str(rows) for name, rows in given if name == "disease.symptoms"}) > 1


@pytest.fixture
def asked(store: Store, make_tables: MakeTables) -> Store:
    store.load(state(make_tables, 1))
    return store


def name_of(rows: Rows) -> object:
    return rows.dicts()[0]["entity_name"]


def test_query_that_takes_longer_than_its_timeout_is_stopped_and_the_next_one_answers(
    asked: Store,
) -> None:
    begun = time.monotonic()
    with pytest.raises(QueryTooLargeError, match=r"no answer within .* ask for less"):
        asked.query(SLOW, timeout=0.3, entity="MONDO:1")
    with pytest.raises(QueryTooLargeError, match=r"no answer within 0.3 s, .* longer timeout"):
        asyncio.run(asked.aquery(SLOW, timeout=0.3, entity="MONDO:1"))
    assert time.monotonic() - begun < 30
    assert name_of(asked.query("entity.by_id", entity="MONDO:1")) == "disease 1"


def test_a_query_that_is_stopped_says_so_in_the_language_that_is_spoken(asked: Store) -> None:
    with speaking("zh"):
        with pytest.raises(QueryTooLargeError, match=r"秒|时限内没有结果"):
            asked.query(SLOW, timeout=0.3, entity="MONDO:1")
        with pytest.raises(QueryTooLargeError, match=r"秒|时限内没有结果"):
            asyncio.run(asked.aquery(SLOW, timeout=0.3, entity="MONDO:1"))


@pytest.mark.parametrize("timeout", [0, -1, float("nan"), True, "3", [1.0]])
def test_timeout_that_is_no_number_above_0_is_refused(asked: Store, timeout: float) -> None:
    with pytest.raises(ValueError, match=r"timeout: .* is no number above 0; give seconds"):
        asked.query("entity.by_id", timeout=timeout, entity="MONDO:1")
    with pytest.raises(ValueError, match="is no number above 0"):
        asyncio.run(asked.aquery("entity.by_id", timeout=timeout, entity="MONDO:1"))


@pytest.mark.parametrize("timeout", [1e300, float("inf"), 30])
def test_timeout_may_be_any_number_above_0(asked: Store, timeout: float) -> None:
    rows = asked.query("entity.by_id", timeout=timeout, entity="MONDO:1")
    again = asyncio.run(asked.aquery("entity.by_id", timeout=timeout, entity="MONDO:1"))
    assert name_of(rows) == name_of(again) == "disease 1"


def test_cancelled_query_stops_and_no_other_does(asked: Store) -> None:
    async def together() -> tuple[list[object], Rows, Rows]:
        slow = [asyncio.create_task(asked.aquery(SLOW, entity="MONDO:1")) for _ in range(3)]
        other = asyncio.create_task(
            asked.aquery(SLOW, timeout=3, entity="MONDO:1")  # runs until its own end
        )
        await asyncio.sleep(0.5)
        beside = await asked.aquery("entity.by_id", entity="MONDO:1")
        for task in slow:
            task.cancel()
        ended = await asyncio.gather(*slow, return_exceptions=True)
        after = await asked.aquery("entity.by_id", entity="MONDO:1")
        assert not other.done()
        with pytest.raises(QueryTooLargeError):
            await other
        return [type(each) for each in ended], beside, after

    ended, beside, after = asyncio.run(together())
    assert ended == [asyncio.CancelledError] * 3
    assert name_of(beside) == name_of(after) == "disease 1"


def test_more_long_queries_than_run_side_by_side_end_at_their_timeouts(asked: Store) -> None:
    async def together() -> list[object]:
        slow = [asked.aquery(SLOW, timeout=1, entity="MONDO:1") for _ in range(TASKS + READERS)]
        return [type(each) for each in await asyncio.gather(*slow, return_exceptions=True)]

    assert asyncio.run(together()) == [QueryTooLargeError] * (TASKS + READERS)
    assert name_of(asked.query("entity.by_id", entity="MONDO:1")) == "disease 1"


def test_close_stops_what_runs_and_every_later_question_is_a_store_error(asked: Store) -> None:
    async def running() -> None:
        slow = asyncio.create_task(asked.aquery(SLOW, entity="MONDO:1"))
        await asyncio.sleep(0.5)
        asked.close()
        with pytest.raises(StoreError, match=r"this store was closed; open it again"):
            await slow
        with pytest.raises(StoreError, match="this store was closed"):
            await asked.aquery("entity.by_id", entity="MONDO:1")

    asyncio.run(running())
    for question in (
        lambda: asked.query("entity.by_id", entity="MONDO:1"),
        asked.counts,
        asked.stamp,
        asked.applied_layers,
    ):
        with pytest.raises(StoreError, match="this store was closed"):
            question()


def test_close_while_threads_ask_gives_answers_or_store_errors(asked: Store) -> None:
    seen: list[object] = []

    def work() -> None:
        while True:
            try:
                seen.append(name_of(asked.query("entity.by_id", entity="MONDO:1")))
            except StoreError as e:
                seen.append(str(e))
                return

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    time.sleep(0.5)
    asked.close()
    for thread in threads:
        thread.join(60)
    message = f"{asked.uri}: this store was closed; open it again with 'kg.connect'"
    assert [each for each in seen if each != "disease 1"] == [message] * 8
    assert "disease 1" in seen


def test_threads_with_event_loops_of_their_own_share_a_store(asked: Store) -> None:
    async def both() -> list[object]:
        asynchronous = asyncio.gather(
            *(asked.aquery("entity.by_id", entity="MONDO:1") for _ in range(4))
        )
        blocking = asked.query("entity.by_id", entity="MONDO:1")  # in a running loop
        return [name_of(rows) for rows in (*await asynchronous, blocking)]

    with ThreadPoolExecutor(4) as pool:
        others = [pool.submit(asyncio.run, both()) for _ in range(4)]
        answers = [*asyncio.run(both()), *(name for one in others for name in one.result())]
    assert answers == ["disease 1"] * 25


def test_ctrl_c_stops_a_query_of_the_main_thread(asked: Store) -> None:
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    begun = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        asked.query(SLOW, entity="MONDO:1")
    assert time.monotonic() - begun < 30
    assert name_of(asked.query("entity.by_id", entity="MONDO:1")) == "disease 1"


def test_running_query_ends_on_the_file_that_it_began_on(
    graph_path: Path, make_tables: MakeTables
) -> None:
    long = before("UNWIND range(1, 6000) AS a UNWIND range(1, 6000) AS b WITH max(a + b) AS n ")
    with EmbeddedStore(graph_path) as store:
        store.load(state(make_tables, 1))
        name_of(store.query("entity.by_id", entity="MONDO:1"))

        async def together() -> tuple[Rows, Rows]:
            running = asyncio.create_task(store.aquery(long, entity="MONDO:1"))
            await asyncio.sleep(0.01)
            await asyncio.to_thread(store.load, state(make_tables, 2))
            later = await store.aquery("entity.by_id", entity="MONDO:1")
            return await running, later

        running, later = asyncio.run(together())
        assert (name_of(running), name_of(later)) == ("disease 1", "disease 2")
        assert len(store._users) == 1  # the old file is closed


def test_those_who_ask_while_a_state_is_read_share_one_reading_that_begins_afterwards() -> None:
    begun, go_on = threading.Semaphore(0), threading.Semaphore(0)
    seen: list[set[str]] = []

    def read(bookmarks: neo4j.Bookmarks) -> str:
        seen.append(set(bookmarks.raw_values))
        number = len(seen)
        begun.release()
        go_on.acquire()
        return f"state {number}"

    reading = SharedReading(read, still=0.0)
    with ThreadPoolExecutor(3) as threads:
        first = threads.submit(reading.after, neo4j.Bookmarks.from_raw_values(["a"]))
        begun.acquire()
        later = [
            threads.submit(reading.after, neo4j.Bookmarks.from_raw_values([mark])) for mark in "bc"
        ]
        while reading.waiting < len(later):
            time.sleep(0.001)
        assert seen == [{"a"}]  # nobody reads beside it
        go_on.release(2)
        assert first.result() == "state 1"
        assert [each.result() for each in later] == ["state 2", "state 2"]
    assert seen == [{"a"}, {"b", "c"}]


def test_reading_of_a_state_that_fails_is_the_error_of_all_who_share_it_and_of_no_other() -> None:
    errors = [OSError("the server is gone")]
    seen = neo4j.Bookmarks.from_raw_values(["a"])

    def read(bookmarks: neo4j.Bookmarks) -> str:
        if errors:
            raise errors.pop()
        return " ".join(bookmarks.raw_values)

    reading = SharedReading(read, still=0.0)
    with pytest.raises(OSError, match="gone"):
        reading.after(seen)
    assert reading.after(seen) == "a"


def test_reading_that_found_the_graph_whole_counts_until_a_writer_may_begin() -> None:
    answers = ["whole", None, "whole again"]
    reading = SharedReading(lambda _: answers.pop(0), still=0.05)
    seen = neo4j.Bookmarks.from_raw_values(["a"])
    assert [reading.after(seen) for _ in range(3)] == ["whole"] * 3
    time.sleep(0.06)
    assert [reading.after(seen) for _ in range(2)] == [None, "whole again"]  # None never counts
