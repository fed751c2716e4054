"""What share of the sample has which kind of name: ``python -m tests.experiments.names``."""

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from ingest.sources.hpo.source import HpoSource, files
from ingest.sources.sample.files import NAME_KINDS
from tests.ingest.sample_files import Name, names, things

_HEAD: Final = """\
# Names that people use

`medkg link` and `medkg ask` find a thing by any name in the graph. Beside its own names the sample has
names that are said, written or printed on a box: Tylenol, 拜新同, rash, sugar disease, 中风. They stand
in `ingest/sample/names/{drugs,diseases,symptoms}.tsv`, a line for each: `id, term, kind, language,
name, reference`; a folder of your own (`kind: sample` with `folder:`) may have such tables too. A line
without a name, a known kind, a language or a reference is in quarantine with the reason.
`medkg explain DRUGBANK:DB00316` shows each name with its reference.

A name that the tables lack is not lost: 1,018 drugs have brands in the list of [drugs.md](drugs.md),
and HPO has everyday words of its own. The page is made by
`python -m tests.experiments.names --write docs/names.md`.
"""
_TAIL: Final = """

* **INN, USAN and USP** are what the US Food and Drug Administration's Global Substance Registration
  System marks so. A drug that was in use before there were such lists (digoxin, colchicine) has no
  INN or no USAN; of USAN that name a salt the first is given. The Chinese name of an INN, as that of
  a brand, is cited by the drug database of the National Medical Products Administration, which has
  no address for a search.
* **Brands** are products that have this drug alone, at most five in a language. English ones are in
  that same system or in MedlinePlus, the electronic Medicines Compendium or the European Medicines
  Agency. Chinese ones, as the Chinese names of INN, were written down
  from knowledge, by no pharmacist, and not looked up there: tell us where one is wrong. Those that are also part of ordinary words (可定, 代文, 欣然) and those of
  products of several drugs (泰诺, 白加黑) are left out.
* **Everyday words** were written down from knowledge, by no clinician, and kept where
  a public text has them: HPO, Mondo and MedlinePlus topics say that the word means this; other
  pages, CC-CEDICT and Chinese lists and dialogues show that it is in use. Where a word has several
  meanings (cold, 吐血, 上火) it is left out, and so is a word that the linker takes for something else.
* **Abbreviations** stay ambiguous where medicine has several meanings for them: MS, PE, RA, GAD and
  OCD are found and not linked. DM2 is type 2 diabetes in this graph; Mondo has it for myotonic
  dystrophy type 2 as well, so with Mondo it is ambiguous.

`tests/everyday/found.tsv` lists 213 words with what they are, `other.tsv` 64 texts in which nothing is
to be linked, or nobody can know with what; both are tested on the graph of the demo. What is still
wrong there: figures of speech that are a name as a whole ("a stroke of luck", "a rash decision"), and
names inside other Chinese words (中风 in 中风险, 美林 in 美林证券).
"""


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.experiments.names", description=__doc__)
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page")
    given = parser.parse_args()
    if given.write:
        given.write.write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(page())


def page() -> str:
    """The page docs/names.md."""
    found = names()
    return (
        _HEAD + "\n".join([*_shares(found), "", *_kinds(found), "", *_publishers(found)]) + _TAIL
    )


def _shares(found: Iterable[Name]) -> Iterator[str]:
    """For each group of things, the share of it that has a kind of name."""
    having: dict[tuple[str, str], set[str]] = defaultdict(set)
    for each in found:
        having[each.kind, each.language].add(each.named)
    lay = having["lay", "en"], having["lay", "zh"]
    columns: Mapping[str, Mapping[str, set[str]]] = {
        "Drug": {
            "INN": having["INN", "en"],
            "USAN or USP": having["USAN", "en"] | having["USP", "en"],
            "brand, en": having["brand", "en"],
            "brand, zh": having["brand", "zh"],
        },
        "Disease": {"everyday word, en": lay[0], "everyday word, zh": lay[1]},
        "Symptom": {
            "everyday word, en": lay[0],
            "the same with HPO's own": lay[0] | _everyday_of_hpo(),
            "everyday word, zh": lay[1],
        },
    }
    for node_type, those_with in columns.items():
        yield f"\n| of the sample | number | {' | '.join(those_with)} |"
        yield f"|---|--:|{'--:|' * len(those_with)}"
        for title, group in _groups(node_type):
            shares = (
                f"{len(group & with_it) / len(group):.0%}" for with_it in those_with.values()
            )
            yield f"| {title} | {len(group)} | {' | '.join(shares)} |"


def _groups(node_type: str) -> Iterator[tuple[str, set[str]]]:
    """The things of a type, by id or name: those with a file of their own, and all with an id."""
    speaking = [*things("diseases", "Disease"), *things("drugs", "Drug")]
    of_files = [each.concept for each in (*speaking, *things("symptoms", "Symptom"))]
    everything = [*of_files, *(concept for each in speaking for concept in each.concepts)]
    title = f"{node_type.lower()}s"
    yield f"{title} with a file", {c.id or c.en for c in of_files if c.type == node_type}
    yield f"{title} with an id", {c.id for c in everything if c.type == node_type and c.id}


def _kinds(found: Iterable[Name]) -> Iterator[str]:
    yield "| kind | what it is | en | zh |"
    yield "|---|---|--:|--:|"
    number = Counter((n.kind, n.language) for n in found)
    for kind, about in NAME_KINDS.items():
        yield f"| `{kind}` | {about} | {number[kind, 'en']:,} | {number[kind, 'zh']:,} |"


def _publishers(found: Iterable[Name]) -> Iterator[str]:
    yield "| names were read in | names |"
    yield "|---|--:|"
    number = Counter(n.reference.partition(":")[0] for n in found)
    for publisher, names_of_it in sorted(number.items(), key=lambda item: (-item[1], item[0])):
        yield f"| {publisher} | {names_of_it:,} |"


def _everyday_of_hpo() -> set[str]:
    """Terms of HPO that have an exact synonym which HPO marks as a layperson's."""
    terms = next(path for path in files(HpoSource(kind="hpo")) if path.name == "hp.obo")
    stanzas = terms.read_text(encoding="utf-8").split("\n[Term]\nid: ")[1:]
    return {stanza[:10] for stanza in stanzas if re.search(r'" EXACT layperson', stanza)}


if __name__ == "__main__":
    main()
