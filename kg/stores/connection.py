"""From an address to an open store."""

import ipaddress
from pathlib import Path
from urllib.parse import urlsplit

from cypher.translation import translate
from kg.configuration import Settings
from kg.errors import ConfigurationError
from kg.stores.store import Store

SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
"""Of addresses that the Neo4j driver takes."""

_SUFFIX = ".lbug"


def connect(uri: str | None = None, settings: Settings | None = None) -> Store:
    """Open the graph at ``uri``.

    Args:
        uri: a Neo4j address (``bolt://``, ``neo4j://`` and their ``+s``, ``+ssc``),
            a ``.lbug`` file, or a folder that has a ``graph.lbug``. None: the
            settings' Neo4j address if they have one, else their home's file.
        settings: None: those of the environment and ``.env``.

    Raises:
        ConfigurationError: ``uri`` is neither.
        StoreUnreachableError: no server answers there, or it refuses the credentials.
        StoreError: what answers or lies there is not a graph of this version.
    """
    settings = settings or Settings.read()
    uri = uri or settings.neo4j_uri or str(settings.graph)
    if "://" not in uri:
        return _embedded(Path(uri).expanduser(), settings)
    if uri.partition("://")[0].lower() not in SCHEMES:
        raise ConfigurationError(
            translate(
                "{uri}: not an address of a graph; write bolt://HOST:7687, neo4j://HOST:7687 "
                "or the path of a {ending} file",
                uri=uri,
                ending=_SUFFIX,
            )
        )
    return _neo4j(uri, settings)


def _embedded(path: Path, settings: Settings) -> Store:
    from kg.stores.embedded import EmbeddedStore  # noqa: PLC0415 - loads the engine

    if path.suffix != _SUFFIX:
        if not path.is_dir():
            raise ConfigurationError(
                translate(
                    "{path}: neither a {ending} file nor a folder; write bolt://HOST:7687, "
                    "neo4j://HOST:7687 or the path of a {ending} file",
                    path=path,
                    ending=_SUFFIX,
                )
            )
        path = path / "graph.lbug"
    return EmbeddedStore(path, timeout=settings.query_timeout)


def _neo4j(uri: str, settings: Settings) -> Store:
    from kg.stores.neo4j_store import Neo4jStore  # noqa: PLC0415 - loads the driver

    password = settings.neo4j_password or _local_password(uri, settings)
    return Neo4jStore(
        uri, settings.neo4j_username, password, settings.neo4j_database, settings.query_timeout
    )


def _local_password(uri: str, settings: Settings) -> str | None:
    """What 'medkg db up' wrote, if the address is of this machine and it wrote one."""
    file = settings.server / "password"
    if not _is_loopback(uri) or not file.is_file():
        return None
    try:
        return file.read_text(encoding="utf-8").strip()
    except OSError as e:
        raise ConfigurationError(
            translate(
                "{file}: cannot be read ({why}); set NEO4J_PASSWORD instead",
                file=file,
                why=translate(e.strerror or ""),
            )
        ) from e


def _is_loopback(uri: str) -> bool:
    try:
        host = urlsplit(uri).hostname or ""
    except ValueError as e:  # a broken [IPv6] address
        raise ConfigurationError(
            translate("{uri}: not an address ({why}); write bolt://HOST:7687", uri=uri, why=e)
        ) from e
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return False
