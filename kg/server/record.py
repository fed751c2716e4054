"""The pid file: which server was started from a home, and where it listens."""

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ValidationError

from kg.server.layout import ServerHome, disk_errors
from kg.server.ports import Ports

RuntimeName = Literal["java", "docker"]


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


def forget_record(home: ServerHome) -> None:
    """Remove the record, if there is one."""
    (home.folder / "pid.json").unlink(missing_ok=True)
