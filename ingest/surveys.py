"""What a merge has to know of each source, found once for as long as the source is as it was."""

import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import ibis
import ibis.expr.types as ir

from ingest.assertions import ASSERTION_COLUMNS
from ingest.mentions import find_ends
from ingest.problems import judged, recorded
from ingest.workspace import Workspace, number_of


@dataclass(frozen=True)
class Survey:
    """A source's assertions, and what was found in them."""

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
    """Look through a source's assertions, unless ``folder`` has what that gave."""
    found = Survey(assertions, folder)
    if folder.is_dir():
        return found
    part = Survey(assertions, folder.with_name(f".{folder.name}.part"))
    shutil.rmtree(part.folder, ignore_errors=True)
    part.folder.mkdir(parents=True)
    problems = judged(workspace.read([assertions]))
    broken = problems.filter(problems.problem.notnull())
    workspace.write(recorded(broken, broken.problem), part.broken)
    workspace.write(find_ends(usable(workspace, [part])), part.ends)
    part.folder.rename(folder)
    return found


def usable(workspace: Workspace, surveys: Iterable[Survey]) -> ir.Table:
    """ASSERTION_COLUMNS of the assertions without a problem."""
    # A filter over millions of rows, at every use of them, that would drop nothing is left out.
    whole: list[Path] = []
    mixed: list[Path] = []
    for each in surveys:
        some = number_of(workspace.read([each.broken]))
        (mixed if some else whole).append(each.assertions)
    parts = [workspace.read(whole)] if whole else []
    if mixed:
        problems = judged(workspace.read(mixed))
        parts.append(problems.filter(problems.problem.isnull()))
    columns = [column.name for column in ASSERTION_COLUMNS]
    return ibis.union(*(part.select(columns) for part in parts)) if len(parts) > 1 else parts[0]
