"""Judging again: nothing is said anew, and what moved is counted."""

import json
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from evalsim.dialogue import EndReason
from evalsim.metrics import leaderboard
from evalsim.running.logs import read_dialogues
from evalsim.running.rejudge import ScoreChanges, score_changes
from evalsim.running.roles import Player, read_cast
from evalsim.running.run import RunOptions, judge_again, run
from evalsim.running.summary import summarize
from kg.commands import main
from tests.evalsim import scripts
from tests.evalsim.endpoint import Asked, Fails, Script, endpoint


@pytest.fixture(scope="module")
def held(
    clinic: Path, clinic_cases: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[RunOptions, list[Path]]:
    """A run of medkg's own players, and its logs."""
    options = RunOptions(
        task="diagnosis",
        cases=clinic_cases,
        folder=tmp_path_factory.mktemp("run") / "run",
        cast=read_cast({"doctor": "medkg/doctor-differential"}, preset="offline"),
        graph=str(clinic),
        limit=3,
    )
    return options, run(options).logs


def test_the_same_judge_moves_nothing(held: tuple[RunOptions, list[Path]], tmp_path: Path) -> None:
    options, logs = held
    again = judge_again(logs, tmp_path, (Player(model="medkg/judge"),), graph=options.graph)
    assert again.complete
    rows = score_changes(logs, again.logs)
    assert [(row.metric, row.highest) for row in rows] == [
        ("correctness", 3),
        ("history_taking", 2),
    ]
    assert all(row.changed == row.lost == row.gained == 0 and row.turns for row in rows)
    before, after = (
        sorted(read_dialogues(each), key=lambda h: h.case.id) for each in (logs, again.logs)
    )
    assert [h.dialogue for h in before] == [h.dialogue for h in after]
    assert {(h.run.doctor, h.run.patient) for h in after} == {
        ("medkg/doctor-differential", "medkg/patient")
    }
    assert [h.repeat for h in after] == [1, 1, 1]


def test_another_judge_s_scores_take_their_place_and_nobody_else_is_called(
    held: tuple[RunOptions, list[Path]], tmp_path: Path
) -> None:
    options, logs = held
    with endpoint(scripts.judge) as served:
        judge = Player(model="m", base_url=served.url)
        again = judge_again(logs, tmp_path, (judge,), graph=options.graph)
        calls = len(served.asked)
    [correct, history] = score_changes(logs, again.logs)
    assert (correct.after, history.after) == (1.0, 1.0)
    assert correct.turns + history.turns + correct.gained + history.gained == calls
    kept = [turn.doctor for h in read_dialogues(logs) for turn in h.dialogue.turns]
    assert [turn.doctor for h in read_dialogues(again.logs) for turn in h.dialogue.turns] == kept


def test_a_judge_that_fails_in_a_tenth_of_its_calls_moves_no_mean_beyond_its_interval(
    held: tuple[RunOptions, list[Path]], tmp_path: Path
) -> None:
    options, logs = held
    for name in ("oracle", "greedy", "random"):
        cast = read_cast({"doctor": f"medkg/doctor-{name}"}, preset="offline")
        logs = [*logs, *run(replace(options, folder=tmp_path / name, cast=cast)).logs]
    scores = {}
    for folder, script in (
        ("sure", scripts.reading_judge),
        ("failing", scripts.failing_judge(0.1, seed=22)),
    ):
        with endpoint(script) as served:
            judge = Player(model="m", base_url=served.url, max_retries=0, max_connections=4)
            again = judge_again(logs, tmp_path / folder, (judge,), graph=options.graph)
        scores[folder] = {
            (each.doctor, each.metric): each
            for each in leaderboard([h.played for h in read_dialogues(again.logs)])
        }
    assert all(each.coverage == 1 for each in scores["sure"].values())
    missing = [each for each in scores["failing"].values() if each.coverage < 1]
    assert missing
    for key, sure in scores["sure"].items():
        unsure = scores["failing"][key]
        assert unsure.low <= sure.score.mean <= unsure.high
        if unsure.unscored < unsure.dialogues:
            assert sure.score.low <= unsure.score.mean <= sure.score.high


def refusing(asked: Asked, number: int) -> str:
    """A director that reads a refusal in words."""
    said = json.loads(scripts.director(asked, number))
    if "reading" in said:
        said["reading"] = {"refused": True}
    return json.dumps(said)


ENDS: dict[EndReason, dict[str, Script]] = {
    EndReason.REFUSED: {"director": refusing},
    EndReason.SILENT: {"doctor": lambda _, __: ""},
    EndReason.DOCTOR_FAILED: {"doctor": lambda _, __: Fails(401)},
    EndReason.PATIENT_FAILED: {"patient": lambda _, n: "It hurts." if n == 0 else Fails(401)},
    EndReason.DIRECTOR_FAILED: {"director": lambda asked, n: scripts.director(asked, n) if n < 2 else Fails(401)},
}  # fmt: skip


@pytest.mark.parametrize("end", ENDS)
def test_the_same_judge_moves_nothing_however_a_dialogue_ended(
    held: tuple[RunOptions, list[Path]], tmp_path: Path, end: EndReason
) -> None:
    options, _ = held
    with ExitStack() as stack:
        players = {
            role: Player(
                model=role, base_url=stack.enter_context(endpoint(script)).url, max_retries=0
            )
            for role, script in ENDS[end].items()
        }
        cast = options.cast.model_copy(update=players)
        broken = replace(options, folder=tmp_path / "run", cast=cast, limit=1, fail_share=1.0)
        logs = run(broken).logs
    [before] = read_dialogues(logs)
    assert before.dialogue.end is end
    judge = (Player(model="medkg/judge"),)
    again = judge_again(logs, tmp_path / "again", judge, graph=options.graph)
    assert again.complete
    [after] = read_dialogues(again.logs)
    assert after.dialogue == before.dialogue
    assert (after.run.cases, after.run.held_by) == (before.run.cases, before.run.id)


@pytest.mark.parametrize(
    ("language", "told"),
    [("en", "in points from 0 to the highest score"), ("zh", "从 0 到最高分")],
)
def test_the_command_says_of_which_scale_its_means_are(
    held: tuple[RunOptions, list[Path]], tmp_path: Path, language: str, told: str
) -> None:
    options, [log] = held
    command = ["eval", "judge", str(log), "--out", str(tmp_path), "--graph", str(options.graph)]
    result = CliRunner().invoke(main, [*command, "--lang", language])
    assert result.exit_code == 0, result.output
    assert told in result.stderr
    assert ("highest" if language == "en" else "最高分") in result.stdout


def test_a_move_says_how_many_went_where() -> None:
    row = ScoreChanges(
        "diagnosis", "correctness", 3, 2.0, 1.0, {(3.0, 1.0): 2, (2.0, 2.0): 1}, 0, 0
    )
    assert (row.changed, row.highest) == (2, 3)


def test_a_summary_counts_dialogues_ends_and_scores(held: tuple[RunOptions, list[Path]]) -> None:
    summary = summarize(held[1])
    assert summary.dialogues == 3
    assert sum(summary.ends.values()) == 3
    assert [each.metric for each in summary.standings] == ["correctness", "history_taking"]
    assert all(0 <= each.score.mean <= 1 for each in summary.standings)
    assert summary.unscored == 0
    assert set(summary.spent) == {"director", "patient", "doctor", "judge"}


def test_a_second_run_in_the_same_folder_holds_nothing_anew(
    held: tuple[RunOptions, list[Path]],
) -> None:
    options, logs = held
    assert run(replace(options)).logs == logs
