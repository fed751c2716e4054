"""The report of runs: its files, what they say, and what no transcript can do to them."""

import csv
import dataclasses
import gzip
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cypher import translation
from cypher.translation import language, speaking
from evalsim.dialogue import EndReason, Violation
from evalsim.metrics import HumanScore, Mention, NamedRecogniser, TurnKey
from evalsim.report import read_prices, write_report
from evalsim.report.entries import entry, labelled
from evalsim.report.results import paper_model
from evalsim.report.tables import Cell, Count, Estimate, Section, Table, markdown
from evalsim.running.logs import HeldDialogue, read_dialogues
from evalsim.running.roles import read_cast
from evalsim.running.run import RunOptions
from evalsim.running.run import run as run_cases
from evalsim.statistics import Interval
from kg.commands import main
from kg.errors import EvaluationError
from tests.evalsim.report.dialogues import (
    HOSTILE,
    diagnosis_case,
    held,
    judgement,
    medication_case,
    run,
    some,
    turn,
)

RIGHT = turn(
    1,
    "I have a fever.",
    "It is measles.",
    judgement("correctness", 3),
    judgement("history_taking", 1),
)


def one(**changes: object) -> HeldDialogue:
    found = held(run("gpt-4o"), diagnosis_case(0), [RIGHT])
    return dataclasses.replace(found, **changes)  # type: ignore[arg-type]


def hostile() -> HeldDialogue:
    said = turn(
        1,
        HOSTILE,
        HOSTILE,
        judgement("correctness", None, HOSTILE, HOSTILE, facts=(HOSTILE,), flags=(HOSTILE,)),
        violations=[Violation(rule="invented", about=HOSTILE, start=9, stop=4)],
    )
    case = diagnosis_case(0)
    case = case.model_copy(
        update={
            "id": HOSTILE,
            "area": HOSTILE,
            "kind": "__proto__",
            "target": case.target.model_copy(update={"name": HOSTILE}),
        }
    )
    return held(
        dataclasses.replace(run(HOSTILE), patient=HOSTILE),
        case,
        [said],
        None,
        failure=HOSTILE,
        error=HOSTILE,
    )


def unpacked(page: str, id_: str) -> Any:  # noqa: ANN401 - of JSON
    """What a block of the page holds."""
    found = re.search(
        rf'<script type="application/octet-stream" id="{id_}" data-bytes="(\d+)">([^<]*)<', page
    )
    assert found
    signs = [chr(at) for at in range(33, 127) if chr(at) not in "&<\\"]
    values = [signs.index(each) for each in found[2]]
    bits = "".join(f"{a * 91 + b:013b}" for a, b in zip(values[::2], values[1::2], strict=True))
    size = int(found[1])
    return json.loads(
        gzip.decompress(bytes(int(bits[8 * at : 8 * at + 8], 2) for at in range(size)))
    )


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [*csv.DictReader(file)]


def test_a_report_is_a_page_its_tables_and_its_rows(tmp_path: Path) -> None:
    written = write_report([one()], tmp_path / "out")
    assert [file.name for file in written.files] == [
        "report.html",
        "report.md",
        "dialogues.csv",
        "judgements.csv",
    ]
    assert (written.dialogues, written.runs) == (1, 1)
    said = (tmp_path / "out" / "report.md").read_text("utf-8")
    assert "| gpt-4o | 1.000 | 0.500 | 1.00 | 1 | 1 | 100 % |" in said


def test_a_row_of_a_dialogue_has_its_scores_and_what_was_not_scored(tmp_path: Path) -> None:
    turns = [
        turn(1, "a", "b", judgement("history_taking", 2)),
        turn(2, "c", "d", judgement("history_taking", None), judgement("correctness", 1)),
    ]
    write_report([held(run("x"), diagnosis_case(0), turns)], tmp_path)
    (row,) = rows(tmp_path / "dialogues.csv")
    names = [
        "correctness",
        "history_taking",
        "history_taking_low",
        "history_taking_high",
        "history_taking_judged",
        "history_taking_due",
        "comprehensiveness",
    ]
    assert [row[name] for name in names] == [
        "0.3333333333333333",
        "1.0",
        "0.5",
        "1.0",
        "1",
        "2",
        "",
    ]
    assert [(r["turn"], r["metric"], r["score"]) for r in rows(tmp_path / "judgements.csv")] == [
        ("1", "history_taking", "2.0"),
        ("2", "history_taking", ""),
        ("2", "correctness", "1.0"),
    ]


