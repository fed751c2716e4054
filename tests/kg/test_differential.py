"""The differential and the next question, on a graph of a few diseases."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log2
from pathlib import Path
from types import MappingProxyType

import pyarrow.parquet as pq
import pytest

import kg
from cypher import load_catalogue
from kg.differential import Evidence, Patient, assess, best_next_question, differential
from kg.errors import QuestionError
from kg.stores.store import Rows, Store, Value
from kg.tables import EDGE_COLUMNS, NODE_COLUMNS, GraphTables, arrow_table
from tests.kg.stores.conftest import write_tables

NODES = [
    *(("D:1", "Disease", "flu"), ("D:2", "Disease", "bronchitis"), ("D:3", "Disease", "gout")),
    *(("S:1", "Symptom", "cough"), ("S:2", "Symptom", "productive cough")),
    *(("S:3", "Symptom", "fever"), ("S:4", "Symptom", "tophus"), ("S:5", "Symptom", "chills")),
    *(("C:1", "Drug", "colchicine"), ("MONDO:0003105", "Disease", "prostate disorder")),
    *(("HP:0003581", "Modifier", "Adult onset"), ("HP:0003593", "Modifier", "Infantile onset")),
]
EDGES = [
    *(("D:1", "HAS_SYMPTOM", "S:1"), ("D:1", "HAS_SYMPTOM", "S:3"), ("D:1", "HAS_SYMPTOM", "S:5")),
    *(("D:2", "HAS_SYMPTOM", "S:2"), ("D:3", "HAS_SYMPTOM", "S:4"), ("S:2", "IS_A", "S:1")),
]
ALL = 2**15
"""Diseases, of which the background is the mean."""


def make_store(
    folder: Path,
    more: Sequence[tuple[str, str, str]] = (),
    edges: Mapping[tuple[str, str], Mapping[str, object]] = MappingProxyType({}),
    sources: Mapping[str, list[str]] = MappingProxyType({}),
    nodes: Sequence[tuple[str, str, str]] = NODES,
) -> Store:
    """The graph with further edges, columns of HAS_SYMPTOM edges, and the sources of nodes."""
    tables = write_tables(folder / "tables", nodes=nodes, edges=[*EDGES, *more], frequency=0.5)
    _change(tables, edges, sources)
    opened = kg.connect(str(folder / "graph.lbug"))
    opened.load(tables)
    return opened


def _change(
    tables: GraphTables,
    edges: Mapping[tuple[str, str], Mapping[str, object]],
    sources: Mapping[str, list[str]],
) -> None:
    file = tables.edges("HAS_SYMPTOM")
    rows = [
        {**r, **edges.get((r["head"], r["tail"]), {})} for r in pq.read_table(file).to_pylist()
    ]
    pq.write_table(arrow_table(EDGE_COLUMNS, rows), file)
    nodes = pq.read_table(tables.nodes).to_pylist()
    rows = [{**r, "sources": sources.get(r["id"], r["sources"])} for r in nodes]
    pq.write_table(arrow_table(NODE_COLUMNS, rows), tables.nodes)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with make_store(tmp_path) as opened:
        yield opened


def told(frequency: float, *of_all: float) -> float:
    """Bits of a present finding; ``of_all``: its frequencies in the diseases that have it."""
    return round(log2(1 + 10 * frequency / (sum(of_all) / ALL)), 4)


def leaking(frequency: float, *of_all: float) -> float:
    """The same of a finding that is a disease too, which is there by other causes as often."""
    return round(log2(1 + frequency / (sum(of_all) / ALL)), 4)


def ranked(store: Store, patient: Patient, **given: object) -> list[tuple[str, float]]:
    return [(c.id, c.score) for c in differential(store, patient, **given)]  # type: ignore[arg-type]


def test_finding_counts_by_its_frequency_above_other_causes(tmp_path: Path) -> None:
    with make_store(tmp_path, edges={("D:2", "S:2"): {"frequency": 0.25}}) as store:
        assert ranked(store, Patient(["S:1"])) == [
            ("D:1", told(0.5, 0.5, 0.25)),
            ("D:2", told(0.25, 0.5, 0.25)),
        ]


def test_frequency_that_nobody_states_is_three_in_ten(tmp_path: Path) -> None:
    with make_store(tmp_path, edges={("D:3", "S:4"): {"frequency": None}}) as store:
        assert ranked(store, Patient(["S:4"])) == [("D:3", told(0.3, 0.3))]


def test_finding_of_a_disease_with_fewer_findings_counts_more(tmp_path: Path) -> None:
    # as 'medkg check' computes it: 0.5 * 10 / (10 + n)
    told_of = {("D:1", "S:1"): {"likelihood": 0.25}, ("D:2", "S:2"): {"likelihood": 0.4}}
    with make_store(tmp_path, edges=told_of) as store:
        assert ranked(store, Patient(["S:1"])) == [
            ("D:2", told(0.4, 0.4, 0.25)),
            ("D:1", told(0.25, 0.4, 0.25)),
        ]


def test_absent_finding_counts_by_its_frequency_whatever_its_likelihood(tmp_path: Path) -> None:
    with make_store(tmp_path, edges={("D:1", "S:3"): {"likelihood": 0.1}}) as store:
        flu = next(c for c in differential(store, Patient(["S:1"], ["S:3"])) if c.id == "D:1")
        assert flu.against == (Evidence("S:3", "fever", round(log2(1 - 0.7 * 0.5), 4)),)


def test_finding_that_is_never_seen_is_none_of_the_disease(tmp_path: Path) -> None:
    never = {("D:3", "S:4"): {"frequency": 0.0}}
    with make_store(tmp_path, [("D:3", "HAS_SYMPTOM", "S:3")], never) as store:
        gout = next(c for c in differential(store, Patient(["S:3", "S:4"])) if c.id == "D:3")
        assert [e.id for e in gout.supporting] == ["S:3"]


def test_kind_of_a_finding_counts_as_the_finding(store: Store) -> None:
    bits = told(0.5, 0.5, 0.5)
    assert ranked(store, Patient(["S:1"])) == [("D:1", bits), ("D:2", bits)]


def test_more_general_finding_counts_as_the_background(store: Store) -> None:
    # bronchitis has a productive cough; flu a cough, which may be one. A disease that has
    # nothing but more general findings is none that the findings point to.
    (bronchitis,) = differential(store, Patient(["S:2"]))
    assert (bronchitis.id, bronchitis.matched) == ("D:2", 1)
    flu = next(c for c in differential(store, Patient(["S:2", "S:3"])) if c.id == "D:1")
    assert flu.supporting == (
        Evidence("S:3", "fever", told(0.5, 0.5)),
        Evidence("S:2", "productive cough", round(log2(11), 4)),
    )


def test_finding_that_another_one_is_a_kind_of_says_nothing_more(store: Store) -> None:
    assert differential(store, Patient(["S:1", "S:2"])) == differential(store, Patient(["S:2"]))


def test_disease_that_explains_less_of_what_is_present_falls(store: Store) -> None:
    flu, gout = differential(store, Patient(["S:3", "S:4", "S:5"]))
    bits = told(0.5, 0.5)
    assert [flu.id, gout.id] == ["D:1", "D:3"]
    assert [flu.score, gout.score] == pytest.approx([2 * bits, bits], abs=1e-3)
    assert flu.unexplained == (Evidence("S:4", "tophus", 0.0),)
    assert gout.unexplained == (Evidence("S:3", "fever", 0.0), Evidence("S:5", "chills", 0.0))
    assert differential(store, Patient(["S:3", "S:4", "S:5"]), limit=1) == [flu]


def test_absent_finding_speaks_against_by_its_frequency(store: Store) -> None:
    bits, against = told(0.5, 0.5, 0.5), log2(1 - 0.7 * 0.5)
    (bronchitis, flu) = differential(store, Patient(["S:1"], ["S:3"]))
    assert (bronchitis.id, bronchitis.score, bronchitis.against) == ("D:2", bits, ())
    assert flu.against == (Evidence("S:3", "fever", round(against, 4)),)
    assert flu.score == pytest.approx(bits + against, abs=1e-4)


def test_absent_finding_speaks_against_a_disease_with_a_kind_of_it(store: Store) -> None:
    (bronchitis,) = differential(store, Patient(["S:2"], ["S:1"]))
    assert [e.id for e in bronchitis.against] == ["S:1"]


def test_disease_that_more_sources_name_is_likelier_before_anything_is_known(
    tmp_path: Path,
) -> None:
    with make_store(tmp_path, sources={"D:2": ["a", "b", "c", "d"]}) as store:
        bits = told(0.5, 0.5, 0.5)
        first, second = differential(store, Patient(["S:1"]))
        assert (first.id, first.prior, first.score) == ("D:2", 4.0, bits + 4)
        assert (second.prior, second.score) == (0.0, bits)
        assert ranked(store, Patient(["S:1"]), prior="none") == [("D:1", bits), ("D:2", bits)]


def test_chances_of_all_that_the_findings_point_to_add_up_to_one(store: Store) -> None:
    chances = [c.chance for c in differential(store, Patient(["S:1", "S:3", "S:4"]))]
    assert sum(chances) == pytest.approx(1, abs=2e-4)
    assert chances == sorted(chances, reverse=True)


@pytest.mark.parametrize(
    ("said", "patient"),
    [
        ({"sex": "FEMALE"}, Patient(["S:3", "S:4"], sex="male")),
        ({"sex": "MALE"}, Patient(["S:3", "S:4"], sex="female")),
        ({"onset": "HP:0003584"}, Patient(["S:3", "S:4"], age=59)),
        ({"onset": "HP:0003596"}, Patient(["S:3", "S:4"], age=39)),
        ({"onset": "HP:0003581"}, Patient(["S:3", "S:4"], age=15.9)),
        ({"onset": "HP:0003621"}, Patient(["S:3", "S:4"], age=4)),
        ({"onset": "HP:0011463"}, Patient(["S:3", "S:4"], age=0)),
    ],
)
def test_finding_of_the_other_sex_or_a_later_age_is_none_of_the_disease(
    tmp_path: Path, said: dict[str, str], patient: Patient
) -> None:
    with make_store(tmp_path, edges={("D:3", "S:4"): said}) as store:
        assert [c.id for c in differential(store, patient)] == ["D:1"]


@pytest.mark.parametrize(
    ("said", "patient"),
    [
        ({"sex": "FEMALE"}, Patient(["S:4"], sex="female")),
        ({"sex": "FEMALE"}, Patient(["S:4"])),
        ({"sex": "FEMALE|MALE"}, Patient(["S:4"], sex="male")),
        ({"onset": "HP:0003584"}, Patient(["S:4"], age=60)),
        ({"onset": "HP:0003581"}, Patient(["S:4"], age=16)),
        ({"onset": "HP:0003577"}, Patient(["S:4"], age=0)),
        ({"onset": "HP:0003584"}, Patient(["S:4"])),
    ],
)
def test_finding_of_the_patients_sex_and_age_counts(
    tmp_path: Path, said: dict[str, str], patient: Patient
) -> None:
    with make_store(tmp_path, edges={("D:3", "S:4"): said}) as store:
        assert ranked(store, patient) == [("D:3", told(0.5, 0.5))]


def test_disease_that_begins_later_in_life_falls(tmp_path: Path) -> None:
    more = [("D:1", "HAS_MODIFIER", "HP:0003581"), ("D:2", "HAS_MODIFIER", "HP:0003593")]
    with make_store(tmp_path, more) as store:
        bits = told(0.5, 0.5, 0.5)
        child, adult = (differential(store, Patient(["S:1"], age=age)) for age in (15, 16))
        assert [(c.id, c.patient) for c in child] == [("D:2", 0.0), ("D:1", -3.3219)]
        assert [c.score for c in child] == pytest.approx([bits, bits + log2(0.1)], abs=1e-3)
        chance = 1 / (1 + 0.1**0.45)
        assert [c.chance for c in child] == pytest.approx([chance, 1 - chance], abs=1e-3)
        assert [(c.id, c.patient, c.chance) for c in adult] == [
            ("D:1", 0.0, 0.5),
            ("D:2", 0.0, 0.5),
        ]


def test_disease_of_the_other_sex_falls(tmp_path: Path) -> None:
    # bronchitis is a prostate disorder here
    more = [("D:2", "IS_A", "MONDO:0003105")]
    with make_store(tmp_path, more) as store:
        woman, man = (differential(store, Patient(["S:1"], sex=s)) for s in ("female", "male"))
        assert [(c.id, c.patient) for c in woman] == [("D:1", 0.0), ("D:2", -6.6439)]
        assert [(c.id, c.patient) for c in man] == [("D:1", 0.0), ("D:2", 0.0)]


def test_finding_that_has_findings_is_a_candidate_at_any_age(tmp_path: Path) -> None:
    with make_store(tmp_path, [("S:5", "HAS_SYMPTOM", "S:4")]) as store:
        found = differential(store, Patient(["S:4"], age=4))
        assert [(c.id, c.patient) for c in found] == [("D:3", 0.0), ("S:5", 0.0)]


@pytest.mark.parametrize("given", ["S:1", "D:1"])
def test_disease_that_is_also_a_finding_counts_under_either_id(tmp_path: Path, given: str) -> None:
    # flu is a finding of gout here, under the disease's id; of bronchitis, under the finding's
    more = [("D:3", "HAS_SYMPTOM", "D:1"), ("D:1", "CLOSE_MATCH", "S:1")]
    with make_store(tmp_path, more) as store:
        found = differential(store, Patient([given]))
        assert [c.id for c in found] == ["D:1", "D:2", "D:3"]
        assert found == differential(store, Patient(["S:1"]))


def test_disease_that_is_the_finding_is_thought_of(tmp_path: Path) -> None:
    more = [("D:404", "CLOSE_MATCH", "S:5")]
    nodes = [*NODES, ("D:404", "Disease", "chill")]
    with make_store(tmp_path, more, nodes=nodes) as store:
        bits = leaking(0.5, 0.5, 0.5)
        assert ranked(store, Patient(["S:5"])) == [("D:1", bits), ("D:404", bits)]
        against = differential(store, Patient(["S:3"], ["S:5"]), among=["D:1", "D:404"])
        assert [c.id for c in against] == ["D:1"]


def test_finding_that_is_a_disease_of_its_own_counts_less(tmp_path: Path) -> None:
    with make_store(tmp_path, [("D:1", "HAS_SYMPTOM", "D:3")]) as store:
        assert ranked(store, Patient(["D:3"])) == [("D:1", leaking(0.5, 0.5))]


def test_one_assessment_gives_the_differential_and_the_questions_by_one_scan(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    ask = store.query

    def query(name: str, /, **given: Value) -> Rows:
        asked.append(name)
        return ask(name, **given)

    monkeypatch.setattr(store, "query", query)
    patient = Patient(["S:1"], ["S:5"])
    found = assess(store, patient, limit=1, questions=1)
    assert asked == ["entity.labels", "symptom.differential", "symptom.askable"]
    assert found.candidates == differential(store, patient, limit=1)
    assert found.questions == best_next_question(store, patient, limit=1)


@pytest.mark.parametrize(
    ("present", "absent"), [(["S:1"], []), (["S:3"], ["S:1"]), (["S:2", "S:3"], []), ([], [])]
)
def test_questions_are_those_of_the_query(
    store: Store, present: list[str], absent: list[str]
) -> None:
    rows = store.query("symptom.best_next_question", present=present, absent=absent).rows
    questions = best_next_question(store, Patient(present, absent))
    assert [(q.id, q.name, q.name_zh, q.bits, q.having, q.chance) for q in questions] == [
        tuple(row) for row in rows
    ]


def test_among_some_diseases_their_scores_stay_and_their_chances_are_shared(store: Store) -> None:
    flu, bronchitis, gout = differential(store, Patient(["S:1", "S:3", "S:4"]))
    found = differential(store, Patient(["S:1", "S:3", "S:4"]), among=["D:2", "D:3", "D:404"])
    assert [(c.id, c.score) for c in found] == sorted(
        ((c.id, c.score) for c in (bronchitis, gout)), key=lambda pair: -pair[1]
    )
    assert sum(c.chance for c in found) == pytest.approx(1, abs=2e-4)
    assert flu.chance > 0.9


def test_nothing_present_points_to_nothing(store: Store) -> None:
    assert differential(store, Patient([])) == differential(store, Patient([], ["S:1"])) == []
    assert best_next_question(store, Patient([])) == []


def test_question_that_splits_the_candidates_is_asked(store: Store) -> None:
    # flu and bronchitis are equally likely; chills and fever are flu's alone: a chance of
    # (0.5 + 0.02) / 2, and a cough is asked no more
    questions = {q.id: q for q in best_next_question(store, Patient(["S:1"]))}
    assert set(questions) == {"S:2", "S:3", "S:5"}
    p = 0.02 + 0.96 * 0.5
    half = (p + 0.02) / 2
    bits = entropy(half) - (entropy(p) + entropy(0.02)) / 2
    assert questions["S:3"].chance == pytest.approx(half, abs=1e-4)
    assert questions["S:3"].bits == pytest.approx(bits, abs=1e-4)
    assert questions["S:3"].having == 1


def test_question_weighs_diseases_as_the_differential_does(tmp_path: Path) -> None:
    with make_store(tmp_path, sources={"D:1": ["a", "b", "c", "d"]}) as store:
        patient = Patient(["S:1"])
        flu, bronchitis = differential(store, patient)
        fever = next(q for q in best_next_question(store, patient) if q.id == "S:3")
        chance = flu.chance * 0.5 + bronchitis.chance * 0.02
        assert fever.chance == pytest.approx(chance, abs=1e-3)


def test_both_queries_scan_by_the_same_text() -> None:
    names = ("symptom.differential", "symptom.best_next_question")
    scans = {
        load_catalogue().find(name).text.partition("WITH disease, named")[0] for name in names
    }
    assert len(scans) == 1


def test_what_is_implied_or_ruled_out_is_not_asked(store: Store) -> None:
    # who has a productive cough has a cough; who has no cough has no productive one
    assert {q.id for q in best_next_question(store, Patient(["S:2", "S:3"]))} == {"S:5"}
    assert {q.id for q in best_next_question(store, Patient(["S:3"], ["S:1"]))} == {"S:5"}


@pytest.mark.parametrize("ask", [differential, best_next_question])
@pytest.mark.parametrize(
    ("patient", "message"),
    [
        (Patient(["S:1", "S:404"]), r"graph\.lbug: has no S:404; ask by ids .*'medkg link'"),
        (Patient(["S:1"], ["S:405", "S:404"]), r"graph\.lbug: has no S:404, S:405; ask by"),
        (Patient([f"S:40{n}" for n in range(7)]), r"has no S:400, .*, S:404 and 2 more; ask by"),
        (Patient(["S:1", ""]), r"graph\.lbug: has no ''; ask by"),
        (Patient(["S:1", "S:3"], ["S:3"]), "S:3: both present and absent; say one of the two"),
        (
            Patient(["C:1"], ["S:1"]),
            r"graph\.lbug: C:1 \(Drug\) is nothing that a patient has; give ids of",
        ),
        (Patient(["S:1"], age=-1), "-1: no age; give years from 0 to 130, e.g. 0.5"),
        (Patient(["S:1"], age=float("nan")), "nan: no age; give years from 0 to 130"),
        (Patient(["S:1"], sex="F"), "'F': no sex; give male or female"),  # type: ignore[arg-type]
    ],
)
def test_what_no_patient_is_or_has_is_refused(
    store: Store, ask: Callable[..., object], patient: Patient, message: str
) -> None:
    with pytest.raises(QuestionError, match=message):
        ask(store, patient)


def test_prior_that_is_none_is_refused(store: Store) -> None:
    with pytest.raises(QuestionError, match="'flat': no prior; give prevalence or none"):
        differential(store, Patient(["S:1"]), prior="flat")  # type: ignore[arg-type]


def test_disease_that_is_a_finding_of_another_may_be_given(store: Store) -> None:
    assert differential(store, Patient(["S:1"], ["D:3"])) == differential(store, Patient(["S:1"]))


@pytest.mark.parametrize("query", ["symptom.differential", "symptom.best_next_question"])
def test_query_leaves_out_unknown_ids_and_takes_what_is_both_for_present(
    store: Store, query: str
) -> None:
    usual = store.query(query, present=["S:1"])
    assert usual.rows
    assert store.query(query, present=["S:1", "S:404"], absent=["S:405"]) == usual
    assert store.query(query, present=["S:1"], absent=["S:1"]) == usual


def entropy(p: float) -> float:
    return -p * log2(p) - (1 - p) * log2(1 - p)
