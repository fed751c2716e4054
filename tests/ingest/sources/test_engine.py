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
