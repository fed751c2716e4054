"""Runs that are asked for again with more or fewer cases: nothing is held twice, nothing is lost."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from inspect_ai.log import read_eval_log, write_eval_log

from cypher.translation import speaking
from evalsim.running.logs import HeldDialogue, find_logs, read_dialogues
from evalsim.running.roles import Player, read_cast
from evalsim.running.run import RunOptions, run
from kg.errors import EvaluationError
from kg.progress import Advance
from tests.evalsim import scripts
from tests.evalsim.endpoint import Endpoint, endpoint


@pytest.fixture
def doctor() -> Iterator[Endpoint]:
    """Asked twice in each dialogue."""
    with endpoint(scripts.doctor) as served:
        yield served


@pytest.fixture
def options(clinic: Path, clinic_cases: Path, tmp_path: Path, doctor: Endpoint) -> RunOptions:
    """All five cases, once."""
    cast = read_cast({"doctor": "x"}, preset="offline")
    played = Player(model="m", base_url=doctor.url)
    return RunOptions(
        task="diagnosis",
        cases=clinic_cases,
        folder=tmp_path / "run",
        cast=cast.model_copy(update={"doctor": played}),
        graph=str(clinic),
    )


def held_in(folder: Path) -> list[tuple[str, int]]:
    """The case and the repeat of every dialogue there, sorted."""
    return sorted((each.case.id, each.repeat) for each in read_dialogues(find_logs([folder])))


def runs_in(folder: Path) -> set[str]:
    return {each.run.id for each in read_dialogues(find_logs([folder]))}


def test_more_cases_and_more_repeats_hold_the_rest_alone(
    options: RunOptions, doctor: Endpoint
) -> None:
    counts = []
    for limit, repeats in ((2, 1), (None, 1), (None, 2)):
        run(replace(options, limit=limit, repeats=repeats))
        counts.append((len(held_in(options.folder)), len(doctor.asked)))
    assert counts == [(2, 4), (5, 10), (10, 20)]
    assert len(runs_in(options.folder)) == 1


def test_fewer_cases_of_a_whole_run_are_there_already(
    options: RunOptions, doctor: Endpoint
) -> None:
    run(replace(options, repeats=2))
    whole, calls = held_in(options.folder), len(doctor.asked)
    for fewer in ({"limit": 3, "repeats": 2}, {"repeats": 1}, {"limit": 1, "repeats": 1}):
        assert run(replace(options, **fewer)).complete  # type: ignore[arg-type]
        assert held_in(options.folder) == whole
    assert len(doctor.asked) == calls


def test_a_run_goes_on_wherever_its_files_are(
    options: RunOptions, doctor: Endpoint, tmp_path: Path
) -> None:
    run(replace(options, limit=3))
    moved = Path(shutil.move(options.folder, tmp_path / "moved"))
    copied = Path(shutil.copy(options.cases, tmp_path / "copied.jsonl"))
    run(replace(options, folder=moved, cases=copied))
    assert len(held_in(moved)) == 5
    assert len(doctor.asked) == 10


def test_more_repeats_of_fewer_cases_are_another_run(options: RunOptions) -> None:
    run(options)
    message = r"run: the run there is of 5 cases with 1 dialogues each, .* 2 with 3 each are asked for; .* --out"
    with pytest.raises(EvaluationError, match=message):
        run(replace(options, limit=2, repeats=3))
    with speaking("zh"), pytest.raises(EvaluationError, match=r"已有.*--out"):
        run(replace(options, limit=2, repeats=3))
    assert len(held_in(options.folder)) == 5


def test_fewer_cases_of_a_run_that_was_stopped_lose_none(options: RunOptions) -> None:
    [log] = run(replace(options, limit=4)).logs
    stopped = read_eval_log(str(log))
    stopped.status = "cancelled"
    write_eval_log(stopped, str(log))
    with pytest.raises(EvaluationError, match="of 4 cases with 1 dialogues each"):
        run(replace(options, limit=1))
    run(options)
    assert len(held_in(options.folder)) == 5


class Told:
    """Progress that notes what it is told."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, int | None, list[int]]] = []

    @contextmanager
    def step(self, name: str, total: int | None = None) -> Iterator[Advance]:
        units: list[int] = []
        self.steps.append((name, total, units))
        yield units.append


def test_every_dialogue_that_ends_is_told_and_one_that_is_held_already_is_not(
    options: RunOptions,
) -> None:
    told = Told()
    run(replace(options, limit=2), told)
    run(options, told)
    run(options)  # nobody watches
    assert told.steps == [("Dialogues", 2, [1, 1]), ("Dialogues", None, [1, 1, 1])]


def test_a_log_and_its_copy_count_once(options: RunOptions, tmp_path: Path) -> None:
    run(replace(options, limit=2))
    shutil.copytree(options.folder, tmp_path / "copy")
    both: list[HeldDialogue] = [*read_dialogues(find_logs([options.folder, tmp_path / "copy"]))]
    assert len(both) == 2


def test_a_run_that_is_complete_says_nothing_on_the_screen(
    options: RunOptions, capfd: pytest.CaptureFixture[str]
) -> None:
    for _ in range(2):
        run(replace(options, limit=1))
    assert capfd.readouterr().out == ""


def test_a_run_prints_nothing_itself(
    options: RunOptions, capfd: pytest.CaptureFixture[str]
) -> None:
    run(replace(options, limit=1))
    assert capfd.readouterr().out == ""
