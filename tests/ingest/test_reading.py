"""What is said of files that are in another encoding than they should be, or no text at all."""

import gzip
import io
import re
import zipfile
from pathlib import Path

import pytest

from ingest.reading import check_columns, text_lines
from kg.errors import SourceError

CHINESE = "疾病,症状\n痛风,关节肿痛\n流行性感冒,发热\n支气管哮喘,呼吸困难\n高血压,头痛头晕\n"
TAIWAN = "疾病,症狀\n痛風,關節腫痛\n流行性感冒,發燒\n支氣管哮喘,呼吸困難\n高血壓,頭痛頭暈\n"
JAPANESE = "疾患,症状\nインフルエンザ,発熱\n痛風,関節の痛み\n喘息,息切れ\n高血圧,頭痛\n"
KOREAN = "질병,증상\n독감,발열\n통풍,관절염\n천식,호흡곤란\n고혈압,두통\n"
RUSSIAN = "болезнь,симптом\nгрипп,лихорадка\nподагра,артрит\n"  # noqa: RUF001 -- Russian
FRENCH = "maladie,symptôme\nmaladie de Ménière,vertige\nhépatite,fièvre\n"


def read(path: Path, encoding: str = "utf-8", *, cut: bool = False) -> str:
    with text_lines(path, encoding, cut=cut) as lines:
        return lines.read()


@pytest.mark.parametrize("size", [80, 400, 200_000])
@pytest.mark.parametrize(
    ("text", "encoding", "named"),
    [
        (CHINESE, "gb18030", "gb18030"),
        (CHINESE, "gbk", "gb18030"),
        (TAIWAN, "big5", "big5"),
        (JAPANESE, "shift-jis", "shift-jis"),
        (JAPANESE, "euc-jp", "euc-jp"),
        (KOREAN, "euc-kr", "euc-kr"),
        (RUSSIAN, "cp1251", "cp1251"),
        (FRENCH, "cp1252", "cp1252"),
        (CHINESE, "utf-16", "utf-16"),
    ],
)
def test_encoding_is_named_and_what_is_named_reads_the_file(
    tmp_path: Path, text: str, encoding: str, named: str, size: int
) -> None:
    path, whole = tmp_path / "a.csv", (text * (size // len(text) + 1))[: max(size, len(text))]
    path.write_bytes(whole.encode(encoding))
    message = f"a.csv: not UTF-8 text, it looks like {named}; .* 'encoding: {named}' instead"
    with pytest.raises(SourceError, match=message):
        read(path)
    assert read(path, named) == whole


def test_encoding_of_a_long_table_is_told_from_where_it_begins_to_matter(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"gout,fever\n" * 300_000 + CHINESE.encode("gbk"))
    with pytest.raises(SourceError, match="it looks like gb18030"):
        read(tmp_path / "a.csv")


def zipped() -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("xl/workbook.xml", CHINESE)
    return data.getvalue()


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (zipped(), "a ZIP archive or an Excel workbook (.xlsx)"),
        (gzip.compress(CHINESE.encode()), "compressed by gzip; let its name end in .gz"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n" + bytes(range(256)), "a PDF"),
        (b"PAR1" + bytes(range(256)) * 4, "a Parquet file"),
        (bytes.fromhex("d0cf11e0a1b11ae1") + bytes(512), "an old Office file (.xls, .doc)"),
    ],
)
def test_what_is_no_text_is_called_what_it_is(tmp_path: Path, data: bytes, what: str) -> None:
    (tmp_path / "a.csv").write_bytes(data)
    with pytest.raises(SourceError, match=f"a.csv: no text but {re.escape(what)}"):
        read(tmp_path / "a.csv")


def test_bytes_of_no_known_encoding_are_not_given_a_name(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(bytes([0, 255, 1, 254]) * 600)
    with pytest.raises(SourceError, match="which encoding it is in cannot be told; convert"):
        read(tmp_path / "a.csv")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "gb18030", "big5", "shift-jis"])
def test_utf8_is_not_read_as_something_else(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "a.csv").write_text(CHINESE, encoding="utf-8")
    message = (
        f"a.csv: 'encoding: {encoding}' is set, but the file is UTF-8; write 'encoding: utf-8'"
    )
    with pytest.raises(SourceError, match=message):
        read(tmp_path / "a.csv", encoding)


def test_encoding_that_differs_in_nothing_is_let_be(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("gout,fever\n", encoding="ascii")
    assert read(tmp_path / "a.csv", "latin-1") == "gout,fever\n"
    (tmp_path / "b.csv").write_bytes("联通".encode("gbk"))  # by chance UTF-8 as well
    assert read(tmp_path / "b.csv", "gbk") == "联通"


@pytest.mark.parametrize("encoding", ["utf-8", "gb18030"])
def test_character_that_the_end_cuts_is_lost_alone_where_that_is_no_error(
    tmp_path: Path, encoding: str
) -> None:
    (tmp_path / "a.json").write_bytes("痛风, 发热".encode(encoding)[:-1])
    assert read(tmp_path / "a.json", encoding, cut=True) == "痛风, 发\ufffd"
    message = "a.json: the file is cut off within its last character; download it again"
    with pytest.raises(SourceError, match=message):
        read(tmp_path / "a.json", encoding)


def test_wrong_byte_before_the_end_is_an_error_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_bytes("痛风\n".encode()[1:] + "发热".encode())
    with pytest.raises(SourceError, match="not UTF-8 text"):
        read(tmp_path / "a.json", cut=True)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_its_mark_is_named(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("disease,symptom\ngout,fever\n".encode(encoding))
    names = read(path).split("\n", 1)[0].split(",")
    with pytest.raises(SourceError, match=f"looks like {encoding}; .* 'encoding: {encoding}'"):
        check_columns(path, names, ["disease"])


@pytest.mark.parametrize(
    ("text", "encoding", "named"),
    [
        ("drug,sign\nwarfarin,血压>140\nwarfarin,高血压\n", "gb18030", "gb18030"),
        ("name\n痛风\n", "gbk", "gb18030"),
        ("name\n高血壓\n", "big5", "big5"),
        ("name\n高血圧\n", "shift-jis", "shift-jis"),
        (RUSSIAN, "cp1251", "cp1251"),
    ],
)
def test_a_few_words_are_enough_to_name_an_encoding(
    tmp_path: Path, text: str, encoding: str, named: str
) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(text.encode(encoding))
    with pytest.raises(SourceError, match=f"not UTF-8 text, it looks like {named};"):
        read(path)
