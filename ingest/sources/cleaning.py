# ruff: noqa: S608 -- of names of columns that stand here
"""Cleans the names of every source of invisible characters, and reports garbled names.

A control character, one that turns the direction of writing, or one without width makes two names
of one that look alike, and commands of a terminal do what they say wherever a name is shown. They
are taken out of names and texts, and listed. A bar (``|``) parts the items of a list in files and
strings: beside an id it becomes ``/``; a name that is all there is of a thing may be several, so
it is a problem. An id with such a character is one as well.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa
from ftfy.badness import is_bad

from kg.text.spelling import simplified

CLEANED: Final = "cleaned.parquet"
"""Beside a source's assertions: names and texts that are not as they were written."""

_UNSEEN: Final = (
    # C0 and C1 controls but tab and ends of lines, soft hyphen, marks of direction, no width
    r"\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x9F\u00AD\u034F\u061C\u180E\u200B-\u200F\u2028-\u202E"
    r"\u2060-\u206F\uFEFF\uFFF9-\uFFFB\U000E0000-\U000E007F"
)
_UNSEEN_CLASS: Final = "[" + re.sub(r"\\[uU]([0-9A-F]+)", r"\\x{\1}", _UNSEEN) + "]"
"""As DuckDB writes it."""
_COMMAND: Final = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
"""What follows ESC and tells a terminal what to do."""
_END_OF_LINE: Final = re.compile(r"[\x0B\x0C\x85\u2028\u2029]")
_ANY: Final = re.compile(f"[{_UNSEEN}]")

_NAMES: Final = ("head_name", "tail_name")
_IDS: Final = ("head", "tail")
_TEXTS: Final = ("frequency_text", "weight_text", "onset", "sex", "publications", "evidence")
_FIELDS: Final = (*_NAMES, "value", *_TEXTS)
"""What is cleaned."""
_NAMING: Final = ("HAS_NAME", "HAS_SYNONYM")
_REFERRING: Final = ("HAS_XREF", "HAS_EXACT_MATCH", "HAS_FORMER_ID", "IS_NODE_OF")
"""Attributes whose value is a name, and those whose value is an id."""

_LOOKED_AT: Final = 20_000
"""Names that are enough to tell whether a source's are garbled."""
_HAN: Final = re.compile("[\u3400-\u9fff\ue000-\uf8ff\uf900-\ufaff\U00020000-\U0003ffff]")
"""A Chinese character, or one that no standard has, as wrong decoding gives."""
_FILLING: Final = re.compile("\u951f\u65a4\u62f7|\u70eb\u70eb|\u5c6f\u5c6f|\ufffd")
"""What replaced characters and unset memory become in GBK, and what stands for lost ones."""
_UNCOMMON: Final = 0.2
"""Share of a name's Chinese characters that are rare, above which it is garbled."""


@dataclass(frozen=True)
class Garbled:
    """Names that look as if their file had been read in another encoding than it is in."""

    names: int
    """Different names with letters beyond ASCII that were looked at."""
    garbled: int
    example: str | None = None


def without_unseen(written: str, *, is_name: bool = True) -> str:
    """A text without the invisible characters; in a name, a bar becomes a slash."""
    plain = _END_OF_LINE.sub(" ", _COMMAND.sub("", written))
    plain = _ANY.sub("", plain).strip()
    return plain.replace("|", "/") if is_name else plain


def shown(written: str) -> str:
    r"""A text in which the invisible characters stand as escapes such as ``\u200b``."""

    def escape(match: re.Match[str]) -> str:
        return f"\\u{ord(match[0]):04x}"

    return _ANY.sub(escape, written)


def is_garbled(name: str) -> bool:
    """Whether a name looks as if it had been read in another encoding than it is in.

    What one encoding of Chinese makes of another is Chinese too, but of rare characters: those
    that GB2312 lacks, also when they are made Simplified. One such stands in real names (湿啰音).
    """
    if is_bad(name) or _FILLING.search(name):
        return True
    han = _HAN.findall(name)
    rare = sum(not _is_common(character) for character in han)
    return rare > 1 and rare > _UNCOMMON * len(han)


@cache
def _is_common(character: str) -> bool:
    try:
        simplified(character).encode("gb2312")
    except UnicodeEncodeError:
        return False
    return True


