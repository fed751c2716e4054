"""Lines break between words and between characters of Han, and keep marks where they belong."""

import fcntl
import os
import pty
import struct
import subprocess
import sys
import termios

import pytest

from kg.commands.lines import lines, narrowest


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("痛风的症状是关节疼痛，发热。", 10, ["痛风的症状", "是关节疼", "痛，发热。"]),
        ("查询 disease.symptoms 一行", 18, ["查询", "disease.symptoms", "一行"]),
        ("no Chinese here", 10, ["no Chinese", "here"]),
        ("包括PREDICT、DrugCentral（药）", 16, ["包括PREDICT、", "DrugCentral", "（药）"]),
        ("最接近的是 disease.symptoms", 20, ["最接近的是", "disease.symptoms"]),
        ("Crohn’s disease", 14, ["Crohn’s", "disease"]),
        ("  - an indent stays", 12, ["  - an", "indent stays"]),
        ("默认：.medkg/cases.jsonl", 18, ["默认：", ".medkg/cases.jsonl"]),
        ("疼,发热.", 4, ["疼,", "发", "热."]),
        ("two\nlines", 20, ["two", "lines"]),
    ],
)
def test_lines_break_between_words_and_between_characters_of_han(
    text: str, width: int, expected: list[str]
) -> None:
    assert lines(text, width) == expected


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("diseases/type-2-diabetes.yaml", 14, ["diseases/type-", "2-", "diabetes.yaml"]),
        ("entities=LIST_OF_STRING", 15, ["entities=", "LIST_OF_STRING"]),
        ("neuropathy-myopathy-hoarseness", 12, ["neuropathy-", "myopathy-", "hoarseness"]),
        ("phosphoribosyl", 10, ["phosphorib", "osyl"]),
    ],
)
def test_a_word_wider_than_the_line_breaks_behind_a_sign_if_it_has_one(
    text: str, width: int, expected: list[str]
) -> None:
    assert lines(text, width) == expected


def test_the_narrowest_width_of_a_text_is_that_of_its_widest_part() -> None:
    assert narrowest("疾病 diseases/type-2-diabetes.yaml") == len("diabetes.yaml")
    assert narrowest("MONDO:0005393（痛风）") == len("MONDO:0005393")
    assert narrowest("") == 0


SENTENCE = "没有名为“x”的查询；最接近的是 disease.excluded_symptoms；请加上 --as-is"
SAYS = f"from kg.commands.lines import say; say({SENTENCE!r})"


def test_a_sentence_breaks_between_words_on_a_terminal_and_stays_whole_elsewhere() -> None:
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 42, 0, 0))
    env = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    done = subprocess.run([sys.executable, "-c", SAYS], stdout=theirs, env=env, check=True)
    assert done.returncode == 0
    assert os.read(ours, 4096).decode().splitlines() == [
        "没有名为“x”的查询；最接近的是",
        "disease.excluded_symptoms；请加上 --as-is",
    ]
    os.close(ours)
    os.close(theirs)
    piped = subprocess.run(
        [sys.executable, "-c", SAYS], capture_output=True, text=True, check=True
    )
    assert piped.stdout == f"{SENTENCE}\n"
