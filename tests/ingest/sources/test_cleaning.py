"""Names with characters that nobody sees, from any reader."""

from pathlib import Path

import pytest

from ingest import sources
from ingest.sources import KgxSource, TableSource
from ingest.sources.cleaning import CLEANED, Garbled, is_garbled, shown, without_unseen
from kg.progress import Silent
from tests.ingest.rows import rows_of
from tests.ingest.sources.conftest import Read
from tests.ingest.sources.tables import GOUT, HEADER, mapped, write


@pytest.mark.parametrize(
    ("written", "plain", "told"),
    [
        ("go\u200but", "gout", "go\\u200but"),
        ("go\x00ut", "gout", "go\\u0000ut"),
        ("\ufeffgout", "gout", "\\ufeffgout"),
        ("\u202egout\u202c", "gout", "\\u202egout\\u202c"),
        ("\x1b[1;31mgout\x1b[0m", "gout", "\\u001b[1;31mgout\\u001b[0m"),
        ("acute\u2028gout", "acute gout", "acute\\u2028gout"),
        ("a|b", "a/b", "a|b"),
        ("痛风 é ß", "痛风 é ß", "痛风 é ß"),
        ("\u200b\u2060", "", "\\u200b\\u2060"),
    ],
)
def test_what_nobody_sees_is_taken_out(written: str, plain: str, told: str) -> None:
    assert (without_unseen(written), shown(written)) == (plain, told)


def table_of(folder: Path, *rows: str) -> TableSource:
    return mapped(write(folder, HEADER + "".join(f"{row}\n" for row in rows)))


def test_names_are_cleaned_and_listed(tmp_path: Path, out: Path, read: Read) -> None:
    left = read(
        table_of(
            tmp_path,
            "MONDO:0005393,go\u200but,shows,HP:0001369,Arth\x00ritis,85",
            GOUT.strip(),
        )
    )
    assert {(a["head_name"], a["tail_name"], a["problem"]) for a in left.assertions} == {
        ("gout", "Arthritis", None)
    }
    listed = rows_of(out / CLEANED, "source", "file", "row", "field", "written", "became")
    assert listed == [
        ("clinic", "table.csv", 1, "head_name", "go\\u200but", "gout"),
        ("clinic", "table.csv", 1, "tail_name", "Arth\\u0000ritis", "Arthritis"),
    ]


@pytest.mark.parametrize(
    ("row", "name", "problem"),
    [
        (
            "MONDO:0005393,gout,shows,HP:000\u200b1369,Arthritis,85",
            "Arthritis",
            "the id of the tail has a character that cannot be seen (U+200B); take it out",
        ),
        (
            "MONDO:0005393,gout,shows,,fever|cough,85",
            "fever/cough",
            (
                "the tail has no id, and its name 'fever|cough' holds several, parted by |; "
                "write one name a row"
            ),
        ),
        (
            "MONDO:0005393,gout,shows,,\u200b,85",
            None,
            "the tail has no id, and its name no character that can be seen",
        ),
        ("MONDO:0005393,gout,shows,HP:0001369,a|b,85", "a/b", None),
        ("MONDO:0005393,gout,shows,HP:0001369,\u200b,85", None, None),
    ],
)
def test_what_is_no_name_or_id_without_them_is_a_problem(
    tmp_path: Path, read: Read, row: str, name: str | None, problem: str | None
) -> None:
    (fact,) = read(table_of(tmp_path, row)).assertions
    assert (fact["tail_name"], fact["problem"]) == (name, problem)


def test_names_without_any_leave_no_list(tmp_path: Path, out: Path, read: Read) -> None:
    read(table_of(tmp_path, GOUT.strip()))
    assert not (out / CLEANED).exists()


def test_texts_keep_their_bars(tmp_path: Path, read: Read) -> None:
    path = tmp_path / "nodes.tsv"
    path.write_text(
        "id\tcategory\tname\tdescription\nMONDO:0005393\tbiolink:Disease\tgo\u00adut\ta|b\u200b\n",
        encoding="utf-8",
    )
    left = read(KgxSource(kind="kgx", nodes=path))
    assert [(a["relation"], a["value"]) for a in left.assertions] == [
        ("HAS_NAME", "gout"),
        ("HAS_DEFINITION", "a|b"),
    ]


def test_garbled_names_are_counted(tmp_path: Path, out: Path) -> None:
    garbled = "痛风".encode().decode("latin-1")
    source = table_of(
        tmp_path,
        f"MONDO:0005393,{garbled},shows,HP:0001369,Arthritis,85",
        "MONDO:0007915,Sjögren syndrome,shows,HP:0001369,Arthritis,85",
    )
    assert sources.read(source, out, Silent()).garbled == Garbled(2, 1, shown(garbled))


@pytest.mark.parametrize(
    ("written", "read"), [("gbk", "big5"), ("big5", "gb18030"), ("utf-8", "gb18030")]
)
def test_chinese_read_as_other_chinese_is_garbled(written: str, read: str) -> None:
    names = ("糖尿病腎病變", "風濕性心臟病")
    given = names if written == "big5" else ("糖尿病肾病变", "风湿性心脏病")
    assert [is_garbled(n.encode(written).decode(read, "replace")) for n in given] == [True, True]


@pytest.mark.parametrize("name", ["锟斤拷锟斤拷", "烫烫烫", "屯屯屯", "鑳冩簝鐤�", "胃\ufffd"])
def test_what_stands_for_lost_characters_is_garbled(name: str) -> None:
    assert is_garbled(name)


@pytest.mark.parametrize(
    "name",
    [
        "胃溃疡",
        "胃潰瘍",
        "小儿麻痹症",
        "黏液",
        "湿啰音",
        "腘动脉损伤修复术后",
        "Ménière's disease",
        "",
    ],
)
def test_real_name_is_not_garbled(name: str) -> None:
    assert not is_garbled(name)
