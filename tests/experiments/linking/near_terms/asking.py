"""Asks for terms that lie near others, and for misspelt names, as a build with ``link: true`` does.

A term is asked for once all that is one thing with it is out of the index, so that whatever
it is linked with is wrong.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Final

from pypinyin import Style, pinyin

from ingest.linking import resolved
from kg.linking.linker import Linker, LinkOptions
from kg.linking.measures import Share
from kg.text.canonical import canonical
from tests.experiments.linking.chinese import chinese_noise
from tests.experiments.linking.experiment import Experiment, seeded
from tests.experiments.linking.near_terms.terms import SHORTEST, Pair, Terms
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

SAME: Final = frozenset(
    (first, second)
    for first, second in (
        line.split("\t")
        for line in Path(__file__).with_name("same.tsv").read_text("utf-8").splitlines()
    )
)
"""Names of one thing that no vocabulary connects, as we read them."""


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
        return len(canonical(pair.asked)) >= SHORTEST
    return all(word.isalpha() and len(word) >= SHORTEST for word in pair.words)


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


def noisy(data: Path, seed: int) -> Iterator[Experiment]:
    """Names misspelt by rule, in both languages, and those typed by a character that sounds alike."""
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
        if len(name) < SHORTEST:
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
