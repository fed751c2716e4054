"""Rules on what only an age has."""

from tests.ingest.rules.asking import Found

NODES = """
MONDO:0000001  neonatal jaundice
MONDO:0000002  croup
MONDO:0000003  senile cataract
MONDO:0000004  presenile dementia
MONDO:0000005  adult acute leukemia
MONDO:0000006  childhood acute leukemia
MONDO:0000007  juvenile myoclonic epilepsy
MONDO:0000008  adolescence-adult electroclinical syndrome
MONDO:0000009  Down syndrome
MONDO:0000010  Alzheimer disease 3
MONDO:0000011  infantile-onset ataxia
MONDO:0000012  老年人预激综合征
MONDO:0000013  Huntington disease
HP:0000001     Senile plaques
HP:0000002     Neonatal hypotonia
HP:0000003     Pregnancy
HP:0000004     Postterm pregnancy
HP:0000005     Maternal eclampsia
HP:0000006     Erectile dysfunction
HP:0000007     新生儿心力衰竭
HP:0000008     Tremor
HP:0000009     Fetal hemoglobin elevated
HP:0003577     Congenital onset
HP:0003593     Infantile onset
HP:0003581     Adult onset
HP:0003621     Juvenile onset
HP:0003584     Late onset
"""

EDGES = """
MONDO:0000001 HAS_SYMPTOM HP:0000001
MONDO:0000002 HAS_SYMPTOM HP:0000002 onset=HP:0003577
MONDO:0000003 HAS_SYMPTOM HP:0000002
MONDO:0000003 HAS_SYMPTOM HP:0000008
MONDO:0000004 HAS_SYMPTOM HP:0000002
MONDO:0000009 HAS_SYMPTOM HP:0000001
MONDO:0000012 HAS_SYMPTOM HP:0000007
MONDO:0000005 IS_A MONDO:0000006
MONDO:0000007 IS_A MONDO:0000008
MONDO:0000001 COMPLICATED_BY HP:0000003
MONDO:0000001 COMPLICATED_BY HP:0000004
MONDO:0000001 COMPLICATED_BY HP:0000005
MONDO:0000001 CAUSED_BY HP:0000003
MONDO:0000002 HAS_SYMPTOM HP:0000006
MONDO:0000011 HAS_SYMPTOM HP:0000006
MONDO:0000010 HAS_MODIFIER HP:0003581
MONDO:0000010 HAS_SYMPTOM HP:0000008 onset=HP:0003593
MONDO:0000013 HAS_MODIFIER HP:0003581
MONDO:0000013 HAS_MODIFIER HP:0003621
MONDO:0000013 HAS_SYMPTOM HP:0000008 onset=HP:0003593
MONDO:0000009 HAS_SYMPTOM HP:0000002 onset=HP:0003584
MONDO:0000009 HAS_SYMPTOM HP:0000009 onset=HP:0003581
MONDO:0000003 HAS_MODIFIER HP:0003577
MONDO:0000003 HAS_MODIFIER HP:0003584
MONDO:0000001 HAS_MODIFIER HP:0003584
"""


def test_child_with_a_thing_of_the_old_is_found_and_the_other_way_round(found: Found) -> None:
    assert found("age_of_finding") == {
        ("neonatal jaundice", "HAS_SYMPTOM", "Senile plaques"),
        ("senile cataract", "HAS_SYMPTOM", "Neonatal hypotonia"),
        ("老年人预激综合征", "HAS_SYMPTOM", "新生儿心力衰竭"),
        ("adult acute leukemia", "IS_A", "childhood acute leukemia"),
    }


def test_pregnancy_of_a_child_is_found_and_that_of_its_mother_is_not(found: Found) -> None:
    assert found("age_of_pregnancy") == {
        ("neonatal jaundice", "COMPLICATED_BY", "Pregnancy"),
        ("croup", "HAS_SYMPTOM", "Erectile dysfunction"),
    }


def test_onset_is_found_where_it_clashes_with_the_disease_or_a_name(found: Found) -> None:
    assert found("age_of_onset") == {
        ("Alzheimer disease 3", "HAS_SYMPTOM", "Tremor"),
        ("Down syndrome", "HAS_SYMPTOM", "Neonatal hypotonia"),
        ("senile cataract", "HAS_MODIFIER", "Congenital onset"),
        ("neonatal jaundice", "HAS_MODIFIER", "Late onset"),
    }
