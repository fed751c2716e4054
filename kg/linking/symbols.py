"""Names that a text does not mean whenever it has their letters: symbols, everyday words.

A symbol (WAS, ALL, COPD) is meant only as it is written. What is measured (haemoglobin) is no
finding unless its value is one.
"""

import re
from typing import Final

from kg.linking.reference_ranges import is_analyte
from kg.text.words import POSSESSIVE

_SYMBOL: Final = re.compile(r"(?=(?:.*[A-Z0-9]){2})(?=.*[A-Z])[A-Za-z0-9-]{2,6}")
_POSSESSIVE: Final = re.compile(rf"{POSSESSIVE}s$")
_NUMBERED: Final = re.compile(rf"([a-z]+)(?:{POSSESSIVE}s)?[ -](?:type )?(?:[0-9]+|[ivx]+)")
"""A word with a number of a series behind it."""
_SHORTEST: Final = 3

_SAYING_NOTHING: Final = """
a about after again ago all also am an and any are as ask at be been before but by call came
can come could did do does doing don done each else end even ever every excluded far feel felt
few find for from gave get give go goes going gone good got great guest had has have he hear
hello her here hers hey hi him his how i if in into is it its just keep kind know last least
left less let like lot made make man many may maybe me mean might mine more most much must my
need never new next no nor not now of off often oh ok okay old on once one only or other our
ours out over own per please put quite rather really right said same saw say see seem seen set
severe she should since so some soon still such sure take taken tell than thank that the their
them then there these they thing think this those though to told too took try two under until
up upon us use used very want was way we well went were what when where which who why will with
would yes yet you your
"""
_NEVER_MEANT: Final = frozenset(_SAYING_NOTHING.split())
"""Words that speak of nothing medical, whatever goes by them; a symbol in capitals may."""
_SHORT_WORDS: Final = """
able ace act add added adds age ages aid aids aim air ant ape arm arms art arts ate bad bag ball ban bar base bat
bath bed bee beg ben best bet big bind bit bite bone both box boy bud bug bus buy candle canvas cap
caps car care case cat cd child chip chops clam clip cold con cop cord cost cough cup cut dad day days dead deep die diet dig dim dip dish doc dog dot doors down
dress drug dry due ear ears ease east eat egg era eye eyes face fact fall fame fast fat fear fed feet fell fine fires
fish fit five flow food foot four free fun game gap gas glass glow goal glasses gold hair ham hand hard hat head heat help
high hip hit hold home hot ice ill iron jaw jet job joy kid kin knee lab lack lad lads lamb lap large late lead
leg lid life lift limb lip live long look lord lost low lung mad maids main map march mark mass mat meal med meds meet
men mend met mild mind miss mom mouth nap near neck net nice night nod nose nut oak odd oil ops pad page pain
pale palm pals pan papa park part pas past path pay peak pen period pet pie pig pill pin pins pit place plan play plus poor pop post pot prop pump
push raid ran rang rap rare rash rat raw read rear red rest rib rich rid ring rise risk road role room run sad
safe salt sat save scan scar send sense sex shot show side sign sip sit six settle size skin sleep slow small
sod soft sore spot stale star stem step stop sun swim table tall tap tar tea ten test thin tie time tin tip
tired toe ton top toy traps type ups van via wash weak wear wed wee week wet wind wing wolf work worm worn zip
"""
_ENGLISH: Final = _NEVER_MEANT | frozenset(_SHORT_WORDS.split())
"""Short English words, of which some are also symbols of genes or diseases."""

