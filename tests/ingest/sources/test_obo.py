import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.sources.formats.obo import (
    Stanza,
    bare,
    modifier,
    property_value,
    quoted,
    stanzas,
    synonym,
    unescape,
)

TEXT = st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1)


def escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def test_stanza_keeps_tags_in_order_without_comments_and_modifiers() -> None:
    lines = [
        "format-version: 1.2\n",
        "\n",
        "[Term]\n",
        "id: HP:1\n",
        "! a comment\n",
        'is_a: HP:2 {source="x"} ! a name\n',
        'name: Who, me! {xref="PMID:1"}\n',
    ]
    tags = [("id", "HP:1"), ("is_a", "HP:2"), ("name", "Who, me!")]
    assert list(stanzas(lines)) == [Stanza(1, "Term", tags)]


def test_stanzas_are_numbered_and_broken_lines_kept() -> None:
    found = list(stanzas(["[Term]", "id: A", "no colon here", "[Typedef]", "id: B"]))
    assert [(s.row, s.kind, s.one("id"), s.broken) for s in found] == [
        (1, "Term", "A", ["no colon here"]),
        (2, "Typedef", "B", []),
    ]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ('"plain" EXACT []', ("plain", "EXACT []")),
        (r'"has \"to\" be" []', ('has "to" be', "[]")),
        (r'"two\nlines" []', ("two\nlines", "[]")),
        ("no quotes", None),
        ('"unclosed', None),
    ],
)
def test_quoted_text_is_unescaped(value: str, expected: tuple[str, str] | None) -> None:
    assert quoted(value) == expected


@given(TEXT)
def test_any_text_survives_quoting(text: str) -> None:
    assert quoted(f'"{escape(text)}" EXACT []') == (text, "EXACT []")


@given(TEXT)
def test_unescape_turns_escape_round(text: str) -> None:
    assert unescape(escape(text)) == text


@given(st.lists(st.text(max_size=40), max_size=20))
def test_no_line_is_lost_whatever_a_file_holds(lines: list[str]) -> None:
    body = [line.strip() for text in lines for line in text.splitlines()]
    found = list(stanzas(["[Term]", *body]))
    blocks = sum(line.startswith("[") and line.endswith("]") for line in body)
    said = sum(bool(line) and not line.startswith("!") for line in body) - blocks
    assert len(found) == blocks + 1
    assert sum(len(s.tags) + len(s.broken) for s in found) == said


@given(st.sampled_from(["is_a", "xref", "name", "def"]), TEXT)
def test_cleaning_a_value_twice_changes_nothing_more(tag: str, value: str) -> None:
    once = bare(tag, value)
    assert bare(tag, once) == once


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            '"high blood pressure" EXACT layperson [PMID:1]',
            ("high blood pressure", "EXACT", "layperson"),
        ),
        (r'"a \"silent\" infarct" NARROW []', ('a "silent" infarct', "NARROW", None)),
        ('"no scope" []', ("no scope", "RELATED", None)),
        ('"nothing behind"', ("nothing behind", "RELATED", None)),
        ("no quotes EXACT []", None),
    ],
)
def test_synonym_has_text_scope_and_type(
    value: str, expected: tuple[str, str, str | None] | None
) -> None:
    assert synonym(value) == expected


def test_modifiers_of_a_value_are_kept_beside_it() -> None:
    line = r'xref: DOID:9352 {source="MONDO:equivalentTo", source="a \"b\"", x.y="1"} ! name'
    (stanza,) = stanzas(["[Term]", "id: A", line])
    assert stanza.tags == [("id", "A"), ("xref", "DOID:9352")]
    assert modifier(stanza.modifiers[1], "source") == ["MONDO:equivalentTo", 'a "b"']
    assert modifier(stanza.modifiers[1], "x.y") == ["1"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("skos:exactMatch MESH:D003924", ("skos:exactMatch", "MESH:D003924")),
        ('dc:date "2020-01-01" xsd:string', ("dc:date", "2020-01-01")),
        ("empty", ("empty", "")),
    ],
)
def test_property_value_is_name_and_bare_value(value: str, expected: tuple[str, str]) -> None:
    assert property_value(value) == expected


def test_only_wanted_tags_are_kept() -> None:
    (stanza,) = stanzas(["[Term]", "id: A", 'def: "x" []', "name: a"], {"id", "name"})
    assert stanza.tags == [("id", "A"), ("name", "a")]
