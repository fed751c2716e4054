"""What a Neo4j server refuses, as one sentence."""

import pytest
from neo4j.exceptions import Neo4jError

from cypher.translation import speaking
from kg.errors import StoreError
from kg.stores.neo4j_errors import Address

SYNTAX = "Neo.ClientError.Statement.SyntaxError"
MESSAGE = (
    "Invalid input 'RETRN': expected 'RETURN' (line 2, column 41 (offset: 58))\n\"RETRN 1\"\n ^"
)


def refused(code: str, message: str) -> str:
    with pytest.raises(StoreError) as caught, Address("bolt://h:1", "u", "neo4j").errors():
        raise Neo4jError._hydrate_neo4j(code=code, message=message)
    return str(caught.value)


def test_a_syntax_error_is_called_one_without_the_column_of_the_text_as_rewritten() -> None:
    told = "Invalid input 'RETRN': expected 'RETURN' (line 2)"
    assert refused(SYNTAX, MESSAGE) == f"bolt://h:1: Neo4j says syntax error: {told}"
    with speaking("zh"):
        assert refused(SYNTAX, MESSAGE) == f"bolt://h:1：Neo4j 报告 语法错误: {told}"


def test_what_is_no_syntax_error_keeps_its_code() -> None:
    assert refused("Neo.ClientError.General.X", "no") == (
        "bolt://h:1: Neo4j says Neo.ClientError.General.X: no"
    )
