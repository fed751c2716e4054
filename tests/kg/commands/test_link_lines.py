import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kg.commands.linked_names import ids, lines, medkg, write_names


@pytest.fixture
def names(tmp_path: Path) -> Path:
    return write_names(tmp_path)


# --- lines --------------------------------------------------------------------------------


def test_each_line_of_a_file_gives_one_line(names: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_bytes("no fever\r\n\n患者发热\nflu".encode())
    result = medkg("link", "--file", notes, "--names", names)
    assert [(line["text"], ids(line)) for line in lines(result)] == [
        ("no fever", ["HP:0001945"]),
        ("", []),
        ("患者发热", ["HP:0001945"]),
        ("flu", ["MONDO:0005812"]),
    ]
    assert result.exit_code == 0


@pytest.mark.parametrize("arguments", [["-"], [], ["--file", "-"]])
def test_json_lines_from_stdin_keep_their_fields(names: Path, arguments: list[str]) -> None:
    records: list[dict[str, Any]] = [
        {"id": 1, "text": "flu", "at": [1.5, None]},
        {"text": "🤒 \ud800 fever"},
    ]
    given = "\n\n".join(map(json.dumps, records))
    result = medkg("link", *arguments, "--names", names, stdin=given)
    first, second = lines(result)
    assert {key: first[key] for key in records[0]} == records[0]
    assert second["text"] == records[1]["text"]
    assert ids(first) + ids(second) == ["MONDO:0005812", "HP:0001945"]
    assert second["mentions"][0]["start"] == 4


def test_lines_says_what_a_line_is(names: Path) -> None:
    line = '{"text": "flu"}'
    found = medkg("link", "-", "--names", names, "--lines", "text", stdin=line)
    assert lines(found)[0]["text"] == line
    found = medkg("link", "-", "--names", names, "--lines", "jsonl", stdin=f"flu\n{line}\n")
    assert [ids(each) if "text" in each else each["line"] for each in lines(found)] == [
        1,
        ["MONDO:0005812"],
    ]


def test_mentions_a_line_are_resolved_as_a_whole(names: Path) -> None:
    result = medkg("link", "-", "--mention", "--names", names, stdin="flu\nheart atack\n\nqqq\n")
    assert [ids(line) for line in lines(result)] == [
        ["MONDO:0005812"],
        ["MONDO:0005068"],
        [None],
        [None],
    ]


def test_a_broken_line_is_named_and_loses_no_other(names: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.jsonl"
    notes.write_bytes(b'{"text": "flu"}\n{"text": "\xff"}\n{"txt": 1}\n{"text": "cough"}\n')
    result = medkg("link", "--file", notes, "--names", names)
    assert [ids(line) if "text" in line else line["line"] for line in lines(result)] == [
        ["MONDO:0005812"],
        2,
        3,
        ["HP:0012735"],
    ]
    assert result.exit_code == 1
    *_, second, third, last = result.stderr.splitlines()
    assert second == f"{notes}, line 2: not UTF-8 (byte 0xff after 10 bytes); save it as UTF-8"
    assert third == f'{notes}, line 3: no field "text"; put the text to link there'
    assert last == (
        f"Error: {notes}: 2 of 4 lines could not be used; in the answer each of them is "
        '{"line": …, "error": …}'
    )


def test_a_flood_of_broken_lines_is_cut_on_stderr_only(names: Path) -> None:
    result = medkg("link", "-", "--names", names, stdin='{"text": ""}\n' + "{\n" * 500)
    assert len(lines(result)) == 501
    said = [line for line in result.stderr.splitlines() if line.startswith("stdin")]
    assert (len(said), said[-1]) == (
        21,
        "stdin: further errors are only in the output, in the field error",
    )
    assert "500 of 501 lines could not be used" in result.stderr


@pytest.mark.parametrize(
    "text",
    [
        "",
        "x" * 1_000_000,
        "咳" * 100_000,
        "🤒" * 10_000,
        "\0\x1b[31m\x7f",
        "f\u0435ver חום ไข้ 発熱",
        "{",
    ],
)
def test_any_line_is_taken_and_offsets_are_right(names: Path, text: str) -> None:
    given = json.dumps({"text": f"{text} flu"})
    result = medkg("link", "-", "--names", names, stdin=given)
    (line,) = lines(result)
    assert "MONDO:0005812" in ids(line)
    for mention in line["mentions"]:
        assert line["text"][mention["start"] : mention["end"]] == mention["text"]


@pytest.mark.parametrize("data", [b"", b"\n", b"\xef\xbb\xbf"])
def test_an_empty_file_is_no_error(names: Path, tmp_path: Path, data: bytes) -> None:
    notes = tmp_path / "notes"
    notes.write_bytes(data)
    result = medkg("link", "--file", notes, "--names", names)
    assert (result.exit_code, [line["mentions"] for line in lines(result)]) in [(0, []), (0, [[]])]


def test_another_encoding_is_one_sentence(names: Path, tmp_path: Path) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("flu\n", encoding="utf-16")
    result = medkg("link", "--file", notes, "--names", names)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith(
        f"Error: {notes}: the text is in UTF-16 or UTF-32; save it as UTF-8\n"
    )


# --- as a process -------------------------------------------------------------------------


@pytest.fixture
def linking(names: Path) -> Iterator[subprocess.Popen[bytes]]:
    """``medkg link -``, as a process."""
    medkg_file = Path(sys.executable).with_name("medkg")
    with subprocess.Popen(
        [medkg_file, "link", "-", "--names", names],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ,
    ) as process:
        yield process
        process.kill()


def _ask(process: subprocess.Popen[bytes], text: str) -> dict[str, Any]:
    assert process.stdin
    assert process.stdout
    process.stdin.write(f"{text}\n".encode())
    process.stdin.flush()
    return dict(json.loads(process.stdout.readline()))


def test_a_line_is_answered_before_the_next_is_there(linking: subprocess.Popen[bytes]) -> None:
    assert ids(_ask(linking, "no fever")) == ["HP:0001945"]
    assert ids(_ask(linking, "咳嗽 flu")) == ["HP:0012735", "MONDO:0005812"]


def test_ctrl_c_ends_it_with_130_and_whole_lines(linking: subprocess.Popen[bytes]) -> None:
    assert ids(_ask(linking, "fever")) == ["HP:0001945"]
    linking.send_signal(signal.SIGINT)
    assert linking.wait(timeout=60) == 130
    assert linking.stderr
    assert linking.stderr.read().splitlines()[-1] == b"Stopped."


def test_a_reader_that_goes_away_is_no_error_to_be_told(linking: subprocess.Popen[bytes]) -> None:
    assert linking.stdin
    assert linking.stdout
    assert linking.stderr
    assert ids(_ask(linking, "fever")) == ["HP:0001945"]
    linking.stdout.close()
    try:
        linking.stdin.write(b"flu\n" * 1_000)
        linking.stdin.close()
    except BrokenPipeError:
        pass
    assert linking.wait(timeout=60) == 1
    assert b"Error" not in (said := linking.stderr.read())
    assert b"Traceback" not in said
