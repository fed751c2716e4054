from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import mkdtemp

import pytest
from click.testing import CliRunner

from ingest.assertions import Assertion
from ingest.edges import Combine
from ingest.merge import MergeConfig, MergeResult, merge
from kg.commands import main
from kg.progress import Silent
from tests.conftest import CommandLine, Run
from tests.ingest.compiled_once import compile_once
from tests.ingest.rows import write_assertions

compile_once()

MergeRows = Callable[..., MergeResult]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """``medkg`` in this process: to start one and to import costs as much as a small build.

    As processes of their own builds run in the tests of the demo and in those that kill one.
    """
    monkeypatch.chdir(tmp_path)

    def run(
        *arguments: str | Path,
        env: Mapping[str, str] | None = None,
        stdin: str = "",
        timeout: float = 0,
    ) -> Run:
        del timeout  # pytest has one
        done = CliRunner().invoke(main, [str(each) for each in arguments], input=stdin, env=env)
        return Run(done.exit_code, done.stdout, done.stderr)

    return run


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
