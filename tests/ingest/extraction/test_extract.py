"""From question banks to candidates, to a table, to a graph."""

import csv
import json
from pathlib import Path

import pytest

import kg
from ingest.build import build
from ingest.configuration import read_config
from ingest.extraction.writing import COLUMNS, summary, write
from kg.configuration import Settings
from kg.errors import ConfigurationError
from kg.progress import Silent
from kg.tables import GraphTables
from tests.conftest import CommandLine
from tests.ingest.extraction.conftest import Extract, said
from tests.ingest.rows import rows_of

CASE = {
    "id": 7,
    "context": [
        "A girl has had fever and cough for two days",
        "She denies headache",
        "Her mother has joint pain",
        "Her past medical history includes nausea",
    ],
    "question": "What is the most likely diagnosis?",
    "options": {"A": "Measles", "B": "Gout"},
    "answer": "Measles",
}


def lines(*records: object) -> str:
    return "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)


# --- questions with their answers ------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "answer", "triple"),
    [
        (
            "Which of the following drugs is contraindicated in patients with asthma?",
            "Propranolol",
            ("propranolol", "CONTRAINDICATED_FOR", "asthma"),
        ),
        (
            "What is the drug of choice for gout?",
            "Allopurinol",
            ("allopurinol", "INDICATED_FOR", "gout"),
        ),
        (
            "Colchicine commonly causes ____",
            "nausea",
            ("colchicine", "HAS_ADVERSE_REACTION", "nausea"),
        ),
        ("治疗痛风的药物是", "别嘌醇", ("gout", "TREATED_BY", "allopurinol")),
        ("哮喘患者禁用（ ）", "普萘洛尔", ("propranolol", "CONTRAINDICATED_FOR", "asthma")),
    ],
)
def test_question_is_read_with_its_answer(
    extract_file: Extract, question: str, answer: str, triple: tuple[str, str, str]
) -> None:
    found = extract_file(lines({"question": question, "answer": answer}), "exam.jsonl")
    assert said(found) == [triple]
    assert list(found.triples[0].places) == [f"exam:1/question#char=0,{len(question)}"]


@pytest.mark.parametrize(
    "question",
    [
        "Which of the following drugs is not contraindicated in asthma?",
        "All of these are contraindicated in asthma except ____",
        "下列哪种药物不引起恶心",
    ],
)
def test_question_for_an_exception_says_nothing(extract_file: Extract, question: str) -> None:
    record = {"question": question, "answer": "Allopurinol"}
    assert said(extract_file(lines(record), "exam.jsonl")) == []


def test_case_shows_the_symptoms_of_its_diagnosis(extract_file: Extract) -> None:
    found = extract_file(lines(CASE), "exam.jsonl")
    assert [(t.head, t.relation, t.tail, t.confidence, list(t.places)) for t in found.triples] == [
        ("measles", "HAS_SYMPTOM", "fever", 0.6, ["exam:7/context/0#char=0,43"]),
        ("measles", "HAS_SYMPTOM", "cough", 0.6, ["exam:7/context/0#char=0,43"]),
    ]
    assert dict(found.dropped) == {"denied": 1, "said of a relative": 1}


def test_triple_has_its_best_confidence_and_all_its_questions(extract_file: Extract) -> None:
    found = extract_file(
        "Gout is often treated with allopurinol.\n\nGout treated with allopurinol."
    )
    [triple] = found.triples
    assert triple.confidence == pytest.approx(0.9)
    assert (triple.cue, list(triple.questions)) == ("treated with", ["exam:1", "exam:2"])
    assert list(triple.places) == ["exam:2/text#char=0,30", "exam:1/text#char=0,39"]


def test_symmetric_relation_is_told_once(extract_file: Extract) -> None:
    found = extract_file("Aspirin interacts with warfarin.\n\nWarfarin interacts with aspirin.")
    [triple] = found.triples
    assert (triple.head_id, triple.tail_id) == ("DRUGBANK:DB00682", "DRUGBANK:DB00945")
    assert len(triple.questions) == 2


# --- the table -------------------------------------------------------------------------------


def test_table_has_a_row_a_triple(tmp_path: Path, extract_file: Extract) -> None:
    out = tmp_path / "triples.tsv"
    write(extract_file("His gout was treated with allopurinol.").triples, out)
    with out.open(encoding="utf-8") as file:
        [row] = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
    assert tuple(row) == COLUMNS
    assert row == {
        "head_id": "MONDO:0005393",
        "head": "gout",
        "head_type": "Disease",
        "relation": "TREATED_BY",
        "tail_id": "DRUGBANK:DB00437",
        "tail": "allopurinol",
        "tail_type": "Drug",
        "confidence": "0.684",
        "questions": "1",
        "cue": "treated with",
        "language": "en",
        "question": "exam:1/text#char=0,38",
    }


