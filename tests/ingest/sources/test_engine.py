from pathlib import Path

import duckdb
import ibis
import pytest

from ingest.sources import Resources
from ingest.sources.engine import table_engine


def test_engine_uses_no_more_than_it_may(tmp_path: Path) -> None:
    with table_engine(tmp_path, Resources(threads=1, memory="64MiB")) as engine:
        asked = "select current_setting('threads'), current_setting('memory_limit')"
        assert engine.con.sql(asked).fetchall() == [(1, "64.0 MiB")]


def fail(engine: ibis.BaseBackend) -> None:
    raise ValueError(engine.name)


def test_engine_is_closed_when_reading_fails(tmp_path: Path) -> None:
    with (
        table_engine(tmp_path, Resources()) as engine,
        pytest.raises(ValueError, match="duckdb"),
    ):
        fail(engine)
    with pytest.raises(duckdb.ConnectionException):
        engine.con.execute("select 1")


def test_more_than_the_memory_goes_to_a_folder_that_is_made_for_it(tmp_path: Path) -> None:
    with table_engine(tmp_path / "not" / "there", Resources(threads=1, memory="30MB")) as engine:
        numbers = engine.con.sql(
            "select (i * 999983) % 1000003 as n, i as m from range(3000000) t(i)"
        )
        assert len(numbers.order("n, m")) == 3_000_000


def test_table_of_no_engine_is_worked_out_in_the_open_one(tmp_path: Path) -> None:
    with table_engine(tmp_path, Resources()) as engine:
        ibis.memtable({"number": [1]}).execute()
        assert ibis.options.default_backend is engine
    assert ibis.options.default_backend is None  # an open one complains when Python ends