def test_the_same_dialogues_give_the_same_files(tmp_path: Path) -> None:
    first, second = (write_report(some(), tmp_path / name).files for name in ("a", "b"))
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]


def test_the_largest_bubble_at_a_corner_is_whole(tmp_path: Path) -> None:
    page = write_report([one()], tmp_path).files[0].read_text("utf-8")
    width, height = map(int, re.findall(r'viewBox="0 0 (\d+) (\d+)" role="img"', page)[0])
    circles = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="([\d.]+)"><title>', page)
    assert circles
    for x, y, r in (map(float, circle) for circle in circles):
        assert r <= x <= width - r
        assert r <= y <= height - r


def test_no_words_of_a_transcript_are_markup_of_the_page(tmp_path: Path) -> None:
    page = write_report([hostile()], tmp_path).files[0].read_text("utf-8")
    assert "<img" not in page
    assert page.count("</script>") == page.count("<script") == 4  # index, two blocks, the script
    block = unpacked(page, "block-0")
    assert block[0]["dialogue"]["turns"][0]["doctor"] == HOSTILE


def test_a_page_may_load_nothing_and_run_its_own_script_alone(tmp_path: Path) -> None:
    page = write_report([one()], tmp_path).files[0].read_text("utf-8")
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]+)"', page)
    assert policy
    assert re.fullmatch(
        r"default-src 'none'; script-src 'sha256-[^']+'; style-src 'sha256-[^']+'; base-uri 'none'; form-action 'none'",
        policy[1].replace("&#39;", "'"),
    )
    assert not re.findall(r'\b(?:src|href)="(?!#)', page)
    assert "unsafe" not in policy[1]


def test_addresses_and_keys_of_endpoints_are_in_no_file(tmp_path: Path) -> None:
    written = write_report(some(), tmp_path)
    texts = [file.read_text("utf-8") for file in written.files]
    texts += [json.dumps(unpacked(texts[0], id_)) for id_ in ("index", "block-0")]
    assert [
        name for name in ("secret.example", "SECRET_KEY") for text in texts if name in text
    ] == []
    assert "temperature 0.7" in texts[1]


def test_no_cell_of_the_rows_is_a_formula(tmp_path: Path) -> None:
    bad = turn(1, "a", "b", judgement("correctness", 0, reason='=HYPERLINK("x")', flags=("@x",)))
    write_report(
        [one(dialogue=held(run("x"), diagnosis_case(0), [bad]).dialogue, error="-1+1")], tmp_path
    )
    cells = [
        cell
        for name in ("dialogues.csv", "judgements.csv")
        for row in rows(tmp_path / name)
        for cell in row.values()
    ]
    assert [cell for cell in cells if cell[:1] in "=+-@" and cell] == []
    assert '\'=HYPERLINK("x")' in cells


def test_runs_of_one_doctor_are_told_apart_within_a_setting_alone() -> None:
    first, again, drugs = run("x", id_="1"), run("x", id_="2"), run("x", "medication", id_="3")
    zh = run("x", id_="4")
    entries = [
        entry(held(first, diagnosis_case(0), [RIGHT]), 1),
        entry(held(again, diagnosis_case(0), [RIGHT]), 2),
        entry(held(drugs, medication_case(0), [turn(1, "a", "b")]), 3),
        entry(held(zh, diagnosis_case(0, "zh"), [RIGHT]), 4),
    ]
    assert [each.label for each in labelled(entries)] == ["x #1", "x #2", "x", "x"]


def test_runs_with_patients_of_other_manners_are_named_by_them() -> None:
    plain, vague, again = (run("x", id_=id_) for id_ in "123")
    runs = [
        plain,
        *(dataclasses.replace(each, settings={"manner": ["vague"]}) for each in (vague, again)),
    ]
    entries = [entry(held(of, diagnosis_case(0), [RIGHT]), n) for n, of in enumerate(runs, 1)]
    assert [each.label for each in labelled(entries)] == ["x", "x (vague) #2", "x (vague) #3"]
    assert [each.label for each in labelled(entries[:2])] == ["x", "x (vague)"]
    assert [each.label for each in labelled(entries[1:])] == ["x #2", "x #3"]


