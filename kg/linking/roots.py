"""Word parts a letter or two apart that mean different things.

An edit that puts one in the place of the other makes another word, not a slip. The meanings
are those of any textbook of medical terminology; which parts come near each other was seen
on real terms a letter or two apart (``tests/experiments/linking/near_terms``, the half of
them that no figure is made of), but for the five that its page names.
"""

from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from rapidfuzz.distance import OSA

_Place = Literal["begins", "ends", "within"]


class Root(NamedTuple):
    """Parts of words that are never each other's misspelling."""

    place: _Place
    """Where in a word they stand; within is anywhere."""
    parts: str
    """As the keys of words have them (American, singular); "-" is none at all."""
    apart: str
    """Two words that differ in two of the parts."""
    slip: str
    """A misspelling of a word that has one of the parts, and that word."""


ROOTS: Final = (
    Root("begins", "hyper hypo", "hyperglycemia hypoglycemia", "hyperglycmia hyperglycemia"),
    Root("begins", "macro micro", "macrocephaly microcephaly", "macrocephly macrocephaly"),
    Root("begins", "endo ecto exo epi", "endocardium epicardium", "endocaridum endocardium"),
    Root(
        "begins", "inter intra infra", "intermuscular intramuscular", "intemuscular intermuscular"
    ),
    Root("begins", "extra intra", "extracranial intracranial", "extracranal extracranial"),
    Root("begins", "ex in", "extrinsic intrinsic", "extrinisc extrinsic"),
    Root("begins", "in un", "inactivated unactivated", "inactivted inactivated"),
    Root("begins", "pre pro", "prescription proscription", "prescripton prescription"),
    Root("begins", "per pro", "perfusion profusion", "perfusoin perfusion"),
    Root("begins", "peri para", "periumbilical paraumbilical", "periumblical periumbilical"),
    Root("begins", "ab ad", "abduction adduction", "abducton abduction"),
    Root("begins", "af ef", "afferent efferent", "aferent afferent"),
    Root("begins", "ante anti", "antetype antitype", "antitpye antitype"),
    Root("begins", "dys dis", "dysjunction disjunction", "dysfuncton dysfunction"),
    Root("begins", "homo hemo hemi", "homozygous hemizygous", "homozygus homozygous"),
    Root("begins", "meso meta", "mesonephros metanephros", "metanehpros metanephros"),
    Root("begins", "bi di tri", "bipolar dipolar", "bipolr bipolar"),
    Root("begins", "uro neuro nephro", "urologic neurologic", "neurolgic neurologic"),
    Root("begins", "oto osteo", "otology osteology", "osteolgy osteology"),
    Root("begins", "photo phyto", "phototherapy phytotherapy", "phototherpy phototherapy"),
    Root("begins", "cysto cyto", "cystometry cytometry", "cystometyr cystometry"),
    Root("begins", "- a an", "symptomatic asymptomatic", "asymptomtic asymptomatic"),
    Root("begins", "- eu", "thyroid euthyroid", "euthryoid euthyroid"),
    Root("begins", "ile ili", "ileum ilium", "illeum ileum"),
    Root("begins", "meth eth", "methionine ethionine", "methionin methionine"),
    Root("ends", "phagia phasia plasia", "aphagia aphasia", "aphasa aphasia"),
    Root("ends", "phobia phonia phoria", "dysphonia dysphoria", "dysphona dysphonia"),
    Root("ends", "ectomy ostomy otomy", "colectomy colostomy", "colectmoy colectomy"),
    Root("ends", "itis osis iasis", "tendinitis tendinosis", "tendintis tendinitis"),
    Root("ends", "emia uria", "acidemia aciduria", "acidema acidemia"),
    Root("ends", "tropic trophic", "hypertropic hypertrophic", "hypertrohpic hypertrophic"),
    Root("ends", "tropia topia", "ectropia ectopia", "ectopa ectopia"),
    Root("ends", "clonic tonic", "myoclonic myotonic", "myoclnic myoclonic"),
    Root("ends", "scope scopy", "gastroscope gastroscopy", "gastrosocpy gastroscopy"),
    Root("ends", "gram graph", "cardiogram cardiograph", "cardiogrm cardiogram"),
    Root("ends", "blast clast", "osteoblast osteoclast", "osteoblsat osteoblast"),
    Root("ends", "cyst cyte", "blastocyst blastocyte", "blastocsyt blastocyst"),
    Root("ends", "ase ose", "lactase lactose", "lactsae lactase"),
    Root("ends", "side tide", "nucleoside nucleotide", "nucleosdie nucleoside"),
    Root("ends", "amide amine imide imine", "benzamide benzamine", "benzmide benzamide"),
    Root("ends", "ane ene ine one yne", "propane propene", "propan propane"),
    Root("ends", "ate ide ite", "sulfate sulfite", "sulfae sulfate"),
    Root("ends", "al ol yl", "methanal methanol", "methnol methanol"),
    Root("within", "cost cyst", "costalgia cystalgia", "cysttalgia cystalgia"),
    Root("begins", "ost ot", "ostalgia otalgia", "otalgai otalgia"),
    Root("begins", "valv vulv", "valvitis vulvitis", "vulvtis vulvitis"),
    Root("ends", "rrhagia rrhalgia", "menorrhagia menorrhalgia", "menorhagia menorrhagia"),
    Root("ends", "stomia tomia", "xerostomia xerotomia", "xerostmoia xerostomia"),
    Root("within", "perone perine", "peroneal perineal", "peronael peroneal"),
    Root("within", "ureter urethr", "ureteral urethral", "urethrl urethral"),
    Root("within", "my myel myx", "myoma myeloma", "myelma myeloma"),
    Root("within", "neur nephr", "neuritis nephritis", "nephrtis nephritis"),
    Root("within", "pyel myel", "pyelitis myelitis", "pyeltis pyelitis"),
    Root("within", "hepat hemat", "hepatoma hematoma", "hematma hematoma"),
    Root("within", "hidr hydr", "hidrosis hydrosis", "hidross hidrosis"),
    Root("within", "gluc glyc", "glucoside glycoside", "glucosde glucoside"),
    Root("within", "methyl ethyl", "trimethyltin triethyltin", "trimethytin trimethyltin"),
    Root(
        "within", "yl oyl", "laurylcarnitine lauroylcarnitine", "lauroylcarntine lauroylcarnitine"
    ),
    Root("within", "bronch branch", "bronchial branchial", "bronhcial bronchial"),
    Root("within", "fasci faci", "fascial facial", "fasical fascial"),
    Root("within", "capill papill pupill", "capillary papillary", "capilary capillary"),
    Root("within", "axill mamill maxill", "axillary maxillary", "maxilary maxillary"),
    Root("within", "trache trachel", "tracheotomy trachelotomy", "trachetomy tracheotomy"),
    Root("within", "humer humor", "humeral humoral", "humorl humoral"),
    Root("within", "muc myc", "mucoid mycoid", "mucod mucoid"),
)


