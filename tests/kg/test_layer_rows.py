"""What ``write_layer`` takes: rows that read back equal, or one sentence."""

from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.errors import MedKGError, TablesError
from kg.layers import LayerRows, write_layer
from kg.records import RECORD_RELATIONS, RECORD_TYPES
from kg.stores.inspection import inspect_layer
from kg.tables import (
    EDGE_COLUMNS,
    MARK_COLUMNS,
    NODE_COLUMNS,
    REMOVED_COLUMNS,
    VECTOR_COLUMNS,
    Column,
    GraphTables,
    Kind,
    arrow_schema,
)

NODE: Mapping[str, Any] = {"id": "HP:1", "type": "Symptom", "name": "fever"}
TURN: Mapping[str, Any] = {"id": "t", "number": 1, "role": "patient"}
RUN: Mapping[str, Any] = {"id": "r", "task": "t", "model": "m"}
EDGE: Mapping[str, Any] = {"head": "MONDO:1", "tail": "HP:1"}


def turns(**own: object) -> LayerRows:
    return LayerRows(records={"Turn": [TURN, {**TURN, "id": "u", **own}]})


def runs(**own: object) -> LayerRows:
    return LayerRows(records={"Run": [{**RUN, **own}]})


UNFIT = [
    (turns(number="1"), "layer x, records/Turn, row 2: column number is '1' and not a whole"),
    (turns(number=2**63), "row 2: column number is 9223372036854775808 and not a whole number"),
    (turns(number=True), "row 2: column number is True and not a whole number of 64 bits"),
    (turns(number=None), "records/Turn: column number is null in row 2; correct the rows"),
    (turns(text="\ud800"), r"row 2: column text is '\\ud800' and not a text of Unicode"),
    (turns(text=b"hot"), "row 2: column text is b'hot' and not a text of Unicode"),
    (turns(violations="early"), "column violations is 'early' and not a list of texts"),
    (turns(violations=["a", None]), "column violations is a list with a null in it in row 2"),
    (turns(id=""), "records/Turn: column id is empty in row 2"),
    (turns(id=" "), "records/Turn: column id is empty in row 2"),
    (turns(id="t"), "records/Turn: t is there twice; give it once"),
    (turns(mood="good"), "records/Turn, row 2: 'mood' is no column; there are id, layer, number"),
    (turns(said="2026-02-30T09:30:00.000Z"), "column said is no time such as 2026-03-01T"),
    (turns(said="2026-03-01T25:30:00.000Z"), "column said is no time such as 2026-03-01T"),
    (turns(said="2026-03-01T09:30:00.000+01:00"), "column said is no time such as 2026"),
    (runs(settings="{"), "records/Run: column settings is no JSON in row 1"),
    (LayerRows(records={"Turns": []}), "layer x, records: 'Turns' is no type or relation"),
    (LayerRows(edges={"HAS_SYMPTOMS": []}), "layer x, edges: 'HAS_SYMPTOMS' is no type or rel"),
    (LayerRows(nodes=[{**NODE, "type": "Ailment"}]), "nodes: 'Ailment' is no node type of this"),
    (LayerRows(nodes=[NODE, NODE]), "layer x, nodes: HP:1 is there twice"),
    (LayerRows(nodes=7), "layer x, nodes: 7 is no list of rows; give one"),
    (LayerRows(nodes=[7]), "nodes, row 1: 7 has no columns; give a mapping"),
    (LayerRows(edges={"IS_A": [{"tail": "HP:1"}]}), "edges/IS_A: column head is null in row 1"),
    (
        LayerRows(edges={"IS_A": [EDGE, EDGE]}),
        "layer x, edges/IS_A: the edge from MONDO:1 to HP:1 is there twice",
    ),
    (
        LayerRows(marks={"IS_A": [{**EDGE, "discrimination": float("nan")}]}),
        "marks/IS_A: column discrimination is no finite number in row 1",
    ),
    (
        LayerRows(records={"Turn": pa.table({"id": ["t"], "role": ["doctor"]})}),
        "records/Turn: has no column number; add it",
    ),
    (
        LayerRows(records={"Turn": pa.table({**{k: [v] for k, v in TURN.items()}, "id": [1]})}),
        "column id is not a text of Unicode .is int64.; cast it",
    ),
    (
        LayerRows(vectors=pa.table({"id": ["HP:1", "HP:2"], "embedding": [[1.0], [1.0, 2.0]]})),
        "layer x, vectors: the vector of HP:2 has another length than the layer says",
    ),
    (
        LayerRows(vectors=[{"id": "HP:1", "embedding": []}]),
        "layer x, vectors: the vector of HP:1 has no numbers",
    ),
    (LayerRows(space="My space"), "layer x: 'My space' is not a valid name of a vector space"),
]


@pytest.mark.parametrize(("rows", "why"), UNFIT, ids=[why for _, why in UNFIT])
def test_row_that_does_not_fit_is_one_sentence_and_nothing_is_written(
    tmp_path: Path, rows: LayerRows, why: str
) -> None:
    with pytest.raises(TablesError, match=why) as caught:
        write_layer(tmp_path / "x", "x", rows, "test")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "x").exists()


def test_name_that_is_no_folders_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TablesError, match=r"'a/b' is no layer name; use letters, digits"):
        write_layer(tmp_path / "x", "a/b", LayerRows(), "test")


