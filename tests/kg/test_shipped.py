"""The tables that medkg ships: a key that is there twice would hide the first without a word."""

from pathlib import Path

import pytest
import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
ROOMS = ("cypher", "evalsim", "ingest", "kg", "qa")


def shipped() -> list[Path]:
    return sorted(file for room in ROOMS for file in (REPOSITORY / room).rglob("*.yaml"))


def twice(node: yaml.Node) -> list[str]:
    """Keys that a mapping, or one within it, has twice, each with its line."""
    found: list[str] = []
    waiting = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, yaml.MappingNode):
            seen: set[tuple[str, str]] = set()
            for key, value in one.value:
                name = key.tag, str(key.value)
                if name in seen:
                    found.append(f"{key.value}, line {key.start_mark.line + 1}")
                seen.add(name)
                waiting += [key, value]
        elif isinstance(one, yaml.SequenceNode):
            waiting += one.value
    return found


@pytest.mark.parametrize(
    "file", shipped(), ids=lambda file: file.relative_to(REPOSITORY).as_posix()
)
def test_no_table_has_a_key_twice(file: Path) -> None:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    root = yaml.compose(file.read_text("utf-8"), loader)
    assert root is None or twice(root) == []


def test_a_key_that_is_there_twice_is_seen() -> None:
    root = yaml.compose("a: {b: 1, b: 2}\nc: [{d: 1}, {d: 2, d: 3}]\na: 4")
    assert root is not None
    assert sorted(twice(root)) == ["a, line 3", "b, line 1", "d, line 2"]
