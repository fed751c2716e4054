import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.sources.formats import json_text
from ingest.sources.formats.json_stream import elements
from kg.errors import SourceError

TEXT = st.text(st.characters(codec="utf-8"))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text("ab"), inner, max_size=3),
    max_leaves=8,
)


def read(text: str) -> list[tuple[str, object]]:
    return list(elements(io.StringIO(text), Path("x.json")))


def test_lists_inside_the_graphs_are_read_with_their_keys() -> None:
    text = """{"@context": {"a": [1]}, "graphs": [
        {"id": "g", "nodes": [{"id": "A"}, {"id": "B"}], "meta": {"x": []}, "edges": []},
        {"nodes": [12]}], "meta": null}"""
    assert read(text) == [("nodes", {"id": "A"}), ("nodes", {"id": "B"}), ("nodes", 12)]


@given(st.lists(JSON, max_size=6), st.integers(1, 9))
def test_elements_are_whole_wherever_a_chunk_ends(values: list[object], chunk: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_text, "_CHUNK", chunk)
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
