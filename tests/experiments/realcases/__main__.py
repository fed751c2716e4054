"""Diagnoses the cases of public sets: ``python -m tests.experiments.realcases HOME DATA FOLDER``.

FOLDER gets the cases, the logs of the dialogues and the outcomes of each set; what is there already is not
made again, and a run that was stopped goes on.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from random import Random

from evalsim.case import DiagnosisCase
from evalsim.cases.imported import TYPES, read_set
from evalsim.running.world import World
from kg.linking import Linker, LinkOptions
from tests.experiments.realcases.outcomes import SEED, Outcomes, play, play_closed
from tests.experiments.realcases.page import Result, page
from tests.experiments.realcases.sets import SETS, PublicSet, Row, rows

READ = Path(__file__).with_name("read.md")


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.experiments.realcases")
    parser.add_argument("home", type=Path, help="of a build of tests/everything")
    parser.add_argument("data", type=Path, help="the public data")
    parser.add_argument("folder", type=Path, help="gets cases, logs and outcomes")
    parser.add_argument("--limit", type=int, metavar="N", help="cases of a set, drawn by the seed")
    parser.add_argument("--only", nargs="+", help="names of sets")
    given = parser.parse_args()
    os.environ["MEDKG_HOME"] = str(given.home)
    clinic = Clinic(given.home)
    results = []
    for of in SETS:
        if given.only and of.name not in given.only:
            continue
        file = given.folder / of.name / "outcomes.json"
        if not file.exists():
            found = clinic.play(of, given.data, file.parent, given.limit)
            file.write_text(found.model_dump_json(), "utf-8")
        outcomes = Outcomes.model_validate_json(file.read_text("utf-8"))
        results.append(Result(of, [*rows(of, given.data)], outcomes))
    sys.stdout.write(page(results, READ.read_text("utf-8").strip()))


class Clinic:
    """The graph, opened when it is first asked."""

    def __init__(self, home: Path) -> None:
        self._home = home

    @cached_property
    def _world(self) -> World:
        return World.of(str(self._home / "graph.lbug"))

    @cached_property
    def _linker(self) -> Linker:
        options = LinkOptions(TYPES, limit=10)
        return Linker.of_store(self._world.store, self._home / "linking", options)

    def play(self, of: PublicSet, data: Path, folder: Path, limit: int | None) -> Outcomes:
        """Have the doctor meet the cases of a set; of more than the limit, so many of them."""
        imported = read_set(self._world.store, self._linker, of.origin, data / of.file)
        met = _drawn(imported.cases, limit)
        found, held = play(self._world, self._home / "graph.lbug", met, folder)
        cases = {case.id: case for case in met}
        targets = {case.id: case.target.id for case in imported.cases}
        offered = [*self._offered([*rows(of, data)], cases, targets)]
        found += play_closed(self._world, offered, held)
        talks = [each.dialogue for each in held if not each.run.settings.get("single_turn")]
        return Outcomes(
            report=imported.report,
            cases=imported.cases,
            met=tuple(cases),
            outcomes=tuple(found),
            diseases=len(self._world.store.query("evaluation.diseases").rows),
            violations=sum(bool(turn.violations) for talk in talks for turn in talk.turns),
            turns=sum(len(talk.turns) for talk in talks) / len(talks),
        )

    def _offered(
        self, read: Sequence[Row], cases: dict[str, DiagnosisCase], targets: dict[str, str]
    ) -> Iterator[tuple[DiagnosisCase, tuple[str, ...]]]:
        """Cases with the answers that their set offers, where all of these are diseases of the graph."""
        known = {row.diagnosis: targets[row.id] for row in read if row.id in targets}
        for row in read:
            if row.id in cases and row.choices:
                ids = [known.get(choice) or self._disease(choice) for choice in row.choices]
                if all(ids):
                    yield cases[row.id], tuple(id_ for id_ in ids if id_)

    def _disease(self, name: str) -> str | None:
        """The disease that goes by a name."""
        found = self._linker.resolve(name, types=("Disease",)).candidates
        return found[0].id if found and found[0].score == 1.0 else None


def _drawn(cases: Sequence[DiagnosisCase], limit: int | None) -> Sequence[DiagnosisCase]:
    """So many of some cases, in their order."""
    if limit is None or len(cases) <= limit:
        return cases
    places = sorted(Random(SEED).sample(range(len(cases)), limit))  # noqa: S311 - a sample
    return [cases[at] for at in places]


if __name__ == "__main__":
    main()
