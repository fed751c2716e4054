import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter

from tests.benchmarks import kgx_work
from tests.benchmarks.figures import Figure, Unit, as_markdown
from tests.benchmarks.measuring import Measured
from tests.benchmarks.page import page
from tests.benchmarks.pandas_script import clean
from tests.benchmarks.table_work import (
    build_kgx,
    build_six,
    build_tables,
    generate,
    map_sources,
    thin_out,
)


@pytest.fixture
def kg_csv(tmp_path: Path) -> Path:
    path = tmp_path / "kg.csv"
    generate(str(path), 0.0005)
    return path


def figure(unit: Unit, ours: float, theirs: float) -> Figure:
    return Figure.of("this", unit, ours, rival="that", theirs=theirs, load=(0.5, 2), target=30)


def test_rival_of_the_table_work_finds_the_same_edges(kg_csv: Path, tmp_path: Path) -> None:
    ours = build_tables(str(kg_csv), str(tmp_path / "ours"))
    assert clean(str(kg_csv), str(tmp_path / "theirs")) == ours["edges"] > 2000


def test_graph_as_kgx_comes_back_though_every_edge_is_in_two_files(
    kg_csv: Path, tmp_path: Path
) -> None:
    assert map_sources(str(kg_csv), str(tmp_path / "mapped"), 200) > 500
    built = build_six(str(kg_csv), str(tmp_path / "mapped"), str(tmp_path / "six"))
    kgx = tmp_path / "kgx"
    written = kgx_work.write(str(tmp_path / "six" / "tables"), str(kgx))
    assert written["edges"] == built["edges"] > written["turned"] > 800
    files = [str(kgx / "edges.tsv"), str(kgx / "again.tsv")]
    back = build_kgx(str(kgx / "nodes.tsv"), files, str(tmp_path / "back"))
    assert (back["edges"], back["nodes"]) == (built["edges"], built["nodes"])
    assert back["rows"] == 2 * (built["edges"] + built["nodes"])


def test_thinned_tables_keep_a_share_of_every_large_relation(kg_csv: Path, tmp_path: Path) -> None:
    edges = build_tables(str(kg_csv), str(tmp_path / "whole"))["edges"]
    thin = tmp_path / "thin"
    kept = thin_out(str(tmp_path / "whole" / "tables"), str(thin), edges // 4)
    assert 0.2 < kept / edges < 0.3
    assert (thin / "edges" / "INTERACTS_WITH.parquet").exists()


def test_measured_process_is_timed_and_weighed(tmp_path: Path) -> None:
    # by a process that is small itself: a child's peak begins with what its parent has
    code = (
        "import sys; from pydantic import TypeAdapter; "
        "from tests.benchmarks.measuring import Measured, measure; "
        "found = measure('table_work:generate', path=sys.argv[1], share=0.0005); "
        "print(TypeAdapter(Measured).dump_json(found).decode())"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "kg.csv"],
        stdout=subprocess.PIPE,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    measured = TypeAdapter(Measured).validate_json(told.stdout)
    assert measured.answer > 4000
    assert measured.seconds > 0.1
    assert measured.cpu > 0.1
    assert 20e6 < measured.peak < 2e9


def test_ratio_says_how_many_times_better_medkg_is() -> None:
    assert figure(Unit.SECONDS, ours=10, theirs=20).ratio == 2
    assert figure(Unit.PER_SECOND, ours=10, theirs=20).ratio == 0.5


def test_page_has_the_figures_and_says_what_they_are() -> None:
    told = page("| figure |", share=0.5)
    assert "| figure |" in told
    assert "(here 0.5 of its edges)" in told


def test_figures_show_their_units_in_markdown() -> None:
    assert as_markdown([figure(Unit.SECONDS, ours=10, theirs=20)]).splitlines()[-1] == (
        "| this | 10.00 s | ≤ 30.00 s | that | 20.00 s | 2.00 times | 0.5 → 2.0 |"
    )
