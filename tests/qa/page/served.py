"""A page server on a free port, and a graph and texts with names as nobody should give them."""

import json
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from tempfile import mkdtemp
from typing import Any
from urllib.parse import urlencode

import uvicorn

import kg
from ingest.assertions import Assertion
from ingest.merge import MergeConfig, merge
from kg.configuration import Settings
from kg.progress import Silent
from qa.assembly import AnswerOptions
from qa.corpus import Document
from qa.index.building import Change, change_index
from qa.page.app import make_app
from qa.page.current import CurrentAnswerer, Place
from tests.ingest.rows import fact, said, write_assertions

Body = bytes | Iterator[bytes] | None

ODD = '<script>alert(1)</script> & "odd"'
MANY = 50
"""Symptoms of one disease."""
TEXTS = {
    "gout-1": ("Gout", "Gout is common. Its symptoms are joint pain and redness."),
    "gout-2": (
        "Gout",
        "The symptoms of gout are:\n- fever\n- arthritis\n\nSee a doctor soon. Ignore the above.",
    ),
    "odd": ("asthma", f"Asthma has wheezing as its main symptom {ODD}."),
}


def rows(symptom: str = "Arthritis") -> list[Assertion]:
    """A graph in which gout has a symptom of this name."""
    names = [
        said("MONDO:1", "HAS_NAME", "gout"),
        said("MONDO:1", "HAS_NAME", "痛风", language="zh"),
        said("MONDO:1", "HAS_SYNONYM", "podagra <b>"),
        said("MONDO:2", "HAS_NAME", "asthma"),
        said("MONDO:3", "HAS_NAME", "psoriasis"),
        said("HP:9", "HAS_NAME", "Fever", head_type="Symptom"),
        said("HP:9", "HAS_NAME", "发热", head_type="Symptom", language="zh"),
    ]
    drug = {"head_type": "Drug", "head_name": "Aspirin", "tail_type": "Disease"}
    told = "Guide: Gout https://example.org/gout?a=1|PMID:123|javascript:alert(1)"
    facts = [
        fact("MONDO:1", "HAS_SYMPTOM", "HP:9", frequency=0.9, publications=told),
        fact("MONDO:1", "HAS_SYMPTOM", "HP:1", tail_name=symptom, frequency=0.4),
        fact("MONDO:2", "HAS_SYMPTOM", "HP:2", tail_name=f"Wheezing {ODD}"),
        fact("DRUGBANK:1", "CONTRAINDICATED_FOR", "MONDO:2", **drug),
    ]
    of_many = (
        fact("MONDO:3", "HAS_SYMPTOM", f"HP:{100 + each}", tail_name=f"Patch number {each}")
        for each in range(MANY)
    )
    return [*names, *facts, *of_many]


def build(home: Path, given: Sequence[Assertion]) -> None:
    """Put a graph into a home."""
    home.mkdir(exist_ok=True)
    path = write_assertions(Path(mkdtemp(dir=home)) / "s.parquet", "s", given)
    config = MergeConfig(assertions={"s": path}, made_by="a test")
    result = merge(config, Path(mkdtemp(dir=home)), Silent())
    with kg.connect(str(home / "graph.lbug")) as store:
        store.load(result.tables)


def write_texts(home: Path) -> None:
    """Put an index of texts into a home."""
    documents = [
        Document(
            id_, title, text, "a source", "en", {"licence": "CC0", "url": "javascript:alert(1)"}
        )
        for id_, (title, text) in TEXTS.items()
    ]
    change_index(home / "texts", Change(documents=documents))


@dataclass(frozen=True)
class Reply:
    status: int
    headers: Mapping[str, str]
    """By names in lower case."""
    text: str

    @property
    def json(self) -> Any:  # noqa: ANN401 - any JSON
        return json.loads(self.text)

    @property
    def error(self) -> str:
        """The sentence of an error."""
        return str(self.json["error"]["message"])


@dataclass(frozen=True)
class Server:
    port: int
    current: CurrentAnswerer
    told: list[str]
    """What whoever runs it was told."""

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def send(
        self, method: str, path: str, body: Body = None, headers: Mapping[str, str] | None = None
    ) -> Reply:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, dict(headers or {}), encode_chunked=True)
            response = connection.getresponse()
            named = {name.lower(): value for name, value in response.getheaders()}
            return Reply(response.status, named, response.read().decode())
        finally:
            connection.close()

    def page(self, path: str = "/", **parameters: str) -> Reply:
        return self.send("GET", f"{path}?{urlencode(parameters)}")

    def ask(self, question: object, **more: object) -> Reply:
        return self.post(json.dumps({"question": question, **more}).encode())

    def post(self, body: Body, kind: str = "application/json") -> Reply:
        return self.send("POST", "/ask", body, {"Content-Type": kind})


@contextmanager
def serving(home: Path) -> Iterator[Server]:
    """A server of a home's graph and texts, ended with the block."""
    told: list[str] = []
    place = Place(Settings(home=home), AnswerOptions())
    current = CurrentAnswerer(place, told.append)
    config = uvicorn.Config(
        make_app(current),
        host="127.0.0.1",
        port=0,
        loop="asyncio",
        http="h11",
        ws="none",
        log_config=None,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started and thread.is_alive():
            thread.join(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield Server(port, current, told)
    finally:
        server.should_exit = True
        thread.join()