def test_who_a_run_is_stands_in_every_file(tmp_path: Path) -> None:
    plain = run("x", id_="1")
    vague = dataclasses.replace(
        plain,
        id="2",
        settings={
            **plain.settings,
            "manner": ["vague"],
            "graph_checksum": "0123456789+abcdefghij",
            "prompts": "mine",
            "prompts_checksum": "abcdefghij",
        },
    )
    again = dataclasses.replace(
        plain,
        id="2 1",
        judges=("openai/gpt-4o",),
        settings={**plain.settings, "judging": {"graph_checksum": "9876543210"}},
    )
    runs = (plain, vague, again)
    write_report([held(each, diagnosis_case(0), [RIGHT]) for each in runs], tmp_path)
    page, said = ((tmp_path / f"report.{end}").read_text("utf-8") for end in ("html", "md"))
    head, _, *table = said.split("**Who the runs are**\n\n")[1].split("\n\n")[0].splitlines()
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in (head, *table)]
    found = [dict(zip(cells[0], row, strict=True)) for row in cells[1:]]
    assert [(each["doctor"], each["run"]) for each in found] == [
        (r"x \#1", "1"),
        ("x (vague)", "2"),
        (r"x \#3", "3"),
    ]
    assert [each["manner of the patient"] for each in found] == ["none", "vague", "none"]
    assert [each["judged again"] for each in found] == ["no", "no", "yes"]
    assert [each["graph"] for each in found] == ["", "01234567+abcdefgh", ""]
    assert [each["graph of those who judged again"] for each in found] == ["", "", "98765432"]
    assert [each["prompts"] for each in found] == ["medkg", "abcdefgh", "medkg"]
    assert "Alike in all: patient: medkg/patient; director: medkg/director;" in said
    assert "Alike in all: patient: medkg/patient" in page
    of_dialogues, of_judgements = (
        rows(tmp_path / name) for name in ("dialogues.csv", "judgements.csv")
    )
    for some_rows in (of_dialogues, of_judgements):
        named = {(r["run_number"], r["run"], r["doctor"], r["manner"]) for r in some_rows}
        assert named == {
            ("1", "1", "x", "none"),
            ("2", "2", "x", "vague"),
            ("3", "2 1", "x", "none"),
        }
    assert [r["judged_again"] for r in of_dialogues] == ["False", "False", "True"]
    assert [r["graph"] for r in of_dialogues] == ["", "0123456789+abcdefghij", ""]
    assert {(r["metric"], r["score"], r["highest"]) for r in of_judgements} == {
        ("correctness", "3.0", "3"),
        ("history_taking", "1.0", "2"),
    }


def test_one_run_in_two_folders_is_told_of(tmp_path: Path) -> None:
    write_report([held(run("x", id_=id_), diagnosis_case(0), [RIGHT]) for id_ in "12"], tmp_path)
    told = "diagnosis, English: x #1, x #2 are one run that was held more than once"
    assert told in (tmp_path / "report.html").read_text("utf-8")


def test_a_group_of_cases_counts_the_dialogues_of_each_doctor(tmp_path: Path) -> None:
    dialogues = [held(run("x"), diagnosis_case(at), [RIGHT]) for at in range(4)]
    dialogues += [held(run("y"), diagnosis_case(at), [RIGHT]) for at in range(2)]
    write_report(dialogues, tmp_path)
    said = (tmp_path / "report.md").read_text("utf-8")
    table = said.split("by difficulty**\n\n")[1].split("\n\n")[0].splitlines()
    assert table[0] == "| difficulty | number of cases | x | y |"
    assert table[2:] == [
        "| easy | 1 | 1.000, n = 1 | 1.000, n = 1 |",
        r"| medium | 2 | 1.000 \[1.000, 1.000\], n = 2 | 1.000, n = 1 |",
        "| hard | 1 | 1.000, n = 1 |  |",
    ]


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("deepseek-ai/DeepSeek-R1", "DeepSeek-R1-671B"),
        ("deepseek-ai/DeepSeek-R1-Distill-Qwen-32B", None),
        ("openai/gpt-4o-2024-08-06", "GPT-4o"),
        ("openai/gpt-4o-mini", None),
        ("meta-llama/Llama-3.1-70B-Instruct", "LLaMA3.1-70B"),
        ("google/medgemma-27b-text-it", "MedGemma-27B"),
        ("medkg/doctor-oracle", None),
    ],
)
def test_the_paper_s_figures_stand_beside_its_own_models_alone(
    model: str, name: str | None
) -> None:
    assert paper_model(model) == name


