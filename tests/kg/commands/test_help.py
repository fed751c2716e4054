"""Help in Chinese: every line is Chinese, fits its columns, and English comes back after it."""

import re

import pytest
from rich.cells import cell_len

from tests.conftest import CommandLine


def test_help_is_in_the_language_that_is_spoken(cli: CommandLine) -> None:
    chinese = cli("--lang", "zh", "ask", "--help")
    assert chinese.code == 0
    assert "回答 QUESTION（中文或英文），并列出答案所依据的事实。" in chinese.out
    assert '例如：medkg ask "What are the symptoms and treatments of gout?"' in chinese.out
    assert "Answer" not in chinese.out
    english = cli("ask", "--help")
    assert "Answer QUESTION, in English or Chinese" in english.out
    assert not any("\u4e00" <= character <= "\u9fff" for character in english.out)


@pytest.mark.parametrize("command", [(), ("ask",), ("link",), ("db",), ("db", "up"), ("cypher",)])
def test_descriptions_begin_in_one_column_and_no_line_is_too_wide(
    cli: CommandLine, command: tuple[str, ...]
) -> None:
    told = cli("--lang", "zh", *command, "--help").out.splitlines()
    assert max(map(cell_len, told)) <= 80
    described = filter(None, (re.match(r"  -.*?  +(?=\S)", line) for line in told))
    at = {cell_len(option[0]) for option in described}
    assert len(at) == 1


def test_the_list_of_commands_is_not_cut(cli: CommandLine) -> None:
    told = cli("--lang", "zh", "--help").out
    assert "..." not in told.partition("命令")[2]
