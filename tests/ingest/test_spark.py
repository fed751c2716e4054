"""The merge on Spark against the same on DuckDB."""

import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ingest.merge import MergeConfig, MergeResult, merge
from ingest.spark import java_memory
from kg.errors import ConfigurationError, ServerError
from kg.progress import Silent
from kg.server.java import find_java
from tests.conftest import do_without
from tests.ingest.rows import fact, said, write_assertions

pytestmark = pytest.mark.xdist_group("java")

ROWS = {
    "a": [
        said("MONDO:1", "HAS_NAME", "gout"),
        said("MONDO:1", "HAS_EXACT_MATCH", "DOID:1"),
        said("MONDO:1", "HAS_TEXT", "second"),
        said("MONDO:1", "HAS_TEXT", "first"),
        fact("MONDO:1", "HAS_SYMPTOM", "HP:1", publications="PMID:1|PMID:2", frequency=0.5),
        fact(None, "HAS_SYMPTOM", None, head_name="Gout", tail_name="Ärger 痛"),
    ],
    "b": [
        said("DOID:1", "HAS_NAME", "Gicht"),
        fact("DOID:1", "HAS_SYMPTOM", "HP:1", publications="PMID:2|PMID:3", frequency=0.25),
        fact("MONDO:2", "HAS_SYMPTOM", "HP:2", head_type="Gene"),
        fact("MONDO:3", "NO_SUCH", "HP:2"),
        fact("MONDO:3", "HAS_SYMPTOM", None, tail_name=" NaN"),
    ],
}


@pytest.fixture
def config(tmp_path: Path) -> MergeConfig:
    files = {
        name: write_assertions(tmp_path / name / "assertions.parquet", name, rows)
        for name, rows in ROWS.items()
    }
    return MergeConfig(assertions=files, made_by="test")


def merged(config: MergeConfig, out: Path) -> MergeResult:
    out.mkdir()
    return merge(config, out, Silent())


def tables(folder: Path) -> Iterator[tuple[str, list[dict[str, object]]]]:
    for path in sorted(folder.rglob("*.parquet")):
        yield path.relative_to(folder).as_posix(), pq.read_table(path).to_pylist()


@pytest.fixture
def java(monkeypatch: pytest.MonkeyPatch) -> None:
    """A Java for Spark, which looks for one in fewer places than medkg."""
    try:
        home = find_java().home
    except ServerError as e:
        do_without("Spark", e)
    monkeypatch.setenv("JAVA_HOME", str(home))


@pytest.mark.usefixtures("java")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # py4j's sockets
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_tables_of_spark_equal_those_of_duckdb(config: MergeConfig, tmp_path: Path) -> None:
    on_spark = config.model_copy(update={"spark": "local[2]", "memory": "1GB"})
    ours, theirs = merged(config, tmp_path / "duckdb"), merged(on_spark, tmp_path / "spark")
    assert dict(tables(tmp_path / "spark")) == dict(tables(tmp_path / "duckdb"))
    assert theirs.accounts == ours.accounts
    assert sum(ours.summary.edges.values()) == 2
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_spark_without_pyspark_is_told(
    config: MergeConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark.sql", None)
    on_spark = config.model_copy(update={"spark": "local[2]"})
    with pytest.raises(
        ConfigurationError, match=r"the engine spark needs PySpark.*medkg\[spark\]"
    ):
        merged(on_spark, tmp_path / "spark")


@pytest.mark.parametrize(
    ("written", "of_java"),
    [("3GB", "2861m"), ("3GiB", "3072m"), ("1.5 GiB", "1536m"), ("1KB", "1m")],
)
def test_memory_is_told_as_java_takes_it(written: str, of_java: str) -> None:
    assert java_memory(written) == of_java
