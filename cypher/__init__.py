"""The query library: every question that is asked of the graph, one named file each.

The linter is apart, in ``cypher.lint``: who asks named queries does without it.
"""

from cypher.catalogue import Catalogue, Query, load_catalogue, read_query
from cypher.errors import QueryError
from cypher.free import free_query, free_value
from cypher.header import Parameter, ResultColumn
from cypher.read_only import check_read_only
from cypher.rewrite import rewrite
from cypher.vocabulary import Vocabulary

__all__ = [
    "Catalogue",
    "Parameter",
    "Query",
    "QueryError",
    "ResultColumn",
    "Vocabulary",
    "check_read_only",
    "free_query",
    "free_value",
    "load_catalogue",
    "read_query",
    "rewrite",
]
