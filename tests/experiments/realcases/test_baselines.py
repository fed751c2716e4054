"""Baselines on cases whose findings tell their diseases, and on cases of a disease each."""

from evalsim.case import DiagnosisCase, Finding, Thing
from tests.experiments.realcases.baselines import baselines

SIGNS = {"D1": "F1", "D2": "F2"}


def case(number: int, disease: str, finding: str) -> DiagnosisCase:
    return DiagnosisCase(
        id=str(number),
        language="en",
        target=Thing(id=disease, type="Disease", name=disease),
        findings=(
            Finding(id="F0", type="Symptom", name="cough"),
            Finding(id=finding, type="Symptom", name=finding),
        ),
        opening="I have a cough.",
    )


def test_naive_bayes_learns_what_tells_diseases_apart_and_not_from_what_they_share() -> None:
    cases = [case(n, disease, SIGNS[disease]) for n in range(20) for disease in SIGNS]
    found = baselines(cases[:-1])
    assert (found.labels, found.majority, found.everything) == (2, 20, 39)
    assert found.opening <= 20


def test_nothing_is_learnt_of_diseases_of_one_case_each() -> None:
    found = baselines([case(n, f"D{n}", f"F{n}") for n in range(1, 11)])
    assert (found.labels, found.majority, found.everything) == (10, 1, 0)
