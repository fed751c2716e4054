"""``medkg qa evaluate``, as a person runs it."""

import json
from pathlib import Path

import pytest

from tests.conftest import CommandLine
from tests.qa.evaluation.asked import ANSWERS, medquad
from tests.qa.index.small_model import save_model
from tests.qa.tiny_models import save_bart, save_classifier


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return medquad(tmp_path_factory.mktemp("MedQuAD"))


def test_answers_are_measured_with_every_kind_of_model_and_go_on(
    cli: CommandLine, folder: Path, triple_graph: Path, tmp_path: Path
) -> None:
    encoder = save_model(tmp_path / "encoder", 1)
    classifier = save_classifier(tmp_path / "nli", ["contradiction", "neutral"])
    bart = save_bart(tmp_path / "bart")
    given = tmp_path / "other.jsonl"
    line = {"question": "What causes gout ?", "answer": ANSWERS["gout"]["causes"]}
    given.write_text(json.dumps(line) + "\n", "utf-8")
    command = (
        "qa", "evaluate", "--medquad", folder, "--work", tmp_path / "work", "--graph", triple_graph,
        "--encoder", encoder, "--bertscore", classifier, "--nli", classifier,
        "--generator", bart, "--answers", given,
    )  # fmt: skip
    made = cli(*command, "--json")
    assert made.code == 0, made.err
    told = json.loads(made.out)
    systems = {each["name"]: each for each in told["systems"]}
    assert told["questions"] == 6
    assert {
        "joint reasoning", "first candidate", "our own selection", "random candidate",
        "oracle of the candidates", "candidate most like the question", "graph alone",
        "the question repeated", "answer to another question", "best sentences of the first text",
        "bart, joint reasoning", "bart, first candidate", "bart, no texts", "other",
    } <= set(systems)  # fmt: skip
    assert systems["other"]["answered"] == 1
    assert systems["other"]["scores"]["rouge_l"]["max"] == 1.0
    assert systems["oracle of the candidates"]["scores"]["rouge_l"]["max"] < 1.0
    measured = {"rouge1", "rouge2", "rouge_l", "sts", "bertscore", "ease", "contradicts"}
    assert measured <= set(systems["joint reasoning"]["scores"])
    assert "ChatGPT" not in told["not run"]
    page = (tmp_path / "work" / "gold-excluded" / "report.md").read_text("utf-8")
    assert "| other (given) |" in page
    assert "densities.png" in page
    assert (tmp_path / "work" / "gold-excluded" / "densities.png").is_file()
    answers = tmp_path / "work" / "gold-excluded" / "answers.jsonl"
    kept = answers.read_bytes()
    assert line["question"] in {json.loads(row)["text"] for row in kept.splitlines()}
    answers.unlink()
    assert json.loads(cli(*command, "--json").out) == told
    assert answers.read_bytes() == kept


def test_ranks_are_measured_with_the_gold_present_and_kept_apart(
    cli: CommandLine, folder: Path, tmp_path: Path
) -> None:
    command = ("qa", "evaluate", "--medquad", folder, "--work", tmp_path / "w")
    present = cli(*command, "--protocol", "gold-present", "--json")
    assert present.code == 0, present.err
    told = json.loads(present.out)
    assert (told["protocol"], told["mode"], told["questions"]) == ("gold-present", "bm25", 6)
    assert told["own"]["recall@5"] == 1.0
    refused = cli(*command, "--protocol", "gold-present", "--nli", "x")
    assert refused.code == 2
    assert "only gold-excluded measures answers" in refused.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--encoder", "/no/such"),
            "'/no/such', the model to compare meanings: no such folder is there",
        ),
        (("--generator", "no-such-model"), "'no-such-model', the model to write answers"),
        (("--answers", "bad.jsonl"), "bad.jsonl, line 1: it is no answer"),
    ],
)
def test_what_is_missing_is_said_before_anything_is_measured(
    cli: CommandLine, folder: Path, tmp_path: Path, options: tuple[str, str], message: str
) -> None:
    (tmp_path / "bad.jsonl").write_text("no JSON\n")
    refused = cli("qa", "evaluate", "--medquad", folder, "--work", tmp_path / "w", *options)
    assert refused.code == 1
    assert message in refused.err
    assert not (tmp_path / "w" / "gold-excluded").exists()
