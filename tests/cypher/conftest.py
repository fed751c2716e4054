"""A small graph that covers every query, as graph tables."""

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

import pyarrow.parquet as pq
import pytest

import kg
from kg.configuration import Settings
from kg.stores.store import Stamp, Store
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, Column, GraphTables, TableSummary, arrow_table
from kg.text import normalise

NODES = """
Disease     MONDO:0005393     gout                          痛风       xrefs=DOID:13189
Disease     MONDO:0005578     arthritic joint disease       关节炎     -
Disease     MONDO:0003847     hereditary disease            -          -
Disease     MONDO:0008171     nephrolithiasis               肾结石     -
Disease     MONDO:0004979     asthma                        哮喘       -
Disease     MONDO:0008383     rheumatoid arthritis          类风湿关节炎  -
Disease     MONDO:0005300     chronic kidney disease        慢性肾脏病  -
Disease     MONDO:0000001     disease                       疾病       -
Disease     OMIM:154700       Marfan syndrome               马凡综合征  -
Disease     OMIM:604308       MASS syndrome                 -          -
Disease     OMIM:147920       Kabuki syndrome 1             -          -
Disease     MEDKG:d-1         it's "odd"'}) DETACH DELETE n //  -      -
Symptom     HP:0001369        Arthritis                     关节炎     -
Symptom     HP:0002829        Arthralgia                    关节痛     -
Symptom     HP:0001386        Joint swelling                关节肿胀   -
Symptom     HP:0002149        Hyperuricemia                 高尿酸血症  -
Symptom     HP:0012735        Cough                         咳嗽       -
Symptom     HP:0001945        Fever                         发热       lay_names=High temperature
Symptom     HP:0002094        Dyspnea                       呼吸困难   -
Symptom     HP:0000988        Skin rash                     皮疹       -
Symptom     HP:0000118        Phenotypic abnormality        -          -
Symptom     HP:0001367        Abnormal joint morphology     -          -
Drug        DRUGBANK:DB00437  Allopurinol                   别嘌醇     -
Drug        DRUGBANK:DB04854  Febuxostat                    非布司他   -
Drug        DRUGBANK:DB00945  Acetylsalicylic acid          阿司匹林   -
Drug        DRUGBANK:DB00571  Propranolol                   普萘洛尔   -
Drug        DRUGBANK:DB01394  Colchicine                    秋水仙碱   -
Drug        DRUGBANK:DB99999  Allopurinol tablets           别嘌醇片   -
Gene        NCBIGene:9429     ABCG2                         -          -
Gene        NCBIGene:7498     XDH                           -          -
Gene        NCBIGene:2200     FBN1                          -          -
Gene        NCBIGene:3123     HLA-DRB1                      -          -
Food        MEDKG:f-1         Purine-rich foods             高嘌呤食物  -
Exposure    MEDKG:e-1         Alcohol use                   饮酒       -
Behavior    MEDKG:b-1         Limiting alcohol              限制饮酒   -
Test        MEDKG:t-1         Serum uric acid test          血尿酸检测  -
Procedure   MEDKG:p-1         Joint aspiration              关节穿刺   -
Department  MEDKG:o-1         Rheumatology                  风湿免疫科  -
Precaution  MEDKG:c-1         Drink plenty of water         多饮水     -
Population  MEDKG:g-1         Men                           男性       -
PathologicalProcess  MEDKG:x-1  Monosodium urate crystal deposition  尿酸钠结晶沉积  -
Pathway     REACTOME:R-HSA-1566948  Elastic fibre formation  -         -
Inheritance HP:0000006        Autosomal dominant inheritance  -        -
Concept     UMLS:C0018099     Gout                          -          cui=C0018099
Concept     UMLS:C0003864     Arthritis                     -          cui=C0003864
Section     MEDKG:s-1         gout: overview                -          text=Gout is a kind of arthritis.
Section     MEDKG:s-2         gout: symptoms                -          text=The joint hurts, often at night.
"""
"""Type, id, name, Chinese name, and a CUI, a text or cross-references; parted by two blanks."""

