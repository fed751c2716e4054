"""The home of a local server: its folders, password, configuration, memory and lock."""

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import filelock
import psutil

from cypher.translation import translate
from kg.errors import ServerError
from kg.server.ports import Ports

USER = "neo4j"
"""The one user of a local server; Community has the one database of the same name."""

REPORT = "import.report"
"""Bad rows by Neo4j's importer's account, in the data folder that it writes."""

ROOM_NEEDED = 256 * 1024 * 1024
"""Bytes of disk below which an empty server is not even started."""


_MEMORY_SHARE = 8
"""One part of so many of the machine's memory."""
_MEBIBYTE = 2**20


@dataclass(frozen=True)
class Memory:
    """Memory that a local server may take, in MiB: a modest share of the machine's."""

    heap: int
    page_cache: int

    @classmethod
    def of_this_machine(cls) -> Self:
        """An eighth of the memory each, between 512 MiB (heap), 256 MiB (cache) and 2 GiB."""
        share = psutil.virtual_memory().total // _MEBIBYTE // _MEMORY_SHARE
        return cls(heap=min(max(share, 512), 2048), page_cache=min(max(share, 256), 2048))

    def settings(self) -> dict[str, str]:
        """The same as ``neo4j.conf`` names them."""
        return {
            "server.memory.heap.max_size": f"{self.heap}m",
            "server.memory.pagecache.size": f"{self.page_cache}m",
        }


@dataclass(frozen=True)
class ServerHome:
    """The folder of one local server."""

    folder: Path

    @property
    def conf(self) -> Path:
        """Folder of ``neo4j.conf``, written anew at every start."""
        return self.folder / "conf"

    @property
    def data(self) -> Path:
        """Folder of the databases and their transaction logs."""
        return self.folder / "data"

    @property
    def logs(self) -> Path:
        """Folder of the server's logs."""
        return self.folder / "logs"

    @property
    def console(self) -> Path:
        """What the server process writes to its terminal."""
        return self.logs / "console.log"

    @property
    def password_file(self) -> Path:
        """One line, readable by its owner only."""
        return self.folder / "password"

    @property
    def has_users(self) -> bool:
        """Whether the server was started once, so that its password is settled."""
        return (self.data / "databases" / "system").exists()

    def prepare(self) -> None:
        """Make the folders.

        Raises:
            ServerError: they cannot be written, or the disk has no room for a server.
        """
        with disk_errors(self.folder):
            for folder in (self.folder, self.conf, self.data, self.logs):
                folder.mkdir(parents=True, exist_ok=True)
                if not os.access(folder, os.W_OK | os.X_OK):
                    raise PermissionError(errno.EACCES, "not writable", str(folder))
            if not self.has_users and shutil.disk_usage(self.folder).free < ROOM_NEEDED:
                raise OSError(errno.ENOSPC, "too little room", str(self.folder))

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Keep every other medkg process from starting, stopping or importing here.

        Raises:
            ServerError: another one is at it.
        """
        with disk_errors(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = filelock.FileLock(self.folder / "lock", timeout=0)
            try:
                lock.acquire()
            except filelock.Timeout as e:
                raise ServerError(
                    translate(
                        "{folder}: another 'medkg db' command is at work on this server; wait until "
                        "it has ended",
                        folder=self.folder,
                    )
                ) from e
        try:
            yield
        finally:
            lock.release()

    def password(self) -> str:
        """The password in the file.

        Raises:
            ServerError: there is none, though the server has one.
        """
        try:
            return self.password_file.read_text(encoding="utf-8").strip()
        except FileNotFoundError as e:
            raise ServerError(
                translate(
                    "{password_file}: missing, though the data beside it needs its password; put "
                    "the password back there, or delete {data} to start anew",
                    password_file=self.password_file,
                    data=self.data,
                )
            ) from e

    def ensure_password(self) -> None:
        """Write a random password unless one is there or the server has one already."""
        if self.password_file.exists() or self.has_users:
            return
        with disk_errors(self.folder):
            # hexadecimal: what begins with a dash would be an option of neo4j-admin
            write_private(self.password_file, secrets.token_hex(18) + "\n")

    def write_conf(self, ports: Ports, memory: Memory) -> None:
        """Write ``neo4j.conf`` for a server on loopback only."""
        settings = {
            "server.default_listen_address": "127.0.0.1",
            "server.default_advertised_address": "localhost",
            "server.bolt.listen_address": f"127.0.0.1:{ports.bolt}",
            "server.bolt.advertised_address": f"localhost:{ports.bolt}",
            "server.http.listen_address": f"127.0.0.1:{ports.http}",
            "server.http.advertised_address": f"localhost:{ports.http}",
            **COMMON_SETTINGS,
            **memory.settings(),
        }
        with disk_errors(self.folder):
            write_settings(self.conf, settings)


COMMON_SETTINGS = {
    "server.https.enabled": "false",
    "dbms.usage_report.enabled": "false",
    "client.allow_telemetry": "false",
    "db.tx_log.rotation.retention_policy": "2 files",
    "db.tx_log.preallocate": "false",
    # no statement reads a file of the machine
    "dbms.security.allow_csv_import_from_file_urls": "false",
    # without it a server waits twice 5 s for drivers that are gone
    "internal.dbms.bolt.netty_server_shutdown_quiet_period": "0",
}
"""What a local server has wherever it runs."""


def write_settings(conf: Path, settings: dict[str, str]) -> None:
    """Write ``neo4j.conf`` into the folder ``conf``."""
    lines = ["# Written by 'medkg db' at every start; changes here are lost."]
    lines += [f"{name}={value}" for name, value in settings.items()]
    conf.mkdir(parents=True, exist_ok=True)
    (conf / "neo4j.conf").write_text("\n".join(lines) + "\n", encoding="utf-8")


def write_private(path: Path, text: str) -> None:
    """Write a file that nobody else can read at any moment; whole or not at all."""
    part = path.with_name(f"{path.name}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    part.replace(path)


@contextmanager
def disk_errors(folder: Path, setting: str = "MEDKG_HOME") -> Iterator[None]:
    """Turn what the file system refuses into one sentence; ``setting`` names another folder.

    Raises:
        ServerError: the disk is full, or ``folder`` cannot be written.
    """
    try:
        yield
    except OSError as e:
        where = e.filename or folder
        if e.errno in (errno.ENOSPC, errno.EDQUOT):
            raise ServerError(
                translate(
                    "{where}: the disk is full; free some space (a server needs {size} MiB) or "
                    "set {setting} to a folder on another disk",
                    where=where,
                    size=ROOM_NEEDED // 2**20,
                    setting=setting,
                )
            ) from e
        raise ServerError(
            translate(
                "{where}: cannot be written ({why}); make it writable or set {setting} to "
                "another folder",
                where=where,
                why=translate(e.strerror) if e.strerror else e,
                setting=setting,
            )
        ) from e
