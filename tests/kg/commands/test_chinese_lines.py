"""Chinese cells of a table break between characters, and no line begins with a closing mark."""

import pytest
from rich.console import Console

from kg.commands.chinese_lines import Cell


@pytest.mark.parametrize(
    ("text", "width", "lines"),
    [
        ("痛风的症状是关节疼痛，发热。", 10, ["痛风的症状", "是关节疼", "痛，发热。"]),
        ("查询 disease.symptoms 一行", 18, ["查询", "disease.symptoms", "一行"]),
        ("no Chinese here", 10, ["no Chinese", "here"]),
    ],
)
def test_lines_break_between_characters_and_not_in_words(
    text: str, width: int, lines: list[str]
) -> None:
    wrapped = Cell(text).wrap(Console(width=80), width)
    assert [line.plain.rstrip() for line in wrapped] == lines
