"""The query library: every question that is asked of the graph, one named file each."""

from cypher.catalogue import Catalogue, Query, load_catalogue, read_query
from cypher.errors import QueryError
from cypher.free import free_query, free_value
from cypher.header import Parameter, ResultColumn
from cypher.lint import CypherSyntaxError, Finding, NotPortableError, check_syntax, lint
from cypher.read_only import check_read_only
from cypher.rewrite import rewrite
from cypher.vocabulary import Vocabulary

__all__ = [
    "Catalogue",
    "CypherSyntaxError",
    "Finding",
    "NotPortableError",
    "Parameter",
    "Query",
    "QueryError",
    "ResultColumn",
    "Vocabulary",
    "check_read_only",
    "check_syntax",
    "free_query",
    "free_value",
    "lint",
    "load_catalogue",
    "read_query",
    "rewrite",
]