def test_what_cannot_be_compared_is_said_first(tmp_path: Path) -> None:
    runs = [
        dataclasses.replace(run("x"), complete=False),
        dataclasses.replace(run("y"), cases="d", judges=("z",), patient="p"),
    ]
    dialogues = [held(each, diagnosis_case(0), [RIGHT], failure="timeout") for each in runs]
    page = write_report(dialogues, tmp_path).files[0].read_text("utf-8")
    alarms = re.findall(r"<li>(.*?)</li>", page[: page.index('class="contents"')])
    assert alarms == [
        "x (diagnosis, English): is not complete; go on with it in its folder",
        "x (diagnosis, English): 1 of 1 dialogues broke off, as a role failed",
        "y (diagnosis, English): 1 of 1 dialogues broke off, as a role failed",
        "diagnosis, English: the runs have different cases, so that only those of both can be compared",
        "diagnosis, English: the runs have different patients, which a doctor&#39;s score depends on",
        "diagnosis, English: the runs have different judges, whose scores may not be alike",
    ]


def test_tokens_that_were_replayed_stand_apart_and_cost_nothing(tmp_path: Path) -> None:
    written = write_report(
        [one()], tmp_path, prices={"gpt-4o": (10, 100), "medkg/judge": (1000, 0)}
    )
    said = written.files[1].read_text("utf-8")
    assert (
        "| gpt-4o | diagnosis, English | doctor | gpt-4o | 1 | 900 | 200 | 0 | 0 | 0 | 0 | 0.029 |"
        in said
    )
    assert (
        "| gpt-4o | diagnosis, English | judge | medkg/judge | 1 | 50 | 5 | 2 | 700 | 60 | 0 | 0.050 |"
        in said
    )


def test_judges_stand_beside_humans_and_the_paper_s_judges(tmp_path: Path) -> None:
    human = [HumanScore(TurnKey("gpt-4o", "diagnosis-en-0", 1, 1, "correctness"), "ann", 2)]
    said = write_report([one()], tmp_path, human=human).files[1].read_text("utf-8")
    assert "| medkg/judge | ann | diagnosis | correctness | 1 | 1.000 | 0.000 | 1.000 |" in said
    assert "| QwQ-32B | medication | correctness | 0.137 |" in said


@pytest.mark.parametrize("end", [None, *EndReason])
def test_every_end_can_be_reported_even_before_the_first_word(
    tmp_path: Path, end: EndReason | None
) -> None:
    dialogues = [
        held(run("x"), diagnosis_case(0), [], end),
        held(run("x", "medication"), medication_case(0), [], end),
    ]
    said = write_report(dialogues, tmp_path).files[1].read_text("utf-8")
    assert f"| doctor | setting | dialogues | {end.value if end else 'cut off'} |" in said
    assert re.search(r"\n\| x \| .* \| 1 \| 1 \| \d+ %; without a score: 1 \|\n", said)


def test_text_that_is_no_utf_8_is_reported_all_the_same(tmp_path: Path) -> None:
    broken = one(
        dialogue=held(run("x"), diagnosis_case(0), [turn(1, "a\ud800b", "c\udfff")]).dialogue
    )
    page = write_report([broken], tmp_path).files[0].read_text("utf-8")
    block = unpacked(page, "block-0")
    assert block[0]["dialogue"]["turns"][0]["patient"] == "a?b"


def test_a_number_that_json_has_not_is_left_out(tmp_path: Path) -> None:
    case = diagnosis_case(0)
    strange = [finding.model_copy(update={"frequency": math.nan}) for finding in case.findings]
    flagged = turn(1, "a", "b", judgement("correctness", 3), judgement("safety", math.inf))
    dialogues = [held(run("x"), case.model_copy(update={"findings": tuple(strange)}), [flagged])]
    page = write_report(dialogues, tmp_path).files[0].read_text("utf-8")
    assert unpacked(page, "block-0")[0]["dialogue"]["turns"][0]["judgements"][1]["score"] is None
    assert {finding["frequency"] for finding in unpacked(page, "block-1")[0]["findings"]} == {None}


def test_logs_without_a_dialogue_are_said_to_have_none(tmp_path: Path) -> None:
    with pytest.raises(EvaluationError, match="no dialogue was held in these logs; give logs of"):
        write_report([], tmp_path)


