"""What every reader of text and tables has from ``ingest.reading``, shown on the mapped table."""

import csv
import errno
import gzip
import io
import json
import os
import resource
import subprocess
import sys
import textwrap
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ingest import sources
from ingest.sources import Resources
from ingest.sources.writing import published
from kg.errors import SourceError
from kg.progress import Silent
from tests.ingest.sources.conftest import Read
from tests.ingest.sources.tables import GOUT, HEADER, mapped, write


def test_too_few_and_too_many_fields_keep_their_numbers(tmp_path: Path, read: Read) -> None:
    text = HEADER + GOUT + "only,two\n" + GOUT + "a,b,c,d,e,f,g\n" + GOUT
    left = read(mapped(write(tmp_path, text)))
    assert left.reasons() == {
        2: "the row has fewer fields than the header",
        4: "the row has more fields than the header",
    }
    assert [fact["row"] for fact in left.assertions] == [1, 3, 5]
    assert left.quarantine[0]["record"] == '"only,two"'


def test_comments_that_end_otherwise_than_rows_are_told(tmp_path: Path, read: Read) -> None:
    text = "# a comment\n" + (HEADER + GOUT).replace("\n", "\r\n")
    with pytest.raises(SourceError, match=r"lines end in different ways.*correct the file"):
        read(mapped(write(tmp_path, text), comment="#"))


def test_columns_may_have_any_names(tmp_path: Path, read: Read) -> None:
    header = HEADER.replace("\n", ",,row,relation_,original_relation,head,reason\n")
    row = GOUT.replace("\n", ",0,17,x,y,z,w\n")
    left = read(mapped(write(tmp_path, header + row + row.replace("shows", "is"))))
    assert left.facts() == [("MONDO:0005393", "HAS_SYMPTOM", "HP:0001369")]
    record = json.loads(left.quarantine[0]["record"])
    assert (record["row"], record["head"], record["column 7"]) == ("17", "z", "0")


def test_bad_rows_in_a_row_push_on_all_that_follow(tmp_path: Path, read: Read) -> None:
    bad = "short\n"
    text = HEADER + bad + bad + GOUT + bad + bad + bad + GOUT + GOUT + bad
    left = read(mapped(write(tmp_path, text)))
    assert sorted(left.reasons()) == [1, 2, 4, 5, 6, 9]
    assert [fact["row"] for fact in left.assertions] == [3, 7, 8]


def test_blank_lines_at_the_end_are_no_rows(tmp_path: Path, read: Read) -> None:
    left = read(mapped(write(tmp_path, HEADER + GOUT + "\n\n")))
    assert [fact["row"] for fact in left.assertions] == [1]
    assert left.quarantine == []


def test_row_numbers_hold_across_quoted_newlines_and_buffers(tmp_path: Path, read: Read) -> None:
    # 75 MB: more than two of the reader's buffers, so parts are parsed side by side
    long, bad = "x" * 700, {row for row in range(1, 90_001) if row % 997 < 2}
    rows = (
        "bad,row\n" if row in bad else f'MONDO:{row},"a\n""{long}"", b",shows,HP:0000002,s,1\n'
        for row in range(1, 90_001)
    )
    path = write(tmp_path, HEADER + "".join(rows))
    left = read(mapped(path))
    assert {q["row"] for q in left.quarantine} == bad
    assert all(fact["head"] == f"MONDO:{fact['row']}" for fact in left.assertions)
    assert len(left.assertions) == 90_000 - len(bad)
    assert left.assertions[0]["head_name"] == f'a\n"{long}", b'


def test_unclosed_quote_is_quarantined(tmp_path: Path, read: Read) -> None:
    left = read(mapped(write(tmp_path, HEADER + GOUT + 'MONDO:1,"gout,shows,HP:2,s,1\n')))
    assert [fact["row"] for fact in left.assertions] == [1]
    assert list(left.reasons()) == [2]


