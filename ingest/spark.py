"""A workspace on Spark: the expressions of the merge on a cluster, or on the cores of one machine."""

import re
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

import ibis
import ibis.expr.types as ir
import pyarrow.parquet as pq

from ingest.workspace import Workspace
from kg.errors import ConfigurationError

_SETTINGS: Final = {
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.jsonGenerator.ignoreNullFields": "false",  # as DuckDB writes JSON
    "spark.ui.enabled": "false",
}
_ON_ONE_MACHINE: Final = {
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.shuffle.partitions": "8",
}


class SparkWorkspace(Workspace):
    """Tables of one Spark session; what is kept lies in a folder that all workers can reach."""

    def __init__(self, session: Any, work: Path) -> None:  # noqa: ANN401 - PySpark may be missing
        """Work in a session of Spark.

        Args:
            session: of PySpark.
            work: gets the tables that are kept.
        """
        super().__init__(ibis.pyspark.connect(session))
        self._session = session
        self._work = work

    @classmethod
    @contextmanager
    def on(cls, master: str, work: Path, memory: str) -> Iterator[Self]:
        """A workspace on the Spark of ``master``, whose session ends with the block.

        Args:
            master: address of a cluster, or ``local[2]`` for two cores of this machine.
            work: a folder that the workers can reach too.
            memory: of the driver, which on one machine does all the work.

        Raises:
            ConfigurationError: PySpark or a Java is not installed, or nobody answers there.
        """
        interrupted = signal.getsignal(signal.SIGINT)
        session = _session(master, memory)
        try:
            yield cls(session, work)
        finally:
            session.stop()
            # PySpark takes Ctrl-C for itself and keeps it beyond the session's end
            if threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGINT, interrupted)

    def read(self, files: Sequence[Path]) -> ir.Table:
        """The rows of Parquet files with the same columns; at least one file."""
        self._kept += 1
        frame = self._session.read.parquet(*(str(file.absolute()) for file in files))
        frame.createOrReplaceTempView(f"read_{self._kept}")
        return self._engine.table(f"read_{self._kept}")

    def keep(self, name: str, table: ir.Table) -> ir.Table:
        """Work a table out once, for all that use it later."""
        self._kept += 1
        folder = (self._work / f"{name}_{self._kept}").absolute()
        self._engine.to_parquet(table, str(folder))
        return self.read([folder])

    def write(self, table: ir.Table, file: Path) -> None:
        """Write a Parquet file, rows in the table's order."""
        pq.write_table(self._engine.to_pyarrow(table), file)


def _session(master: str, memory: str) -> Any:  # noqa: ANN401 - PySpark is imported here only
    try:
        from py4j.protocol import Py4JError  # noqa: PLC0415 - an extra
        from pyspark.errors import PySparkException  # noqa: PLC0415 - an extra
        from pyspark.sql import SparkSession  # noqa: PLC0415 - an extra
    except ModuleNotFoundError as e:
        raise ConfigurationError(
            "the engine spark needs PySpark, which is not installed; run: pip install 'medkg[spark]'"
        ) from e
    local = master.startswith("local")
    settings = _SETTINGS | (_ON_ONE_MACHINE if local else {})
    settings |= {"spark.driver.memory": java_memory(memory)}
    builder = SparkSession.builder.master(master).appName("medkg")
    for name, value in settings.items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
    except (PySparkException, Py4JError) as e:
        why = str(e).strip().split("\n", 1)[0]
        raise ConfigurationError(
            f"{master}: Spark does not start ({why}); check the address, and that there is a Java "
            "of version 17 or 21 (JAVA_HOME)"
        ) from e
    session.sparkContext.setLogLevel("ERROR")
    return session


def java_memory(memory: str) -> str:
    """An amount of memory, as DuckDB writes it (3GB, 3GiB), for a Java: 2861m."""
    match = re.fullmatch(r"([\d.]+)\s*([KMGT])(i?)B", memory)
    if match is None:
        raise ValueError(f"{memory!r} is no amount of memory")
    number, unit, binary = match.groups()
    size = float(number) * (1024 if binary else 1000) ** ("KMGT".index(unit) + 1)
    return f"{max(1, round(size / 1024**2))}m"
