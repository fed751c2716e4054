from collections.abc import Callable

import pyarrow as pa
import pytest

from kg.linking import column
from kg.linking.column import Column

CELLS = ["gout", None, "痛风", "", "fever"]


@pytest.fixture(params=["cell by cell", "as a list"])
def read(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], Column[str | None]]:
    """A column of which few cells may be read before it becomes a list, or hardly one."""
    monkeypatch.setattr(column, "_FEW", 1000 if request.param == "cell by cell" else 1)
    return lambda: Column(pa.chunked_array([CELLS[:2], CELLS[2:]], pa.string()))


def test_a_column_is_read_like_a_list(read: Callable[[], Column[str | None]]) -> None:
    cells = read()
    places = [0, 2, -1, 1, 4, -5]
    assert [cells[at] for at in places] == [CELLS[at] for at in places]
    assert len(cells) == len(CELLS)
    assert cells[1:3] == CELLS[1:3]
    assert list(cells) == CELLS
    assert "痛风" in cells
    assert cells.index("fever") == CELLS.index("fever")


def test_a_place_that_is_not_there_is_an_index_error(
    read: Callable[[], Column[str | None]],
) -> None:
    cells = read()
    for at in (5, -6):
        with pytest.raises(IndexError):
            cells[at]


def test_arrow_takes_a_column_as_it_is(read: Callable[[], Column[str | None]]) -> None:
    assert pa.array(read()).to_pylist() == CELLS
    assert pa.array(Column(pa.chunked_array([[1, 2]], pa.int32())), pa.int64()).type == pa.int64()


def test_an_empty_column_has_no_cells() -> None:
    cells: Column[str] = Column(pa.chunked_array([], pa.string()))
    assert (len(cells), list(cells)) == (0, [])
