"""Large JSON files: the elements of their lists one by one, never the whole file.

``elements`` reads a list of things at the top, or the lists in the objects of a
list at the top (``{"graphs": [{"nodes": […], "edges": […]}]}``), which is
how ontologies are written.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from ingest.sources.formats.json_text import JsonText


def elements(text: TextIO, path: Path) -> Iterator[tuple[str, Any]]:
    """Every element of every list, with the key of its list (empty at the top).

    Args:
        text: the file.
        path: for messages.

    Raises:
        SourceError: it is not JSON, or breaks off.
    """
    json = JsonText(text, path)
    if json.peek() == "[":
        yield from _of_list("", json)
    else:
        for _ in json.each_key():
            if json.peek() == "[":
                for _ in json.each_place():
                    yield from _of_object(json)
            else:
                json.value()
    json.end()


def _of_object(json: JsonText) -> Iterator[tuple[str, Any]]:
    """The elements of the lists in an object; its other values are passed over."""
    if json.peek() != "{":
        json.value()
        return
    for key in json.each_key():
        if json.peek() == "[":
            yield from _of_list(key, json)
        else:
            json.value()


def _of_list(key: str, json: JsonText) -> Iterator[tuple[str, Any]]:
    for _ in json.each_place():
        value, _, fault = json.sound_value()
        if fault:
            raise json.broken(fault.removeprefix("not JSON: "))
        yield key, value
