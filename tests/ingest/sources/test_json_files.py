import gzip
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.sources.formats import json_files
from ingest.sources.formats.json_files import JsonValue, json_values, list_elements
from kg.errors import SourceError

TEXT = st.text(st.characters(codec="utf-8"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab"), inner, max_size=3),
    max_leaves=8,
)


def values(folder: Path, text: str, name: str = "a.json") -> list[JsonValue]:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return list(json_values(path))


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}\n\n{"a": 2}\n',
        '[{"a": 1}, {"a": 2}]',
        '[\n {\n  "a": 1\n },\n {\n  "a": 2\n }\n]\n',
        '\ufeff{"a": 1}\r\n{"a": 2}',
    ],
)
def test_lines_and_arrays_give_the_same_values(tmp_path: Path, text: str) -> None:
    assert values(tmp_path, text) == [JsonValue(1, {"a": 1}), JsonValue(2, {"a": 2})]


def test_line_that_is_a_list_is_one_value(tmp_path: Path) -> None:
    assert values(tmp_path, '["a", "b"]\n["c", "d"]\n') == [
        JsonValue(1, ["a", "b"]),
        JsonValue(2, ["c", "d"]),
    ]


def test_object_over_several_lines_is_one_value(tmp_path: Path) -> None:
    assert values(tmp_path, '{\n "a": [1,\n 2]\n}\n') == [JsonValue(1, {"a": [1, 2]})]


def test_array_longer_than_a_piece_is_read_to_its_end(tmp_path: Path) -> None:
    long = [{"a": "病" * 700_000}, {"a": "b"}, {"a": "症" * 3_000_000}]
    found = values(tmp_path, json.dumps(long, ensure_ascii=False))
    assert [value.value for value in found] == long


def test_broken_line_is_told_and_the_next_is_read(tmp_path: Path) -> None:
    first, second, third = values(tmp_path, '{"a": 1}\n{"a": \n{"a": 3}\n')
    assert (first.value, third) == ({"a": 1}, JsonValue(3, {"a": 3}))
    assert second == JsonValue(2, '{"a":', "not JSON: Expecting value: line 1 column 6 (char 5)")


@pytest.mark.parametrize("text", ['{"a": "\\ud83d"}\n{}', '[{"a": "\\ud83d"}, {}]'])
def test_half_a_letter_is_told(tmp_path: Path, text: str) -> None:
    broken, sound = values(tmp_path, text)
    assert (broken.value, sound) == ('{"a": "\\ud83d"}', JsonValue(2, {}))
    assert "half of a surrogate pair is no text" in str(broken.problem)


