import opencc
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.text import spelling
from kg.text.spelling import is_word, simplified, spelling_key

BRITISH = """
haemorrhage hemorrhage, oedema edema, tumour tumor, paediatric pediatric, anaemia anemia,
diarrhoea diarrhea, leukaemia leukemia, oesophagus esophagus, foetal fetal, foetus fetus,
gynaecology gynecology, sulphate sulfate, sulphonamide sulfonamide, ischaemia ischemia,
caesarean cesarean, caesarian cesarean, hospitalisation hospitalization, behaviour behavior,
behavioural behavioral, dyspnoea dyspnea, apnoea apnea, coeliac celiac, gonorrhoea gonorrhea,
haematology hematology, orthopaedic orthopedic, anaesthesia anesthesia, faeces feces,
caecum cecum, aetiology etiology, naevus nevus, naevi nevi, oestrogen estrogen, amoeba ameba,
homoeopathy homeopathy, manoeuvre maneuver, centre center, fibre fiber, fibres fibers,
litre liter, goitre goiter, titre titer, paralyse paralyze, analysed analyzed, colour color,
discoloured discolored, odour odor, labour labor, humour humor, defence defense,
licence license, analogue analog, catalogue catalog, labelled labeled, signalling signaling,
leucocyte leukocyte, leucopenia leukopenia, grey gray, disc disk, ageing aging, mould mold,
artefact artifact, aluminium aluminum, programme program, neurone neuron, dentine dentin,
fontanelle fontanel, lachrymal lacrimal, palaeolithic paleolithic, phaeochromocytoma
pheochromocytoma, localised localized, crystallise crystallize, neurological neurologic,
moebius mobius, muellerian mullerian
"""
PLURAL = """
tumors tumor, diseases disease, abscesses abscess, viruses virus, sinuses sinus, biopsies biopsy,
headaches headache, rashes rash, reflexes reflex, patches patch, causes cause, doses dose,
noses nose, potatoes potato, toes toe, eyes eye, feet foot, teeth tooth, children child,
women woman, lice louse, diagnoses diagnosis, metastases metastasis, candidiases candidiasis,
psychoses psychosis, prostheses prosthesis, analyses analysis, crises crisis, arthritides arthritis,
epididymides epididymis, vertebrae vertebra, petechiae petechia, carcinomata carcinoma,
carcinomas carcinoma, bacteria bacterium, ganglia ganglion, diverticula diverticulum,
foci focus, nuclei nucleus, thrombi thrombus, oesophagi oesophagus, cortices cortex,
vertices vertex, varices varix, phalanges phalanx, meninges meninx, testes testis, nares naris,
criteria criterion, haemorrhages hemorrhage
"""
APART = """
toes to, said saids, hard hards, aid aids, man men, hmae hme, aeds eds, crsds crsd,
macroencephaly macrencephaly, boeck beck, acnes acne, pneumoniae pneumonia,
influenzae influenza, cholerae cholera, diagnosis diagnose, mucus mucous, species specie,
ileum ilium, callous callus, dysphagia dysphasia, hypertension hypotension,
perineal peroneal, bases basis
"""


def pairs(table: str) -> list[list[str]]:
    return [pair.split() for pair in table.split(",")]


@pytest.mark.parametrize(("british", "american"), pairs(BRITISH))
def test_british_is_american(british: str, american: str) -> None:
    assert spelling_key(british) == spelling_key(american)


@pytest.mark.parametrize(("plural", "singular"), pairs(PLURAL))
def test_plural_is_singular(plural: str, singular: str) -> None:
    assert spelling_key(plural) == spelling_key(singular)


@pytest.mark.parametrize(("one", "other"), pairs(APART))
def test_different_words_stay_different(one: str, other: str) -> None:
    assert spelling_key(one) != spelling_key(other)


@given(st.text("abcdefghijklmnopqrstuvwxyz", max_size=64) | st.text("aeosuizxmt", max_size=64))
def test_a_key_is_its_own_key(word: str) -> None:
    assert spelling_key(spelling_key(word)) == spelling_key(word)


def test_no_irregular_plural_is_anothers_singular() -> None:
    table = spelling._IRREGULAR
    assert [one for one, many in table.items() if table.get(many, many) != many] == []


@pytest.mark.parametrize(
    "word", ["aphagia", "Aphasia", "moody", "homelessness", "ampicillin", "ILIUM", "dysplasia"]
)
def test_english_and_medical_words_are_words(word: str) -> None:
    assert is_word(word)


@pytest.mark.parametrize("word", ["hedache", "feverr", "pnemonia", "mody's", "", "发热"])
def test_slips_and_what_is_no_english_are_none(word: str) -> None:
    assert not is_word(word)


@pytest.mark.parametrize(
    "name", ["糖尿病視網膜病變", "房室傳導阻滯", "腎臟纖維化", "甲狀腺機能亢進"]
)
def test_characters_are_simplified_as_opencc_does(name: str) -> None:
    assert "".join(map(simplified, name)) == opencc.OpenCC("t2s").convert(name)


def test_simplified_stays_simplified() -> None:
    han = [chr(at) for at in range(0x4E00, 0xA000)]
    assert [c for c in han if simplified(simplified(c)) != simplified(c)] == []