def test_a_score_beyond_the_highest_is_said_with_its_place(tmp_path: Path) -> None:
    bad = held(run("x"), diagnosis_case(0), [turn(1, "a", "b", judgement("correctness", 4))])
    with pytest.raises(
        EvaluationError, match=r"diagnosis-en-0, turn 1, correctness.*judge them again"
    ):
        write_report([bad], tmp_path)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EvaluationError, match=r"file.*cannot be written .*; name another folder"):
        write_report([one()], tmp_path / "file")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: [", "cannot be read .*; give a YAML file of prices"),
        ("a: 1", "'a' has no prices; write 'MODEL: {input: 0.5, output: 2}'"),
        ("a: {input: -1, output: 2}", "'a' has no prices"),
        ("a: {input: .nan, output: 2}", "'a' has no prices"),
        ("- a", "has no prices"),
        ("", "has no prices"),
    ],
)
def test_prices_that_are_none_are_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "prices.yaml").write_text(text)
    with pytest.raises(EvaluationError, match=message):
        read_prices(tmp_path / "prices.yaml")


def test_markdown_says_first_what_is_to_be_known() -> None:
    told = markdown("r", ["runs have different *patients*"], [])
    assert told == "# r\n\n* runs have different \\*patients\\*\n"


def test_markdown_shows_text_as_it_is() -> None:
    cells: list[Cell] = [
        "a|b\n*c* <img>",
        Estimate(Interval(0.5, 0.25, 0.75), (0.4, 0.6)),
        Count(1, 4),
    ]
    table = Table("t", ["<b>x|", "y", "z"], [cells])
    assert markdown("r", [], [Section("s", "s", tables=[table])]).splitlines()[-3:] == [
        r"| \<b\>x\| | y | z |",
        "| --- | ---: | ---: |",
        r"| a\|b \*c\* \<img\> | 0.500 \[0.250, 0.750\] {0.400, 0.600} | 1 (25 %) |",
    ]


class Asked(dict[str, str]):
    """Texts of a language that remember what they were asked for and had not."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__(texts)
        self.missing: set[str] = set()

    def get(self, key: str, default: object = None) -> object:  # type: ignore[override]
        if key not in self:
            self.missing.add(key)
        return super().get(key, default)


def test_every_text_of_a_report_is_there_in_chinese(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zh = language("zh")
    texts = Asked(dict(zh.texts))
    dialogues = [
        *some(),
        one(),
        held(
            dataclasses.replace(run("x"), director=None, settings={"single_turn": True}),
            diagnosis_case(0),
            [RIGHT],
            None,
        ),
    ]
    human = [HumanScore(TurnKey("gpt-4o", "diagnosis-en-0", 1, 1, "correctness"), "ann", 2)]
    with speaking("zh"):
        monkeypatch.setattr(translation, "spoken", lambda: dataclasses.replace(zh, texts=texts))
        named = NamedRecogniser("x", lambda text: [Mention(text, known=True)])
        for prices in ({}, {"x": (1.0, 1.0)}):
            write_report(dialogues, tmp_path, human=human, prices=prices, recogniser=named)
    of_cases = {
        part
        for each in dialogues
        for part in (each.case.kind, each.case.area, each.case.difficulty)
    }
    assert sorted(texts.missing - of_cases - {"not known"}) == []


def test_a_log_that_is_none_is_an_error_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "a.eval").write_text("no log")
    result = CliRunner().invoke(
        main, ["eval", "report", str(tmp_path), "--out", str(tmp_path / "out")]
    )
    assert result.exit_code == 1
    assert "a.eval: is no log that can be read" in result.stderr


def test_a_run_is_reported_from_its_log(clinic: Path, clinic_cases: Path, tmp_path: Path) -> None:
    options = RunOptions(
        task="diagnosis",
        cases=clinic_cases,
        folder=tmp_path / "run",
        cast=read_cast({"doctor": "medkg/doctor-greedy"}, preset="offline"),
        graph=str(clinic),
        limit=2,
    )
    logs = run_cases(options).logs
    out = tmp_path / "out"
    result = CliRunner().invoke(main, ["eval", "report", *map(str, logs), "--out", str(out)])
    assert (result.exit_code, result.stdout) == (
        0,
        f"Dialogues: 2, runs: 1. Open {out / 'report.html'} in a browser.\n",
    )
    held_then = {each.case.id: each.dialogue.turns for each in read_dialogues(logs)}
    page = (out / "report.html").read_text("utf-8")
    said = {
        each["dialogue"]["case"]: each["dialogue"]["turns"] for each in unpacked(page, "block-0")
    }
    assert {case: [turn["doctor"] for turn in turns] for case, turns in said.items()} == {
        case: [turn.doctor for turn in turns] for case, turns in held_then.items()
    }
