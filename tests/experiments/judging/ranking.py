"""Whether scores tell doctors of known quality apart that do not see the source of the cases.

    python -m tests.experiments.judging.ranking HOME WITHHELD FOLDER --en SOURCE --zh SOURCE

HOME has the graph of everything, which director and judge see; WITHHELD the one of ``medkg eval
withhold`` without the sources, which the doctors see. Cases are drawn from a source alone, or from several
(``--zh SOURCE --zh SOURCE``), of the diseases that the doctors' graph has findings of too: nobody finds what no other source describes, and
``--all`` draws of those as well. FOLDER gets cases and logs; a run that was stopped goes on there.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from evalsim.case import Language, write_cases
from evalsim.cases.drawing import DrawOptions, draw
from evalsim.metrics import leaderboard
from evalsim.running.logs import read_dialogues
from evalsim.running.roles import Player, read_cast
from evalsim.running.run import RunOptions, run
from evalsim.running.world import World

DOCTORS: Final = ("greedy", "random", "differential", "oracle")
SEED: Final = 22


def main() -> None:
    """Print a table row for each doctor and language."""
    parser = argparse.ArgumentParser(prog="python -m tests.experiments.judging.ranking")
    parser.add_argument("home", type=Path)
    parser.add_argument("withheld", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("-n", type=int, default=200, help="cases a language")
    parser.add_argument("--all", action="store_true", help="diseases that doctors cannot know too")
    for language in ("en", "zh"):
        parser.add_argument(
            f"--{language}", metavar="SOURCE", action="append", default=[], help="of the cases"
        )
    given = parser.parse_args()
    os.environ["MEDKG_HOME"] = str(given.home)
    # both graphs stay open from run to run as long as somebody holds them
    worlds = [World.of(str(home / "graph.lbug")) for home in (given.home, given.withheld)]
    sources: dict[Language, list[str]] = {"en": given.en, "zh": given.zh}
    for language, of_language in sources.items():
        if of_language:
            cases = _cases(worlds, given, language, of_language)
            for doctor in DOCTORS:
                for line in _held(given, cases, doctor):
                    _show(language, ", ".join(of_language), doctor, *line)


def _cases(
    worlds: Sequence[World],
    given: argparse.Namespace,
    language: Language,
    sources: Sequence[str],
) -> Path:
    """A file of cases with the findings of some sources alone."""
    everything, withheld = worlds
    options = DrawOptions(
        task="diagnosis", language=language, n=given.n, seed=SEED, sources=tuple(sources)
    )
    drawn = draw(everything.store, options, known_to=None if given.all else withheld.store)
    cases = drawn.cases
    _show(language, ", ".join(sources), drawn.report.pool, len(cases))
    given.folder.mkdir(parents=True, exist_ok=True)
    file: Path = given.folder / f"{language}.jsonl"
    write_cases(cases, file)
    return file


def _held(given: argparse.Namespace, cases: Path, name: str) -> Iterator[tuple[object, ...]]:
    """What one doctor comes to, a line for each metric, with intervals of 95 % by diseases."""
    graph = str(given.withheld / "graph.lbug")
    cast = read_cast({"doctor": f"medkg/doctor-{name}"}, preset="offline")
    cast = cast.model_copy(update={"doctor": Player(model=cast.doctor.model, graph=graph)})
    options = RunOptions(
        task="diagnosis",
        cases=cases,
        folder=given.folder / f"{cases.stem}-{name}",
        cast=cast,
        graph=str(given.home / "graph.lbug"),
        seed=SEED,
        max_samples=4,
    )
    played = [held.played for held in read_dialogues(run(options).logs)]
    turns = sum(len(each.dialogue.turns) for each in played) / len(played)
    for each in leaderboard(played):
        score = f"{each.score.mean:.3f} [{each.score.low:.3f}, {each.score.high:.3f}]"
        yield (len(played), each.metric, score, f"{each.coverage:.0%}", f"{turns:.1f} turns")


def _show(*cells: object) -> None:
    sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
