"""Shows whether the rules are right: ``python -m tests.experiments.rules HOME --write FILE``."""

import argparse
import csv
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from time import perf_counter
from typing import Final

import duckdb

from ingest.check.rules import Breach, Rule, ask_rules, load_rules, rule_name
from kg.progress import Silent
from kg.stores.embedded import EmbeddedStore
from kg.tables import GraphTables
from tests.experiments.rules.page import Shown, page
from tests.experiments.rules.planting import Edge, Names, Planted, plant, read_planted

JUDGED: Final = Path(__file__).with_name("judged")

_READ: Final = 100
"""Breaches of a rule that are read."""

_COLUMNS: Final = ("rule", "head", "relation", "tail", "head_name", "tail_name", "right", "why")

Found = Mapping[str, Sequence[Breach]]
"""What each rule finds."""


def main() -> None:
    """Ask the rules of the graph as built, with and without planted contradictions."""
    given = _arguments()
    tables = GraphTables(given.home / "tables")
    rules = load_rules()
    with tempfile.TemporaryDirectory(prefix="medkg-rules-") as work:
        found, seconds = _found(tables, rules, Path(work) / "as-built")
        if given.sample:
            _sample(given.sample, found[given.sample], tables)
            return
        planted = read_planted()
        names = Names(tables, planted)
        missed = _missed(tables, rules, planted, names, Path(work))
    read = {rule_name(rule): _judged(rule_name(rule)) for rule in rules}
    shown = [
        Shown(
            rule=rule_name(rule),
            severity=rule.severity or "",
            title=rule.title.partition(". ")[0].rstrip("."),
            found=len(found[rule_name(rule)]),
            read=read[rule_name(rule)],
            planted=_counts(planted, rule_name(rule)),
            missed=_counts(missed, rule_name(rule)),
        )
        for rule in rules
    ]
    text = page(shown, missed, seconds, tables.summary())
    if given.write:
        given.write.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.experiments.rules", description=__doc__)
    parser.add_argument("home", type=Path, help="of a build of tests/everything")
    parser.add_argument("--write", type=Path, metavar="FILE", help="the page")
    parser.add_argument("--sample", metavar="RULE", help="print breaches to read, as CSV")
    return parser.parse_args()


def _found(tables: GraphTables, rules: Sequence[Rule], folder: Path) -> tuple[Found, float]:
    """What each rule finds in a graph that nothing was taken out of, and the seconds it takes."""
    folder.mkdir()
    with EmbeddedStore(folder / "graph.lbug") as store:
        store.load(tables)
        begun = perf_counter()
        answers = ask_rules(store, rules, Silent())
        seconds = perf_counter() - begun
    return {rule_name(each.rule): each.breaches for each in answers}, seconds


def _missed(
    tables: GraphTables,
    rules: Sequence[Rule],
    planted: Sequence[Planted],
    names: Names,
    work: Path,
) -> list[Planted]:
    """The contradictions that their rules do not find once all are in the graph."""
    edges = [[names.edge(edge) for edge in each.edges] for each in planted]
    everything = [edge for some in edges for edge in some]
    found, _ = _found(plant(tables, everything, work / "tables"), rules, work / "planted")
    of_rule = {rule: {breach.edge for breach in breaches} for rule, breaches in found.items()}
    return [
        each
        for each, some in zip(planted, edges, strict=True)
        if of_rule[each.rule].isdisjoint(edge.edge for edge in some)
    ]


def _counts(planted: Iterable[Planted], rule: str) -> tuple[int, int]:
    """How many are of a rule: those it was written with, and the unseen ones."""
    of_rule = [each.unseen for each in planted if each.rule == rule]
    return of_rule.count(False), of_rule.count(True)


def _judged(rule: str) -> Counter[str]:
    path = JUDGED / f"{rule}.csv"
    if not path.is_file():
        return Counter()
    with path.open(encoding="utf-8", newline="") as file:
        return Counter(row["right"] for row in csv.DictReader(file))


def _sample(rule: str, breaches: Iterable[Breach], tables: GraphTables) -> None:
    """The first hundred in an order that follows from nothing in the graph."""
    rows = sorted(breaches, key=lambda breach: _draw(rule, breach.edge))[:_READ]
    with duckdb.connect() as db:
        nodes = db.read_parquet(str(tables.nodes)).project("id, name").fetchall()
    names = dict(nodes)
    out = csv.writer(sys.stdout)
    out.writerow(_COLUMNS)
    for head, relation, tail, *_ in rows:
        out.writerow((rule, head, relation, tail, names[head], names[tail], "", ""))


def _draw(rule: str, edge: Edge) -> str:
    return sha256("|".join((rule, *edge)).encode()).hexdigest()


if __name__ == "__main__":
    main()
