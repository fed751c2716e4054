"""The steps that bring a table into shape, several mappings of one table, and swapped ends."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from ingest.configuration import read_config
from ingest.sources import TableSource
from kg.errors import ConfigurationError, SourceError
from tests.ingest.sources.conftest import Left, Read
from tests.ingest.sources.tables import write

FACT = {
    "head": {"name": "disease", "type": "Disease"},
    "relation": "HAS_SYMPTOM",
    "tail": {"name": "finding", "type": "Symptom"},
}


def table(file: Path, **said: object) -> TableSource:
    return TableSource.model_validate({"kind": "table", "name": "clinic", "file": file, **said})


def prepared(folder: Path, text: str, *steps: dict[str, Any]) -> TableSource:
    return table(write(folder, text), prepare=steps, **FACT)


def pairs(left: Left) -> list[tuple[int, str, str]]:
    said = (
        (a["row"], a["head_name"], a["tail_name"])
        for a in left.assertions
        if not a["problem"] and a["tail_name"]
    )
    return sorted(said)


def test_blank_cells_are_filled_down_and_the_first_row_has_nothing_above(
    tmp_path: Path, read: Read
) -> None:
    text = "disease,finding\n,fever\ngout,pain\n ,swelling\n\u3000,redness\nmumps,fever\n"
    left = read(prepared(tmp_path, text, {"fill_down": "disease"}))
    assert pairs(left) == [
        (2, "gout", "pain"),
        (3, "gout", "swelling"),
        (4, "gout", "redness"),
        (5, "mumps", "fever"),
    ]
    assert left.reasons() == {1: "the row names no head"}


def test_nothing_is_filled_down_past_a_row_that_could_not_be_read(
    tmp_path: Path, read: Read
) -> None:
    text = "disease,finding\ngout,pain\nmumps,fever,?\n,swelling\nflu,cough\n,fever\n"
    left = read(prepared(tmp_path, text, {"fill_down": ["disease"]}))
    assert pairs(left) == [(1, "gout", "pain"), (4, "flu", "cough"), (5, "flu", "fever")]
    assert left.reasons() == {
        2: "the row has more fields than the header",
        3: "column disease is blank, and what stands above it may be in row 2, "
        "which could not be read",
    }


def test_cell_with_several_things_gives_an_edge_for_each(tmp_path: Path, read: Read) -> None:
    text = "disease,finding\n痛风,关节痛、 红肿；发热\n流感,、\n"
    left = read(prepared(tmp_path, text, {"split": {"column": "finding", "by": ["、", "；"]}}))
    assert pairs(left) == [(1, "痛风", "关节痛"), (1, "痛风", "发热"), (1, "痛风", "红肿")]
    assert left.reasons() == {2: "the row names no tail"}
    assert left.rows == {"HAS_SYMPTOM": 2}


def test_part_that_is_no_name_is_a_problem_beside_the_others(tmp_path: Path, read: Read) -> None:
    text = "disease,cell\ngout,HP:1_pain^oops\nflu,?^!\n"
    pattern = r"^(?P<id>HP:\d+)_(?P<finding>.+)$"
    steps = (
        {"split": {"column": "cell", "by": "^"}},
        {"extract": {"column": "cell", "pattern": pattern}},
    )
    left = read(prepared(tmp_path, text, *steps))
    assert pairs(left) == [(1, "gout", "pain")]
    unlike = "in column cell is not written as the pattern " + pattern
    problems = [a["problem"] for a in left.assertions if a["problem"]]
    assert problems == [f"'oops' {unlike}"]
    assert sorted(q["reason"] for q in left.quarantine) == [f"'!' {unlike}", f"'?' {unlike}"]
    assert left.rows == {"HAS_SYMPTOM": 2}


def test_constant_column_and_trimmed_cells(tmp_path: Path, read: Read) -> None:
    steps = ({"constant": {"disease": "gout"}}, {"trim": "finding"})
    left = read(prepared(tmp_path, "finding\n\u00a0 pain\u3000\n", *steps))
    assert pairs(left) == [(1, "gout", "pain")]


def test_column_may_be_replaced_by_a_part_of_itself(tmp_path: Path, read: Read) -> None:
    step = {"extract": {"column": "Disease", "pattern": r"(?P<disease>\w+) \(.*\)"}}
    assert pairs(read(prepared(tmp_path, "Disease,finding\ngout (m),pain\n", step))) == [
        (1, "gout", "pain")
    ]


def test_columns_may_have_any_names(tmp_path: Path, read: Read) -> None:
    text = "at,lost,above,cell\ngout,a,b,1 pain\n,c,d,2 fever\n"
    steps = (
        {"fill_down": ["at"]},
        {"extract": {"column": "cell", "pattern": r"(?P<row>\d) (?P<record>\w+)"}},
    )
    source = table(
        write(tmp_path, text),
        prepare=steps,
        head={"name": "at", "type": "Disease"},
        relation="HAS_SYMPTOM",
        tail={"name": "record", "type": "Symptom"},
        weight="row",
    )
    left = read(source)
    assert pairs(left) == [(1, "gout", "pain"), (2, "gout", "fever")]
    assert [a["weight"] for a in left.assertions] == [1.0, 2.0]


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ([{"extract": {"column": "a", "pattern": "("}}], r"'\(' is no regular expression"),
        (
            [{"extract": {"column": "a", "pattern": "(?P<b>x)(?=y)"}}],
            "is no regular expression that works here: .*invalid perl operator",
        ),
        ([{"extract": {"column": "a", "pattern": "x"}}], "'x' has no named group; write"),
        ([{"split": {"column": "a", "by": ""}}], "should have at least 1 character"),
        ([{"split": {"column": "a", "by": []}}], "should have at least 1 item"),
        ([{"trim": ["a"], "fill_down": ["a"]}], "write one of trim, fill_down, split, extract"),
        ([{}], "write one of trim, fill_down, split, extract and constant"),
        ([{"lower": "a"}], "Extra inputs are not permitted"),
        (
            [{"constant": {"b": "1"}}, {"extract": {"column": "a", "pattern": "(?P<b>x)"}}],
            "two steps of 'prepare' make the column 'b'",
        ),
        (
            [{"split": {"column": "a", "by": ";"}}, {"fill_down": "b"}],
            "put it before every 'split'",
        ),
        ([{"constant": {"@row": 1}}], "no column may be named '@row'"),
    ],
)
def test_step_that_cannot_work_is_refused(steps: list[dict[str, Any]], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        table(Path("t.csv"), prepare=steps, **FACT)


@pytest.mark.parametrize(
    ("step", "message"),
    [
        (
            {"constant": {"Finding": "x"}},
            "'prepare' makes the column 'Finding', and the table has 'finding' already",
        ),
        (
            {"extract": {"column": "disease", "pattern": "(?P<finding>.+)"}},
            "'prepare' makes the column 'finding', and the table has 'finding' already",
        ),
        (
            {"trim": "findings"},
            "the header lacks 'findings'; it has 'disease', 'finding'; perhaps 'finding' is meant",
        ),
    ],
)
def test_step_that_does_not_suit_the_file_is_told(
    tmp_path: Path, read: Read, step: dict[str, Any], message: str
) -> None:
    with pytest.raises(SourceError, match=message):
        read(prepared(tmp_path, "disease,finding\ngout,pain\n", step))


def test_one_reading_feeds_several_mappings(tmp_path: Path, read: Read) -> None:
    text = "disease,alias,finding,drug\ngout,podagra,pain;fever,colchicine\nflu,,cough,\n,,,\n"
    source = table(
        write(tmp_path, text),
        head=FACT["head"],
        mappings=[
            {"relation": "HAS_SYNONYM", "value": "alias"},
            {
                "relation": "HAS_SYMPTOM",
                "tail": FACT["tail"],
                "prepare": [{"split": {"column": "finding", "by": ";"}}],
            },
            {"relation": "TREATED_BY", "tail": {"name": "drug", "type": "Drug"}},
        ],
    )
    left = read(source)
    assert sorted(left.facts()) == [
        ("flu", "HAS_SYMPTOM", "cough"),
        ("gout", "HAS_SYMPTOM", "fever"),
        ("gout", "HAS_SYMPTOM", "pain"),
        ("gout", "HAS_SYNONYM", "podagra"),
        ("gout", "TREATED_BY", "colchicine"),
    ]
    # a blank cell is no row of its mapping, unless the row says nothing at all
    assert left.reasons() == {3: "the row names no head"}
    assert left.rows == {"HAS_SYNONYM": 2, "HAS_SYMPTOM": 2, "TREATED_BY": 1}


def test_each_mapping_may_take_the_rows_of_its_own_words(tmp_path: Path, read: Read) -> None:
    text = "a,says,b\ngout,shows,pain\ngout,needs,rest\ngout,likes,beer\n"
    source = table(
        write(tmp_path, text),
        head={"name": "a", "type": "Disease"},
        mappings=[
            {
                "relation": {"column": "says", "values": {"shows": "HAS_SYMPTOM"}},
                "tail": {"name": "b", "type": "Symptom"},
            },
            {
                "relation": {"column": "says", "values": {"needs": "TREATED_BY"}},
                "tail": {"name": "b", "type": "Behavior"},
            },
        ],
    )
    left = read(source)
    assert sorted(left.facts()) == [
        ("gout", "HAS_SYMPTOM", "pain"),
        ("gout", "TREATED_BY", "rest"),
    ]
    assert left.reasons() == {
        3: "'likes' in column says is not mapped; add it to 'relation.values'"
    }


def test_what_one_mapping_refuses_of_a_row_that_another_asserts_is_a_problem(
    tmp_path: Path, read: Read
) -> None:
    text = "disease,other,finding\ngout,,pain\n"
    mappings = [{}, {"head": {"name": "other", "type": "Disease"}}]
    left = read(table(write(tmp_path, text), mappings=mappings, **FACT))
    assert [(a["head_name"], a["problem"]) for a in left.assertions] == [
        ("gout", None),
        (None, "the row names no head"),
    ]
    assert left.quarantine == []
    assert left.rows == {"HAS_SYMPTOM": 1}


def test_head_and_tail_change_places_by_a_columns_value(tmp_path: Path, read: Read) -> None:
    text = "a,way,b\ngout,forth,pain\npain,back,flu\nflu,?,pain\n"
    source = table(
        write(tmp_path, text),
        head={"name": "a", "type": "Disease"},
        relation="HAS_SYMPTOM",
        tail={"name": "b", "type": "Symptom"},
        swap={"column": "way", "values": {"forth": False, "back": True}},
    )
    left = read(source)
    assert pairs(left) == [(1, "gout", "pain"), (2, "flu", "pain")]
    assert {(a["head_type"], a["tail_type"]) for a in left.assertions} == {("Disease", "Symptom")}
    assert left.reasons() == {3: "'?' in column way is not mapped; add it to 'swap.values'"}


def test_types_that_differ_by_row_change_places_with_their_ends(
    tmp_path: Path, read: Read
) -> None:
    text = "a,a is,says,b,b is\ncolchicine,drug,treats,gout,illness\ngout,illness,by,rest,habit\n"
    kinds = {"drug": "Drug", "illness": "Disease", "habit": "Behavior"}
    source = table(
        write(tmp_path, text),
        head={"name": "a", "type": {"column": "a is", "values": kinds}},
        relation={"column": "says", "values": {"treats": "TREATED_BY", "by": "TREATED_BY"}},
        tail={"name": "b", "type": {"column": "b is", "values": kinds}},
        swap={"column": "says", "values": {"treats": True, "by": False}},
    )
    said = [
        (a["head_type"], a["head_name"], a["tail_type"], a["tail_name"])
        for a in read(source).assertions
    ]
    assert said == [
        ("Disease", "gout", "Drug", "colchicine"),
        ("Disease", "gout", "Behavior", "rest"),
    ]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"mappings": []}, "at least 1 item"),
        ({"mappings": [{"relation": "CURES"}]}, "'CURES' is no relation"),
        ({"mappings": [{"colour": "red"}]}, "Extra inputs are not permitted"),
        ({"swap": {"column": "way"}}, "values\n  Field required"),
        (
            {
                "tail": {"name": "b", "type": {"column": "c"}},
                "swap": {"column": "w", "values": {"x": True}},
            },
            "the types of both ends are constants, or both are columns",
        ),
        ({"sheet": "Sheet1"}, "'sheet' is for Excel's .xlsx"),
        ({"file": "t.jsonl", "header_row": 2}, "'header_row' is for Excel, CSV and TSV"),
    ],
)
def test_mappings_that_cannot_work_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        table(**{"file": Path("t.csv"), **FACT, **changes})


def test_error_in_a_single_mapping_is_told_where_the_user_wrote_it(tmp_path: Path) -> None:
    text = (
        "sources:\n  - kind: table\n    name: t\n    file: t.csv\n    relation: HAS_SYMPTOM\n"
        "    head: {name: a, type: Illness}\n    tail: {name: b, type: Symptom}\n"
    )
    with pytest.raises(
        ConfigurationError, match=r"sources\.0\.table\.head\.type: 'Illness' is no"
    ):
        read_config(write(tmp_path, text, "medkg.yaml"))


def test_lines_above_the_header_are_passed_over(tmp_path: Path, read: Read) -> None:
    text = 'Findings, ward 3\n\n# "2024\ndisease,finding\ngout,pain\n'
    assert pairs(read(table(write(tmp_path, text), header_row=4, **FACT))) == [(1, "gout", "pain")]


def test_relation_may_be_given_by_numbers(tmp_path: Path, read: Read) -> None:
    relation = {"column": "r", "values": {1: "HAS_SYMPTOM"}}
    source = table(
        write(tmp_path, "disease,r,finding\ngout,1,pain\n"), **{**FACT, "relation": relation}
    )
    assert pairs(read(source)) == [(1, "gout", "pain")]


CELL = st.text("ab;^ _", max_size=5)


@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=6))
@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_whatever_cells_hold_every_row_is_accounted_for(
    tmp_path: Path, read: Read, cells: list[tuple[str, str, str]]
) -> None:
    lines = [",".join(f'"{cell}"' for cell in row) for row in cells]
    extract = {"column": "finding", "pattern": "(?P<part>a.*)"}
    source = table(
        write(tmp_path, "\n".join(["disease,finding,drug", *lines]) + "\n"),
        head=FACT["head"],
        prepare=[{"fill_down": "disease"}, {"split": {"column": "finding", "by": [";", "^"]}}],
        mappings=[
            {
                "relation": "HAS_SYMPTOM",
                "tail": {"name": "part", "type": "Symptom"},
                "prepare": [{"extract": extract}],
            },
            {"relation": "TREATED_BY", "tail": {"name": "drug", "type": "Drug"}},
        ],
    )
    left = read(source)  # compares the accounts
    numbers = {item["row"] for item in (*left.assertions, *left.quarantine)}
    assert numbers == set(range(1, len(cells) + 1))