def test_unclosed_quote_does_not_swallow_the_rows_below(tmp_path: Path, read: Read) -> None:
    rows = [f"MONDO:{i},gout,shows,HP:{i},s,1\n" for i in range(1, 40)]
    rows[4] = 'MONDO:5,"gout,shows,HP:5,s,1\n'
    told = r"table.csv, row 5: a quoted field runs over the end of its line.* is not closed"
    with pytest.raises(SourceError, match=told):
        read(mapped(write(tmp_path, HEADER + "".join(rows))))
    rows[30] = 'MONDO:31,g"out,shows,HP:31,s,1\n'
    with pytest.raises(SourceError, match=told):
        read(mapped(write(tmp_path, HEADER + "".join(rows))))


def test_header_of_great_length_is_told_in_short(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match=r"it has 'xxx+…'$") as caught:
        read(mapped(write(tmp_path, "x" * 100_000 + "\n1\n")))
    assert len(str(caught.value)) < 500


def test_id_with_a_space_is_a_problem_of_the_assertion(tmp_path: Path, read: Read) -> None:
    left = read(mapped(write(tmp_path, HEADER + GOUT.replace("HP:0001369", "HP: 0001369"))))
    (fact,) = left.assertions
    assert fact["problem"] == "'HP: 0001369' is not a CURIE; write PREFIX:ID, e.g. HP:0001945"


def test_several_ids_in_one_field_are_a_problem_of_the_assertion(
    tmp_path: Path, read: Read
) -> None:
    left = read(mapped(write(tmp_path, HEADER + GOUT.replace("HP:0001369", "HP:1|HP:2"))))
    assert left.assertions[0]["problem"].startswith("'HP:1|HP:2' is not a CURIE")


def test_prefix_that_nobody_registered_is_a_problem(tmp_path: Path, read: Read) -> None:
    other = GOUT.replace("MONDO:", "NOSUCHPREFIX:").replace("HP:", "snomedct:")
    (fact,) = read(mapped(write(tmp_path, HEADER + other))).assertions
    assert fact["problem"].startswith("Bioregistry has no prefix 'NOSUCHPREFIX'")


@pytest.mark.parametrize(
    ("written", "ours"),
    [("hp", "HP"), ("mondo", "MONDO"), ("Orphanet", "ORPHA"), ("mesh", "MESH")],
)
def test_prefix_has_one_spelling(tmp_path: Path, read: Read, written: str, ours: str) -> None:
    left = read(mapped(write(tmp_path, HEADER + GOUT.replace("HP:0001369", f"{written}:1"))))
    (fact,) = left.assertions
    told = f"the prefix '{written}' is written {ours} here; write {ours}:ID"
    assert fact["problem"] == told


def test_field_of_a_megabyte_is_read_whole(tmp_path: Path, read: Read) -> None:
    name = "é" * 1_000_000
    (fact,) = read(mapped(write(tmp_path, HEADER + GOUT.replace("gout", name)))).assertions
    assert fact["head_name"] == name


def test_cypher_in_a_name_is_a_name(tmp_path: Path, read: Read) -> None:
    name = "x'}) DETACH DELETE n //"
    (fact,) = read(mapped(write(tmp_path, HEADER + GOUT.replace("gout", name)))).assertions
    assert fact["head_name"] == name


def test_sql_in_values_and_file_names_is_text(tmp_path: Path, read: Read) -> None:
    path = write(tmp_path, HEADER + GOUT.replace("shows", "x'; drop table t; --"), "it's;.csv")
    values = {"x'; drop table t; --": "HAS_SYMPTOM"}
    left = read(mapped(path, relation={"column": "relation", "values": values}))
    assert len(left.facts()) == 1


def test_byte_order_mark_and_windows_line_ends_are_passed_over(tmp_path: Path, read: Read) -> None:
    text = "\ufeff" + (HEADER + GOUT).replace("\n", "\r\n")
    left = read(mapped(write(tmp_path, text)))
    assert left.assertions[0]["frequency_text"] == "85"


def test_encoding_that_is_named_is_used(tmp_path: Path, read: Read) -> None:
    path = write(tmp_path, (HEADER + GOUT.replace("gout", "痛风")).encode("gb18030"))
    left = read(mapped(path, encoding="gb18030"))
    assert left.assertions[0]["head_name"] == "痛风"


