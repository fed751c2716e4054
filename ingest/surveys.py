"""What a merge needs of each source; computed once and kept until the source changes."""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import ibis
import ibis.expr.types as ir
import pyarrow.parquet as pq

from ingest.assertions import ASSERTION_COLUMNS
from ingest.mentions import find_ends
from ingest.problems import recorded, with_problems
from ingest.workspace import Workspace


@dataclass(frozen=True)
class Survey:
    """A source's assertions, and the files computed from them."""

    assertions: Path
    folder: Path

    @property
    def ends(self) -> Path:
        """As ``find_ends`` gives them."""
        return self.folder / "ends.parquet"

    @property
    def broken(self) -> Path:
        """The assertions that no merge can use, as ``recorded`` gives them."""
        return self.folder / "broken.parquet"


def survey(workspace: Workspace, assertions: Path, folder: Path) -> Survey:
    """Compute the files of a survey, unless ``folder`` has them already."""
    result = Survey(assertions, folder)
    if folder.is_dir():
        return result
    unfinished = Survey(assertions, folder.with_name(f".{folder.name}.part"))
    shutil.rmtree(unfinished.folder, ignore_errors=True)
    unfinished.folder.mkdir(parents=True)
    problems = with_problems(workspace.read([assertions]))
    broken = problems.filter(problems.problem.notnull())
    workspace.write(recorded(broken, broken.problem), unfinished.broken)
    workspace.write(find_ends(usable(workspace, [unfinished])), unfinished.ends)
    unfinished.folder.rename(folder)
    return result


def usable(workspace: Workspace, surveys: Iterable[Survey]) -> ir.Table:
    """ASSERTION_COLUMNS of the assertions without a problem."""
    # no check of the millions of rows of sources without a problem, and of the others one
    without_problems: list[Path] = []
    with_some: list[Path] = []
    for each in surveys:
        some = pq.read_metadata(each.broken).num_rows
        (with_some if some else without_problems).append(each.assertions)
    parts = [workspace.read(without_problems)] if without_problems else []
    if with_some:
        problems = with_problems(workspace.read(with_some))
        parts.append(workspace.keep("usable", problems.filter(problems.problem.isnull())))
    columns = [column.name for column in ASSERTION_COLUMNS]
    return ibis.union(*(part.select(columns) for part in parts)) if len(parts) > 1 else parts[0]
