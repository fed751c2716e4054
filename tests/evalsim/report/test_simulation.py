"""The section on patients and director: tables 4 and 7 with the paper's figures beside ours."""

import dataclasses
import math

import pytest

from evalsim.dialogue import Turn
from evalsim.metrics import Mention, NamedRecogniser, find_encoder
from evalsim.report.entries import entry, labelled
from evalsim.report.simulation import simulation
from evalsim.report.tables import Estimate, Section, plain
from evalsim.running.logs import HeldDialogue
from tests.evalsim.report.dialogues import diagnosis_case, held, judgement, run, turn


def said(number: int, patient: str, correctness: float, history: float) -> Turn:
    judged = (judgement("correctness", correctness), judgement("history_taking", history))
    return turn(number, patient, "It is measles.", *judged)


def consulted(
    doctor: str, at: int, words: str, score: float, *, directed: bool = True
) -> HeldDialogue:
    of_run = run(doctor, id_=f"{doctor}-{directed}")
    of_run = dataclasses.replace(of_run, settings={**of_run.settings, "director": directed})
    return held(of_run, diagnosis_case(at), [said(1, words, score, 1)])


def section_of(*dialogues: HeldDialogue) -> Section:
    entries = labelled([entry(each, number) for number, each in enumerate(dialogues, 1)])
    found = simulation(entries, find_encoder("words"), None, 0)
    assert found is not None
    return found


def test_patients_are_compared_across_doctors_beside_the_papers_patients() -> None:
    [table] = section_of(
        consulted("gpt-4o", 0, "red spots", 3),
        consulted("r1", 0, "red eyes", 3),
        consulted("gpt-4o", 1, "a cough", 0),
        consulted("r1", 1, "a cough", 0),
    ).tables
    assert table.title == "Consistency of patients (table 4), by words"
    [[patient, setting, runs, diseases, utterances, found, sd, paper]] = table.rows
    assert (patient, setting) == ("medkg/patient", "diagnosis, English")
    assert (runs, diseases, utterances) == (2, 2, 4)
    assert isinstance(found, Estimate)
    assert found.value.mean == pytest.approx((1 / 2 + 1) / 2)
    assert sd == pytest.approx(math.sqrt(2) / 4)
    assert paper == "QwQ-32B 0.835, Qwen3-32B 0.818, DeepSeek-R1-32B 0.809"


def test_an_encoder_that_is_not_the_papers_is_said_to_be_another() -> None:
    told = " ".join(section_of(consulted("x", 0, "red", 3), consulted("y", 0, "red", 3)).text)
    assert "BGE-M3; figures by words are not to be compared with the paper's" in told


def test_a_doctor_with_and_without_a_director_is_compared_on_the_cases_of_both() -> None:
    section = section_of(
        *(consulted("r1", at, "red", 3) for at in (0, 1, 2)),
        *(consulted("r1", at, "red", 1, directed=False) for at in (0, 1)),
        consulted("gpt-4o", 0, "red", 3),
    )
    table = section.tables[-1]
    assert table.title == "Doctors with and without a director (table 7)"
    correctness, history = [[plain(cell) for cell in row] for row in table.rows]
    assert correctness[0] == "r1"
    assert correctness[3:8] == ["diagnosis, English", "correctness", "2", "1.000", "0.333"]
    assert correctness[8] == "+0.667 [+0.667, +0.667]"
    assert correctness[9:] == [
        "DeepSeek-R1-671B 0.489 (Chinese)",
        "DeepSeek-R1-671B 0.376 (Chinese)",
    ]
    assert (history[4], history[6], history[7]) == ("history-taking", "0.500", "0.500")
    assert len(section.tables[0].rows) == 2  # a patient without a director is another


def test_the_papers_scores_without_a_director_are_chinese() -> None:
    dialogues = [
        dataclasses.replace(each, case=diagnosis_case(0, "zh"), dialogue=each.dialogue.model_copy(update={"language": "zh"}))
        for each in (consulted("r1", 0, "red", 3), consulted("r1", 0, "red", 1, directed=False))
    ]  # fmt: skip
    row = section_of(*dialogues).tables[-1].rows[0]
    assert row[-2:] == ["DeepSeek-R1-671B 0.489", "DeepSeek-R1-671B 0.376"]