_NO_FINDINGS: Final = frozenset(
    phrase.strip()
    for phrase in """
accident, accidents, affected, after surgery, anesthesia, birth control, birth history, blood group, breast feeding,
breast-feeding, calcification, cervix, childbirth, clotting, condition, conditions, complication, complications,
death, deaths, delivery normal, diagnosis, disability, disease, diseases, disorder, disorders, distress, divorce, dullness, family
histories, family history, family issues, fasting, health status, finding, findings, healthy, illness, illnesses, inversion, medical condition, medical conditions, medical
history, memory, menarche, menses, menstrual period, menstruation, normal, normal delivery, parenting, past medical history,
past surgical history, patient, patients, period, periods, pregnancy history, puberty, recurrence, separation, sexually
active, short period, short periods, sign, signs, signs and symptoms, sinus rhythm, stress, subcutis, surgery, surgeries,
surgical intervention, symptom, symptoms, syndrome, transient, urine output, vegetarian, well,
assault, atrophy, birth weight, bite, bites, black spots, c-section, caesarean section, cesarean section, cesarean sections, blood pressure medicine, blood pressure medicines, burn, clinical findings,
collapse, contraception, cyst, cysts, deformities, deformity, depressions, discomfort, doc, electric shock, fall, family
history, fetal heart rate, frustration, gas, high-risk sexual behavior, high-risk sexual behaviors, history of smoking, history of tobacco use, hypertrophy,
immobile, inability to sit, infectious, irritation, knee arthroplasty, mass, masses, nonunion, obstruction, pituitary, pregnant, pruritic rash, scab, scabs, scrape, scrapes, scratch, scratches, sensation of
pressure, shame, side effect, side effects, sign or symptom, signs or symptoms, skin condition, skin conditions, skin
lesion, skin lesions, smoking cigarettes, staring, stress at work, subcutaneous tissue, tenderness, tension, ulcer, ulcers, unwell,
unaffected, urine creatinine, violent, warmth, weight at birth, worry, 避孕, 压痛, 溃疡, 伸舌, 眼袋, 红血丝, 血丝, 话多, 长牙, 剖宫产, 子痰, 肺咳, 易哭,
健康的, 其他, 其他症状, 出生史, 夸大, 平静, 眼睑, 突出, 血型, 测试, 咽反射, 发炎, 其它, 健康, 医生, 历史, 妊娠史, 孩子, 宝宝, 家族史, 异常, 吸烟史, 患者, 手术, 检查, 正常, 治疗,
疾病, 病人, 病史, 症状, 综合征, 既往史, 大夫
""".replace("\n", " ").split(",")
)
"""What lists of diseases and findings have among them, and no patient has; or too vague to
tell what a patient has."""
_SOME_SYMPTOMS: Final = re.compile(
    r"(?:clinical|cold|gastrointestinal|neurologic|neurological|physical|psychiatric|psychological|respiratory|systemic|urinary)"
    r" (?:complaint|sign|symptom)s?"
)
"""Symptoms of which only the kind is told."""
_KINDS: Final = ("complaint", "complaints", "sign", "signs", "symptom", "symptoms")
OTHER_MEANINGS: Final = frozenset(
    ("AM", "GPA", "IBM", "MBA", "MSK", "PM", "PMH", "PMS", "PSH", "TMJ")
)
"""Abbreviations that a text has for other things than the findings that go by them."""
_FINDINGS: Final = ("Disease", "Symptom")
_NICKNAMED: Final = ("Disease", "Gene")


def is_symbol(name: str) -> bool:
    """Whether a name is a symbol or an abbreviation: a few letters, capitals or digits among them."""
    return _SYMBOL.fullmatch(name) is not None


def may_stand_for(
    surface: str, name: str, type_: str, around: str, *, preferred: bool = True
) -> bool:
    """Whether a stretch of a text that has a name's letters may mean that name.

    A name that is no symbol may be written in any case, unless it is a word that no
    text means anything medical by. A gene's symbol is itself
    only as it is written. Another symbol may be in small letters (copd) unless that
    is an English word (all), and an English word in capitals is a symbol only in a
    text that has small letters too. An English word that a disease only also goes by
    (pale, air, bed) is a symbol, however the table writes it, also with a number behind it
    (our lad's type 1 is no LAD type 1).

    Args:
        surface: the stretch.
        name: as the table of names has it.
        type_: of the entity.
        around: the text just before and after the stretch.
        preferred: the entity is called so, not only also known so.
    """
    folded = surface.lower()
    if "  " in folded or "\n" in folded:
        folded = " ".join(folded.split())
    if folded.endswith("s"):
        folded = _POSSESSIVE.sub("", folded)
    if type_ in _FINDINGS and (
        folded in _NO_FINDINGS
        or is_analyte(folded)
        or (folded.endswith(_KINDS) and _SOME_SYMPTOMS.fullmatch(folded))
        or (surface in OTHER_MEANINGS and not preferred)
    ):
        return False
    is_english = folded in _ENGLISH
    numbered = _NUMBERED.fullmatch(folded)
    word = numbered[1] if numbered else folded
    nickname = word in _ENGLISH and not preferred and type_ in _NICKNAMED
    if nickname and (numbered or folded == name.lower()):
        is_cased = numbered is not None or any(c.islower() for c in around)
        return surface[: len(word)].isupper() and is_cased
    if not is_symbol(name):
        return folded not in _NEVER_MEANT
    if surface == name:
        return not is_english or any(c.islower() for c in around)
    if type_ == "Gene" or is_english or len(surface) < _SHORTEST:
        return False
    return surface == name.lower()
