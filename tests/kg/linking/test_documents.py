import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.errors import LinkingError
from kg.linking.documents import (
    Broken,
    Document,
    Form,
    broken_line,
    linked_line,
    mention_from_record,
    mention_record,
    read_documents,
)
from kg.linking.mention import Candidate, Mention

FLU = Candidate("D:1", "Disease", "influenza", "flu", "en", 1.0, ("C0021400",))
COLD = Candidate("D:2", "Disease", "cold", "cold", "en", 0.5)
LINKED = Mention(3, 6, "flu", "exact", (FLU, COLD), linked=True, negated=True)
UNLINKED = Mention(0, 4, "flue", "similarity", (FLU, COLD), linked=False, family=True)
NOTHING = Mention(0, 1, "\ud800", None, (), linked=False)


def read(data: bytes, form: Form | None = None) -> list[Document | Broken]:
    return list(read_documents(data.splitlines(keepends=True), "notes", form))


def texts(data: bytes, form: Form | None = None) -> list[str]:
    return [item.text if isinstance(item, Document) else item.reason for item in read(data, form)]


def test_a_plain_line_is_a_text() -> None:
    assert read(b" flu \r\n\nno fever") == [
        Document(1, 7, " flu ", {"text": " flu "}),
        Document(2, 1, "", {"text": ""}),
        Document(3, 8, "no fever", {"text": "no fever"}),
    ]


def test_a_json_line_keeps_its_fields_and_an_empty_one_is_none() -> None:
    first, second = b'{"id": 7, "text": "flu", "more": [1.5]}\n', b'{"text": "a"}'
    assert read(first + b"\n" + second) == [
        Document(1, len(first), "flu", {"id": 7, "text": "flu", "more": [1.5]}),
        Document(3, len(second), "a", {"text": "a"}),
    ]


@pytest.mark.parametrize(
    ("data", "form", "expected"),
    [
        (b"\xef\xbb\xbfflu", None, ["flu"]),
        (b'\xef\xbb\xbf\n{"text": "flu"}', None, ["", "flu"]),
        (b'{"text": "flu"}', "text", ['{"text": "flu"}']),
        (b'flu\n{"text": "cold"}', None, ["flu", '{"text": "cold"}']),
        ("发热\N{LINE SEPARATOR}咳嗽".encode(), None, ["发热\N{LINE SEPARATOR}咳嗽"]),
        (b'{"text": "\\ud800 \\u0000"}', None, ["\ud800 \0"]),
        (b"", None, []),
        (b"a" * 1_000_000, None, ["a" * 1_000_000]),
    ],
)
def test_what_a_line_is(data: bytes, form: Form | None, expected: list[str]) -> None:
    assert texts(data, form) == expected


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"{", "not JSON (Expecting property name enclosed in double quotes at character 2"),
        (b"{}", 'no field "text"; put the text to link there'),
        (b"[1]", 'not a JSON object; write {"text": "…"}'),
        (b'{"text": 5}', 'the field "text" is not a string'),
        (b'{"text": "a", "mentions": []}', 'a field "mentions" already'),
        (b'{"text": "a", "x": NaN}', "NaN is not a number of JSON; write null"),
        (b'{"text": "a", "x": 1e999}', "1e999 is too large a number"),
        (b'{"text": ' + b"[" * 200_000, "JSON nested too deeply"),
        (
            b'{"text": "a", "x": ' + b"9" * 5_000 + b"}",
            "a number of 5,000 digits; write it as a string",
        ),
        (b'{"text": "\xff"}', "not UTF-8 (byte 0xff after 10 bytes); save it as UTF-8"),
    ],
)
def test_a_broken_line_says_why_and_stops_no_other(line: bytes, reason: str) -> None:
    good = b'{"text": "flu"}\n'
    first, broken, last = read(good + line + b"\n" + good)
    assert isinstance(broken, Broken)
    assert (broken.line, broken.size) == (2, len(line) + 1)
    assert broken.reason.startswith(reason)
    assert isinstance(first, Document)
    assert isinstance(last, Document)
    assert json.loads(broken_line(broken)) == {"line": 2, "error": broken.reason}


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_another_encoding_is_refused_as_a_whole(encoding: str) -> None:
    with pytest.raises(LinkingError, match=r"^notes: the text is in UTF-16 or UTF-32; save it"):
        read("\ufeffflu\n".encode(encoding))


@pytest.mark.parametrize("mention", [LINKED, UNLINKED, NOTHING])
def test_a_mention_comes_back_from_json(mention: Mention) -> None:
    assert mention_from_record(json.loads(json.dumps(mention_record(mention)))) == mention


def test_a_line_has_its_fields_and_what_is_meant() -> None:
    document = Document(1, 0, "no flu", {"text": "no flu", "id": "x"})
    line = json.loads(linked_line(document, [LINKED]))
    flu = {**asdict(FLU), "cuis": ["C0021400"]}
    assert (line["text"], line["id"]) == ("no flu", "x")
    candidates = [flu, {**asdict(COLD), "cuis": []}]
    found = {**asdict(LINKED), "entity": flu, "candidates": candidates}
    assert line["mentions"] == [found]


def test_halves_of_characters_are_escaped_and_other_scripts_are_not() -> None:
    text = "发热 \ud800 🤒"
    line = linked_line(Document(1, 0, text, {"text": text}), [NOTHING])
    assert "发热" in line
    assert "🤒" in line
    assert json.loads(line.encode())["text"] == text
    assert json.loads(line)["mentions"][0]["entity"] is None


@given(st.lists(st.binary(max_size=40).map(lambda line: line.replace(b"\n", b""))))
def test_any_bytes_give_one_item_a_line(given_lines: list[bytes]) -> None:
    if given_lines and given_lines[0].startswith((b"\xff\xfe", b"\xfe\xff")):
        given_lines[0] = b""
    items = list(read_documents((line + b"\n" for line in given_lines), "notes", "text"))
    assert [item.line for item in items] == [*range(1, len(given_lines) + 1)]
    assert sum(item.size for item in items) == sum(len(line) + 1 for line in given_lines)


@given(st.text(st.characters()), st.sampled_from(["\ud800", "\udfff", "", "\0", "🤒"]))
def test_any_text_comes_back_from_its_line(text: str, odd: str) -> None:
    said = f"{odd}{text}{odd}"
    (document,) = read(json.dumps({"text": said}).encode())
    assert isinstance(document, Document)
    line = linked_line(document, [NOTHING]).encode()
    assert b"\n" not in line
    assert json.loads(line)["text"] == said
