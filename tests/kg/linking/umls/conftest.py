"""A release of some rows, the index of it, and a graph to link with it."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Protocol

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from kg.linking.umls import UmlsConfig, UmlsIndex, open_index
from kg.progress import Silent
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, Column, GraphTables, TableSummary, arrow_table

Atom = tuple[str, str, str]
"""CUI, language, name; the first of a concept is its preferred one."""

ATOMS: tuple[Atom, ...] = (
    ("C0018099", "ENG", "Gout"),
    ("C0018099", "ENG", "Gouty arthritis"),
    ("C0018099", "ENG", "Arthritis, gouty"),
    ("C0018099", "CHI", "痛风"),
    ("C0011849", "ENG", "Diabetes Mellitus"),
    ("C0011854", "ENG", "Diabetes Mellitus, Insulin-Dependent"),
    ("C0011854", "ENG", "Type I diabetes mellitus"),
    ("C0011860", "ENG", "Diabetes Mellitus, Non-Insulin-Dependent"),
    ("C0011860", "ENG", "Type 2 diabetes mellitus"),
    ("C0010200", "ENG", "Coughing"),
    ("C0010200", "CHI", "咳嗽"),
    ("C0015967", "ENG", "Fever"),
    ("C0009443", "ENG", "Common Cold"),
    ("C0009443", "ENG", "Cold"),
    ("C0009264", "ENG", "Cold Temperature"),
    ("C0009264", "ENG", "Cold"),
    ("C0024117", "ENG", "Chronic Obstructive Airway Disease"),
    ("C0024117", "ENG", "COLD"),
    ("C0004057", "ENG", "Aspirin"),
)
TYPES = {"C0010200": "T184", "C0015967": "T184", "C0009264": "T070", "C0004057": "T121"}
"""Of the concepts that are not diseases (T047)."""


def conso(cui: str, language: str, name: str, first: bool = True, **cells: str) -> str:
    """A row of MRCONSO.RRF; ``cells`` by column name."""
    row = {
        "CUI": cui, "LAT": language, "TS": "P" if first else "S", "LUI": "L0000001",
        "STT": "PF" if first else "VO", "SUI": "S0000001", "ISPREF": "Y", "AUI": "A0000001",
        "SAUI": "", "SCUI": "", "SDUI": "", "SAB": "MSH", "TTY": "MH", "CODE": "D000001",
        "STR": name, "SRL": "0", "SUPPRESS": "N", "CVF": "256", **cells,
    }  # fmt: skip
    return "".join(f"{cell}|" for cell in row.values())


def sty(cui: str, tui: str) -> str:
    """A row of MRSTY.RRF."""
    return f"{cui}|{tui}|A1|{tui}|AT0000001|256|"


def write_release(
    folder: Path, atoms: Sequence[Atom] = ATOMS, more: Iterable[str] = ()
) -> UmlsConfig:
    """MRCONSO and MRSTY of the atoms; ``more`` are further rows of MRCONSO."""
    folder.mkdir(parents=True, exist_ok=True)
    seen: set[str] = set()
    rows = []
    for cui, language, name in atoms:
        rows.append(conso(cui, language, name, first=cui not in seen))
        seen.add(cui)
    text = "".join(f"{row}\n" for row in (*rows, *more))
    (folder / "MRCONSO.RRF").write_text(text, encoding="utf-8")
    types = "".join(f"{sty(cui, TYPES.get(cui, 'T047'))}\n" for cui in sorted(seen))
    (folder / "MRSTY.RRF").write_text(types, encoding="utf-8")
    return UmlsConfig(folder=folder)


@pytest.fixture(scope="session")
def release(tmp_path_factory: pytest.TempPathFactory) -> UmlsConfig:
    """The release of ATOMS."""
    return write_release(tmp_path_factory.mktemp("umls") / "META")


@pytest.fixture(scope="session")
def index(release: UmlsConfig, tmp_path_factory: pytest.TempPathFactory) -> UmlsIndex:
    """The index of ATOMS."""
    pytest.importorskip("nmslib", reason="the extra 'link' is not installed")
    return open_index(release, tmp_path_factory.mktemp("kept") / "index", Silent())


class MakeGraph(Protocol):
    def __call__(
        self,
        *nodes: tuple[str, str, Sequence[str]],
        cuis: Iterable[tuple[str, str]] = (),
    ) -> GraphTables: ...


@pytest.fixture
def make_graph(tmp_path: Path) -> MakeGraph:
    """Graph tables of nodes (id, type, names) with the CUIs that a source states."""

    def make(
        *nodes: tuple[str, str, Sequence[str]], cuis: Iterable[tuple[str, str]] = ()
    ) -> GraphTables:
        return write_graph(tmp_path / "tables", nodes, cuis)

    return make


def write_graph(
    folder: Path,
    nodes: Iterable[tuple[str, str, Sequence[str]]],
    cuis: Iterable[tuple[str, str]],
) -> GraphTables:
    """Nodes are id, type and English names, of which the first is the preferred one."""
    stated = sorted(cuis)
    rows: list[dict[str, object]] = [
        {"id": id_, "type": type_, "name": name, "synonyms": list(synonyms)}
        for id_, type_, (name, *synonyms) in nodes
    ]
    rows += [
        {"id": f"UMLS:{cui}", "type": "Concept", "name": f"UMLS:{cui}", "cui": cui}
        for cui in sorted({cui for _, cui in stated})
    ]
    edges: list[dict[str, object]] = [{"head": id_, "tail": f"UMLS:{cui}"} for id_, cui in stated]
    tables = GraphTables(folder)
    (folder / "edges").mkdir(parents=True)
    pq.write_table(_table(NODE_COLUMNS, sorted(rows, key=lambda r: str(r["id"]))), tables.nodes)
    if edges:
        pq.write_table(_table(EDGE_COLUMNS, edges), tables.edges("HAS_CUI"))
    types = [str(row["type"]) for row in rows]
    tables.write_summary(
        TableSummary(
            name="medkg",
            checksum=str(hash((str(rows), str(edges)))),
            nodes={type_: types.count(type_) for type_ in sorted(set(types))},
            edges={"HAS_CUI": len(edges)} if edges else {},
            made_by="test",
        )
    )
    return tables


def _table(columns: Sequence[Column], rows: list[dict[str, object]]) -> pa.Table:
    return arrow_table(columns, [{"sources": ["test"], **row} for row in rows])