def test_encoding_that_is_not_named_is_told_and_not_guessed(tmp_path: Path, read: Read) -> None:
    rows = GOUT.replace("gout", "痛风的症状与治疗方法以及预防") * 50
    path = write(tmp_path, (HEADER + rows).encode("gb18030"))
    with pytest.raises(
        SourceError, match=r"table.csv, row 1: not UTF-8 .* looks like (gb|cp|big)"
    ):
        read(mapped(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "the file is empty"),
        (b"\n", "no header line"),
        (HEADER.replace(",", ";"), "separated by semicolons, not by ','"),
        (HEADER.replace(",", "\t"), "separated by tabs, not by ','"),
        (
            "disease,name,relation\n",
            "the header lacks 'symptom', 'label', 'often'; it has 'disease'",
        ),
        ("disease,Disease,name\n", "the header has 'disease', 'Disease', which are one name"),
        (HEADER.replace("\n", "\r\n") + GOUT, "lines end in different ways"),
        ((HEADER + GOUT).replace("\n", "\r"), "lines end in different ways"),
        (HEADER.replace("often", "often,@row"), "no column may be named '@row'; rename it"),
        ((HEADER + GOUT.replace("gout", "goût")).encode("latin-1"), "it looks like cp1252"),
        (HEADER.encode("utf-16"), "not UTF-8 text, it looks like utf-16"),
    ],
)
def test_file_that_is_no_such_table_is_one_sentence(
    tmp_path: Path, read: Read, text: str | bytes, message: str
) -> None:
    path = write(tmp_path, text)
    with pytest.raises(SourceError, match=message) as raised:
        read(mapped(path))
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_missing_file_is_named(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match=r"none.csv: does not exist; correct the source's path"):
        read(mapped(tmp_path / "none.csv"))


