import re
from pathlib import Path

import pytest

from kg.errors import LinkingError
from kg.linking.gold import Gold, GoldMention, GoldText

ASTHMA = '{"start": 11, "end": 17, "ids": ["MONDO:0004979"], "type": "Disease", "family": true}'


def only(line: str) -> GoldText:
    (text,) = Gold.of_bytes(line.encode(), "gold.jsonl").texts
    return text


def test_running_text_keeps_its_mentions_and_what_they_say() -> None:
    line = f'{{"text": "Mother had asthma.", "mentions": [{ASTHMA}], "types": ["Disease"]}}'
    assert only(line) == GoldText(
        text="Mother had asthma.",
        mentions=(
            GoldMention(start=11, end=17, ids=("MONDO:0004979",), type="Disease", family=True),
        ),
        language="en",
        types=frozenset({"Disease"}),
    )


@pytest.mark.parametrize(
    "line",
    [
        '{"mention": "heart atack", "ids": ["C0027051"], "type": "Disease"}',
        '{"text": "heart atack", "mentions": [{"ids": ["C0027051"], "type": "Disease"}]}',
    ],
)
def test_mention_without_surroundings_may_be_written_in_two_ways(line: str) -> None:
    assert only(line) == GoldText(
        text="heart atack",
        mentions=(GoldMention(start=0, end=11, ids=("C0027051",), type="Disease"),),
        whole=True,
        language="en",
    )


def test_only_mention_of_a_text_with_offsets_is_running_text() -> None:
    assert not only(f'{{"text": "Mother had asthma.", "mentions": [{ASTHMA}]}}').whole


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ('{"mention": "2型糖尿病", "ids": []}', "zh"),
        ('{"mention": "type 2 diabetes", "ids": []}', "en"),
        ('{"mention": "COPD", "ids": [], "language": "zh"}', "zh"),
    ],
)
def test_language_is_the_scripts_unless_the_line_says_it(line: str, language: str) -> None:
    assert only(line).language == language


def test_offsets_count_code_points() -> None:
    line = '{"text": "😷 咳嗽", "mentions": [{"start": 2, "end": 4, "ids": [], "text": "咳嗽"}]}'
    (mention,) = only(line).mentions
    assert (mention.start, mention.end) == (2, 4)


def test_empty_lines_are_left_out_and_numbers_still_count_them(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"mention": "asthma", "ids": []}\n\n{"mention": 7, "ids": []}\n', "utf-8")
    with pytest.raises(LinkingError, match=re.escape(f"{path}, line 3: text: ")):
        Gold.read(path)


def test_checksum_is_that_of_the_file() -> None:
    # printf '{"mention": "asthma", "ids": []}' | sha256sum
    gold = Gold.of_bytes(b'{"mention": "asthma", "ids": []}', "gold.jsonl")
    assert gold.checksum.startswith("9dc3c4b6a0a6fac2")


def running(mention: str) -> str:
    return f'{{"text": "no fever", "mentions": [{mention}]}}'


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("no", "gold.jsonl, line 1: not JSON in UTF-8"),
        ("[]", "gold.jsonl, line 1: a line is an object"),
        ("[" * 100_000, "gold.jsonl, line 1: not JSON in UTF-8"),
        ('{"text": "no fever"}', "gold.jsonl, line 1: mentions: Field required"),
        ('{"mention": "fever", "ids": ["HP1945"]}', "'HP1945' is neither a CURIE nor a UMLS"),
        ('{"mention": "fever"}', "line 1: mentions.0.ids: Field required"),
        ('{"mention": "fever", "text": "fever", "ids": []}', "has both 'mention' and 'text'"),
        ('{"mention": "fever", "ids": [], "language": "de"}', "language: Input should be 'en'"),
        ('{"mention": "fever", "ids": [], "typ": "Symptom"}', "mentions.0.typ: Extra inputs"),
        (running('{"start": 3, "end": 9, "ids": []}'), "(3, 9) is not within the text of 8"),
        (running('{"start": 3, "end": 3, "ids": []}'), "(3, 3) is not within the text of 8"),
        (running('{"start": -1, "end": 3, "ids": []}'), "mentions.0.start: Input should be"),
        (
            running('{"start": 3, "end": 8, "ids": [], "text": "cough"}'),
            "at (3, 8) stands 'fever' and not 'cough'",
        ),
        (
            running('{"start": 3, "end": 8, "ids": []}, {"start": 3, "end": 8, "ids": []}'),
            "the mention (3, 8) is there twice",
        ),
        ("\n", "gold.jsonl: has no lines"),
    ],
)
def test_bad_line_is_an_error_of_one_sentence_with_its_place(line: str, said: str) -> None:
    with pytest.raises(LinkingError, match=re.escape(said)) as raised:
        Gold.of_bytes(line.encode(), "gold.jsonl")
    assert "\n" not in str(raised.value)


def test_bytes_that_are_no_utf8_are_named_with_their_line() -> None:
    with pytest.raises(LinkingError, match="line 2: not JSON in UTF-8"):
        Gold.of_bytes(b'{"mention": "asthma", "ids": []}\n{"mention": "\xb7\xa2"}', "gold.jsonl")


def test_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(LinkingError, match=r"none\.jsonl: No such file .*name a gold file"):
        Gold.read(tmp_path / "none.jsonl")