def test_table_that_cannot_be_written_leaves_what_stood_there(
    tmp_path: Path, extract_file: Extract, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "triples.tsv"
    out.write_text("mine", encoding="utf-8")
    triples = extract_file("Gout is treated with allopurinol.").triples

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", stopped)
    with pytest.raises(KeyboardInterrupt):
        write(triples, out)
    assert out.read_text(encoding="utf-8") == "mine"
    assert [path.name for path in tmp_path.glob("*triples*")] == ["triples.tsv"]


def test_table_of_another_format_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"t\.xls: write \.tsv or \.jsonl"):
        write([], tmp_path / "t.xls")


def test_summary_counts_by_relation(extract_file: Extract) -> None:
    rows = summary(extract_file("Gout is treated with allopurinol or aspirin.").triples)
    assert rows.columns == ("relation", "triples", "questions", "mean confidence")
    assert [row[:3] for row in rows.rows] == [("TREATED_BY", 2, 1)]


# --- the whole way ---------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["tsv", "jsonl"])
def test_extracted_triples_become_edges_with_weight_and_evidence(
    tmp_path: Path, extract_file: Extract, ending: str
) -> None:
    text = "Gout is treated with allopurinol.\n\nPropranolol is contraindicated in asthma."
    write(extract_file(text).triples, tmp_path / f"triples.{ending}")
    config = tmp_path / "build.yaml"
    config.write_text(
        f"sources:\n- {{kind: triples, name: exam, file: triples.{ending}, min_confidence: 0.86}}",
        encoding="utf-8",
    )
    home = tmp_path / "home"
    with kg.connect(None, Settings(home=home)) as store:
        result = build(read_config(config), home, store, Silent())
    tables = GraphTables(home / "tables")
    columns = ("head", "tail", "weight", "evidence", "sources")
    assert rows_of(tables.edges("CONTRAINDICATED_FOR"), *columns) == [
        (
            *("DRUGBANK:DB00571", "MONDO:0004979", 0.9025),
            *("exam:2/text#char=0,41", ["exam"]),
        )
    ]
    assert not tables.edges("TREATED_BY").exists()
    [reason] = result.report.reasons
    assert (reason.reason, reason.count) == ("the confidence … is below 0.86", 1)


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The setting by which a command meets a graph of gout, asthma and allopurinol."""
    folder = tmp_path_factory.mktemp("known")
    (folder / "known.tsv").write_text(
        "head_id\thead\trelation\ttail_id\ttail\ttail_type\n"
        "DRUGBANK:DB00437\tallopurinol\tINDICATED_FOR\tMONDO:0005393\tgout\tDisease\n"
        "DRUGBANK:DB01234\tdexamethasone\tINDICATED_FOR\tMONDO:0004979\tasthma\tDisease\n",
        encoding="utf-8",
    )
    config = folder / "build.yaml"
    config.write_text("sources:\n- {kind: triples, name: known, file: known.tsv}\n")
    home = folder / "home"
    with kg.connect(None, Settings(home=home)) as store:
        build(read_config(config), home, store, Silent())
    return {"MEDKG_HOME": str(home)}


def test_command_writes_the_table_and_tells_what_it_left_out(
    tmp_path: Path, graph: dict[str, str], cli: CommandLine
) -> None:
    (tmp_path / "exam.txt").write_text(
        "Gout is treated with allopurinol. Gout is not caused by asthma.", encoding="utf-8"
    )
    run = cli("extract", "exam.txt", "--out", "triples.tsv", "--json", env=graph)
    assert run.code == 0, run.err
    assert json.loads(run.out) == [
        {"relation": "TREATED_BY", "triples": 1, "questions": 1, "mean confidence": 0.855}
    ]
    assert "1 candidates from 1 questions; left out: 1 denied." in run.err
    assert len((tmp_path / "triples.tsv").read_text(encoding="utf-8").splitlines()) == 2


def test_command_fails_after_all_records_that_can_be_used(
    tmp_path: Path, graph: dict[str, str], cli: CommandLine
) -> None:
    (tmp_path / "exam.jsonl").write_text(
        '{\n{"text": "Gout is treated with allopurinol."}\n', encoding="utf-8"
    )
    run = cli("extract", "exam.jsonl", "--json", env=graph)
    assert run.code == 1
    assert "exam:1: the line is not JSON" in run.err
    error = json.loads(run.err.splitlines()[-1])["error"]
    assert error["message"].startswith("1 records could not be used")
    [triple] = json.loads(run.out)
    assert (triple["head"], triple["tail"]) == ("gout", "allopurinol")
