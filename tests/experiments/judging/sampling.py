"""Verdicts of the judge on dialogues of medkg's doctors, drawn at random for reading one by one.

    python -m tests.experiments.judging.sampling run GRAPH CASES --seed 7 --to verdicts.jsonl
    python -m tests.experiments.judging.sampling draw verdicts.jsonl --seed 7 --of history_taking -n 34

The same cases, graph and seed give the same verdicts, and the same of these the same draw: so many of each
score, or of each flag. An id is case:doctor:turn:metric.
"""

import json
import sys
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, Final

import kg
from evalsim.agents.director import Director
from evalsim.agents.doctors import doctor
from evalsim.case import read_cases
from evalsim.judging.judge import Judge
from kg.configuration import Settings
from kg.linking import Linker
from tests.experiments.judging.dialogues import Scored, hold

_DOCTORS: Final = ("oracle", "differential", "random", "greedy", "careless")


def run(given: Namespace) -> Iterator[dict[str, Any]]:
    """Hold dialogues, every case with every doctor, and say what the judge finds."""
    with kg.connect(str(given.graph)) as store:
        linker = Linker.of_store(store, Settings.read().linking)
        director, judge = Director(store, linker), Judge(store, linker)
        doctors = [doctor(name, store, linker) for name in given.doctors.split(",")]
        for case in islice(read_cases(given.cases), given.limit):
            for each in doctors:
                for scored in hold(case, each, director, judge, given.seed):
                    yield row(scored)


def row(scored: Scored) -> dict[str, Any]:
    """A verdict with all that is needed to read it."""
    case, verdict = scored.case, scored.verdict
    language = case.language
    findings = getattr(case, "findings", ())
    best = sorted(findings, key=lambda f: -(f.discrimination or 0.0))
    return {
        "id": f"{case.id}:{scored.doctor}:{len(scored.turns)}:{scored.metric}",
        "language": language,
        "metric": scored.metric,
        "target": case.target.called(language),
        "patient": scored.persona.model_dump(include={"age", "sex"}),
        "findings": [f"{f.called(language)} {f.discrimination or 0:.2f}" for f in best],
        "dialogue": [[turn.patient, turn.doctor] for turn in scored.turns],
        "score": verdict.score,
        "flags": verdict.flags,
        "reason": verdict.reason,
        "facts": verdict.facts,
    }


def draw(given: Namespace) -> Iterator[dict[str, Any]]:
    """So many verdicts of each score of a metric, or of each flag."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in given.verdicts.read_text("utf-8").splitlines():
        each = json.loads(line)
        if each["metric"] == given.of:
            levels = each["flags"] or ["none"] if given.of == "safety" else [each["score"]]
            for level in levels:
                if level is not None:
                    found[each["language"], str(level)].append(each)
    for (language, level), some in sorted(found.items()):
        drawn = Random(f"{given.seed}:{language}:{given.of}:{level}")  # noqa: S311
        yield from drawn.sample(some, min(given.n, len(some)))


def main() -> None:
    """Run or draw, as the command line says."""
    parser = ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("run")
    one.add_argument("graph", type=Path)
    one.add_argument("cases", type=Path)
    one.add_argument("--seed", type=int, default=0)
    one.add_argument("--limit", type=int, default=30, help="cases at most")
    one.add_argument("--doctors", default=",".join(_DOCTORS))
    one.add_argument("--to", type=Path, required=True)
    one.set_defaults(make=run)
    other = commands.add_parser("draw")
    other.add_argument("verdicts", type=Path)
    other.add_argument("--seed", type=int, default=0)
    other.add_argument("--of", default="history_taking", help="metric")
    other.add_argument("-n", type=int, default=34, help="of each score or flag, at most")
    other.set_defaults(make=draw, to=None)
    given = parser.parse_args()
    with given.to.open("a", encoding="utf-8") if given.to else sys.stdout as lines:
        for each in given.make(given):
            lines.write(json.dumps(each, ensure_ascii=False) + "\n")
            lines.flush()


if __name__ == "__main__":
    main()