def test_arrow_table_of_other_types_of_the_same_values_is_taken(tmp_path: Path) -> None:
    given = pa.table(
        {
            "number": pa.array([2], pa.int8()),
            "id": pa.array(["t"]).dictionary_encode(),
            "role": pa.array(["doctor"], pa.large_string()),
        }
    )
    layer = write_layer(tmp_path / "x", "x", LayerRows(records={"Turn": given}), "test")
    assert pq.read_table(layer.records("Turn")).to_pylist() == [
        {
            "id": "t",
            "number": 2,
            "role": "doctor",
            "text": None,
            "said": None,
            "violations": [],
            "violations_about": [],
            "layer": None,
        }
    ]


TEXT = st.one_of(
    st.text(max_size=3),
    st.sampled_from(
        ["", " ", "\ud800", "\x00", "a\nb", "2026-03-01T09:30:00.000Z", "0000-01-01T00:00:00.000Z"]
    ),
)
NUMBER = st.sampled_from([0, -1, 2**53 + 1, 2**63 - 1, 2**63, 10**400, 0.5, float("nan"), 1e300])
ANY = st.one_of(
    TEXT,
    NUMBER,
    st.none(),
    st.booleans(),
    st.binary(max_size=2),
    st.lists(st.one_of(TEXT, NUMBER, st.none()), max_size=2),
    st.sampled_from(
        [np.float32(0.5), np.int64(3), np.str_("x"), np.array([1.0, 2.0]), {}, object]
    ),
)
OF: Mapping[Kind, st.SearchStrategy[object]] = {
    Kind.STRING: TEXT,
    Kind.STRINGS: st.lists(TEXT, max_size=2),
    Kind.FLOAT: st.floats(allow_nan=False, allow_infinity=False),
    Kind.INTEGER: st.integers(-(2**63), 2**63 - 1),
    Kind.BOOLEAN: st.booleans(),
    Kind.TIME: st.just("2026-03-01T09:30:00.000Z"),
    Kind.JSON: st.sampled_from(["{}", "[1]", '"a"']),
    Kind.VECTOR: st.lists(st.floats(-1, 1, width=32), min_size=2, max_size=2),
}
FILES: Mapping[str, tuple[Column, ...]] = {
    "nodes": NODE_COLUMNS,
    "edges": EDGE_COLUMNS,
    "removed": REMOVED_COLUMNS,
    "marks": MARK_COLUMNS,
    "vectors": VECTOR_COLUMNS,
    "Run": RECORD_TYPES["Run"].columns,
    "Turn": RECORD_TYPES["Turn"].columns,
    "MENTIONS": RECORD_RELATIONS["MENTIONS"].columns,
}


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, list[dict[str, object]]]:
    """A table and rows for it: mostly fit, so that some are written."""
    name = draw(st.sampled_from(sorted(FILES)))
    rows = []
    for number in range(draw(st.integers(0, 3))):
        row: dict[str, object] = {}
        for column in FILES[name]:
            if column.name in ("id", "head", "tail"):
                row[column.name] = f"{column.name}-{number}"
            elif column.name == "type":
                row[column.name] = "Symptom"
            elif column.required or draw(st.booleans()):
                row[column.name] = draw(OF[column.kind])
        for change in draw(st.lists(st.sampled_from(["drop", "set", "add"]), max_size=2)):
            column = draw(st.sampled_from(FILES[name]))
            if change == "drop":
                row.pop(column.name, None)
            else:
                row[column.name if change == "set" else "more"] = draw(ANY)
        rows.append(row)
    return name, rows


def layer_rows(name: str, rows: list[dict[str, object]]) -> tuple[LayerRows, str]:
    if name == "nodes":
        return LayerRows(nodes=rows), "nodes.parquet"
    if name == "vectors":
        return LayerRows(vectors=rows), "vectors.parquet"
    if name in RECORD_TYPES:
        return LayerRows(records={name: rows}), f"records/{name}.parquet"
    if name in RECORD_RELATIONS:
        return LayerRows(record_edges={name: rows}), f"record_edges/{name}.parquet"
    given: dict[str, Any] = {name: {"HAS_SYMPTOM": rows}}
    return LayerRows(**given), f"{name}/HAS_SYMPTOM.parquet"


@settings(max_examples=60, deadline=None)
@given(tables())
def test_random_rows_read_back_equal_or_are_one_sentence(
    made: tuple[str, list[dict[str, object]]],
) -> None:
    name, rows = made
    given_rows, file = layer_rows(name, rows)
    with TemporaryDirectory() as work:
        try:
            layer = write_layer(Path(work) / "x", "x", given_rows, "test")
        except MedKGError as e:
            told = str(e)
            assert (told[:9], "\n" in told) == ("layer x, ", False)
            return
        inspect_layer(GraphTables(layer.folder))
        path = layer.folder / file
        found = pq.read_table(path).to_pylist() if path.is_file() else []
    schema = arrow_schema(FILES[name])
    empty: dict[str, object] = {
        c.name: [] if c.kind is Kind.STRINGS else None for c in FILES[name]
    }
    expected = [{**empty, **row} for row in rows]
    assert schema.names == list(empty)
    assert by_id(found) == by_id(expected)


def by_id(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    plain = [
        {k: np.float32(v).tolist() if k == "embedding" else v for k, v in row.items()}
        for row in rows
    ]
    return sorted(plain, key=lambda row: str(row.get("id") or row.get("head")))