def test_one_reply_to_everything_says_nothing_of_patients() -> None:
    single = dataclasses.replace(run("x"), settings={"single_turn": True})
    entries = [entry(held(single, diagnosis_case(0), [said(1, "red", 3, 1)]), 1)]
    assert simulation(entries, find_encoder("words"), None, 0) is None


def test_what_patients_name_is_beside_what_the_papers_did() -> None:
    reds = NamedRecogniser(
        "reds", lambda text: [Mention(word, word == "red") for word in text.split()]
    )
    dialogues = [
        consulted("r1", 0, "red spots", 3),
        consulted("r1", 0, "green spots", 3, directed=False),
    ]
    found = simulation(
        labelled([entry(each, number) for number, each in enumerate(dialogues, 1)]),
        find_encoder("words"),
        reds,
        0,
    )
    assert found is not None
    assert "the recogniser reds" in found.text[-1]
    table = found.tables[1]
    assert table.title == "What patients name that is in the graph (table 6), by reds"
    rows = [[plain(cell) for cell in row] for row in table.rows]
    assert rows == [
        ["medkg/patient", "diagnosis, English", "1", "1", "2", "0.500", "1.000", "QwQ-32B 0.953"],
        ["medkg/patient", "diagnosis, English, without a director", "1", "1", "2", "0.000", "0.000", "QwQ-32B 0.596"],
    ]  # fmt: skip


def judged_again(of: HeldDialogue, judge: str = "judge-a") -> HeldDialogue:
    """The same dialogue under a later judge."""
    settings = {**of.run.settings, "judging": {"graph_checksum": "g"}}
    later = dataclasses.replace(
        of.run, id=f"again {of.run.id}", judges=(judge,), settings=settings
    )
    return dataclasses.replace(of, run=later)


def test_what_was_judged_again_was_said_once() -> None:
    dialogues = [consulted("x", 0, "red spots", 3), consulted("y", 0, "my cough", 3)]
    before = section_of(*dialogues).tables[0]
    after = section_of(*dialogues, *map(judged_again, dialogues)).tables[0]
    assert before.rows == after.rows
    assert plain(after.rows[0][5]) == "0.000"


def test_a_manner_is_not_set_beside_no_director() -> None:
    with_director = consulted("r1", 0, "red", 3)
    vague = dataclasses.replace(
        consulted("r1", 0, "red", 0),
        run=dataclasses.replace(
            with_director.run, id="v", settings={**with_director.run.settings, "manner": ["vague"]}
        ),
    )
    without = consulted("r1", 0, "red", 3, directed=False)
    table = next(
        each
        for each in section_of(with_director, vague, without).tables
        if "table 7" in each.title
    )
    assert [plain(cell) for cell in table.rows[0]][6:8] == ["1.000", "1.000"]


def test_repeats_tell_whose_sampling_the_scores_vary_by() -> None:
    scores = {0: (3, 3), 1: (0, 3), 2: (0, 0), 3: (3, 0)}
    dialogues = [
        dataclasses.replace(consulted("x", at, "red", score), repeat=repeat)
        for at, own in scores.items()
        for repeat, score in enumerate(own, 1)
    ]
    table = section_of(*dialogues).tables[-1]
    assert table.title == "Whose sampling scores vary by"
    (case, rest), _ = (
        [row for row in table.rows if row[3] == m] for m in ("correctness", "history-taking")
    )
    assert (case[4], rest[4]) == ("case", "patient and doctor and judge")
    assert rest[6] == pytest.approx(
        0.25
    )  # two of four cases differ by 1: the mean of 0, .5, 0, .5
    once = section_of(consulted("x", 0, "red", 3), consulted("x", 1, "red", 0))
    assert all(each.title != table.title for each in once.tables)