EDGES = """
MONDO:0005393 HAS_SYMPTOM HP:0001369 frequency=0.9 frequency_text=Very_frequent publications=PMID:1|PMID:2 evidence=PCS
MONDO:0005393 HAS_SYMPTOM HP:0002829 frequency=0.55
MONDO:0005393 HAS_SYMPTOM HP:0001386
MONDO:0005393 HAS_SYMPTOM HP:0002149 frequency=0.9 onset=HP:0003581 sex=MALE
MONDO:0005393 HAS_SYMPTOM MONDO:0008171
MONDO:0008383 HAS_SYMPTOM HP:0001369 frequency=1.0
MONDO:0008383 HAS_SYMPTOM HP:0002829
MONDO:0008383 HAS_SYMPTOM HP:0001945 frequency=0.17
MONDO:0004979 HAS_SYMPTOM HP:0012735
MONDO:0004979 HAS_SYMPTOM HP:0002094
MONDO:0008171 HAS_SYMPTOM HP:0001945
MEDKG:d-1 HAS_SYMPTOM HP:0001369
MONDO:0005393 LACKS_SYMPTOM HP:0012735 publications=PMID:3
OMIM:147920 LACKS_SYMPTOM HP:0001945
MONDO:0005393 CAUSED_BY MEDKG:x-1
MONDO:0005393 CAUSED_BY HP:0002149
MONDO:0005393 HAS_RISK_FACTOR MEDKG:e-1
MONDO:0005393 HAS_RISK_FACTOR MEDKG:f-1
MONDO:0005393 HAS_RISK_FACTOR MEDKG:g-1
MONDO:0005393 COMPLICATED_BY MONDO:0008171
MONDO:0005393 COMPLICATED_BY MONDO:0005300
MONDO:0005393 DIAGNOSED_BY MEDKG:t-1
MONDO:0005393 DIAGNOSED_BY MEDKG:p-1
MONDO:0005393 TREATED_BY DRUGBANK:DB00437
MONDO:0005393 TREATED_BY DRUGBANK:DB01394
MONDO:0005393 TREATED_BY MEDKG:b-1
MONDO:0005393 PREVENTED_BY MEDKG:b-1
MONDO:0005393 MANAGED_IN MEDKG:o-1
MONDO:0005393 HAS_INHERITANCE HP:0000006
MONDO:0005393 HAS_SECTION MEDKG:s-1
MONDO:0005393 HAS_SECTION MEDKG:s-2
DRUGBANK:DB00437 INDICATED_FOR MONDO:0005393
DRUGBANK:DB04854 INDICATED_FOR MONDO:0005393
DRUGBANK:DB04854 USED_OFF_LABEL_FOR MONDO:0008171
DRUGBANK:DB00571 CONTRAINDICATED_FOR MONDO:0004979 sources=label
DRUGBANK:DB00437 CONTRAINDICATED_FOR MEDKG:g-1
DRUGBANK:DB00945 HAS_PRECAUTION MONDO:0004979
DRUGBANK:DB00437 HAS_PRECAUTION MEDKG:c-1
DRUGBANK:DB00945 HAS_ADVERSE_REACTION MONDO:0004979 frequency=0.01
DRUGBANK:DB00437 HAS_ADVERSE_REACTION HP:0000988 frequency=0.02 frequency_text=1-3%
DRUGBANK:DB00437 HAS_ADVERSE_REACTION MONDO:0005393
DRUGBANK:DB00437 INTERACTS_WITH DRUGBANK:DB00945
DRUGBANK:DB00437 INTERACTS_WITH DRUGBANK:DB01394
DRUGBANK:DB00437 INTERACTS_WITH MEDKG:e-1
DRUGBANK:DB00437 TARGETS NCBIGene:7498
DRUGBANK:DB04854 TARGETS NCBIGene:7498
DRUGBANK:DB04854 METABOLISED_BY NCBIGene:9429
DRUGBANK:DB00437 TRANSPORTED_BY NCBIGene:9429
NCBIGene:9429 ASSOCIATED_WITH MONDO:0005393 publications=PMID:4
NCBIGene:7498 ASSOCIATED_WITH MONDO:0005393
NCBIGene:2200 ASSOCIATED_WITH OMIM:154700
NCBIGene:2200 ASSOCIATED_WITH OMIM:604308 publications=OMIM:604308
NCBIGene:2200 ASSOCIATED_WITH HP:0001369
NCBIGene:9429 ASSOCIATED_WITH MONDO:0008171
NCBIGene:2200 PARTICIPATES_IN REACTOME:R-HSA-1566948
NCBIGene:3123 ASSOCIATED_WITH MONDO:0008383
MONDO:0005393 IS_A MONDO:0005578
MONDO:0005393 IS_A MONDO:0003847
MONDO:0008383 IS_A MONDO:0005578
MONDO:0005578 IS_A MONDO:0000001
MONDO:0003847 IS_A MONDO:0000001
HP:0001369 IS_A HP:0001367
HP:0001386 IS_A HP:0001367
HP:0001367 IS_A HP:0000118
MONDO:0005393 HAS_CUI UMLS:C0018099
MONDO:0005578 HAS_CUI UMLS:C0003864
MONDO:0005578 CLOSE_MATCH HP:0001369
DRUGBANK:DB99999 HAS_INGREDIENT DRUGBANK:DB00437
MONDO:0005393 TREATED_BY DRUGBANK:DB99999
HP:0001369 HAS_CUI UMLS:C0003864
"""
"""Head, relation, tail, columns; ``_`` in a value stands for a blank."""


