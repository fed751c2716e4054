"""Files of cases: written and read alike, and what is wrong with one."""

from pathlib import Path

import pytest

from evalsim.case import DiagnosisCase, Finding, Thing, checksum, read_cases, write_cases
from kg.errors import EvaluationError

GOUT = DiagnosisCase(
    id="diagnosis-zh-MONDO:1",
    language="zh",
    target=Thing(id="MONDO:1", type="Disease", name="gout", name_zh="痛风"),
    findings=(Finding(id="HP:1", type="Symptom", name="Joint pain", frequency=0.9),),
)


def test_cases_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    other = GOUT.model_copy(update={"id": "other"})
    write_cases([GOUT, other], file)
    assert read_cases(file) == [GOUT, other]
    assert checksum([GOUT]) != checksum([other])


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no case; draw some"),
        ("{}\n", "line 1: is no case .* draw the cases again"),
        ("not JSON\n", "line 1: is no case"),
    ],
)
def test_file_without_cases_says_what_is_wrong(tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "cases.jsonl"
    file.write_text(text, "utf-8")
    with pytest.raises(EvaluationError, match=why):
        read_cases(file)


def test_case_that_comes_twice_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "cases.jsonl"
    write_cases([GOUT, GOUT], file)
    with pytest.raises(EvaluationError, match=r"line 2: the case .* comes twice"):
        read_cases(file)
