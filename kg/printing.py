"""Text of sources as it may be printed: what a terminal would obey is written out.

Control characters (C0, DEL, C1) move the cursor and change colours; those of the Unicode
bidirectional algorithm (UAX #9) let a text look other than it is.
"""

import re
from typing import Final

_SHORT: Final = {"\t": "\\t", "\n": "\\n", "\r": "\\r"}

_OBEYED: Final = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)
"""Halves of characters too, which cannot be printed at all."""

_OBEYED_IN_JSON: Final = re.compile(_OBEYED.pattern.replace("\x00-\x1f", ""))
"""JSON itself escapes the others, and has line ends of its own."""

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def harmless(text: str) -> str:
    r"""A text with ``\u202e`` and the like in place of such characters."""
    return _OBEYED.sub(_escape, text)


def harmless_json(text: str) -> str:
    """As ``harmless``, of a JSON text, which stands for the same value then."""
    return _OBEYED_IN_JSON.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return _SHORT.get(match[0]) or f"\\u{ord(match[0]):04x}"


def no_formula(text: str) -> str:
    """A text that no spreadsheet takes for a formula: with ``'`` before the sign of one.

    After OWASP, "CSV Injection".
    """
    return f"'{text}" if text.startswith(_FORMULA) else text
