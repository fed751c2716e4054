"""What a rule finds in the graph of a test's own lines."""

from collections.abc import Iterator

import pytest

from tests.ingest.rules.asking import Found, asked

ENGINES = ("embedded", pytest.param("neo4j", marks=pytest.mark.neo4j))


@pytest.fixture(scope="module", params=ENGINES)
def found(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Found]:
    """Asks a rule of the module's NODES and EDGES, on either engine; the ends are told by name."""
    lines = request.module.NODES.strip().splitlines()
    names = dict(line.strip().split(None, 1) for line in lines)
    folder = tmp_path_factory.mktemp("rules")
    with asked(request, folder, request.module.NODES, request.module.EDGES) as ask:
        yield lambda rule: {(names[h], relation, names[t]) for h, relation, t in ask(rule)}
