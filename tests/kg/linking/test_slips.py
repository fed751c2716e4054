"""Names that are certainly others, misspelt."""

import pytest

from kg.linking.slips import is_slip


@pytest.mark.parametrize(
    ("name", "meant", "yes"),
    [
        ("hedache", "headache", True),
        ("eadache", "headache", False),
        ("hdche", "headache", False),
        ("asthmma", "asthma", True),
        ("asthna", "asthma", False),
        ("benign brain tumr", "benign brain tumor", True),
        ("brain, tumour of the", "tumor of the brain", True),
        ("NEDMIBA", "NEDMISBA", False),
        ("medmiba", "MEDMISBA", False),
        ("", "", True),
        ("先天性心赃病", "先天性心脏病", True),
        ("先天性心肺病", "先天性心脏病", False),
        ("先天性脏心病", "先天性心脏病", False),
        ("先天性心病", "先天性心脏病", True),
        ("先天心脏病", "先天性心脏病", False),
    ],
)
def test_slip_is_one_letter_that_no_family_of_words_differs_by(
    name: str, meant: str, *, yes: bool
) -> None:
    assert is_slip(name, meant) is yes


@pytest.mark.parametrize(
    ("name", "yes"),
    [("fluoxteine", True), ("fluoxettine", True), ("fluoxetide", False), ("fluoxtine", False)],
)
def test_coined_name_may_only_have_letters_doubled_or_swapped(name: str, *, yes: bool) -> None:
    assert is_slip(name, "fluoxetine", coined=True) is yes
