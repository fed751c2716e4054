import re

from ingest.identity import (
    mint,
)


def test_minted_id_depends_on_type_and_normalised_name_alone() -> None:
    assert mint("Disease", "Gouty Arthritis") == mint("Disease", "gouty-arthritis")
    assert mint("Disease", "gout") != mint("Symptom", "gout")


def test_minted_id_is_an_ascii_curie() -> None:
    assert re.fullmatch(r"MEDKG:Disease\.[0-9a-f]{16}", str(mint("Disease", "痛风")))


def test_name_of_marks_alone_mints_nothing() -> None:
    assert mint("Disease", " -- ") is None
