from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import mkdtemp

import pytest

from ingest.assertions import Assertion
from ingest.edges import Combine
from ingest.merge import MergeConfig, MergeResult, merge
from kg.progress import Silent
from tests.conftest import CommandLine
from tests.ingest.compiled_once import compile_once
from tests.ingest.rows import write_assertions

compile_once()

MergeRows = Callable[..., MergeResult]


@pytest.fixture
def cli(cli_here: CommandLine) -> CommandLine:
    return cli_here


@pytest.fixture
def merge_rows(tmp_path: Path) -> MergeRows:
    return merging_in(tmp_path)


def merging_in(folder: Path) -> MergeRows:
    """Merges rows given by source, in the order of the keywords."""

    def run(
        text_born: frozenset[str] = frozenset(),
        combine: Combine = Combine(),  # noqa: B008 -- frozen
        **sources: Sequence[Assertion],
    ) -> MergeResult:
        paths = {
            name: write_assertions(folder / f"{name}.parquet", name, rows)
            for name, rows in sources.items()
        }
        out = Path(mkdtemp(dir=folder))
        config = MergeConfig(
            assertions=paths, text_born=text_born, combine=combine, made_by="a test"
        )
        return merge(config, out, Silent())

    return run
