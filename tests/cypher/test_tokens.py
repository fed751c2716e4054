import pytest
from hypothesis import given
from hypothesis import strategies as st

from cypher.errors import QueryError
from cypher.tokens import closing, code, line_of, tokens


@given(st.text(alphabet=st.sampled_from("ab1 \n$.:(){}[]<>=-|*+,_病人"), max_size=60))
def test_tokens_join_to_the_text(text: str) -> None:
    assert "".join(token.text for token in tokens(text)) == text


def test_what_strings_comments_and_quoted_names_hold_is_one_token() -> None:
    text = "'(a:X) \\' b' \"$q\" `c:d``e` // (f:G)\n/* :H */ $i"
    assert [(t.kind, t.text) for t in tokens(text) if t.kind != "space"] == [
        ("string", "'(a:X) \\' b'"),
        ("string", '"$q"'),
        ("quoted", "`c:d``e`"),
        ("comment", "// (f:G)"),
        ("comment", "/* :H */"),
        ("parameter", "$i"),
    ]


def test_a_range_is_two_numbers_and_dots() -> None:
    assert [t.text for t in code("*1..30")] == ["*", "1", "..", "30"]


def test_a_quoted_parameter_has_its_name() -> None:
    assert [t.name for t in code("$`a b` $c")] == ["a b", "c"]


@pytest.mark.parametrize("text", ["RETURN 'a", 'RETURN "a', "RETURN `a", "RETURN 1 /* a", "'\\'"])
def test_an_unclosed_token_is_an_error_with_its_line(text: str) -> None:
    with pytest.raises(QueryError, match=r"line 2: .* is opened and never closed"):
        code("\n" + text)


def test_closing_finds_the_same_bracket() -> None:
    assert closing(code("(a {b: [1]}) (c)"), 0) == 9
    assert closing(code("(a"), 0) == 2


def test_line_of_counts_from_one() -> None:
    assert line_of("a\nb\nc", 4) == 3
