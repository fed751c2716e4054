"""From which fit a question is answered: coverage against risk, on questions that can be and cannot.

``python -m tests.experiments.answers.threshold HOME DATA --picture docs/pictures/coverage-risk.png``
reads every question of five sets without a threshold and prints the table of docs/answers-gold.md:

* MedQuAD's questions on diseases that the graph has (answer);
* names of diseases of the graph in lay sentences that tell more than they ask, by rule (answer);
* the dev half of the 300 questions whose subject the graph has by name (answer; dev alone, for the
  test half is asked once);
* names of diseases and drugs that nobody has, made of syllables by a seed (refuse);
* ``unanswerable.tsv``, written by hand: off topic, and such as name a disease in passing (refuse).

*Coverage*: of the questions that can be answered, those that are. *Risk*: of those that are
answered, the share that should be refused or is about another thing. The threshold is the highest
that costs at most 1 % of the coverage on the dev half; it is reported on the test half.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

import click
import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

import kg
from ingest.sources.medquad.documents import parse
from kg.configuration import Settings
from kg.errors import MedKGError
from kg.linking import Linker
from kg.text.canonical import canonical
from qa.questions import LEAST_FIT, read
from tests.experiments.answers import gold

_FILE: Final = Path(__file__).with_name("unanswerable.tsv")
_SEED: Final = 21
_EACH: Final = 240
"""Questions of each set that is made by rule."""
_COST: Final = 0.01
_THRESHOLDS: Final = tuple(at / 50 for at in range(51))
_OURS: Final = "the 300"
"""Many tell complaints, and are answered by another thing than their subject: no risk of them."""
_TYPES: Final = ("Disease", "Symptom", "Drug")

_LAY: Final = (
    "what is {}",
    "my sister was told last week that she has {} and we are all worried, how is it treated?",
    "Hi, my neighbour keeps talking about {}. What causes it?",
    "I read a long article on the train about {} but did not get it, what are the symptoms?",
    "after months of waiting the hospital finally says {}; what tests come next?",
    "can {} be prevented somehow",
    "grandma had {} and so did her brother, who gets it?",
    "please explain in simple words how doctors treat {} these days",
)
_LAY_ZH: Final = (
    "什么是{}",
    "我妈上周查出来{}，全家都很着急，怎么治疗？",
    "邻居老说起{}，到底是什么原因引起的",
    "在火车上看了一篇讲{}的文章没看懂，有什么症状",
    "医院等了好几个月终于说是{}，接下来要做什么检查",
    "{}能不能预防",
    "外婆得过{}，她哥哥也得过，哪些人容易得",
    "用大白话讲讲医生现在怎么治{}",
)
_PLAIN: Final = (
    "What are the symptoms of {}?",
    "How is {} treated?",
    "what causes {}",
    "Is {} inherited?",
    "Which drugs help against {}?",
)
_PLAIN_ZH: Final = ("{}有什么症状", "{}怎么治疗", "{}是什么原因引起的", "{}会遗传吗", "{}吃什么药")
_ONSETS: Final = [
    "b",
    "br",
    "d",
    "dr",
    "f",
    "fl",
    "g",
    "gr",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "pl",
    "qu",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "vr",
    "z",
]
_MIDDLES: Final = ["a", "e", "i", "o", "u", "ai", "eo", "ia", "or", "en", "al", "un"]
_ENDS: Final = ["dok", "mar", "lin", "vex", "nor", "tas", "zil", "pod", "rum", "fen"]
_KINDS: Final = (" syndrome", " disease", " fever", "itis", "ine", "osis", " disorder", "")
_CHARACTERS: Final = "泽凌芸拓沛岚翎恺瑾翊彦晟霖澜煜珂祺桦筠昊"
_KINDS_ZH: Final = ("综合征", "病", "热", "片", "胶囊", "炎", "症")


class Asked(NamedTuple):
    """A question, and what a right answer to it is about."""

    text: str
    set: str
    dev: bool
    ids: frozenset[str]
    """Of the thing it is about; none: it should be refused."""


class Read(NamedTuple):
    """How a question was read where no threshold holds."""

    asked: Asked
    fit: float
    """-1 where it is not answered whatever the threshold."""
    right: bool


def questions(linker: Linker, data: Path) -> Iterator[Asked]:
    """All sets, each in two halves but for the 300 questions; no thing is in both."""
    chance = Random(_SEED)  # noqa: S311 -- draws questions, no secret
    yield from _of_medquad(linker, data, chance)
    yield from _lay(linker, chance)
    yield from _of_ours(linker)
    yield from _invented(linker, chance)
    with _FILE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            yield Asked(row["question"], row["kind"], row["part"] == "dev", frozenset())


def _of_medquad(linker: Linker, data: Path, chance: Random) -> Iterator[Asked]:
    files = sorted((data / "medquad").glob("[1-9]_*/*.xml"))
    taken = 0
    for file in chance.sample(files, len(files)):
        document = parse(file.read_bytes())
        ids = _ids(linker, document.focus)
        asked = [pair.question for pair in document.pairs]
        if ids and asked and taken < _EACH:
            yield Asked(chance.choice(asked), "MedQuAD", taken % 2 == 0, ids)
            taken += 1


def _of_ours(linker: Linker) -> Iterator[Asked]:
    for each in gold.read():
        ids = frozenset(
            id_ for name in re.split("[;；]", each.subject) for id_ in _ids(linker, name)
        )
        if each.part == "dev" and each.expected == "answer" and ids and not each.before:
            yield Asked(each.question, _OURS, dev=True, ids=ids)


def _lay(linker: Linker, chance: Random) -> Iterator[Asked]:
    index = linker.index
    for language, sentences, sizes in (("en", _LAY, (4, 30)), ("zh", _LAY_ZH, (2, 8))):
        names = sorted(
            {
                name
                for name, of, preferred, entity in zip(*index.names, strict=True)
                if of == language and preferred and sizes[0] <= len(name) <= sizes[1]
                if index.entities.id[entity].startswith("MONDO:") and "," not in name
            }
        )
        for at, name in enumerate(chance.sample(names, _EACH // 2)):
            sentence = sentences[at // 2 % len(sentences)]
            yield Asked(sentence.format(name), "lay sentence", at % 2 == 0, _ids(linker, name))


def _invented(linker: Linker, chance: Random) -> Iterator[Asked]:
    for at in range(_EACH):
        if at % 4 > 1:  # two English ones, two Chinese ones
            name = "".join(chance.sample(_CHARACTERS, chance.choice((2, 3))))
            name += chance.choice(_KINDS_ZH)
            sentence = chance.choice(_PLAIN_ZH)
        else:
            syllables = [chance.choice(_ONSETS) + chance.choice(_MIDDLES) for _ in range(2)]
            name = ("".join(syllables) + chance.choice(_ENDS)).capitalize() + chance.choice(_KINDS)
            sentence = chance.choice(_PLAIN)
        if not _ids(linker, name):
            yield Asked(sentence.format(name), "invented name", at % 2 == 0, frozenset())


def _ids(linker: Linker, name: str) -> frozenset[str]:
    """Of what goes by a name, and of what goes by a main name of these."""
    index = linker.index
    keys = {canonical(name)}
    for _ in range(2):
        rows = {
            e for k in keys if k in index.positions for e in index.entities_of(index.positions[k])
        }
        found = {row for row in rows if index.entities.type[row] in _TYPES}
        keys |= {canonical(index.entities.name[row]) for row in found}
    return frozenset(index.entities.id[row] for row in found)


def read_all(asked: Sequence[Asked], linker: Linker) -> list[Read]:
    """Every question, read without a threshold."""
    return [_read(each, linker) for each in asked]


def _read(asked: Asked, linker: Linker) -> Read:
    try:
        question = read(asked.text, linker, least_fit=0.0)
    except MedKGError:
        return Read(asked, -1.0, right=False)
    answered = [part for part in question.parts if part.readings]
    about = {s.id for part in answered for reading in part.readings for s in reading.subjects}
    return Read(asked, question.fit if answered else -1.0, bool(about & asked.ids))


def coverage_and_risk(rows: Sequence[Read], least: float) -> tuple[float, float]:
    """Of what can be answered the share that is, and of what is answered the share that is wrong."""
    can = [row for row in rows if row.asked.ids]
    answered = [row for row in rows if row.fit >= least and row.asked.set != _OURS]
    covered = sum(row.fit >= least for row in can) / len(can)
    return covered, sum(not row.right for row in answered) / max(len(answered), 1)


def chosen(dev: Sequence[Read]) -> float:
    """The highest threshold that costs at most 1 % of the coverage there is without one."""
    most = coverage_and_risk(dev, 0.0)[0]
    return max(t for t in _THRESHOLDS if coverage_and_risk(dev, t)[0] >= most * (1 - _COST))


def draw(rows: Sequence[Read], threshold: float, path: Path) -> None:
    """Draw risk over coverage, and both over the threshold, into a PNG."""
    with mpl.rc_context({"axes.grid": True, "grid.alpha": 0.3, "font.size": 10}):
        figure = Figure(figsize=(10, 4), layout="constrained")
        left, right = figure.subplots(1, 2)
        for dev, name, line in ((True, "dev", "--"), (False, "test", "-")):
            half = [row for row in rows if row.asked.dev == dev]
            points = np.array([coverage_and_risk(half, t) for t in _THRESHOLDS])
            at = coverage_and_risk(half, threshold)
            left.plot(points[:, 0], points[:, 1], line, label=name)
            left.plot(*at, "o", color="black", label=f"threshold {threshold}" if dev else None)
            right.plot(_THRESHOLDS, points[:, 0], line, color="#0072B2", label=f"coverage, {name}")
            right.plot(_THRESHOLDS, points[:, 1], line, color="#D55E00", label=f"risk, {name}")
        left.set(xlabel="coverage", ylabel="risk", ylim=(0, None))
        right.set(xlabel="threshold of the fit", ylim=(0, 1.02))
        right.axvline(threshold, color="black", linewidth=1)
        for axes in (left, right):
            axes.legend(frameon=False)
        figure.savefig(path, dpi=110, metadata={"Software": None})


def _table(rows: Sequence[Read], threshold: float) -> Iterator[str]:
    yield "| threshold | coverage, dev | risk, dev | coverage, test | risk, test |"
    yield "|--:|--:|--:|--:|--:|"
    for t in sorted({0.0, 0.1, LEAST_FIT, 0.3, 0.4, 0.5, 0.6, 0.8, threshold}):
        shares = [
            f"{share:.1%}"
            for dev in (True, False)
            for share in coverage_and_risk([row for row in rows if row.asked.dev == dev], t)
        ]
        yield f"| {t:.2f} | " + " | ".join(shares) + " |"
    yield ""
    yield "| set, test half | questions | answered | of these about the right thing |"
    yield "|---|--:|--:|--:|"
    for name in dict.fromkeys(row.asked.set for row in rows):
        own = [row for row in rows if row.asked.set == name and not row.asked.dev]
        if not own:
            continue
        answered = [row for row in own if row.fit >= threshold]
        right = sum(row.right for row in answered)
        yield f"| {name} | {len(own)} | {len(answered)} | {right} |"


@click.command()
@click.argument("home", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.argument("data", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--picture", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--list", "listed", is_flag=True, help="Print also what goes wrong on the dev half.")
def main(home: Path, data: Path, picture: Path | None, listed: bool) -> None:
    """Choose the threshold on the dev half, with the graph in HOME and the public DATA."""
    settings = Settings(home=home)
    with kg.connect(None, settings) as store:
        linker = Linker.of_store(store, settings.linking)
        rows = read_all(list(questions(linker, data)), linker)
    threshold = chosen([row for row in rows if row.asked.dev])
    click.echo(f"threshold {threshold}\n")
    click.echo("\n".join(_table(rows, threshold)))
    if picture:
        draw(rows, threshold, picture)
    for row in rows if listed else ():
        if row.asked.dev and ((row.fit < 0) if row.asked.ids else (row.fit >= 0)):
            click.echo(f"{row.asked.set} {row.fit:.2f} {row.asked.text}")
        elif row.asked.dev and row.fit >= 0 and not row.right:
            click.echo(f"OTHER THING {row.asked.set} {row.fit:.2f} {row.asked.text}")


if __name__ == "__main__":
    main()
