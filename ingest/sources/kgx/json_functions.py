"""Functions of the table engine for JSON that is text, to be used in expressions."""

from typing import Final

import ibis


def _of_text(text: object) -> None:
    """Names the argument of a function of the engine; never called."""
    del text


def _of_text_and_path(text: object, path: object) -> None:
    """Names the arguments of a function of the engine; never called."""
    del text, path


_TEXT: Final = (("string",), "string")

is_json: Final = ibis.udf.scalar.builtin(
    _of_text, name="json_valid", signature=(("string",), "boolean")
)
"""Whether a text is JSON."""

keys: Final = ibis.udf.scalar.builtin(
    _of_text, name="json_keys", signature=(("string",), "array<string>")
)
"""Of an object."""

quoted: Final = ibis.udf.scalar.builtin(_of_text, name="to_json", signature=_TEXT)
"""A text as a JSON string."""

json_type: Final = ibis.udf.scalar.builtin(_of_text, name="json_type", signature=_TEXT)
"""OBJECT, ARRAY, VARCHAR …"""

type_at: Final = ibis.udf.scalar.builtin(
    _of_text_and_path, name="json_type", signature=(("string", "string"), "string")
)
"""The same of the value at a path; null where there is none."""

types_at: Final = ibis.udf.scalar.builtin(
    _of_text_and_path, name="json_type", signature=(("string", "string"), "array<string>")
)
"""The same of all values at a path with ``[*]``."""

text_at: Final = ibis.udf.scalar.builtin(
    _of_text_and_path, name="json_extract_string", signature=(("string", "string"), "string")
)
"""The value at a path, a string without its quotation marks."""

items_at: Final = ibis.udf.scalar.builtin(
    _of_text_and_path,
    name="json_extract_string",
    signature=(("string", "string"), "array<string>"),
)
"""All values at a path with ``[*]``, likewise."""

values_at: Final = ibis.udf.scalar.builtin(
    _of_text_and_path, name="json_extract", signature=(("string", "array<string>"), "array<json>")
)
"""The values at several paths, as JSON; the text is taken apart once."""