def test_depth_without_end_is_a_broken_line(tmp_path: Path) -> None:
    sound, deep = values(tmp_path, '{"a": 1}\n' + '{"a":' * 100_000)
    assert sound == JsonValue(1, {"a": 1})
    assert "recursion" in str(deep.problem)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[{"a": 1} {"a": 2}]',
            r"a.json: not JSON at character 11 \('{' where ',' should be\); download it again, or correct",
        ),
        (
            '[{"a": 1}, {"a": "x}, {"b": 2}]',
            r"a.json: not JSON at character 12 \(Expecting.*\); download it again, or correct",
        ),
        (
            '[{"a": 1}]\n[{"a": 2}]\n',
            r"a.json: not JSON at character 12 \(something follows the end\); download it again, or correct",
        ),
        ("", r"a.json: the file is empty; download it again"),
        (" \n\n", r"a.json: nothing but blanks is in the file; download it again"),
    ],
)
def test_file_that_is_no_json_is_one_sentence(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(SourceError, match=message):
        values(tmp_path, text)


def test_wrong_encoding_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_bytes('{"name": "百日咳是由百日咳杆菌所致的急性呼吸道传染病"}\n'.encode("gb18030"))
    with pytest.raises(SourceError, match=r"not UTF-8 text, it looks like gb18030"):
        list(json_values(path))
    assert len(list(json_values(path, "gb18030"))) == 1


def test_compressed_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "a.json.gz"
    path.write_bytes(gzip.compress(b'[{"a": 1}]'))
    assert list(json_values(path)) == [JsonValue(1, {"a": 1})]


def test_object_with_a_key_twice_is_told(tmp_path: Path) -> None:
    twice = '{"name": "gout", "of": {"a": 1, "a": 2}}'
    reason = "the key 'a' is there twice in one object"
    for text in (f"{twice}\n{{}}", f"[{twice}, {{}}]"):
        assert values(tmp_path, text) == [JsonValue(1, twice, reason), JsonValue(2, {})]


@pytest.mark.parametrize("cut", [1, 2, 3, 4, 7])
def test_lines_that_are_cut_lose_their_end_alone(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.json"
    path.write_bytes('{"a": "痛"}\n{"a": "风"}'.encode()[:-cut])
    first, second = json_values(path)
    assert first == JsonValue(1, {"a": "痛"})
    assert second.problem is not None
    assert second.problem.startswith("not JSON: ")
    assert second.problem.endswith("the file ends within this record, so it is cut off here")


def test_whole_last_line_that_is_no_json_is_not_called_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"a": 1}\n{"a": 1,}', encoding="utf-8")
    _, second = json_values(path)
    assert second.problem is not None
    assert second.problem.startswith("not JSON: ")
    assert "cut off" not in second.problem


WHOLE = '[{"a": "痛"}, {"a": "风", "n": 12, "is": true, "of": [1, "\\u98ce"]}]'


def test_array_that_is_cut_anywhere_loses_its_end_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    first = len('[{"a": "痛"}'.encode())
    for end in range(first, len(WHOLE.encode())):
        path.write_bytes(WHOLE.encode()[:end])
        one, *rest, last = json_values(path)
        assert one == JsonValue(1, {"a": "痛"})
        assert [each.problem for each in rest] == [None] * len(rest)
        assert last.problem == "not JSON: the file ends within this record, so it is cut off here"
        assert last.row == 2 + len(rest)


def read(text: str) -> list[tuple[str, object]]:
    return list(list_elements(io.StringIO(text), Path("x.json")))


def test_lists_inside_the_graphs_are_read_with_their_keys() -> None:
    text = """{"@context": {"a": [1]}, "graphs": [
        {"id": "g", "nodes": [{"id": "A"}, {"id": "B"}], "meta": {"x": []}, "edges": []},
        {"nodes": [12]}], "meta": null}"""
    assert read(text) == [("nodes", {"id": "A"}), ("nodes", {"id": "B"}), ("nodes", 12)]


@given(st.lists(JSON, max_size=6), st.integers(1, 9))
def test_elements_are_whole_wherever_a_chunk_ends(values: list[object], chunk: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_files, "_CHUNK", chunk)
        text = json.dumps(values, ensure_ascii=False, indent=1)
        assert read(text) == [("", value) for value in values]
        whole = json.dumps({"graphs": [{"nodes": values}]})
        assert read(whole) == [("nodes", value) for value in values]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it breaks off"),
        ("[1, 2", "it breaks off"),
        ('[{"a": 1', "it breaks off"),
        ("[1 2]", "'2' where ',' should be"),
        ("[1,]", "a comma stands before the end of a list"),
        ("[1] x", "something follows the end"),
        ("{1: []}", "a key is no text"),
        ("name: x", "'n' where '{' should be"),
        ('["\\ud800"]', "half of a surrogate pair is no text"),
        ('[{"a": 1, "a": 2}]', "the key 'a' is there twice in one object"),
        ("[" * 100_000, "nest|recursion|breaks off"),
    ],
)
def test_broken_json_is_told(text: str, why: str) -> None:
    with pytest.raises(
        SourceError, match=r"x\.json: not JSON at character [\d,]+ \(.*(?:" + why + ")"
    ):
        read(text)
