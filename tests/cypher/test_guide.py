import io
import re
import zipfile
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import neo4j
import pytest

import kg
from cypher import QueryError, load_catalogue
from cypher.catalogue import read_query
from cypher.guide import SCRIPTS, STYLE, guide, pictures, scripts, standalone, style
from cypher.listing import listing
from cypher.translation import speaking
from kg.configuration import Settings
from kg.stores.store import Store
from kg.tables import GraphTables
from tests.cypher.agreement import OF_RECORDS

ADDRESS = "http://localhost:7470"
OF_A_LAYER = (
    "entity.naming_layers",
    "entity.predictions",
    "entity.same_concept",
    "similar_entities",
)
DOCUMENTS = Path(__file__).resolve().parents[2] / "docs"


class Runnable(HTMLParser):
    """Collects what Browser puts into its editor, and the topic of each slide."""

    def __init__(self) -> None:
        super().__init__()
        self.statements: list[str] = []
        self.slides = 0
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.slides += tag == "slide"
        if tag == "pre" and ("class", "runnable") in attrs:
            self._open = True
            self.statements.append("")

    def handle_endtag(self, tag: str) -> None:
        self._open = self._open and tag != "pre"

    def handle_data(self, data: str) -> None:
        if self._open:
            self.statements[-1] += data


def parsed() -> Runnable:
    page = Runnable()
    page.feed(guide(load_catalogue(), ADDRESS))
    assert page.statements.pop(0) == f":style {ADDRESS}/{STYLE}"  # Browser's, not the server's
    return page


def test_a_standalone_statement_has_its_values_written_out(tmp_path: Path) -> None:
    path = tmp_path / "a.cypher"
    path.write_text(
        '// A.\n// param x: string  e.g. it\'s "it"\n// param n: integer = 3\n'
        "RETURN $x AS x, '$x' AS y LIMIT $n",
        encoding="utf-8",
    )
    query = read_query(path, tmp_path)
    assert standalone(query) == 'RETURN "it\'s \\"it\\"" AS x, \'$x\' AS y LIMIT 3'


def test_a_query_without_an_example_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "a.cypher"
    path.write_text("// A.\n// param x: string\nRETURN $x AS x", encoding="utf-8")
    with pytest.raises(QueryError, match="a: the parameter x has no example; add"):
        standalone(read_query(path, tmp_path))


def test_the_guide_has_every_query_and_picture_in_slides() -> None:
    page = parsed()
    asked = [query for query in load_catalogue() if "neo4j" in query.engines]
    assert page.statements == [standalone(query) for query in [*pictures(), *asked]]
    assert page.slides == 2 + len({query.topic for query in asked})
    assert f'href="{ADDRESS}/{SCRIPTS}"' in guide(load_catalogue(), ADDRESS)


def test_the_guide_in_chinese_has_the_same_statements_and_chinese_titles() -> None:
    with speaking("zh"):
        page = parsed()
        chinese = guide(load_catalogue(), ADDRESS)
        made = scripts(load_catalogue())
        captions = style().decode()
    assert captions == style().decode().replace('"{name}"', '"{name_zh} {name}"')
    assert captions.count("{name_zh}") > 20
    assert page.statements == parsed().statements
    assert "<h3>一致性规则</h3>" in chinese
    assert "<p>疾病的症状及其来源，常见者在前，其次为鉴别力高者。</p>" in chinese
    assert "<code>:Disease</code>、<code>:Symptom</code>" in chinese
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        text = archive.read("medkg disease/symptoms.cypher").decode()
    assert text.startswith("// 疾病的症状及其来源，常见者在前，其次为鉴别力高者。\n")
    told = re.sub(
        r"<pre.*?</pre>|<[^>]+>|[\w.:/-]+\.(html|zip)|IS_A|kg\.text\.normalise",
        "",
        chinese,
        flags=re.DOTALL,
    )
    assert re.findall(r"[a-z]+ [a-z]+ [a-z]+", told) == ["medkg eval layer", "medkg embed write"]


def test_the_scripts_are_the_same_statements_in_folders() -> None:
    made = scripts(load_catalogue())
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        texts = [archive.read(name).decode() for name in archive.namelist()]
        assert "medkg disease/symptoms.cypher" in archive.namelist()
    assert [text.partition("\n")[2].strip() for text in texts] == parsed().statements
    assert made == scripts(load_catalogue())


@pytest.mark.neo4j
def test_each_statement_of_the_guide_gives_rows(
    small_graph: GraphTables,
    fill: Callable[[Store, GraphTables], None],
    neo4j_credentials: Settings,
) -> None:
    with kg.connect(None, neo4j_credentials) as store:
        fill(store, small_graph)
    user, password = neo4j_credentials.neo4j_username, neo4j_credentials.neo4j_password or ""
    uri = str(neo4j_credentials.neo4j_uri)
    # a rule finds nothing in a sound graph, nor do questions about a layer without it
    layers = {standalone(load_catalogue().find(name, "neo4j")) for name in OF_A_LAYER}
    asked = [query for query in (*load_catalogue(), *pictures()) if OF_RECORDS.search(query.text)]
    nothing = {query.text for query in load_catalogue() if query.severity} | layers
    nothing |= {standalone(query) for query in asked}
    with neo4j.GraphDatabase.driver(uri, auth=(user, password)) as driver:
        for statement in parsed().statements:
            assert driver.execute_query(statement).records or statement in nothing, statement


@pytest.mark.parametrize(("code", "name"), [("en", "queries.md"), ("zh", "queries.zh.md")])
def test_the_documentation_lists_every_query(code: str, name: str) -> None:
    with speaking(code):
        assert (DOCUMENTS / name).read_text(encoding="utf-8") == listing(load_catalogue()), (
            f"make it again: medkg queries --markdown --lang {code} > docs/{name}"
        )
