"""Small random graphs of what engines differ in: nulls, ties, loops, cycles, odd texts and numbers."""

from hashlib import blake2b
from pathlib import Path
from random import Random

import pyarrow.parquet as pq

from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, GraphTables, TableSummary, arrow_table
from kg.text import normalise
from kg.vocabulary import RELATION_TYPES

TYPES = ("Disease", "Symptom", "Drug", "Gene", "Concept", "Section", "Modifier")
NAMES = (
    "gout", "Gout", "GOUT", "", " ", "a b", "it's \"odd\"", "back\\slash", "İstanbul ﬁ ß", "é", "e\u0301",
    "痛风", "发烧", "𠀀𠀁", "😀", "（\uff41）", "\uffee", "10 mg", "9 mg", "-1", "null", "true", "%", "_", ".*", "[a-z]",
    "two\nlines", "tab\there", "zz top", "fever", "Fever", "TP53", "μg", "Straße", "naïve", "O'Neil",
)  # fmt: skip
FRACTIONS = (None, 0.0, 1.0, 0.5, 0.25, 0.1, 0.2, 0.3, 1e-12, 1 / 3, 0.7, 0.999)
WEIGHTS = (None, 0.0, 2.5, -2.5, 1e300, -1e300, 5e-324, 1e16, 0.1, 3.0, 1e-9, 123456.789)
RELATIONS = (
    "HAS_SYMPTOM", "LACKS_SYMPTOM", "IS_A", "INTERACTS_WITH", "INDICATED_FOR", "CONTRAINDICATED_FOR",
    "TREATED_BY", "ASSOCIATED_WITH", "HAS_CUI", "HAS_SECTION", "CLOSE_MATCH", "CAUSED_BY", "RESEMBLES",
)  # fmt: skip


def write_nasty_graph(folder: Path, seed: int) -> GraphTables:
    """Graph tables of some 40 nodes that keep to the vocabulary."""
    random = Random(seed)  # noqa: S311 - data, not secrets
    nodes = [_node(random, number) for number in range(40)]
    edges: dict[str, dict[tuple[str, str], dict[str, object]]] = {}
    for _ in range(170):
        relation = random.choice([r for r in RELATIONS if r in RELATION_TYPES])
        ends = _ends(random, relation, nodes)
        if ends:
            edges.setdefault(relation, {})[ends] = _edge(random, *ends)
    tables = GraphTables(folder)
    (folder / "edges").mkdir(parents=True)
    nodes.sort(key=lambda row: str(row["id"]))
    pq.write_table(arrow_table(NODE_COLUMNS, nodes), tables.nodes)
    for relation, rows in edges.items():
        ordered = [rows[ends] for ends in sorted(rows)]
        pq.write_table(arrow_table(EDGE_COLUMNS, ordered), tables.edges(relation))
    types = [str(node["type"]) for node in nodes]
    tables.write_summary(
        TableSummary(
            name="nasty",
            checksum=blake2b(repr((nodes, edges)).encode(), digest_size=16).hexdigest(),
            nodes={type_: types.count(type_) for type_ in sorted(set(types))},
            edges={relation: len(rows) for relation, rows in sorted(edges.items())},
            made_by="tests/cypher/nasty_graph.py",
        )
    )
    return tables


def _node(random: Random, number: int) -> dict[str, object]:
    type_ = random.choices(TYPES, [8, 8, 5, 3, 3, 1, 1])[0]
    name = random.choice(NAMES)
    row: dict[str, object] = {
        "id": f"{type_[:2].upper()}:{number}",
        "type": type_,
        "name": name,
        "name_zh": random.choice([None, None, *NAMES]),
        "synonyms": random.choices(NAMES, k=random.choice([0, 0, 1, 2, 3])),
        "normal_names": [normalise(name)],
        "definition": random.choice([None, "", "text", name]),
        "sources": random.choices("abc", k=random.choice([0, 1, 1, 2])),
        "layer": random.choice([None, None, "l"]),
    }
    if type_ == "Concept":
        row["cui"] = f"C{number}"
    return row


def _ends(random: Random, relation: str, nodes: list[dict[str, object]]) -> tuple[str, str] | None:
    type_ = RELATION_TYPES[relation]
    heads = [node for node in nodes if node["type"] in type_.domain]
    if not heads:
        return None
    head = random.choice(heads)
    tails = [
        node
        for node in nodes
        if node["type"] in type_.range and (not type_.same_type or node["type"] == head["type"])
    ]
    if not tails:
        return None
    tail = head if head in tails and random.random() < 0.1 else random.choice(tails)
    ends = str(head["id"]), str(tail["id"])
    return (min(ends), max(ends)) if type_.symmetric else ends


def _edge(random: Random, head: str, tail: str) -> dict[str, object]:
    return {
        "head": head,
        "tail": tail,
        "sources": random.choices("abc", k=random.choice([0, 1, 2])),
        "publications": random.choice([None, "PMID:1", "PMID:2|PMID:3"]),
        "frequency": random.choice(FRACTIONS),
        "weight": random.choice(WEIGHTS),
        "score": random.choice(FRACTIONS),
        "onset": random.choice([None, "HP:0003577"]),
        "sex": random.choice([None, "MALE", "FEMALE"]),
        "layer": random.choice([None, None, "l"]),
    }
