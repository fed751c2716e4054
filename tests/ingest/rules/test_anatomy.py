"""Rules on findings at a body site that the disease does not reach."""

from collections.abc import Iterator

import pytest

from tests.ingest.rules.asking import Found, asked
from tests.ingest.rules.conftest import ENGINES

NODES = """
MONDO:0005328  eye disorder
MONDO:0005129  cataract
MONDO:0002254  syndromic disease
MONDO:0021205  disorder of ear
MONDO:0000001  Usher syndrome
MONDO:0000002  oculo-auricular disease
MONDO:0000003  白内障
MONDO:0000004  眼部综合征
MONDO:0000005  眼鼻病
MONDO:0000006  肺炎
HP:0000598     Abnormality of the ear
HP:0000365     Hearing impairment
HP:0000407     Sensorineural hearing impairment
HP:0000505     Visual impairment
HP:0000140     Abnormality of the menstrual cycle
HP:0001945     Fever
HP:0000001     牙龈出血
HP:0000002     视力减退
UBERON:1       眼
UBERON:2       鼻
UBERON:3       肺
"""

EDGES = """
MONDO:0005129 IS_A MONDO:0005328
MONDO:0000001 IS_A MONDO:0005328
MONDO:0000001 IS_A MONDO:0002254
MONDO:0000002 IS_A MONDO:0005328
MONDO:0000002 IS_A MONDO:0021205
HP:0000365 IS_A HP:0000598
HP:0000407 IS_A HP:0000365
MONDO:0005129 HAS_SYMPTOM HP:0000598
MONDO:0005129 HAS_SYMPTOM HP:0000407
MONDO:0005129 HAS_SYMPTOM HP:0000505
MONDO:0005129 HAS_SYMPTOM HP:0001945
MONDO:0005129 HAS_SYMPTOM HP:0000365 publications=PMID:1
MONDO:0005328 HAS_SYMPTOM HP:0000365
MONDO:0000001 HAS_SYMPTOM HP:0000407
MONDO:0000002 HAS_SYMPTOM HP:0000407
MONDO:0000003 OCCURS_IN UBERON:1
MONDO:0000004 OCCURS_IN UBERON:1
MONDO:0000005 OCCURS_IN UBERON:1
MONDO:0000005 OCCURS_IN UBERON:2
MONDO:0000006 OCCURS_IN UBERON:3
MONDO:0000003 HAS_SYMPTOM HP:0000001
MONDO:0000003 HAS_SYMPTOM HP:0000002
MONDO:0000004 HAS_SYMPTOM HP:0000001
MONDO:0000005 HAS_SYMPTOM HP:0000001
MONDO:0000006 HAS_SYMPTOM HP:0000001
"""


@pytest.fixture(scope="module", params=ENGINES)
def found(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Found]:
    with asked(request, tmp_path_factory.mktemp("anatomy"), NODES, EDGES) as ask:
        yield ask


def test_eye_disease_does_not_reach_the_ear_unless_it_is_syndromic_or_of_both(
    found: Found,
) -> None:
    assert found("finding_elsewhere") == {
        ("MONDO:0005129", "HAS_SYMPTOM", "HP:0000598"),
        ("MONDO:0005129", "HAS_SYMPTOM", "HP:0000407"),
        ("MONDO:0005328", "HAS_SYMPTOM", "HP:0000365"),
    }


def test_name_tells_of_another_site_where_the_disease_has_one_site_only(found: Found) -> None:
    assert found("finding_elsewhere_by_name") == {("MONDO:0000003", "HAS_SYMPTOM", "HP:0000001")}
