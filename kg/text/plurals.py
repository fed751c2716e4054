"""English and Latin plurals, as keys: a singular may look odd ("diabete") but is always the same."""

import re
from typing import Final

_TABLE: Final = """
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
_IRREGULAR: Final = dict(pair.split() for pair in _TABLE.split(","))
"""Plurals to singulars, and what only looks like one to itself: a bacterium is no disease."""

_FOUR_LETTERS: Final = """
arms bats bees cats cows cuts days dogs ears eggs eyes guts gums hips jaws kids legs lids
lips nits nuts oils pets pigs pins pits rats ribs sacs tics
"""
_SHORT: Final = frozenset(_FOUR_LETTERS.split())
"""Plurals of four letters; others of that length are mostly abbreviations (SARS, PCOS)."""
_SHORTEST: Final = 5

_ENDINGS: Final = tuple(
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
"""The first that fits is used."""


def singular(word: str) -> str:
    """The singular of an English word in lower case; a word that is no plural stays."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < _SHORTEST and word not in _SHORT:
        return word
    for plural, ending in _ENDINGS:
        if plural.search(word):
            return plural.sub(ending, word)
    return word
