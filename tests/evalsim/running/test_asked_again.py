"""Asking a patient the same again: every call is made, and only by the patient."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from evalsim.metrics import consistency, find_encoder
from evalsim.running.asked_again import ask_again
from evalsim.running.logs import HeldDialogue, read_dialogues
from evalsim.running.roles import Player, read_cast
from evalsim.running.run import RunOptions, run
from kg.commands import main
from kg.errors import EvaluationError
from tests.evalsim import scripts
from tests.evalsim.endpoint import Asked, Fails, endpoint

WORDS = find_encoder("words").encode


@pytest.fixture(scope="module")
def logs(
    clinic: Path, clinic_cases: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, list[Path]]:
    """The graph, and the logs of a run of medkg's own players."""
    options = RunOptions(
        task="diagnosis",
        cases=clinic_cases,
        folder=tmp_path_factory.mktemp("run") / "run",
        cast=read_cast({"doctor": "medkg/doctor-differential"}, preset="offline"),
        graph=str(clinic),
        limit=3,
    )
    return clinic, run(options).logs


def dialogues(logs: list[Path]) -> list[HeldDialogue]:
    return [*read_dialogues(logs)]


def unmarked(asked: Asked) -> str:
    """A prompt without the mark around what it quotes, which is of the run."""
    return re.sub(r"[0-9a-f]{12}", "", json.dumps(asked.body["messages"]))


def test_medkgs_own_patient_says_the_same_and_what_it_said(logs: tuple[Path, list[Path]]) -> None:
    clinic, files = logs
    held = dialogues(files)
    [replies] = ask_again(held, times=3, graph=str(clinic))
    assert (replies.patient, len(replies.by_prompt)) == ("medkg/patient", 3)
    said = {turn.patient for each in held for turn in each.dialogue.turns}
    assert all(len({*own}) == 1 and own[0] in said for own in replies.by_prompt.values())
    assert consistency(replies.by_prompt, WORDS).mean.mean == pytest.approx(1)


def test_an_endpoint_is_asked_the_same_anew_each_time_with_other_seeds(
    logs: tuple[Path, list[Path]],
) -> None:
    clinic, files = logs
    words = ["My toe hurts.", "My toe is sore.", "It aches, my toe."]

    def patient(asked: Asked, number: int) -> str:
        del number
        return str(words[asked.body["seed"] - 7])

    with endpoint(patient) as served:
        player = Player(model="m", base_url=served.url, temperature=0.5)
        [replies] = ask_again(
            dialogues(files), times=3, player=player, graph=str(clinic), limit=2, seed=7
        )
    assert [*replies.by_prompt.values()] == [words, words]
    assert len(served.asked) == 6
    assert len({json.dumps(each.body["messages"]) for each in served.asked}) == 2
    assert sorted(each.body["seed"] for each in served.asked) == [7, 7, 8, 8, 9, 9]


def test_calls_that_fail_are_counted_and_their_prompt_goes_on(
    logs: tuple[Path, list[Path]],
) -> None:
    clinic, files = logs

    def patient(asked: Asked, number: int) -> str | Fails:
        del number
        return Fails(400) if asked.body["seed"] == 1 else "My toe hurts."

    with endpoint(patient) as served:
        player = Player(model="m", base_url=served.url, max_retries=0)
        [replies] = ask_again(dialogues(files), times=3, player=player, graph=str(clinic), limit=1)
    assert [*replies.by_prompt.values()] == [["My toe hurts."] * 2]
    [(why, count)] = replies.failed.items()
    assert count == 1
    assert "the server broke" in why


def test_a_patient_without_a_director_is_asked_as_it_was(
    logs: tuple[Path, list[Path]], clinic_cases: Path, tmp_path: Path
) -> None:
    with endpoint(scripts.patient) as served:
        cast = read_cast(
            {"doctor": "medkg/doctor-greedy"}, preset="offline", director=False
        ).model_copy(update={"patient": Player(model="m", base_url=served.url)})
        options = RunOptions(
            task="diagnosis",
            cases=clinic_cases,
            folder=tmp_path,
            cast=cast,
            graph=str(logs[0]),
            limit=1,
        )
        held = dialogues(run(options).logs)
        before = [*served.asked]
        [replies] = ask_again(held, times=2, graph=str(logs[0]))
    again = served.asked[len(before) :]
    assert (replies.patient, replies.setting.directed) == ("m", False)
    assert len(again) == 2
    [prompt] = {unmarked(each) for each in again}
    assert prompt in map(unmarked, before)


def test_the_command_says_how_alike_beside_the_paper(logs: tuple[Path, list[Path]]) -> None:
    clinic, files = logs
    arguments = ["eval", "consistency", str(files[0]), "--times", "2", "--graph", str(clinic)]
    told = CliRunner().invoke(main, arguments)
    assert told.exit_code == 0, told.output
    assert "medkg/patient" in told.stdout
    assert "diagnosis, English" in told.stdout
    assert "1.000–1.000" in told.stdout  # noqa: RUF001 - the dash of ranges
    assert "Encoder: words. The paper (table 9), by BGE-M3: QwQ-32B 0.835" in told.stderr
    assert "not to be compared" in told.stderr
    answer = json.loads(CliRunner().invoke(main, [*arguments, "--json"]).stdout)
    [row] = answer["patients"]
    assert (row["consistency"]["mean"], row["prompts"], row["replies"]) == (1, 3, 6)
    assert answer["paper"]["DeepSeek-R1-32B"] == 0.8088


def test_logs_in_which_nobody_spoke_are_refused() -> None:
    with pytest.raises(EvaluationError, match="no patient spoke in these logs"):
        ask_again([], times=2)