def differ_in_root(word: str, other: str) -> bool:
    """Whether one root in the place of another brings a word nearer to the other.

    Args:
        word: the key of a word.
        other: that of another.
    """
    if without_doubles(word) == without_doubles(other):
        return False  # annemia is anemia, though an- and a- deny alike
    distance = OSA.distance(word, other)
    return any(
        OSA.distance(changed, other) + OSA.distance(part, to) <= distance
        for root in ROOTS
        for part, to in _exchanges(root.parts)
        for changed in _changed(word, part, to, root.place)
    )


def without_doubles(word: str) -> str:
    """The word with every run of one letter as one."""
    return "".join(c for at, c in enumerate(word) if word[at - 1 : at] != c)


def _exchanges(parts: str) -> Iterator[tuple[str, str]]:
    forms = [part.strip("-") for part in parts.split()]
    return ((one, other) for one in forms for other in forms if one != other)


def _changed(word: str, part: str, to: str, place: _Place) -> Iterator[str]:
    """The word with another part, wherever it may stand."""
    if place == "begins":
        starts = [0] if word.startswith(part) else []
    elif place == "ends":
        starts = [len(word) - len(part)] if word.endswith(part) else []
    else:
        starts = [at for at in range(len(word)) if word.startswith(part, at)]
    return (word[:at] + to + word[at + len(part) :] for at in starts)
