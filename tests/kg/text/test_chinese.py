# ruff: noqa: RUF001 - look-alike letters of many scripts are what is tested here
import opencc
import pytest

from kg.text.chinese import number, simplified


@pytest.mark.parametrize(
    ("numerals", "value"),
    [("一", "1"), ("〇", "0"), ("十", "10"), ("十二", "12"), ("二十", "20"), ("九十九", "99")],
)
def test_numerals_are_read(numerals: str, value: str) -> None:
    assert number(numerals) == value


@pytest.mark.parametrize("numerals", ["", "一二", "十十", "一二十", "二十一一"])
def test_what_writes_no_number_is_none(numerals: str) -> None:
    assert number(numerals) is None


@pytest.mark.parametrize(
    "name", ["糖尿病視網膜病變", "房室傳導阻滯", "腎臟纖維化", "甲狀腺機能亢進"]
)
def test_characters_are_simplified_as_opencc_does(name: str) -> None:
    assert "".join(map(simplified, name)) == opencc.OpenCC("t2s").convert(name)


def test_simplified_stays_simplified() -> None:
    han = [chr(at) for at in range(0x4E00, 0xA000)]
    assert [c for c in han if simplified(simplified(c)) != simplified(c)] == []
