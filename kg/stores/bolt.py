"""Ask a Neo4j server whether it answers, before anything opens a store on it."""

from collections.abc import Iterator
from contextlib import contextmanager

import neo4j
from neo4j.exceptions import AuthError, DriverError, Neo4jError

from cypher.translation import translate
from kg.errors import StoreUnreachableError

_PATIENCE = 2.0


def answering_version(uri: str, user: str, password: str) -> str | None:
    """Version of the server, once its default database answers; None while nothing does.

    Raises:
        StoreUnreachableError: the server refuses the credentials.
    """
    with _driver(uri, user, password) as driver:
        try:
            summary = driver.execute_query("RETURN 1", database_=None).summary
        except AuthError as e:
            raise StoreUnreachableError(
                translate(
                    "{uri}: the server refuses the password of user {user}; give the right one",
                    uri=uri,
                    user=user,
                )
            ) from e
        except (DriverError, Neo4jError, OSError):
            return None
    return summary.server.agent.removeprefix("Neo4j/")


@contextmanager
def _driver(uri: str, user: str, password: str) -> Iterator[neo4j.Driver]:
    with neo4j.GraphDatabase.driver(
        uri,
        auth=(user, password),
        connection_timeout=_PATIENCE,
        connection_acquisition_timeout=_PATIENCE,
        max_transaction_retry_time=0,
    ) as driver:
        yield driver
