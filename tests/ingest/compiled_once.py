"""Compiles an expression of Ibis once per process, whatever its tables are called.

To turn expressions into SQL is a third of what a small build costs, and to ask DuckDB where a table
goes and what its columns became is a tenth; the tests make hundreds of small builds of the same
expressions. Ibis does each the first time, as it does without this. A seventh goes into DuckDB's
plans for lists of words in conditions, which it makes a join of each: that saves a twentieth of the
merge of a large graph, and here is left out.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import uuid4

import ibis
import ibis.expr.operations as ops
import sqlglot as sg
import sqlglot.expressions as sge
from ibis.backends.duckdb import Backend
from ibis.backends.sql.compilers.base import SQLGlotCompiler
from ibis.common.graph import Node
from ibis.expr.schema import Schema

AS_IBIS_DOES: Final[Callable[..., sge.Expression]] = SQLGlotCompiler.to_sqlglot
CONNECTION_AS_IBIS_DOES: Final[Callable[..., None]] = Backend.do_connect
TABLE_AS_IBIS_DOES: Final[Callable[..., ibis.Table]] = Backend.create_table
_KEPT: Final = 5000
_MARK: Final = f"\0{uuid4()}\0"
"""Before and behind the number of a table in SQL that is kept."""

_texts: Final[OrderedDict[object, list[str]]] = OrderedDict()
"""SQL by what its expression is: what stands between its tables, and their numbers."""


_schemas: Final[dict[Schema, Schema]] = {}
"""What DuckDB says of a table, by the schema that it was made with."""


def compile_once() -> None:
    """Have Ibis keep what it compiles and what it was told of tables, in the whole process."""
    SQLGlotCompiler.to_sqlglot = to_sqlglot
    Backend.create_table = create_table
    Backend.do_connect = do_connect


def do_connect(self: Backend, database: str = ":memory:", **config: Any) -> None:  # noqa: ANN401 - as Ibis declares it
    """Of ``Backend.do_connect``: no joins are made of lists of words."""
    CONNECTION_AS_IBIS_DOES(self, database, disabled_optimizers="in_clause", **config)


def create_table(
    self: Backend,
    name: str,
    /,
    obj: ibis.Table | None = None,
    *,
    temp: bool = False,
    **options: Any,  # noqa: ANN401 - as Ibis declares it
) -> ibis.Table:
    """Of ``Backend.create_table``: a temporary table of an expression, with fewer questions."""
    if not temp or options or not isinstance(obj, ibis.Table):
        return TABLE_AS_IBIS_DOES(self, name, obj, temp=temp, **options)
    declared = obj.schema()
    if declared not in _schemas:
        table = TABLE_AS_IBIS_DOES(self, name, obj, temp=True)
        _schemas[declared] = table.schema()
        return table
    self._run_pre_execute_hooks(obj)
    place = sge.Table(
        this=sg.to_identifier(name, quoted=True),
        db=sg.to_identifier("main"),
        catalog=sg.to_identifier("temp"),
    )
    columns = sge.Schema(this=place, expressions=declared.to_sqlglot_column_defs(self.dialect))
    temporary = sge.Properties(expressions=[sge.TemporaryProperty()])
    self.raw_sql(sge.Create(kind="TABLE", this=columns, properties=temporary))
    self.raw_sql(sge.insert(self.compiler.to_sqlglot(obj), into=place))
    where = ops.Namespace(catalog="temp", database="main")
    return ops.DatabaseTable(
        name, schema=_schemas[declared], source=self, namespace=where
    ).to_expr()


def to_sqlglot(
    self: SQLGlotCompiler,
    expr: ibis.Expr,
    *,
    limit: Any = None,  # noqa: ANN401 - as Ibis declares it
    params: Mapping[ibis.Expr, Any] | None = None,
) -> sge.Expression:
    """Of ``SQLGlotCompiler.to_sqlglot``: SQL as one piece of text."""
    shape, tables = _shape_of(expr.as_table().op())
    if params or not all(name.isidentifier() for name in tables):
        return AS_IBIS_DOES(self, expr, limit=limit, params=params)
    options = ibis.options.sql
    key = (type(self), limit, options.default_limit, options.fuse_selects, shape)
    text = _texts.get(key)
    if text is None:
        query = AS_IBIS_DOES(self, expr, limit=limit)
        for table in query.find_all(sge.Table):
            if table.name in tables:
                table.this.set("this", f"{_MARK}{tables.index(table.name)}{_MARK}")
        sql = query.sql(dialect=self.dialect, copy=False, unsupported_level=sg.ErrorLevel.RAISE)
        text = _texts[key] = sql.split(_MARK)
        if len(_texts) > _KEPT:
            _texts.popitem(last=False)
    else:
        _texts.move_to_end(key)
    parts = [tables[int(part)] if n % 2 else part for n, part in enumerate(text)]
    return sge.Var(this="".join(parts))


def _shape_of(root: Node) -> tuple[object, list[str]]:
    """What an expression is but for the names of its tables, and these names."""
    numbers: dict[Node, int] = {root: 0}
    nodes = [root]
    tables: dict[str, int] = {}

    def coded(value: Any) -> object:  # noqa: ANN401 - whatever a node has
        if isinstance(value, Node):
            if value not in numbers:
                numbers[value] = len(nodes)
                nodes.append(value)
            return Node, numbers[value]
        if isinstance(value, tuple):
            return tuple(map(coded, value))
        if isinstance(value, dict):
            return dict, *((coded(key), coded(each)) for key, each in value.items())
        return type(value), repr(value) if isinstance(value, float) else value  # 1 equals True

    shape: list[object] = []
    for node in nodes:  # which grows
        if isinstance(node, ops.DatabaseTable | ops.InMemoryTable | ops.UnboundTable):
            number = tables.setdefault(node.name, len(tables))
            shape.append((type(node), number, node.schema, getattr(node, "namespace", None)))
        else:
            shape.append((type(node), *map(coded, node.__args__)))
    return tuple(shape), list(tables)
