"""Which server was started from a home, and where one listened last."""

from datetime import datetime
from typing import Final, Literal

from pydantic import BaseModel, TypeAdapter, ValidationError

from kg.server.layout import ServerHome, disk_errors
from kg.server.ports import Ports

RuntimeName = Literal["java", "docker"]

_PORTS: Final = TypeAdapter(Ports)


class ServerRecord(BaseModel, frozen=True, extra="forbid"):
    """What ``pid.json`` says."""

    runtime: RuntimeName
    handle: str
    """Process id, or name of the container."""
    started: datetime
    """When the process itself says that it began."""
    bolt_port: int
    http_port: int

    @property
    def ports(self) -> Ports:
        """Where it listens."""
        return Ports(self.bolt_port, self.http_port)


def read_record(home: ServerHome) -> ServerRecord | None:
    """The record of the last start; None without one, or with one that cannot be read."""
    try:
        return ServerRecord.model_validate_json((home.folder / "pid.json").read_bytes())
    except (FileNotFoundError, NotADirectoryError, ValidationError):
        return None


def write_record(home: ServerHome, record: ServerRecord) -> None:
    """Keep the record of a start; whole or not at all."""
    part = home.folder / "pid.json.part"
    with disk_errors(home.folder):
        part.write_text(record.model_dump_json(indent=2) + "\n", encoding="utf-8")
        part.replace(home.folder / "pid.json")


def usual_ports(home: ServerHome) -> Ports:
    """Where the server of a home listened last; Neo4j's own ports if it never did."""
    try:
        return _PORTS.validate_json((home.folder / "ports.json").read_bytes())
    except (FileNotFoundError, NotADirectoryError, ValidationError):
        return Ports()


def keep_ports(home: ServerHome, ports: Ports) -> None:
    """Keep where the server of a home listens, for its next start; whole or not at all."""
    part = home.folder / "ports.json.part"
    with disk_errors(home.folder):
        part.write_bytes(_PORTS.dump_json(ports, indent=2) + b"\n")
        part.replace(home.folder / "ports.json")


def forget_record(home: ServerHome) -> None:
    """Remove the record, if there is one."""
    (home.folder / "pid.json").unlink(missing_ok=True)
