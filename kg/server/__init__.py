"""A local Neo4j: started, watched, filled and ended, in Docker or in Java."""

from kg.server.bulk_import import import_tables
from kg.server.layout import ServerHome
from kg.server.lifecycle import Started, Stopped, start, stop
from kg.server.ports import Ports
from kg.server.runtime import RuntimeChoice
from kg.server.status import ServerStatus, status

__all__ = [
    "Ports",
    "RuntimeChoice",
    "ServerHome",
    "ServerStatus",
    "Started",
    "Stopped",
    "import_tables",
    "start",
    "status",
    "stop",
]
