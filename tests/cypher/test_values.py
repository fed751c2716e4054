import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.errors import QueryError
from cypher.values import check, parse


@pytest.mark.parametrize(
    ("type_", "given_", "value"),
    [
        ("string", "", ""),
        ("integer", -(2**63), -(2**63)),
        ("float", 1, 1.0),
        ("boolean", False, False),
        ("list of string", ("a", "b"), ["a", "b"]),
        ("list of float", [1, 0.5], [1.0, 0.5]),
        ("list of integer", [], []),
    ],
)
def test_a_fitting_value_is_taken_in_its_type(type_: str, given_: object, value: object) -> None:
    taken = check("x", type_, given_)
    assert (taken, type(taken)) == (value, type(value))


@pytest.mark.parametrize(
    ("type_", "given_"),
    [
        ("string", 1),
        ("string", None),
        ("string", "\udc80"),
        ("integer", True),
        ("integer", 1.0),
        ("integer", 2**63),
        ("float", True),
        ("float", float("nan")),
        ("float", 10**400),
        ("boolean", 1),
        ("list of string", "abc"),
        ("list of string", ["a", None]),
        ("list of integer", [1, "2"]),
    ],
)
def test_an_unfitting_value_is_an_error_that_names_the_parameter(
    type_: str, given_: object
) -> None:
    with pytest.raises(
        QueryError, match=rf"parameter x.*: .* is no .*{type_.rsplit(maxsplit=1)[-1]}"
    ):
        check("x", type_, given_)


@pytest.mark.parametrize(
    ("type_", "text", "value"),
    [
        ("string", "[1]", "[1]"),
        ("integer", "25", 25),
        ("float", "1e-3", 0.001),
        ("boolean", "True", True),
        ("list of string", "HP:1, HP:2", ["HP:1", "HP:2"]),
        ("list of string", '["2,4-D", "b"]', ["2,4-D", "b"]),
        ("list of string", "", []),
        ("list of integer", "1,2", [1, 2]),
    ],
)
def test_a_command_lines_text_stands_for_a_value(type_: str, text: str, value: object) -> None:
    assert parse("x", type_, text) == value


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        ("integer", "1.5"),
        ("integer", ""),
        ("float", "nan"),
        ("boolean", "yes"),
        ("list of integer", "1,,2"),
        ("list of string", "[1]"),
        ("list of string", '["a"'),
    ],
)
def test_a_text_that_stands_for_none_is_an_error(type_: str, text: str) -> None:
    with pytest.raises(QueryError, match="parameter x"):
        parse("x", type_, text)


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"]))))
def test_any_list_of_texts_can_be_written_as_json(items: list[str]) -> None:
    assert parse("x", "list of string", json.dumps(items)) == items