@pytest.mark.parametrize("name", ["cut.csv.gz", "cut.jsonl.gz"])
def test_cut_off_gzip_is_an_error(tmp_path: Path, read: Read, name: str) -> None:
    whole = gzip.compress((HEADER + GOUT * 1000).encode())
    path = write(tmp_path, whole[: len(whole) // 2], name)
    with pytest.raises(SourceError, match=f"{name}: the compressed file is damaged or cut off"):
        read(mapped(path))


def test_file_that_is_not_parquet_is_an_error(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match=r"t.parquet: not a Parquet file"):
        read(mapped(write(tmp_path, HEADER, "t.parquet")))


def test_ending_that_tells_nothing_asks_for_the_format(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match=r"t.dat: the ending tells no format; set 'format'"):
        read(mapped(write(tmp_path, HEADER, "t.dat")))


def test_lines_that_are_no_json_objects_are_quarantined(tmp_path: Path, read: Read) -> None:
    good = json.dumps(dict(zip(HEADER.strip().split(","), GOUT.strip().split(","), strict=True)))
    half = good.replace("gout", "\\ud800")
    path = write(tmp_path, f"{good}\n\n{{broken\n[1]\n{good}\n{half}\n", "t.jsonl")
    left = read(mapped(path))
    assert [fact["row"] for fact in left.assertions] == [1, 4]
    assert "half of a surrogate pair is no text" in left.reasons()[5]
    assert left.reasons()[2].startswith("the line is not JSON")
    assert left.reasons()[3] == "the line is JSON, but not an object"


def test_table_without_rows_leaves_two_empty_tables(tmp_path: Path, read: Read) -> None:
    left = read(mapped(write(tmp_path, HEADER)))
    assert (left.assertions, left.quarantine, left.rows) == ([], [], {})


def test_failed_reading_leaves_what_was_there(tmp_path: Path, read: Read, out: Path) -> None:
    read(mapped(write(tmp_path, HEADER + GOUT)))
    before = (out / "assertions.parquet").read_bytes()
    with pytest.raises(SourceError):
        read(mapped(write(tmp_path, HEADER.replace("often", "seldom") + GOUT)))
    assert (out / "assertions.parquet").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_what_a_killed_run_left_is_no_obstacle(tmp_path: Path, read: Read, out: Path) -> None:
    for name in (".out.part", ".out.replaced"):
        (out.parent / name / "work").mkdir(parents=True)
        (out.parent / name / "assertions.parquet").write_text("half", encoding="utf-8")
    assert len(read(mapped(write(tmp_path, HEADER + GOUT))).facts()) == 1


def test_memory_that_is_too_little_is_one_sentence(tmp_path: Path, out: Path) -> None:
    path = write(tmp_path, HEADER + GOUT)
    with pytest.raises(SourceError, match=r"raise 'memory' in the configuration") as raised:
        sources.read(mapped(path), out, Silent(), Resources(threads=1, memory="5MB"))
    assert "make room" not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_folder_that_cannot_be_made_keeps_its_reason(tmp_path: Path) -> None:
    path = write(tmp_path, HEADER + GOUT)
    with pytest.raises(SourceError, match=r"Not a directory.*; correct this") as raised:
        sources.read(mapped(path), path / "out", Silent())
    assert "make room" not in str(raised.value)


@pytest.mark.parametrize(
    ("error", "advice"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "make room on the disk"),
        (OSError(errno.EIO, "Input/output error"), "correct this"),
        (duckdb.IOException('Could not write file "x": Disk quota exceeded'), "make room"),
        (duckdb.IOException('Could not read from file "x"'), "correct this"),
        (
            duckdb.OutOfMemoryException(
                "failed to offload data block of size 256.0 KiB (9.0 GiB/9.0 GiB used).\n"
                "This limit was set by the 'max_temp_directory_size' setting."
            ),
            "make room",
        ),
    ],
)
def test_only_a_full_disk_asks_for_room(out: Path, error: Exception, advice: str) -> None:
    with pytest.raises(SourceError, match=advice), published(out, "clinic"):
        raise error


SEEN = st.characters(codec="utf-8", exclude_categories=("Cc", "Cf", "Zl", "Zp", "Mn"))
FIELD = st.text(SEEN | st.sampled_from("\n\t"), max_size=12).filter(
    lambda text: "|" not in text and text == text.strip()  # what is cleaned has tests of its own
)


@settings(
    max_examples=15,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(rows=st.lists(st.lists(FIELD, min_size=2, max_size=4), min_size=1, max_size=8))
def test_every_row_of_any_table_keeps_its_number_and_text(
    tmp_path: Path, read: Read, rows: list[list[str]]
) -> None:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerows([["d", "name", "s"], *rows])
    source = mapped(
        write(tmp_path, text.getvalue()),
        head={"name": "name", "type": "Disease"},
        relation="HAS_SYMPTOM",
        tail={"name": "s", "type": "Symptom"},
        frequency=None,
    )
    left = read(source)
    # a separator after the last field, with nothing behind it, makes no further field
    fields = [row[:3] if len(row) == 4 and not row[3] else row for row in rows]
    whole = {at: row for at, row in enumerate(fields, 1) if len(row) == 3 and row[1] and row[2]}
    assert {a["row"]: [a["head_name"], a["tail_name"]] for a in left.assertions} == {
        at: row[1:] for at, row in whole.items()
    }
    assert sorted(left.reasons()) == [at for at in range(1, len(rows) + 1) if at not in whole]


@pytest.mark.parametrize("name", ["big.csv", "big.jsonl"])
def test_full_disk_is_one_sentence_and_leaves_what_was_there(
    tmp_path: Path, read: Read, out: Path, name: str
) -> None:
    read(mapped(write(tmp_path, HEADER + GOUT)))
    before = (out / "assertions.parquet").read_bytes()
    names = HEADER.strip().split(",")
    rows = [[f"MONDO:{os.urandom(40).hex()}", *GOUT.strip().split(",")[1:]] for _ in range(50_000)]
    text = HEADER + "".join(",".join(row) + "\n" for row in rows)
    if name.endswith("jsonl"):
        text = "".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows)
    source = mapped(write(tmp_path, text, name))
    # a process that may write files of 500 kB meets the same refusal as a full disk
    code = f"""
        import resource, signal
        from pathlib import Path
        from ingest import sources
        from kg.errors import SourceError
        from kg.progress import Silent
        source = sources.TableSource.model_validate_json({source.model_dump_json()!r})
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (500_000, {resource.RLIM_INFINITY}))
        try:
            sources.read(source, Path({str(out)!r}), Silent())
        except SourceError as e:
            print(e)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    assert "cannot be written" in done.stdout
    assert "make room on the disk and build again" in done.stdout
    assert done.stdout.count("\n") == 1
    assert (out / "assertions.parquet").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []
