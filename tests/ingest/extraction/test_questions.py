"""Question banks in their many forms."""

import gzip
import json
from pathlib import Path

import pytest

from ingest.extraction.questions import Broken, Passage, Question, read_questions
from kg.errors import SourceError

STEM = "Which drug lowers uric acid?"
OPTIONS = {"A": "Allopurinol", "B": "Colchicine"}
RIGHT = Question("bank:1", (Passage("question", STEM),), STEM, ("Allopurinol",))


def bank(folder: Path, *records: object, name: str = "bank.jsonl") -> Path:
    path = folder / name
    path.write_text("".join(f"{json.dumps(r)}\n" for r in records), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "record",
    [
        {"question": STEM, "options": OPTIONS, "answer": "Allopurinol", "answer_idx": "A"},
        {"question": STEM, "options": OPTIONS, "answer": "A"},
        {"question": STEM, "options": ["Allopurinol", "Colchicine"], "answer_idx": 0},
        {"question": STEM, "opa": "Allopurinol", "opb": "x", "opc": "y", "opd": "z", "cop": 0},
        {"question": STEM, "A": "Allopurinol", "B": "x", "C": "y", "D": "z", "answer": "A"},
        {
            "question": STEM,
            "answers": [
                {"text": "Colchicine", "correct": False},
                {"text": "Allopurinol", "correct": True},
            ],
        },
        {"id": 1, "question": STEM, "answer": ["Allopurinol"]},
    ],
    ids=["MedQA", "letter", "number", "MedMCQA", "NLPEC", "AgentClinic", "list"],
)
def test_right_answer_is_found(tmp_path: Path, record: dict[str, object]) -> None:
    assert list(read_questions(bank(tmp_path, record))) == [RIGHT]


def test_contexts_are_passages_with_their_places(tmp_path: Path) -> None:
    path = bank(tmp_path, {"id": "q 7", "context": ["A.", "B."], "question": "C?"})
    [question] = read_questions(path)
    assert question == Question(
        "bank:q_7",
        (Passage("context/0", "A."), Passage("context/1", "B."), Passage("question", "C?")),
        "C?",
    )


def test_case_is_asked_for_its_diagnosis(tmp_path: Path) -> None:
    case = {
        "Objective_for_Doctor": "Find what it is.",
        "Patient_Actor": {"Symptoms": {"Secondary_Symptoms": ["Fever", "Rash"]}},
        "Correct_Diagnosis": "Measles",
    }
    [question] = read_questions(bank(tmp_path, {"OSCE_Examination": case}))
    place = "OSCE_Examination/Patient_Actor/Symptoms/Secondary_Symptoms"
    assert question == Question(
        "bank:1",
        (Passage(f"{place}/0", "Fever"), Passage(f"{place}/1", "Rash")),
        "What is the most likely diagnosis?",
        ("Measles",),
    )


@pytest.mark.parametrize("content", [[{"question": "A?"}], {"9": {"question": "A?"}}])
def test_json_may_be_a_list_or_have_keys(tmp_path: Path, content: object) -> None:
    path = bank(tmp_path, content, name="bank.json")
    identifier = "bank:1" if isinstance(content, list) else "bank:9"
    assert list(read_questions(path)) == [Question(identifier, (Passage("question", "A?"),), "A?")]


def test_paragraphs_of_a_text_are_passages(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt.gz"
    path.write_bytes(gzip.compress(b"Gout.\nIt hurts.\n\n\nAsthma.\n"))
    assert list(read_questions(path)) == [
        Question("notes:1", (Passage("text", "Gout.\nIt hurts.\n"),)),
        Question("notes:2", (Passage("text", "Asthma.\n"),)),
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", "the line is not JSON"),
        ("3", "the record is not a JSON object"),
        ('{"a": 1}', "the record has no text under a key that is known"),
        ("[" * 100_000, "the line is not JSON"),
    ],
)
def test_broken_record_is_told_and_the_others_are_read(
    tmp_path: Path, line: str, reason: str
) -> None:
    path = tmp_path / "bank.jsonl"
    path.write_text(f'{line}\n\n{{"question": "A?"}}\n', encoding="utf-8")
    broken, question = read_questions(path)
    assert isinstance(broken, Broken)
    assert (broken.where, broken.reason.startswith(reason)) == ("bank:1", True)
    assert isinstance(question, Question)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("bank.csv", b"a", "no question bank that medkg reads; make it .jsonl, .json or .txt"),
        ("bank.json", b"{", "not JSON .* JSON lines need the ending .jsonl"),
        ("bank.json", b"3", "holds no list of questions"),
        ("bank.txt", b"", "the file is empty"),
        ("bank.txt", "痛风用别嘌醇治疗".encode("gb18030"), "not UTF-8 text"),
    ],
)
def test_file_that_cannot_be_read_is_told(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(SourceError, match=message):
        list(read_questions(path))


def test_real_banks_are_read(shared_data: Path) -> None:
    counts = {}
    for name in (
        "mediq/all_craft_md",
        "agentclinic/agentclinic_medqa",
        "agentclinic/agentclinic_nejm",
    ):
        items = list(read_questions(shared_data / f"{name}.jsonl"))
        answered = [i for i in items if isinstance(i, Question) and len(i.answers) == 1]
        counts[name.rpartition("/")[2]] = (len(items), len(answered))
    assert counts == {
        "all_craft_md": (140, 140),
        "agentclinic_medqa": (107, 107),
        "agentclinic_nejm": (15, 15),
    }
