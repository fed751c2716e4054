"""Runs laid over a graph, on both engines."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from evalsim.cases.drawing import graph_checksum
from evalsim.dialogue import EndReason, Instruction, Turn
from evalsim.layer import check_name, layer_of_runs
from evalsim.running.logs import HeldDialogue
from kg.configuration import Settings
from kg.errors import EvaluationError, MedKGError, StoreError
from kg.layers import LayerRows, apply_layers, remove_layer, write_layer
from kg.linking import Linker
from kg.progress import Silent
from kg.stores.connection import connect
from kg.stores.store import Store
from kg.tables import GraphTables
from tests.cypher.conftest import write_small_graph
from tests.evalsim.held import (
    a_case,
    a_run,
    diagnosed,
    held,
    in_chinese,
    judgement,
    not_diagnosed,
)

pytestmark = pytest.mark.xdist_group("java")

HOSTILE = "a\x00b \"'}) DETACH DELETE n // <script>\u202e 🤒 \\ \n\t"


def _one_turn(name: str, **changed: object) -> HeldDialogue:
    """A dialogue of one turn about gout."""
    turn = Turn(
        number=1,
        instruction=Instruction(intent="open"),
        patient="Hello.",
        doctor="It is gout.",
        judgements=(judgement(3),),
    )
    return held(a_run(name), a_case(**changed), [turn], EndReason.DIAGNOSED)


def _hostile() -> HeldDialogue:
    turn = Turn(
        number=1,
        instruction=Instruction(intent="open"),
        patient=HOSTILE,
        doctor="🤒 arthralgia",
        judgements=(
            judgement(1, reason=HOSTILE, facts=(HOSTILE,), flags=(HOSTILE, "")),
            judgement(float("nan")),
        ),
    )
    settings = {"seed": True, "limit": float("inf"), "at": Path("x")}
    return held(a_run("run-5", settings=settings), a_case(id="hostile"), [turn], None)


def _cut() -> Iterator[HeldDialogue]:
    """Run 6: a dialogue that never began, and one whose doctor never replied."""
    yield held(a_run("run-6"), a_case(), [], None)
    turn = Turn(number=1, instruction=Instruction(intent="open"), patient="Hello.")
    cut = held(a_run("run-6"), a_case(), [turn], EndReason.DOCTOR_FAILED)
    yield replace(cut, repeat=2)


RUNS = (
    diagnosed(),
    not_diagnosed(),
    _one_turn("run-2b", id="other"),
    replace(_one_turn("run-2b", area="skin"), repeat=2),
    in_chinese(),
    _hostile(),
    *_cut(),
)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> GraphTables:
    return write_small_graph(tmp_path_factory.mktemp("graph") / "small")


@pytest.fixture(scope="module")
def linker(graph: GraphTables, tmp_path_factory: pytest.TempPathFactory) -> Linker:
    with connect(str(tmp_path_factory.mktemp("linker") / "g.lbug")) as store:
        store.load(graph)
        return Linker.of_store(store)


@pytest.fixture(
    scope="module", params=["embedded", pytest.param("neo4j", marks=pytest.mark.neo4j)]
)
def laid(
    request: pytest.FixtureRequest,
    graph: GraphTables,
    linker: Linker,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Store]:
    """A graph with all the runs."""
    folder = tmp_path_factory.mktemp("laid")
    if request.param == "embedded":
        opened = connect(str(folder / "g.lbug"))
    else:
        settings: Settings = request.getfixturevalue("neo4j_settings")
        opened = connect(settings=settings)
    with opened:
        opened.load(graph)
        assert lay(opened, folder, RUNS, linker) == 0
        yield opened


@pytest.fixture
def store(graph: GraphTables, tmp_path: Path) -> Iterator[Store]:
    """A graph without runs."""
    with connect(str(tmp_path / "g.lbug")) as opened:
        opened.load(graph)
        yield opened


def lay(
    store: Store,
    folder: Path,
    dialogues: Iterable[HeldDialogue],
    linker: Linker,
    name: str = "evaluation",
) -> int:
    """Apply the layer of some dialogues; how many of its rows did not fit."""
    n = len(list(folder.glob("made-*")))
    layer = layer_of_runs(dialogues, folder / f"made-{n}", name, linker.link)
    applied = apply_layers([layer.folder], store, folder / "layers", Silent(), replace=True)
    return sum(map(len, applied.changed.left_out.values()))


def ask(store: Store, name: str, *columns: str, **arguments: str) -> list[tuple[object, ...]]:
    rows = store.query(f"evaluation.{name}", **arguments).dicts()
    return [tuple(row[column] for column in columns) for row in rows]


def test_runs_are_listed_with_who_played(laid: Store) -> None:
    columns = ("run_id", "task", "language", "model", "director", "complete", "dialogues")
    director = "medkg/director"
    assert ask(laid, "runs", *columns) == [
        ("run-1", "diagnosis", "en", "doctor of run-1", director, True, 1),
        ("run-2b", "diagnosis", "en", "doctor of run-2b", director, True, 2),
        ("run-5", "diagnosis", "en", "doctor of run-5", director, True, 1),
        ("run-6", "diagnosis", "en", "doctor of run-6", director, True, 2),
        ("run-2", "diagnosis", "en", "doctor of run-2", director, False, 1),
        ("run-3", "medication", "zh", "doctor of run-3", None, True, 1),
    ]
    assert ask(laid, "runs", "started")[3:] == [
        ("2026-11-23T13:30:00.000Z",),
        ("2026-11-23T13:40:00.123Z",),
        ("2026-11-23T14:00:00.000Z",),
    ]


def test_what_is_mentioned_asked_for_and_released_is_told_turn_by_turn(laid: Store) -> None:
    columns = ("number", "role", "relation", "entity_id", "start", "stop", "negated")
    pain, swelling, fever = "HP:0002829", "HP:0001386", "HP:0001945"
    assert ask(laid, "dialogue_entities", *columns, dialogue="run-1/gout-en/1") == [
        (1, "patient", "MENTIONS", pain, 7, 17, False),
        (1, "patient", "MENTIONS", fever, 26, 31, True),
        (1, "patient", "RELEASES", pain, None, None, False),
        (1, "doctor", "ASKS_FOR", swelling, None, None, None),
        (1, "doctor", "ASKS_FOR", fever, None, None, None),
        (1, "doctor", "MENTIONS", swelling, 12, 26, False),
        (1, "doctor", "MENTIONS", fever, 33, 38, False),
        (2, "patient", "MENTIONS", swelling, 5, 19, False),
        (2, "patient", "MENTIONS", "MONDO:0005393", 27, 31, False),
        (2, "patient", "RELEASES", swelling, None, None, False),
        (2, "patient", "RELEASES", fever, None, None, True),
        (2, "doctor", "MENTIONS", "MONDO:0005393", 6, 10, False),
        (2, "doctor", "MENTIONS", "DRUGBANK:DB00437", 17, 28, False),
    ]
    assert ask(laid, "dialogue_entities", *columns, dialogue="run-3/propranolol-zh/1") == [
        (1, "patient", "MENTIONS", "MONDO:0004979", 2, 4, False),
        (1, "patient", "MENTIONS", fever, 7, 9, True),
        (1, "patient", "MENTIONS", "DRUGBANK:DB00571", 12, 16, False),
        (1, "patient", "RELEASES", "MONDO:0004979", None, None, False),
        (1, "doctor", "MENTIONS", "MONDO:0004979", 0, 2, False),
        (1, "doctor", "MENTIONS", "DRUGBANK:DB00571", 8, 12, False),
    ]


def test_dialogue_is_told_as_it_went_and_what_broke_a_rule(laid: Store) -> None:
    assert ask(
        laid, "dialogue", "number", "role", "text", "violations", dialogue="run-2/gout-en/1"
    ) == [
        (1, "patient", "I have arthralgia.", []),
        (1, "doctor", "Tell me more.", []),
        (2, "patient", "What do you mean?", []),
        (2, "doctor", "", []),
    ]
    broken = ("dialogue_id", "number", "violations", "violations_about", "text")
    assert ask(laid, "broken_rules", *broken, run="run-1") == [
        (
            *("run-1/gout-en/1", 2, ["named the target"], ["gout"]),
            "Yes, joint swelling. Is it gout?",
        )
    ]
    assert ask(laid, "broken_rules", *broken, run="run-2") == []
    flagged = ("dialogue_id", "number", "judge", "safety_flags", "reason")
    assert ask(laid, "safety_flags", *flagged, run="run-1") == [
        ("run-1/gout-en/1", 2, "medkg/judge", ["treated too early"], "asked too little")
    ]


def test_findings_that_a_doctor_never_asks_for_are_counted(laid: Store) -> None:
    columns = ("entity_id", "dialogues", "told")
    assert ask(laid, "findings_not_asked", *columns, run="run-1") == [
        ("HP:0002149", 1, 0),
        ("HP:0002829", 1, 1),
    ]
    assert ask(laid, "findings_not_asked", *columns, run="run-2") == [
        ("HP:0001386", 1, 0),
        ("HP:0002149", 1, 0),
        ("HP:0002829", 1, 1),
    ]
    assert ask(laid, "findings_not_asked", *columns, run="run-3") == []


def test_scores_are_told_by_area_kind_and_difficulty_and_unscored_ones_counted(
    laid: Store,
) -> None:
    columns = ("metric", "cases", "judged", "scored", "mean_score")
    expected = [
        ("correctness", 1, 2, 2, 1.5),
        ("history_taking", 1, 2, 1, 2.0),
        ("safety", 1, 1, 0, None),
    ]
    for group, value in (("area", "joints"), ("kind", "metabolic"), ("difficulty", "easy")):
        rows = ask(laid, f"scores_by_{group}", group, *columns, run="run-1")
        assert rows == [(value, *row) for row in expected]
    ends = ("area", "end_reason", "dialogues", "mean_turns")
    assert ask(laid, "ends_by_area", *ends, run="run-2") == [("joints", "silent", 1, 2.0)]
    lowest = ask(laid, "lowest_dialogues", "dialogue_id", "area", "mean_score", run="run-2")
    assert lowest == [("run-2/gout-en/1", "joints", 0.0)]


def test_runs_are_compared_on_the_cases_that_both_have(laid: Store) -> None:
    columns = ("repeat", "end_reason", "other_end_reason", "mean_score", "other_mean_score")
    assert ask(laid, "compare_runs", *columns, "difference", run="run-1", other="run-2") == [
        (1, "diagnosed", "silent", 1.5, 0.0, -1.5)
    ]
    for other in ("run-1", "run-2b", "run-3"):  # itself, other facts or repeats, another task
        assert ask(laid, "compare_runs", *columns, run="run-1", other=other) == []


def test_judgements_of_a_case_are_told_run_by_run_with_what_they_stand_on(laid: Store) -> None:
    ((case,),) = ask(laid, "lowest_dialogues", "case_id", run="run-1")
    columns = ("run_id", "number", "metric", "score", "reason", "based_on")
    assert ask(laid, "judgements_of_case", *columns, case_id=str(case)) == [
        ("run-1", 1, "correctness", 0.0, "it is the disease", "[]"),
        ("run-1", 1, "history_taking", 2.0, "it is the disease", '["it separates"]'),
        ("run-1", 2, "correctness", 3.0, "it is the disease", "[]"),
        ("run-1", 2, "history_taking", None, "unreadable", "[]"),
        ("run-1", 2, "safety", None, "asked too little", "[]"),
        ("run-2", 1, "correctness", 0.0, "it is the disease", "[]"),
    ]


def test_same_dialogues_give_the_same_layer_in_whatever_order_and_replace_it(
    store: Store, linker: Linker, tmp_path: Path
) -> None:
    lay(store, tmp_path, RUNS, linker)
    before = (store.stamp(), store.counts())
    lay(store, tmp_path, [*reversed(RUNS), RUNS[0]], linker)
    assert (store.stamp(), store.counts()) == before
    lay(store, tmp_path, RUNS[:1], linker)
    assert [row[0] for row in store.query("evaluation.runs").rows] == ["run-1"]


def test_graph_knows_what_it_knew_before_the_runs_were_laid(laid: Store, store: Store) -> None:
    (stamp, before) = (laid.stamp(), store.stamp())
    assert stamp
    assert before
    assert [name for name, _ in stamp.layers] == ["evaluation"]
    assert stamp.knowledge == before
    assert graph_checksum(laid) == graph_checksum(store)


def test_dialogue_that_was_judged_again_is_compared_with_what_it_was(
    store: Store, linker: Linker, tmp_path: Path
) -> None:
    second = replace(_one_turn("run-1"), repeat=2)
    again = replace(_one_turn("run-7"), sample="run-1 gout-en 2")
    lay(store, tmp_path, [_one_turn("run-1"), second, again], linker)
    compared = ask(store, "compare_runs", "repeat", "dialogue_id", run="run-1", other="run-7")
    assert compared == [(2, "run-1/gout-en/2")]


def test_case_that_two_layers_have_is_one_and_outlives_the_first(
    store: Store, linker: Linker, tmp_path: Path
) -> None:
    lay(store, tmp_path, RUNS[:1], linker, "first")
    assert lay(store, tmp_path, RUNS[1:2], linker, "second") == 1  # the case
    compared = ask(store, "compare_runs", "difference", run="run-1", other="run-2")
    assert compared == [(-1.5,)]
    with pytest.raises(StoreError, match="layer second depends on layer first; remove second"):
        remove_layer("first", store, tmp_path / "layers", Silent())
    assert lay(store, tmp_path, [in_chinese()], linker, "first") == 0
    assert ask(store, "lowest_dialogues", "area", "mean_score", run="run-2") == [("joints", 0.0)]


def test_entity_that_the_graph_lacks_is_listed_and_the_rest_laid(
    store: Store, linker: Linker, tmp_path: Path
) -> None:
    unknown = a_case().target.model_copy(update={"id": "MONDO:404"})
    lost = _one_turn("run-4", target=unknown)
    assert lay(store, tmp_path, [lost], linker) == 1
    (row,) = pq.read_table(tmp_path / "layers" / "evaluation" / "left_out.parquet").to_pylist()
    assert (row["table"], row["tail"]) == ("record_edges/ABOUT.parquet", "MONDO:404")
    assert ask(store, "lowest_dialogues", "mean_score", run="run-4") == [(3.0,)]


def test_hostile_words_are_kept_as_they_are_but_for_what_is_no_character(laid: Store) -> None:
    kept = HOSTILE.replace("\x00", "\ufffd")
    dialogue = "run-5/hostile/1"
    texts = ask(laid, "dialogue", "text", dialogue=dialogue)
    assert texts == [(kept,), ("🤒 arthralgia",)]
    assert ask(laid, "safety_flags", "safety_flags", "reason", run="run-5") == [([kept, ""], kept)]
    assert ("HP:0002829", 2, 12) in ask(
        laid, "dialogue_entities", "entity_id", "start", "stop", dialogue=dialogue
    )
    assert ask(laid, "scores_by_area", "judged", "scored", run="run-5") == [(2, 1)]


def test_dialogue_without_a_turn_or_a_reply_is_laid(laid: Store) -> None:
    ends = ask(laid, "ends_by_area", "end_reason", "mean_turns", run="run-6")
    assert ends == [("doctor failed", 1.0), (None, 0.0)]
    assert ask(laid, "dialogue", "role", dialogue="run-6/gout-en/2") == [("patient",)]


def test_nothing_to_lay_is_said(tmp_path: Path, linker: Linker) -> None:
    with pytest.raises(EvaluationError, match="the logs hold no dialogue; run 'medkg eval"):
        layer_of_runs([], tmp_path / "x", "evaluation", linker.link)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("a/b", "'a/b' is no name of a layer; use letters, digits"),
        ("", "'' is no name of a layer; use letters, digits"),
        ("check", "the layer check holds something else than runs; give another --name"),
    ],
)
def test_name_that_is_none_or_is_taken_is_refused(
    tmp_path: Path, linker: Linker, name: str, why: str
) -> None:
    write_layer(tmp_path / "check", "check", LayerRows(), "medkg 1 check")
    layer_of_runs(RUNS, tmp_path / "evaluation", "evaluation", linker.link)
    check_name("evaluation", tmp_path)
    check_name("other", tmp_path)
    with pytest.raises(MedKGError, match=why):
        check_name(name, tmp_path)


def test_log_whose_time_is_none_is_named(tmp_path: Path, linker: Linker) -> None:
    wrong = replace(diagnosed(), run=a_run("run-1", started="yesterday"))
    with pytest.raises(EvaluationError, match=r"run-1.eval: 'yesterday' is no time; give a log"):
        layer_of_runs([wrong], tmp_path / "x", "evaluation", linker.link)
