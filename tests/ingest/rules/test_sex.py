"""Rules on what only one sex has."""

from tests.ingest.rules.asking import Found

NODES = """
MONDO:0005836  male reproductive organ cancer
MONDO:0000001  Leydig cell cancer
MONDO:0000002  prostate cancer
MONDO:0000003  46,XX testicular disorder of sex development
MONDO:0000004  blepharophimosis
MONDO:0000005  endometriosis
MONDO:0000006  BRCA2-related cancer
MONDO:0000007  premature ovarian failure 10
MONDO:0000008  Klinefelter syndrome
MONDO:0000009  asthma
MONDO:0000010  前列腺囊肿
MONDO:0000011  tubal pregnancy
MONDO:0005558  ovarian disorder
MONDO:0000012  ataxia telangiectasia
MONDO:0000013  hypospadias-dysphagia syndrome
MONDO:0000014  preeclampsia
HP:0000137     Abnormality of the ovary
HP:0000001     Meigs triad
HP:0000002     Ovarian cyst
HP:0000003     Gynecomastia
HP:0000022     Abnormal male internal genitalia morphology
HP:0000004     Empty hemiscrotal sac
HP:0000005     Hypospadias
HP:0000006     Maternal preeclampsia
HP:0000007     Azoospermia
HP:0000008     Intrauterine growth retardation
HP:0000009     Eclampsia
HP:0000010     尿前列腺素升高
HP:0000011     前列腺增生
HP:0000012     Breast carcinoma
HP:0000013     Family history of ovarian cancer
OP:1           hysterectomy
OP:2           vasectomy
OP:3           mastectomy
LAB:1          Transvaginal ultrasound
LAB:2          pregnancy test
LAB:3          Semen analysis
UBERON:1       uterus
UBERON:2       prostate gland
DRUGBANK:1     Tamsulosin
DRUGBANK:2     Norgestrel
DRUGBANK:3     Estradiol valerate/Dienogest
DRUGBANK:4     Prednisone
DRUGBANK:5     Finasteride
"""

EDGES = """
MONDO:0000001 IS_A MONDO:0005836
HP:0000001 IS_A HP:0000137
HP:0000004 IS_A HP:0000022
MONDO:0000012 IS_A MONDO:0005558
MONDO:0000001 HAS_SYMPTOM HP:0000001
MONDO:0000002 HAS_SYMPTOM HP:0000002
MONDO:0000002 HAS_SYMPTOM HP:0000003
MONDO:0000002 HAS_SYMPTOM HP:0000008 sex=MALE
MONDO:0000002 HAS_RISK_FACTOR HP:0000013
MONDO:0000002 CAUSED_BY HP:0000009
MONDO:0000002 COMPLICATED_BY HP:0000009
MONDO:0000002 COMPLICATED_BY HP:0000006
MONDO:0000002 OCCURS_IN UBERON:1
MONDO:0000002 OCCURS_IN UBERON:2
MONDO:0000002 TREATED_BY OP:1
MONDO:0000002 TREATED_BY OP:3
MONDO:0000002 DIAGNOSED_BY LAB:1
MONDO:0000002 DIAGNOSED_BY LAB:2
MONDO:0000003 HAS_SYMPTOM HP:0000002
MONDO:0000004 HAS_SYMPTOM HP:0000002
MONDO:0000006 HAS_SYMPTOM HP:0000002
MONDO:0000006 HAS_SYMPTOM HP:0000007
MONDO:0000008 HAS_SYMPTOM HP:0000002
MONDO:0000013 HAS_SYMPTOM HP:0000002
MONDO:0000005 HAS_SYMPTOM HP:0000004
MONDO:0000005 HAS_SYMPTOM HP:0000012 sex=MALE
MONDO:0000005 HAS_SYMPTOM HP:0000010
MONDO:0000005 HAS_SYMPTOM HP:0000011
MONDO:0000005 OCCURS_IN UBERON:2
MONDO:0000005 DIAGNOSED_BY LAB:3
MONDO:0000007 HAS_SYMPTOM HP:0000007
MONDO:0000012 HAS_SYMPTOM HP:0000007
MONDO:0000011 PREVENTED_BY OP:2
MONDO:0000014 TREATED_BY OP:2
MONDO:0000009 HAS_SYMPTOM HP:0000005 sex=FEMALE
MONDO:0000009 HAS_SYMPTOM HP:0000007 sex=MALE
MONDO:0000009 HAS_SYMPTOM HP:0000002 sex=MALE
MONDO:0000009 HAS_SYMPTOM HP:0000012 sex=FEMALE
MONDO:0000010 DIAGNOSED_BY LAB:1
DRUGBANK:1 INDICATED_FOR MONDO:0000005
DRUGBANK:1 INDICATED_FOR MONDO:0000002
DRUGBANK:2 INDICATED_FOR MONDO:0000002
DRUGBANK:2 INDICATED_FOR MONDO:0000005
DRUGBANK:3 INDICATED_FOR MONDO:0000002
DRUGBANK:4 INDICATED_FOR MONDO:0000002
MONDO:0000014 TREATED_BY DRUGBANK:5
MONDO:0000010 TREATED_BY DRUGBANK:5
"""


def test_female_thing_in_a_male_disease_is_found_by_name_and_by_kind(found: Found) -> None:
    assert found("sex_female_thing_in_male_disease") == {
        ("Leydig cell cancer", "HAS_SYMPTOM", "Meigs triad"),
        ("prostate cancer", "HAS_SYMPTOM", "Ovarian cyst"),
        ("prostate cancer", "COMPLICATED_BY", "Eclampsia"),
        ("prostate cancer", "OCCURS_IN", "uterus"),
        ("prostate cancer", "TREATED_BY", "hysterectomy"),
        ("prostate cancer", "DIAGNOSED_BY", "Transvaginal ultrasound"),
        ("Klinefelter syndrome", "HAS_SYMPTOM", "Ovarian cyst"),
        ("前列腺囊肿", "DIAGNOSED_BY", "Transvaginal ultrasound"),
    }


def test_male_thing_in_a_female_disease_is_found_unless_a_couple_shares_it(found: Found) -> None:
    assert found("sex_male_thing_in_female_disease") == {
        ("endometriosis", "HAS_SYMPTOM", "Empty hemiscrotal sac"),
        ("endometriosis", "HAS_SYMPTOM", "前列腺增生"),
        ("endometriosis", "OCCURS_IN", "prostate gland"),
        ("endometriosis", "DIAGNOSED_BY", "Semen analysis"),
        ("preeclampsia", "TREATED_BY", "vasectomy"),
    }


def test_edge_of_one_sex_is_found_where_only_the_other_has_its_end(found: Found) -> None:
    assert found("sex_of_annotation") == {
        ("asthma", "HAS_SYMPTOM", "Hypospadias"),
        ("asthma", "HAS_SYMPTOM", "Ovarian cyst"),
        ("endometriosis", "HAS_SYMPTOM", "Breast carcinoma"),
    }


def test_drug_of_one_sex_is_found_at_a_disease_of_the_other_either_way_round(
    found: Found,
) -> None:
    assert found("sex_of_drug") == {
        ("Tamsulosin", "INDICATED_FOR", "endometriosis"),
        ("Norgestrel", "INDICATED_FOR", "prostate cancer"),
        ("preeclampsia", "TREATED_BY", "Finasteride"),
    }