def clean(folder: Path) -> Garbled:
    """Clean the assertions that a reader left in ``folder``, and list what was changed.

    Writes ``CLEANED`` beside them if anything was: ``source, file, row, original_relation,
    field, written, became``, the characters in ``written`` as ``shown``.

    Returns:
        How many of the names looked garbled as they were; of a great many some are looked at,
        the same ones every time.
    """
    assertions, part = folder / "assertions.parquet", folder / ".assertions.parquet"
    (folder / CLEANED).unlink(missing_ok=True)
    with duckdb.connect() as con:
        con.read_parquet(str(assertions), file_row_number=True).create_view("said")
        # of millions of assertions, each different text is looked at once
        distinct_texts = " union all ".join(
            f"select distinct '{field}' as field, {_is_name(field)} as is_name, {field} as text "
            f"from said where {field} is not null and {_is_cleaned(field)}"
            for field in (*_IDS, *_FIELDS)
        )
        con.execute(f"create temp table different as {distinct_texts}")
        names = con.execute(
            "select distinct text from different where is_name and length(text) < strlen(text) "
            f"order by md5(text) limit {_LOOKED_AT}"
        ).fetchall()
        garbled = [name for (name,) in names if is_garbled(name)]
        garbled_names = Garbled(len(names), len(garbled), shown(garbled[0]) if garbled else None)
        cleaned = con.execute(
            "select field, is_name, text from different where regexp_matches(text, $unseen) "
            "or (is_name and contains(text, '|'))",
            {"unseen": _UNSEEN_CLASS},
        ).fetchall()
        if not cleaned:
            return garbled_names
        rows = [
            {
                "written": written,
                "is_name": is_name,
                "became": without_unseen(written, is_name=is_name) or None,
                "shown": shown(written),
            }
            for is_name, written in sorted({row[1:] for row in cleaned if row[0] not in _IDS})
        ]
        texts = [(name, pa.string()) for name in ("written", "became", "shown")]
        schema = pa.schema([*texts, ("is_name", pa.bool_())])
        con.register("change", pa.Table.from_pylist(rows, schema))
        joins = " ".join(
            f"left join change as {field}_change on said.{field} = {field}_change.written "
            f"and {field}_change.is_name = {_is_name(field)} and {_is_cleaned(field)}"
            for field in _FIELDS
        )
        changes = ", ".join(
            f"{field}_change.{what} as {field}_{what}"
            for field in _FIELDS
            for what in ("shown", "became")
        )
        con.execute(f"create view joined as select said.*, {changes} from said {joins}")
        _list_changes(con, folder / CLEANED)
        _rewrite(con, part)
    part.replace(assertions)
    return garbled_names


def _is_name(field: str) -> str:
    """SQL of whether what stands in a field is a name."""
    return f"(relation in {_NAMING})" if field == "value" else str(field in _NAMES).lower()


def _is_cleaned(field: str) -> str:
    """SQL of whether a field is looked at: not a section's text, into which evidence points."""
    return "relation <> 'HAS_TEXT'" if field == "value" else "true"


def _list_changes(con: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Write what is to be changed; nothing if only ids have such characters."""
    changes = " union all ".join(
        f"select file_row_number as place, source, file, row, original_relation, '{field}' as field, "
        f"{field}_shown as written, {field}_became as became from joined "
        f"where {field}_shown is not null"
        for field in _FIELDS
    )
    listed = con.sql(f"select * exclude (place) from ({changes}) order by place, field")
    if listed.limit(1).fetchall():
        listed.write_parquet(str(file))


def _rewrite(con: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Write the assertions with what becomes of their fields; a problem where that is nothing."""
    fields = [
        f"if({field}_shown is null, {field}, {field}_became) as {field}" for field in _FIELDS
    ]
    problems = ["problem"]
    for end in _IDS:
        problems.append(_unseen_in(end, f"the id of the {end}"))
        name = f"{end}_name"
        several = f"{end} is null and contains({name}, '|')"
        several_names = (
            f"'the {end} has no id, and its name ''' || {name}_shown || ''' holds several, "
            "parted by |; write one name a row'"
        )
        nothing = f"{end} is null and {name}_shown is not null and {name}_became is null"
        why = f"'the {end} has no id, and its name no character that can be seen'"
        problems += [f"if({several}, {several_names}, null)", f"if({nothing}, {why}, null)"]
    of_value = _unseen_in("value", "the id in the value")
    problems.append(f"if(relation in {_REFERRING}, {of_value}, null)")
    change_columns = ", ".join(
        f"{field}_{what}" for field in _FIELDS for what in ("shown", "became")
    )
    con.sql(
        f"select * exclude (file_row_number, {change_columns}) replace ({', '.join(fields)}, "
        f"coalesce({', '.join(problems)}) as problem) from joined order by file_row_number"
    ).write_parquet(str(file))


def _unseen_in(field: str, what: str) -> str:
    """SQL of the problem that a field has an invisible character; null if it has none."""
    character = f"nullif(regexp_extract({field}, '{_UNSEEN_CLASS}'), '')"
    return (
        f"'{what} has a character that cannot be seen ('"
        f" || printf('U+%04X', unicode({character})) || '); take it out'"
    )
