"""How common the drugs of the list are.

Three counts say how common a drug is: how often English texts for and on patients name it, how
many Chinese products are called after it, and in how many rows three English lists of indications
name it. The score is the sum of their logarithms. No contraindication, precaution or reaction
counts, nor anything that a graph says, so a graph's coverage of the first 500 can be measured; of
English indications only with that in mind.
"""

import csv
import gzip
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from ingest import sources

LIST: Final = Path(sources.__file__).parent / "bridge" / "lists" / "drugs.tsv"
COMMONEST: Final = Path(__file__).with_name("commonest.tsv")
"""The 500, as this command wrote them."""
HOW_MANY: Final = 500

_TEXTS: Final = (
    *("chatdoctor/chatdoctor5k.json", "mediq/*.jsonl", "agentclinic/*.jsonl"),
    *("mts_dialog/*.csv", "aci_bench/*.csv", "pubmedqa/*.json", "medquad/*/*.xml"),
)
_PRODUCTS: Final = ("zh_qasystem_dict/drug.txt", "zh_ragqna/药品.txt")
_INDICATIONS: Final = {
    "indications/MEDI_01212013_UMLS.csv.gz": (",", "DRUG_DESC"),
    "indications/indications-verbose.tsv": ("\t", "drugbank_name"),
    "everycure/indications.tsv": ("\t", "drug"),
}
"""What parts the columns, and the column with the drug's name."""
_WORD: Final = re.compile(r"[a-z0-9]+")
_COMPOUND: Final = "复方"
"""Of several drugs."""
_UNLISTED: Final = ("三磷酸腺苷", "环磷腺苷")
"""Drugs that the list does not have, with the name of one that it has in theirs."""


class Line(NamedTuple):
    """One of the list."""

    type: str
    id: str
    name_en: str
    name_zh: str
    kind: str
    reader: str


@dataclass(frozen=True)
class Ranked:
    """A drug of the list."""

    id: str
    name_en: str
    name_zh: str
    texts: int
    """How often the English texts name it."""
    products: int
    """Chinese products that are called after it."""
    indications: int
    """Rows of English lists of indications."""

    @property
    def score(self) -> float:
        """In bits: a count that is twice as high is worth one."""
        return sum(math.log2(1 + n) for n in (self.texts, self.products, self.indications))


def lines(path: Path = LIST) -> tuple[Line, ...]:
    """The lines of the list."""
    with path.open(encoding="utf-8", newline="") as text:
        return tuple(Line(**row) for row in csv.DictReader(text, delimiter="\t"))


def drugs(listed: Iterable[Line]) -> Mapping[str, tuple[Line, ...]]:
    """The lines of each drug, by its id, or its English name where it has none."""
    found: dict[str, list[Line]] = defaultdict(list)
    by_name: dict[str, str] = {}
    for line in listed:
        key = line.id or by_name.get(line.name_zh) or by_name.get(line.name_en) or line.name_en
        by_name |= dict.fromkeys(filter(None, (line.name_en, line.name_zh)), key)
        found[key].append(line)
    return {key: tuple(of_one) for key, of_one in found.items()}


def rank(listed: Iterable[Line], data: Path) -> list[Ranked]:
    """All drugs of the list, commonest first; of two alike the first by the alphabet."""
    by_drug = drugs(listed)
    english: dict[tuple[str, ...], str] = {}
    chinese: dict[str, str] = {}
    for key, of_one in by_drug.items():
        english |= {_words(line.name_en): key for line in of_one}
        chinese |= {line.name_zh: key for line in of_one}
    counts = (
        _named_in_texts(english, data),
        _named_in_products(chinese, data),
        _named_in_indications(english, data),
    )
    ranked = [
        Ranked(of_one[0].id, of_one[0].name_en, of_one[0].name_zh, *(n[key] for n in counts))
        for key, of_one in by_drug.items()
    ]
    return sorted(ranked, key=lambda drug: (-drug.score, drug.name_en))


def _named_in_texts(names: Mapping[tuple[str, ...], str], data: Path) -> Counter[str]:
    """Times that each drug is named; of names that begin at one word the longest counts."""
    lengths = sorted({len(name) for name in names if name}, reverse=True)
    found: Counter[str] = Counter()
    for words in _texts(data):
        at = 0
        while at < len(words):
            for length in lengths:
                if key := names.get(tuple(words[at : at + length])):
                    found[key] += 1
                    at += length - 1
                    break
            at += 1
    return found


def _texts(data: Path) -> Iterator[list[str]]:
    for pattern in _TEXTS:
        for path in sorted(data.glob(pattern)):
            yield list(_words(path.read_text(encoding="utf-8", errors="replace")))


def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(text.lower()))


def _named_in_products(names: Mapping[str, str], data: Path) -> Counter[str]:
    """Products that are called after each drug; of names that begin at one place the longest."""
    either = {*filter(None, names), *_UNLISTED}
    longest_first = sorted(either, key=lambda name: (-len(name), name))
    any_name = re.compile("|".join(map(re.escape, longest_first)))
    products = {
        line.strip()
        for name in _PRODUCTS
        for line in (data / name).read_text(encoding="utf-8").splitlines()
    }
    found: Counter[str] = Counter()
    for product in products:
        if _COMPOUND not in product:
            matched = {match[0] for match in any_name.finditer(product)}
            found.update({names[name] for name in matched if name in names})
    return found


def _named_in_indications(names: Mapping[tuple[str, ...], str], data: Path) -> Counter[str]:
    found: Counter[str] = Counter()
    for name, (delimiter, column) in _INDICATIONS.items():
        opened = gzip.open if name.endswith(".gz") else open
        with opened(data / name, "rt", encoding="utf-8", errors="replace", newline="") as text:
            rows = csv.DictReader(text, delimiter=delimiter)
            found.update(key for row in rows if (key := names.get(_words(row[column]))))
    return found
