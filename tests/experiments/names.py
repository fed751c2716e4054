"""What share of the sample has which kind of name: ``python -m tests.experiments.names``."""

import argparse
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ingest.sources.hpo.source import HpoSource, files
from ingest.sources.sample.files import NAME_KINDS
from tests.ingest.sample_files import Name, Unnamed, names, things, unnamed

_HEAD: Final = """\
# Names that people use

`medkg link` and `medkg ask` find a thing by any name in the graph. Beside its own names the sample has
names that are said, written or printed on a box: Tylenol, 拜新同, rash, sugar disease, 中风. They stand
in `ingest/sample/names/{drugs,diseases,symptoms}.tsv`, a line for each: `id, term, kind, language,
name, reference`; a folder of your own (`kind: sample` with `folder:`) may have such tables too. A line
without a name, a known kind, a language or a reference is in quarantine with the reason.
`medkg explain DRUGBANK:DB00316` shows each name with its reference. What has fewer names than it
should stands in `none.tsv` beside them, with the reason.

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
  Agency; a few in a hospital's page on the drug or on a label. Chinese ones stand with their drug in
  public lists (original-drug-list, RAGQnASystem) where these are cited. The others, as the Chinese names
  of INN, were written down from knowledge, by no pharmacist, and not looked up in the database that they
  cite: tell us where one is wrong. Those that are also part of ordinary words (可定, 代文, 安多可 in
  从安多可以到拉萨) or one letter from a word (Measurin) and those of products of several drugs (泰诺,
  白加黑) are left out.
* **No more brands** means: none in the lists that were searched for it. In English that was the FDA's
  system (June 2025), in Chinese original-drug-list (January 2025), RAGQnASystem and QASystemOnMedicalKG.
  A generic's name with its maker's (Clopidogrel Teva) is no brand. A pharmacy in China has more: these
  lists name most products by their maker, and do not tell a maker's mark (宁新宝) from a brand.
* **Everyday words** were written down from knowledge, by no clinician, and kept where
  a public text has them: HPO, Mondo and MedlinePlus topics say that the word means this; other
  pages, CC-CEDICT and Chinese lists and dialogues show that it is in use. Where a word has several
  meanings (cold, 吐血, 上火) it is left out, and so is a word that the linker takes for something else.
* **Abbreviations** stay ambiguous where medicine has several meanings for them: MS, PE, RA, GAD and
  OCD are found and not linked. DM2 is type 2 diabetes in this graph; Mondo has it for myotonic
  dystrophy type 2 as well, so with Mondo it is ambiguous.

`tests/everyday/found.tsv` lists {found} words with what they are, `other.tsv` {other} texts in which nothing is
to be linked, or nobody can know with what; both are tested on the graph of the demo. What is still
wrong there: figures of speech that are a name as a whole ("a stroke of luck", "a rash decision", "a
cold head"), and names inside other Chinese words (中风 in 中风险, 美林 in 美林证券).
"""

REASONS: Final = {
    "own name": "what the sample calls it is what people say",
    "another thing": "what people say is the name of something else, mostly of something wider",
    "before INN": "it was in use before there were such names, and was given none",
    "no more": "the lists that were searched have no more products of this drug alone",
    "left out": "the others that they have are part of an ordinary word or like one, of products of "
    "several drugs, or in doubt",
}
"""Why a thing has fewer names of a kind than it should."""


class Wanted(NamedTuple):
    """What every thing of a type with a file should have."""

    title: str
    node_type: str
    kinds: Collection[str]
    language: str
    enough: int

    def lacking(self, found: Iterable[Name]) -> set[str]:
        """The things that have fewer than ``enough`` of these names, by id or name."""
        number = Counter(
            n.named for n in found if n.kind in self.kinds and n.language == self.language
        )
        return {thing for thing in self.things() if number[thing] < self.enough}

    def explained(self, lines: Iterable[Unnamed]) -> set[str]:
        """The things of which ``lines`` say why they lack these names, by id or name."""
        things = self.things()
        return {
            line.named
            for line in lines
            if line.kind in self.kinds and line.language == self.language and line.named in things
        }

    def things(self) -> set[str]:
        """All of them, by id or name."""
        _, with_a_file = next(_groups(self.node_type))
        return with_a_file


WANTED: Final = (
    Wanted("drugs: INN", "Drug", {"INN"}, "en", 1),
    Wanted("drugs: USAN or USP", "Drug", {"USAN", "USP"}, "en", 1),
    Wanted("drugs: five brands, en", "Drug", {"brand"}, "en", 5),
    Wanted("drugs: five brands, zh", "Drug", {"brand"}, "zh", 5),
    Wanted("diseases: everyday word, en", "Disease", {"lay"}, "en", 1),
    Wanted("diseases: everyday word, zh", "Disease", {"lay"}, "zh", 1),
    Wanted("symptoms: everyday word, en", "Symptom", {"lay"}, "en", 1),
    Wanted("symptoms: everyday word, zh", "Symptom", {"lay"}, "zh", 1),
)

_EVERYDAY: Final = Path(__file__).parents[1] / "everyday"


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
    tables = (_shares(found), _complete(found, unnamed()), _kinds(found), _publishers(found))
    texts = {
        stem: len((_EVERYDAY / f"{stem}.tsv").read_text("utf-8").splitlines()) - 1
        for stem in ("found", "other")
    }
    return _HEAD + "\n".join("\n".join([*table, ""]) for table in tables) + _TAIL.format(**texts)


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


def _complete(found: Sequence[Name], explained: Sequence[Unnamed]) -> Iterator[str]:
    """How many things with a file have the names that they should have, or the reason why not."""
    yield "| of what has a file | number | named | explained | neither |"
    yield "|---|--:|--:|--:|--:|"
    for wanted in WANTED:
        number, without = len(wanted.things()), wanted.lacking(found)
        why = without & wanted.explained(explained)
        cells = number, number - len(without), len(why), len(without - why)
        yield f"| {wanted.title} | {' | '.join(map(str, cells))} |"
    yield ""
    yield "| reason | it means | en | zh |"
    yield "|---|---|--:|--:|"
    reasons = Counter((e.reason, e.language) for e in explained)
    for reason, about in REASONS.items():
        yield f"| {reason} | {about} | {reasons[reason, 'en']} | {reasons[reason, 'zh']} |"


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
