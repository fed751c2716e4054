"""What the Neo4j driver raises, as one sentence each."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from neo4j.exceptions import AuthError, DriverError, Neo4jError

from cypher.translation import translate
from kg.errors import QueryTooLargeError, StoreError, StoreUnreachableError
from kg.stores.neo4j_schema import VECTOR_INDEX

NO_VECTORS: Final = "no layer has vectors of that space; apply one, e.g. with 'medkg embed write'"

_FULL: Final = "the server's disk is full; free some space there and run the command again"
_MEMORY: Final = (
    "the server has not enough memory for this; raise server.memory.heap.max_size or ask for less"
)
_ILL: Final = (
    "the server's database is not in order, perhaps because its disk is full; look into its "
    "debug.log, free some space and start it again"
)
_LONG: Final = "an id or a name is longer than the 8,000 bytes that Neo4j indexes; shorten it"
_MEMBER: Final = (
    "this member of the cluster takes no writes; use the neo4j:// address of the cluster"
)
_TWICE: Final = (
    "two nodes labelled Entity have one id; delete those that are not of medkg, or use a "
    "database of its own"
)


@dataclass(frozen=True)
class Address:
    """Where a store is, without the password."""

    uri: str
    user: str
    database: str

    @contextmanager
    def errors(self) -> Iterator[None]:
        """Turn what the driver raises into an error of ours.

        Raises:
            StoreUnreachableError: nothing answers, or the credentials are refused.
            StoreError: the server refused or failed.
        """
        try:
            yield
        except AuthError as e:
            raise self._refused() from e
        except Neo4jError as e:
            raise self._server_error(e) from e
        except (DriverError, OSError) as e:
            raise StoreUnreachableError(
                translate(
                    "{uri}: no Neo4j answers there ({why}); start it, e.g. with 'medkg db up', "
                    "or correct NEO4J_URI",
                    uri=self.uri,
                    why=_first_line(e),
                )
            ) from e

    def _refused(self) -> StoreUnreachableError:
        return StoreUnreachableError(
            translate(
                "{uri}: the server refuses the password of user {user}; set NEO4J_USERNAME "
                "and NEO4J_PASSWORD",
                uri=self.uri,
                user=self.user,
            )
        )

    def _server_error(self, error: Neo4jError) -> StoreError:
        code, message = error.code or "", error.message or ""
        if code.startswith("Neo.ClientError.Security."):
            if "RateLimit" in code:
                return StoreUnreachableError(
                    translate(
                        "{uri}: too many wrong passwords, so the server refuses user {user} for a "
                        "while; wait some seconds, then give the right one",
                        uri=self.uri,
                        user=self.user,
                    )
                )
            return self._forbidden(message) if "Forbidden" in code else self._refused()
        if "DatabaseNotFound" in code:
            return StoreError(
                translate(
                    "{uri}: there is no database {database}; set NEO4J_DATABASE to one that "
                    "'SHOW DATABASES' lists (Community has neo4j only)",
                    uri=self.uri,
                    database=self.database,
                )
            )
        if "TransactionTimedOut" in code:
            return QueryTooLargeError(
                translate(
                    "{uri}: no answer within the time limit, so the query was stopped; ask for "
                    "less",
                    uri=self.uri,
                )
            )
        for sign, advice in _ADVICE.items():
            if sign in code or sign in message:
                return StoreError(f"{self.uri}: {translate(advice)}")
        if code.endswith(".SyntaxError"):  # the column is of the text as it was rewritten
            what, _, place = message.partition("(line ")
            code, message = (
                translate("syntax error"),
                f"{what}(line {place.partition(',')[0] or 1})",
            )
        return StoreError(
            translate(
                "{uri}: Neo4j says {code}: {message}",
                uri=self.uri,
                code=code,
                message=" ".join(message.split()),
            )
        )

    def _forbidden(self, message: str) -> StoreError:
        return StoreError(
            translate(
                "{uri}: user {user} may not do this ({message}); use one with the role "
                "publisher (admin for the first build, which makes the indexes)",
                uri=self.uri,
                user=self.user,
                message=_first_line(message),
            )
        )


_ADVICE: Final = {
    VECTOR_INDEX: NO_VECTORS,
    "too large to index": _LONG,
    "No space left on device": _FULL,
    "OutOfDisk": _FULL,
    "OutOfMemory": _MEMORY,
    "MemoryPool": _MEMORY,
    "StackOverFlow": _MEMORY,
    "DatabaseUnavailable": _ILL,
    "ReadOnlyDatabase": _ILL,
    "Neo.DatabaseError.Transaction": _ILL,
    "NotALeader": _MEMBER,
    "WriteOnReadOnlyAccessMode": _MEMBER,
    "ConstraintCreationFailed": _TWICE,
    "ConstraintValidationFailed": _TWICE,
}
"""What to tell by a sign in the server's code or message."""


def _first_line(error: object) -> str:
    return next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".:")
