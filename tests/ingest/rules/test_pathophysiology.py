"""Rules on a thing and its opposite, on causes, and on treatment that is forbidden."""

from collections.abc import Iterator

import pytest

from tests.ingest.rules.asking import Found, asked
from tests.ingest.rules.conftest import ENGINES

NODES = """
MONDO:1        adrenal insufficiency
MONDO:2        renal tubular disease
MONDO:3        sick sinus syndrome
MONDO:4        diabetes mellitus
MONDO:5        diabetic nephropathy
MONDO:6        heart failure
MONDO:7        asthma
MONDO:8        hypertension
HP:0002153     Hyperkalemia
HP:0002900     Hypokalemia
HP:0008153     Periodic hypokalemic paresis
HP:0001662     Bradycardia
HP:0001649     Tachycardia
HP:0004756     Ventricular tachycardia
DRUGBANK:1     Propranolol
DRUGBANK:2     Metformin
"""

EDGES = """
HP:0008153 IS_A HP:0002900
HP:0004756 IS_A HP:0001649
MONDO:1 HAS_SYMPTOM HP:0002153
MONDO:1 HAS_SYMPTOM HP:0008153
MONDO:2 HAS_SYMPTOM HP:0002153 frequency=0.4
MONDO:2 HAS_SYMPTOM HP:0002900 frequency=0.5
MONDO:3 HAS_SYMPTOM HP:0001662
MONDO:3 HAS_SYMPTOM HP:0004756
MONDO:4 HAS_SYMPTOM HP:0002153 publications=PMID:1
MONDO:4 HAS_SYMPTOM HP:0002900 publications=PMID:1
MONDO:5 HAS_SYMPTOM HP:0002153 frequency=0.9 publications=PMID:1
MONDO:5 HAS_SYMPTOM HP:0002900 frequency=0.5 publications=PMID:2
MONDO:4 CAUSED_BY MONDO:8
MONDO:8 CAUSED_BY MONDO:4
MONDO:6 CAUSED_BY MONDO:8
MONDO:6 CAUSED_BY MONDO:6
MONDO:5 CAUSED_BY MONDO:4
MONDO:5 COMPLICATED_BY MONDO:4
MONDO:4 COMPLICATED_BY MONDO:5
DRUGBANK:1 CONTRAINDICATED_FOR MONDO:7 sources=label
DRUGBANK:1 CONTRAINDICATED_FOR MONDO:8 sources=label
DRUGBANK:1 CONTRAINDICATED_FOR MONDO:6 sources=label
DRUGBANK:1 INDICATED_FOR MONDO:7 sources=texts
MONDO:8 TREATED_BY DRUGBANK:1 sources=label
DRUGBANK:2 INDICATED_FOR MONDO:4 sources=label
DRUGBANK:2 CONTRAINDICATED_FOR HP:0001662 sources=texts
MONDO:4 CLOSE_MATCH HP:0001662
"""


@pytest.fixture(scope="module", params=ENGINES)
def found(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Found]:
    with asked(request, tmp_path_factory.mktemp("pathophysiology"), NODES, EDGES) as ask:
        yield ask


def test_opposites_clash_unless_they_are_variants_or_bursts_of_a_fast_rhythm(
    found: Found,
) -> None:
    assert found("opposite_findings") == {
        ("MONDO:1", "HAS_SYMPTOM", "HP:0002153"),
        ("MONDO:1", "HAS_SYMPTOM", "HP:0008153"),
        ("MONDO:5", "HAS_SYMPTOM", "HP:0002153"),
        ("MONDO:5", "HAS_SYMPTOM", "HP:0002900"),
    }


def test_cause_of_a_cause_is_no_breach_and_the_cause_of_its_cause_is(found: Found) -> None:
    assert found("causes_its_cause") == {
        ("MONDO:4", "CAUSED_BY", "MONDO:8"),
        ("MONDO:8", "CAUSED_BY", "MONDO:4"),
    }


def test_complication_is_doubted_where_it_is_the_cause(found: Found) -> None:
    assert found("complicated_by_its_cause") == {("MONDO:5", "COMPLICATED_BY", "MONDO:4")}


def test_use_is_doubted_that_another_source_forbids_the_finding_that_it_is_for_too(
    found: Found,
) -> None:
    assert found("indicated_and_contraindicated") == {
        ("DRUGBANK:1", "INDICATED_FOR", "MONDO:7"),
        ("DRUGBANK:2", "INDICATED_FOR", "MONDO:4"),
    }


def test_use_is_doubted_that_the_same_source_forbids(found: Found) -> None:
    assert found("contraindicated_treatment") == {("MONDO:8", "TREATED_BY", "DRUGBANK:1")}
