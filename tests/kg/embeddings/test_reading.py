"""Triples from files, from folders that are split already, and from stores."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kg
from cypher import Query
from kg.embeddings.reading import read_file, read_split, read_store
from kg.embeddings.triples import distinct
from kg.errors import EmbeddingError
from kg.stores.embedded import EmbeddedStore
from kg.stores.store import Rows, Store, Value
from tests.kg.embeddings.conftest import WriteFile, as_texts
from tests.kg.stores.conftest import write_tables


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("plain.tsv", "a\tlikes\tb\nb\tlikes\tc\n"),
        ("plain.txt", "a\tlikes\tb\nb\tlikes\tc"),
        ("windows.txt", "a\tlikes\tb\r\nb\tlikes\tc\r\n"),
        ("plain.csv", "a,likes,b\nb,likes,c\n"),
        ("commas.txt", "a,likes,b\nb,likes,c\n"),
        ("quoted.csv", '"a","likes","b"\n"b","likes","c"\n'),
        ("mark.tsv", "\ufeffa\tlikes\tb\nb\tlikes\tc\n"),
        ("empty_lines.tsv", "\n\na\tlikes\tb\n\nb\tlikes\tc\n\n"),
        ("header.tsv", "head\trelation\ttail\na\tlikes\tb\nb\tlikes\tc\n"),
        ("spelt.csv", "\n Head,Relation,TAIL\na,likes,b\nb,likes,c\n"),
        ("letters.tsv", "\ufeffh\tr\tt\na\tlikes\tb\nb\tlikes\tc\n"),
        ("reordered.tsv", "h\tt\tr\na\tb\tlikes\nb\tc\tlikes\n"),
        ("kgx.tsv", "id\tsubject\tpredicate\tobject\n1\ta\tlikes\tb\n\tb\tlikes\tc\n"),
        ("UPPER.TSV", "a\tlikes\tb\nb\tlikes\tc\n"),
        ("blanks.tsv", "a \t likes\tb\nb\tlikes\u00a0\t  c\n"),
        ("blanks.csv", 'a, likes, b\n" b",likes ,c\n'),
        ("twice.tsv", "b\tlikes\tc\na\tlikes\tb\nb\tlikes\tc\n"),
    ],
)
def test_file_of_three_columns_is_read_whatever_its_form(
    name: str, content: str, write: WriteFile
) -> None:
    triples = read_file(write(name, content))
    assert as_texts(triples) == ["a likes b", "b likes c"]
    assert triples.entities.ids == ("a", "b", "c")
    assert triples.entities.types is None
    assert triples.entities.names is None
    assert triples.relations == ("likes",)
    assert triples.rows.tolist() == [[0, 0, 1], [1, 0, 2]]
    assert triples.rows.dtype == np.int64


def test_quotes_are_kept_between_tabs_and_read_between_commas(write: WriteFile) -> None:
    assert read_file(write("a.tsv", 'x "y\tis\t"z\n')).entities.ids == ('"z', 'x "y')
    csv = 'a,is,"b, or ""c""\nthere"\n'
    assert read_file(write("a.csv", csv)).entities.ids == ("a", 'b, or "c"\nthere')


def test_ids_are_ordered_as_python_orders_them(write: WriteFile) -> None:
    ids = ["Z", "a", "é", "ﬀ", "😀", "痛风"]
    triples = read_file(write("a.tsv", "".join(f"{one}\tis\tZ\n" for one in ids)))
    assert list(triples.entities.ids) == sorted(ids)


@pytest.mark.parametrize(
    "names", [("head", "relation", "tail"), ("subject", "predicate", "object")]
)
def test_parquet_is_read_by_the_names_of_its_columns(
    names: tuple[str, str, str], tmp_path: Path
) -> None:
    head, relation, tail = names
    columns: dict[str, pa.Array] = {
        tail: pa.array([7, 8]),
        "sources": pa.array([["x"], None]),
        head: pa.array(["a", " b"]).dictionary_encode(),
        relation: pa.array(["likes"] * 2, pa.large_string()),
    }
    pq.write_table(pa.table(columns), tmp_path / "edges.parquet")
    assert as_texts(read_file(tmp_path / "edges.parquet")) == ["a likes 7", "b likes 8"]


WRONG = {
    "a\tb\tc\nd\te\n": ", line 2: 2 columns separated by tabs, not 3; write head, relation and tail",
    "a\tb\tc\td\n": ", line 1: 4 columns separated by tabs, not 3; write head, relation and tail",
    "a b c\n": ", line 1: 1 columns separated by tabs, not 3; write head, relation and tail",
    "h\tr\tt\n\na\tb\t\n": ", line 3: a cell is empty; give it a head, a relation and a tail",
    "a\t  \tc\n": ", line 1: a cell is empty; give it a head, a relation and a tail",
    "id\thead\trelation\ttail\n1\ta\tb\tc\na\tb\tc\n": ", line 3: 3 columns separated by tabs, not 4;",
    "": ": there is no triple in it; give a file with at least one",
    "\n\n": ": there is no triple in it; give a file with at least one",
    "head\trelation\ttail\n": ": there is no triple in it; give a file with at least one",
}


@pytest.mark.parametrize("content", WRONG)
def test_wrong_text_is_refused_with_its_line(content: str, write: WriteFile) -> None:
    path = write("wrong.tsv", content)
    with pytest.raises(EmbeddingError, match="^" + re.escape(f"{path}{WRONG[content]}")):
        read_file(path)


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"a\tb\tc\nd\t\xff\tf\n", 2),
        ("a\tb\tc\n".encode("utf-16"), 1),
        ("\n关节炎\tb\tc\n".encode("gb18030"), 2),
    ],
)
def test_text_that_is_not_utf_8_is_refused_with_its_line(
    content: bytes, line: int, write: WriteFile
) -> None:
    path = write("wrong.tsv", content)
    with pytest.raises(EmbeddingError, match=rf"wrong.tsv, line {line}: not UTF-8 .*; convert"):
        read_file(path)


def test_line_of_a_file_with_quoted_line_breaks_is_the_one_where_the_row_ends(
    write: WriteFile,
) -> None:
    path = write("wrong.csv", '"a\nb",is,c\nd,is\n')
    with pytest.raises(EmbeddingError, match=r"wrong.csv, line 3: 2 columns separated by commas"):
        read_file(path)


def test_cell_that_is_longer_than_any_name_is_refused(write: WriteFile) -> None:
    path = write("wrong.tsv", "a" * 200_000 + "\tb\n")
    with pytest.raises(EmbeddingError, match=r"wrong.tsv: not a file of triples .*; give one"):
        read_file(path)


def test_file_that_cannot_be_read_is_refused(tmp_path: Path, write: WriteFile) -> None:
    with pytest.raises(EmbeddingError, match=r"none.tsv: cannot be read \(No such file"):
        read_file(tmp_path / "none.tsv")
    (tmp_path / "folder.parquet").mkdir()
    with pytest.raises(EmbeddingError, match=r"folder.parquet: cannot be read \(Is a directory"):
        read_file(tmp_path / "folder.parquet")
    with pytest.raises(EmbeddingError, match=r"a.json: not a file of triples .* \.tsv, \.txt"):
        read_file(write("a.json", "{}"))


@pytest.mark.parametrize(
    ("columns", "reason"),
    [
        ({"head": ["a"], "tail": ["b"]}, "its columns are head, tail; name three head, relation"),
        ({"head": ["a"], "relation": [["r"]], "tail": ["b"]}, "not a Parquet file with three"),
        ({"h": ["a", "b"], "r": ["r", None], "t": ["b"] * 2}, ", row 2: a cell is empty"),
        ({"h": ["a", " "], "r": ["r", "s"], "t": ["b"] * 2}, ", row 2: a cell is empty"),
        ({"h": pa.array([], "string"), "r": pa.array([], "string"), "t": pa.array([], "string")}, ": there is no triple in it"),
    ],
)  # fmt: skip
def test_wrong_parquet_is_refused(
    columns: dict[str, list[str]], reason: str, tmp_path: Path
) -> None:
    path = tmp_path / "wrong.parquet"
    pq.write_table(pa.table(columns), path)
    with pytest.raises(EmbeddingError, match=f"^{re.escape(str(path))}.*{re.escape(reason)}"):
        read_file(path)


def test_text_by_the_name_of_parquet_is_refused(write: WriteFile) -> None:
    with pytest.raises(EmbeddingError, match=r"a.parquet: not a Parquet file .*; make it again"):
        read_file(write("a.parquet", "a\tb\tc\n"))


names = (
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\t\n\r"))
    .map(str.strip)
    .filter(bool)
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(facts=st.sets(st.tuples(names, names, names), min_size=1, max_size=8))
def test_what_is_written_with_tabs_is_read_again(
    facts: set[tuple[str, str, str]], write: WriteFile
) -> None:
    lines = ["head\trelation\ttail", *("\t".join(fact) for fact in facts)]
    triples = read_file(write("any.tsv", "\n".join(lines)))
    ids, relations = triples.entities.ids, triples.relations
    got = [(ids[h], relations[r], ids[t]) for h, r, t in triples.rows]
    assert got == sorted(facts)


def test_distinct_rows_are_the_same_of_numbers_too_large_to_be_coded() -> None:
    rows = np.array([[3, 1, 2], [0, 5, 1], [3, 1, 2], [3, 0, 9]])
    far = np.array([2**40, 2**40, 1])
    assert (distinct(rows) == np.unique(rows, axis=0)).all()
    assert (distinct(rows * far) == distinct(rows) * far).all()


# splits


def write_split(write: WriteFile, train: str, valid: str, test: str) -> Path:
    """Facts separated by a comma and a blank."""
    for name, facts in {"train.txt": train, "valid.tsv": valid, "test.txt": test}.items():
        path = write(name, "".join(f"{fact}\n".replace(" ", "\t") for fact in facts.split(", ")))
    return path.parent


def test_given_split_is_read_as_it_is(write: WriteFile) -> None:
    given_split = read_split(write_split(write, "b r c, a r b, c s a", "a r c", "b s a, a s b"))
    split = given_split.split
    assert (given_split.repeated, given_split.unseen) == (0, 0)
    assert split.entities.ids == ("a", "b", "c")
    assert split.relations == ("r", "s")
    assert split.train.tolist() == [[0, 0, 1], [1, 0, 2], [2, 1, 0]]
    assert split.valid.tolist() == [[0, 0, 2]]
    assert split.test.tolist() == [[0, 1, 1], [1, 1, 0]]


def test_triple_stays_in_the_first_part_that_has_it(write: WriteFile) -> None:
    folder = write_split(write, "a r b, b r c, a r b", "b r c, c r a", "a r b, c r a, b r a")
    given_split = read_split(folder)
    assert given_split.repeated == 3
    assert given_split.split.train.tolist() == [[0, 0, 1], [1, 0, 2]]
    assert given_split.split.valid.tolist() == [[2, 0, 0]]
    assert given_split.split.test.tolist() == [[1, 0, 0]]


UNSEEN = ("a r b, b r a", "a r a, a r new1", "b r b, b new2 a, new1 r b")


def test_split_with_unseen_entities_is_refused_with_their_number_and_names(
    write: WriteFile,
) -> None:
    message = r"3 triples of valid and test have one of 2 .* \(new1, new2\); keep them, .*or drop"
    with pytest.raises(EmbeddingError, match=message):
        read_split(write_split(write, *UNSEEN))


def test_split_with_unseen_entities_is_kept_whole_on_demand(write: WriteFile) -> None:
    given_split = read_split(write_split(write, *UNSEEN), unseen="keep")
    assert given_split.unseen == 3
    assert given_split.split.entities.ids == ("a", "b", "new1")
    assert given_split.split.relations == ("new2", "r")
    assert len(given_split.split.known) == 7


def test_triples_with_unseen_entities_are_dropped_on_demand(write: WriteFile) -> None:
    given_split = read_split(write_split(write, *UNSEEN), unseen="drop")
    assert given_split.unseen == 3
    assert given_split.split.entities.ids == ("a", "b")
    assert given_split.split.relations == ("r",)
    assert given_split.split.valid.tolist() == [[0, 0, 0]]
    assert given_split.split.test.tolist() == [[1, 0, 1]]


@pytest.mark.parametrize(
    ("valid", "test", "part"), [("a r b", "b r b", "valid"), ("b r b", "a r new", "test")]
)
def test_split_whose_part_is_left_empty_is_refused(
    valid: str, test: str, part: str, write: WriteFile
) -> None:
    with pytest.raises(EmbeddingError, match=rf"{part} is left without a triple, .*; give"):
        read_split(write_split(write, "a r b", valid, test), unseen="drop")


def test_split_needs_each_part_once(write: WriteFile) -> None:
    folder = write("train.tsv", "a\tr\tb\n").parent
    with pytest.raises(EmbeddingError, match=r"no valid part; .*valid\.tsv, valid\.txt, valid"):
        read_split(folder)
    write("train.csv", "a,r,b\n")
    with pytest.raises(EmbeddingError, match=r"both train\.tsv and train\.csv are there; leave"):
        read_split(folder)


@pytest.mark.parametrize(
    ("name", "sizes", "entities", "unseen"),
    [
        ("nations", (1592, 199, 201), 14, 0),
        ("umls", (5216, 652, 661), 135, 0),
        ("WN18RR", (86835, 3034, 3134), 40943, 420),
        ("FB15k-237", (272115, 17535, 20466), 14541, 37),
    ],
)
def test_published_split_has_the_published_sizes(
    name: str, sizes: tuple[int, ...], entities: int, unseen: int, shared_data: Path
) -> None:
    found = read_split(shared_data / "kge" / name, unseen="keep")
    split = found.split
    assert tuple(map(len, (split.train, split.valid, split.test))) == sizes
    assert (len(split.entities), found.repeated, found.unseen) == (entities, 0, unseen)


# stores

NODES = (
    ("D:1", "Disease", "gout"),
    ("D:2", "Disease", "flu"),
    ("S:1", "Symptom", "fever"),
    ("C:1", "Drug", "aspirin"),
    ("C:2", "Drug", "of no fact"),
    ("U:1", "Concept", "Gout"),
    ("T:1", "Section", "on gout"),
)
EDGES = (
    ("D:1", "HAS_CUI", "U:1"),
    ("D:1", "HAS_SECTION", "T:1"),
    ("D:1", "IS_A", "D:2"),
    ("D:2", "HAS_SYMPTOM", "S:1"),
    ("D:1", "TREATED_BY", "C:1"),
    ("D:1", "HAS_SYMPTOM", "D:2"),
)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with kg.connect(str(tmp_path / "graph.lbug")) as opened:
        opened.load(write_tables(tmp_path / "tables", nodes=NODES, edges=EDGES))
        yield opened


def test_graph_is_read_with_types_and_names_and_without_codes_and_texts(store: Store) -> None:
    triples = read_store(store)
    assert as_texts(triples) == [
        "D:1 HAS_SYMPTOM D:2",
        "D:1 IS_A D:2",
        "D:1 TREATED_BY C:1",
        "D:2 HAS_SYMPTOM S:1",
    ]
    assert triples.entities.ids == ("C:1", "D:1", "D:2", "S:1")
    assert triples.entities.types == ("Drug", "Disease", "Disease", "Symptom")
    assert triples.entities.names == ("aspirin", "gout", "flu", "fever")
    assert triples.relations == ("HAS_SYMPTOM", "IS_A", "TREATED_BY")


def test_what_is_no_knowledge_is_read_when_it_is_asked_for(store: Store) -> None:
    assert as_texts(read_store(store, ["HAS_SECTION", "IS_A"])) == [
        "D:1 HAS_SECTION T:1",
        "D:1 IS_A D:2",
    ]


def test_both_ends_are_of_the_types_asked_for(store: Store) -> None:
    assert as_texts(read_store(store, types=["Disease"])) == [
        "D:1 HAS_SYMPTOM D:2",
        "D:1 IS_A D:2",
    ]
    assert as_texts(read_store(store, ["HAS_SYMPTOM"], ["Disease", "Symptom"])) == [
        "D:1 HAS_SYMPTOM D:2",
        "D:2 HAS_SYMPTOM S:1",
    ]


def test_graph_is_the_same_however_many_facts_are_asked_for_at_once(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = as_texts(read_store(store))
    for at_once in (1, 3, 4):
        monkeypatch.setattr("kg.embeddings.reading._AT_ONCE", at_once)
        assert as_texts(read_store(store)) == whole


@pytest.mark.parametrize(
    ("relations", "types", "message"),
    [
        (["HAS_SYMPTOMS"], None, "no relation type 'HAS_SYMPTOMS'; the nearest are HAS_SYMPTOM"),
        (["treated by"], None, "no relation type 'treated by'; the nearest are TREATED_BY"),
        (["PREDICTED"], None, "no relation type 'PREDICTED'"),
        (["qqqq"], None, "no relation type 'qqqq'; known are HAS_SYMPTOM, LACKS_SYMPTOM"),
        (None, ["disease"], "no node type 'disease'; the nearest are Disease"),
    ],
)
def test_unknown_types_are_refused_with_those_that_are_near(
    relations: list[str] | None, types: list[str] | None, message: str, store: Store
) -> None:
    with pytest.raises(EmbeddingError, match=re.escape(message)):
        read_store(store, relations, types)


@pytest.mark.parametrize(
    ("relations", "types", "message"),
    [
        (["TARGETS"], None, "no fact there has one of the relations TARGETS; 'medkg query"),
        (["IS_A"], ["Drug", "Gene"], "has one of the relations IS_A between Drug and Gene;"),
        (None, ["Food"], "no fact there has a relation between Food;"),
    ],
)
def test_selection_without_a_fact_is_refused(
    relations: list[str] | None, types: list[str] | None, message: str, store: Store
) -> None:
    with pytest.raises(EmbeddingError, match=re.escape(message)):
        read_store(store, relations, types)


def test_empty_graph_is_refused(tmp_path: Path) -> None:
    with kg.connect(str(tmp_path / "graph.lbug")) as store:
        store.load(write_tables(tmp_path / "tables", nodes=(), edges=()))
        with pytest.raises(EmbeddingError, match=r"graph\.lbug: no fact there has a relation;"):
            read_store(store)


class ChangedStore(EmbeddedStore):
    """A graph that had one thing less when its things were asked for."""

    def query(self, asked: str | Query, /, **arguments: Value) -> Rows:
        answer = super().query(asked, **arguments)
        if asked == "graph.entities":
            return Rows(answer.columns, tuple(row for row in answer.rows if row[0] != "D:2"))
        return answer


def test_graph_that_is_changed_meanwhile_is_refused(store: Store) -> None:
    with (
        ChangedStore(Path(store.uri)) as changed,
        pytest.raises(EmbeddingError, match=r"graph was changed meanwhile \(D:2 is not known\)"),
    ):
        read_store(changed)
