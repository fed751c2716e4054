"""What is compiled once reads its own tables, and is what Ibis compiles."""

import duckdb
import ibis
import ibis.expr.types as ir
import pytest
from ibis.backends.sql.compilers.base import SQLGlotCompiler

from tests.ingest import compiled_once

COLUMNS = {"id": "string", "weight": "float64"}


def question(name: str, other: str, value: object = 0.5) -> ir.Table:
    table, second = ibis.table(COLUMNS, name=name), ibis.table(COLUMNS, name=other)
    heavy = table.filter(table.weight > 0.5).mutate(word=ibis.literal(name), value=value)
    return heavy.join(second, "id").group_by("id", "value").agg(total=heavy.weight.sum())


def compiled(table: ir.Table) -> str:
    return str(ibis.to_sql(table, dialect="duckdb", pretty=False))


def as_ibis_does(table: ir.Table, monkeypatch: pytest.MonkeyPatch) -> str:
    with monkeypatch.context() as patched:
        patched.setattr(SQLGlotCompiler, "to_sqlglot", compiled_once.AS_IBIS_DOES)
        return compiled(table)


@pytest.mark.parametrize(
    ("name", "other"), [("a", "b"), ("c", "d"), ("d", "c"), ("a", "a"), ("id", "t0"), ("é", 'x"y')]
)
def test_each_reads_its_own_tables(name: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [ibis.table(COLUMNS, name=each).mutate(word=ibis.literal("w")) for each in (name, "z")]
    for table in (question(name, other), *words, words[0].union(words[1]), words[0].limit(3)):
        assert compiled(table) == as_ibis_does(table, monkeypatch)


@pytest.mark.parametrize("value", [0.0, -0.0, 0, False, "0", None, (0, 1), (0.0, 1.0)])
def test_values_that_are_equal_are_told_apart(
    value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = question("a", "b", ibis.literal(value, type="string" if value is None else None))
    assert compiled(table) == as_ibis_does(table, monkeypatch)


def test_what_is_compiled_is_kept_whatever_its_tables_are_called(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one, two = (ibis.table(COLUMNS, name=name).limit(2) for name in "ab")
    compiled(one)
    with monkeypatch.context() as patched:
        patched.setattr(compiled_once, "AS_IBIS_DOES", None)
        assert '"b"' in compiled(two)


def test_table_is_made_as_ibis_makes_it() -> None:
    engine = ibis.duckdb.connect()
    try:
        rows = ibis.memtable({"id": ["a", None], "weight": [0.5, 2.0]})
        asked = rows.mutate(words=ibis.array([rows.id]), one=ibis.literal(1, "int8")).order_by(
            "id"
        )
        one, two = (engine.create_table(name, asked, temp=True) for name in ("one", "two"))
        as_ibis_makes_it = compiled_once.TABLE_AS_IBIS_DOES(engine, "three", asked, temp=True)
        for table in (one, two):
            assert table.schema() == as_ibis_makes_it.schema() == engine.get_schema("two")
            assert table.to_pyarrow() == as_ibis_makes_it.to_pyarrow()
        with pytest.raises(duckdb.CatalogException, match="two"):
            engine.create_table("two", asked, temp=True)
        assert engine.create_table("lasting", schema={"id": "string"}).columns == ("id",)
    finally:
        engine.disconnect()