def _node(line: str) -> dict[str, object]:
    type_, id_, name, zh, more = (part.strip() for part in _fields(line))
    names = [name] if zh == "-" else [name, zh]
    key, _, value = more.partition("=")
    row: dict[str, object] = {"id": id_, "type": type_, "name": name}
    row |= {"name_zh": None if zh == "-" else zh}
    row |= {"normal_names": [normalise(n) for n in names], "sources": ["hpo", "medkg sample"]}
    lists = {"xrefs", "lay_names"}
    return row | ({key: value.split("|") if key in lists else value} if value else {})


def _fields(line: str) -> list[str]:
    type_, id_, rest = line.split(None, 2)
    return [type_, id_, *(part for part in rest.split("  ") if part.strip())]


def _edge(line: str) -> tuple[str, dict[str, object]]:
    head, relation, tail, *pairs = line.split()
    row: dict[str, object] = {"head": head, "tail": tail, "sources": ["hpo", "medkg sample"]}
    for pair in pairs:
        key, _, value = pair.partition("=")
        row[key] = value.replace("_", " ")
    row["original_relation"] = relation.lower()
    if "frequency" in row:
        row["frequency"] = float(str(row["frequency"]))
    row["sources"] = [row["sources"]] if isinstance(row["sources"], str) else row["sources"]
    return relation, row


def _write(path: Path, columns: Sequence[Column], rows: list[dict[str, object]]) -> None:
    pq.write_table(arrow_table(columns, rows), path)


def write_small_graph(folder: Path) -> GraphTables:
    tables = GraphTables(folder)
    nodes = sorted(
        (_node(line) for line in NODES.strip().splitlines()), key=lambda r: str(r["id"])
    )
    edges: dict[str, list[dict[str, object]]] = {}
    for relation, row in map(_edge, EDGES.strip().splitlines()):
        edges.setdefault(relation, []).append(row)
    (folder / "edges").mkdir(parents=True)
    _write(tables.nodes, NODE_COLUMNS, nodes)
    for relation, rows in edges.items():
        rows.sort(key=lambda r: (str(r["head"]), str(r["tail"])))
        _write(tables.edges(relation), EDGE_COLUMNS, rows)
    types = [str(node["type"]) for node in nodes]
    tables.write_summary(
        TableSummary(
            name="medkg",
            checksum=blake2b((NODES + EDGES).encode(), digest_size=16).hexdigest(),
            nodes={type_: types.count(type_) for type_ in sorted(set(types))},
            edges={relation: len(rows) for relation, rows in sorted(edges.items())},
            made_by="tests/cypher/conftest.py",
        )
    )
    return tables


@pytest.fixture(scope="session")
def small_graph(tmp_path_factory: pytest.TempPathFactory) -> GraphTables:
    return write_small_graph(tmp_path_factory.mktemp("graph") / "small")


@pytest.fixture(scope="session")
def graph(small_graph: GraphTables) -> GraphTables:
    """The graph that both engines are compared over; MEDKG_TEST_GRAPH names a bigger one."""
    folder = os.environ.get("MEDKG_TEST_GRAPH")
    return GraphTables(Path(folder)) if folder else small_graph


@pytest.fixture(scope="session")
def fill() -> Callable[[Store, GraphTables], None]:
    """Loads a graph into a store that does not hold just that."""

    def filled(store: Store, tables: GraphTables) -> None:
        if store.stamp() != Stamp(tables.summary().checksum):
            store.load(tables)
            store.indexes()

    return filled


@pytest.fixture(scope="session")
def neo4j_credentials(request: pytest.FixtureRequest) -> Settings:
    """Settings of the session's server, for fixtures that outlive one test."""
    server = request.getfixturevalue("neo4j_server")
    return Settings(
        neo4j_uri=server.uri, neo4j_username=server.user, neo4j_password=server.password
    )


@dataclass(frozen=True)
class Pair:
    """One graph in both engines."""

    tables: GraphTables
    embedded: Store
    neo4j: Store


PairOf = Callable[[GraphTables, Path], AbstractContextManager[Pair]]


@pytest.fixture(scope="session")
def pair_of(fill: Callable[[Store, GraphTables], None], neo4j_credentials: Settings) -> PairOf:
    """A graph, and a folder for the embedded file -> the graph in both engines."""

    @contextmanager
    def both(tables: GraphTables, folder: Path) -> Iterator[Pair]:
        with (
            kg.connect(str(folder / "graph.lbug")) as embedded,
            kg.connect(None, neo4j_credentials) as neo4j,
        ):
            for store in (embedded, neo4j):
                fill(store, tables)
            yield Pair(tables, embedded, neo4j)

    return both
