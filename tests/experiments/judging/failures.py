"""What it does to the scores of doctors when a judge's endpoint fails in one call of ten.

    python -m tests.experiments.judging.failures GRAPH CASES FOLDER [-n 200]

Doctors of known quality hold dialogues on a graph; then an endpoint on loopback judges the same
dialogues twice: once answering always, once failing in a tenth of the calls, drawn by the call's own text, in one of
four ways: an error of the server, JSON that breaks off, an empty answer, a refusal. Nothing is retried. The
judge behind it is a plain one that reads the prompt alone (``tests.evalsim.scripts.reading_judge``).
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from evalsim.metrics import Standing, leaderboard
from evalsim.running.logs import read_dialogues
from evalsim.running.roles import Player, read_cast
from evalsim.running.run import RunOptions, judge_again, run
from evalsim.running.world import World
from tests.evalsim.endpoint import Script, endpoint
from tests.evalsim.scripts import failing_judge, reading_judge

DOCTORS: Final = ("oracle", "differential", "greedy", "random")
SHARE: Final = 0.1
SEED: Final = 22


def standings(
    logs: Sequence[Path], folder: Path, graph: Path, script: Script
) -> dict[tuple[str, str], Standing]:
    """Scores by doctor and metric of dialogues that an endpoint judges again, none of it retried."""
    with endpoint(script) as served:
        player = Player(model="judge", base_url=served.url, max_retries=0, max_connections=8)
        again = judge_again(logs, folder, (player,), graph=str(graph), max_samples=8)
    played = [held.played for held in read_dialogues(again.logs)]
    return {(each.doctor, each.metric): each for each in leaderboard(played)}


def main() -> None:
    """Print a table row for each doctor and metric."""
    parser = argparse.ArgumentParser(prog="python -m tests.experiments.judging.failures")
    parser.add_argument("graph", type=Path)
    parser.add_argument("cases", type=Path, help="of 'medkg eval cases' on that graph")
    parser.add_argument("folder", type=Path, help="gets the logs")
    parser.add_argument("-n", type=int, default=200, help="cases")
    given = parser.parse_args()
    world = World.of(str(given.graph))  # stays open from run to run as long as it is held
    logs: list[Path] = []
    for name in DOCTORS:
        options = RunOptions(
            task="diagnosis",
            cases=given.cases,
            folder=given.folder / name,
            cast=read_cast({"doctor": f"medkg/doctor-{name}"}, preset="offline"),
            graph=str(given.graph),
            limit=given.n,
        )
        logs += run(options).logs
    sure = standings(logs, given.folder / "sure", given.graph, reading_judge)
    unsure = standings(logs, given.folder / "failing", given.graph, failing_judge(SHARE, SEED))
    del world
    for (doctor, metric), before in sorted(sure.items(), key=lambda item: item[0][::-1]):
        after = unsure[doctor, metric]
        _show(
            doctor.removeprefix("medkg/doctor-"),
            metric.replace("_", "-"),
            f"{before.score.mean:.3f} [{before.score.low:.3f}, {before.score.high:.3f}]",
            f"{after.score.mean:.3f} [{after.score.low:.3f}, {after.score.high:.3f}]",
            f"{after.low:.3f} to {after.high:.3f}",
            f"{before.coverage:.1%}",
            f"{after.coverage:.1%}",
        )


def _show(*cells: object) -> None:
    sys.stdout.write(f"| {' | '.join(map(str, cells))} |\n")


if __name__ == "__main__":
    main()
